//! `app_process`, and the one program it starts here: scrcpy's server, its control side (scrcpy `doc/develop.md`,
//! `server/…/Server.java`, `Options.java`, `device/DesktopConnection.java`).
//!
//! A jar is known by its bytes ([`KNOWN`]), by a first line `virtual scrcpy-server VERSION` (for tests without the real
//! one), or is whatever [`crate::PhoneHandle::set_scrcpy`] says.
//!
//! Absent on purpose: video and audio. A client that asks for video gets the codec's header and the words of a phone whose
//! encoder fails; one that does not has all of the control side. `adb reverse` (`tunnel_forward=false`) is refused.

mod control;
mod message;

use crate::phone::Phone;
use crate::process::{Call, Ended};
use control::Session;
use message::Dialect;
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncWriteExt, DuplexStream};

/// Starting a virtual machine and the server takes a phone so long.
const START_MILLIS: u64 = 450;
const CLASS: &str = "com.genymobile.scrcpy.Server";
/// What stands at the front of a jar for tests.
const MARK: &[u8] = b"virtual scrcpy-server ";
/// First bytes of the SHA-256 of scrcpy's own jars (`doc/build.md` at each tag), and their version.
const KNOWN: [(&str, &str); 6] = [
    ("ae74a81e", "1.24"),
    ("a23c5659", "2.7"),
    ("7e70323b", "3.3.3"),
    ("8588238c", "3.3.4"),
    ("84924bd5", "4.0"),
    ("deacb991", "4.1"),
];
/// `DesktopConnection.DEVICE_NAME_FIELD_LENGTH`.
const NAME: usize = 64;
/// `h264`.
const CODEC: u32 = 0x6832_3634;

/// The version of the server in a file.
fn version_of(bytes: &[u8]) -> Option<String> {
    if let Some(rest) = bytes.strip_prefix(MARK) {
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        return Some(String::from_utf8_lossy(line).trim().to_owned());
    }
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    KNOWN
        .iter()
        .find(|(start, _)| hex.starts_with(start))
        .map(|(_, version)| (*version).to_owned())
}

/// `CLASSPATH=FILE app_process DIRECTORY CLASS [ARGUMENT…]`.
pub(crate) async fn main(call: Call) -> Ended {
    call.phone.clock.work(START_MILLIS).await;
    let words: Vec<String> = call
        .arguments()
        .iter()
        .filter(|word| !word.starts_with('-'))
        .cloned()
        .collect();
    let jar = call
        .environment
        .get("CLASSPATH")
        .and_then(|path| path.split(':').next())
        .unwrap_or_default()
        .to_owned();
    let found = match (words.get(1).map(String::as_str), call.read_file(&jar).await) {
        (Some(CLASS), Ok(bytes)) => call.phone.scrcpy().or_else(|| version_of(&bytes)),
        _ => None,
    };
    let Some(version) = found else {
        // `RuntimeInit` cannot find the class: the virtual machine aborts, and its shell says so.
        call.err("Aborted \n").await?;
        return Ok(134);
    };
    let arguments = words.get(2..).unwrap_or_default().to_vec();
    match serve(&call, &jar, &version, &arguments).await {
        Ok(()) => Ok(0),
        Err(problem) => {
            let Failure { class, text } = problem;
            call.err(format!(
                "[server] ERROR: {text}\n{class}: {text}\n\tat com.genymobile.scrcpy.Server.internalMain(Server.java)\n\tat \
                 com.genymobile.scrcpy.Server.main(Server.java)\n"
            ))
            .await?;
            Ok(1)
        }
    }
}

/// What Java throws.
struct Failure {
    class: &'static str,
    text: String,
}

fn illegal(text: impl Into<String>) -> Failure {
    Failure {
        class: "java.lang.IllegalArgumentException",
        text: text.into(),
    }
}

/// What a client asks for, with the server's own defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "scrcpy's own switches")]
struct Options {
    scid: Option<u32>,
    video: bool,
    audio: bool,
    control: bool,
    forward: bool,
    dummy: bool,
    device_meta: bool,
    codec_meta: bool,
    autosync: bool,
    cleanup: bool,
    power_on: bool,
    max_size: u32,
    unknown: Vec<String>,
}

/// Names that change nothing here.
const HEEDLESS: [&str; 44] = [
    "log_level",
    "video_codec",
    "audio_codec",
    "video_source",
    "audio_source",
    "audio_dup",
    "video_bit_rate",
    "audio_bit_rate",
    "max_fps",
    "angle",
    "crop",
    "display_id",
    "show_touches",
    "stay_awake",
    "screen_off_timeout",
    "video_codec_options",
    "audio_codec_options",
    "video_encoder",
    "audio_encoder",
    "power_off_on_close",
    "downsize_on_error",
    "list_encoders",
    "list_displays",
    "list_cameras",
    "list_camera_sizes",
    "list_apps",
    "camera_id",
    "camera_size",
    "camera_facing",
    "camera_ar",
    "camera_fps",
    "camera_high_speed",
    "camera_torch",
    "camera_zoom",
    "new_display",
    "vd_destroy_content",
    "vd_system_decorations",
    "capture_orientation",
    "display_ime_policy",
    "send_frame_meta",
    "raw_stream",
    "keep_active",
    "flex_display",
    "min_size_alignment",
];

impl Options {
    fn read(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self {
            scid: None,
            video: true,
            audio: true,
            control: true,
            forward: false,
            dummy: true,
            device_meta: true,
            codec_meta: true,
            autosync: true,
            cleanup: true,
            power_on: true,
            max_size: 0,
            unknown: Vec::new(),
        };
        for argument in arguments {
            let Some((key, value)) = argument.split_once('=') else {
                return Err(illegal(format!("Invalid key=value pair: \"{argument}\"")));
            };
            let on = value == "true";
            match key {
                "scid" => {
                    let scid = u32::from_str_radix(value, 16)
                        .ok()
                        .filter(|scid| *scid <= 0x7fff_ffff)
                        .ok_or_else(|| {
                            illegal(format!("scid may not be negative (except -1 for none): {value}"))
                        })?;
                    options.scid = Some(scid);
                }
                "video" => options.video = on,
                "audio" => options.audio = on,
                "control" => options.control = on,
                "tunnel_forward" => options.forward = on,
                "send_dummy_byte" => options.dummy = on,
                "send_device_meta" => options.device_meta = on,
                "send_codec_meta" | "send_stream_meta" => options.codec_meta = on,
                "raw_stream" if on => {
                    options.dummy = false;
                    options.device_meta = false;
                    options.codec_meta = false;
                }
                "clipboard_autosync" => options.autosync = on,
                "cleanup" => options.cleanup = on,
                "power_on" => options.power_on = on,
                "max_size" => {
                    let size: u32 = value
                        .parse()
                        .map_err(|_| illegal(format!("For input string: \"{value}\"")))?;
                    // A multiple of 8.
                    options.max_size = size & !7;
                }
                key if HEEDLESS.contains(&key) => {}
                key => options.unknown.push(key.to_owned()),
            }
        }
        Ok(options)
    }

    fn socket(&self) -> String {
        match self.scid {
            Some(scid) => format!("scrcpy_{scid:08x}"),
            None => "scrcpy".to_owned(),
        }
    }
}

/// The picture's size a stream has: at most `most` on its long side, multiples of 8.
fn stream_size(phone: &Phone, most: u32) -> (u32, u32) {
    let display = phone.with(|android| android.display());
    let (width, height) = (display.width, display.height);
    let long = width.max(height);
    let (width, height) = if most > 0 && long > most {
        (width * most / long, height * most / long)
    } else {
        (width, height)
    };
    ((width + 4) & !7, (height + 4) & !7)
}

async fn serve(call: &Call, jar: &str, version: &str, arguments: &[String]) -> Result<(), Failure> {
    let Some((client, rest)) = arguments.split_first() else {
        return Err(illegal("Missing client version"));
    };
    if client != version {
        return Err(illegal(format!(
            "The server version ({version}) does not match the client ({client})"
        )));
    }
    let options = Options::read(rest)?;
    let phone = &call.phone;
    if options.cleanup {
        // `CleanUp.unlinkSelf`. It may be gone already.
        let _ = phone.files.remove(&call.path(jar), false);
    }
    let profile = &phone.profile;
    let brand = profile.manufacturer.to_lowercase();
    let mut said = format!(
        "[server] INFO: Device: [{}] {brand} {} (Android {})\n",
        profile.manufacturer, profile.model, profile.release
    );
    for key in &options.unknown {
        said.push_str(&format!("[server] WARN: Unknown server option: {key}\n"));
    }
    // Whoever listened to its words may be gone: it goes on.
    let _ = call.out(said).await;
    if !(options.video || options.audio || options.control) {
        return Ok(());
    }
    if !options.forward {
        return Err(Failure {
            class: "java.io.IOException",
            text: "Connection refused".to_owned(),
        });
    }
    if options.power_on && !phone.with(|android| android.power()).awake {
        phone.key(224, 0, false);
    }
    let mut sockets = accept(phone, &options).await;
    if options.device_meta
        && let Some(first) = sockets.first_mut()
    {
        let mut name = profile.model.clone().into_bytes();
        name.truncate(NAME - 1);
        name.resize(NAME, 0);
        // A client that hangs up is met below.
        let _ = first.write_all(&name).await;
    }
    let control = if options.control { sockets.pop() } else { None };
    let dialect = Dialect::of(version);
    if options.video
        && let Some(video) = sockets.first_mut()
    {
        begin_video(video, call, &options, dialect).await;
        let text = "Video encoding failed".to_owned();
        return Err(Failure {
            class: "com.genymobile.scrcpy.device.ConfigurationException",
            text,
        });
    }
    if let Some(control) = control {
        Session::new(call.clone(), dialect, options.autosync)
            .run(control)
            .await;
    }
    Ok(())
}

/// Takes the connections in their order, video, audio, control; the first hears the dummy byte.
async fn accept(phone: &Phone, options: &Options) -> Vec<DuplexStream> {
    let mut listener = phone.sockets.listen(&options.socket());
    let wanted = [options.video, options.audio, options.control]
        .into_iter()
        .filter(|wanted| *wanted)
        .count();
    let mut sockets: Vec<DuplexStream> = Vec::new();
    while sockets.len() < wanted {
        let Some(mut socket) = listener.accept().await else {
            break;
        };
        if options.dummy && sockets.is_empty() {
            let _ = socket.write_all(&[0]).await;
        }
        sockets.push(socket);
    }
    sockets
}

/// The codec's header; then, for want of an encoder, nothing.
async fn begin_video(video: &mut DuplexStream, call: &Call, options: &Options, dialect: Dialect) {
    if options.codec_meta {
        let mut header = CODEC.to_be_bytes().to_vec();
        if dialect.major < 4 {
            let (width, height) = stream_size(&call.phone, options.max_size);
            header.extend(width.to_be_bytes());
            header.extend(height.to_be_bytes());
        }
        let _ = video.write_all(&header).await;
    }
    let _ = call
        .err("[server] ERROR: Capture/encoding error: java.lang.IllegalStateException: null\n")
        .await;
}

#[cfg(test)]
mod tests;

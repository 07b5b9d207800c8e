//! `app_process`, and the one program it starts here: scrcpy's server, its control side, its video and its sound (scrcpy
//! `doc/develop.md`, `server/…/Server.java`, `Options.java`, `device/DesktopConnection.java`).
//!
//! A jar is known by its bytes ([`KNOWN`]), by a first line `virtual scrcpy-server VERSION` (for tests without the real
//! one), or is whatever [`crate::PhoneHandle::set_scrcpy`] says.
//!
//! Absent on purpose: codecs other than H.264, AAC and Opus, cropping, turning, cameras, other displays. `adb reverse` (`tunnel_forward=false`) is refused.

mod control;
mod message;
mod sound;
mod video;

use crate::fault::Fault;
use crate::phone::Phone;
use crate::process::{Call, ProgramResult, Signal};
use control::Session;
use message::Dialect;
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncWriteExt, DuplexStream};
use video::{Shared, StreamEnd, Video};

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
/// `scrcpy_mismatch`: the version the jar turns out to have.
const OTHER: &str = "1.25";
/// `DesktopConnection.DEVICE_NAME_FIELD_LENGTH`.
const NAME: usize = 64;
/// `DEFAULT_I_FRAME_INTERVAL` seconds at `KEY_FRAME_RATE` pictures.
const INTERVAL: u32 = 10;
const FRAME_RATE: u32 = 60;

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
pub(crate) async fn main(call: Call) -> ProgramResult {
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
        (Some(CLASS), Ok(_)) if call.phone.has(Fault::ScrcpyMismatch) => Some(OTHER.to_owned()),
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
        Ok(StreamEnd::Over) => Ok(0),
        Ok(StreamEnd::Killed) => Err(Signal::KILL),
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

fn not_a_number(value: &str) -> Failure {
    Failure {
        class: "java.lang.NumberFormatException",
        text: format!("For input string: \"{value}\""),
    }
}

/// A line of the server's, as `Ln.e` writes it.
fn server_error(text: &str) -> String {
    format!("[server] ERROR: {text}\n")
}

/// What a client asks for, with the server's own defaults.
#[derive(Clone, Debug, PartialEq)]
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
    frame_meta: bool,
    downsize: bool,
    max_size: u32,
    /// `min_size_alignment`.
    alignment: u32,
    bit_rate: u32,
    max_fps: Option<f32>,
    /// Pictures from one key frame to the next.
    interval: u32,
    codec: String,
    audio_codec: String,
    audio_source: String,
    display: i32,
    unknown: Vec<String>,
}

/// The value of one of `video_codec_options`: `i-frame-interval:int=2,…`.
fn codec_option(options: &str, name: &str) -> Option<u32> {
    options.split(',').find_map(|option| {
        let (key, value) = option.split_once('=')?;
        let key = key.split(':').next()?;
        (key == name).then(|| value.parse().ok()).flatten()
    })
}

/// Names that change nothing here.
const HEEDLESS: [&str; 33] = [
    "log_level",
    "video_source",
    "audio_dup",
    "audio_bit_rate",
    "angle",
    "crop",
    "show_touches",
    "stay_awake",
    "screen_off_timeout",
    "audio_codec_options",
    "video_encoder",
    "audio_encoder",
    "power_off_on_close",
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
    "keep_active",
    "flex_display",
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
            frame_meta: true,
            downsize: true,
            max_size: 0,
            alignment: 1,
            bit_rate: 8_000_000,
            max_fps: None,
            interval: INTERVAL * FRAME_RATE,
            codec: "h264".to_owned(),
            audio_codec: "opus".to_owned(),
            audio_source: "output".to_owned(),
            display: 0,
            unknown: Vec::new(),
        };
        for argument in arguments {
            let Some((key, value)) = argument.split_once('=') else {
                return Err(illegal(format!("Invalid key=value pair: \"{argument}\"")));
            };
            let on = value == "true";
            let number = || value.parse().map_err(|_| not_a_number(value));
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
                "send_frame_meta" => options.frame_meta = on,
                "raw_stream" => {
                    if on {
                        options.dummy = false;
                        options.device_meta = false;
                        options.codec_meta = false;
                        options.frame_meta = false;
                    }
                }
                "clipboard_autosync" => options.autosync = on,
                "cleanup" => options.cleanup = on,
                "power_on" => options.power_on = on,
                "max_size" => options.max_size = number()?,
                "min_size_alignment" => options.alignment = number()?,
                "video_bit_rate" => options.bit_rate = number()?,
                "max_fps" => {
                    let rate: f32 = value.parse().map_err(|_| not_a_number(value))?;
                    options.max_fps = (rate > 0.0).then_some(rate);
                }
                "video_codec" => value.clone_into(&mut options.codec),
                "audio_codec" => value.clone_into(&mut options.audio_codec),
                "audio_source" => value.clone_into(&mut options.audio_source),
                "video_codec_options" => {
                    if let Some(seconds) = codec_option(value, "i-frame-interval") {
                        options.interval = seconds.saturating_mul(FRAME_RATE).max(1);
                    }
                }
                "downsize_on_error" => options.downsize = on,
                "display_id" => options.display = value.parse().map_err(|_| not_a_number(value))?,
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

async fn serve(call: &Call, jar: &str, version: &str, arguments: &[String]) -> Result<StreamEnd, Failure> {
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
        return Ok(StreamEnd::Over);
    }
    if !options.forward {
        return Err(Failure {
            class: "java.io.IOException",
            text: "Connection refused".to_owned(),
        });
    }
    let Some(mut sockets) = accept(phone, &options).await else {
        return Ok(StreamEnd::Over);
    };
    if options.device_meta
        && let Some(first) = sockets.first()
    {
        let mut name = profile.model.clone().into_bytes();
        name.truncate(NAME - 1);
        name.resize(NAME, 0);
        // A client that hangs up is met below.
        let _ = first.write_all(&name).await;
    }
    let dialect = Dialect::of(version);
    let shared = Shared::default();
    if options.control && options.power_on && !phone.with(|android| android.power()).awake {
        phone.key(224, 0, false);
    }
    // Sound that cannot be captured ends nothing but itself; whichever else ends first takes all with it
    // (`Server.Completion`).
    let alone = !(options.video || options.control);
    let sound = async {
        let Some(socket) = sockets.audio else {
            return std::future::pending().await;
        };
        if sound::run(call, &options, dialect, socket).await == sound::SoundEnd::Disabled && !alone {
            std::future::pending::<()>().await;
        }
    };
    let video = async {
        match sockets.video {
            Some(socket) => Video::new(call, &options, dialect, &shared).run(socket).await,
            None => std::future::pending().await,
        }
    };
    let control = async {
        match sockets.control {
            Some(socket) => {
                Session::new(call.clone(), dialect, options.autosync, &shared)
                    .run(socket)
                    .await;
            }
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        end = video => Ok(end),
        () = control => Ok(StreamEnd::Over),
        () = sound => Ok(StreamEnd::Over),
    }
}

/// A client's connections.
#[derive(Debug, Default)]
struct Sockets {
    video: Option<DuplexStream>,
    audio: Option<DuplexStream>,
    control: Option<DuplexStream>,
}

impl Sockets {
    /// The one that hears the phone's name.
    fn first(&mut self) -> Option<&mut DuplexStream> {
        let Self {
            video,
            audio,
            control,
        } = self;
        video.as_mut().or(audio.as_mut()).or(control.as_mut())
    }
}

/// Takes the connections in their order, video, audio, control; the first hears the dummy byte.
async fn accept(phone: &Phone, options: &Options) -> Option<Sockets> {
    let mut listener = phone.sockets.listen(&options.socket());
    let mut sockets = Sockets::default();
    let mut dummy = options.dummy;
    for (wanted, place) in [
        (options.video, &mut sockets.video),
        (options.audio, &mut sockets.audio),
        (options.control, &mut sockets.control),
    ] {
        if !wanted {
            continue;
        }
        let mut socket = listener.accept().await?;
        if std::mem::take(&mut dummy) {
            let _ = socket.write_all(&[0]).await;
        }
        *place = Some(socket);
    }
    Some(sockets)
}

#[cfg(test)]
mod tests;

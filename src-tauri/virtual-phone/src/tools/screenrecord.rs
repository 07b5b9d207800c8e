//! `screenrecord` (`frameworks/av/cmds/screenrecord/screenrecord.cpp`), as far as it streams: `--output-format=h264`, to
//! standard output (`-`) or a file.
//!
//! By version: 1.2 up to Android 10, three minutes at most; 1.3 from 11, with `--display-id`; from 14 `--time-limit 0`
//! takes the limit away; 1.4 from 16, with `--version`. Rotation is the same from Android 5 on: the picture keeps the size
//! it began with, and the turned display stands in it between black bars, from the picture after the next one on
//! (`updateDisplayProjection` runs when a picture has been written). Windows with `FLAG_SECURE` are black: the virtual
//! display is not secure, and from Android 12 `--capture-secure` needs root.
//!
//! Absent on purpose: files of other formats (there is no muxer: said and refused), `--bugreport`'s overlay, `--rotate`,
//! the media scanner's notice.

use super::screencap::{DISPLAY, SECOND, SECOND_SIZE, has_two};
use crate::fault::Fault;
use crate::files::OpenMode;
use crate::process::{Call, Descriptor, ProgramResult, Signal};
use crate::record::Received;
use crate::video::{Fit, NoEncoder, Recording, RecordingOptions, RecordingOutput, Source};
use bytes::{Bytes, BytesMut};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

const BIT_RATES: std::ops::RangeInclusive<u32> = 100_000..=200_000_000;
const LIMIT: u32 = 180;
/// `KEY_I_FRAME_INTERVAL` of ten seconds, at a display of sixty pictures a second.
const INTERVAL: u32 = 600;
/// The encoder, its surface and the virtual display take a phone so long.
const START_MILLIS: u64 = 350;
/// `ERROR_UNSUPPORTED` of the codec: what phones say to a size or at all.
const UNSUPPORTED: i32 = -38;

/// What the options came to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Options {
    size: Option<(u32, u32)>,
    bit_rate: u32,
    /// Seconds; none: no limit.
    limit: Option<u32>,
    format: String,
    display: Option<String>,
    verbose: bool,
    file: String,
}

/// Why nothing is recorded: an exit code, and what it says on standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refused(i32, String);

fn refused<T>(text: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(2, text.into()))
}

/// What differs from one Android to the next.
#[derive(Clone, Copy, Debug)]
struct Version {
    sdk: u32,
}

impl Version {
    fn bit_rate(self) -> u32 {
        if self.sdk >= 28 { 20_000_000 } else { 4_000_000 }
    }

    fn is_unlimited(self) -> bool {
        self.sdk >= 34
    }

    fn number(self) -> &'static str {
        match self.sdk {
            36.. => "1.4",
            30.. => "1.3",
            _ => "1.2",
        }
    }

    /// Options with an argument, and without.
    fn options(self) -> (Vec<&'static str>, Vec<&'static str>) {
        let mut with = vec!["size", "bit-rate", "time-limit", "output-format", "codec-name"];
        let mut without = vec![
            "help",
            "verbose",
            "bugreport",
            "show-device-info",
            "show-frame-time",
            "rotate",
            "monotonic-time",
            "persistent-surface",
        ];
        if self.sdk >= 30 {
            with.extend(["display-id", "bframes"]);
        }
        if self.sdk >= 31 {
            without.push("capture-secure");
        }
        if self.sdk >= 36 {
            without.push("version");
        }
        (with, without)
    }

    fn usage(self) -> String {
        let limit = if self.is_unlimited() {
            "Default is 180. Set to 0\n    to remove the time limit."
        } else {
            "Default / maximum is 180."
        };
        let display = if self.sdk >= 30 {
            "--display-id ID\n    specify the physical display ID to record. Default is the primary display.\n    see \
             \"dumpsys SurfaceFlinger --display-id\" for valid display IDs.\n"
        } else {
            ""
        };
        let version = if self.sdk >= 36 {
            "--version\n    Show Android screenrecord version.\n"
        } else {
            ""
        };
        format!(
            "Usage: screenrecord [options] <filename>\n\nAndroid screenrecord v{}.  Records the device's display to a .mp4 \
             file.\n\nOptions:\n--size WIDTHxHEIGHT\n    Set the video size, e.g. \"1280x720\".  Default is the device's \
             main\n    display resolution (if supported), 1280x720 if not.  For best results,\n    use a size supported by the \
             AVC encoder.\n--bit-rate RATE\n    Set the video bit rate, in bits per second.  Value may be specified as\n    \
             bits or megabits, e.g. '4000000' is equivalent to '4M'.  Default {}Mbps.\n--bugreport\n    Add additional \
             information, such as a timestamp overlay, that is helpful\n    in videos captured to illustrate \
             bugs.\n--time-limit TIME\n    Set the maximum recording time, in seconds.  {limit}\n{display}--verbose\n    \
             Display interesting information on stdout.\n{version}--help\n    Show this message.\n\nRecording continues until \
             Ctrl-C is hit or the time limit is reached.\n\n",
            self.number(),
            self.bit_rate() / 1_000_000
        )
    }

    /// Reads the words as `getopt_long` does: options anywhere, `--name=value` or `--name value`, names cut short.
    ///
    /// # Errors
    /// With the text and the code the program ends by; 0 for what only asks.
    fn read(self, words: &[String], displays: &[&str]) -> Result<Options, Refused> {
        let (with, without) = self.options();
        let mut options = Options {
            size: None,
            bit_rate: self.bit_rate(),
            limit: Some(LIMIT),
            format: "mp4".to_owned(),
            display: None,
            verbose: false,
            file: String::new(),
        };
        let mut files = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                files.extend(words.by_ref().cloned());
                break;
            }
            let Some(option) = word.strip_prefix("--") else {
                if word.len() > 1 && word.starts_with('-') {
                    let letter: String = word.chars().skip(1).take(1).collect();
                    return refused(format!("screenrecord: unknown option -- {letter}\n"));
                }
                files.push(word.clone());
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (option, None),
            };
            let all = || with.iter().chain(&without);
            let exact = all().find(|known| **known == name);
            let mut near = all().filter(|known| known.starts_with(name));
            let name = match (exact, near.next(), near.next()) {
                (Some(name), ..) | (None, Some(name), None) => *name,
                (None, Some(_), Some(_)) => {
                    return refused(format!("screenrecord: ambiguous option -- {name}\n"));
                }
                (None, None, _) => return refused(format!("screenrecord: unknown option -- {name}\n")),
            };
            if with.contains(&name) {
                let Some(value) = value.or_else(|| words.next().cloned()) else {
                    return refused(format!("screenrecord: option requires an argument -- {name}\n"));
                };
                self.set(&mut options, name, &value, displays)?;
            } else if value.is_some() {
                return refused(format!(
                    "screenrecord: option doesn't take an argument -- {name}\n"
                ));
            } else {
                match name {
                    "help" => return Err(Refused(0, self.usage())),
                    "version" => return Err(Refused(0, format!("{}\n", self.number()))),
                    "verbose" => options.verbose = true,
                    _ => {}
                }
            }
        }
        match <[String; 1]>::try_from(files) {
            Ok([file]) => Ok(Options { file, ..options }),
            Err(_) => refused("Must specify output file (see --help).\n"),
        }
    }

    fn set(self, options: &mut Options, name: &str, value: &str, displays: &[&str]) -> Result<(), Refused> {
        match name {
            "size" => {
                let sides = value
                    .split_once('x')
                    .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
                let Some((width, height)) = sides else {
                    return refused(format!("Invalid size '{value}', must be width x height\n"));
                };
                if width == 0 || height == 0 {
                    return refused(format!(
                        "Invalid size {width}x{height}, width and height may not be zero\n"
                    ));
                }
                options.size = Some((width, height));
            }
            "bit-rate" => {
                let millions = value.strip_suffix(['m', 'M']);
                let number = millions.unwrap_or(value).parse::<u32>().ok();
                let Some(number) = number else {
                    return refused(format!("Unrecognized value: {value}\n"));
                };
                let rate = number.saturating_mul(if millions.is_some() { 1_000_000 } else { 1 });
                if !BIT_RATES.contains(&rate) {
                    return refused(format!(
                        "Bit rate {rate}bps outside acceptable range [{},{}]\n",
                        BIT_RATES.start(),
                        BIT_RATES.end()
                    ));
                }
                options.bit_rate = rate;
            }
            "time-limit" => options.limit = self.limit(value)?,
            "output-format" => {
                if !["mp4", "h264", "webm", "3gpp", "frames", "raw-frames"].contains(&value) {
                    return refused(format!("Unknown format '{value}'\n"));
                }
                value.clone_into(&mut options.format);
            }
            "display-id" => {
                if !displays.contains(&value) {
                    return refused("Invalid physical display ID\n");
                }
                options.display = Some(value.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn limit(self, value: &str) -> Result<Option<u32>, Refused> {
        let number = value.parse::<i64>();
        if !self.is_unlimited() {
            // `atoi`: what is no number is none.
            let seconds = number.unwrap_or(0);
            return match u32::try_from(seconds) {
                Ok(seconds @ 1..=LIMIT) => Ok(Some(seconds)),
                _ => refused(format!(
                    "Time limit {seconds}s outside acceptable range [1,{LIMIT}]\n"
                )),
            };
        }
        let Ok(seconds) = number else {
            return refused("Error parsing time limit argument\n");
        };
        match u32::try_from(seconds) {
            Ok(0) => Ok(None),
            Ok(seconds) => Ok(Some(seconds)),
            Err(_) => refused(format!(
                "Time limit {seconds}s outside acceptable range [0,{}] seconds\n",
                u32::MAX
            )),
        }
    }
}

/// `screenrecord [OPTION…] FILE`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let version = Version {
        sdk: call.phone.profile.sdk,
    };
    let two = has_two(&call.phone);
    let displays: &[&str] = if two { &[DISPLAY, SECOND] } else { &[DISPLAY] };
    let options = match version.read(call.arguments(), displays) {
        Ok(options) => options,
        Err(Refused(code, text)) => {
            call.err(text).await?;
            return Ok(code);
        }
    };
    if options.format == "mp4"
        && let Err(errno) = call.open(&options.file, OpenMode::WRITE)
    {
        call.err(format!("Unable to open '{}': {errno}\n", options.file))
            .await?;
        return Ok(1);
    }
    // From here on it ends by itself when asked to.
    for signal in [Signal::INT, Signal::HUP] {
        call.process.trap(signal);
    }
    record(&call, version, options).await
}

/// The pixels of a display, and what is on it.
fn display_of(call: &Call, display: Option<&str>) -> ((u32, u32), Source) {
    let phone = &call.phone;
    let folded = phone.has(Fault::Folded);
    let (size, second) = if display == Some(SECOND) {
        (SECOND_SIZE, true)
    } else {
        let display = phone.with(|android| android.display());
        ((display.width, display.height), false)
    };
    // Folded, the outer display has the windows.
    let source = if second == folded {
        Source::Windows
    } else {
        Source::Dark
    };
    (size, source)
}

async fn record(call: &Call, version: Version, options: Options) -> ProgramResult {
    call.phone.clock.work(START_MILLIS).await;
    let (display, source) = display_of(call, options.display.as_deref());
    let even = (display.0 & !1, display.1 & !1);
    let mut wanted = RecordingOptions {
        size: options.size.unwrap_or(even),
        bit_rate: options.bit_rate,
        max_fps: None,
        interval: INTERVAL,
        repeat: None,
        source,
        fit: Fit::Letterboxed,
    };
    if options.verbose {
        let (width, height) = display;
        let kind = if version.sdk >= 30 {
            "Display"
        } else {
            "Main display"
        };
        call.out(format!("{kind} is {width}x{height} @60.00fps\n"))
            .await?;
    }
    if call.phone.has(Fault::ScreenrecordFails) {
        // `UNKNOWN_ERROR` is the smallest number there is: its lowest byte, the exit code, is nought.
        call.err("ERROR: unable to create video/avc codec instance\n")
            .await?;
        return Ok(0);
    }
    let mut recording = begin(call, &wanted, options.verbose).await?;
    if recording.is_none() && options.size.is_none() {
        let (width, height) = wanted.size;
        let fallback = if width < height { (720, 1280) } else { (1280, 720) };
        if fallback.0 != width && fallback.1 != height {
            call.err(format!(
                "WARNING: failed at {width}x{height}, retrying at {}x{}\n",
                fallback.0, fallback.1
            ))
            .await?;
            wanted.size = fallback;
            recording = begin(call, &wanted, options.verbose).await?;
        }
    }
    let Some(recording) = recording else {
        return Ok(UNSUPPORTED & 0xff);
    };
    if options.format != "h264" {
        let text = format!("ERROR: no muxer for {} on this phone\n", options.format);
        call.err(text).await?;
        return Ok(1);
    }
    let output = if options.file == "-" {
        if options.verbose {
            call.err("ERROR: verbose output and '-' not compatible").await?;
            return Ok(255);
        }
        call.descriptors.get(1)
    } else {
        match call.open(&options.file, OpenMode::WRITE) {
            Ok(file) => Some(file),
            Err(errno) => {
                call.err(format!("fopen raw failed: {errno}\n")).await?;
                return Ok(255);
            }
        }
    };
    call.phone.record(Received::Capture);
    run(call, recording, output, &options).await
}

/// Configures the encoder, or says why not.
async fn begin(call: &Call, wanted: &RecordingOptions, verbose: bool) -> Result<Option<Recording>, Signal> {
    let (width, height) = wanted.size;
    if verbose {
        let rate = f64::from(wanted.bit_rate) / 1_000_000.0;
        call.out(format!(
            "Configuring recorder for {width}x{height} video/avc at {rate:.2}Mbps\n"
        ))
        .await?;
    }
    match Recording::start(&call.phone, *wanted) {
        Ok(recording) => Ok(Some(recording)),
        Err(why) => {
            tracing::debug!("screenrecord: {why}");
            call.err(format!(
                "ERROR: unable to configure video/avc codec at {width}x{height} (err={UNSUPPORTED})\n"
            ))
            .await?;
            Ok(None)
        }
    }
}

/// Writes what the encoder gives, until the limit, a signal, or nobody reads.
async fn run(
    call: &Call,
    mut recording: Recording,
    output: Option<Arc<Descriptor>>,
    options: &Options,
) -> ProgramResult {
    let begun = Instant::now();
    let end = options
        .limit
        .map(|seconds| begun + Duration::from_secs(u64::from(seconds)));
    let mut count = 0_u32;
    let failed = {
        let streaming = stream(&mut recording, output, &mut count);
        tokio::pin!(streaming);
        tokio::select! {
            biased;
            () = call.process.trapped() => None,
            () = sleep_until(end.unwrap_or(begun)), if end.is_some() => {
                if options.verbose {
                    call.out("Time limit reached\n").await?;
                }
                None
            }
            failed = &mut streaming => failed,
        }
    };
    if let Some(why) = failed {
        tracing::warn!("screenrecord: {why}");
        call.err(format!("Encoder failed (err={UNSUPPORTED})\n")).await?;
        return Ok(UNSUPPORTED & 0xff);
    }
    if options.verbose {
        let seconds = begun.elapsed().as_secs();
        call.out(format!(
            "Encoder stopping; recorded {count} frames in {seconds} seconds\nStopping encoder and muxer\n"
        ))
        .await?;
    }
    Ok(0)
}

/// Streams until nobody reads (none), or the encoder fails.
async fn stream(
    recording: &mut Recording,
    output: Option<Arc<Descriptor>>,
    count: &mut u32,
) -> Option<NoEncoder> {
    // The sets are written together with the first picture: the stream is flushed after pictures only.
    let mut sets = BytesMut::new();
    loop {
        let bytes = match recording.next().await {
            Ok(RecordingOutput::Config(config)) => {
                sets.extend_from_slice(&config);
                continue;
            }
            Ok(RecordingOutput::Picture(picture)) if sets.is_empty() => picture.bytes,
            Ok(RecordingOutput::Picture(picture)) => {
                sets.extend_from_slice(&picture.bytes);
                sets.split().freeze()
            }
            Ok(RecordingOutput::Turned) => Bytes::new(),
            Err(why) => return Some(why),
        };
        *count += 1;
        if let Some(output) = &output
            && output.write(bytes).await.is_err()
        {
            return None;
        }
    }
}

#[cfg(test)]
mod tests;

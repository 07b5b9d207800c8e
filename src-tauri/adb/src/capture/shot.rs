//! One capture: by the highest mode that works, read, compared with the one before, and judged.

use crate::capture::decode;
use crate::connect::server::Device;
use crate::connect::shell::Output;
use crate::dumpsys::{front, windows};
use crate::error::AdbError;
use crate::exec::nonce::nonce;
use crate::files::Files;
use protocol::{CaptureResult, Frame};
use screen::picture::{Darkness, darkness};
use std::time::Duration;

/// A raw capture of a slow phone takes 1.1 s, a PNG 2.6 s.
const RAW: Duration = Duration::from_secs(6);
const ENCODED: Duration = Duration::from_secs(10);
const DUMP: Duration = Duration::from_secs(4);
/// After so many captures by a lower mode the first is tried again.
const RETRY_RAW: u64 = 40;

/// Which way a picture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreencapMode {
    /// `screencap`: raw pixels through the stream.
    Raw,
    /// `screencap -p` through the stream.
    Png,
    /// `screencap -p` into a file, carried here by the sync service.
    File,
}

/// A picture, and what was seen of it at once.
pub(crate) struct CapturedPicture {
    /// Shares its pixels with the one before when they are the same.
    pub(crate) frame: Frame,
    pub(crate) changed: bool,
    pub(crate) darkness: Darkness,
    /// The phone said that it has several displays and was not told which.
    pub(crate) several: bool,
}

/// Takes one picture by the highest mode that works.
pub(crate) async fn take(
    device: &Device,
    turn: &mut (ScreencapMode, u64),
    before: Option<Frame>,
    panel: Option<u64>,
) -> Result<CapturedPicture, AdbError> {
    if turn.0 != ScreencapMode::Raw && turn.1 >= RETRY_RAW {
        *turn = (ScreencapMode::Raw, 0);
    }
    let mut why = None;
    let first = turn.0;
    for mode in [ScreencapMode::Raw, ScreencapMode::Png, ScreencapMode::File] {
        if (mode as u8) < (first as u8) {
            continue;
        }
        match by(device, mode, before.clone(), panel).await {
            Ok(taken) => {
                *turn = if mode == first {
                    (mode, turn.1 + 1)
                } else {
                    (mode, 0)
                };
                return Ok(taken);
            }
            Err(error) if error.is_unreachable() => return Err(error),
            Err(error) => {
                tracing::debug!(?mode, %error, "this way gave no picture");
                if let AdbError::Slow(_) = error {
                    // Over a slow way the packed picture may come in time where the raw one does not; a phone that
                    // gives neither is not asked a third time.
                    *turn = (ScreencapMode::Png, 0);
                    if mode != ScreencapMode::Raw {
                        return Err(error);
                    }
                }
                why = why.or(Some(error));
            }
        }
    }
    *turn = (ScreencapMode::Raw, 0);
    Err(why.unwrap_or_else(|| AdbError::Picture("no way to take one".to_owned())))
}

async fn by(
    device: &Device,
    mode: ScreencapMode,
    before: Option<Frame>,
    panel: Option<u64>,
) -> Result<CapturedPicture, AdbError> {
    let shown = panel.map_or_else(String::new, |panel| format!(" -d {panel}"));
    match mode {
        ScreencapMode::Raw => {
            let output = device.look_at_bytes(&format!("screencap{shown}"), RAW).await?;
            succeeded(&output)?;
            develop(output, decode::read_raw, before).await
        }
        ScreencapMode::Png => {
            let output = device
                .look_at_bytes(&format!("screencap -p{shown}"), ENCODED)
                .await?;
            succeeded(&output)?;
            develop(output, decode::read_png, before).await
        }
        ScreencapMode::File => {
            let file = format!("/data/local/tmp/pocketdeck-{}.png", nonce());
            let files = Files::new(device);
            files.can()?;
            let written = device
                .look(&format!("umask 077; screencap -p{shown} {file}"), ENCODED)
                .await;
            let pulled = match written {
                Ok(_) => files.pull(&file).await,
                Err(error) => Err(error),
            };
            let _ = device.look(&format!("rm -f {file}"), DUMP).await;
            let output = Output {
                stdout: pulled?,
                ..Output::default()
            };
            develop(output, decode::read_png, before).await
        }
    }
}

/// Reads, compares and measures ten megabytes: not work for the threads that everything else waits on.
async fn develop(
    output: Output,
    read: fn(&[u8]) -> Result<Frame, AdbError>,
    before: Option<Frame>,
) -> Result<CapturedPicture, AdbError> {
    let work = move || {
        let frame = read(&output.stdout).map_err(|error| with_words(error, &output.error_text()))?;
        let darkness = darkness(&frame);
        let several = decode::tells_of_several(&output);
        Ok(match before {
            Some(before) if before == frame => CapturedPicture {
                frame: before,
                changed: false,
                darkness,
                several,
            },
            _ => CapturedPicture {
                frame,
                changed: true,
                darkness,
                several,
            },
        })
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(taken) => taken,
        Err(error) => Err(AdbError::Internal(error.to_string())),
    }
}

/// A `screencap` that failed, or was killed, printed no picture, whatever it printed.
fn succeeded(output: &Output) -> Result<(), AdbError> {
    if output.failed() {
        return Err(AdbError::Picture(crate::error::clip(output.all().trim())));
    }
    Ok(())
}

fn with_words(error: AdbError, stderr: &str) -> AdbError {
    match error {
        AdbError::Picture(why) if !stderr.trim().is_empty() => {
            AdbError::Picture(format!("{why}; {}", crate::error::clip(stderr.trim())))
        }
        error => error,
    }
}

/// *Black* and *protected* are two things: a window that forbids pictures comes out as pure black.
pub(crate) async fn judge(device: &Device, darkness: Darkness) -> CaptureResult {
    if !darkness.is_suspicious() {
        return CaptureResult::Ok;
    }
    match is_secure(device).await {
        Some(true) => CaptureResult::Protected,
        _ if darkness.is_black() => CaptureResult::Black,
        _ => CaptureResult::Ok,
    }
}

/// Whether the window with the focus forbids pictures of itself.
pub(crate) async fn is_secure(device: &Device) -> Option<bool> {
    let text = device
        .look("dumpsys window displays; dumpsys window windows", DUMP)
        .await
        .ok()?
        .text();
    let focus = front::read_windows(&text).focus?;
    windows::read(&text, &focus).map(|owner| owner.secure)
}

//! `screencap` (`frameworks/base/cmds/screencap/screencap.cpp`).

use crate::android::Picture;
use crate::fault::Fault;
use crate::files::OpenMode;
use crate::phone::Phone;
use crate::process::{Call, ProgramResult};
use crate::record::Received;
use bytes::{BufMut, Bytes, BytesMut};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use std::sync::Arc;

/// `HAL_PIXEL_FORMAT_RGBA_8888` and `COLORSPACE_SRGB`.
const RGBA_8888: u32 = 1;
const SRGB: u32 = 1;
/// The built-in display's number, as `dumpsys SurfaceFlinger --display-id` tells it.
pub(super) const DISPLAY: &str = "4619827259835644672";
/// The second one's (a cover screen): number, and pixels. Invented.
pub(super) const SECOND: &str = "4619827551948147201";
pub(super) const SECOND_SIZE: (u32, u32) = (904, 2316);
/// Of sample cap_01.
const WARNING: &str = "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first \
     display found, however this default is not guaranteed to be consistent across captures. A display id should be \
     specified.\nSee \"dumpsys SurfaceFlinger --display-id\" for valid display IDs.\n";
/// Android 13: older ones take the first display without a word.
const WARNS: u32 = 33;
pub(super) const USAGE: &str = "\nusage: screencap [-ahp] [-d display-id] [FILENAME]\n   -h: this message\n   -a: captures all the \
     active displays. This appends an integer postfix to the FILENAME.\n       e.g., FILENAME_0.png, FILENAME_1.png. If \
     both -a and -d are given, it ignores -d.\n   -d: specify the display ID to capture (If the id is not given, it \
     defaults to 4619827259835644672)\n       see \"dumpsys SurfaceFlinger --display-id\" for valid display IDs.\n   -p: \
     outputs in png format.\n\nIf FILENAME ends with .png it will be saved as a png.\nIf FILENAME is not given, the \
     results will be printed to stdout.\n";

/// What a capture gets.
pub(crate) fn picture(phone: &Phone) -> Picture {
    let picture = phone.with(|android| android.picture());
    if phone.has(Fault::BlackCapture) {
        black(picture.width, picture.height, picture.secure)
    } else if phone.has(Fault::Secure) {
        black(picture.width, picture.height, true)
    } else {
        picture
    }
}

fn black(width: u32, height: u32, secure: bool) -> Picture {
    let pixels = (width as usize).saturating_mul(height as usize);
    Picture {
        width,
        height,
        rgba: Arc::from([0, 0, 0, 255].repeat(pixels)),
        secure,
    }
}

/// What a capture of one of two displays gets: a display that is off is black, and so is a cover screen here.
fn picture_of(phone: &Phone, display: Option<&str>) -> Picture {
    let second = display == Some(SECOND);
    if phone.has(Fault::Folded) {
        // The screen is on the outer display; the inner one is the first, and off.
        let picture = picture(phone);
        return if second {
            picture
        } else {
            black(picture.width, picture.height, false)
        };
    }
    if second {
        black(SECOND_SIZE.0, SECOND_SIZE.1, false)
    } else {
        picture(phone)
    }
}

/// Whether the phone has two displays.
pub(super) fn has_two(phone: &Phone) -> bool {
    [Fault::CaptureWarning, Fault::SecondDisplay, Fault::Folded]
        .into_iter()
        .any(|fault| phone.has(fault))
}

/// `screencap [-ahp] [-d DISPLAY] [FILE]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let (mut png, mut display, mut file) = (false, None, None);
    let mut words = call.arguments().iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-p" | "--png" => png = true,
            "-a" => {}
            "-d" => display = words.next().cloned(),
            word if word.starts_with("-d") => display = word.get(2..).map(str::to_owned),
            word if word.starts_with('-') => {
                call.err(USAGE).await?;
                return Ok(1);
            }
            word if file.is_none() => file = Some(word.to_owned()),
            _ => {
                call.err(USAGE).await?;
                return Ok(1);
            }
        }
    }
    if let Some(display) = &display {
        if display.parse::<u64>().is_err() {
            call.err("Invalid display ID: Out of range [0, 2^64).\n").await?;
            return Ok(1);
        }
        if display != DISPLAY && !(display == SECOND && has_two(&call.phone)) {
            call.err(format!("Display Id '{display}' is not valid.\n{USAGE}"))
                .await?;
            return Ok(1);
        }
    }
    png = png || file.as_ref().is_some_and(|file| file.ends_with(".png"));
    let times = call.phone.clock.times();
    let takes = if png { times.png } else { times.capture };
    call.phone.clock.work(takes).await;
    call.phone.record(Received::Capture);
    if call.phone.has(Fault::CaptureFails) {
        // `NO_MEMORY`, as a compositor without buffers has it.
        call.err("Failed to take screenshot. Status: -12\n").await?;
        return Ok(1);
    }
    let picture = picture_of(&call.phone, display.as_deref());
    let bytes = if png {
        match tokio::task::spawn_blocking(move || packed(&picture)).await {
            Ok(Some(bytes)) => bytes,
            _ => {
                call.err("Failed to compress (error code: -3)\n").await?;
                return Ok(1);
            }
        }
    } else {
        raw(&picture, call.phone.profile.sdk)
    };
    if call.phone.has(Fault::CaptureWarning) && display.is_none() {
        // To standard error by its source; where the two are one stream (`exec:`, some builds) it stands before the
        // picture, and that is what this fault is for.
        call.out(WARNING).await?;
    } else if has_two(&call.phone) && display.is_none() && call.phone.profile.sdk >= WARNS {
        call.err(WARNING).await?;
    }
    let Some(file) = file else {
        return send(&call, bytes).await;
    };
    match call.open(&file, OpenMode::WRITE) {
        Ok(output) => {
            if call.phone.has(Fault::HalfCapture) {
                let half = bytes.slice(..bytes.len() / 2);
                let _ = output.write(half).await;
                call.phone.link.reset();
                return Ok(137);
            }
            match output.write(bytes).await {
                Ok(()) => Ok(0),
                Err(_) => {
                    call.err("Saving image failed.\n").await?;
                    Ok(1)
                }
            }
        }
        Err(errno) => {
            call.err(format!(
                "Error opening file: {file} ({errno})\nSaving image failed.\n"
            ))
            .await?;
            Ok(1)
        }
    }
}

/// Sends a picture to standard output; a daemon that dies in the middle sends a part.
async fn send(call: &Call, bytes: Bytes) -> ProgramResult {
    /// So much later than the last byte that came through the daemon is gone.
    const DYING_MILLIS: u64 = 60;
    if !call.phone.has(Fault::HalfCapture) {
        call.out(bytes).await?;
        return Ok(0);
    }
    call.out(bytes.slice(..bytes.len() * 2 / 5)).await?;
    call.phone.clock.work(DYING_MILLIS).await;
    // What was on its way is given the chance to leave.
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    call.phone.link.reset();
    Ok(137)
}

/// Width, height, format, colour space (none before Android 9), pixels.
fn raw(picture: &Picture, sdk: u32) -> Bytes {
    let mut bytes = BytesMut::with_capacity(picture.rgba.len() + 16);
    bytes.put_u32_le(picture.width);
    bytes.put_u32_le(picture.height);
    bytes.put_u32_le(RGBA_8888);
    if sdk >= 28 {
        bytes.put_u32_le(SRGB);
    }
    bytes.put_slice(&picture.rgba);
    bytes.freeze()
}

fn packed(picture: &Picture) -> Option<Bytes> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Sub)
        .write_image(
            &picture.rgba,
            picture.width,
            picture.height,
            ExtendedColorType::Rgba8,
        )
        .ok()?;
    Some(Bytes::from(bytes))
}

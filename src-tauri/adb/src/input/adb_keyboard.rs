//! ADBKeyboard, where the person installed it: a keyboard app that types what a broadcast brings it.
//!
//! It is enabled, chosen, and after the text the keyboard from before is chosen again, also when the lease went
//! meanwhile, and by the phone itself where this program is gone by then. It is never installed by this program (its licence is its own), and never used for secrets.

use crate::connect::server::Device;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::quote::quote;
use crate::exec::remote_command::brief;
use crate::input::field::{self, Arrival, FieldReader};
use crate::input::guarded::Guarded;
use crate::input::injector::Injector;
use crate::input::keys::send;
use crate::input::text_chunking::{Piece, joined};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const PACKAGE: &str = "com.android.adbkeyboard";
const ID: &str = "com.android.adbkeyboard/.AdbIME";
/// How long it may take to come up.
const COMES_UP: Duration = Duration::from_secs(3);
const AGAIN: Duration = Duration::from_millis(150);
const MOMENT: Duration = Duration::from_secs(5);

/// Whether a keyboard is this one.
pub(crate) fn is_ours(keyboard: &str) -> bool {
    keyboard == ID
}

/// Whether the phone has it.
///
/// # Errors
/// When it cannot be asked.
pub(crate) async fn is_installed(device: &Device) -> Result<bool, AdbError> {
    let installed = device.look("ime list -a -s", MOMENT).await?.text();
    Ok(installed.lines().any(|line| line.trim() == ID))
}

/// Types the pieces through it, and tells whether they stand in the field.
///
/// # Errors
/// [`AdbError::CannotType`] when it is not installed; else what went wrong. The keyboard from before is back.
pub(crate) async fn types(
    input: &Injector,
    field: &FieldReader,
    guard: &CancelGuard,
    pieces: &[Piece],
) -> Result<Arrival, AdbError> {
    let device = &input.device;
    if !is_installed(device).await? {
        return Err(AdbError::CannotType);
    }
    let shown = field.read(guard).await;
    let enabled = device.look("ime list -s", MOMENT).await?.text();
    let was_enabled = enabled.lines().any(|line| line.trim() == ID);
    let before = default_keyboard(device).await?;
    // Held until the old keyboard is back: the lease does not drain in between.
    let whole = guard.pass()?;
    let mut promise = promise(device, &before, was_enabled).await;
    let typed = through(input, guard, pieces).await;
    let restored = restore(device, &before, was_enabled).await;
    if let Some(promise) = promise.as_mut().filter(|_| restored.is_ok()) {
        promise.forget(MOMENT).await;
    }
    drop(whole);
    typed?;
    restored?;
    let after = field.read(guard).await;
    Ok(field::compare(shown.as_ref(), after.as_ref(), &joined(pieces)))
}

async fn through(input: &Injector, guard: &CancelGuard, pieces: &[Piece]) -> Result<(), AdbError> {
    let device = &input.device;
    brief(device, guard, &format!("ime enable {ID}")).await?;
    // A keyboard that was installed just now cannot be set before the system lists it.
    if !is_listed(device).await? {
        return Err(AdbError::Refused("ADBKeyboard could not be enabled".to_owned()));
    }
    brief(device, guard, &format!("ime set {ID}")).await?;
    if !comes_up(device).await? {
        return Err(AdbError::Refused("ADBKeyboard could not be chosen".to_owned()));
    }
    for piece in pieces {
        let Piece::Characters(characters) = piece else {
            send(input, guard, piece).await?;
            continue;
        };
        let packed = STANDARD.encode(characters.as_bytes());
        let line = format!("am broadcast -a ADB_INPUT_B64 -p {PACKAGE} --es msg {packed}");
        let output = brief(device, guard, &line).await?;
        let said = output.all();
        if output.failed() || said.contains("Exception") || said.contains("Error") {
            return Err(AdbError::Refused("ADBKeyboard did not take the text".to_owned()));
        }
    }
    Ok(())
}

/// Waits until it is among the enabled ones.
async fn is_listed(device: &Device) -> Result<bool, AdbError> {
    let until = Instant::now() + COMES_UP;
    loop {
        let enabled = device.look("ime list -s", MOMENT).await?.text();
        if enabled.lines().any(|line| line.trim() == ID) {
            return Ok(true);
        }
        if Instant::now() >= until {
            return Ok(false);
        }
        sleep(AGAIN).await;
    }
}

/// Waits until it is the keyboard in use and shown: before, broadcasts go nowhere.
async fn comes_up(device: &Device) -> Result<bool, AdbError> {
    let until = Instant::now() + COMES_UP;
    loop {
        let state = device.look("dumpsys input_method", MOMENT).await?.text();
        let bound = state.contains(&format!("mCurMethodId={ID}")) || state.contains(&format!("mCurId={ID}"));
        if bound && crate::dumpsys::screen::keyboard(&state) == Some(true) {
            return Ok(true);
        }
        if Instant::now() >= until {
            // Some phones print neither; that it is chosen must do.
            return Ok(default_keyboard(device).await?.as_deref() == Some(ID));
        }
        sleep(AGAIN).await;
    }
}

async fn default_keyboard(device: &Device) -> Result<Option<String>, AdbError> {
    let said = device
        .look("settings get secure default_input_method", MOMENT)
        .await?;
    let id = said.answer();
    Ok((id.contains('/') && !id.contains(char::is_whitespace)).then_some(id))
}

/// The phone puts them back by itself when this program is gone. Nothing where it cannot, or there is nothing to put back.
async fn promise(device: &Device, before: &Option<String>, was_enabled: bool) -> Option<Guarded> {
    let before = before.as_deref().filter(|id| *id != ID)?;
    let disable = if was_enabled {
        String::new()
    } else {
        format!("; ime disable {ID}")
    };
    let end = format!("ime set {}{disable}", quote(before).ok()?);
    let promise = Guarded::promise(device, &end, MOMENT).await;
    promise
        .inspect_err(|error| tracing::debug!(%error, "the phone would not put its keyboard back by itself"))
        .ok()
}

/// Puts things back as they were, however the lease stands: this ends what was begun.
async fn restore(device: &Device, before: &Option<String>, was_enabled: bool) -> Result<(), AdbError> {
    let before = before.as_deref().filter(|id| *id != ID);
    if let Some(id) = before {
        device.look(&format!("ime set {}", quote(id)?), MOMENT).await?;
    }
    if !was_enabled {
        device.look(&format!("ime disable {ID}"), MOMENT).await?;
    }
    match (before, default_keyboard(device).await?) {
        (Some(id), now) if now.as_deref() != Some(id) => Err(AdbError::Refused(
            "the keyboard from before could not be chosen again".to_owned(),
        )),
        _ => Ok(()),
    }
}

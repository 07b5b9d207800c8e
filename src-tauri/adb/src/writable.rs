//! Whether a text can be typed on a phone now, before anything is done to the field it is for; and a field's text exchanged
//! so that a text that cannot be typed takes nothing away.

use crate::cancel_guard::{self, CancelGuard};
use crate::device_control::DeviceControl;
use crate::error::AdbError;
use crate::field;
use crate::phone::AdbPhone;
use crate::{adb_keyboard, typing};
use agent::lease::Grip;
use agent::ports::{Effect, PhoneError};

/// What would type a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typist {
    /// `input text`: the phone's own key map has every letter.
    KeyMap,
    /// scrcpy's clipboard message and the paste key.
    Clipboard,
    /// ADBKeyboard, which the person installed.
    AdbKeyboard,
    /// The key map, where it has these Latin letters: only trying tells.
    Perhaps,
}

/// What would type this text now. Nothing is typed, and no field is touched.
///
/// # Errors
/// [`AdbError::CannotType`] when nothing here would; [`AdbError::LeaseLost`]; else why the phone could not be asked.
pub(crate) async fn check(
    control: &DeviceControl,
    guard: &CancelGuard,
    text: &str,
) -> Result<Typist, AdbError> {
    // No key types the other control characters, whoever presses it.
    typing::pieces(text)?;
    if text.is_ascii() {
        return Ok(Typist::KeyMap);
    }
    match control.scrcpy.open(&control.device, guard).await {
        Ok(Some(_)) => return Ok(Typist::Clipboard),
        Ok(None)
        | Err(AdbError::NotSupported(_) | AdbError::Refused(_) | AdbError::Slow(_) | AdbError::Cut(_)) => {}
        Err(error) => return Err(error),
    }
    if adb_keyboard::is_installed(control).await? {
        return Ok(Typist::AdbKeyboard);
    }
    if typing::is_beyond(text) {
        return Err(AdbError::CannotType);
    }
    Ok(Typist::Perhaps)
}

/// `KEYCODE_MOVE_END`.
const MOVE_END: u16 = 123;

/// Puts a text in place of what stands in the field that has the focus. Whether it can be typed is asked first; then what
/// is there is selected and typed over, so that nothing goes before something comes. A phone that cannot select (Android 11
/// and older) has its field emptied first, and what stood there put back where the text did not come, or came in part.
///
/// # Errors
/// [`AdbError::CannotType`] with the field as it was; as [`typing::text`].
pub(crate) async fn replace(
    control: &DeviceControl,
    guard: &CancelGuard,
    wanted: &str,
) -> Result<Effect, AdbError> {
    check(control, guard, wanted).await?;
    if wanted.is_empty() {
        return typing::clear(control, guard).await;
    }
    match typing::select_all(control, guard).await {
        Ok(()) => {
            let typed = typing::text(control, guard, wanted).await;
            if matches!(typed, Err(AdbError::CannotType)) {
                // Nothing was typed. What is still selected would be typed over by whatever comes next.
                control.input(guard, &format!("keyevent {MOVE_END}")).await?;
            }
            return typed;
        }
        Err(AdbError::NotSupported(_)) => {}
        Err(error) => return Err(error),
    }
    let before = field::read(control, guard).await;
    typing::delete_by_keys(control, guard, before.as_ref()).await?;
    // An empty field shows its hint: what it shows when it is empty was never written in it.
    let empty = field::read(control, guard).await;
    let typed = typing::text(control, guard, wanted).await;
    let lost = before.filter(|before| !before.password && Some(before) != empty.as_ref());
    if let (Err(error), Some(before)) = (&typed, lost)
        && may_put_back(error)
    {
        put_back(control, guard, &before, *error != AdbError::CannotType).await?;
    }
    typed
}

/// Whether the phone can still be written on, by whoever holds it now.
fn may_put_back(error: &AdbError) -> bool {
    !error.is_unreachable() && !matches!(error, AdbError::LeaseLost | AdbError::MaybeRunning(_))
}

/// Writes what stood in the field again, where a text did not come or came in part.
async fn put_back(
    control: &DeviceControl,
    guard: &CancelGuard,
    before: &field::Field,
    in_part: bool,
) -> Result<(), AdbError> {
    if in_part {
        let held = field::read(control, guard).await;
        typing::delete_by_keys(control, guard, held.as_ref()).await?;
    }
    typing::text(control, guard, &before.text).await.map(|_| ())
}

impl AdbPhone {
    /// What would type this text on it now. Nothing is typed.
    ///
    /// # Errors
    /// [`PhoneError::CannotType`] when nothing here would; else as [`agent::ports::Phone::perform`].
    pub async fn typist(&self, text: &str, grip: &Grip) -> Result<Typist, PhoneError> {
        let (control, text) = (self.control(), text.to_owned());
        let asking = cancel_guard::held(
            grip,
            move |guard| async move { check(&control, &guard, &text).await },
        );
        Ok(asking.await?)
    }
}

//! Whether a text can be typed on a phone now, before anything is done to the field it is for; and a field's text exchanged
//! so that a text that cannot be typed takes nothing away.

use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::input::text_chunking::{is_beyond, pieces};
use crate::input::typing::TextInput;
use crate::input::{adb_keyboard, keys, typing};
use agent::ports::Effect;

/// What would type a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typist {
    /// `input text`: the phone's own key map has every letter.
    KeyMap,
    /// scrcpy's clipboard message and the paste key.
    Clipboard,
    /// ADBKeyboard, which the person installed.
    AdbKeyboard,
    /// The reader that stays on the phone, where the field takes what it brings: only trying tells.
    Reader,
    /// The key map, where it has these Latin letters: only trying tells.
    Perhaps,
}

/// What would type this text now. Nothing is typed, and no field is touched.
///
/// # Errors
/// [`AdbError::CannotType`] when nothing here would; [`AdbError::LeaseLost`]; else why the phone could not be asked.
pub(crate) async fn check(to: &TextInput, guard: &CancelGuard, text: &str) -> Result<Typist, AdbError> {
    // No key types the other control characters, whoever presses it.
    pieces(text)?;
    if text.is_ascii() {
        return Ok(Typist::KeyMap);
    }
    match to.scrcpy.open(to.device(), guard).await {
        Ok(Some(_)) => return Ok(Typist::Clipboard),
        Ok(None)
        | Err(AdbError::NotSupported(_) | AdbError::Refused(_) | AdbError::Slow(_) | AdbError::Cut(_)) => {}
        Err(error) => return Err(error),
    }
    if adb_keyboard::is_installed(to.device()).await? {
        return Ok(Typist::AdbKeyboard);
    }
    if !is_beyond(text) {
        return Ok(Typist::Perhaps);
    }
    let asking = async { Ok(to.field.tree.resident().await.is_ready(to.device()).await) };
    if guard.unless_lost(asking).await? {
        return Ok(Typist::Reader);
    }
    Err(AdbError::CannotType)
}

/// Puts a text in place of what stands in the field that has the focus. Whether it can be typed is asked first; then what
/// is there is selected and typed over, so that nothing goes before something comes. A phone that cannot select (Android 11
/// and older) has its field emptied first, and what stood there put back where the text could not be typed after all.
///
/// # Errors
/// [`AdbError::CannotType`] with the field as it was; as [`typing::text`].
pub(crate) async fn replace(to: &TextInput, guard: &CancelGuard, wanted: &str) -> Result<Effect, AdbError> {
    check(to, guard, wanted).await?;
    if wanted.is_empty() {
        return keys::clear(&to.input, guard).await;
    }
    match keys::select_all(&to.input, guard).await {
        Ok(()) => {
            let typed = typing::text(to, guard, wanted).await;
            if matches!(typed, Err(AdbError::CannotType)) {
                // Nothing was typed. What is still selected would be typed over by whatever comes next.
                to.input
                    .input(guard, &format!("keyevent {}", keys::MOVE_END))
                    .await?;
            }
            return typed;
        }
        Err(AdbError::NotSupported(_)) => {}
        Err(error) => return Err(error),
    }
    let before = to.field.read(guard).await;
    keys::clear(&to.input, guard).await?;
    let typed = typing::text(to, guard, wanted).await;
    if matches!(typed, Err(AdbError::CannotType)) {
        // An empty field shows its hint: what it shows when it is empty was never written in it.
        let empty = to.field.read(guard).await;
        let lost = before.filter(|before| !before.password && Some(before) != empty.as_ref());
        if let Some(before) = lost {
            typing::text(to, guard, &before.text).await?;
        }
    }
    typed
}

//! Whether a text can be typed on a phone now, before anything is done to the field it is for; and a field's text exchanged
//! so that a text that cannot be typed takes nothing away.

use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::input::field::Field;
use crate::input::text_chunking::{is_beyond, pieces};
use crate::input::text_input::TextInput;
use crate::input::{keys, typing};
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
    if to.keyboard.is_installed(to.device()).await? {
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
/// and older) has its field emptied first, and what stood there put back where the text did not come, or came in part.
///
/// # Errors
/// [`AdbError::CannotType`] with the field as it was; as [`typing::text`].
pub(crate) async fn replace(to: &TextInput, guard: &CancelGuard, wanted: &str) -> Result<Effect, AdbError> {
    let typist = check(to, guard, wanted).await?;
    if wanted.is_empty() {
        return clear(to, guard).await;
    }
    // Of letters that only trying tells, some may come before the one that does not.
    let mut before = match typist {
        Typist::Perhaps => to.field.before(guard).await,
        _ => None,
    };
    let mut emptied = None;
    match keys::select_all(&to.input, guard).await {
        Ok(()) => {}
        Err(AdbError::NotSupported(_)) => {
            if before.is_none() {
                before = to.field.before(guard).await;
            }
            delete(to, guard, before.as_ref()).await?;
            emptied = Some(to.written());
        }
        Err(error) => return Err(error),
    }
    let typed = typing::text(emptied.as_ref().unwrap_or(to), guard, wanted).await;
    if let Err(error) = &typed {
        match before.filter(|before| !before.password) {
            Some(before) if may_put_back(error) => put_back(to, guard, &before).await?,
            _ if *error == AdbError::CannotType => unselect(to, guard).await?,
            _ => {}
        }
    }
    typed
}

/// Has the field hold again what it held before a text that did not come, or came in part.
async fn put_back(to: &TextInput, guard: &CancelGuard, before: &Field) -> Result<(), AdbError> {
    if to.field.read(guard).await.as_ref() == Some(before) {
        return unselect(to, guard).await;
    }
    clear(to, guard).await?;
    // An empty field shows its hint: what it shows when it is empty was never written in it.
    if to.field.read(guard).await.as_ref() != Some(before) {
        typing::text(&to.written(), guard, &before.text).await?;
    }
    Ok(())
}

/// What is still selected would be typed over by whatever comes next.
async fn unselect(to: &TextInput, guard: &CancelGuard) -> Result<(), AdbError> {
    let end = format!("keyevent {}", keys::MOVE_END);
    to.input.input(guard, &end).await
}

/// Empties the field that has the focus: everything is selected and deleted; where `input` cannot hold two keys, key by key,
/// as many as the field is read to hold.
///
/// # Errors
/// As [`typing::text`].
pub(crate) async fn clear(to: &TextInput, guard: &CancelGuard) -> Result<Effect, AdbError> {
    match keys::select_and_delete(&to.input, guard).await {
        Err(AdbError::NotSupported(_)) => {
            let held = to.field.read(guard).await;
            delete(to, guard, held.as_ref()).await
        }
        done => done,
    }
}

async fn delete(to: &TextInput, guard: &CancelGuard, held: Option<&Field>) -> Result<Effect, AdbError> {
    let letters = held.map_or(0, |field| field.text.chars().count());
    keys::delete_by_keys(&to.input, guard, letters).await
}

/// Whether the phone can still be written on, by whoever holds it now.
fn may_put_back(error: &AdbError) -> bool {
    !error.is_unreachable() && !matches!(error, AdbError::LeaseLost | AdbError::MaybeRunning(_))
}

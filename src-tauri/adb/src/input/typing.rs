//! Text and keys.
//!
//! `input text` types what the phone's key map has. In it `%s` stands for a space and nothing stands for a literal
//! `%s`, so such a pair is sent in two pieces. It goes in chunks, each under the guard and within a time of its own, the
//! shorter the slower the phone types ([`ChunkSize`]); a newline is the Enter key. A
//! phone types a chunk whole or, where its key map lacks one of the letters, not at all; so that it is the same for a
//! text of several chunks, letters that no key map has are looked for before the first is sent. What the key map lacks goes
//! by the reader that stays ([`crate::input::reader_text`]), by scrcpy's clipboard ([`crate::input::paste`]), else by ADBKeyboard ([`crate::input::adb_keyboard`]).

use crate::dumpsys::screen::KeyReceiver;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::input::field::{self, Arrival};
use crate::input::injector::Injector;
use crate::input::keys::send;
use crate::input::paste;
use crate::input::reader_text;
use crate::input::text_chunking::{ChunkSize, Piece, is_beyond, joined, pieces};
use crate::input::text_input::TextInput;
use crate::scrcpy::META_NONE;
use agent::ports::Effect;
use protocol::ActMethod;
use secrecy::{ExposeSecret, SecretString};
use std::collections::VecDeque;
use tokio::time::Instant;

/// A text of more characters is looked for where it should have arrived.
const LONG: usize = 200;

/// Types a text into the field that has the focus: by the key map what it has; what it lacks by the reader that stays, by
/// scrcpy's clipboard and the paste key where that cannot, by an installed ADBKeyboard where there is no scrcpy.
///
/// # Errors
/// [`AdbError::CannotType`] when no way is left; else how it went.
pub(crate) async fn text(to: &TextInput, guard: &CancelGuard, text: &str) -> Result<Effect, AdbError> {
    let mut rest = pieces(text)?;
    let mut field = to.field.clone();
    // Whether a key map has an accent is known by trying alone: two trees. What types anything does it at once.
    let by_keys = !is_beyond(text)
        && (text.is_ascii() || !to.goes_on || !to.keyboard.is_installed(to.device()).await?);
    if by_keys {
        // What some key maps lack is now and then left out without a word, and a long text has more that can happen to
        // it: then the field is looked at, as where a keyboard stands between that makes words of letters. Else a short one
        // is seen by whoever looks next, where anything takes it at all.
        let doubtful = !text.is_ascii() || text.chars().count() > LONG;
        let before = if doubtful {
            to.field.before(guard).await
        } else {
            None
        };
        let listener = if doubtful || rest.is_empty() {
            KeyReceiver::default()
        } else {
            to.field.listener(guard).await
        };
        rest = by_key_map(&to.input, guard, rest).await?;
        if rest.is_empty() {
            let mut effect = Effect::by(ActMethod::InputText);
            effect.seen = listener.nobody.then_some(false);
            if doubtful || listener.composes && !listener.nobody {
                let after = to.field.read(guard).await;
                effect.seen = field::compare(before.as_ref(), after.as_ref(), text).seen();
            }
            return Ok(effect);
        }
        if joined(&rest) != joined(&pieces(text)?) {
            // A part of it is typed: the last look shows the field without that.
            field.shown = None;
        }
    }
    let (rest, arrival) = reader_text::types(to, guard, rest).await?;
    if rest.is_empty() {
        let mut effect = Effect::by(ActMethod::Reader);
        effect.seen = arrival.and_then(Arrival::seen);
        return Ok(effect);
    }
    if arrival.is_some() {
        field.shown = None;
    }
    if let Some(arrival) = paste::paste(&to.scrcpy, &field, guard, &joined(&rest)).await? {
        let mut effect = Effect::by(ActMethod::ScrcpyClipboard);
        effect.seen = arrival.seen();
        return Ok(effect);
    }
    let mut effect = Effect::by(ActMethod::AdbKeyboard);
    if to.goes_on {
        to.keyboard.types(&to.input, guard, &rest, true).await?;
        return Ok(effect);
    }
    if !to.keyboard.is_installed(to.device()).await? {
        return Err(AdbError::CannotType);
    }
    let before = field.before(guard).await;
    to.keyboard.types(&to.input, guard, &rest, false).await?;
    let after = field.read(guard).await;
    effect.seen = field::compare(before.as_ref(), after.as_ref(), &joined(&rest)).seen();
    Ok(effect)
}

/// Sends pieces until the key map lacks something; what was not sent.
async fn by_key_map(
    input: &Injector,
    guard: &CancelGuard,
    pieces: Vec<Piece>,
) -> Result<Vec<Piece>, AdbError> {
    let mut rest = VecDeque::from(pieces);
    let mut pace = ChunkSize::new();
    while let Some(piece) = rest.pop_front() {
        let (piece, later) = pace.cut(piece);
        if let Some(later) = later {
            rest.push_front(later);
        }
        let began = Instant::now();
        match send(input, guard, &piece).await {
            Ok(()) => pace.learn(piece.characters(), began.elapsed()),
            Err(AdbError::CannotType) => {
                rest.push_front(piece);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(rest.into())
}

/// Types a code or password: by the key map, or by the key and text events of scrcpy's session, or not at all, for a
/// clipboard and a broadcast can be overheard. What the phone says about it is not handed on, for it may repeat it.
///
/// # Errors
/// [`AdbError::CannotType`] when neither way has all its letters: then nothing of it was typed.
pub(crate) async fn secret(
    to: &TextInput,
    guard: &CancelGuard,
    secret: &SecretString,
) -> Result<Effect, AdbError> {
    // A keyboard that is somebody else's app is not to see it.
    to.keyboard.put_back().await?;
    let text = secret.expose_secret();
    let pieces = pieces(text)?;
    if !text.chars().all(|c| c.is_ascii() || ACCENTED.contains(c)) {
        return Err(AdbError::CannotType);
    }
    if !text.is_ascii() {
        // scrcpy puts an accent and its letter together, which `input text` of many phones cannot.
        match by_session(to, guard, &pieces).await.map_err(without_words)? {
            true => return Ok(Effect::by(ActMethod::ScrcpyKeys)),
            // A key map that has one accent and not the next would type half of it.
            false if pieces.len() > 1 => return Err(AdbError::CannotType),
            false => {}
        }
    }
    for piece in &pieces {
        send(&to.input, guard, piece).await.map_err(without_words)?;
    }
    Ok(Effect::by(ActMethod::InputText))
}

/// Letters that scrcpy's server takes apart into an accent and a letter, which every phone's key map has
/// (`KeyComposition.java`).
const ACCENTED: &str = "ÀÈÌÒÙàèìòùÁÉÍÓÚÝáéíóúýÂÊÎÔÛâêîôûÃÑÕãñõÄËÏÖÜäëïöüÿ";

/// Sends pieces as scrcpy's text and key events; false when there is no session.
async fn by_session(to: &TextInput, guard: &CancelGuard, pieces: &[Piece]) -> Result<bool, AdbError> {
    let mut session = match to.scrcpy.open(to.device(), guard).await {
        Ok(Some(session)) => session,
        Ok(None) => return Ok(false),
        Err(AdbError::LeaseLost) => return Err(AdbError::LeaseLost),
        Err(_) => return Ok(false),
    };
    for piece in pieces {
        let _pass = guard.pass()?;
        match piece {
            Piece::Characters(characters) => session.text(characters).await?,
            Piece::Key(code) => session.key(u32::from(*code), META_NONE).await?,
        }
    }
    Ok(true)
}

fn without_words(error: AdbError) -> AdbError {
    let kept = || "its words are not kept".to_owned();
    match error {
        AdbError::Refused(_) => AdbError::Refused(kept()),
        AdbError::TouchForbidden(_) => AdbError::TouchForbidden(kept()),
        AdbError::NotSupported(_) => AdbError::NotSupported(kept()),
        AdbError::Garbled(_) => AdbError::Garbled(kept()),
        other => other,
    }
}

//! Text and keys.
//!
//! `input text` types what the phone's key map has. In it `%s` stands for a space and nothing stands for a literal
//! `%s`, so such a pair is sent in two pieces. It goes in chunks, each under the guard and within a time of its own, the
//! shorter the slower the phone types ([`crate::pace`]); a newline is the Enter key. A
//! phone types a chunk whole or, where its key map lacks one of the letters, not at all; so that it is the same for a
//! text of several chunks, letters that no key map has are looked for before the first is sent. What the key map lacks goes
//! by scrcpy's clipboard ([`crate::paste`]), else by ADBKeyboard ([`crate::adb_keyboard`]).

use crate::adb_keyboard;
use crate::cancel_guard::CancelGuard;
use crate::command_line::CommandLine;
use crate::device_control::{DeviceControl, MOMENT};
use crate::error::AdbError;
use crate::field;
use crate::paste;
use crate::quote::quote;
use crate::scrcpy::META_NONE;
use crate::text_chunking::ChunkSize;
use agent::ports::Effect;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;
use tokio::time::Instant;

/// Characters in one `input text`: a phone types some fifty a second, a slow one far fewer. At most.
pub(crate) const CHUNK: usize = 50;
/// A text of more characters is looked for where it should have arrived.
const LONG: usize = 200;
/// How long one character may take. An app that works on the whole of a long text at each is slow, not hanging.
const LETTER: Duration = Duration::from_millis(500);
/// `KEYCODE_TAB`, `KEYCODE_ENTER`, `KEYCODE_DEL`, `KEYCODE_FORWARD_DEL`, `KEYCODE_MOVE_END`.
const TAB: u16 = 61;
const ENTER: u16 = 66;
const DEL: u16 = 67;
const FORWARD_DEL: u16 = 112;
const MOVE_END: u16 = 123;
/// `KEYCODE_CTRL_LEFT`, `KEYCODE_A`.
const SELECT_ALL: &str = "113 29";
/// Keys pressed by one line when a field is emptied key by key.
const ROW: usize = 50;
/// Such lines in either direction.
const ROWS: usize = 4;
/// At most so many rows: ten thousand letters.
const MOST_ROWS: usize = 10_000 / ROW;

/// The key map of a phone's virtual keyboard (AOSP `Virtual.kcm`) is ASCII, with a few Latin letters and accents on some
/// phones; from Greek on nobody's has anything.
const BEYOND: char = '\u{370}';

/// One thing to send.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Characters, at most [`CHUNK`], none of them a control character, never a literal `%s`.
    Characters(Zeroizing<String>),
    /// A key.
    Key(u16),
}

impl Piece {
    /// How many characters it types.
    pub(crate) fn characters(&self) -> usize {
        match self {
            Self::Characters(characters) => characters.chars().count(),
            Self::Key(_) => 0,
        }
    }
}

/// What is typed may be a secret: its length is shown, never itself.
impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Characters(characters) => write!(f, "Characters({})", characters.chars().count()),
            Self::Key(code) => write!(f, "Key({code})"),
        }
    }
}

/// Cuts a text into pieces.
///
/// # Errors
/// [`AdbError::CannotType`] for control characters other than line ends and tabs: no key types them.
pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, AdbError> {
    let mut pieces = Vec::new();
    let mut held = Zeroizing::new(String::with_capacity(CHUNK * 4));
    let mut count = 0;
    let mut before = None;
    let mut flush = |held: &mut Zeroizing<String>, count: &mut usize, key: Option<u16>| {
        if *count > 0 {
            // The room stays where it is: a string that grows would leave copies of itself behind.
            let piece = std::mem::replace(held, Zeroizing::new(String::with_capacity(CHUNK * 4)));
            pieces.push(Piece::Characters(piece));
            *count = 0;
        }
        pieces.extend(key.map(Piece::Key));
    };
    for c in text.chars() {
        match c {
            '\n' if before == Some('\r') => {}
            '\n' | '\r' => flush(&mut held, &mut count, Some(ENTER)),
            '\t' => flush(&mut held, &mut count, Some(TAB)),
            _ if c.is_control() => return Err(AdbError::CannotType),
            _ => {
                if count == CHUNK || (c == 's' && before == Some('%')) {
                    flush(&mut held, &mut count, None);
                }
                held.push(c);
                count += 1;
            }
        }
        before = Some(c);
    }
    flush(&mut held, &mut count, None);
    Ok(pieces)
}

/// Whether a text holds letters that no phone's key map has.
pub(crate) fn is_beyond(text: &str) -> bool {
    text.chars().any(|c| c >= BEYOND)
}

/// The line that types some characters.
fn type_line(characters: &str) -> Result<CommandLine, AdbError> {
    let spaced = Zeroizing::new(characters.replace(' ', "%s"));
    let quoted = Zeroizing::new(quote(&spaced)?);
    Ok(CommandLine::secret(Zeroizing::new(format!(
        "input text {}",
        *quoted
    ))))
}

/// Types a text into the field that has the focus: by the key map what it has, by scrcpy's clipboard and the paste key
/// what it lacks, by an installed ADBKeyboard where there is no scrcpy.
///
/// # Errors
/// [`AdbError::CannotType`] when no way is left; else how it went.
pub(crate) async fn text(
    control: &DeviceControl,
    guard: &CancelGuard,
    text: &str,
) -> Result<Effect, AdbError> {
    let mut rest = pieces(text)?;
    if !is_beyond(text) {
        // What some key maps lack is now and then left out without a word, and a long text has more that can happen to
        // it: then the field is looked at, as where a keyboard stands between that makes words of letters. Else a short one
        // is seen by whoever looks next, where anything takes it at all.
        let doubtful = !text.is_ascii() || text.chars().count() > LONG;
        let before = if doubtful {
            field::read(control, guard).await
        } else {
            None
        };
        let listener = if doubtful || rest.is_empty() {
            field::Listener::default()
        } else {
            field::listener(control, guard).await
        };
        rest = by_key_map(control, guard, rest).await?;
        if rest.is_empty() {
            let mut effect = rung("input_text");
            effect.seen = listener.nobody.then_some(false);
            if doubtful || listener.composes && !listener.nobody {
                let after = field::read(control, guard).await;
                effect.seen = field::compare(before.as_ref(), after.as_ref(), text).seen();
            }
            return Ok(effect);
        }
    }
    if let Some(arrival) = paste::paste(control, guard, &joined(&rest)).await? {
        let mut effect = rung("scrcpy_clipboard");
        effect.seen = arrival.seen();
        return Ok(effect);
    }
    let arrival = adb_keyboard::types(control, guard, &rest).await?;
    let mut effect = rung("adb_keyboard");
    effect.seen = arrival.seen();
    Ok(effect)
}

/// Sends pieces until the key map lacks something; what was not sent.
async fn by_key_map(
    control: &DeviceControl,
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
        match send(control, guard, &piece).await {
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

/// Pieces as the text they were cut from.
pub(crate) fn joined(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Characters(characters) => text.push_str(characters),
            Piece::Key(TAB) => text.push('\t'),
            Piece::Key(_) => text.push('\n'),
        }
    }
    text
}

/// Types a code or password: by the key map, or by the key and text events of scrcpy's session, or not at all, for a
/// clipboard and a broadcast can be overheard. What the phone says about it is not handed on, for it may repeat it.
///
/// # Errors
/// [`AdbError::CannotType`] when neither way has all its letters: then nothing of it was typed.
pub(crate) async fn secret(
    control: &DeviceControl,
    guard: &CancelGuard,
    secret: &SecretString,
) -> Result<Effect, AdbError> {
    let text = secret.expose_secret();
    let pieces = pieces(text)?;
    if !text.chars().all(|c| c.is_ascii() || ACCENTED.contains(c)) {
        return Err(AdbError::CannotType);
    }
    if !text.is_ascii() {
        // scrcpy puts an accent and its letter together, which `input text` of many phones cannot.
        match by_session(control, guard, &pieces).await.map_err(without_words)? {
            true => return Ok(rung("scrcpy_keys")),
            // A key map that has one accent and not the next would type half of it.
            false if pieces.len() > 1 => return Err(AdbError::CannotType),
            false => {}
        }
    }
    for piece in &pieces {
        send(control, guard, piece).await.map_err(without_words)?;
    }
    Ok(rung("input_text"))
}

/// Letters that scrcpy's server takes apart into an accent and a letter, which every phone's key map has
/// (`KeyComposition.java`).
const ACCENTED: &str = "ÀÈÌÒÙàèìòùÁÉÍÓÚÝáéíóúýÂÊÎÔÛâêîôûÃÑÕãñõÄËÏÖÜäëïöüÿ";

/// Sends pieces as scrcpy's text and key events; false when there is no session.
async fn by_session(
    control: &DeviceControl,
    guard: &CancelGuard,
    pieces: &[Piece],
) -> Result<bool, AdbError> {
    let mut session = match control.scrcpy.open(&control.device, guard).await {
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

/// Sends one piece.
pub(crate) async fn send(
    control: &DeviceControl,
    guard: &CancelGuard,
    piece: &Piece,
) -> Result<(), AdbError> {
    match piece {
        Piece::Characters(characters) => {
            let letters = u32::try_from(piece.characters()).unwrap_or(u32::MAX);
            let limit = MOMENT + LETTER * letters;
            control.input_line(guard, type_line(characters)?, limit).await
        }
        Piece::Key(code) => control.input(guard, &format!("keyevent {code}")).await,
    }
}

/// Selects everything in the field that has the focus.
pub(crate) async fn select_all(control: &DeviceControl, guard: &CancelGuard) -> Result<(), AdbError> {
    combination(control, guard, SELECT_ALL).await
}

/// Empties the field that has the focus: everything is selected and deleted; where `input` cannot hold two keys, it is
/// deleted key by key, as many as the field is read to hold.
pub(crate) async fn clear(control: &DeviceControl, guard: &CancelGuard) -> Result<Effect, AdbError> {
    match select_all(control, guard).await {
        Ok(()) => {
            control.input(guard, &format!("keyevent {DEL}")).await?;
            Ok(rung("select_all"))
        }
        Err(AdbError::NotSupported(_)) => {
            let held = field::read(control, guard).await;
            delete_by_keys(control, guard, held.as_ref()).await
        }
        Err(error) => Err(error),
    }
}

/// Deletes what is before and after the end of the line, [`ROW`] × [`ROWS`] characters on either side, and so much more as
/// the field was read to hold.
pub(crate) async fn delete_by_keys(
    control: &DeviceControl,
    guard: &CancelGuard,
    held: Option<&field::Field>,
) -> Result<Effect, AdbError> {
    let letters = held.map_or(0, |field| field.text.chars().count());
    let rows = letters.div_ceil(ROW).clamp(ROWS, MOST_ROWS);
    control.input(guard, &format!("keyevent {MOVE_END}")).await?;
    for code in [DEL, FORWARD_DEL] {
        let row = vec![code.to_string(); ROW].join(" ");
        for _ in 0..rows {
            control.input(guard, &format!("keyevent {row}")).await?;
        }
    }
    Ok(rung("delete_keys"))
}

/// One key.
pub(crate) async fn key(control: &DeviceControl, guard: &CancelGuard, key: &str) -> Result<Effect, AdbError> {
    control
        .input(guard, &format!("keyevent {}", key_name(key)?))
        .await?;
    Ok(Effect::default())
}

/// Keys held together.
pub(crate) async fn keys(
    control: &DeviceControl,
    guard: &CancelGuard,
    keys: &[String],
) -> Result<Effect, AdbError> {
    if let [one] = keys {
        return key(control, guard, one).await;
    }
    let names: Result<Vec<_>, _> = keys.iter().map(|key| key_name(key)).collect();
    let names = names?;
    if names.is_empty() {
        return Err(AdbError::Refused("no keys".to_owned()));
    }
    combination(control, guard, &names.join(" ")).await?;
    Ok(Effect::default())
}

async fn combination(control: &DeviceControl, guard: &CancelGuard, keys: &str) -> Result<(), AdbError> {
    let unknown =
        || AdbError::NotSupported("its input cannot hold two keys (Android 11 or older)".to_owned());
    if control.capabilities.key_combination.is_missing() {
        return Err(unknown());
    }
    let pressed = control.input(guard, &format!("keycombination {keys}")).await;
    match pressed {
        Err(AdbError::NotSupported(_)) => {
            control.capabilities.key_combination.learn(false);
            Err(unknown())
        }
        other => other,
    }
}

/// `4`, `BACK` and `KEYCODE_BACK` as `input` takes them.
fn key_name(key: &str) -> Result<String, AdbError> {
    let name = key.trim().to_ascii_uppercase();
    let fits =
        !name.is_empty() && name.len() <= 60 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !fits {
        return Err(AdbError::Refused("not a key's name".to_owned()));
    }
    if name.starts_with("KEYCODE_") || name.parse::<u16>().is_ok() && name.len() > 1 {
        return Ok(name);
    }
    // A single digit is a number to `input`: the key code, not the key that types it.
    Ok(if name.len() == 1 && name.as_bytes()[0].is_ascii_digit() {
        name
    } else {
        format!("KEYCODE_{name}")
    })
}

fn rung(name: &'static str) -> Effect {
    Effect {
        rung: Some(name),
        ..Effect::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What `sendText` of Android's `input` types for an argument (`InputShellCommand.java`).
    fn typed(argument: &str) -> String {
        argument.replace("%s", " ")
    }

    /// What arrives on a phone: every line split as a shell splits it, then read as `input` reads it.
    fn arrives(text: &str) -> String {
        let mut arrived = String::new();
        for piece in pieces(text).unwrap() {
            match piece {
                Piece::Key(ENTER) => arrived.push('\n'),
                Piece::Key(TAB) => arrived.push('\t'),
                Piece::Key(other) => panic!("key {other}"),
                Piece::Characters(characters) => {
                    assert!(characters.chars().count() <= CHUNK);
                    let framed = type_line(&characters).unwrap().framed("").unwrap();
                    let line = std::str::from_utf8(&framed[4..]).unwrap();
                    let words = shlex::split(line).unwrap();
                    assert_eq!(words[..2], ["input", "text"]);
                    assert_eq!(words.len(), 3, "one argument, whatever the text");
                    arrived.push_str(&typed(&words[2]));
                }
            }
        }
        arrived
    }

    #[test]
    fn hostile_text_arrives_as_itself() {
        for text in [
            "plain",
            "two  words ",
            "it's \"quoted\"",
            "$(reboot) `reboot` ${HOME} ; & | > /dev/null",
            "100%s sure %%s %s%s %",
            "-rf --longpress -d",
            "line\nline\n\nline",
            "tab\tbed",
            "日本語 🎉 é",
            "\\ \\n \\'",
            "!! * ? [a] {b,c} ~ #",
        ] {
            assert_eq!(arrives(text), text);
        }
        assert_eq!(arrives("a\r\nb\rc"), "a\nb\nc");
        assert_eq!(pieces("").unwrap(), []);
        assert_eq!(pieces("a\u{7}b"), Err(AdbError::CannotType));
        assert_eq!(pieces("a\0b"), Err(AdbError::CannotType));
    }

    #[test]
    fn keys_go_by_any_of_their_names() {
        for (given, sent) in [
            ("BACK", "KEYCODE_BACK"),
            ("keycode_home", "KEYCODE_HOME"),
            ("4", "4"),
            ("66", "66"),
            ("a", "KEYCODE_A"),
            (" ENTER ", "KEYCODE_ENTER"),
            ("3D_MODE", "KEYCODE_3D_MODE"),
        ] {
            assert_eq!(key_name(given).unwrap(), sent, "{given}");
        }
        for hostile in ["", "BACK; reboot", "$(x)", "--longpress", "A B", "é"] {
            assert!(key_name(hostile).is_err(), "{hostile}");
        }
    }

    proptest! {
        #[test]
        fn any_text_arrives_as_itself(text in "[^\\p{Cc}]{0,200}") {
            prop_assert_eq!(arrives(&text), text);
        }

        #[test]
        fn any_mix_of_percent_s_and_space_arrives_as_itself(text in "[%s \n]{0,120}") {
            prop_assert_eq!(arrives(&text), text);
        }
    }
}

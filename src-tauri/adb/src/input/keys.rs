//! Keys, and characters as the phone's key map has them.

use crate::connect::command_line::CommandLine;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::quote::quote;
use crate::exec::remote_command::MOMENT;
use crate::input::injector::Injector;
use crate::input::text_chunking::Piece;
use agent::ports::Effect;
use protocol::ActMethod;
use secrecy::zeroize::Zeroizing;
use std::time::Duration;

/// How long one character may take. An app that works on the whole of a long text at each is slow, not hanging.
const LETTER: Duration = Duration::from_millis(500);
/// `KEYCODE_DEL`, `KEYCODE_FORWARD_DEL`, `KEYCODE_MOVE_END`.
const DEL: u16 = 67;
const FORWARD_DEL: u16 = 112;
pub(crate) const MOVE_END: u16 = 123;
/// `KEYCODE_CTRL_LEFT`, `KEYCODE_A`.
const SELECT_ALL: &str = "113 29";
/// Keys pressed by one line when a field is emptied key by key.
const ROW: usize = 50;
/// Such lines in either direction.
const ROWS: usize = 4;
/// At most so many: ten thousand letters.
const MOST_ROWS: usize = 10_000 / ROW;

/// The line that types some characters.
fn type_line(characters: &str) -> Result<CommandLine, AdbError> {
    let spaced = Zeroizing::new(characters.replace(' ', "%s"));
    let quoted = Zeroizing::new(quote(&spaced)?);
    Ok(CommandLine::secret(Zeroizing::new(format!(
        "input text {}",
        *quoted
    ))))
}

/// Sends one piece.
pub(crate) async fn send(input: &Injector, guard: &CancelGuard, piece: &Piece) -> Result<(), AdbError> {
    match piece {
        Piece::Characters(characters) => {
            let letters = u32::try_from(piece.characters()).unwrap_or(u32::MAX);
            let limit = MOMENT + LETTER * letters;
            input.line(guard, type_line(characters)?, limit).await
        }
        Piece::Key(code) => input.input(guard, &format!("keyevent {code}")).await,
    }
}

/// Selects everything in the field that has the focus.
pub(crate) async fn select_all(input: &Injector, guard: &CancelGuard) -> Result<(), AdbError> {
    combination(input, guard, SELECT_ALL).await
}

/// Selects everything in the field that has the focus and deletes it.
///
/// # Errors
/// [`AdbError::NotSupported`] where `input` cannot hold two keys; nothing was done then.
pub(crate) async fn select_and_delete(input: &Injector, guard: &CancelGuard) -> Result<Effect, AdbError> {
    select_all(input, guard).await?;
    input.input(guard, &format!("keyevent {DEL}")).await?;
    Ok(Effect::by(ActMethod::SelectAll))
}

/// Deletes what is before and after the end of the line, [`ROW`] × [`ROWS`] characters on either side; as many as the field
/// was read to hold, where that is more.
pub(crate) async fn delete_by_keys(
    input: &Injector,
    guard: &CancelGuard,
    letters: usize,
) -> Result<Effect, AdbError> {
    let rows = letters.div_ceil(ROW).clamp(ROWS, MOST_ROWS);
    input.input(guard, &format!("keyevent {MOVE_END}")).await?;
    for code in [DEL, FORWARD_DEL] {
        let row = vec![code.to_string(); ROW].join(" ");
        for _ in 0..rows {
            input.input(guard, &format!("keyevent {row}")).await?;
        }
    }
    Ok(Effect::by(ActMethod::DeleteKeys))
}

/// One key.
pub(crate) async fn key(input: &Injector, guard: &CancelGuard, key: &str) -> Result<Effect, AdbError> {
    input
        .input(guard, &format!("keyevent {}", key_name(key)?))
        .await?;
    Ok(Effect::default())
}

/// Keys held together.
pub(crate) async fn keys(input: &Injector, guard: &CancelGuard, keys: &[String]) -> Result<Effect, AdbError> {
    if let [one] = keys {
        return key(input, guard, one).await;
    }
    let names: Result<Vec<_>, _> = keys.iter().map(|key| key_name(key)).collect();
    let names = names?;
    if names.is_empty() {
        return Err(AdbError::Refused("no keys".to_owned()));
    }
    combination(input, guard, &names.join(" ")).await?;
    Ok(Effect::default())
}

async fn combination(input: &Injector, guard: &CancelGuard, keys: &str) -> Result<(), AdbError> {
    let unknown =
        || AdbError::NotSupported("its input cannot hold two keys (Android 11 or older)".to_owned());
    if input.capabilities.key_combination.is_missing() {
        return Err(unknown());
    }
    let pressed = input.input(guard, &format!("keycombination {keys}")).await;
    match pressed {
        Err(AdbError::NotSupported(_)) => {
            input.capabilities.key_combination.learn(false);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::text_chunking::{CHUNK, ENTER, TAB, pieces};
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

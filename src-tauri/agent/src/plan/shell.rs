//! A command line for the phone: words, no operators.

use super::doing::{Plan, PlannedEffect, Refusal, bare, refusal};
use judge::Input;
use judge::command::{Reading, command};
use protocol::RefusalCode;

/// POSIX words, each to be quoted again; anything that would make it more than one command is refused, and so is what a shell
/// would put something else for: quoted again, it would be taken by the letter, and nobody would hear of it.
pub(super) fn shell(line: &str) -> Result<Plan, Refusal> {
    if let Some(operator) = unquoted_operator(line) {
        let message = format!(
            "{operator:?} is not possible in shell unless it is quoted; use run_script, or one command at a time"
        );
        return Err(refusal(RefusalCode::OperatorInShell, &message));
    }
    let words = shlex::split(line)
        .ok_or_else(|| refusal(RefusalCode::BadQuotes, "a quote in the command is not closed"))?;
    let words = without_adb(words);
    if words.is_empty() {
        return Err(refusal(RefusalCode::EmptyCommand, "the command is empty"));
    }
    // A command that touches is that touch, and is judged and sent as one.
    let inputs = match command(&words) {
        Reading::Touches(inputs) => inputs,
        _ => vec![Input::Command(words)],
    };
    Ok(bare(PlannedEffect::Phone(inputs)))
}

/// Models write `adb shell …` and `adb -s SERIAL shell …` where only what follows is meant.
fn without_adb(mut words: Vec<String>) -> Vec<String> {
    if words.first().is_some_and(|word| word == "adb")
        && let Some(at) = words.iter().take(4).position(|word| word == "shell")
    {
        words.drain(..=at);
    }
    words
}

fn unquoted_operator(line: &str) -> Option<char> {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut before = ' ';
    for character in line.trim().chars() {
        let begins = std::mem::replace(&mut before, character).is_whitespace();
        if escaped {
            escaped = false;
            continue;
        }
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => escaped = true,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, ';' | '|' | '&' | '<' | '>' | '(' | ')' | '`' | '\n' | '*' | '?' | '[' | '$') => {
                return Some(character);
            }
            (None, '~') if begins => return Some(character),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_change_is_refused_unless_it_is_quoted() {
        let code = |line: &str| shell(line).err().map(|refusal| refusal.code);
        for sign in [
            ";", "|", "&", "<", ">", "(", ")", "`", "\n", "*", "?", "[", "~", "$",
        ] {
            assert_eq!(
                code(&format!("ls {sign}x y")),
                Some(RefusalCode::OperatorInShell),
                "{sign:?}"
            );
            for quoted in [
                format!("ls '{sign}x' y"),
                format!("ls \"{sign}x\" y"),
                format!("ls \\{sign}x y"),
            ] {
                assert_eq!(code(&quoted), None, "{quoted:?}");
            }
        }
        for plain in ["ls /sdcard/file~", "getprop ro.build.version.sdk", "ls a]"] {
            assert_eq!(code(plain), None, "{plain}");
        }
    }
}

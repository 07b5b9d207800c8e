//! The last lock in front of the log: what is known to be secret, or looks like a key, is taken out of every line.
//!
//! The first lock is that nothing secret is ever given to it (`log.rs`). This one holds where that one fails: a library's
//! error that repeats a header, a phone that answers with what was typed.

use secrecy::{ExposeSecret, SecretString};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What stands where a secret stood.
const MASK: &str = "[…]";
/// Shorter values would take ordinary words with them.
const SHORTEST: usize = 4;
/// So many are remembered; the oldest is forgotten first.
const MOST: usize = 64;
/// How makers' keys begin.
const KEYS: [&str; 8] = ["sk-", "sk_", "AIza", "gsk_", "xai-", "pplx-", "hf_", "Bearer "];
/// A key has at least so many characters after its beginning.
const KEY_LENGTH: usize = 12;

static KNOWN: Mutex<VecDeque<SecretString>> = Mutex::new(VecDeque::new());

fn known() -> MutexGuard<'static, VecDeque<SecretString>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on this value is taken out of every line.
pub(crate) fn remember(secret: &SecretString) {
    if secret.expose_secret().chars().count() < SHORTEST {
        return;
    }
    let mut known = known();
    if known
        .iter()
        .any(|one| one.expose_secret() == secret.expose_secret())
    {
        return;
    }
    if known.len() == MOST {
        known.pop_front();
    }
    known.push_back(secret.clone());
}

/// Standard error, without what is secret. One write is one line of the log.
pub(crate) struct Redacted;

impl Write for Redacted {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let clean = {
            let known = known();
            redact(&text, known.iter().map(|secret| secret.expose_secret()))
        };
        io::stderr().lock().write_all(clean.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().lock().flush()
    }
}

/// A text that leaves the program, without what is known to be secret or looks like a key.
pub(crate) fn clean(text: &str) -> String {
    let known = known();
    redact(text, known.iter().map(|secret| secret.expose_secret()))
}

fn redact<'a>(text: &str, secrets: impl Iterator<Item = &'a str>) -> String {
    let mut out = text.to_owned();
    for secret in secrets {
        out = without(&out, secret);
        // As a `Debug` or JSON writes it.
        let escaped: String = secret.escape_default().collect();
        if escaped != secret {
            out = without(&out, &escaped);
        }
        let quoted = secret.replace('\\', "\\\\").replace('"', "\\\"");
        if quoted != secret && quoted != escaped {
            out = without(&out, &quoted);
        }
    }
    without_keys(&out)
}

/// Every place of `secret`, as a whole: six digits in the middle of a longer number are no code.
fn without(text: &str, secret: &str) -> String {
    let number = secret.bytes().all(|byte| byte.is_ascii_digit());
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, found) = rest.split_at(at);
        let after = found.get(secret.len()..).unwrap_or_default();
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let left = before.chars().next_back().or_else(|| out.chars().next_back());
        out.push_str(before);
        out.push_str(if number && (digit(left) || digit(after.chars().next())) {
            secret
        } else {
            MASK
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

fn without_keys(text: &str) -> String {
    let mut out = text.to_owned();
    for begins in KEYS {
        let mut from = 0;
        while let Some(at) = out
            .get(from..)
            .and_then(|rest| rest.find(begins))
            .map(|at| from + at)
        {
            let start = at + begins.len();
            let of_key = |c: &char| c.is_ascii_alphanumeric() || "-_.~+/=".contains(*c);
            let length: usize = out
                .get(start..)
                .unwrap_or_default()
                .chars()
                .take_while(of_key)
                .map(char::len_utf8)
                .sum();
            if length >= KEY_LENGTH {
                out.replace_range(start..start + length, MASK);
            }
            from = start;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[track_caller]
    fn check(text: &str, secrets: &[&str], expected: &str) {
        assert_eq!(redact(text, secrets.iter().copied()), expected);
    }

    #[test]
    fn what_is_known_is_taken_out_wherever_it_stands() {
        check("typed 418027 into it", &["418027"], "typed […] into it");
        check(
            "418027418027 and 1418027",
            &["418027"],
            "418027418027 and 1418027",
        );
        check("code=418027,418027", &["418027"], "code=[…],[…]");
        check(r#"said "pa\"ss\\word""#, &[r#"pa"ss\word"#], r#"said "[…]""#);
        check("schl\\u{fc}ssel!", &["schlüssel!"], "[…]");
        check("nothing of it", &["418027"], "nothing of it");
    }

    #[test]
    fn what_looks_like_a_key_is_taken_out_unknown() {
        check("header sk-ant-api03-abcdefgh7Qx2 sent", &[], "header sk-[…] sent");
        check(
            "Authorization: Bearer eyJhbGciOi.abc_def",
            &[],
            "Authorization: Bearer […]",
        );
        check("?key=AIzaSyA1234567890abcd&x=1", &[], "?key=AIza[…]&x=1");
        check(
            "a task-list, a risk-free sk-short",
            &[],
            "a task-list, a risk-free sk-short",
        );
    }
}

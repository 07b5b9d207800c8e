//! What may be written to `deck run` while it runs.

use protocol::{AskId, Choice, Op};
use secrecy::SecretString;
use serde::Deserialize;

/// How, for somebody who wrote something else.
pub(crate) const USAGE: &str = r#"a line is an answer, {"ask": ID, "digest": DIGEST, "choice": "approve"} or "deny", or an op, {"op": "stop"}, "pause", "resume""#;

/// One line of standard input.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum InputLine {
    /// An answer. It names the question and carries its digest, so that none is given to what nobody saw.
    Answer {
        ask: AskId,
        digest: String,
        choice: Choice,
        /// The code or password of `supply`.
        #[serde(default)]
        value: Option<SecretString>,
        /// What the person adds to a Yes: the AI reads it.
        #[serde(default)]
        words: Option<String>,
        /// The amount that was picked, where several could be meant.
        #[serde(default)]
        amount: Option<String>,
        /// The picture or file of `give`, on this computer.
        #[serde(default)]
        file: Option<std::path::PathBuf>,
    },
    /// What the person wants of the run.
    Op(Op),
}

/// A word that stands for an answer where a person at a keyboard has the question in front of them. From a pipe it is
/// none: `yes | deck run` approves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedAnswer {
    /// `y`, `yes`.
    Yes,
    /// `n`, `no`.
    No,
}

/// Reads a line as such a word.
pub(crate) fn word(line: &str) -> Option<TypedAnswer> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Some(TypedAnswer::Yes),
        "n" | "no" => Some(TypedAnswer::No),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_words_are_answers() {
        for (line, expected) in [
            ("y", Some(TypedAnswer::Yes)),
            (" YES ", Some(TypedAnswer::Yes)),
            ("n", Some(TypedAnswer::No)),
            ("No", Some(TypedAnswer::No)),
            ("yy", None),
            ("yes please", None),
            ("", None),
            ("{}", None),
        ] {
            assert_eq!(word(line), expected, "{line:?}");
        }
    }

    #[test]
    fn lines_are_answers_or_ops() {
        let read = |line: &str| serde_json::from_str::<InputLine>(line).ok();
        assert!(matches!(
            read(r#"{"ask": "r/1", "digest": "d", "choice": "approve"}"#),
            Some(InputLine::Answer {
                choice: Choice::Approve,
                value: None,
                ..
            })
        ));
        assert!(matches!(
            read(r#"{"ask": "r/1", "digest": "d", "choice": "supply", "value": "123456"}"#),
            Some(InputLine::Answer {
                choice: Choice::Supply,
                value: Some(_),
                ..
            })
        ));
        assert!(matches!(read(r#"{"op": "stop"}"#), Some(InputLine::Op(Op::Stop))));
        for line in [
            "y",
            "true",
            r#"{"choice": "approve"}"#,
            r#"{"ask": "r/1", "choice": "approve"}"#,
            r#"{"op": "approve"}"#,
        ] {
            assert!(read(line).is_none(), "{line}");
        }
    }
}

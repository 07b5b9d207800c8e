//! One word for the phone's shell, whatever is in it.

use crate::error::AdbError;

/// The word as the phone's `sh` reads it back: exactly one word, unchanged, never another command.
///
/// Single quotes keep everything but a single quote; that one is closed over, escaped and opened again.
///
/// # Errors
/// [`AdbError::Refused`] for a NUL, which no argument of a program can hold.
pub fn quote(word: &str) -> Result<String, AdbError> {
    if word.contains('\0') {
        return Err(AdbError::Refused(
            "a NUL cannot be passed to a command".to_owned(),
        ));
    }
    let mut quoted = String::with_capacity(word.len() + 2);
    quoted.push('\'');
    for c in word.chars() {
        if c == '\'' {
            quoted.push_str("'\\''");
        } else {
            quoted.push(c);
        }
    }
    quoted.push('\'');
    Ok(quoted)
}

/// Several words as one command line.
///
/// # Errors
/// As [`quote`].
pub fn quote_all<S: AsRef<str>>(words: &[S]) -> Result<String, AdbError> {
    let quoted: Result<Vec<_>, _> = words.iter().map(|word| quote(word.as_ref())).collect();
    Ok(quoted?.join(" "))
}

#[cfg(test)]
#[path = "../../../../tests/shared/long.rs"]
mod long;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hostile_words_stay_words() {
        for word in [
            "",
            "plain",
            "two words",
            "it's",
            "''",
            "$(reboot)",
            "`reboot`",
            "a; rm -rf /",
            "a && b || c | d & e",
            "\"double\"",
            "back\\slash",
            "new\nline",
            "-rf",
            "~",
            "*",
            "#",
            "!!",
            "日本語 🎉",
        ] {
            let line = format!("input text {}", quote(word).unwrap());
            assert_eq!(
                shlex::split(&line),
                Some(vec!["input".to_owned(), "text".to_owned(), word.to_owned()])
            );
        }
        assert!(quote("a\0b").is_err());
    }

    /// A text of every printable character, its ends, and what a shell would make something of: the words come out of a
    /// real shell as they went in.
    #[test]
    #[cfg(unix)]
    fn every_printable_character_survives_a_real_shell() {
        let printable: String = (' '..='~').collect();
        let backwards: String = printable.chars().rev().collect();
        let mut words: Vec<String> = (' '..='~').map(String::from).collect();
        words.extend([printable, backwards]);
        words.extend(
            [
                "\n",
                "two\nlines\n",
                "%s",
                "100%s\\n",
                "$(reboot)",
                "`reboot`",
                "${IFS}",
                "it's \"so\"",
                "'",
                "\"",
                "\\",
            ]
            .map(str::to_owned),
        );
        for word in words {
            #[expect(clippy::disallowed_methods, reason = "a test asks a real POSIX shell")]
            let ran = std::process::Command::new("sh")
                .arg("-c")
                .arg(format!("printf %s {}", quote(&word).unwrap()))
                .output()
                .unwrap();
            assert_eq!(String::from_utf8_lossy(&ran.stdout), word);
            assert_eq!(ran.stderr, b"", "{word:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(long::times(10_000)))]

        #[test]
        fn any_words_survive_a_shell_one_by_one(words in prop::collection::vec("[^\0]*", 1..6)) {
            let line = quote_all(&words).unwrap();
            prop_assert_eq!(shlex::split(&line), Some(words));
        }
    }

    proptest! {
        #[test]
        fn any_word_survives_the_shell_of_this_computer(word in "[^\0]{0,40}") {
            // `sh` is asked too, not only a library that reads like it; where there is none the other test stands.
            #[expect(clippy::disallowed_methods, reason = "a test asks a real POSIX shell")]
            let ran = std::process::Command::new("sh").arg("-c").arg(format!("printf %s {}", quote(&word).unwrap())).output();
            if let Ok(ran) = ran {
                prop_assert_eq!(String::from_utf8_lossy(&ran.stdout), word);
            }
        }
    }
}

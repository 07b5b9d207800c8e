//! One command line for the phone's shell, and how much of it may be shown.

use crate::connect::wire;
use crate::error::AdbError;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};

/// The bytes of a service, its closing NUL among them, that a phone without shell v2 takes in one piece (`MAX_PAYLOAD_V1`). A
/// longer one does not fail: adb's own check (`CHECK_LE` in `send_packet`) ends the whole server, with every phone's
/// connections.
const SHORT: usize = 4096;

/// A command line. What it holds is never logged: typed text is the person's, and some of it is secret.
pub(crate) struct CommandLine {
    text: SecretString,
    /// The first two words, which this room wrote itself.
    verb: String,
}

impl CommandLine {
    /// A line of this room's own words and of quoted ones.
    pub(crate) fn plain(text: &str) -> Self {
        Self::secret(Zeroizing::new(text.to_owned()))
    }

    /// A line that holds a secret.
    pub(crate) fn secret(text: Zeroizing<String>) -> Self {
        Self {
            verb: verb(&text),
            text: SecretString::from(text.as_str()),
        }
    }

    /// `input text`, `am start`: what it does, without what it does it with.
    pub(crate) fn verb(&self) -> &str {
        &self.verb
    }

    /// The same, by another name where it is told of.
    pub(crate) fn called(mut self, verb: &str) -> Self {
        verb.clone_into(&mut self.verb);
        self
    }

    /// The same, with something in front of it.
    pub(crate) fn after(&self, prefix: &str) -> Self {
        let text = Zeroizing::new(format!("{prefix}{}", self.text.expose_secret()));
        Self {
            text: SecretString::from(text.as_str()),
            verb: self.verb.clone(),
        }
    }

    /// The same, with something behind it.
    pub(crate) fn then(&self, suffix: &str) -> Self {
        let text = Zeroizing::new(format!("{}{suffix}", self.text.expose_secret()));
        Self {
            text: SecretString::from(text.as_str()),
            verb: self.verb.clone(),
        }
    }

    /// The request that runs it on a phone without shell v2.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] when it is longer than such a phone takes in one piece.
    pub(crate) fn framed_short(&self, service: &str) -> Result<Zeroizing<Vec<u8>>, AdbError> {
        let length = service.len() + self.text.expose_secret().len() + 1;
        if length > SHORT {
            let why = format!("a command of {length} bytes: this phone takes {SHORT} at most");
            return Err(AdbError::NotSupported(why));
        }
        self.framed(service)
    }

    /// The request that runs it. The bytes are wiped when they are dropped.
    ///
    /// # Errors
    /// When it is longer than adb takes.
    pub(crate) fn framed(&self, service: &str) -> Result<Zeroizing<Vec<u8>>, AdbError> {
        let request = Zeroizing::new(format!("{service}{}", self.text.expose_secret()));
        wire::frame(&request).map(Zeroizing::new)
    }
}

fn verb(text: &str) -> String {
    // A quoted word came from outside: it is not shown.
    let words = text.split([' ', ';']).filter(|word| !word.is_empty());
    let own: Vec<&str> = words
        .take(2)
        .take_while(|word| {
            word.chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
        })
        .collect();
    if own.is_empty() {
        "a command".to_owned()
    } else {
        own.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_words_are_shown() {
        for (text, shown) in [
            ("input text 'hunter2'", "input text"),
            ("'sh' '-c' 'secret'", "a command"),
            ("screencap", "screencap"),
            ("uiautomator dump /x; cat /x", "uiautomator dump"),
            ("", "a command"),
        ] {
            assert_eq!(CommandLine::plain(text).verb(), shown);
        }
        let line = CommandLine::plain("input text 'x'").after("echo $$; ");
        assert_eq!(line.verb(), "input text");
        assert_eq!(
            line.framed("shell:").unwrap().as_slice(),
            b"001dshell:echo $$; input text 'x'"
        );
        for (length, fits) in [(4089, true), (4090, false)] {
            let line = CommandLine::plain(&"x".repeat(length));
            assert_eq!(line.framed_short("shell:").is_ok(), fits, "{length}");
            assert!(line.framed("shell:").is_ok());
        }
    }
}

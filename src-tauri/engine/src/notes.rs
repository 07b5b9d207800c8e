//! The person's notes for the AI: what may be kept of them. Never a secret; and what the AI proposes at the person's word alone.

use crate::{Engine, EngineError};
use protocol::{Failure, FailureCode, Note, NoteAbout, RunId, Settings, SettingsPatch, What};

/// So many are kept.
const MOST: usize = 100;
/// Characters of one.
const LONGEST: usize = 300;
/// Words that stand beside a secret. What belongs to them goes into the saved passwords, or to the phone's own question.
const SECRET_WORDS: [&str; 15] = [
    "password",
    "passcode",
    "passphrase",
    "passwort",
    "kennwort",
    "contraseña",
    "mot de passe",
    "senha",
    "api key",
    "密码",
    "口令",
    "验证码",
    "暗証",
    "パスワード",
    "пароль",
];
/// Shorter tokens look like nothing.
const TOKEN: usize = 8;

impl Engine {
    /// Keeps what a task's AI would have the person remember, about everything: it is the person who says so. Kept already, it
    /// stays as it is.
    ///
    /// # Errors
    /// [`FailureCode::NotFound`] where the task is gone or proposed nothing, [`FailureCode::BadInput`] where it cannot be kept.
    pub async fn keep_proposed(&self, run: &RunId) -> Result<Note, Failure> {
        let story = self.whole_story(run).await?;
        let proposed = story.events.into_iter().find_map(|event| match event.what {
            What::NoteProposed { text, .. } => Some(text),
            _ => None,
        });
        let note = Note {
            text: proposed.ok_or(EngineError::NoNote)?,
            about: NoteAbout::Everything,
        };
        let and = {
            let note = note.clone();
            move |now: &Settings| {
                now.notes
                    .iter()
                    .cloned()
                    .chain([note.clone()])
                    .collect::<Vec<_>>()
            }
        };
        checked(&and(&self.settings()))?;
        self.amend_settings(move |now| SettingsPatch {
            // What was checked a moment ago is in here.
            notes: checked(&and(now)).ok(),
            ..SettingsPatch::default()
        })
        .await?;
        Ok(note)
    }
}

/// The notes as they are kept: one line each, none empty, none twice.
///
/// # Errors
/// [`FailureCode::BadInput`] where one cannot be kept (`values.why`: `secret`, `long` or `many`).
pub(crate) fn checked(notes: &[Note]) -> Result<Vec<Note>, Failure> {
    let mut kept: Vec<Note> = Vec::new();
    for note in notes {
        let text = note.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        if text.chars().count() > LONGEST {
            return Err(refused("long"));
        }
        if looks_secret(&text) {
            return Err(refused("secret"));
        }
        let note = Note {
            text,
            about: note.about.clone(),
        };
        if !kept.contains(&note) {
            kept.push(note);
        }
    }
    if kept.len() > MOST {
        return Err(refused("many"));
    }
    Ok(kept)
}

fn refused(why: &str) -> Failure {
    Failure {
        values: [("why".to_owned(), why.to_owned())].into(),
        ..FailureCode::BadInput.into()
    }
}

/// What is known to be secret, looks like a key, a code or the number of a card, or stands beside a word that says so.
fn looks_secret(text: &str) -> bool {
    let small = text.to_lowercase();
    let says_so = SECRET_WORDS.iter().any(|word| small.contains(word))
        || text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "PIN" || word == "CVV");
    says_so
        || crate::redact::clean(text) != text
        || text.split_whitespace().any(is_token)
        || has_card_number(text)
}

/// One word with letters, digits and more between, as nobody writes a name.
fn is_token(word: &str) -> bool {
    let word = word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':' | '"' | '“' | '”' | '(' | ')'));
    // Addresses are words of the person's too.
    let is_address = word.contains("://") || (word.contains('@') && word.contains('.'));
    if word.chars().count() < TOKEN || is_address {
        return false;
    }
    let has = |is: fn(char) -> bool| u8::from(word.chars().any(is));
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let kinds = has(|c| c.is_lowercase()) + has(|c| c.is_uppercase()) + has(|c| c.is_ascii_punctuation());
    digits >= 2 && kinds >= 2
}

/// 13 to 19 digits in a row, with spaces or dashes between.
fn has_card_number(text: &str) -> bool {
    let mut run = 0;
    for c in text.chars() {
        match c {
            _ if c.is_ascii_digit() => run += 1,
            ' ' | '-' => {}
            _ => run = 0,
        }
        if run >= 13 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::NoteAbout;

    fn note(text: &str) -> Note {
        Note {
            text: text.to_owned(),
            about: NoteAbout::Everything,
        }
    }

    #[track_caller]
    fn check(text: &str, why: Option<&str>) {
        let refused = checked(&[note(text)]).err();
        let said = refused.and_then(|failure| failure.values.get("why").cloned());
        assert_eq!(said.as_deref(), why, "{text}");
    }

    #[test]
    fn a_secret_is_not_kept() {
        for text in [
            "my usual shop is Greenleaf",
            "Mum is Anna in WhatsApp",
            "write to anna.b2@example.com",
            "I live at 12 Alder Street, Apt 3, 90210",
            "the office is +1 555 0177",
            "我常去的店是绿叶",
        ] {
            check(text, None);
        }
        for text in [
            "my password is swordfish",
            "PIN 4821",
            "use sk-test-4a7c91e2d05b48f3a6d8",
            "log in with Tr0ub4dor&3",
            "the card is 4111 1111 1111 1111",
            "密码是八八八八",
        ] {
            check(text, Some("secret"));
        }
        check(&"x".repeat(LONGEST + 1), Some("long"));
    }

    #[test]
    fn what_says_nothing_or_the_same_is_not_kept() {
        let kept = checked(&[note(" a \n b "), note(""), note("a b")]);
        assert_eq!(kept.ok(), Some(vec![note("a b")]));
        let many: Vec<Note> = (0..=MOST).map(|n| note(&format!("note {n}"))).collect();
        assert!(checked(&many).is_err());
    }
}

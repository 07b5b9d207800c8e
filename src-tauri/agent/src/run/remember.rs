//! What the AI would have the person remember once its task is done. It is told, and nothing more: what becomes of it is the
//! person's affair, and a note that is kept is data like any other.

use super::halt::Halt;
use super::state::Run;
use protocol::What;

/// Characters of it at most; what is longer is no note.
const LONGEST: usize = 200;

impl Run {
    /// Tells the note a task ended with, where there is one that may be kept: no secret, nothing that is kept already.
    pub(super) async fn propose_note(&mut self, note: Option<String>) -> Result<(), Halt> {
        let Some(text) = note.as_deref().and_then(one_line) else {
            return Ok(());
        };
        let is_known = self
            .task
            .settings
            .notes
            .iter()
            .any(|kept| kept.text.to_lowercase() == text.to_lowercase());
        let is_secret = self.secrets.hide_read(&text) != text;
        if is_known || is_secret || !self.conversation.may_propose() {
            return Ok(());
        }
        let from_screen = self.read.quotes(&text);
        self.record(What::NoteProposed { text, from_screen }).await
    }
}

/// The words in one line, without what no person can see; nothing where there are none, or too many.
fn one_line(note: &str) -> Option<String> {
    let visible: String = note.chars().filter(|c| !is_unseen(*c)).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty() && line.chars().count() <= LONGEST).then_some(line)
}

/// It turns the way words are read, takes no room, or carries letters that nobody sees.
fn is_unseen(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[track_caller]
    fn check(note: &str, expected: Option<&str>) {
        assert_eq!(one_line(note).as_deref(), expected, "{note:?}");
    }

    #[test]
    fn a_note_is_one_line_that_can_be_seen() {
        check("My shop is\n  Greenleaf. ", Some("My shop is Greenleaf."));
        check("Mum is \u{202e}annA\u{202c}\u{200b}", Some("Mum is annA"));
        check("I am\u{e0041}\u{e0042} Jo", Some("I am Jo"));
        check(" \n\u{200b}", None);
        check(&"x".repeat(200), Some(&"x".repeat(200)));
        check(&"x".repeat(201), None);
    }
}

//! What a person adds to an answer, in their own words: the AI reads it.

use super::clipboard::without_codes;
use super::halt::Halt;
use super::state::Run;
use protocol::What;

/// What is added is cut to so many characters.
const WORDS: usize = 2_000;

impl Run {
    /// It goes to the AI as the person's words; what looks like a code does not.
    pub(super) async fn hear_words(&mut self, words: Option<String>) -> Result<(), Halt> {
        let Some(words) = words else {
            return Ok(());
        };
        let text: String = words.trim().chars().take(WORDS).collect();
        if text.is_empty() {
            return Ok(());
        }
        let text = without_codes(&self.secrets.hide(&text));
        self.add_words(text).await
    }

    /// The AI reads it with its next prompt.
    pub(super) async fn add_words(&mut self, text: String) -> Result<(), Halt> {
        self.conversation.hear(text.clone());
        self.record(What::Said { text }).await
    }
}

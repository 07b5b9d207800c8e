//! What one question costs, through all its tries: paid for with an answer or without.

use super::Remote;
use crate::error::{ModelError, Phase};
use crate::price;
use crate::wire_format::Tokens;
use protocol::Usage;
use std::sync::{MutexGuard, PoisonError};

/// The tokens of one question. Without an answer they are kept for whoever asks ([`Remote::take_unanswered`]): what the server
/// counted, and about as much as was sent where a step's question was given up, timed out or broke off while it was out.
pub(super) struct UsageMeter<'a> {
    remote: &'a Remote,
    pub(super) tokens: Tokens,
    /// Those of the tries before this one.
    before: Tokens,
    /// A try of a step's question is out.
    is_out: bool,
    /// Characters that are sent.
    pub(super) characters: usize,
    /// Pixels of the picture that is.
    picture: Option<(u32, u32)>,
}

impl<'a> UsageMeter<'a> {
    pub(super) fn new(remote: &'a Remote, characters: usize, picture: Option<(u32, u32)>) -> Self {
        Self {
            remote,
            tokens: Tokens::default(),
            before: Tokens::default(),
            is_out: false,
            characters,
            picture,
        }
    }

    /// A try of a step's question goes out.
    pub(super) fn begin_try(&mut self) {
        (self.before, self.is_out) = (self.tokens, true);
    }

    /// It came to nothing. Makers bill what they had read by then, also where they could not say any more how much that was.
    pub(super) fn failed(&mut self, trouble: &ModelError) {
        self.is_out = false;
        let was_read = matches!(
            trouble,
            ModelError::Slow(Phase::First | Phase::Stall | Phase::Whole) | ModelError::Cut(_)
        );
        if was_read && self.tokens == self.before {
            let lost = self.estimate("");
            self.remote.unanswered().push(lost);
        }
    }

    /// What the answer took, with what was counted of the tries before it; about how much, and said so, where the server counts
    /// nothing of it: then those are kept apart.
    pub(super) fn answered(mut self, answer: &str) -> Usage {
        self.is_out = false;
        if self.tokens == self.before {
            return self.estimate(answer);
        }
        self.told()
    }

    /// What the answer took as the server tells it.
    pub(super) fn told(mut self) -> Usage {
        let usage = self.remote.usage(self.tokens);
        self.tokens = Tokens::default();
        usage
    }

    fn counted(&self) -> Option<Usage> {
        let tokens = self.tokens;
        let is_counted = tokens.input > 0 || tokens.output > 0 || tokens.dollars.is_some();
        is_counted.then(|| self.remote.usage(tokens))
    }

    fn estimate(&self, answer: &str) -> Usage {
        let tokens = price::uncounted(self.characters, self.picture, answer);
        Usage {
            is_estimate: true,
            ..self.remote.usage(tokens)
        }
    }
}

impl Drop for UsageMeter<'_> {
    fn drop(&mut self) {
        let given_up = self.is_out.then(|| self.estimate(""));
        let lost = self.counted().into_iter().chain(given_up);
        self.remote.unanswered().extend(lost);
    }
}

impl Remote {
    /// What questions cost that brought no answer, since this was asked last.
    pub(crate) fn take_unanswered(&self) -> Vec<Usage> {
        std::mem::take(&mut *self.unanswered())
    }

    fn unanswered(&self) -> MutexGuard<'_, Vec<Usage>> {
        self.unanswered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

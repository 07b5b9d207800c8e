//! What a run hears, in order.

use super::handle::Message;
use crate::ports::PickedFile;
use protocol::{Answer, AskId};
use secrecy::SecretString;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long Stop waits for what is on its way before it says that a command may still be running.
pub const STOP_BOUND: Duration = Duration::from_secs(2);

/// The run's ear, and what it heard too early.
#[derive(Debug)]
pub(super) struct Inbox {
    messages: mpsc::UnboundedReceiver<Message>,
    /// Heard while a step was being broken off.
    early: VecDeque<Message>,
    /// Stop was heard: it is answered by then.
    stop_by: Option<Instant>,
}

impl Inbox {
    pub(super) fn new(messages: mpsc::UnboundedReceiver<Message>) -> Self {
        Self {
            messages,
            early: VecDeque::new(),
            stop_by: None,
        }
    }

    /// The next message; none when nobody is left who could send one. May be dropped without losing any.
    pub(super) async fn recv(&mut self) -> Option<Message> {
        self.messages.recv().await
    }

    /// The same, after what was heard too early.
    pub(super) async fn next(&mut self) -> Option<Message> {
        match self.early.pop_front() {
            Some(message) => Some(message),
            None => self.recv().await,
        }
    }

    /// For the wait that comes.
    pub(super) fn keep(&mut self, message: Option<Message>) {
        self.early.extend(message);
    }

    /// What was kept was for a wait that is over.
    pub(super) fn forget(&mut self) {
        self.early.clear();
    }

    /// Stop was heard: it is answered within the bound, whatever is to be waited for first.
    pub(super) fn hear_stop(&mut self) {
        self.stop_by.get_or_insert_with(|| Instant::now() + STOP_BOUND);
    }

    /// How long the run may still take to end.
    pub(super) fn left(&self) -> Duration {
        let left = self
            .stop_by
            .map(|by| by.saturating_duration_since(Instant::now()));
        left.unwrap_or(STOP_BOUND)
    }
}

/// What a message that does not break anything was.
pub(super) enum InboxEvent {
    Said,
    Answer(Answer),
    Supply {
        ask: AskId,
        digest: String,
        value: SecretString,
    },
    Give {
        ask: AskId,
        digest: String,
        file: PickedFile,
    },
    Resume,
    AskAgain,
    HandBack,
    PhoneBack,
    Settings,
}

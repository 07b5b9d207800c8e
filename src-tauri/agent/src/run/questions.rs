//! The run's questions: their numbers, the open one, and what is to be asked again.

use protocol::{Action, Ask, AskId, RunId};

/// One run's questions.
#[derive(Debug)]
pub(super) struct Questions {
    run: RunId,
    count: u32,
    open: Option<Ask>,
    /// What was asked about when time ran out, to be asked again: the action, and the model's words with it.
    again: Option<(Action, String)>,
}

impl Questions {
    pub(super) fn of(run: RunId) -> Self {
        Self {
            run,
            count: 0,
            open: None,
            again: None,
        }
    }

    /// The next question's id.
    pub(super) fn number(&mut self) -> AskId {
        self.count += 1;
        self.last()
    }

    /// The id of the last one.
    pub(super) fn last(&self) -> AskId {
        AskId(format!("{}/{}", self.run, self.count))
    }

    pub(super) fn open(&mut self, ask: Ask) {
        self.open = Some(ask);
    }

    /// The open question, which is open no more.
    pub(super) fn close(&mut self) -> Option<Ask> {
        self.open.take()
    }

    /// Time ran out on a question about this.
    pub(super) fn ask_again(&mut self, about: Option<(Action, String)>) {
        self.again = about;
    }

    pub(super) fn has_again(&self) -> bool {
        self.again.is_some()
    }

    pub(super) fn take_again(&mut self) -> Option<(Action, String)> {
        self.again.take()
    }
}

//! The run's questions: their numbers, the open one, and what is to be asked again.

use protocol::{Action, Ask, AskId, AskOutcome, Ending, RunId};

/// One run's questions.
#[derive(Debug)]
pub(super) struct Questions {
    run: RunId,
    count: u32,
    open: Option<Ask>,
    /// The last one about a deed was answered by No, or by nobody.
    is_declined: bool,
    /// What was asked about when time ran out, to be asked again: the action, and the model's words with it.
    again: Option<(Action, String)>,
}

impl Questions {
    pub(super) fn of(run: RunId) -> Self {
        Self {
            run,
            count: 0,
            open: None,
            is_declined: false,
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

    /// The last question about a deed ended so.
    pub(super) fn ended(&mut self, outcome: &AskOutcome) {
        match outcome {
            AskOutcome::Denied | AskOutcome::TimedOut => self.is_declined = true,
            AskOutcome::Allowed | AskOutcome::Supplied { .. } => self.is_declined = false,
            AskOutcome::Withdrawn => {}
        }
    }

    /// The end of a run that says this.
    pub(super) fn finished(&self, message: String) -> Ending {
        Ending::Finished {
            message,
            declined: self.is_declined,
        }
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

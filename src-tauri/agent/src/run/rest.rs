//! A run that rests: what it waits for, and what no longer counts when it goes on.

use super::halt::{Halt, Interrupt};
use super::inbox::InboxEvent;
use super::state::Run;
use protocol::{Ending, What};

impl Run {
    /// Waits until the person hands the phone back. Some: the run ends instead.
    pub(super) async fn taken_over(&mut self) -> Option<Ending> {
        self.rest();
        self.withdraw().await;
        self.insist(What::TakenOver).await;
        loop {
            match self.hear_next().await {
                Ok(InboxEvent::HandBack) => break,
                Ok(_) => {}
                Err(Halt::Interrupted(Interrupt::Stop)) => return Some(Ending::Stopped),
                Err(Halt::Interrupted(Interrupt::Pause | Interrupt::TakeOver) | Halt::Pause(_)) => {}
                Err(Halt::End(ending)) => return Some(ending),
            }
        }
        self.go_on();
        self.questions.ask_again(None);
        // What the page says was done from now on may be the person's own doing.
        self.permissions.sent(None);
        self.grip = self.lease.take();
        self.insist(What::HandedBack).await;
        self.conversation.tell(self.budget.step(), "The person used the phone by hand meanwhile. Look at the screen as it is now; do not assume anything.",
        );
        None
    }

    /// The clock of the run stands still, and nothing seen before counts any more.
    pub(super) fn rest(&mut self) {
        self.budget.rest();
        self.observation_cache.rest();
        self.permissions.forget_grants();
        let undone = self.conversation.take_undone();
        if let Some(action) = undone.filter(|_| !self.questions.has_again()) {
            self.note_on(&action, "", "not done: the run stood still first");
        }
        if self.follow.take().is_some() {
            if let Some(replay) = &mut self.replay {
                replay.was_broken_off();
            }
            let told = "The last action was broken off half-way: look what the screen shows.";
            self.conversation.tell(self.budget.step(), told);
        }
    }

    /// What was counted towards a pause starts anew, and what was heard early was for the wait that is over.
    pub(super) fn go_on(&mut self) {
        self.inbox.forget();
        self.budget.go_on();
        self.observation_cache.go_on();
        self.conversation.is_clear();
        self.repeats.forget();
    }

    /// The open question no longer stands.
    pub(super) async fn withdraw(&mut self) {
        if let Some(ask) = self.questions.close() {
            let outcome = protocol::AskOutcome::Withdrawn;
            self.insist(What::Answered { ask: ask.id, outcome }).await;
        }
    }
}

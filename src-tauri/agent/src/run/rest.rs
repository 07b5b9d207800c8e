//! A run that rests: what it waits for, and what no longer counts when it goes on.

use super::limits::minutes;
use super::{Break, Halt, Heard, Run};
use protocol::{Ending, What};
use tokio::time::Instant;

impl Run {
    /// Waits until the person hands the phone back. Some: the run ends instead.
    pub(super) async fn taken_over(&mut self) -> Option<Ending> {
        self.rest();
        self.withdraw().await;
        self.insist(What::TakenOver).await;
        loop {
            match self.hear_next().await {
                Ok(Heard::HandBack) => break,
                Ok(_) => {}
                Err(Halt::Broken(Break::Stop)) => return Some(Ending::Stopped),
                Err(Halt::Broken(Break::Pause | Break::TakeOver) | Halt::Pause(_)) => {}
                Err(Halt::End(ending)) => return Some(ending),
            }
        }
        self.go_on();
        self.again = None;
        self.grip = self.lease.take();
        self.insist(What::HandedBack).await;
        self.history.push(
            self.step,
            "",
            "The person used the phone by hand meanwhile. Look at the screen as it is now; do not assume anything.",
        );
        None
    }

    /// The clock of the run stands still, and nothing seen before counts any more.
    pub(super) fn rest(&mut self) {
        self.active_before += self.active_since.elapsed();
        self.fresh = None;
        self.harmless = false;
        self.grants.clear();
        if self.follow.take().is_some() {
            let told = "The last action was broken off half-way: look what the screen shows.";
            self.history.push(self.step, "", told);
        }
    }

    /// What was counted towards a pause starts anew, and what was heard early was for the wait that is over.
    pub(super) fn go_on(&mut self) {
        self.kept.clear();
        self.active_since = Instant::now();
        self.rested = true;
        self.unclear = 0;
        self.repeats.clear();
        let limits = self.task.settings.limits;
        if self.step >= self.steps_allowed {
            self.steps_allowed = self.step.saturating_add(limits.steps);
        }
        if self.active_before >= minutes(self.minutes_allowed) {
            self.minutes_allowed = self.minutes_allowed.saturating_add(limits.minutes);
        }
    }

    /// The open question no longer stands.
    pub(super) async fn withdraw(&mut self) {
        if let Some(ask) = self.asked.take() {
            let outcome = protocol::AskOutcome::Withdrawn;
            self.insist(What::Answered { ask: ask.id, outcome }).await;
        }
    }
}

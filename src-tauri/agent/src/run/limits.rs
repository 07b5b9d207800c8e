//! What a run may cost before it asks the person whether to go on.

use super::{Halt, Run};
use protocol::PauseReason;
use std::sync::Arc;
use std::time::Duration;

impl Run {
    /// Steps, minutes and money, before anything is spent.
    pub(super) async fn check_limits(&mut self) -> Result<(), Halt> {
        let limit = |limit: &str| {
            Err(Halt::Pause(PauseReason::Limit {
                limit: limit.to_owned(),
            }))
        };
        if self.step >= self.steps_allowed {
            return limit("steps");
        }
        if self.active_before + self.active_since.elapsed() >= minutes(self.minutes_allowed) {
            return limit("minutes");
        }
        let journal = Arc::clone(&self.ports.journal);
        let spent = self.race(async move { journal.spent_today().await }).await?;
        match spent {
            Ok(spent)
                if self.task.settings.limits.pause_at_limit
                    && spent >= self.task.settings.limits.dollars_a_day
                    && spent > 0.0 =>
            {
                limit("dollars")
            }
            Ok(_) => Ok(()),
            Err(failure) => Err(Halt::Pause(PauseReason::Journal { failure })),
        }
    }
}

pub(super) fn minutes(n: u32) -> Duration {
    Duration::from_secs(u64::from(n) * 60)
}

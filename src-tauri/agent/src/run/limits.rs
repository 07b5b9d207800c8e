//! The limits of a run, looked at before anything is spent.

use super::halt::Halt;
use super::state::Run;
use protocol::{LimitKind, PauseReason};
use std::sync::Arc;

impl Run {
    /// Steps, minutes and money.
    pub(super) async fn check_limits(&mut self) -> Result<(), Halt> {
        let limit = |limit: LimitKind| Err(Halt::Pause(PauseReason::Limit { limit: limit.into() }));
        if let Some(reached) = self.budget.reached() {
            return limit(reached);
        }
        let journal = Arc::clone(&self.ports.journal);
        let spent = self.race(async move { journal.spent_today().await }).await?;
        match spent {
            Ok(spent) if self.budget.is_spent(spent) => limit(LimitKind::Dollars),
            Ok(_) => Ok(()),
            Err(failure) => Err(Halt::journal(failure)),
        }
    }
}

//! One step of a run.

use super::halt::Halt;
use super::state::Run;
use super::think::PlannedAction;
use super::unlock;

impl Run {
    /// One step: look, think, read, judge, ask, look again, promise, act, settle, tell.
    pub(super) async fn step(&mut self) -> Result<(), Halt> {
        // While the journal is closed nothing is looked at and nobody is paid to think.
        self.recorder.write().await.map_err(Halt::journal)?;
        self.check_limits().await?;
        if let Some(reason) = self.permissions.tripped() {
            return Err(Halt::Pause(reason));
        }
        self.budget.begin_step();
        self.timeline.begin(self.budget.step());
        if self.observation_cache.take_rested() {
            self.wake().await?;
        }
        let mut seen = match self.unchanged().await? {
            Some(seen) => {
                self.tell_look(&seen).await?;
                seen
            }
            None => {
                self.wait_for_turning().await?;
                if self.replay.is_none()
                    && self.may_think_ahead()
                    && let Some(sight) = self.sight_to_think_on().await?
                {
                    return self.step_ahead(sight).await;
                }
                self.look().await?
            }
        };
        self.notice_deed(&seen)?;
        if unlock::is_dark(&seen.screen) && self.wake().await? {
            seen = self.look().await?;
        }
        if !self.questions.has_again()
            && let Some(follow) = self.follow.take()
        {
            return self.follow_up(*follow, seen).await;
        }
        // A question that ran out of time is asked again about the same action, on the screen as it is now.
        let wanted = match self.questions.take_again() {
            Some((action, thought)) => Some(PlannedAction {
                action,
                thought,
                pointed: None,
            }),
            None if self.replay.is_some() => {
                let (wanted, now) = Box::pin(self.repeat(seen)).await?;
                seen = now;
                wanted
            }
            None => self.think(&seen).await?,
        };
        match wanted {
            Some(wanted) => self.carry_out(wanted, seen).await,
            None => Ok(()),
        }
    }
}

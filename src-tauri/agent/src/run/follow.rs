//! What an action still has to do after its first touch, on the screen that came of it.

use super::halt::Halt;
use super::observation::Observation;
use super::outcome::{failed, last_words};
use super::state::Run;
use crate::plan::{FollowUp, FollowUpStep};
use tokio::time::Instant;

impl Run {
    /// One step of it: an action of its own, judged, asked about and written down like any other.
    pub(super) async fn follow_up(&mut self, follow: FollowUp, seen: Observation) -> Result<(), Halt> {
        match follow.next(&seen.screen, self.at_end) {
            FollowUpStep::Act(action, rest) => {
                let why = follow.action.reason.clone().unwrap_or_default();
                self.carry_on(*action, &why, seen, rest).await
            }
            FollowUpStep::Fits => {
                self.note(&follow.action, "done: it stands as it was wanted");
                self.unless_last(&follow)
            }
            FollowUpStep::Unsure(told) => {
                self.note(&follow.action, &told);
                self.unless_last(&follow)
            }
            FollowUpStep::Fails(code, told) => {
                let began = Instant::now();
                let told = self.secrets.hide(&told);
                self.begin(&follow.action, None).await?;
                self.tell_acted(failed(code, &told), began).await?;
                self.note(&follow.action, &format!("failed: {told}"));
                Ok(())
            }
        }
    }

    fn unless_last(&self, follow: &FollowUp) -> Result<(), Halt> {
        if follow.action.then_finish {
            return Err(Halt::End(self.questions.finished(last_words(&follow.action))));
        }
        Ok(())
    }
}

//! A run from its first event to its last: step after step, and the waits in between.

use super::halt::{Halt, Interrupt};
use super::inbox::InboxEvent;
use super::phone_error::{waits_for_phone, waits_for_unlock};
use super::record::Recorder;
use super::state::Run;
use super::unlock;
use protocol::{Ending, PauseReason, What};
use std::sync::Arc;

impl Run {
    pub(super) async fn live(mut self) -> Recorder {
        let started = What::Started {
            goal: self.task.goal.clone(),
            model: self.ports.model.name(),
            demo_ai: self.ports.model.is_demo(),
            automation: self.task.automation.clone(),
            goes_on: self.task.earlier.as_ref().map(|prior| prior.run.clone()),
        };
        let mut halt = self.record(started).await.err();
        // What is repeated is asked about where it is done: nobody is paid to read the task.
        let mut is_agreed = self.replay.is_some();
        loop {
            let next = match halt.take() {
                None if !is_agreed => {
                    let agreed = self.agree_beforehand().await;
                    // Where nothing may be spent it is read once something may.
                    is_agreed = !matches!(agreed, Err(Halt::Pause(PauseReason::Limit { .. })));
                    agreed
                }
                None => {
                    let step = self.step().await;
                    self.tell_timing();
                    step
                }
                Some(halt) => Err(halt),
            };
            let Err(stop) = next else { continue };
            let ending = match stop {
                Halt::End(ending) => Some(ending),
                Halt::Interrupted(Interrupt::Stop) => Some(Ending::Stopped),
                Halt::Interrupted(Interrupt::Pause) => self.pause(PauseReason::Person).await,
                Halt::Interrupted(Interrupt::TakeOver) => self.taken_over().await,
                Halt::Pause(reason) => self.pause(reason).await,
            };
            if let Some(ending) = ending {
                self.end(ending).await;
                return self.recorder;
            }
        }
    }

    /// Counts what was paid for beside the steps: none comes that would tell of it.
    async fn write_spent(&mut self) {
        self.spend_opinions();
        let Some(usage) = self.conversation.take_spent() else {
            return;
        };
        if let Err(failure) = self.ports.journal.spend(usage).await {
            tracing::warn!(?failure, "what was spent could not be counted yet");
            self.conversation.spend(usage);
        }
    }

    /// The last event: told once nothing more can reach the phone, or the bound is over.
    async fn end(&mut self, ending: Ending) {
        self.withdraw().await;
        self.grip.release();
        // One bound for all that follows Stop: what was broken off may have taken its time already.
        let is_drained = self.lease.drained(self.inbox.left()).await;
        self.maybe_running |= !is_drained && ending == Ending::Stopped;
        self.write_spent().await;
        self.insist(What::Ended {
            ending,
            maybe_running: self.maybe_running,
        })
        .await;
    }

    /// Waits until the person (or the phone's return) lets the run go on. Some: it ends instead.
    async fn pause(&mut self, mut reason: PauseReason) -> Option<Ending> {
        loop {
            self.rest();
            self.withdraw().await;
            self.grip.release();
            self.write_spent().await;
            let comes_back = waits_for_phone(&reason);
            let locked = waits_for_unlock(&reason);
            let is_limit = matches!(reason, PauseReason::Limit { .. });
            match reason {
                PauseReason::Journal { .. } => self.recorder.tell_ahead(What::Paused { reason }),
                reason => self.insist(What::Paused { reason }).await,
            }
            if let Some(instead) = self.wait_out(comes_back, locked).await {
                return instead;
            }
            self.go_on();
            if is_limit {
                self.budget.extend();
            }
            self.grip = self.lease.take();
            match self.recorder.insist(What::Resumed).await {
                Ok(()) => return None,
                // The journal is still closed: it waits on.
                Err(failure) => reason = PauseReason::Journal { failure },
            }
        }
    }

    /// Waits while it is paused. None: it goes on; else what comes instead. `comes_back`, `locked`: what it goes on after by
    /// itself, unless the person pauses it meanwhile: then it waits for them.
    async fn wait_out(&mut self, mut comes_back: bool, mut locked: bool) -> Option<Option<Ending>> {
        loop {
            let phone = Arc::clone(&self.ports.phone);
            let grip = self.grip.clone();
            let heard = tokio::select! {
                biased;
                heard = self.hear_next() => heard,
                () = unlock::unlocked(phone, grip), if locked => return None,
            };
            match heard {
                Ok(InboxEvent::Resume | InboxEvent::AskAgain) => return None,
                Ok(InboxEvent::PhoneBack) if comes_back => return None,
                Ok(_) => {}
                Err(Halt::Interrupted(Interrupt::Stop)) => return Some(Some(Ending::Stopped)),
                Err(Halt::Interrupted(Interrupt::TakeOver)) => return Some(self.taken_over().await),
                Err(Halt::Interrupted(Interrupt::Pause)) if comes_back || locked => {
                    (comes_back, locked) = (false, false);
                    let reason = PauseReason::Person;
                    self.insist(What::Paused { reason }).await;
                }
                Err(Halt::Interrupted(Interrupt::Pause)) => {}
                // The journal is still closed: stay where we are.
                Err(Halt::Pause(_)) => {}
                Err(Halt::End(ending)) => return Some(Some(ending)),
            }
        }
    }
}

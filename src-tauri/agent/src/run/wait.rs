//! Waiting for what must not be dropped half-way.

use super::computer_script::ScriptOutput;
use super::halt::{Halt, Interrupt};
use super::handle::Message;
use super::inbox::STOP_BOUND;
use super::state::Run;
use crate::prior_progress::BEGUN;
use protocol::{Op, Outcome, OutcomeCode};
use std::time::Duration;
use tokio::time::Instant;

impl Run {
    /// Waits for something that must not be dropped half-way. When the person breaks in, the lease is gone already and
    /// the work ends itself; it gets until the bound to say so.
    pub(super) async fn finish_first<T>(
        &mut self,
        work: impl Future<Output = T>,
        began: Instant,
    ) -> Result<T, Halt> {
        self.finish_telling(work, began, None).await
    }

    /// The same for work that prints: what it prints is told as it comes.
    pub(super) async fn finish_telling<T>(
        &mut self,
        work: impl Future<Output = T>,
        began: Instant,
        mut telling: Option<ScriptOutput>,
    ) -> Result<T, Halt> {
        tokio::pin!(work);
        let mut interrupt: Option<Interrupt> = None;
        let mut bound = Instant::now() + Duration::from_secs(86_400);
        loop {
            tokio::select! {
                biased;
                out = &mut work => {
                    if let Some(telling) = &mut telling {
                        self.tell_printed(telling, true).await?;
                    }
                    let Some(interrupt) = interrupt else { return Ok(out) };
                    self.tell_broken(began, OutcomeCode::LeaseLost).await?;
                    return Err(Halt::Interrupted(interrupt));
                }
                message = self.inbox.recv() => {
                    let wants = match &message {
                        None | Some(Message::Op(Op::Stop)) => Some(Interrupt::Stop),
                        Some(Message::Op(Op::Pause)) => Some(Interrupt::Pause),
                        Some(Message::Op(Op::TakeOver)) => Some(Interrupt::TakeOver),
                        Some(_) => None,
                    };
                    match wants {
                        Some(wants) => {
                            self.inbox.forget();
                            if wants == Interrupt::Stop {
                                self.inbox.hear_stop();
                            }
                            if interrupt.is_none() {
                                bound = Instant::now() + STOP_BOUND;
                            }
                            interrupt = Some(match interrupt {
                                Some(Interrupt::Stop) => Interrupt::Stop,
                                _ => wants,
                            });
                            if message.is_none() {
                                self.lease.revoke();
                            }
                        }
                        // Said before the step was over: it is heard once the person has the phone, or the run waits.
                        None if interrupt.is_some()
                            && matches!(message, Some(Message::Op(Op::HandBack | Op::Resume))) =>
                        {
                            self.inbox.keep(message);
                        }
                        None => {
                            self.hear(message).await?;
                        }
                    }
                }
                () = due(&mut telling) => {
                    if let Some(telling) = &mut telling {
                        self.tell_printed(telling, false).await?;
                    }
                }
                () = tokio::time::sleep_until(bound) => {
                    self.maybe_running = true;
                    self.tell_broken(began, OutcomeCode::Unknown).await?;
                    return Err(Halt::Interrupted(interrupt.unwrap_or(Interrupt::Stop)));
                }
            }
        }
    }

    async fn tell_broken(&mut self, began: Instant, code: OutcomeCode) -> Result<(), Halt> {
        let outcome = Outcome {
            code: code.into(),
            ..Outcome::default()
        };
        let is_unknown = self.tell_acted(outcome, began).await?;
        let told = match is_unknown {
            true => format!("The person broke in; this step was {BEGUN}."),
            false => "The person broke in; this step was not finished.".to_owned(),
        };
        self.conversation.tell(self.budget.step(), told);
        Ok(())
    }
}

/// When something printed is to be told; never, where nothing prints.
async fn due(telling: &mut Option<ScriptOutput>) {
    match telling {
        Some(telling) => telling.due().await,
        None => std::future::pending().await,
    }
}

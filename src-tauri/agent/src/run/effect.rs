//! What was allowed is done: promise, act, settle, tell. Every wait is broken off by the person.

use super::look::{Seen, same_picture};
use super::{Break, Halt, Message, Run, STOP_BOUND, failure_of};
use crate::plan::{Doing, Plan};
use crate::ports::{Command, PhoneTrouble, Reply};
use crate::prompt::{Facts, Prompt};
use protocol::{Action, Ending, Op, Outcome, PauseReason, Screen, Usage, What};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long the screen may go on moving after an action.
const SETTLE: Duration = Duration::from_secs(5);

impl Run {
    /// Promise, act, settle, tell.
    pub(super) async fn do_it(&mut self, action: &Action, plan: Plan, now: &Seen) -> Result<(), Halt> {
        let began = Instant::now();
        let shown = plan
            .element
            .as_ref()
            .and_then(|e| now.shown.screen.elements.iter().find(|s| s.index == e.index));
        let acting = What::Acting {
            step: self.step,
            action: action.clone(),
            label: shown
                .map(|element| element.label.clone())
                .filter(|label| !label.is_empty()),
            role: shown.map(|element| element.role.clone()),
            place: plan.place,
            app_label: plan.app_label.clone(),
            ring: plan.ring,
            secret_characters: None,
        };
        self.record(acting).await?;
        let (outcome, told) = match plan.doing {
            Doing::Phone(commands) => self.on_phone(commands, &now.screen, began).await?,
            other => self.off_phone(other).await?,
        };
        let ok = outcome.ok;
        self.tell_acted(outcome, began).await?;
        self.note(action, &told);
        if action.then_finish && ok {
            let message = action
                .reason
                .clone()
                .unwrap_or_else(|| "Task finished.".to_owned());
            return Err(Halt::End(Ending::Finished { message }));
        }
        Ok(())
    }

    pub(super) async fn tell_acted(&mut self, outcome: Outcome, began: Instant) -> Result<(), Halt> {
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.record(What::Acted {
            step: self.step,
            outcome,
            took_ms,
        })
        .await
    }

    /// Commands to the phone, one after another, then until the screen is quiet.
    async fn on_phone(
        &mut self,
        commands: Vec<Command>,
        before: &Screen,
        began: Instant,
    ) -> Result<(Outcome, String), Halt> {
        let mut output: Option<String> = None;
        let mut rung = None;
        for command in commands {
            let phone = Arc::clone(&self.ports.phone);
            let grip = self.grip.clone();
            let done = self
                .finish_first(async move { phone.perform(&command, &grip).await }, began)
                .await?;
            match done {
                Ok(effect) => {
                    output = effect.output.or(output);
                    rung = effect.rung.or(rung);
                }
                Err(trouble) => return self.trouble(&trouble, began).await,
            }
        }
        let changed = self.settle(before).await?;
        let mut told = match changed {
            Some(false) => "done, but the screen looks the same".to_owned(),
            _ => "done".to_owned(),
        };
        if let Some(output) = output.as_deref().filter(|output| !output.trim().is_empty()) {
            told = format!("{told}; the phone printed: {}", self.secrets.hide(output));
        }
        let output = output.map(|output| self.secrets.hide(&output));
        Ok((
            Outcome {
                ok: true,
                code: "done".into(),
                rung: rung.map(str::to_owned),
                output,
                changed,
            },
            told,
        ))
    }

    /// Waits until the screen is quiet; says whether it looks different.
    pub(super) async fn settle(&mut self, before: &Screen) -> Result<Option<bool>, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        match self.race(async move { phone.settle(SETTLE).await }).await? {
            Ok(sight) => {
                let changed = !same_picture(before, &sight);
                self.settled_at = Instant::now();
                self.fresh = sight.quiet.then_some(sight);
                Ok(Some(changed))
            }
            // What was done is done; the next look will meet the same trouble and say so.
            Err(trouble) => {
                tracing::info!(%trouble, "could not watch the screen settle");
                Ok(None)
            }
        }
    }

    /// What the phone would not do, told; a phone that is gone halts.
    pub(super) async fn trouble(
        &mut self,
        trouble: &PhoneTrouble,
        began: Instant,
    ) -> Result<(Outcome, String), Halt> {
        let code = match trouble {
            PhoneTrouble::Gone(_) => "phone_gone",
            PhoneTrouble::Unauthorized => "phone_unauthorized",
            PhoneTrouble::Slow(_) => "phone_slow",
            PhoneTrouble::Refused(_) => "phone_refused",
            PhoneTrouble::TouchForbidden(_) => "touch_forbidden",
            PhoneTrouble::Tree(_) => "no_elements",
            PhoneTrouble::CannotType => "cannot_type",
            PhoneTrouble::AppNotFound(_) => "app_not_found",
            PhoneTrouble::NotSupported(_) => "not_supported",
            PhoneTrouble::LeaseLost => "lease_lost",
            PhoneTrouble::MaybeRunning(_) => "unknown",
        };
        let detail = self.secrets.hide(&trouble.to_string());
        let outcome = Outcome {
            ok: false,
            code: code.into(),
            rung: None,
            output: Some(detail.clone()),
            changed: None,
        };
        match trouble {
            PhoneTrouble::Gone(_) | PhoneTrouble::Unauthorized | PhoneTrouble::TouchForbidden(_) => {
                self.tell_acted(outcome, began).await?;
                let reason = match trouble {
                    PhoneTrouble::Gone(_) => PauseReason::PhoneGone,
                    other => PauseReason::Look {
                        failure: failure_of(other),
                    },
                };
                Err(Halt::Pause(reason))
            }
            _ => Ok((outcome, format!("failed: {detail}"))),
        }
    }

    /// Everything that is not done on the phone.
    async fn off_phone(&mut self, doing: Doing) -> Result<(Outcome, String), Halt> {
        let done = |code: &str, told: String| {
            (
                Outcome {
                    ok: true,
                    code: code.to_owned(),
                    rung: None,
                    output: None,
                    changed: None,
                },
                told,
            )
        };
        Ok(match doing {
            Doing::Phone(_) | Doing::Look => done("done", "done".into()),
            Doing::Wait(time) => {
                self.race(tokio::time::sleep(time)).await?;
                done("done", "done".into())
            }
            Doing::Nothing { code } => done(code, format!("nothing was done: {}", code.replace('_', " "))),
            Doing::Apps => {
                self.list_apps = true;
                done(
                    "done",
                    format!("{} apps can be opened; they are listed below", self.apps.len()),
                )
            }
            Doing::Keep { output, text } => {
                let told = format!("kept as {output}: {} characters", text.chars().count());
                self.variables.insert(output, text);
                done("done", told)
            }
            Doing::AskModel { prompt, output } => match self.ask_model(&prompt).await? {
                Ok(reply) => {
                    let told = format!("kept as {output}: {} characters", reply.text.chars().count());
                    self.variables.insert(output, reply.text);
                    done("done", told)
                }
                Err(failure) => return Err(Halt::Pause(PauseReason::Model { failure })),
            },
            Doing::Script { script, limit } => self.script(&script, limit).await?,
        })
    }

    async fn script(&mut self, script: &str, limit: Duration) -> Result<(Outcome, String), Halt> {
        let scripts = Arc::clone(&self.ports.scripts);
        let (grip, script) = (self.grip.clone(), script.to_owned());
        let ran = self
            .finish_first(
                async move { scripts.run(&script, limit, &grip).await },
                Instant::now(),
            )
            .await?;
        Ok(match ran {
            Ok(end) => {
                let ok = end.exit == Some(0) && !end.timed_out;
                let code = if end.timed_out {
                    "timed_out"
                } else if ok {
                    "done"
                } else {
                    "script_failed"
                };
                let exit = end
                    .exit
                    .map_or_else(|| "none".to_owned(), |exit| exit.to_string());
                let text = format!("exit code {exit}; output: {}; errors: {}", end.stdout, end.stderr);
                let text = self.secrets.hide(&text);
                let output = Some(text.clone());
                (
                    Outcome {
                        ok,
                        code: code.into(),
                        rung: None,
                        output,
                        changed: None,
                    },
                    text,
                )
            }
            Err(failure) => {
                let detail = failure.detail.unwrap_or_default();
                let told = format!("the script could not be run: {detail}");
                (
                    Outcome {
                        ok: false,
                        code: "script_failed".into(),
                        rung: None,
                        output: Some(detail),
                        changed: None,
                    },
                    told,
                )
            }
        })
    }

    /// A plain question to the model, with no picture and no screen.
    async fn ask_model(&mut self, question: &str) -> Result<Result<Reply, protocol::Failure>, Halt> {
        let model = Arc::clone(&self.ports.model);
        let mut screen = blank_screen(&self.task.phone);
        screen.current_app = "unknown".into();
        let prompt = Prompt {
            system: "Answer the question in plain text.".into(),
            user: question.to_owned(),
            picture: None,
            facts: Facts {
                goal: question.to_owned(),
                screen,
                history: vec![],
                said: vec![],
                apps: vec![],
            },
        };
        let answer = self
            .race(async move { model.think(&prompt, &|_, _| {}).await })
            .await?;
        if let Ok(Reply { usage, .. }) = &answer
            && *usage != Usage::default()
        {
            tracing::debug!(
                input = usage.input_tokens,
                output = usage.output_tokens,
                "asked the model aside"
            );
        }
        Ok(answer)
    }

    /// Waits for something that must not be dropped half-way. When the person breaks in, the lease is gone already and
    /// the work ends itself; it gets until the bound to say so.
    pub(super) async fn finish_first<T>(
        &mut self,
        work: impl Future<Output = T>,
        began: Instant,
    ) -> Result<T, Halt> {
        tokio::pin!(work);
        let mut broken: Option<Break> = None;
        let mut bound = Instant::now() + Duration::from_secs(86_400);
        loop {
            tokio::select! {
                biased;
                out = &mut work => {
                    let Some(broken) = broken else { return Ok(out) };
                    self.tell_broken(began, "lease_lost").await?;
                    return Err(Halt::Broken(broken));
                }
                message = self.inbox.recv() => {
                    let wants = match &message {
                        None | Some(Message::Op(Op::Stop)) => Some(Break::Stop),
                        Some(Message::Op(Op::Pause)) => Some(Break::Pause),
                        Some(Message::Op(Op::TakeOver)) => Some(Break::TakeOver),
                        Some(_) => None,
                    };
                    match wants {
                        Some(wants) => {
                            if broken.is_none() {
                                bound = Instant::now() + STOP_BOUND;
                            }
                            broken = Some(if broken == Some(Break::Stop) { Break::Stop } else { wants });
                            if message.is_none() {
                                self.lease.revoke();
                            }
                        }
                        None => {
                            self.hear(message).await?;
                        }
                    }
                }
                () = tokio::time::sleep_until(bound) => {
                    self.maybe_running = true;
                    self.tell_broken(began, "unknown").await?;
                    return Err(Halt::Broken(broken.unwrap_or(Break::Stop)));
                }
            }
        }
    }

    async fn tell_broken(&mut self, began: Instant, code: &str) -> Result<(), Halt> {
        let outcome = Outcome {
            ok: false,
            code: code.to_owned(),
            rung: None,
            output: None,
            changed: None,
        };
        self.history
            .push(self.step, "", "The person broke in; this step was not finished.");
        self.tell_acted(outcome, began).await
    }
}

fn blank_screen(phone: &protocol::PhoneId) -> Screen {
    Screen {
        phone: phone.clone(),
        current_app: String::new(),
        window: None,
        width: 0,
        height: 0,
        captured_at: 0,
        capture: protocol::CaptureResult::Failed,
        frame: None,
        elements: Vec::new(),
        tree_read: false,
        totals: protocol::Totals::default(),
        keyboard_shown: false,
    }
}

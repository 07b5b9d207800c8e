//! Asking the person, and waiting for the one answer that counts.

use super::halt::{Halt, Interrupt};
use super::inbox::InboxEvent;
use super::look::can_be_read;
use super::observation::Observation;
use super::state::Run;
use crate::evidence;
use crate::ports::{Clock, Phone, PickedFile};
use crate::timing::Waited;
use judge::{Page, Yes};
use protocol::{
    Action, Answer, Ask, AskId, AskKind, AskOutcome, AskReason, CaptureResult, Choice, Claim, Element,
    ElementState, Evidence, FrameId, Millis, PauseReason, RuleName, Screen, What,
};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long a question of ours waits.
pub(super) const WAIT: Duration = Duration::from_secs(300);
/// What "I need more time" adds.
const MORE: Duration = Duration::from_secs(300);
/// No question waits longer than this in all.
const LONGEST: Duration = Duration::from_secs(1800);

/// How often it is looked whether a question's time of day has come.
const OFTEN: Duration = Duration::from_secs(5);
/// When it is looked whether a screen that nobody could read can be read, the first time; and how often at last.
const AGAIN: Duration = Duration::from_secs(3);
const RARELY: Duration = Duration::from_secs(24);

/// What is to be asked.
pub(super) struct Question<'a> {
    pub kind: AskKind,
    pub reason: AskReason,
    /// What would be done on a Yes.
    pub action: Option<&'a Action>,
    /// What it would touch, or what the question is about.
    pub target: Option<&'a Element>,
    pub screen: &'a Screen,
    pub frame: Option<FrameId>,
    /// What stands around the target there.
    pub about: Vec<String>,
    /// The site in front, in a browser.
    pub site: Option<&'a str>,
    /// The model's words.
    pub says: &'a str,
    pub wait: Duration,
    /// What the screen says; read here when the caller has not.
    pub evidence: Evidence,
    /// The answers that are taken, where the kind alone does not say.
    pub choices: Option<Vec<Choice>>,
}

impl<'a> Question<'a> {
    /// What a rule asks before an action is done.
    pub(super) fn by_rule(
        kind: AskKind,
        rule: RuleName,
        action: &'a Action,
        target: Option<&'a Element>,
        now: &'a Observation,
        says: &'a str,
        evidence: Evidence,
    ) -> Self {
        Self {
            kind,
            reason: AskReason::Rule { rule: rule.into() },
            action: Some(action),
            target,
            screen: &now.screen,
            frame: now.frame.clone(),
            about: now.about(target),
            site: now.address.as_deref(),
            says,
            wait: WAIT,
            evidence,
            choices: None,
        }
    }
}

/// What the person gave.
pub(super) enum PersonAnswer {
    Yes(Yes),
    No,
    Secret(SecretString, Yes),
    File(PickedFile, Yes),
    /// Nobody needs to say anything more: the screen that nobody could read can be read.
    Readable,
}

/// What of something heard is an answer.
enum ReceivedAnswer {
    Given(PersonAnswer),
    MoreTime,
    Nothing,
}

impl Run {
    /// Asks, and returns what the person said. No answer, Take over, Stop and Pause halt the step.
    pub(super) async fn ask(&mut self, question: Question<'_>) -> Result<PersonAnswer, Halt> {
        let again = question
            .action
            .cloned()
            .map(|action| (action, question.says.to_owned()));
        let (screen, kind) = (question.screen, question.kind);
        let blind = kind == AskKind::Unreadable && !screen.tree_read;
        let mut readable = std::pin::pin!(readable(
            Arc::clone(&self.ports.phone),
            (screen.width, screen.height)
        ));
        let ask = self.form(question).await?;
        let id = ask.id.clone();
        // Registered before announced: an answer that comes at once finds the question.
        self.questions.open(ask.clone());
        self.observation_cache.was_asked();
        self.record(What::Asked {
            step: self.budget.step(),
            ask: ask.clone(),
        })
        .await?;
        let began = Instant::now();
        let mut deadline = began + Duration::from_millis(ask.deadline.saturating_sub(ask.asked_at));
        let (clock, mut ends_at) = (Arc::clone(&self.ports.clock), ask.deadline);
        loop {
            let message = tokio::select! {
                biased;
                message = self.inbox.recv() => message,
                () = time_is_up(&*clock, deadline, ends_at) => {
                    self.settle_ask(&id, AskOutcome::TimedOut).await?;
                    self.questions.ask_again(again);
                    return Err(Halt::Pause(PauseReason::TimedOut { ask: id }));
                }
                () = &mut readable, if blind => {
                    self.settle_ask(&id, AskOutcome::Withdrawn).await?;
                    return Ok(PersonAnswer::Readable);
                }
            };
            // Whoever pauses, stops or takes over withdraws the question; that is written down where it is handled.
            let heard = self.hear(message).await?;
            match self.take_answer(&ask, heard).await? {
                ReceivedAnswer::Given(given) => {
                    self.timeline.waited(Waited::Person, began);
                    return Ok(given);
                }
                ReceivedAnswer::MoreTime => {
                    let longer = (deadline + MORE).min(began + LONGEST);
                    if longer > deadline {
                        deadline = longer;
                        ends_at = self.wall(longer);
                        self.record(What::Extended {
                            ask: id.clone(),
                            deadline: ends_at,
                        })
                        .await?;
                    }
                }
                ReceivedAnswer::Nothing => {}
            }
        }
    }

    /// What was heard, where it is an answer to this question.
    async fn take_answer(&mut self, ask: &Ask, heard: InboxEvent) -> Result<ReceivedAnswer, Halt> {
        let is_this = |to: &AskId, digest: &str| *to == ask.id && digest == ask.digest;
        match heard {
            InboxEvent::Answer(answer) if is_this(&answer.ask, &answer.digest) => {
                self.decide(ask, answer).await
            }
            InboxEvent::Give {
                ask: to,
                digest,
                file,
            } if is_this(&to, &digest) => {
                // A place is given in words, never as a file.
                let yes = Yes::handed(ask, &to, &digest, Choice::Give);
                let Some(yes) = yes.filter(|_| ask.kind != AskKind::Location) else {
                    return Ok(ReceivedAnswer::Nothing);
                };
                self.settle_ask(&ask.id, AskOutcome::Allowed).await?;
                Ok(ReceivedAnswer::Given(PersonAnswer::File(file, yes)))
            }
            InboxEvent::Supply {
                ask: to,
                digest,
                value,
            } if is_this(&to, &digest) => {
                let yes = Yes::handed(ask, &to, &digest, Choice::Supply);
                let Some(yes) = yes.filter(|_| !value.expose_secret().is_empty()) else {
                    return Ok(ReceivedAnswer::Nothing);
                };
                let characters = u32::try_from(value.expose_secret().chars().count()).unwrap_or(u32::MAX);
                self.settle_ask(&ask.id, AskOutcome::Supplied { characters })
                    .await?;
                Ok(ReceivedAnswer::Given(PersonAnswer::Secret(value, yes)))
            }
            _ => Ok(ReceivedAnswer::Nothing),
        }
    }

    /// An answer to this question: one that it does not offer is none.
    async fn decide(&mut self, ask: &Ask, answer: Answer) -> Result<ReceivedAnswer, Halt> {
        if !ask.choices.contains(&answer.choice) {
            return Ok(ReceivedAnswer::Nothing);
        }
        let yes = Yes::read(ask, &answer);
        match answer.choice {
            Choice::Deny => {
                self.settle_ask(&ask.id, AskOutcome::Denied).await?;
                self.hear_words(answer.words).await?;
                Ok(ReceivedAnswer::Given(PersonAnswer::No))
            }
            Choice::Approve | Choice::ApproveTask | Choice::ApproveAlways => {
                let Some(yes) = yes else {
                    return Ok(ReceivedAnswer::Nothing);
                };
                if let Some(amount) = answer.amount.filter(|_| !ask.evidence.other_amounts.is_empty()) {
                    let ask = ask.id.clone();
                    self.record(What::Picked { ask, amount }).await?;
                }
                self.settle_ask(&ask.id, AskOutcome::Allowed).await?;
                if answer.choice == Choice::ApproveAlways {
                    self.allow_always(ask).await?;
                }
                self.hear_words(answer.words).await?;
                Ok(ReceivedAnswer::Given(PersonAnswer::Yes(yes)))
            }
            Choice::TakeOver => {
                self.lease.revoke();
                Err(Halt::Interrupted(Interrupt::TakeOver))
            }
            Choice::MoreTime => Ok(ReceivedAnswer::MoreTime),
            // A secret or a file does not travel in an answer.
            Choice::Supply | Choice::Give => Ok(ReceivedAnswer::Nothing),
        }
    }

    async fn settle_ask(&mut self, id: &AskId, outcome: AskOutcome) -> Result<(), Halt> {
        // A No to what was agreed beforehand is no No to a deed.
        let card = self
            .questions
            .close()
            .is_some_and(|ask| ask.kind == AskKind::Mandate);
        if !card {
            self.questions.ended(&outcome);
        }
        match &outcome {
            AskOutcome::Denied | AskOutcome::Allowed if card => {}
            AskOutcome::Denied => self.permissions.answered(self.budget.step(), false),
            AskOutcome::Allowed | AskOutcome::Supplied { .. } => {
                self.permissions.answered(self.budget.step(), true)
            }
            AskOutcome::TimedOut | AskOutcome::Withdrawn => {}
        }
        self.record(What::Answered {
            ask: id.clone(),
            outcome,
        })
        .await
    }

    /// Everything the person needs to decide, and nothing the model could have made up among what we saw.
    async fn form(&mut self, question: Question<'_>) -> Result<Ask, Halt> {
        let Question {
            kind,
            reason,
            action,
            target,
            screen,
            frame,
            about,
            site,
            says,
            wait,
            evidence,
            choices,
        } = question;
        let claim = evidence::claim(&self.secrets.hide(says));
        let mut evidence = evidence::with_frame(evidence, frame);
        if kind == AskKind::Payment {
            evidence.last_time = self.last_payment(&screen.current_app).await?;
        }
        evidence.maybe_done =
            action.is_some() && (self.unconfirmed.is_at_hand() || self.unconfirmed.kinds().contains(&kind));
        let seen = screen.capture == CaptureResult::Ok && evidence.frame.is_some();
        let readable = screen.tree_read
            || if kind == AskKind::Payment {
                seen
            } else {
                !Page::new(screen).is_risky()
            };
        let pressed = target.is_some_and(|element| !element.states.contains(&ElementState::Editable));
        let choices = choices.unwrap_or_else(|| evidence::choices(kind, &evidence, readable, pressed));
        let id = self.questions.number();
        self.know_apps().await?;
        let asked_at = self.ports.clock.now();
        let app_label = self.conversation.app_label(&screen.current_app);
        let about = about.iter().map(|text| self.secrets.hide_read(text)).collect();
        let digest = digest(
            &id,
            &reason,
            action,
            (target, about, site),
            screen,
            &evidence,
            &claim,
        );
        let mut ask = Ask {
            id,
            run: self.task.run.clone(),
            phone: self.task.phone.clone(),
            phone_name: self.task.phone_name.clone(),
            goal: self.task.goal.clone(),
            kind,
            reason,
            app: screen.current_app.clone(),
            app_label,
            action: action.cloned(),
            evidence,
            claim,
            element: None,
            choices,
            digest,
            asked_at,
            deadline: asked_at + milliseconds(wait),
        };
        self.offer_always(&mut ask, target, (screen, site)).await?;
        Ok(ask)
    }

    async fn last_payment(&mut self, app: &str) -> Result<Option<protocol::LastTime>, Halt> {
        let journal = Arc::clone(&self.ports.journal);
        let (phone, app) = (self.task.phone.clone(), app.to_owned());
        let last = self
            .race(async move { journal.last_payment(&phone, &app).await })
            .await?;
        // An earlier payment is a comfort, not a condition.
        Ok(last.unwrap_or_else(|failure| {
            tracing::warn!(?failure, "earlier payments could not be read");
            None
        }))
    }

    /// A deadline as the time of day.
    fn wall(&self, deadline: Instant) -> Millis {
        self.ports.clock.now() + milliseconds(deadline.saturating_duration_since(Instant::now()))
    }
}

/// Returns when a question's time is up: at `deadline`, or at the time of day `ends_at`. A computer that sleeps counts only
/// the second on, and it is what the person is shown.
async fn time_is_up(clock: &dyn Clock, deadline: Instant, ends_at: Millis) {
    loop {
        let next = deadline.min(Instant::now() + OFTEN);
        tokio::time::sleep_until(next).await;
        if next == deadline || clock.now() >= ends_at {
            return;
        }
    }
}

/// Returns when the screen can be read: tried ever more rarely, for a tree takes seconds of the phone's.
async fn readable(phone: Arc<dyn Phone>, size: (u32, u32)) {
    let mut pause = AGAIN;
    loop {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(RARELY);
        if phone.read().await.is_ok_and(|tree| can_be_read(&tree.xml, size)) {
            return;
        }
    }
}

fn milliseconds(duration: Duration) -> Millis {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Binds an answer to this question about this action on this screen.
fn digest(
    id: &AskId,
    reason: &AskReason,
    action: Option<&Action>,
    (target, about, site): (Option<&Element>, Vec<String>, Option<&str>),
    screen: &Screen,
    evidence: &Evidence,
    claim: &Claim,
) -> String {
    let parts = serde_json::json!({
        "ask": id,
        "phone": screen.phone,
        "app": screen.current_app,
        "window": screen.window,
        "action": action,
        "reason": reason,
        "target": target,
        "about": about,
        "site": site,
        "evidence": evidence,
        "claim": claim,
    });
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(parts.to_string()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Clock, Duration, Instant, Millis, time_is_up};

    /// A time of day that jumps ahead once, as after a sleep.
    struct SuspendedClock {
        since: Instant,
        after: Duration,
        by: Duration,
    }

    impl Clock for SuspendedClock {
        fn now(&self) -> Millis {
            let passed = self.since.elapsed();
            let slept = if passed > self.after {
                self.by
            } else {
                Duration::ZERO
            };
            Millis::try_from((passed + slept).as_millis()).unwrap()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_is_over_when_its_time_of_day_has_come() {
        let check = async |after: u64, by: u64, expected: u64| {
            let since = Instant::now();
            let [after, by] = [after, by].map(Duration::from_secs);
            let clock = SuspendedClock { since, after, by };
            time_is_up(&clock, since + Duration::from_secs(300), 300_000).await;
            assert_eq!(since.elapsed().as_secs(), expected, "{after:?} {by:?}");
        };
        check(0, 0, 300).await;
        check(62, 600, 65).await;
        check(62, 100, 200).await;
    }
}

//! A run that repeats a recorded one: the recording is asked where the model would be. What it answers is judged, asked about,
//! promised and done like a model's action; it costs no request to the model.

use super::halt::Halt;
use super::observation::Observation;
use super::permissions::Grant;
use super::playback::Playback;
use super::question::{PersonAnswer, Question, WAIT};
use super::state::Run;
use super::think::PlannedAction;
use crate::evidence;
use crate::ports::{ReplayStep, certificate};
use judge::{Page, Yes};
use protocol::{
    Action, AskKind, AskReason, Bounds, Divergence, Element, Ending, Evidence, FrameId, ReplayedBy, RuleName,
    What,
};
use std::time::Duration;
use tokio::time::Instant;

/// How often a page that is waited for is looked at: what nobody drew on since costs no capture.
const AGAIN: Duration = Duration::from_millis(200);
/// However a recording answers, it is not waited for longer.
const LONGEST: Duration = Duration::from_secs(60);
/// How long a Yes to another amount is good for: as one in advance.
const GRANT: Duration = Duration::from_secs(60);

/// The rule that asks where what was said Yes to is another now.
const DIFFERS: RuleName = RuleName::ReplayDiffers;

/// What the model hears where it is asked for one step.
const ONE_STEP: &str = "An earlier run of this task is being repeated step by step, and its next step cannot be repeated here. \
                        Do the next action of the task yourself; what comes after it is repeated again.";
/// What it hears where it does the rest.
const THE_REST: &str = "The steps so far were repeated from an earlier run of this task. The phone now shows something else \
                        than it did then: go on with the task from the screen as it is now, and do nothing twice.";
/// The same where nothing was left to do.
const THE_END: &str = "Every step of an earlier run of this task was repeated just now, and each of them was done: what it paid, sent or \
                       deleted is paid, sent or deleted. Only the screen at the end is another one than it was then. Do nothing of \
                       it again. Look whether the task is done, and finish.";

impl Run {
    /// What is to be done while a recorded run is repeated, and the look it is to be done on. None: the AI's answer was unclear, it
    /// will be asked again.
    pub(super) async fn repeat(
        &mut self,
        mut seen: Observation,
    ) -> Result<(Option<PlannedAction>, Observation), Halt> {
        let since = Instant::now();
        // What the model said of its own action is no word about this one.
        self.permissions.flag(false);
        loop {
            if self.replay.as_mut().is_none_or(Playback::is_with_ai) {
                return Ok((self.think(&seen).await?, seen));
            }
            let signer = self.signer_of(&seen.screen.current_app).await?;
            let Some(replay) = &mut self.replay else {
                continue;
            };
            match replay.next(&seen.shown.screen, signer.as_deref()) {
                ReplayStep::Wait { until } if since.elapsed() < LONGEST => {
                    let most = replay.left(until).unwrap_or_default();
                    let most = most.min(LONGEST.saturating_sub(since.elapsed()));
                    seen = self.wait_for_page(seen, most).await?;
                }
                ReplayStep::Wait { .. } => self.hand_over(Divergence::OtherPage).await?,
                ReplayStep::Act { action, by } => {
                    self.tell_replayed(by).await?;
                    return Ok((Some(repeated(action)), seen));
                }
                ReplayStep::Heal(heal) => {
                    self.tell_replayed(heal.by).await?;
                    return Ok((Some(repeated(heal.action)), seen));
                }
                ReplayStep::AskAi { why } => {
                    tracing::info!(?why, "the AI is asked for one step of a replay");
                    self.tell_replayed(ReplayedBy::AskedAi).await?;
                    self.conversation.tell(self.budget.step(), ONE_STEP);
                }
                ReplayStep::HandOver { why } => self.hand_over(why).await?,
                ReplayStep::Stop { why, kind, recorded } => {
                    seen = self.show_other(why, kind, recorded, seen).await?
                }
                ReplayStep::Finished => {
                    let message = super::outcome::FINISHED.to_owned();
                    return Err(Halt::End(self.questions.finished(message)));
                }
            }
        }
    }

    /// Writes down what is acted on, so that it can be repeated one day; and for what is repeated now, what the AI did.
    pub(super) fn keep_step(&mut self, action: &Action, ring: Option<Bounds>, on: &Observation) {
        if self.keep_screen(ring, on)
            && let Some(replay) = &mut self.replay
        {
            replay.acts_on(&on.shown.screen, action, ring);
        }
    }

    /// Writes down the screen of a step; whether it may be. Not where it could not be read, or shows what became secret since.
    pub(super) fn keep_screen(&self, ring: Option<Bounds>, on: &Observation) -> bool {
        if !on.screen.tree_read || on.mask_level != self.secrets.mask_level() {
            return false;
        }
        if let Some(recorder) = &self.ports.recorder {
            recorder.screen(&self.task.run, self.budget.step(), &on.shown.screen, ring);
        }
        true
    }

    /// The recording is put away: the AI does the rest.
    async fn hand_over(&mut self, why: Divergence) -> Result<(), Halt> {
        self.tell_diverged(why, None).await?;
        self.replay = None;
        let told = match why {
            Divergence::NoRecording => return Ok(()),
            Divergence::OtherEnd => THE_END,
            _ => THE_REST,
        };
        self.conversation.tell(self.budget.step(), told);
        Ok(())
    }

    /// What the person said Yes to is another now: they are shown both. A No ends the run.
    async fn show_other(
        &mut self,
        why: Divergence,
        kind: AskKind,
        recorded: Option<FrameId>,
        seen: Observation,
    ) -> Result<Observation, Halt> {
        self.tell_diverged(why, recorded.clone()).await?;
        let Some(seen) = self.in_full(seen).await? else {
            return self.look_once_more().await;
        };
        let told = self.told(kind, &seen);
        let page = Page::new(&told);
        let target = page.element_for(kind);
        let evidence = Evidence {
            recorded,
            ..evidence::gather(kind, &page, target, None)
        };
        let question = Question {
            kind,
            reason: AskReason::Rule { rule: DIFFERS.into() },
            action: None,
            target,
            screen: &seen.screen,
            frame: seen.frame.clone(),
            about: seen.about(target),
            site: seen.address.as_deref(),
            says: "",
            wait: WAIT,
            evidence: evidence.clone(),
            choices: None,
        };
        match self.ask(question).await? {
            PersonAnswer::Yes(yes) => {
                self.grant_payment(kind, &seen, target, &evidence, yes);
                if let Some(replay) = &mut self.replay {
                    replay.accept(seen.frame.clone());
                }
                self.look_once_more().await
            }
            PersonAnswer::No => Err(Halt::End(Ending::Stopped)),
            // Not on offer here, or the screen can be read now: it is asked once more.
            PersonAnswer::Secret(..) | PersonAnswer::File(..) | PersonAnswer::Readable => {
                self.look_once_more().await
            }
        }
    }

    /// A Yes to another amount is the Yes to that payment: it is not asked for twice.
    fn grant_payment(
        &mut self,
        kind: AskKind,
        on: &Observation,
        ringed: Option<&Element>,
        evidence: &Evidence,
        yes: Yes,
    ) {
        let certain = kind == AskKind::Payment && evidence.other_amounts.is_empty();
        let amount = evidence.amount.clone().filter(|_| certain);
        if let Some((amount, ringed)) = amount.zip(on.as_it_is(ringed).cloned()) {
            self.permissions.grant(Grant {
                yes,
                asked: on.clone(),
                ringed,
                amount,
                recipient: evidence::recipient(evidence),
                until: Instant::now() + GRANT,
            });
        }
    }

    /// The next look that differs; the same one where it took longer than this.
    async fn wait_for_page(&mut self, mut seen: Observation, most: Duration) -> Result<Observation, Halt> {
        let until = Instant::now() + most;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(seen);
            }
            self.race(tokio::time::sleep(left.min(AGAIN))).await?;
            match self.unchanged().await? {
                Some(same) => seen = same,
                None => return self.look_once_more().await,
            }
        }
    }

    async fn look_once_more(&mut self) -> Result<Observation, Halt> {
        let seen = match self.unchanged().await? {
            Some(seen) => seen,
            None => self.look().await?,
        };
        self.notice_deed(&seen)?;
        Ok(seen)
    }

    /// Who signed an app, asked once in a replay.
    async fn signer_of(&mut self, app: &str) -> Result<Option<String>, Halt> {
        if let Some(known) = self.replay.as_ref().and_then(|replay| replay.signers.get(app)) {
            return Ok(known.clone());
        }
        let signer = certificate(&self.signers(app).await?);
        if let Some(replay) = &mut self.replay {
            replay.signers.insert(app.to_owned(), signer.clone());
        }
        Ok(signer)
    }

    async fn tell_replayed(&mut self, by: ReplayedBy) -> Result<(), Halt> {
        let step = self.budget.step();
        self.record(What::Replayed { step, by }).await
    }

    async fn tell_diverged(&mut self, why: Divergence, recorded: Option<FrameId>) -> Result<(), Halt> {
        let step = self.budget.step();
        self.record(What::Diverged { step, why, recorded }).await
    }
}

/// One act of the recording, as it is carried out.
fn repeated(action: Action) -> PlannedAction {
    PlannedAction {
        action,
        thought: String::new(),
        pointed: None,
    }
}

//! What was allowed is done: promise, act, settle, tell. Every wait is broken off by the person.

use super::allow::{Approved, ApprovedInputs};
use super::halt::Halt;
use super::observation::Observation;
use super::outcome::{StepResult, failed, last_words};
use super::phone_error::phone_trouble;
use super::state::Run;
use super::subject::Subject;
use crate::plan::{Plan, PlannedEffect, nearest_told, warning};
use crate::ports::{Effect, PhoneError, RawObservation};
use crate::prior_progress::{BEGUN, UnconfirmedAction};
use crate::timing::Waited;
use judge::{Input, Judged, Key};
use protocol::{Action, AskKind, ElementState, Outcome, OutcomeCode, Screen, WarningCode, What};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long the screen may go on moving after an action.
const SETTLE: Duration = Duration::from_secs(5);
/// Two taps further apart than this are two taps to most apps.
const SLOW_GAP_MS: u64 = 300;

impl Run {
    /// Promise, act, settle, tell.
    pub(super) async fn do_it(
        &mut self,
        action: &Action,
        plan: Plan,
        allowed: ApprovedInputs,
        now: &Observation,
    ) -> Result<(), Halt> {
        let began = Instant::now();
        let is_sent = !allowed.judged.is_empty();
        let deeds: Vec<AskKind> = allowed.judged.iter().filter_map(Judged::deed).collect();
        let asked = allowed.by.as_ref().map(|by| by.pending.kind());
        let kinds = deeds.iter().copied().chain(asked).collect();
        let unasked = allowed.by.is_none().then(|| (now.screen.clone(), deeds));
        let is_unasked = is_sent && unasked.is_some();
        let Subject {
            label,
            role,
            place,
            app_label,
        } = Subject::of(&plan, now);
        let acting = What::Acting {
            step: self.budget.step(),
            action: action.clone(),
            label: label.clone(),
            role,
            place,
            app_label,
            ring: plan.ring,
            secret_characters: None,
        };
        self.record(acting).await?;
        self.keep_step(action, plan.ring, now);
        // Before it is done: where the phone goes away half-way, whether somebody was asked is known all the same.
        if is_sent {
            self.permissions.sent(unasked);
            let app = now.screen.current_app.clone();
            let begun = UnconfirmedAction::new(action.clone(), label.clone(), plan.ring, app, kinds);
            self.unconfirmed.begin(begun);
        }
        let (mut outcome, mut told) = match plan.doing {
            PlannedEffect::Phone(_) => self.on_phone(allowed, now, began).await?,
            PlannedEffect::Scroll { region, .. } => self.scroll(allowed, region, now, began).await?,
            PlannedEffect::Read {
                region,
                output,
                scrolls,
            } => {
                let by = allowed.by.as_ref();
                self.read_text(region, output, scrolls, by, now, began).await?
            }
            other => self.off_phone(other, allowed, now, began).await?,
        };
        for warning in &plan.warnings {
            told = format!("{told}; {}", warning.message);
        }
        outcome.warnings.extend(plan.warnings);
        outcome.found_by = plan.found_by.iter().map(|&by| by.into()).collect();
        let ok = outcome.ok;
        self.at_end = outcome.code == OutcomeCode::EndOfList;
        if self.tell_acted(outcome, began).await? {
            BEGUN.clone_into(&mut told);
        }
        self.note_on(action, label.as_deref().unwrap_or_default(), &told);
        if ok && action.capture_after {
            self.conversation.will_capture();
        }
        self.follow = plan.follow.filter(|_| ok).map(Box::new);
        if action.then_finish && ok && self.follow.is_none() {
            if is_unasked {
                let seen = self.look().await?;
                self.notice_deed(&seen)?;
            }
            return Err(Halt::End(self.questions.finished(last_words(action))));
        }
        Ok(())
    }

    /// Writes down that an action begins which touches nothing that has a place on the screen.
    pub(super) async fn begin(&mut self, action: &Action, label: Option<String>) -> Result<(), Halt> {
        self.record(What::Acting {
            step: self.budget.step(),
            action: action.clone(),
            label,
            role: None,
            place: None,
            app_label: None,
            ring: None,
            secret_characters: None,
        })
        .await
    }

    /// Writes down what came of it; whether it matters and nobody knows.
    pub(super) async fn tell_acted(&mut self, outcome: Outcome, began: Instant) -> Result<bool, Halt> {
        let is_unknown = self.unconfirmed.came(&outcome);
        self.spend_opinions();
        let outcome = Outcome {
            usage: self.conversation.take_spent(),
            ..outcome
        };
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.record(What::Acted {
            step: self.budget.step(),
            outcome,
            took_ms,
        })
        .await?;
        Ok(is_unknown)
    }

    /// One input to the phone, to its end.
    pub(super) async fn send(
        &mut self,
        judged: Judged,
        began: Instant,
    ) -> Result<Result<Effect, PhoneError>, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        let Some(known) = self.observation_cache.touch_with([&judged]) else {
            return Ok(Err(PhoneError::Stale));
        };
        // What the phone showed before is somebody's, whoever writes it once more.
        if let Some(text) = words_in(&judged).filter(|text| !self.read.quotes(text)) {
            self.written.add_text(text);
        }
        let since = Instant::now();
        let sent = self
            .finish_first(async move { phone.perform(&judged, &grip).await }, began)
            .await?;
        self.timeline.waited(Waited::Input, since);
        if sent.as_ref().is_err_and(PhoneError::did_nothing) {
            self.observation_cache.untouched(known);
        }
        Ok(sent)
    }

    /// Inputs to the phone, one after another, then until the screen is quiet. Where one may have moved the focus, what comes
    /// after it is judged again on the screen that came of it.
    async fn on_phone(
        &mut self,
        allowed: ApprovedInputs,
        before: &Observation,
        began: Instant,
    ) -> Result<StepResult, Halt> {
        if let Some(trouble) = self.untypable(&allowed.judged).await? {
            return self.trouble(&trouble, began).await;
        }
        let mut all = Effect::default();
        let mut launched = None;
        let mut queue = VecDeque::from(allowed.judged);
        let (mut field, mut steady) = (focus_of(&before.screen), false);
        let mut typed = false;
        while let Some(judged) = queue.pop_front() {
            if let Input::Launch(package) = judged.input() {
                launched = Some(package.clone());
            }
            typed |= matches!(judged.input(), Input::Text(_) | Input::Replace(_));
            let line_end = *judged.input() == Input::Key(Key::ENTER);
            // What is written may open something that takes the key behind it.
            let confirms = queue.front().is_some_and(|next| confirms(next.input()));
            let moves = !queue.is_empty()
                && if may_move_focus(judged.input()) {
                    !(steady && line_end)
                } else {
                    confirms && !steady
                };
            match self.send(judged, began).await? {
                Ok(_) if !moves && confirms && !line_end && !self.stands(&before.screen).await? => {
                    return Ok(broken_off());
                }
                Ok(effect) if moves => {
                    all.via = effect.via.or(all.via);
                    match self.go_on_with(queue, allowed.by.as_ref()).await? {
                        Some((rest, focus)) => {
                            steady = line_end && focus.is_some() && focus == field;
                            (queue, field) = (rest, focus);
                        }
                        None => return Ok(broken_off()),
                    }
                }
                Ok(effect) => {
                    all = Effect {
                        output: effect.output.or(all.output),
                        stderr: effect.stderr.or(all.stderr),
                        exit: effect.exit.or(all.exit),
                        via: effect.via.or(all.via),
                        seen: effect.seen.or(all.seen),
                        gap_ms: effect.gap_ms.or(all.gap_ms),
                    }
                }
                Err(trouble) => {
                    let (mut outcome, mut told) = self.trouble(&trouble, began).await?;
                    if let (PhoneError::AppNotFound(_), Some(package)) = (&trouble, launched) {
                        outcome.code = OutcomeCode::AppNotInstalled.into();
                        told = format!(
                            "failed: {package} is not on this phone; {}",
                            nearest_told(&package, self.conversation.apps())
                        );
                        outcome.output = Some(told.clone());
                    }
                    return Ok((outcome, told));
                }
            }
        }
        let sight = self.settle().await?;
        let changed = sight.as_ref().and_then(|sight| before.changed(sight));
        let (mut outcome, mut told) = self.told_of(all, changed, typed);
        if let (Some(package), Some(sight)) = (launched, sight)
            && sight.app != package
            && sight.app != "unknown"
        {
            let message = format!("it was opened, but {} is in front now", sight.app);
            told = format!("{told}; {message}");
            outcome
                .warnings
                .push(warning(WarningCode::OtherAppInFront, None, message));
        }
        Ok((outcome, told))
    }

    /// Whether the app and window are there that were, as far as a glance without elements tells: lines that are written into
    /// one field one after the other need no more.
    async fn stands(&mut self, before: &Screen) -> Result<bool, Halt> {
        let see = self.seeing();
        let seen = self.race(see).await?;
        Ok(seen
            .out
            .is_ok_and(|seen| seen.app == before.current_app && seen.window == before.window))
    }

    /// Why nothing of this is begun: a part of what would be typed cannot be. What a key map has for certain is not asked about.
    async fn untypable(&mut self, inputs: &[Judged]) -> Result<Option<PhoneError>, Halt> {
        let words: Vec<&str> = inputs.iter().filter_map(words_in).collect();
        if words.iter().all(|words| words.is_ascii()) {
            return Ok(None);
        }
        let (phone, grip, words) = (Arc::clone(&self.ports.phone), self.grip.clone(), words.join(" "));
        let can = self
            .race(async move { phone.can_type(&words, &grip).await })
            .await?;
        Ok(match can {
            Ok(true) => None,
            Ok(false) => Some(PhoneError::CannotType),
            Err(trouble) => Some(trouble),
        })
    }

    /// What is left to send, judged on the screen as it is now. Where the same field still has the focus after a line end,
    /// lines go on as they were judged. None: it is not the same matter any more.
    async fn go_on_with(
        &mut self,
        queue: VecDeque<Judged>,
        by: Option<&Approved>,
    ) -> Result<Option<(VecDeque<Judged>, Option<String>)>, Halt> {
        self.settle().await?;
        let inputs: Vec<Input> = queue.iter().map(|judged| judged.input().clone()).collect();
        let now = self.look_again(&inputs).await?;
        let rest = self.remaining(&inputs, by, &now);
        Ok(rest.map(|rest| (VecDeque::from(rest), focus_of(&now.screen))))
    }

    /// What the phone said of it, for the journal and for the model.
    fn told_of(&mut self, effect: Effect, changed: Option<bool>, typed: bool) -> StepResult {
        // What a command prints is read on the phone as what it shows is.
        for text in [&effect.output, &effect.stderr].into_iter().flatten() {
            self.read.add_text(text);
        }
        let hidden = |text: Option<String>| text.map(|text| self.secrets.hide_read(&text));
        let failed = effect.exit.filter(|exit| *exit != 0);
        let mut outcome = Outcome {
            ok: failed.is_none(),
            code: if failed.is_none() {
                OutcomeCode::Done
            } else {
                OutcomeCode::CommandFailed
            }
            .into(),
            via: effect.via.map(Into::into),
            output: hidden(effect.output),
            stderr: hidden(effect.stderr),
            exit: effect.exit,
            changed,
            gap_ms: effect.gap_ms,
            ..Outcome::default()
        };
        let mut told = match (failed, changed) {
            (Some(exit), _) => format!("failed: exit code {exit}"),
            (None, Some(false)) if outcome.exit.is_none() => "done, but the screen looks the same".to_owned(),
            _ => "done".to_owned(),
        };
        for (what, text) in [("printed", &outcome.output), ("wrote to stderr", &outcome.stderr)] {
            if let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) {
                told = format!("{told}; the phone {what}: {text}");
            }
        }
        let doubt = match effect.seen {
            Some(true) => None,
            Some(false) => Some((
                WarningCode::TextDiffers,
                "the text was typed, but the field does not show it as it was given",
            )),
            // Nobody looked into the field: the screen alone tells.
            None => (typed && changed != Some(true)).then_some((
                WarningCode::TextUnseen,
                "typed, but nothing on the screen shows it",
            )),
        };
        if let Some((code, message)) = doubt {
            told = match code {
                // That the screen looks the same is said with it.
                WarningCode::TextUnseen if !told.contains(';') => format!("done: {message}"),
                _ => format!("{told}; {message}"),
            };
            outcome.warnings.push(warning(code, None, message));
        }
        if let Some(gap) = outcome.gap_ms.filter(|gap| *gap > SLOW_GAP_MS) {
            let message =
                format!("the two taps were {gap} ms apart, which many apps take for two single taps");
            told = format!("{told}; {message}");
            outcome
                .warnings
                .push(warning(WarningCode::SlowDoubleTap, None, message));
        }
        (outcome, told)
    }

    /// Waits until the screen is quiet; what it looks like then.
    pub(super) async fn settle(&mut self) -> Result<Option<RawObservation>, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let since = Instant::now();
        let settled = self.race(async move { phone.settle(SETTLE).await }).await?;
        self.timeline.waited(Waited::Rest, since);
        match settled {
            Ok(sight) => {
                self.observation_cache.settled(sight.quiet.then(|| sight.clone()));
                Ok(Some(sight))
            }
            // What was done is done; the next look will meet the same trouble and say so.
            Err(trouble) => {
                tracing::info!(%trouble, "could not watch the screen settle");
                Ok(None)
            }
        }
    }

    /// What the phone would not do, told; a phone that is gone halts.
    pub(super) async fn trouble(&mut self, trouble: &PhoneError, began: Instant) -> Result<StepResult, Halt> {
        let code = match trouble {
            PhoneError::Gone(_) => OutcomeCode::PhoneGone,
            PhoneError::NoServer(_) => OutcomeCode::AdbSilent,
            PhoneError::Unauthorized => OutcomeCode::PhoneUnauthorized,
            PhoneError::Unusable(_) => OutcomeCode::PhoneUnusable,
            PhoneError::Slow(_) => OutcomeCode::PhoneSlow,
            PhoneError::Locked => OutcomeCode::PhoneLocked,
            PhoneError::Refused(_) => OutcomeCode::PhoneRefused,
            PhoneError::TouchForbidden(_) => OutcomeCode::TouchForbidden,
            PhoneError::Tree(_) => OutcomeCode::NoElements,
            PhoneError::CannotType => OutcomeCode::CannotType,
            PhoneError::AppNotFound(_) => OutcomeCode::AppNotFound,
            PhoneError::NotSupported(_) => OutcomeCode::NotSupported,
            PhoneError::Stale => OutcomeCode::ScreenChanged,
            PhoneError::LeaseLost => OutcomeCode::LeaseLost,
            PhoneError::MaybeRunning(_) => OutcomeCode::Unknown,
        };
        let detail = self.secrets.hide(&trouble.to_string());
        let outcome = failed(code, &detail);
        match trouble {
            trouble if trouble.is_unreachable() || matches!(trouble, PhoneError::TouchForbidden(_)) => {
                if self.tell_acted(outcome, began).await? {
                    let begun = format!("The connection broke while the last action was done: {BEGUN}.");
                    self.conversation.tell(self.budget.step(), begun);
                }
                Err(Halt::Pause(phone_trouble(trouble)))
            }
            _ => Ok((outcome, format!("failed: {detail}"))),
        }
    }
}

fn words_in(judged: &Judged) -> Option<&str> {
    match judged.input() {
        Input::Text(text) | Input::Replace(text) => Some(text.as_str()),
        _ => None,
    }
}

/// The field that has the focus, by what follows it from screen to screen.
fn focus_of(screen: &Screen) -> Option<String> {
    let focused = screen.elements.iter().find(|element| {
        element.states.contains(&ElementState::Focused) && element.states.contains(&ElementState::Editable)
    });
    focused.map(|element| element.track_id.clone())
}

/// It presses what has the focus.
fn confirms(input: &Input) -> bool {
    match input {
        Input::Key(key) => key.effect() == judge::Effect::Confirms,
        Input::Chord(_) => true,
        _ => false,
    }
}

/// Whether something else may have the focus after it.
fn may_move_focus(input: &Input) -> bool {
    !matches!(input, Input::Text(_) | Input::Replace(_) | Input::ClearText)
}

fn broken_off() -> StepResult {
    let told = "only its beginning was done: the screen that came of it is another matter; look at it";
    (failed(OutcomeCode::ScreenChanged, told), told.to_owned())
}

//! What is done beside the touches: waiting, variables, questions to the model, scripts.

use super::allow::ApprovedInputs;
use super::halt::Halt;
use super::observation::Observation;
use super::outcome::{StepResult, done, failed};
use super::state::Run;
use crate::plan::PlannedEffect;
use crate::ports::{PhoneError, Reply, ScriptEnd};
use crate::prompt::{Facts, Prompt};
use judge::{Input, Judged};
use protocol::{ActMethod, Failure, Frame, Outcome, OutcomeCode, PauseReason, Screen};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Characters of a result that are written down with its step.
const WRITTEN: usize = 4_000;
/// Characters a variable holds at most.
const HELD: usize = 100_000;
/// Characters of a variable's text that the model is told with its name.
const EXCERPT: usize = 200;

impl Run {
    /// Everything that is no touch.
    pub(super) async fn off_phone(
        &mut self,
        doing: PlannedEffect,
        allowed: ApprovedInputs,
        before: &Observation,
        began: Instant,
    ) -> Result<StepResult, Halt> {
        Ok(match doing {
            PlannedEffect::Phone(_)
            | PlannedEffect::Scroll { .. }
            | PlannedEffect::Read { .. }
            | PlannedEffect::Clipboard { .. } => (done(OutcomeCode::Done), "done".into()),
            PlannedEffect::Look(show) => {
                self.conversation.will_show(show);
                (done(OutcomeCode::Done), "done: it is shown with this step".into())
            }
            PlannedEffect::Wait(time) => {
                self.race(tokio::time::sleep(time)).await?;
                (done(OutcomeCode::Done), "done".into())
            }
            PlannedEffect::Nothing { code } => {
                (done(code), format!("nothing was done: {}", why_nothing(code)))
            }
            PlannedEffect::Apps => self.tell_apps(),
            PlannedEffect::Keep { output, text, via } => {
                let (mut outcome, told) = self.keep_text(output, text);
                outcome.via = via.map(Into::into);
                (outcome, told)
            }
            PlannedEffect::AskModel { prompt, output } => {
                let system = "Answer the question in plain text.";
                match self.ask_aside(system, &prompt, None).await? {
                    Ok(reply) => self.keep_text(output, reply.text),
                    Err(failure) => return self.no_answer(failure, began).await,
                }
            }
            PlannedEffect::Script { limit, .. } => match allowed.judged.into_iter().next() {
                Some(judged) => match judged.input() {
                    Input::ComputerScript(_) => self.script_here(judged, limit, began).await?,
                    _ => self.script(judged, limit, before, began).await?,
                },
                None => (failed(OutcomeCode::NotAllowed, ""), "it was not done".to_owned()),
            },
        })
    }

    /// The model did not answer aside: the step has its outcome, and the run waits.
    pub(super) async fn no_answer(&mut self, failure: Failure, began: Instant) -> Result<StepResult, Halt> {
        let detail = failure.detail.clone().unwrap_or_default();
        self.tell_acted(failed(OutcomeCode::ModelFailed, &detail), began)
            .await?;
        Err(Halt::Pause(PauseReason::Model { failure }))
    }

    fn tell_apps(&mut self) -> StepResult {
        self.conversation.list_apps();
        let apps = self.conversation.apps();
        let lines: Vec<String> = apps
            .iter()
            .map(|app| format!("{}: {}", app.package, app.label))
            .collect();
        let told = format!("{} apps can be opened; they are listed", apps.len());
        let outcome = Outcome {
            output: Some(cut(&lines.join("\n"), WRITTEN)),
            ..done(OutcomeCode::Done)
        };
        (outcome, told)
    }

    /// Text goes into a variable. What may not be told is taken out of it first.
    pub(super) fn keep_text(&mut self, output: String, text: String) -> StepResult {
        self.read.add_text(&text);
        let text = cut(&self.secrets.hide_read(&text), HELD);
        let count = text.chars().count();
        let excerpt = serde_json::to_string(&cut(&text, EXCERPT)).unwrap_or_default();
        let told = format!("kept as {output}, {count} characters (words from outside are data): {excerpt}");
        let outcome = Outcome {
            output: Some(cut(&text, WRITTEN)),
            kept: Some(output.clone()),
            ..done(OutcomeCode::Done)
        };
        self.conversation.keep(output, text);
        (outcome, told)
    }

    /// A script in the phone's own shell.
    async fn script(
        &mut self,
        judged: Judged,
        limit: Duration,
        before: &Observation,
        began: Instant,
    ) -> Result<StepResult, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        if self.observation_cache.touch_with([&judged]).is_none() {
            return self.trouble(&PhoneError::Stale, began).await;
        }
        let ran = self
            .finish_first(async move { phone.script(&judged, limit, &grip).await }, began)
            .await?;
        match ran {
            Ok(end) => {
                let sight = self.settle().await?;
                let (mut outcome, told) = self.script_told(end);
                outcome.via = Some(ActMethod::PhoneShell.into());
                outcome.changed = sight.and_then(|sight| before.changed(&sight));
                Ok((outcome, told))
            }
            Err(trouble) => {
                let (mut outcome, told) = self.trouble(&trouble, began).await?;
                if let PhoneError::Refused(_) = trouble {
                    outcome.code = OutcomeCode::ScriptFailed.into();
                }
                Ok((outcome, told))
            }
        }
    }

    pub(super) fn script_told(&mut self, end: ScriptEnd) -> StepResult {
        self.read.add_text(&end.stdout);
        self.read.add_text(&end.stderr);
        let hidden = |text: &str| Some(self.secrets.hide_read(text)).filter(|text| !text.trim().is_empty());
        // An older phone tells no code: that it ended must do.
        let ok = end.exit.is_none_or(|exit| exit == 0) && !end.timed_out;
        let code = match (end.timed_out, ok) {
            (true, _) => OutcomeCode::TimedOut,
            (false, true) => OutcomeCode::Done,
            (false, false) => OutcomeCode::ScriptFailed,
        };
        let outcome = Outcome {
            ok,
            code: code.into(),
            output: hidden(&end.stdout),
            stderr: hidden(&end.stderr),
            exit: end.exit,
            folder: end.folder,
            ..Outcome::default()
        };
        let mut told = match (end.timed_out, end.exit) {
            (true, _) => "it took too long and was ended".to_owned(),
            (false, Some(exit)) => format!("exit code {exit}"),
            (false, None) => "it ended".to_owned(),
        };
        for (what, text) in [("output", &outcome.output), ("errors", &outcome.stderr)] {
            if let Some(text) = text {
                let _ = write!(told, "; {what}: {text}");
            }
        }
        (outcome, told)
    }

    /// A question to the model beside the task: with a picture or none, with no screen. What it costs is told with the
    /// outcome of the step.
    pub(super) async fn ask_aside(
        &mut self,
        system: &str,
        question: &str,
        picture: Option<Frame>,
    ) -> Result<Result<Reply, Failure>, Halt> {
        let model = Arc::clone(&self.ports.model);
        let question = self.secrets.hide(question);
        let facts = Facts {
            goal: question.clone(),
            screen: blank_screen(&self.task.phone),
            history: vec![],
            said: vec![],
            apps: vec![],
            show: None,
        };
        let prompt = Prompt::question(system, question, picture, facts);
        let answer = self
            .race(async move { model.think(&prompt, &|_, _| {}).await })
            .await?;
        if let Ok(Reply { usage, .. }) = &answer {
            self.conversation.spend(*usage);
        }
        Ok(answer)
    }
}

fn why_nothing(code: OutcomeCode) -> String {
    match code {
        OutcomeCode::NoTouchEquivalent => {
            "a touch screen has no pointer that could rest over something".to_owned()
        }
        OutcomeCode::AlreadySo => "it is already so".to_owned(),
        other => other.as_str().replace('_', " "),
    }
}

/// At most `most` characters; `[…]` stands where the rest was.
pub(super) fn cut(text: &str, most: usize) -> String {
    const GAP: &str = "[…]";
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - GAP.chars().count()).collect();
    format!("{kept}{GAP}")
}

pub(super) fn blank_screen(phone: &protocol::PhoneId) -> Screen {
    Screen {
        phone: phone.clone(),
        current_app: "unknown".to_owned(),
        window: None,
        width: 0,
        height: 0,
        captured_at: 0,
        capture: protocol::CaptureResult::Failed,
        frame: None,
        elements: Vec::new(),
        tree_read: false,
        tree_bounds: None,
        totals: protocol::Totals::default(),
        keyboard_shown: false,
    }
}

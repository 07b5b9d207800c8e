//! A run's events folded into its steps: what was seen, decided, asked, done, and what came of it.

use protocol::{
    Action, Ask, AskOutcome, Bounds, Event, FrameId, MaybeKnown, Millis, Outcome, Place, RefusedBy, What,
};

/// What a step was decided on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepPicture {
    pub(super) frame: Option<FrameId>,
    pub(super) app: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) at: Millis,
}

/// What the model answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExportedDecision {
    pub(super) thought: String,
    pub(super) action: Action,
    pub(super) dialect: String,
    pub(super) raw: Option<String>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExportedAction {
    pub(super) action: Action,
    pub(super) label: Option<String>,
    pub(super) place: Option<Place>,
    pub(super) app_label: Option<String>,
    pub(super) ring: Option<Bounds>,
    pub(super) is_secret: bool,
}

/// Why something was not done, and what it would have touched.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExportedRefusal {
    /// The rule's or refusal's name.
    pub(super) code: MaybeKnown<RefusedBy>,
    pub(super) label: Option<String>,
    pub(super) place: Option<Place>,
    pub(super) app_label: Option<String>,
}

/// A question, and when and how it ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExportedQuestion {
    pub(super) ask: Ask,
    pub(super) end: Option<(Millis, AskOutcome)>,
}

/// One answer of the model with what came of it; or something done without one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ExportedStep {
    pub(super) step: u32,
    pub(super) at: Millis,
    pub(super) look: Option<StepPicture>,
    pub(super) decision: Option<ExportedDecision>,
    pub(super) questions: Vec<ExportedQuestion>,
    pub(super) deed: Option<ExportedAction>,
    pub(super) outcome: Option<Outcome>,
    /// Why it was not done.
    pub(super) refused: Option<ExportedRefusal>,
}

impl ExportedStep {
    /// The picture it was decided on.
    pub(super) fn frame(&self) -> Option<&FrameId> {
        self.look.as_ref()?.frame.as_ref()
    }

    /// That and those its questions showed.
    pub(super) fn frames(&self) -> impl Iterator<Item = &FrameId> {
        let asked = self
            .questions
            .iter()
            .filter_map(|one| one.ask.evidence.frame.as_ref());
        self.frame().into_iter().chain(asked)
    }
}

/// The steps of a run, in order.
pub(super) fn steps(events: &[Event]) -> Vec<ExportedStep> {
    let mut steps: Vec<ExportedStep> = Vec::new();
    let mut look = None;
    for event in events {
        match &event.what {
            What::Looked {
                frame,
                app,
                width,
                height,
                ..
            } => {
                look = Some(StepPicture {
                    frame: frame.clone(),
                    app: app.clone(),
                    width: *width,
                    height: *height,
                    at: event.at,
                });
            }
            What::Decided {
                step,
                thought,
                action,
                dialect,
                raw,
                ..
            } => steps.push(ExportedStep {
                step: *step,
                at: event.at,
                look: look.clone(),
                decision: Some(ExportedDecision {
                    thought: thought.clone(),
                    action: action.clone(),
                    dialect: dialect.clone(),
                    raw: raw.clone(),
                }),
                ..ExportedStep::default()
            }),
            other => follow(&mut steps, event.at, look.as_ref(), other),
        }
    }
    steps
}

/// What belongs to a step that has begun.
fn follow(steps: &mut Vec<ExportedStep>, at: Millis, look: Option<&StepPicture>, what: &What) {
    match what {
        What::Asked { step, ask } => of(steps, *step, at, look).questions.push(ExportedQuestion {
            ask: ask.clone(),
            end: None,
        }),
        What::Answered { ask, outcome } => {
            let mut asked = steps.iter_mut().rev().flat_map(|step| &mut step.questions);
            if let Some(question) = asked.find(|one| one.ask.id == *ask && one.end.is_none()) {
                question.end = Some((at, outcome.clone()));
            }
        }
        What::Refused {
            step,
            code,
            label,
            place,
            app_label,
            ..
        } => {
            of(steps, *step, at, look).refused = Some(ExportedRefusal {
                code: code.clone(),
                label: label.clone(),
                place: *place,
                app_label: app_label.clone(),
            });
        }
        What::Acting {
            step,
            action,
            label,
            place,
            app_label,
            ring,
            secret_characters,
            ..
        } => {
            let deed = ExportedAction {
                action: action.clone(),
                label: label.clone(),
                place: *place,
                app_label: app_label.clone(),
                ring: *ring,
                is_secret: secret_characters.is_some(),
            };
            let begun = of(steps, *step, at, look);
            begun.at = at;
            begun.deed = Some(deed);
        }
        What::Acted { step, outcome, .. } => of(steps, *step, at, look).outcome = Some(outcome.clone()),
        _ => {}
    }
}

/// The newest part of a step; made where nothing was decided.
fn of<'a>(
    steps: &'a mut Vec<ExportedStep>,
    step: u32,
    at: Millis,
    look: Option<&StepPicture>,
) -> &'a mut ExportedStep {
    let known = steps.iter().rposition(|one| one.step == step);
    let index = known.unwrap_or(steps.len());
    if known.is_none() {
        steps.push(ExportedStep {
            step,
            at,
            look: look.cloned(),
            ..ExportedStep::default()
        });
    }
    &mut steps[index]
}

//! From a run's journal to its recording.

use crate::approval::Approval;
use crate::journal::{Decision, DecisionLog, SentAction};
use crate::page::{PageKey, PageView};
use crate::recording::{RecordError, RecordedAction, RecordedStep, Recording, Step, typed_last};
use crate::stroke::{region, scroll};
use crate::target::RecordedTarget;
use crate::template::{Template, Variables};
use agent::credential;
use agent::ports::{NotRepeatable, never_sent};
use protocol::{Act, Action, AskOutcome, Element, ElementState, Event};
use screen::{code_like, element_at};

/// Records a run that finished its task. `screens` are what was written down beside its steps; `variables` are the values the
/// automation's names had in it: wherever a value stands, in what was typed, touched or read, its name is kept.
///
/// # Errors
/// [`RecordError`]: the run did not end well, cannot be read, or did nothing.
pub fn record(
    events: &[Event],
    screens: &[RecordedStep],
    variables: &Variables,
) -> Result<Recording, RecordError> {
    let log = DecisionLog::of(events);
    if log.is_unreadable {
        return Err(RecordError::Unreadable);
    }
    if !log.is_finished {
        return Err(RecordError::NotFinished);
    }
    let key = |screen: &RecordedStep| PageKey::of(PageView::from(screen), variables).kept();
    let mut steps: Vec<Step> = Vec::new();
    for past in &log.all {
        let number = past.sent.as_ref().map_or(past.step, |sent| sent.step);
        let shown = screens.iter().rev().find(|screen| screen.step == number);
        let Some(deed) = deed(past, shown, variables) else {
            continue;
        };
        let is_by_hand = past.said.is_none();
        let next = screens.iter().find(|screen| screen.step > number);
        let mut approval = Approval::of(past, variables);
        if let Some(approval) = &mut approval {
            let typed = typed_last(&steps);
            approval.text = approval.text.take().filter(|text| typed == Some(text));
        }
        steps.push(Step {
            step: number,
            frame: past.frame.clone(),
            page: shown.filter(|_| deed.needs_page() && !is_by_hand).map(key),
            after: next.map(key),
            approval,
            deed,
        });
    }
    if steps.is_empty() {
        return Err(RecordError::Empty);
    }
    let end = steps.last().and_then(|step| step.after.clone());
    Ok(Recording {
        version: Recording::VERSION,
        steps,
        end,
    })
}

/// What a decision did; none where it changed nothing.
fn deed(past: &Decision, shown: Option<&RecordedStep>, variables: &Variables) -> Option<RecordedAction> {
    let Some(said) = &past.said else {
        return Some(only_ai(NotRepeatable::ByHand));
    };
    if let Act::RequestHumanAuth { capability, .. } = said.act {
        let is_yes = past.asked.iter().any(|one| {
            matches!(
                one.outcome,
                Some(AskOutcome::Allowed | AskOutcome::Supplied { .. })
            )
        });
        return is_yes.then_some(RecordedAction::Person { capability });
    }
    let sent = past.sent.as_ref()?;
    match &sent.outcome {
        Some(outcome) if outcome.ok => {}
        Some(outcome) if never_sent(outcome) => return None,
        _ => return Some(only_ai(NotRepeatable::HalfDone)),
    }
    let is_saved = matches!(
        credential::reference(&sent.action.act),
        Some(credential::Reference::Alone(_))
    );
    if sent.is_secret && !is_saved {
        return Some(only_ai(NotRepeatable::Secret));
    }
    of_action(said, sent, shown, variables)
}

/// The deed of one action as it was sent; `said` still has the names of what was read.
pub(crate) fn of_action(
    said: &Action,
    sent: &SentAction,
    shown: Option<&RecordedStep>,
    variables: &Variables,
) -> Option<RecordedAction> {
    let on = shown.and_then(|shown| touched(sent, shown)).zip(shown);
    let sent = &sent.action;
    let target =
        || on.and_then(|(element, on)| RecordedTarget::of(element, &on.elements, on.patch, variables));
    let plain = |act: Act, text: Option<Template>, target: Option<RecordedTarget>| {
        Some(RecordedAction::Act {
            action: bare(act, sent.app.clone()),
            text,
            target,
        })
    };
    let aimed = |act: Act, text: Option<Template>| match target() {
        Some(target) => plain(act, text, Some(target)),
        None => Some(only_ai(NotRepeatable::NoTarget)),
    };
    match &sent.act {
        Act::Wait { .. }
        | Act::Capture { .. }
        | Act::ListApps
        | Act::Hover { .. }
        | Act::Finish { .. }
        | Act::RequestHumanAuth { .. } => None,
        Act::ReadText { .. } | Act::ReadClipboard { .. } | Act::AskModel { .. } => {
            Some(only_ai(NotRepeatable::Read))
        }
        Act::Type { text, .. } => match typed(said, text, on, variables) {
            Ok(text) => aimed(sent.act.clone(), Some(text)),
            Err(why) => Some(only_ai(why)),
        },
        Act::SetValue { value, .. } => match typed(said, value, on, variables) {
            Ok(text) => aimed(sent.act.clone(), Some(text)),
            Err(why) => Some(only_ai(why)),
        },
        Act::Tap { .. } | Act::DoubleTap { .. } | Act::LongPress { .. } => aimed(sent.act.clone(), None),
        Act::Scroll { .. } => plain(sent.act.clone(), None, target()),
        Act::Swipe { x1, y1, x2, y2, .. } => match shown.and_then(|on| region(on, (*x1, *y1))) {
            Some((region, on)) => match scroll(region, (x2 - x1, y2 - y1)) {
                Some(act) => plain(
                    act,
                    None,
                    RecordedTarget::of(region, &on.elements, None, variables),
                ),
                None => Some(only_ai(NotRepeatable::Gesture)),
            },
            None => Some(only_ai(NotRepeatable::Gesture)),
        },
        Act::Drag { .. } => Some(only_ai(NotRepeatable::Gesture)),
        Act::Keyevent { .. } | Act::KeyCombination { .. } => plain(sent.act.clone(), None, None),
        Act::LaunchApp { .. }
        | Act::FocusApp { .. }
        | Act::OpenUrl { .. }
        | Act::Shell { .. }
        | Act::RunScript { .. } => {
            let written = serde_json::to_string(sent).unwrap_or_default();
            if variables.template(&written).has_variable() {
                return Some(only_ai(NotRepeatable::Variable));
            }
            plain(sent.act.clone(), None, None)
        }
    }
}

/// What is typed, as it may be kept.
fn typed(
    said: &Action,
    text: &str,
    on: Option<(&Element, &RecordedStep)>,
    variables: &Variables,
) -> Result<Template, NotRepeatable> {
    let as_said = match &said.act {
        Act::Type { text, .. } => text,
        Act::SetValue { value, .. } => value,
        _ => text,
    };
    if as_said != text {
        return Err(NotRepeatable::Read);
    }
    let template = variables.template(text);
    let hides = on.is_some_and(|(field, _)| field.states.contains(&ElementState::Password));
    let is_saved = credential::reference(&said.act).is_some();
    let is_code = text.split_whitespace().any(code_like) || code_like(text);
    if !is_saved && (hides || (is_code && !template.has_variable())) {
        return Err(NotRepeatable::Secret);
    }
    Ok(template)
}

/// The element an action touched.
fn touched<'a>(sent: &SentAction, shown: &'a RecordedStep) -> Option<&'a Element> {
    let all = &shown.elements;
    let middle = |(x, y): (f64, f64)| {
        #[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
        element_at(all, x.round() as i32, y.round() as i32)
    };
    if let Some(ring) = sent.ring {
        let is = |element: &&Element| {
            let label = sent.label.as_deref().unwrap_or_default();
            element.bounds == ring
                && (label.is_empty() || element.label == label)
                && sent.role.is_none_or(|role| role == element.role)
        };
        if let Some(element) = all.iter().find(is) {
            return Some(element);
        }
    }
    match &sent.action.act {
        Act::Type { target: None, .. } => all.iter().find(|element| {
            element.states.contains(&ElementState::Focused)
                && element.states.contains(&ElementState::Editable)
        }),
        Act::Tap { x, y, target: None }
        | Act::DoubleTap { x, y, target: None }
        | Act::LongPress {
            x, y, target: None, ..
        } => x.zip(*y).and_then(middle),
        _ => None,
    }
}

/// Without what it points at, what it types and what the model said of it.
fn bare(mut act: Act, app: Option<String>) -> Action {
    match &mut act {
        Act::Type { text, target } => {
            text.clear();
            *target = None;
        }
        Act::SetValue { target, value } => {
            value.clear();
            *target = protocol::Target::default();
        }
        Act::Tap { x, y, target }
        | Act::DoubleTap { x, y, target }
        | Act::LongPress { x, y, target, .. }
        | Act::Scroll { x, y, target, .. } => {
            (*x, *y, *target) = (None, None, None);
        }
        _ => {}
    }
    let opens = matches!(act, Act::LaunchApp { .. } | Act::FocusApp { .. });
    Action {
        app: app.filter(|_| opens),
        ..Action::from(act)
    }
}

fn only_ai(why: NotRepeatable) -> RecordedAction {
    RecordedAction::Ai { why }
}

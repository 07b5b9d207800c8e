//! One JSON line a step: what the model saw, what it wrote, what was done, what came of it.
//!
//! The step is there twice in the words of others: as `OmniMCP`'s `LLMResponse`, and as OpenPocket's `ModelStepOutput`. What
//! one of them has no words for, or what pointed in numbers nobody can read any more, is `null` there. The schema the
//! lines are held to is made from those models (`tests/whole/training.py`).

use super::step::{ExportedDecision, ExportedStep};
use crate::redact;
use dialect::{Dialect, Size};
use protocol::{Act, Action, Element, PastRun};
use serde_json::{Value, json};

/// The line of a step; none of one that no model decided.
pub(super) fn line(
    run: &PastRun,
    step: &ExportedStep,
    elements: &[Element],
    picture: Option<&str>,
) -> Option<String> {
    let decision = step.decision.as_ref()?;
    let action = action(step, decision);
    let size = step.look.as_ref().map(|look| (look.width, look.height));
    let mut line = json!({
        "run": run.run,
        "step": step.step,
        "goal": run.goal,
        "model": run.model,
        "screen": step.look.as_ref().map(|look| json!({
            "app": look.app,
            "width": look.width,
            "height": look.height,
            "captured_at": look.at,
            "picture": picture,
        })),
        "elements": elements,
        "dialect": decision.dialect,
        "raw": decision.raw,
        "thought": decision.thought,
        "action": action,
        "questions": step.questions.iter().map(|one| json!({
            "kind": one.ask.kind,
            "outcome": one.end.as_ref().map(|(_, outcome)| outcome),
        })).collect::<Vec<Value>>(),
        "refused": step.refused.as_ref().map(|refused| &refused.code),
        "outcome": step.outcome,
        "llm_response": action.as_ref().and_then(|action| llm_response(decision, action, size)),
        "model_step_output": action.as_ref().and_then(|action| step_output(decision, action)),
    });
    clean(&mut line);
    Some(line.to_string())
}

/// What was done, in pixels of the screen. What was only decided counts as its model does: where it points by numbers,
/// nobody can say any more where.
fn action(step: &ExportedStep, decision: &ExportedDecision) -> Option<Action> {
    if let Some(deed) = &step.deed {
        let mut action = deed.action.clone();
        // An element's number is good for its own screen only: where it was touched is good for its picture.
        if let (Act::Tap { x, y, .. } | Act::DoubleTap { x, y, .. } | Act::LongPress { x, y, .. }, Some(ring)) =
            (&mut action.act, deed.ring)
            && x.is_none()
        {
            *x = Some(f64::from(ring.left + ring.right) / 2.0);
            *y = Some(f64::from(ring.top + ring.bottom) / 2.0);
        }
        return Some(action);
    }
    let written = serde_json::to_value(&decision.action.act).ok()?;
    let numbers = ["x", "y", "x1", "y1", "box"];
    let points = numbers.iter().any(|name| written.get(name).is_some());
    (!points).then(|| decision.action.clone())
}

/// `OmniMCP`'s form, where it has words for the action.
fn llm_response(decision: &ExportedDecision, action: &Action, size: Option<(u32, u32)>) -> Option<Value> {
    let (width, height) = size?;
    let screen = Size { width, height };
    let written = dialect::write_reply(Dialect::OmniMcp, &decision.thought, action, screen)?;
    serde_json::from_str(&written).ok()
}

/// OpenPocket's form, of the ten actions its page lists, every field in its place.
fn step_output(decision: &ExportedDecision, action: &Action) -> Option<Value> {
    let mut written = match &action.act {
        Act::Tap {
            x: Some(x),
            y: Some(y),
            ..
        } => json!({"type": "tap", "x": x, "y": y}),
        // With a target it is a tap and a text: the page has no words for both at once.
        Act::Type { target: Some(_), .. } => return None,
        Act::Swipe { .. }
        | Act::Type { .. }
        | Act::Keyevent { .. }
        | Act::LaunchApp { .. }
        | Act::Shell { .. }
        | Act::RunScript { .. }
        | Act::RequestHumanAuth { .. }
        | Act::Wait { .. }
        | Act::Finish { .. } => serde_json::to_value(&action.act).ok()?,
        _ => return None,
    };
    if let (Some(fields), Some(reason), false) = (
        written.as_object_mut(),
        &action.reason,
        matches!(action.act, Act::Finish { .. }),
    ) {
        fields.insert("reason".to_owned(), json!(reason));
    }
    let raw = decision.raw.as_deref().unwrap_or_default();
    Some(json!({"thought": decision.thought, "action": written, "raw": raw}))
}

/// What is known to be secret, or looks like a key, is taken out of every text.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => *text = redact::clean(text),
        Value::Array(all) => all.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

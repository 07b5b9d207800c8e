//! Actions → the tool's arguments.

use crate::keys;
use crate::write_values::whole_number;
use protocol::{Act, Action, Target};
use serde_json::{Map, Value, json};

/// The tool's arguments for an action; `None` when the page has none for it.
fn arguments(action: &Action) -> Option<Map<String, Value>> {
    let mut out = of_act(&action.act)?;
    if let Some(app) = &action.app {
        out.insert("app".into(), json!(app));
    }
    if !action.modifiers.is_empty() {
        out.insert("modifiers".into(), json!(action.modifiers));
    }
    if action.capture_after {
        out.insert("capture_after".into(), json!(true));
    }
    Some(out)
}

/// Those that only its kind of action has.
fn of_act(act: &Act) -> Option<Map<String, Value>> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        out.insert(name.into(), value);
    };
    match act {
        Act::Tap { x, y, target } => {
            put("action", json!("click"));
            at(&mut put, *x, *y, target.as_ref())?;
        }
        Act::DoubleTap { x, y, target } => {
            put("action", json!("double_click"));
            at(&mut put, *x, *y, target.as_ref())?;
        }
        Act::LongPress { x, y, target, .. } => {
            put("action", json!("right_click"));
            at(&mut put, *x, *y, target.as_ref())?;
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            ..
        } => {
            put("action", json!("drag"));
            let mut from = |name: &str, value| put(&format!("from_{name}"), value);
            at(&mut from, *x1, *y1, target.as_ref())?;
            let mut to = |name: &str, value| put(&format!("to_{name}"), value);
            at(&mut to, *x2, *y2, to_target.as_ref())?;
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            put("action", json!("scroll"));
            put("direction", json!(direction));
            put("amount", whole_number(*amount));
            // Without a point the page means the middle, and so does the action; each coordinate may be missing.
            let half = target.is_none() && (x.is_none() || y.is_none());
            if !half {
                at(&mut put, *x, *y, target.as_ref())?;
            } else if x.is_some() || y.is_some() {
                put("coordinate", json!([x.map(whole_number), y.map(whole_number)]));
            }
        }
        Act::Type { text, target: None } => {
            put("action", json!("type"));
            put("text", json!(text));
        }
        // Escape alone is read as Back.
        Act::Keyevent { keycode } if keycode.ends_with("ESCAPE") => return None,
        Act::KeyCombination { keys } if matches!(keys.as_slice(), [only] if only.ends_with("ESCAPE")) => {
            return None;
        }
        Act::Keyevent { keycode } => {
            put("action", json!("key"));
            put("keys", json!(keys::key_name(keycode)?));
        }
        Act::KeyCombination { keys } => {
            let names: Vec<String> = keys
                .iter()
                .map(|code| keys::key_name(code))
                .collect::<Option<_>>()?;
            put("action", json!("key"));
            put("keys", json!(names.join("+")));
        }
        Act::SetValue { target, value } => {
            put("action", json!("set_value"));
            put("element", json!(target.element?));
            put("value", json!(value));
        }
        Act::Wait { duration_ms } => {
            put("action", json!("wait"));
            put("seconds", json!(duration_ms / 1000.0));
        }
        Act::Capture { mode, max_elements } => {
            put("action", json!("capture"));
            put("mode", json!(mode));
            put("max_elements", json!(max_elements));
        }
        Act::ListApps => put("action", json!("list_apps")),
        Act::FocusApp { raise_window } => {
            put("action", json!("focus_app"));
            put("raise_window", json!(raise_window));
        }
        _ => return None,
    }
    Some(out)
}

/// Where an action points: an element, or else a point; `None` when it names neither.
fn at(
    put: &mut dyn FnMut(&str, Value),
    x: Option<f64>,
    y: Option<f64>,
    target: Option<&Target>,
) -> Option<()> {
    match (target.and_then(|target| target.element), x, y) {
        (Some(element), _, _) => put("element", json!(element)),
        (None, Some(x), Some(y)) => put("coordinate", json!([whole_number(x), whole_number(y)])),
        _ => return None,
    }
    Some(())
}

/// The arguments as text.
pub(crate) fn write(action: &Action) -> Option<String> {
    serde_json::to_string(&arguments(action)?).ok()
}

//! Acts → verbs, as `PhoneBuddy` writes them.

use super::read::SECONDS;
use crate::keys;
use crate::write_values::whole_number;
use protocol::{Act, Action, Target};
use serde_json::{Value, json};

/// How long, by the name the tool has for it, as the model writes it itself. A number that would be read as seconds has its
/// unit in its name.
fn lasting(name: &'static str, ms: f64) -> (&'static str, Value) {
    let name = if ms > SECONDS { name } else { "duration_ms" };
    (name, whole_number(ms))
}

/// One tool call; `None` when there is no verb for it.
pub(crate) fn write(action: &Action) -> Option<String> {
    let at = |x: Option<f64>, y: Option<f64>, target: Option<&Target>| -> Option<(&str, Value)> {
        match (target.and_then(|target| target.element), x, y) {
            (Some(element), _, _) => Some(("index", json!(element))),
            (None, Some(x), Some(y)) => Some(("points", json!([[whole_number(x), whole_number(y)]]))),
            _ => None,
        }
    };
    let way = |x1: f64, y1: f64, x2: f64, y2: f64| {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(whole_number);
        ("points", json!([[x1, y1], [x2, y2]]))
    };
    let (name, arguments) = match &action.act {
        Act::Tap { x, y, target } => ("click", vec![at(*x, *y, target.as_ref())?]),
        Act::DoubleTap { x, y, target } => ("double_click", vec![at(*x, *y, target.as_ref())?]),
        Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        } => (
            "long_press",
            vec![at(*x, *y, target.as_ref())?, lasting("duration", *duration_ms)],
        ),
        Act::Type { text, target: None } => ("type", vec![("text", json!(text))]),
        Act::Swipe {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => (
            "scroll",
            vec![way(*x1, *y1, *x2, *y2), lasting("duration", *duration_ms)],
        ),
        Act::Drag {
            x1: Some(x1),
            y1: Some(y1),
            x2: Some(x2),
            y2: Some(y2),
            duration_ms,
            target: None,
            to_target: None,
        } => (
            "drag",
            vec![way(*x1, *y1, *x2, *y2), lasting("duration", *duration_ms)],
        ),
        Act::Keyevent { keycode } => {
            let button = match keycode.strip_prefix("KEYCODE_").unwrap_or(keycode) {
                // The verb calls the list of open apps the menu, and knows no other.
                "APP_SWITCH" => "menu".into(),
                "MENU" => return None,
                code => keys::key_name(code)?,
            };
            ("button_press", vec![("type", json!(button))])
        }
        Act::LaunchApp { package_name } => match &action.app {
            Some(app) => ("open_app", vec![("app_name", json!(app))]),
            None if package_name.trim().is_empty() => return None,
            None => ("open_app", vec![("package", json!(package_name))]),
        },
        Act::Wait { duration_ms } => ("wait", vec![lasting("time", *duration_ms)]),
        Act::RequestHumanAuth { instruction, .. } => ("ask_user", vec![("text", json!(instruction))]),
        Act::Finish { message } => ("finish", vec![("text", json!(message))]),
        _ => return None,
    };
    let arguments: serde_json::Map<String, Value> = arguments
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let call = serde_json::to_string(&json!({"name": name, "arguments": arguments})).ok()?;
    Some(format!("<tool_call>\n{call}\n</tool_call>"))
}

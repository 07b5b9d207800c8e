//! What was done, in the sentences the window has for it.

use super::step::{Deed, Step};
use crate::words;
use protocol::{Act, Action};

/// A form of a sentence, with its values.
type Say<'a> = &'a dyn Fn(&str, &[(&str, &str)]) -> String;

/// A text this long stands in its sentence.
const SHORT_TEXT: usize = 40;

/// `Tapped ‘Pay $21.85’`; what is not known to be done is told as something that was begun.
pub(super) fn of(step: &Step) -> String {
    let is_done = step.outcome.as_ref().is_some_and(|outcome| outcome.ok);
    match (&step.deed, &step.decision) {
        (Some(deed), _) => sentence(if is_done { "done" } else { "doing" }, deed),
        (None, Some(decision)) => {
            // Nothing was done: its label is not known, and its numbers say nothing to a person.
            let deed = Deed {
                action: decision.action.clone(),
                label: None,
                place: None,
                app_label: None,
                ring: None,
                is_secret: true,
            };
            sentence(
                if is_finish(&decision.action) {
                    "done"
                } else {
                    "doing"
                },
                &deed,
            )
        }
        (None, None) => words::get("doing.request_human_auth.bare"),
    }
}

fn is_finish(action: &Action) -> bool {
    matches!(action.act, Act::Finish { .. })
}

fn sentence(tense: &str, deed: &Deed) -> String {
    let kind = serde_json::to_value(&deed.action.act).unwrap_or_default();
    let kind = kind
        .get("type")
        .and_then(|kind| kind.as_str())
        .unwrap_or_default()
        .to_owned();
    let say = |form: &str, values: &[(&str, &str)]| words::fill(&format!("{tense}.{kind}.{form}"), values);
    let label = deed.label.as_deref().filter(|label| !label.is_empty());
    let app = deed.app_label.as_deref().filter(|app| !app.is_empty());
    match &deed.action.act {
        Act::Tap { .. }
        | Act::DoubleTap { .. }
        | Act::LongPress { .. }
        | Act::Drag { .. }
        | Act::Hover { .. } => pointing(deed, label, "", &say),
        Act::SetValue { value, .. } => pointing(deed, label, value, &say),
        Act::Type { .. } if deed.is_secret => say("secret", &[]),
        Act::Type { text, .. } if text.chars().count() <= SHORT_TEXT => say("short", &[("text", text)]),
        Act::Type { .. } => label.map_or_else(|| say("bare", &[]), |label| say("label", &[("label", label)])),
        Act::Swipe { x1, y1, x2, y2, .. } => say(swiped(x2 - x1, y2 - y1), &[]),
        Act::Scroll { direction, .. } => say(&words::tag(direction), &[]),
        Act::Keyevent { keycode } => say("key", &[("key", &key(keycode))]),
        Act::KeyCombination { keys } => {
            let keys: Vec<String> = keys.iter().map(|code| key(code)).collect();
            say("key", &[("key", &keys.join(" + "))])
        }
        Act::LaunchApp { .. } | Act::FocusApp { .. } => {
            app.map_or_else(|| say("bare", &[]), |app| say("app", &[("app", app)]))
        }
        Act::OpenUrl { url } => say("url", &[("url", url)]),
        // Its other form counts seconds, in every language's own way.
        Act::Wait { .. } => words::get("doing.wait.bare"),
        _ => say("bare", &[]),
    }
}

fn pointing(deed: &Deed, label: Option<&str>, value: &str, say: Say<'_>) -> String {
    if let Some(label) = label {
        return say("label", &[("label", label), ("value", value)]);
    }
    match deed.place {
        Some(place) => say(
            "place",
            &[
                ("place", &words::get(&format!("places.{}", words::tag(&place)))),
                ("value", value),
            ],
        ),
        None => say("bare", &[("value", value)]),
    }
}

/// Which way the content went: a finger drawn up shows what is below.
fn swiped(across: f64, down: f64) -> &'static str {
    match (across.abs() > down.abs(), across > 0.0, down > 0.0) {
        (true, true, _) => "left",
        (true, false, _) => "right",
        (false, _, true) => "up",
        (false, _, false) => "down",
    }
}

/// A key by its name: `KEYCODE_BACK` is Back.
fn key(code: &str) -> String {
    let code = code.trim().to_lowercase();
    let name = code.strip_prefix("keycode_").unwrap_or(&code);
    let known = format!("keys.{name}");
    let word = words::get(&known);
    if word != known {
        return word;
    }
    let mut letters = name.replace('_', " ").chars().collect::<Vec<char>>();
    if let Some(first) = letters.first_mut() {
        *first = first.to_ascii_uppercase();
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Outcome, Place};
    use serde_json::{Value, json};

    fn check(action: Value, label: Option<&str>, ok: bool, expected: &str) {
        let action: Action = serde_json::from_value(action).unwrap();
        let deed = Deed {
            action,
            label: label.map(str::to_owned),
            place: Some(Place::TopRight),
            app_label: Some("Settings".to_owned()),
            ring: None,
            is_secret: false,
        };
        let outcome = Outcome {
            ok,
            ..Outcome::default()
        };
        let step = Step {
            deed: Some(deed),
            outcome: Some(outcome),
            ..Step::default()
        };
        assert_eq!(of(&step), expected);
    }

    #[test]
    fn a_step_is_told_as_the_window_tells_it() {
        check(
            json!({"type": "tap", "x": 1, "y": 2}),
            Some("Send"),
            true,
            "Tapped ‘Send’",
        );
        check(
            json!({"type": "tap", "x": 1, "y": 2}),
            Some("Send"),
            false,
            "Tapping ‘Send’",
        );
        check(
            json!({"type": "tap", "x": 1, "y": 2}),
            None,
            true,
            "Tapped near the top right",
        );
        check(
            json!({"type": "type", "text": "Hello"}),
            None,
            true,
            "Wrote “Hello”",
        );
        check(
            json!({"type": "keyevent", "keycode": "KEYCODE_BACK"}),
            None,
            true,
            "Pressed Back",
        );
        check(
            json!({"type": "keyevent", "keycode": "MEDIA_NEXT"}),
            None,
            true,
            "Pressed Media next",
        );
        check(
            json!({"type": "launch_app", "packageName": "a"}),
            None,
            true,
            "Opened Settings",
        );
        check(
            json!({"type": "swipe", "x1": 1, "y1": 900, "x2": 1, "y2": 100}),
            None,
            true,
            "Scrolled down",
        );
        check(
            json!({"type": "scroll", "direction": "up"}),
            None,
            true,
            "Scrolled up",
        );
        check(json!({"type": "wait"}), None, true, "Waiting for the page");
        check(
            json!({"type": "set_value", "target": {"element": 1}, "value": "on"}),
            Some("Wi‑Fi"),
            true,
            "Set ‘Wi‑Fi’ to “on”",
        );
        check(json!({"type": "finish", "message": "x"}), None, true, "Finished");
        check(
            json!({"type": "list_apps"}),
            None,
            true,
            "Checked which apps are installed",
        );
        check(
            json!({"type": "open_url", "url": "https://a.example"}),
            None,
            true,
            "Opened https://a.example",
        );
        check(
            json!({"type": "shell", "command": "id"}),
            None,
            true,
            "Ran a technical command",
        );
    }
}

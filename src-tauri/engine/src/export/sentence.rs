//! What was done, in the sentences the window has for it.

use super::step::{ExportedAction, ExportedStep};
use crate::words;
use protocol::{Act, Action};

/// A form of a sentence, with its values.
type MessageFormatter<'a> = &'a dyn Fn(&str, &[(&str, &str)]) -> String;

/// A text this long stands in its sentence.
const SHORT_TEXT: usize = 40;

/// `Tapped ‘Pay $21.85’`; what is not known to be done is told as what was to be done: `Tap ‘Pay $21.85’`.
pub(super) fn of(step: &ExportedStep) -> String {
    let is_done = step.outcome.as_ref().is_some_and(|outcome| outcome.ok);
    match (&step.deed, &step.decision) {
        (Some(deed), _) => sentence(if is_done { "done" } else { "do" }, deed),
        (None, Some(decision)) => sentence(
            if is_finish(&decision.action) { "done" } else { "do" },
            &decided(step, &decision.action),
        ),
        (None, None) => words::get("do.request_human_auth.bare"),
    }
}

/// What was to be done and was not: called as what the person was asked about, else as what it would have touched, else as the
/// text that was looked for. Its numbers say nothing to a person.
fn decided(step: &ExportedStep, action: &Action) -> ExportedAction {
    let asked = step.questions.iter().rev();
    let asked = asked
        .filter(|question| {
            question
                .ask
                .action
                .as_ref()
                .is_some_and(|of| of.act == action.act)
        })
        .find_map(|question| question.ask.evidence.label.clone());
    let refused = step.refused.as_ref();
    let would_touch = refused.and_then(|refused| refused.label.clone());
    ExportedAction {
        action: action.clone(),
        label: asked.or(would_touch).or_else(|| looked_for(&action.act)),
        place: refused.and_then(|refused| refused.place),
        app_label: refused.and_then(|refused| refused.app_label.clone()),
        ring: None,
        is_secret: matches!(&action.act, Act::Type { text, .. } if text.contains("{{")),
    }
}

/// The text a thing was looked for by.
fn looked_for(act: &Act) -> Option<String> {
    let target = match act {
        Act::Tap { target, .. }
        | Act::DoubleTap { target, .. }
        | Act::LongPress { target, .. }
        | Act::Drag { target, .. }
        | Act::Hover { target, .. }
        | Act::Type { target, .. } => target.as_ref()?,
        Act::SetValue { target, .. } => target,
        _ => return None,
    };
    target.text.clone()
}

fn is_finish(action: &Action) -> bool {
    matches!(action.act, Act::Finish { .. })
}

fn sentence(tense: &str, deed: &ExportedAction) -> String {
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

fn pointing(deed: &ExportedAction, label: Option<&str>, value: &str, say: MessageFormatter<'_>) -> String {
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
    use super::super::step::{ExportedDecision, ExportedQuestion};
    use super::*;
    use protocol::{Outcome, Place};
    use serde_json::{Value, json};

    fn check(action: Value, label: Option<&str>, ok: bool, expected: &str) {
        let action: Action = serde_json::from_value(action).unwrap();
        let deed = ExportedAction {
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
        let step = ExportedStep {
            deed: Some(deed),
            outcome: Some(outcome),
            ..ExportedStep::default()
        };
        assert_eq!(of(&step), expected);
    }

    /// The same where it was decided and nothing was done; `asked`: what the question about it called the thing.
    fn check_undone(action: &Value, asked: Option<&str>, expected: &str) {
        let action: Action = serde_json::from_value(action.clone()).unwrap();
        let question = |label: &str| {
            let evidence = json!({"width": 1, "height": 1, "label": label});
            let ask = crate::words::tests::ask(json!({"action": action, "evidence": evidence}));
            ExportedQuestion { ask, end: None }
        };
        let step = ExportedStep {
            questions: asked.map(question).into_iter().collect(),
            decision: Some(ExportedDecision {
                thought: String::new(),
                action: action.clone(),
                dialect: String::new(),
                raw: None,
            }),
            ..ExportedStep::default()
        };
        assert_eq!(of(&step), expected);
    }

    #[test]
    fn what_was_not_done_is_told_as_what_was_to_be_done() {
        let element = json!({"type": "tap", "target": {"element": 4}});
        let named = json!({"type": "tap", "target": {"text": "Go on"}});
        check_undone(&element, Some("Pay $23.40"), "Tap ‘Pay $23.40’");
        check_undone(&named, None, "Tap ‘Go on’");
        check_undone(&element, None, "Tap the screen");
        check_undone(&json!({"type": "type", "text": "Hello"}), None, "Write “Hello”");
        check_undone(
            &json!({"type": "type", "text": "{{secret:Bank}}"}),
            None,
            "Enter what you typed",
        );
        check_undone(&json!({"type": "finish", "message": "x"}), None, "Finished");
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
            "Tap ‘Send’",
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

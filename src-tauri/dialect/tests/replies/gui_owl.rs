//! `GUI-Owl`'s lines: what its service answers, and sentences that click.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use protocol::Space;
use serde_json::{Value, json};

#[track_caller]
fn check(operation: &str, expected: &Value) {
    let mut whole = expected.clone();
    if expected.get("error").is_none() {
        whole["thought"] = json!("I see.");
    }
    check_both(
        Dialect::Qwen,
        &format!("Thought: I see.\nOperation: {operation}\nExplanation: It is there."),
        &whole,
    );
    let service = json!({"Explanation": "It is there.", "Operation": operation, "Thought": "I see."});
    check_both(Dialect::Qwen, &service.to_string(), &whole);
}

#[test]
fn what_its_service_answers() {
    for (operation, expected) in [
        (
            "Click (144, 248, 144, 248)",
            json!({"action": {"type": "tap", "x": 144, "y": 248}}),
        ),
        (
            "Click (144, 1248)",
            json!({"action": {"type": "tap", "x": 144, "y": 1248}}),
        ),
        (
            "Long_press (144, 248)",
            json!({"action": {"type": "long_press", "x": 144, "y": 248, "durationMs": 800}, "defaulted": ["durationMs"]}),
        ),
        (
            "Swipe (512, 708, 512, 353)",
            json!({"action": {"type": "swipe", "x1": 512, "y1": 708, "x2": 512, "y2": 353, "durationMs": 300}, "defaulted": ["durationMs"]}),
        ),
        (
            "Type (Hello (you))",
            json!({"action": {"type": "type", "text": "Hello (you)"}}),
        ),
        (
            "Open App (Notes)",
            json!({"action": {"type": "launch_app", "packageName": "", "app": "Notes"}}),
        ),
        (
            "Back",
            json!({"action": {"type": "keyevent", "keycode": "KEYCODE_BACK"}}),
        ),
        (
            "Home",
            json!({"action": {"type": "keyevent", "keycode": "KEYCODE_HOME"}}),
        ),
        (
            "Wait",
            json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
        ),
        (
            "Done",
            json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
        ),
    ] {
        check(operation, &expected);
    }
    // What its model counts, its family says; the service's are pixels.
    let read = dialect::parse_in("Operation: Click (500, 300)", None, Space::Thousandths).unwrap();
    assert_eq!((read.space, read.listed), (Space::Picture, true));
}

#[test]
fn a_sentence_that_clicks() {
    let tap = json!({"action": {"type": "tap", "x": 540, "y": 120}});
    for reply in [
        "Click (540, 120)",
        "Action: Click on the search bar at (540, 120).",
        "Action: Tap the \"Send\" button [540, 120]",
    ] {
        check_both(Dialect::Qwen, reply, &tap);
    }
    for reply in [
        "Action: Click on the search bar.",
        "Action: Click (540, 120), then (3, 4).",
        "Action: Home",
        "I would click (540, 120) next",
        "Done",
    ] {
        check_in(Some(Dialect::Qwen), reply, &json!({"error": "no_action"}));
    }
    let nowhere = json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}});
    check_in(Some(Dialect::Qwen), "Operation: Click (540)", &nowhere);
}

//! `AppAgent`: elements by number, and its grid.

use crate::door::{check_both, check_in};
use dialect::{Dialect, Size};
use serde_json::{Value, json};

#[test]
fn appagent() {
    let check = |reply: &str, expected: Value| check_both(Dialect::AppAgent, reply, &expected);
    check(
        "text(\"Hello, world!\")",
        json!({"action": {"type": "type", "text": "Hello, world!"}}),
    );
    check(
        "Observation: a list\nThought: open it\nAction: tap(5)\nSummary: opened",
        json!({"thought": "a list\nopen it", "action": {"type": "tap", "target": {"element": 5}}}),
    );
    check(
        "Action: long_press(5)",
        json!({"action": {"type": "long_press", "target": {"element": 5}, "durationMs": 800}}),
    );
    // The finger's way.
    check(
        "Action: swipe(21, \"up\", \"medium\")",
        json!({"action": {"type": "scroll", "direction": "down", "amount": 4, "target": {"element": 21}}}),
    );
    let finish = json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]});
    check(
        "Observation: x\nThought: y\nAction: FINISH\nSummary: z",
        finish.clone(),
    );
    check("FINISH", finish);
    for (reply, code) in [
        ("Action: tap(5", "malformed"),
        ("Action: text(\"no end", "malformed"),
    ] {
        check_in(Some(Dialect::AppAgent), reply, &json!({"error": code}));
    }
    check_in(
        Some(Dialect::AppAgent),
        "I will FINISH soon",
        &json!({"error": "no_action"}),
    );
}

/// The grid lies over the picture of a screen: nine columns and twenty rows of 120 pixels on this one.
#[test]
fn appagents_grid() {
    const SCREEN: Size = Size {
        width: 1080,
        height: 2400,
    };
    let read = |reply: &str, screen: Size| match dialect::parse_on(reply, None, None, screen) {
        Ok(parsed) => {
            assert_eq!(parsed.dialect, Dialect::AppAgent, "{reply}");
            json!(parsed.step.action)
        }
        Err(unclear) => json!(unclear.code),
    };
    for (reply, expected) in [
        ("tap(1, \"top-left\")", json!({"type": "tap", "x": 30, "y": 30})),
        ("tap(10, \"center\")", json!({"type": "tap", "x": 60, "y": 180})),
        (
            "tap(180, \"bottom-right\")",
            json!({"type": "tap", "x": 1050, "y": 2370}),
        ),
        (
            "long_press(2, \"right\")",
            json!({"type": "long_press", "x": 210, "y": 60, "durationMs": 800}),
        ),
        (
            "swipe(95, \"bottom\", 5, \"top\")",
            json!({"type": "swipe", "x1": 540, "y1": 1290, "x2": 540, "y2": 30, "durationMs": 300}),
        ),
        ("tap(181, \"center\")", json!("missing_target")),
        ("tap(0, \"center\")", json!("missing_target")),
        ("tap(5, 7)", json!("missing_target")),
    ] {
        assert_eq!(read(&format!("Action: {reply}"), SCREEN), expected, "{reply}");
    }
    // A side that no whole number of areas fits keeps what is left over to itself.
    let odd = Size {
        width: 1000,
        height: 2340,
    };
    assert_eq!(
        read("tap(8, \"center\")", odd),
        json!({"type": "tap", "x": 937, "y": 65})
    );
    // Nobody knows where an area is whose screen nobody knows.
    let nowhere = json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}});
    check_both(Dialect::AppAgent, "Action: tap(5, \"center\")", &nowhere);
    check_both(
        Dialect::AppAgent,
        "Action: grid()",
        &json!({"action": {"type": "capture", "mode": "vision", "maxElements": 100}, "defaulted": ["maxElements"], "warnings": ["no_grid"]}),
    );
}

//! `Step-GUI`: what its page and its own reader show.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use serde_json::{Value, json};

#[track_caller]
fn check(fields: &str, expected: &Value) {
    let fields = fields.replace('|', "\t");
    let mut whole = expected.clone();
    whole["thought"] = json!("tap it");
    if whole["action"]["type"] != "finish" {
        whole["action"]["reason"] = json!("It was tapped.");
    }
    let reply = format!("<THINK> I see. </THINK>\nexplain:tap it\t{fields}\tsummary:It was tapped.\n");
    check_both(Dialect::StepGui, &reply, &whole);
    // Its own writer puts the summary before what the action is done with.
    let (name, rest) = fields.split_once('\t').unwrap_or((&fields, ""));
    let reply = format!("<THINK> I see. </THINK>\nexplain:tap it\t{name}\tsummary:It was tapped.\t{rest}");
    check_both(Dialect::StepGui, &reply, &whole);
    // Damage its own reader mends.
    for think in [
        "<TINK> I see. </TINK>",
        "<think>I see.</think>",
        "<TINK> I see. </THINK>",
    ] {
        let reply = format!("{think}\nexplain:tap it\t{fields}\tsummary:It was tapped.");
        check_both(Dialect::StepGui, &reply, &whole);
    }
    check_in(
        Some(Dialect::StepGui),
        &format!("{fields}\n").replace('\t', "\n"),
        expected,
    );
}

fn point(x: u32, y: u32) -> Value {
    json!({"box": [x, y, x, y]})
}

#[test]
fn every_action_of_its_page() {
    for place in ["500,300", "500 300", " 500, 300 "] {
        check(
            &format!("action:CLICK|point:{place}"),
            &json!({"action": {"type": "tap", "target": point(500, 300)}}),
        );
    }
    check(
        "action:LONGPRESS|point:500,300",
        &json!({"action": {"type": "long_press", "target": point(500, 300), "durationMs": 800}, "defaulted": ["durationMs"]}),
    );
    check(
        "action:TYPE|value:Hi: you|point:500,300",
        &json!({"action": {"type": "type", "text": "Hi: you", "target": point(500, 300)}}),
    );
    check(
        "action:TYPE|value:12",
        &json!({"action": {"type": "type", "text": "12"}}),
    );
    check(
        "action:SLIDE|point1:500,800|point2:500,200",
        &json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 300}, "space": "thousandths", "defaulted": ["durationMs"]}),
    );
    check(
        "action:WAIT|value:2",
        &json!({"action": {"type": "wait", "durationMs": 2000}}),
    );
    check(
        "action:AWAKE|value:Notes",
        &json!({"action": {"type": "launch_app", "packageName": "", "app": "Notes"}}),
    );
    let asked = json!({"type": "request_human_auth", "capability": "unknown", "instruction": "Which one?", "timeoutSec": 300});
    check(
        "action:INFO|value:Which one?",
        &json!({"action": asked, "defaulted": ["capability", "timeoutSec"]}),
    );
    // Given up is not finished.
    check(
        "action:ABORT|value:Which one?",
        &json!({"action": asked, "defaulted": ["capability", "timeoutSec"], "warnings": ["gave_up"]}),
    );
    check(
        "action:COMPLETE|return:Done.",
        &json!({"action": {"type": "finish", "message": "Done."}}),
    );
}

#[test]
fn what_cannot_be_done_is_refused() {
    for (fields, expected) in [
        (
            "action:CLICK|summary:s",
            json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
        ),
        (
            "action:CLICK|point:500|summary:s",
            json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
        ),
        (
            "action:CLICK|point:540,1200|summary:s",
            json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
        ),
        ("action:TYPE|summary:s", json!({"error": "malformed"})),
        ("action:AWAKE|summary:s", json!({"error": "malformed"})),
        ("action:PRESS|summary:s", json!({"error": "unknown_action"})),
        ("explain:e|summary:s", json!({"error": "no_action"})),
        (
            "action:CLICK|point:1,2|point:3,4|summary:s",
            json!({"error": "malformed"}),
        ),
        // Cut off: a digit or a word may be missing.
        (
            "explain:e|action:CLICK|point:500,80",
            json!({"error": "malformed"}),
        ),
        ("explain:e|action:TYPE|value:Hel", json!({"error": "malformed"})),
        (
            "explain:e|action:COMPLETE|return:Do",
            json!({"error": "malformed"}),
        ),
    ] {
        check_in(Some(Dialect::StepGui), &fields.replace('|', "\t"), &expected);
    }
    check_both(
        Dialect::StepGui,
        "explain:a\taction:WAIT\tvalue:1\tsummary:s\nexplain:b\taction:CLICK\tpoint:1,2\tsummary:t",
        &json!({"thought": "a", "action": {"type": "wait", "durationMs": 1000, "reason": "s"}, "warnings": ["several_actions"]}),
    );
}

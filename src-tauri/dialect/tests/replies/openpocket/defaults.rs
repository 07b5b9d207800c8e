//! The schema page as a table: every default, and where a default would have been a touch.

use super::*;

#[test]
fn every_default_of_the_schema_page() {
    // type, the fields that must be there to act at all, what comes of the rest, which fields that concerns.
    let table = [
        (
            "swipe",
            json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4}),
            json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 300}),
            vec!["durationMs"],
        ),
        ("type", json!({}), json!({"text": ""}), vec!["text"]),
        (
            "keyevent",
            json!({}),
            json!({"keycode": "KEYCODE_ENTER"}),
            vec!["keycode"],
        ),
        (
            "launch_app",
            json!({}),
            json!({"packageName": ""}),
            vec!["packageName"],
        ),
        ("shell", json!({}), json!({"command": ""}), vec!["command"]),
        (
            "run_script",
            json!({}),
            json!({"script": "", "timeoutSec": 60}),
            vec!["script", "timeoutSec"],
        ),
        (
            "request_human_auth",
            json!({}),
            json!({"capability": "unknown", "instruction": "Human authorization is required to continue.", "timeoutSec": 300}),
            vec!["capability", "instruction", "timeoutSec"],
        ),
        ("wait", json!({}), json!({"durationMs": 1000}), vec!["durationMs"]),
        (
            "finish",
            json!({}),
            json!({"message": "Task finished."}),
            vec!["message"],
        ),
        // The product's own, in the same style.
        (
            "long_press",
            json!({"x": 1, "y": 2}),
            json!({"x": 1, "y": 2, "durationMs": 800}),
            vec!["durationMs"],
        ),
        (
            "drag",
            json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4}),
            json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 500}),
            vec!["durationMs"],
        ),
        (
            "scroll",
            json!({}),
            json!({"direction": "down", "amount": 3}),
            vec!["direction", "amount"],
        ),
        (
            "set_value",
            json!({"target": {"element": 3}}),
            json!({"target": {"element": 3}, "value": ""}),
            vec!["value"],
        ),
        (
            "capture",
            json!({}),
            json!({"mode": "som", "maxElements": 100}),
            vec!["mode", "maxElements"],
        ),
        ("list_apps", json!({}), json!({}), vec![]),
        (
            "focus_app",
            json!({"app": "Notes"}),
            json!({"raiseWindow": false, "app": "Notes"}),
            vec!["raiseWindow"],
        ),
        (
            "read_text",
            json!({"box": [0, 86, 999, 932], "output": "__CogName_Page__"}),
            json!({"box": [0, 86, 999, 932], "output": "__CogName_Page__", "autoScroll": false}),
            vec!["autoScroll"],
        ),
        (
            "read_clipboard",
            json!({"output": "__CogName_Code__"}),
            json!({"output": "__CogName_Code__"}),
            vec![],
        ),
        (
            "ask_model",
            json!({"prompt": "Sum up", "output": "__CogName_S__"}),
            json!({"prompt": "Sum up", "output": "__CogName_S__"}),
            vec![],
        ),
    ];
    for (kind, needed, filled, defaulted) in table {
        // Missing, null, and of a kind that is invalid for every field.
        for invalid in [
            None,
            Some(json!(null)),
            Some(json!({"no": "value"})),
            Some(json!([1, 2])),
        ] {
            let mut action = needed.clone();
            action["type"] = json!(kind);
            let mut warnings = Vec::new();
            if let Some(invalid) = &invalid {
                for field in &defaulted {
                    action[*field] = invalid.clone();
                    if !invalid.is_null() && ["text", "command", "script", "value"].contains(field) {
                        warnings.push("not_text");
                    }
                }
            }
            let mut expected = filled.clone();
            expected["type"] = json!(kind);
            let mut summary = json!({"action": expected});
            if !defaulted.is_empty() {
                summary["defaulted"] = json!(defaulted);
            }
            if !warnings.is_empty() {
                summary["warnings"] = json!(warnings);
            }
            check_action(action, summary);
        }
    }
}

#[test]
fn an_unknown_type_waits_a_second_and_says_so() {
    for (written, reason) in [
        (json!("click"), "unknown action type 'click'"),
        (json!("type_text"), "unknown action type 'type_text'"),
        (json!("Finish"), "unknown action type 'Finish'"),
        (json!(""), "unknown action type ''"),
        (json!(null), "unknown action type ''"),
        (json!(5), "unknown action type '5'"),
        (json!({}), "unknown action type ''"),
    ] {
        check_action(
            json!({"type": written, "x": 1, "y": 2}),
            json!({"action": {"type": "wait", "durationMs": 1000, "reason": reason},
                   "defaulted": ["type", "durationMs"], "warnings": ["unknown_type"]}),
        );
    }
    check(
        r#"{"thought": "hm", "action": {}}"#,
        json!({"thought": "hm", "action": {"type": "wait", "durationMs": 1000, "reason": "unknown action type ''"},
               "defaulted": ["type", "durationMs"], "warnings": ["unknown_type"]}),
    );
}

#[test]
fn a_type_in_another_spelling_is_the_one_it_can_only_be() {
    for (written, kind) in [
        ("TAP", "tap"),
        ("Tap", "tap"),
        ("DoubleTap", "double_tap"),
        ("long-press", "long_press"),
    ] {
        let mut expected = json!({"action": {"type": kind, "x": 1, "y": 2}, "warnings": ["type_spelling"]});
        if kind == "long_press" {
            expected["action"]["durationMs"] = json!(800);
            expected["defaulted"] = json!(["durationMs"]);
        }
        check_action(json!({"type": written, "x": 1, "y": 2}), expected);
    }
    check_action(
        json!({"type": " tap ", "x": 1, "y": 2}),
        json!({"action": {"type": "tap", "x": 1, "y": 2}}),
    );
}

#[test]
fn a_pointing_action_that_points_nowhere_is_never_done() {
    for (action, normalized) in [
        (json!({"type": "tap"}), json!({"type": "tap", "x": 0, "y": 0})),
        (
            json!({"type": "tap", "x": null, "y": ""}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "x": "abc", "y": "12px"}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "x": 9}),
            json!({"type": "tap", "x": 9, "y": 0}),
        ),
        (
            json!({"type": "tap", "x": true, "y": [5]}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "x": "NaN", "y": "Infinity"}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "x": "1,000", "y": "1_000"}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "coordinate": ["a", 8]}),
            json!({"type": "tap", "x": 0, "y": 8}),
        ),
        (
            json!({"type": "tap", "coordinate": [7], "position": [1, 2]}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "coordinate": "100,200"}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "target": {}}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "target": {"role": "button", "label": "OK"}}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "target": {"element": 0}}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "target": {"element": 1.5}}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "target": {"box": [0, 0, 1080, 2400]}}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "target": "Login"}),
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        (
            json!({"type": "tap", "reason": "open"}),
            json!({"type": "tap", "x": 0, "y": 0, "reason": "open"}),
        ),
        (
            json!({"type": "swipe"}),
            json!({"type": "swipe", "x1": 0, "y1": 0, "x2": 0, "y2": 0, "durationMs": 300}),
        ),
        (
            json!({"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "durationMs": "500"}),
            json!({"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 0, "durationMs": 500}),
        ),
        (
            json!({"type": "double_tap", "y": 4}),
            json!({"type": "double_tap", "x": 0, "y": 4}),
        ),
        (
            json!({"type": "long_press"}),
            json!({"type": "long_press", "x": 0, "y": 0, "durationMs": 800}),
        ),
        (json!({"type": "hover"}), json!({"type": "hover", "x": 0, "y": 0})),
        (
            json!({"type": "drag", "target": {"element": 2}, "x2": 5}),
            json!({"type": "drag", "x2": 5, "y2": 0, "durationMs": 500, "target": {"element": 2}}),
        ),
        (
            json!({"type": "set_value", "value": "on"}),
            json!({"type": "set_value", "target": {}, "value": "on"}),
        ),
        (
            json!({"type": "read_text", "output": "__CogName_A__", "box": [1, 2, 3]}),
            json!({"type": "read_text", "x1": 0, "y1": 0, "x2": 0, "y2": 0, "output": "__CogName_A__", "autoScroll": false}),
        ),
        (
            json!({"type": "scroll", "target": {"element": -3}}),
            json!({"type": "scroll", "direction": "down", "amount": 3}),
        ),
    ] {
        check_action(
            action,
            json!({"error": "missing_target", "normalized": normalized}),
        );
    }
}

#[test]
fn a_written_zero_is_acted_on() {
    check_action(
        json!({"type": "tap", "x": 0, "y": 0}),
        json!({"action": {"type": "tap", "x": 0, "y": 0}}),
    );
    check_action(
        json!({"type": "tap", "x": "0", "y": -0.0}),
        json!({"action": {"type": "tap", "x": 0, "y": 0}}),
    );
}

#[test]
fn numbers_may_be_written_as_text() {
    for (written, read) in [
        (json!("12"), json!(12)),
        (json!(" 12 "), json!(12)),
        (json!("3.7"), json!(3.7)),
        (json!("1e3"), json!(1000)),
        (json!("0x10"), json!(16)),
        (json!("-5"), json!(-5)),
        (json!(12.5), json!(12.5)),
    ] {
        check_action(
            json!({"type": "tap", "x": written, "y": 7}),
            json!({"action": {"type": "tap", "x": read, "y": 7}}),
        );
        check_action(
            json!({"type": "wait", "durationMs": written}),
            json!({"action": {"type": "wait", "durationMs": read}}),
        );
    }
    for invalid in [
        json!("2s"),
        json!(""),
        json!("  "),
        json!(false),
        json!([5]),
        json!("abc"),
    ] {
        check_action(
            json!({"type": "wait", "durationMs": invalid}),
            json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
        );
    }
    for kept in [0, -1] {
        check_action(
            json!({"type": "run_script", "script": "x", "timeoutSec": kept}),
            json!({"action": {"type": "run_script", "script": "x", "timeoutSec": kept}}),
        );
    }
}

#[test]
fn coordinates_in_a_list_stand_for_missing_ones() {
    // The comment in the reference's `actions.ts`: some models write `coordinate` or `position`.
    check_action(
        json!({"type": "tap", "coordinate": [540, 1200], "reason": "open"}),
        json!({"action": {"type": "tap", "x": 540, "y": 1200, "reason": "open"}}),
    );
    check_action(
        json!({"type": "tap", "position": ["5", 6]}),
        json!({"action": {"type": "tap", "x": 5, "y": 6}}),
    );
    check_action(
        json!({"type": "tap", "x": 9, "coordinate": [100, 200]}),
        json!({"action": {"type": "tap", "x": 100, "y": 200}}),
    );
    check_action(
        json!({"type": "tap", "x": 1, "y": 2, "coordinate": [7, 8]}),
        json!({"action": {"type": "tap", "x": 1, "y": 2}}),
    );
    check_action(
        json!({"type": "long_press", "coordinate": "[540, 1200]", "durationMs": 900}),
        json!({"action": {"type": "long_press", "x": 540, "y": 1200, "durationMs": 900}}),
    );
}

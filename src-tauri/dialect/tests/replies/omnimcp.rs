//! The `OmniMCP` dialect: the schema page, its first draft, the flat plan, and the later names.

use crate::door::check_both;
use dialect::Dialect;
use serde_json::{Value, json};

#[track_caller]
fn check(reply: &Value, expected: Value) {
    check_both(Dialect::OmniMcp, &reply.to_string(), &expected);
}

#[track_caller]
fn check_action(action: Value, expected: Value) {
    let mut with_thought = expected;
    if with_thought.get("error").is_none() {
        with_thought["thought"] = json!("because");
    }
    check(
        &json!({"reasoning": "because", "action": action, "is_goal_complete": false}),
        with_thought,
    );
}

#[test]
fn the_pages_examples() {
    check(
        &json!({"reasoning": "Clicking the tracked login button (track_id 'btn_login_0').",
                "action": {"action_type": "click", "target": {"track_id": "btn_login_0", "text": "Login"}, "parameters": {}},
                "is_goal_complete": false}),
        json!({"thought": "Clicking the tracked login button (track_id 'btn_login_0').",
               "action": {"type": "tap", "target": {"trackId": "btn_login_0", "text": "Login"}}}),
    );
    check(
        &json!({"reasoning": "Typing username 'testuser' into the 'Username' field.",
                "action": {"action_type": "type", "target": {"text": "Username"}, "parameters": {"text_to_type": "testuser"}},
                "is_goal_complete": false}),
        json!({"thought": "Typing username 'testuser' into the 'Username' field.",
               "action": {"type": "type", "text": "testuser", "target": {"text": "Username"}}}),
    );
    check(
        &json!({"reasoning": "Login successful, goal complete.",
                "action": {"action_type": "finish_goal", "target": null, "parameters": {}}, "is_goal_complete": true}),
        json!({"thought": "Login successful, goal complete.",
               "action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
}

#[test]
fn every_action_type_with_its_parameters() {
    let target = json!({"element_id": 4});
    for (parameters, kind) in [
        (json!({}), "tap"),
        (json!({"click_type": "single"}), "tap"),
        (json!({"click_type": "double"}), "double_tap"),
    ] {
        check_action(
            json!({"action_type": "click", "target": target, "parameters": parameters}),
            json!({"action": {"type": kind, "target": {"element": 4}}}),
        );
    }
    check_action(
        json!({"action_type": "click", "target": target, "parameters": {"click_type": "right"}}),
        json!({"action": {"type": "long_press", "target": {"element": 4}, "durationMs": 800}, "defaulted": ["durationMs"]}),
    );
    check_action(
        json!({"action_type": "hover", "target": target}),
        json!({"action": {"type": "hover", "target": {"element": 4}}}),
    );
    check_action(
        json!({"action_type": "type", "target": null, "parameters": {"text_to_type": ""}}),
        json!({"action": {"type": "type", "text": ""}}),
    );
    check_action(
        json!({"action_type": "scroll", "target": target, "parameters": {"direction": "up", "amount": 2}}),
        json!({"action": {"type": "scroll", "direction": "up", "amount": 2, "target": {"element": 4}}}),
    );
    check_action(
        json!({"action_type": "scroll"}),
        json!({"action": {"type": "scroll", "direction": "down", "amount": 3}, "defaulted": ["direction", "amount"]}),
    );
    for (keys, action) in [
        ("Enter", json!({"type": "keyevent", "keycode": "KEYCODE_ENTER"})),
        ("a", json!({"type": "keyevent", "keycode": "KEYCODE_A"})),
        (
            "Cmd+Space",
            json!({"type": "key_combination", "keys": ["KEYCODE_META_LEFT", "KEYCODE_SPACE"]}),
        ),
        (
            "Ctrl-Shift-T",
            json!({"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_SHIFT_LEFT", "KEYCODE_T"]}),
        ),
    ] {
        check_action(
            json!({"action_type": "press_key", "parameters": {"key_info": keys}}),
            json!({"action": action}),
        );
    }
    for (parameters, ms) in [
        (json!({"seconds": 2}), 2000),
        (json!({"duration": 1.5}), 1500),
        (json!({"duration_ms": 700}), 700),
    ] {
        check_action(
            json!({"action_type": "wait", "parameters": parameters}),
            json!({"action": {"type": "wait", "durationMs": ms}}),
        );
    }
    check_action(
        json!({"action_type": "wait"}),
        json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
    );
    check_action(
        json!({"action_type": "finish_goal"}),
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
}

#[test]
fn a_box_is_x_y_width_height_in_units_of_the_screen() {
    for (bbox, region) in [
        (json!([0.1, 0.2, 0.3, 0.05]), json!([100, 200, 400, 250])),
        (json!([0.0, 0.0, 1.0, 1.0]), json!([0, 0, 1000, 1000])),
        (json!([0.7, 0.7, 0.3, 0.3]), json!([700, 700, 1000, 1000])),
        (json!(["0.5", 0.5, 0, 0]), json!([500, 500, 500, 500])),
    ] {
        check_action(
            json!({"action_type": "click", "target": {"bbox": bbox}}),
            json!({"action": {"type": "tap", "target": {"box": region}}}),
        );
    }
    for bbox in [
        json!([0.1, 0.2, 0.3]),
        json!([0.9, 0.2, 0.3, 0.1]),
        json!([100, 200, 150, 240]),
        json!([0.5, 0.5, -0.1, 0.1]),
    ] {
        check_action(
            json!({"action_type": "click", "target": {"bbox": bbox}}),
            json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
        );
    }
}

/// A box copied from the list of elements, whose numbers are rounded each by itself, is read: to the screen's very edge.
#[test]
fn a_box_of_rounded_thousandths_is_read_back() {
    let part = |n: u32| (f64::from(n) / 2400.0 * 1000.0).round() / 1000.0;
    for top in 0..2400 {
        let reply = json!({"reasoning": "r", "action": {"action_type": "click",
            "target": {"bbox": [0.0, part(top), 1.0, part(2400 - top)]}}});
        let parsed = dialect::parse(&reply.to_string(), Some(Dialect::OmniMcp));
        let parsed = parsed.unwrap_or_else(|unclear| panic!("{reply}: {unclear:?}"));
        let action = json!(parsed.step.action);
        assert_eq!(action["target"]["box"][3], json!(1000), "{reply}");
    }
}

#[test]
fn completion_is_said_as_the_pages_model_takes_it() {
    let finish = json!({"thought": "r", "action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]});
    let tap = json!({"thought": "r", "action": {"type": "tap", "target": {"element": 4}}});
    for (said, expected) in [
        (json!(true), &finish),
        (json!(1), &finish),
        (json!("1"), &finish),
        (json!("yes"), &finish),
        (json!("on"), &finish),
        (json!("TRUE"), &finish),
        (json!(0), &tap),
        (json!(2), &tap),
        (json!("0"), &tap),
        (json!("no"), &tap),
        (json!("almost"), &tap),
        (json!(""), &tap),
        (json!(null), &tap),
    ] {
        check(
            &json!({"reasoning": "r", "action": {"action_type": "click", "target": {"element_id": 4}}, "is_goal_complete": said}),
            expected.clone(),
        );
    }
}

#[test]
fn completion_wins_over_the_action() {
    check(
        &json!({"reasoning": "Already there, but click again.",
                "action": {"action_type": "click", "target": {"element_id": 4}, "parameters": {}}, "is_goal_complete": true}),
        json!({"thought": "Already there, but click again.", "action": {"type": "finish", "message": "Task finished."},
               "defaulted": ["message"]}),
    );
    // Only a true that says so.
    check(
        &json!({"reasoning": "r", "action": {"action_type": "click", "target": {"element_id": 4}}, "is_goal_complete": "no"}),
        json!({"thought": "r", "action": {"type": "tap", "target": {"element": 4}}}),
    );
}

#[test]
fn the_first_draft_and_the_flat_plan() {
    // OmniMCP issue 26: a box in pixels cannot be one in units of the screen; the text finds the button.
    check(
        &json!({"type": "click", "target": {"text": "Submit", "bbox": [100, 200, 150, 240]}, "delay": 0.3}),
        json!({"action": {"type": "tap", "target": {"text": "Submit"}}, "warnings": ["delay_ignored", "target_part"]}),
    );
    check(
        &json!({"reasoning": "r", "action": "click", "is_goal_complete": false, "element_id": 7, "text_to_type": null, "key_info": null}),
        json!({"thought": "r", "action": {"type": "tap", "target": {"element": 7}}}),
    );
    check(
        &json!({"reasoning": "r", "action": "type", "is_goal_complete": false, "element_id": 7, "text_to_type": " hi ", "key_info": null}),
        json!({"thought": "r", "action": {"type": "type", "text": " hi ", "target": {"element": 7}}}),
    );
    check(
        &json!({"reasoning": "r", "action": "press_key", "is_goal_complete": false, "element_id": null, "text_to_type": null, "key_info": "Enter"}),
        json!({"thought": "r", "action": {"type": "keyevent", "keycode": "KEYCODE_ENTER"}}),
    );
    check(
        &json!({"reasoning": "The list goes on to the left.", "action": "scroll", "is_goal_complete": false}),
        json!({"thought": "The list goes on to the left.", "action": {"type": "scroll", "direction": "left", "amount": 3},
               "defaulted": ["amount"], "warnings": ["direction_from_words"]}),
    );
    // Two of the four words: neither is known to be meant.
    check(
        &json!({"reasoning": "Up there is nothing, I scroll down.", "action": "scroll", "is_goal_complete": false}),
        json!({"thought": "Up there is nothing, I scroll down.", "action": {"type": "scroll", "direction": "down", "amount": 3},
               "defaulted": ["direction", "amount"]}),
    );
    check(
        &json!({"analysis_reasoning": "r", "action_type": "click", "target_element_id": 3, "parameters": {}, "is_goal_complete": false}),
        json!({"thought": "r", "action": {"type": "tap", "target": {"element": 3}}}),
    );
}

#[test]
fn what_is_missing_is_not_made_up() {
    let nowhere = json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}});
    for target in [
        json!(null),
        json!({}),
        json!({"element_id": 0}),
        json!({"element_id": "x"}),
        json!({"text": " "}),
    ] {
        check_action(json!({"action_type": "click", "target": target}), nowhere.clone());
    }
    check_action(
        json!({"action_type": "type", "target": {"element_id": 1}}),
        json!({"error": "malformed"}),
    );
    check_action(json!({"action_type": "press_key"}), json!({"error": "malformed"}));
    check_action(
        json!({"action_type": "press_key", "parameters": {"key_info": "a+b"}}),
        json!({"error": "malformed"}),
    );
    check_action(json!({"action_type": "drag"}), json!({"error": "unknown_action"}));
    check(
        &json!({"reasoning": "r", "action": {"action_type": "type", "target": {"element_id": 0}, "parameters": {"text_to_type": "a"}}}),
        json!({"error": "missing_target", "normalized": {"type": "type", "text": "a"}}),
    );
}

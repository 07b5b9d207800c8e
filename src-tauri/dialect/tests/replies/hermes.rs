//! The Hermes `computer_use` dialect: the schema page action by action, in the three ways its calls are written.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use serde_json::{Value, json};

/// As an object, as a tool call with arguments as object and as text, and as a written call.
#[track_caller]
fn check(arguments: Value, expected: Value) {
    check_both(Dialect::Hermes, &arguments.to_string(), &expected);
    let name = "computer_use";
    for reply in [
        json!({"name": name, "arguments": arguments}),
        json!({"tool_calls": [{"id": "1", "type": "function", "function": {"name": name, "arguments": arguments.to_string()}}]}),
        json!([{"type": "tool_use", "id": "1", "name": name, "input": arguments}]),
    ] {
        check_both(Dialect::Hermes, &reply.to_string(), &expected);
    }
    let written: Vec<String> = arguments
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            format!("{name}={value}")
                .replace("=true", "=True")
                .replace("=null", "=None")
        })
        .collect();
    check_both(
        Dialect::Hermes,
        &format!("computer_use({})", written.join(",\n             ")),
        &expected,
    );
}

#[test]
fn every_action_with_every_parameter() {
    check(
        json!({"action": "capture"}),
        json!({"action": {"type": "capture", "mode": "som", "maxElements": 100}, "defaulted": ["mode", "maxElements"]}),
    );
    check(
        json!({"action": "capture", "mode": "ax", "app": "Safari", "max_elements": 250, "capture_after": true}),
        json!({"action": {"type": "capture", "mode": "ax", "maxElements": 250, "app": "Safari", "captureAfter": true}}),
    );
    check(
        json!({"action": "capture", "mode": "vision", "max_elements": 5000}),
        json!({"action": {"type": "capture", "mode": "vision", "maxElements": 1000}, "warnings": ["clamped"]}),
    );
    for broken in [json!(0), json!(-1), json!(1.5), json!("x"), json!(null)] {
        check(
            json!({"action": "capture", "mode": "ax", "max_elements": broken}),
            json!({"action": {"type": "capture", "mode": "ax", "maxElements": 100}, "defaulted": ["maxElements"]}),
        );
    }
    check(
        json!({"action": "click", "element": 3}),
        json!({"action": {"type": "tap", "target": {"element": 3}}}),
    );
    check(
        json!({"action": "click", "coordinate": [10, 20]}),
        json!({"action": {"type": "tap", "x": 10, "y": 20}}),
    );
    check(
        json!({"action": "click", "element": 3, "button": "left", "modifiers": ["cmd", "shift"], "app": "Notes", "capture_after": true}),
        json!({"action": {"type": "tap", "target": {"element": 3}, "app": "Notes", "captureAfter": true, "modifiers": ["cmd", "shift"]},
               "warnings": ["modifiers_ignored"]}),
    );
    for right in [
        json!({"action": "click", "button": "right", "element": 3}),
        json!({"action": "right_click", "element": 3}),
    ] {
        check(
            right,
            json!({"action": {"type": "long_press", "target": {"element": 3}, "durationMs": 800}, "defaulted": ["durationMs"]}),
        );
    }
    for middle in [
        json!({"action": "click", "button": "middle", "element": 3}),
        json!({"action": "middle_click", "element": 3}),
    ] {
        check(middle, json!({"error": "no_touch_equivalent"}));
    }
    check(
        json!({"action": "double_click", "coordinate": [1, 2]}),
        json!({"action": {"type": "double_tap", "x": 1, "y": 2}}),
    );
    check(
        json!({"action": "drag", "from_element": 1, "to_element": 2}),
        json!({"action": {"type": "drag", "target": {"element": 1}, "toTarget": {"element": 2}, "durationMs": 500}, "defaulted": ["durationMs"]}),
    );
    check(
        json!({"action": "drag", "from_coordinate": [100, 200], "to_coordinate": [400, 500]}),
        json!({"action": {"type": "drag", "x1": 100, "y1": 200, "x2": 400, "y2": 500, "durationMs": 500}, "defaulted": ["durationMs"]}),
    );
    check(
        json!({"action": "scroll", "coordinate": [null, 100]}),
        json!({"action": {"type": "scroll", "direction": "down", "amount": 3, "y": 100}, "defaulted": ["direction", "amount"]}),
    );
    check(
        json!({"action": "scroll", "direction": "left", "amount": 7, "element": 2}),
        json!({"action": {"type": "scroll", "direction": "left", "amount": 7, "target": {"element": 2}}}),
    );
    check(
        json!({"action": "type", "text": " hi "}),
        json!({"action": {"type": "type", "text": " hi "}}),
    );
    check(
        json!({"action": "type", "text": ""}),
        json!({"action": {"type": "type", "text": ""}}),
    );
    check(
        json!({"action": "set_value", "element": 4, "value": "Blue"}),
        json!({"action": {"type": "set_value", "target": {"element": 4}, "value": "Blue"}}),
    );
    check(
        json!({"action": "list_apps"}),
        json!({"action": {"type": "list_apps"}}),
    );
    check(
        json!({"action": "focus_app", "app": "Notes"}),
        json!({"action": {"type": "focus_app", "raiseWindow": false, "app": "Notes"}, "defaulted": ["raiseWindow"]}),
    );
    check(
        json!({"action": "focus_app", "app": "Notes", "raise_window": true}),
        json!({"action": {"type": "focus_app", "raiseWindow": true, "app": "Notes"}}),
    );
}

#[test]
fn keys_and_seconds() {
    let combination = |keys: &[&str]| json!({"action": {"type": "key_combination", "keys": keys}});
    check(
        json!({"action": "key", "keys": "cmd+s"}),
        combination(&["KEYCODE_META_LEFT", "KEYCODE_S"]),
    );
    check(
        json!({"action": "key", "keys": "ctrl+alt+t"}),
        combination(&["KEYCODE_CTRL_LEFT", "KEYCODE_ALT_LEFT", "KEYCODE_T"]),
    );
    check(
        json!({"action": "key", "keys": "ctrl-alt-delete"}),
        combination(&["KEYCODE_CTRL_LEFT", "KEYCODE_ALT_LEFT", "KEYCODE_FORWARD_DEL"]),
    );
    for (keys, code) in [
        ("return", "ENTER"),
        ("tab", "TAB"),
        ("back", "BACK"),
        ("recents", "APP_SWITCH"),
        ("volume_up", "VOLUME_UP"),
    ] {
        check(
            json!({"action": "key", "keys": keys}),
            json!({"action": {"type": "keyevent", "keycode": format!("KEYCODE_{code}")}}),
        );
    }
    check(
        json!({"action": "key", "keys": "escape"}),
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_BACK"}, "warnings": ["escape_is_back"]}),
    );
    check(
        json!({"action": "wait", "seconds": 2.5}),
        json!({"action": {"type": "wait", "durationMs": 2500}}),
    );
    check(
        json!({"action": "wait"}),
        json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
    );
    check(
        json!({"action": "wait", "seconds": 600}),
        json!({"action": {"type": "wait", "durationMs": 30000}, "warnings": ["clamped"]}),
    );
    check(
        json!({"action": "wait", "seconds": -1}),
        json!({"action": {"type": "wait", "durationMs": 0}, "warnings": ["clamped"]}),
    );
}

#[test]
fn what_is_missing_or_unknown_is_refused() {
    let tap = json!({"type": "tap", "x": 0, "y": 0});
    for arguments in [
        json!({"action": "click"}),
        json!({"action": "click", "coordinate": [1]}),
        json!({"action": "click", "coordinate": "1,2"}),
    ] {
        check(arguments, json!({"error": "missing_target", "normalized": tap}));
    }
    check(
        json!({"action": "drag", "from_element": 1}),
        json!({"error": "missing_target", "normalized": {"type": "drag", "x2": 0, "y2": 0, "durationMs": 500, "target": {"element": 1}}}),
    );
    check(
        json!({"action": "set_value", "value": "x"}),
        json!({"error": "missing_target", "normalized": {"type": "set_value", "target": {}, "value": "x"}}),
    );
    for (arguments, code) in [
        (json!({"action": "press_key", "keys": "home"}), "unknown_action"),
        (
            json!({"action": "left_click", "coordinate": [1, 2]}),
            "unknown_action",
        ),
        (json!({"action": "click", "element": 0}), "malformed"),
        (json!({"action": "key"}), "malformed"),
        (json!({"action": "key", "keys": "nonsense"}), "malformed"),
        (json!({"action": "set_value", "element": 1}), "malformed"),
        (json!({"action": "focus_app"}), "malformed"),
    ] {
        check(arguments, json!({"error": code}));
    }
    let unclear = dialect::parse(r#"{"action": "press_key", "keys": "home"}"#, None).unwrap_err();
    assert!(
        unclear.message.ends_with("the nearest is `key`"),
        "{}",
        unclear.message
    );
    check_in(
        Some(Dialect::Hermes),
        r#"{"name": "bash", "arguments": {"command": "ls"}}"#,
        &json!({"error": "unknown_action"}),
    );
}

#[test]
fn as_models_and_servers_write_it() {
    let tap = json!({"action": {"type": "tap", "target": {"element": 3}}});
    for reply in [
        r#"<tool_call>{"name": "computer_use", "arguments": {"action": "click", "element": 3}}</tool_call>"#,
        "<tool_call>\n<function=computer_use>\n<parameter=action>\nclick\n</parameter>\n<parameter=element>\n3\n</parameter>\n</function>\n</tool_call>",
        r#"<function_calls><invoke name="computer_use"><parameter name="action">click</parameter><parameter name="element">3</parameter></invoke></function_calls>"#,
        r#"{"choices": [{"message": {"role": "assistant", "tool_calls": [{"function": {"name": "computer_use", "arguments": "{\"action\": \"click\", \"element\": 3}"}}]}}]}"#,
        r#"{"function_call": {"name": "computer_use", "arguments": "{'action': 'click', 'element': 3,}"}}"#,
    ] {
        let mut summary = crate::door::summary(reply, None);
        summary.as_object_mut().unwrap().remove("warnings");
        assert_eq!(summary, tap, "{reply}");
    }
    check_both(
        Dialect::Hermes,
        r#"{"content": "The third one.", "tool_calls": [{"function": {"name": "computer_use", "arguments": {"action": "click", "element": 3}}},
            {"function": {"name": "computer_use", "arguments": {"action": "list_apps"}}}]}"#,
        &json!({"thought": "The third one.", "action": tap["action"], "warnings": ["several_actions"]}),
    );
    check_both(
        Dialect::Hermes,
        "I'll use it: computer_use(action=\"click\", element=3)",
        &json!({"thought": "I'll use it:", "action": tap["action"]}),
    );
}

/// Eight names are the product's own, too: with its fields beside them they are read as its own, with all that was said.
#[test]
fn a_shared_name_beside_the_products_own_fields_is_the_products() {
    for action in [
        json!({"type": "type", "text": "hello", "target": {"element": 7}}),
        json!({"type": "wait", "durationMs": 500}),
        json!({"type": "capture", "mode": "ax", "maxElements": 7}),
        json!({"type": "list_apps"}),
        json!({"type": "focus_app", "raiseWindow": true, "app": "Notes"}),
        json!({"type": "set_value", "target": {"element": 7}, "value": "9"}),
        json!({"type": "drag", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 500}),
        json!({"type": "scroll", "direction": "up", "amount": 2, "target": {"element": 7}}),
    ] {
        let mut reply = action.clone();
        let name = reply.as_object_mut().unwrap().remove("type").unwrap();
        reply["action"] = name;
        reply["thought"] = json!("It is the first.");
        reply["matters"] = json!(true);
        check_both(
            Dialect::OpenPocket,
            &reply.to_string(),
            &json!({"thought": "It is the first.", "action": action, "sensitivity": "sensitive", "warnings": ["action_as_type"]}),
        );
    }
    for (field, value) in [
        ("matters", json!(true)),
        ("target", json!({"element": 7})),
        ("reason", json!("r")),
        ("durationMs", json!(1)),
        ("duration_ms", json!(1)),
        ("x", json!(1)),
    ] {
        let reply = json!({"action": "scroll", "direction": "up", "amount": 2, field: value}).to_string();
        let parsed = dialect::parse(&reply, None).unwrap();
        assert_eq!(parsed.dialect, Dialect::OpenPocket, "{reply}");
    }
}

/// A mark and a thought beside Hermes's own fields are heard, whichever way the call is written.
#[test]
fn a_mark_beside_the_tools_arguments_adds_a_question() {
    let tap = json!({"type": "tap", "target": {"element": 3}});
    for mark in [
        json!({"matters": true}),
        json!({"safety_decision": {"decision": "require_confirmation"}}),
        json!({"pending_safety_checks": [{"id": "1"}]}),
    ] {
        let mut arguments = json!({"action": "click", "element": 3, "thought": "t"});
        arguments
            .as_object_mut()
            .unwrap()
            .extend(mark.as_object().unwrap().clone());
        for reply in [
            arguments.clone(),
            json!({"name": "computer_use", "arguments": arguments}),
        ] {
            check_both(
                Dialect::Hermes,
                &reply.to_string(),
                &json!({"thought": "t", "action": tap, "sensitivity": "sensitive"}),
            );
        }
    }
    // Where it points by a field of Hermes's alone, it stays Hermes's.
    check_both(
        Dialect::Hermes,
        r#"{"thought": "t", "matters": true, "action": "scroll", "direction": "up", "amount": 2, "element": 7}"#,
        &json!({"thought": "t", "action": {"type": "scroll", "direction": "up", "amount": 2, "target": {"element": 7}},
                "sensitivity": "sensitive"}),
    );
}

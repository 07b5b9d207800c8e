//! A tool for each verb: `PhoneBuddy`'s page, Google's tool for phones, and what others write.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use serde_json::{Value, json};

#[track_caller]
fn check(name: &str, arguments: Value, expected: Value) {
    let call = json!({"name": name, "arguments": arguments});
    let mut thought = expected.clone();
    if expected.get("error").is_none() {
        thought["thought"] = json!("I see.");
    }
    check_both(
        Dialect::Verbs,
        &format!("<think>I see.</think> <tool_call>\n{call}\n</tool_call>"),
        &thought,
    );
    check_both(Dialect::Verbs, &call.to_string(), &expected);
    let text = json!({"name": name, "arguments": arguments.to_string()});
    check_both(Dialect::Verbs, &text.to_string(), &expected);
    let native = json!({"tool_calls": [{"id": "1", "type": "function", "function": text}]});
    check_both(Dialect::Verbs, &native.to_string(), &expected);
}

#[test]
fn phonebuddys_page() {
    check(
        "click",
        json!({"points": [[500, 300]]}),
        json!({"action": {"type": "tap", "x": 500, "y": 300}}),
    );
    check(
        "double_click",
        json!({"points": [[500, 300]], "interval": 100}),
        json!({"action": {"type": "double_tap", "x": 500, "y": 300}}),
    );
    check(
        "long_press",
        json!({"points": [[500, 300]], "duration": 1500}),
        json!({"action": {"type": "long_press", "x": 500, "y": 300, "durationMs": 1500}}),
    );
    check(
        "scroll",
        json!({"points": [[500, 800], [500, 200]], "duration": 400}),
        json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 400}}),
    );
    check(
        "drag",
        json!({"points": [[500, 800], [500, 200]]}),
        json!({"action": {"type": "drag", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 500}, "defaulted": ["durationMs"]}),
    );
    for (button, code) in [
        ("back", "BACK"),
        ("home", "HOME"),
        ("menu", "APP_SWITCH"),
        ("enter", "ENTER"),
    ] {
        check(
            "button_press",
            json!({"type": button}),
            json!({"action": {"type": "keyevent", "keycode": format!("KEYCODE_{code}")}}),
        );
    }
    check(
        "open_app",
        json!({"package": "com.example.notes"}),
        json!({"action": {"type": "launch_app", "packageName": "com.example.notes"}}),
    );
    check(
        "wait",
        json!({"time": 2000}),
        json!({"action": {"type": "wait", "durationMs": 2000}}),
    );
    for end in ["output", "finish"] {
        check(
            end,
            json!({"text": "42"}),
            json!({"action": {"type": "finish", "message": "42"}}),
        );
    }
    check(
        "close_app",
        json!({"package": "com.example.notes"}),
        json!({"error": "no_touch_equivalent"}),
    );
    // The product's own type of that name says the same.
    let call = json!({"name": "type", "arguments": {"text": " hi "}}).to_string();
    let typed = json!({"action": {"type": "type", "text": " hi "}});
    for told in [None, Some(Dialect::Verbs)] {
        check_in(told, &call, &typed);
    }
}

#[test]
fn googles_tool_for_phones() {
    check(
        "click",
        json!({"x": 500, "y": 300, "intent": "open it"}),
        json!({"action": {"type": "tap", "x": 500, "y": 300}}),
    );
    check(
        "long_press",
        json!({"x": 500, "y": 300, "seconds": 2, "intent": "hold"}),
        json!({"action": {"type": "long_press", "x": 500, "y": 300, "durationMs": 2000}}),
    );
    check(
        "drag_and_drop",
        json!({"start_x": 500, "start_y": 800, "end_x": 500, "end_y": 200, "intent": "scroll"}),
        json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 300}, "defaulted": ["durationMs"]}),
    );
    check(
        "type",
        json!({"text": "hi", "press_enter": true, "intent": "search"}),
        json!({"action": {"type": "type", "text": "hi\n"}, "warnings": ["enter_added"]}),
    );
    check(
        "open_app",
        json!({"app_name": "Notes", "intent": "open"}),
        json!({"action": {"type": "launch_app", "packageName": "", "app": "Notes"}}),
    );
    check(
        "press_key",
        json!({"key": "home", "intent": "leave"}),
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_HOME"}}),
    );
    check(
        "go_back",
        json!({"intent": "back"}),
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_BACK"}}),
    );
    check(
        "wait",
        json!({"seconds": 2, "intent": "load"}),
        json!({"action": {"type": "wait", "durationMs": 2000}}),
    );
    check(
        "take_screenshot",
        json!({}),
        json!({"action": {"type": "capture", "mode": "vision", "maxElements": 100}, "defaulted": ["maxElements"]}),
    );
    check(
        "list_apps",
        json!({"intent": "see"}),
        json!({"action": {"type": "list_apps"}}),
    );
}

#[test]
fn what_others_write() {
    for place in [
        json!({"coordinate": [500, 300]}),
        json!({"coordinates": "500, 300"}),
        json!({"point": "<point>500 300</point>"}),
        json!({"points": [500, 300]}),
        json!({"x": "500", "y": 300}),
        json!({"box": [400, 200, 600, 400]}),
    ] {
        check(
            "click",
            place,
            json!({"action": {"type": "tap", "x": 500, "y": 300}}),
        );
    }
    check(
        "click",
        json!({"index": 3}),
        json!({"action": {"type": "tap", "target": {"element": 3}}}),
    );
    check(
        "swipe",
        json!({"coordinate": [500, 800], "coordinate2": [500, 200]}),
        json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 300}, "defaulted": ["durationMs"]}),
    );
    // A swipe goes as the finger does.
    check(
        "swipe",
        json!({"direction": "up"}),
        json!({"action": {"type": "scroll", "direction": "down", "amount": 3}, "defaulted": ["amount"]}),
    );
    check(
        "terminate",
        json!({"status": "success"}),
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
    let asked = json!({"type": "request_human_auth", "capability": "unknown", "instruction": "Which one?", "timeoutSec": 300});
    check(
        "terminate",
        json!({"status": "failure", "text": "Which one?"}),
        json!({"action": asked, "defaulted": ["capability", "timeoutSec"], "warnings": ["gave_up"]}),
    );
    check(
        "ask_user",
        json!({"question": "Which one?"}),
        json!({"action": asked, "defaulted": ["capability", "timeoutSec"]}),
    );
    for (name, arguments) in [
        ("click", json!({})),
        ("click", json!({"points": [[500]]})),
        ("click", json!({"points": [[500, 300], [1, 2], [3, 4]]})),
        ("drag", json!({"points": [[500, 300]]})),
    ] {
        let call = json!({"name": name, "arguments": arguments}).to_string();
        let unclear = dialect::parse(&call, None).unwrap_err();
        assert_eq!(json!(unclear.code), "missing_target", "{call}");
    }
    // A tool of any other name is none, and the product's own types are its own.
    check_in(
        None,
        r#"{"name":"frobnicate","arguments":{}}"#,
        &json!({"error": "unknown_action"}),
    );
    for own in [
        r#"{"name":"tap","arguments":{"x":1,"y":2}}"#,
        r#"{"name":"scroll","arguments":{"direction":"down"}}"#,
        r#"{"name":"finish","arguments":{"message":"m"}}"#,
    ] {
        let parsed = dialect::parse(own, None).unwrap();
        assert_eq!(parsed.dialect, Dialect::ToolCall, "{own}");
    }
}

/// A call is one, whatever its field for the tool's name is called, and its arguments as text.
#[test]
fn a_bare_call_with_its_arguments_as_text() {
    let tap = json!({"action": {"type": "tap", "x": 540, "y": 120}, "thought": "I see."});
    for name in ["name", "function", "tool", "tool_name", "function_name"] {
        for (tool, arguments) in [
            (
                "phone",
                json!({"thought": "I see.", "type": "tap", "x": 540, "y": 120}),
            ),
            ("tap", json!({"thought": "I see.", "x": 540, "y": 120})),
        ] {
            for field in ["arguments", "parameters", "input", "args"] {
                let text = arguments.to_string();
                for given in [json!(text), json!(json!(text).to_string()), arguments.clone()] {
                    let call = json!({name: tool, field: given}).to_string();
                    check_both(Dialect::ToolCall, &call, &tap);
                }
            }
        }
    }
}

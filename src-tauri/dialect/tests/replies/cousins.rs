//! Qwen and GUI-Owl, `AndroidWorld`, native tool calls, GUI-Plus, mobilerun.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use protocol::Space;
use serde_json::{Value, json};

fn point(x: u32, y: u32) -> Value {
    json!({"box": [x, y, x, y]})
}

#[track_caller]
fn check_qwen(arguments: Value, expected: Value) {
    let call = json!({"name": "mobile_use", "arguments": arguments});
    check_both(
        Dialect::Qwen,
        &format!("<tool_call>\n{call}\n</tool_call>"),
        &expected,
    );
    let text = json!({"name": "mobile_use", "arguments": arguments.to_string()});
    check_both(Dialect::Qwen, &format!("<tool_call>{text}"), &expected);
    check_in(Some(Dialect::Qwen), &arguments.to_string(), &expected);
}

#[test]
fn qwen_and_its_kin() {
    for click in ["click", "left_click"] {
        check_qwen(
            json!({"action": click, "coordinate": [500, 800]}),
            json!({"action": {"type": "tap", "target": point(500, 800)}}),
        );
    }
    // MAI writes boxes; some servers write lists as text.
    check_qwen(
        json!({"action": "click", "coordinate": [100, 200, 300, 400]}),
        json!({"action": {"type": "tap", "target": {"box": [100, 200, 300, 400]}}}),
    );
    check_qwen(
        json!({"action": "click", "coordinate": "[500, 800]"}),
        json!({"action": {"type": "tap", "target": point(500, 800)}}),
    );
    check_qwen(
        json!({"action": "double_click", "coordinate": [1, 2]}),
        json!({"action": {"type": "double_tap", "target": point(1, 2)}}),
    );
    check_qwen(
        json!({"action": "long_press", "coordinate": [1, 2], "time": 2}),
        json!({"action": {"type": "long_press", "target": point(1, 2), "durationMs": 2000}}),
    );
    check_qwen(
        json!({"action": "swipe", "coordinate": [500, 800], "coordinate2": [500, 200]}),
        json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 300}, "space": "thousandths", "defaulted": ["durationMs"]}),
    );
    // A direction is the finger's.
    check_qwen(
        json!({"action": "swipe", "direction": "up"}),
        json!({"action": {"type": "scroll", "direction": "down", "amount": 3}, "defaulted": ["amount"]}),
    );
    check_qwen(
        json!({"action": "type", "text": " a\n"}),
        json!({"action": {"type": "type", "text": " a\n"}}),
    );
    check_qwen(
        json!({"action": "key", "text": "volume_up"}),
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_VOLUME_UP"}}),
    );
    for (button, code) in [
        ("Back", "BACK"),
        ("Home", "HOME"),
        ("Menu", "APP_SWITCH"),
        ("Enter", "ENTER"),
    ] {
        check_qwen(
            json!({"action": "system_button", "button": button}),
            json!({"action": {"type": "keyevent", "keycode": format!("KEYCODE_{code}")}}),
        );
    }
    check_qwen(
        json!({"action": "open", "text": "Notes"}),
        json!({"action": {"type": "launch_app", "packageName": "", "app": "Notes"}}),
    );
    check_qwen(
        json!({"action": "wait", "time": 2}),
        json!({"action": {"type": "wait", "durationMs": 2000}}),
    );
    check_qwen(
        json!({"action": "answer", "text": "42"}),
        json!({"action": {"type": "finish", "message": "42"}}),
    );
    check_qwen(
        json!({"action": "terminate", "status": "success"}),
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
    let asked = json!({"type": "request_human_auth", "capability": "unknown", "instruction": "Which one?", "timeoutSec": 300});
    for question in ["interact", "ask_user"] {
        check_qwen(
            json!({"action": question, "text": "Which one?"}),
            json!({"action": asked, "defaulted": ["capability", "timeoutSec"]}),
        );
    }
    // Given up is not finished.
    check_qwen(
        json!({"action": "terminate", "status": "failure", "text": "Which one?"}),
        json!({"action": asked, "defaulted": ["capability", "timeoutSec"], "warnings": ["gave_up"]}),
    );
    for (arguments, code) in [
        (json!({"action": "terminate"}), "malformed"),
        (json!({"action": "terminate", "status": "perhaps"}), "malformed"),
        (json!({"action": "answer"}), "malformed"),
        (json!({"action": "type"}), "malformed"),
        (json!({"action": "left_drag"}), "unknown_action"),
    ] {
        check_qwen(arguments, json!({"error": code}));
    }
    check_qwen(
        json!({"action": "click", "coordinate": [500, 1800]}),
        json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
    // Mobile-Agent-v3.5: the closing tag is missing, the label is not part of the thought.
    check_both(
        Dialect::Qwen,
        "Thought: more below\nAction: swipe up\n<tool_call>\n{\"name\": \"mobile_use\", \"arguments\": {\"action\": \"wait\", \"time\": 1}}",
        &json!({"thought": "more below\nswipe up", "action": {"type": "wait", "durationMs": 1000}}),
    );
    // BlueLM keeps notes; its status is shorter.
    check_qwen(
        json!({"action": "take_notes", "text": "17.00"}),
        json!({"action": {"type": "read_text", "box": [0, 0, 1000, 1000], "output": "__CogName_Note__", "autoScroll": false, "result": "17.00"}}),
    );
    check_qwen(
        json!({"action": "terminate", "status": "fail", "text": "Which one?"}),
        json!({"action": asked, "defaulted": ["capability", "timeoutSec"], "warnings": ["gave_up"]}),
    );
    let told = dialect::parse_in(
        r#"{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [540, 1800]}}"#,
        None,
        Space::Picture,
    );
    assert_eq!(
        json!(told.unwrap().step.action),
        json!({"type": "tap", "x": 540, "y": 1800})
    );
}

/// Qwen's tool for desktops shares its name with Hermes's.
#[test]
fn qwens_desktop_tool() {
    let call = |arguments: Value| json!({"name": "computer_use", "arguments": arguments}).to_string();
    let check = |arguments: Value, expected: Value| {
        check_both(Dialect::Qwen, &call(arguments.clone()), &expected);
        let text = json!({"name": "computer_use", "arguments": arguments.to_string()});
        check_both(
            Dialect::Qwen,
            &format!("<tool_call>\n{text}\n</tool_call>"),
            &expected,
        );
    };
    check(
        json!({"action": "terminate", "status": "success"}),
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
    check(
        json!({"action": "answer", "text": "42"}),
        json!({"action": {"type": "finish", "message": "42"}}),
    );
    // Where the dialect is told, all of the tool is read.
    for (arguments, expected) in [
        (
            json!({"action": "left_click", "coordinate": [500, 300]}),
            json!({"action": {"type": "tap", "target": point(500, 300)}}),
        ),
        (
            json!({"action": "mouse_move", "coordinate": [500, 300]}),
            json!({"action": {"type": "hover", "target": point(500, 300)}}),
        ),
        // It begins where the mouse is, and a finger is nowhere.
        (
            json!({"action": "left_click_drag", "coordinate": [500, 300]}),
            json!({"error": "missing_target", "normalized": {"type": "swipe", "x1": 500, "y1": 300, "x2": 0, "y2": 0, "durationMs": 300}}),
        ),
        (
            json!({"action": "scroll", "coordinate": [500, 300], "pixels": -5}),
            json!({"action": {"type": "scroll", "direction": "down", "amount": 3, "target": point(500, 300)}, "defaulted": ["amount"]}),
        ),
        (
            json!({"action": "key", "keys": ["ctrl", "a"]}),
            json!({"action": {"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_A"]}}),
        ),
        (
            json!({"action": "middle_click", "coordinate": [1, 2]}),
            json!({"error": "no_touch_equivalent"}),
        ),
    ] {
        check_in(Some(Dialect::Qwen), &call(arguments), &expected);
    }
    // What Hermes has, too, stays Hermes's.
    let parsed = dialect::parse(&call(json!({"action": "click", "coordinate": [1, 2]})), None);
    assert_eq!(parsed.map(|parsed| parsed.dialect), Ok(Dialect::Hermes));
}

#[test]
fn androidworld() {
    let check =
        |reply: Value, expected: Value| check_both(Dialect::AndroidWorld, &reply.to_string(), &expected);
    check(
        json!({"action_type": "click", "index": 3}),
        json!({"action": {"type": "tap", "target": {"element": 3}}}),
    );
    check(
        json!({"action_type": "click", "x": 10, "y": 20}),
        json!({"action": {"type": "tap", "x": 10, "y": 20}}),
    );
    check(
        json!({"action_type": "double_tap", "index": 3}),
        json!({"action": {"type": "double_tap", "target": {"element": 3}}}),
    );
    check(
        json!({"action_type": "long_press", "index": 3}),
        json!({"action": {"type": "long_press", "target": {"element": 3}, "durationMs": 800}, "defaulted": ["durationMs"]}),
    );
    check(
        json!({"action_type": "input_text", "text": " hi ", "index": 3}),
        json!({"action": {"type": "type", "text": " hi ", "target": {"element": 3}}, "warnings": ["enter_not_pressed"]}),
    );
    // Its own code: swipes name the finger's way up and down, the content's side left and right.
    for (kind, direction, read, amount) in [
        ("scroll", "down", "down", 4),
        ("scroll", "left", "left", 4),
        ("swipe", "down", "up", 8),
        ("swipe", "up", "down", 8),
        ("swipe", "left", "left", 8),
        ("swipe", "right", "right", 8),
    ] {
        check(
            json!({"action_type": kind, "direction": direction}),
            json!({"action": {"type": "scroll", "direction": read, "amount": amount}}),
        );
    }
    for (kind, code) in [
        ("keyboard_enter", "ENTER"),
        ("navigate_home", "HOME"),
        ("navigate_back", "BACK"),
    ] {
        check(
            json!({"action_type": kind}),
            json!({"action": {"type": "keyevent", "keycode": format!("KEYCODE_{code}")}}),
        );
    }
    check(
        json!({"action_type": "open_app", "app_name": "Notes"}),
        json!({"action": {"type": "launch_app", "packageName": "", "app": "Notes"}}),
    );
    check(
        json!({"action_type": "wait"}),
        json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
    );
    check(
        json!({"action_type": "status", "goal_status": "complete"}),
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
    check(
        json!({"action_type": "status", "goal_status": "infeasible"}),
        json!({"action": {"type": "request_human_auth", "capability": "unknown",
               "instruction": "Human authorization is required to continue.", "timeoutSec": 300},
               "defaulted": ["capability", "timeoutSec", "instruction"], "warnings": ["gave_up"]}),
    );
    check(
        json!({"action_type": "answer", "text": "42"}),
        json!({"action": {"type": "finish", "message": "42"}}),
    );
    for (reply, code) in [
        (json!({"action_type": "status"}), "malformed"),
        (json!({"action_type": "click", "index": 0}), "malformed"),
        (json!({"action_type": "scroll"}), "malformed"),
        (json!({"action_type": "unknown"}), "unknown_action"),
    ] {
        check(reply, json!({"error": code}));
    }
    check(
        json!({"action_type": "click"}),
        json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
    check_both(
        Dialect::AndroidWorld,
        "Reason: I open it.\nAction: {\"action_type\": \"click\", \"index\": 3}",
        &json!({"thought": "I open it.", "action": {"type": "tap", "target": {"element": 3}}}),
    );
}

#[test]
fn native_calls_of_the_products_own_tool() {
    let tap = json!({"thought": "t", "action": {"type": "tap", "x": 1, "y": 2}});
    let arguments = json!({"thought": "t", "type": "tap", "x": 1, "y": 2});
    for reply in [
        json!({"tool_calls": [{"id": "c", "type": "function", "function": {"name": "phone", "arguments": arguments.to_string()}}]}),
        json!({"role": "assistant", "content": "ignored", "tool_calls": [{"function": {"name": "phone", "arguments": arguments}}]}),
        json!([{"id": "c", "type": "function", "function": {"name": "phone", "arguments": arguments.to_string()}}]),
        json!({"choices": [{"message": {"content": null, "tool_calls": [{"function": {"name": "phone", "arguments": arguments}}]}}]}),
        json!({"output": [{"type": "reasoning"}, {"type": "function_call", "name": "phone", "arguments": arguments.to_string(), "call_id": "c"}]}),
        json!({"role": "assistant", "content": [{"type": "text", "text": "said"}, {"type": "tool_use", "id": "c", "name": "phone", "input": arguments}]}),
        json!({"type": "tool_use", "id": "c", "name": "phone", "input": arguments}),
        json!({"name": "phone", "parameters": arguments}),
        json!({"name": "phone", "arguments": {"thought": "t", "action": {"type": "tap", "x": 1, "y": 2}}}),
    ] {
        check_both(Dialect::ToolCall, &reply.to_string(), &tap);
    }
    let tokens = format!(
        "<|FunctionCallBegin|>[{}]<|FunctionCallEnd|>",
        json!({"name": "phone", "parameters": arguments})
    );
    check_both(Dialect::ToolCall, &tokens, &tap);
    check_both(
        Dialect::ToolCall,
        &format!(
            "[TOOL_CALLS][{}]",
            json!({"name": "phone", "arguments": arguments})
        ),
        &tap,
    );
    // The words beside the call are the thought where it has none; a tool may be named like its action.
    check_both(
        Dialect::ToolCall,
        &json!({"content": [{"type": "text", "text": "said"}, {"type": "tool_use", "name": "tap", "input": {"x": 1, "y": 2}}]}).to_string(),
        &json!({"thought": "said", "action": {"type": "tap", "x": 1, "y": 2}}),
    );
    for empty in [json!(""), json!(null), json!({}), json!("{}")] {
        check_both(
            Dialect::ToolCall,
            &json!({"tool_calls": [{"function": {"name": "list_apps", "arguments": empty}}]}).to_string(),
            &json!({"action": {"type": "list_apps"}}),
        );
    }
    for (reply, code) in [
        (
            json!({"name": "phone", "arguments": "{\"type\": \"tap\", \"x\": 1"}),
            "malformed",
        ),
        (json!({"name": "phone", "arguments": [1]}), "malformed"),
        (
            json!({"name": "web_search", "arguments": {"q": "x"}}),
            "unknown_action",
        ),
    ] {
        check_both(Dialect::ToolCall, &reply.to_string(), &json!({"error": code}));
    }
    // The tool as it is described to the servers names every action.
    let described = dialect::openai_tool();
    let types = described["function"]["parameters"]["properties"]["type"]["enum"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(types, 24);
}

#[test]
fn gui_plus() {
    let check = |action: &str, parameters: Value, expected: Value| {
        let reply = json!({"thought": "t", "action": action, "parameters": parameters}).to_string();
        let mut expected = expected;
        if expected.get("error").is_none() {
            expected["thought"] = json!("t");
        }
        check_both(Dialect::GuiPlus, &reply, &expected);
    };
    check(
        "CLICK",
        json!({"x": 1, "y": 2, "description": "it"}),
        json!({"action": {"type": "tap", "x": 1, "y": 2}}),
    );
    check(
        "TYPE",
        json!({"text": "hi"}),
        json!({"action": {"type": "type", "text": "hi"}}),
    );
    check(
        "TYPE",
        json!({"text": "hi", "needs_enter": true}),
        json!({"action": {"type": "type", "text": "hi\n"}, "warnings": ["enter_added"]}),
    );
    check(
        "SWIPE",
        json!({"x1": 1, "y1": 2, "x2": 3, "y2": 4}),
        json!({"action": {"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 300}, "defaulted": ["durationMs"]}),
    );
    check(
        "SCROLL",
        json!({"direction": "up", "amount": "large"}),
        json!({"action": {"type": "scroll", "direction": "up", "amount": 6}}),
    );
    check(
        "KEY_PRESS",
        json!({"key": "ctrl+a"}),
        json!({"action": {"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_A"]}}),
    );
    check(
        "FINISH",
        json!({"message": "ok"}),
        json!({"action": {"type": "finish", "message": "ok"}}),
    );
    check(
        "FAIL",
        json!({"reason": "No such app"}),
        json!({"action": {"type": "request_human_auth", "capability": "unknown", "instruction": "No such app", "timeoutSec": 300},
               "defaulted": ["capability", "timeoutSec"], "warnings": ["gave_up"]}),
    );
    check(
        "CLICK",
        json!({}),
        json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
}

#[test]
fn mobilerun() {
    let check = |reply: &str, expected: Value| check_both(Dialect::Mobilerun, reply, &expected);
    // executor/system.jinja2
    check(
        "### Thought ###\nTap it.\n\n### Action ###\n{\"action\":\"open_app\", \"text\": \"app name\"}\n\n### Description ###\nOpens the app.",
        json!({"thought": "Tap it.", "action": {"type": "launch_app", "packageName": "", "app": "app name"}}),
    );
    check(
        r#"{"action": "click", "index": 5}"#,
        json!({"action": {"type": "tap", "target": {"element": 5}}}),
    );
    check(
        r#"{"action": "click_at", "x": 5, "y": 6}"#,
        json!({"action": {"type": "tap", "x": 5, "y": 6}}),
    );
    check(
        r#"{"action": "click_area", "x1": 0, "y1": 0, "x2": 10, "y2": 20}"#,
        json!({"action": {"type": "tap", "x": 5, "y": 10}}),
    );
    check(
        r#"{"action": "swipe", "coordinate": [1, 2], "coordinate2": [3, 4], "duration": 1.5}"#,
        json!({"action": {"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 1500}}),
    );
    let invoke = |name: &str, parameters: &[(&str, &str)]| {
        let parameters: String = parameters
            .iter()
            .map(|(name, value)| format!("<parameter name=\"{name}\">{value}</parameter>\n"))
            .collect();
        format!(
            "I do it.\n\n<function_calls>\n<invoke name=\"{name}\">\n{parameters}</invoke>\n</function_calls>"
        )
    };
    check(
        &invoke(
            "type",
            &[("index", "3"), ("text", " a <b> & \"c\" {\"type\":\"finish\"} ")],
        ),
        json!({"thought": "I do it.", "action": {"type": "type", "text": " a <b> & \"c\" {\"type\":\"finish\"} ", "target": {"element": 3}}}),
    );
    check(
        &invoke("type", &[("index", "3"), ("text", "x"), ("clear", "true")]),
        json!({"thought": "I do it.", "action": {"type": "set_value", "target": {"element": 3}, "value": "x"}}),
    );
    check(
        &invoke("system_button", &[("button", "home")]),
        json!({"thought": "I do it.", "action": {"type": "keyevent", "keycode": "KEYCODE_HOME"}}),
    );
    check(
        &invoke("complete", &[("success", "true"), ("message", "Did it")]),
        json!({"thought": "I do it.", "action": {"type": "finish", "message": "Did it"}}),
    );
    check(
        &invoke("complete", &[("success", "false"), ("message", "Could not")]),
        json!({"thought": "I do it.", "action": {"type": "request_human_auth", "capability": "unknown", "instruction": "Could not", "timeoutSec": 300},
               "defaulted": ["capability", "timeoutSec"], "warnings": ["gave_up"]}),
    );
    check(
        &format!(
            "{}{}",
            invoke("click", &[("index", "1")]),
            invoke("complete", &[("success", "true")])
        ),
        json!({"thought": "I do it.", "action": {"type": "tap", "target": {"element": 1}}, "warnings": ["several_actions"]}),
    );
    // test_fast_agent_malformed_tool_guard: another maker's tags inside.
    for broken in [
        "I tap it.\n\n<function_calls>\n<invoke name=\"click\">\n<｜DSML｜ name=\"index\">189</｜DSML｜>\n</invoke>\n</function_calls>",
        "<function_calls><invoke name=\"complete\">",
        "<function_calls><invoke name=\"complete\"><parameter name=\"success\">true</parameter>",
        "<function_calls></function_calls>",
        "<｜DSML｜function_calls><｜DSML｜invoke name=\"complete\"></｜DSML｜invoke>",
    ] {
        check_in(None, broken, &json!({"error": "malformed"}));
    }
    check(&invoke("complete", &[]), json!({"error": "malformed"}));
    check(
        &invoke("remember", &[("information", "x")]),
        json!({"error": "unknown_action"}),
    );
}

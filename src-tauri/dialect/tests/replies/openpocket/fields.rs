//! Field by field: what is typed, what is named, what only the product adds.

use super::*;

#[test]
fn text_is_what_was_written() {
    for (written, text) in [
        (json!("  hi \n"), "  hi \n"),
        (json!(""), ""),
        (json!(123), "123"),
        (json!(false), "false"),
        (json!("<think>no</think>"), "<think>no</think>"),
        (json!("{\"type\": \"finish\"}"), "{\"type\": \"finish\"}"),
        (
            json!("it's 100 % \"sure\" \\ ，：｛"),
            "it's 100 % \"sure\" \\ ，：｛",
        ),
        (json!("你好 🎉 \u{0} \u{feff}"), "你好 🎉 \u{0} \u{feff}"),
    ] {
        check_action(
            json!({"type": "type", "text": written}),
            json!({"action": {"type": "type", "text": text}}),
        );
    }
    // A number loses nothing.
    check(
        r#"{"type":"type","text":007.50}"#,
        json!({"action": {"type": "type", "text": "007.50"}}),
    );
    check(
        r#"{"type":"type","text":41111111111111111111}"#,
        json!({"action": {"type": "type", "text": "41111111111111111111"}}),
    );
    // A line break that was not escaped is still that line break.
    check(
        "{\"type\":\"type\",\"text\":\"a\nb\"}",
        json!({"action": {"type": "type", "text": "a\nb"}, "warnings": ["raw_line_break"]}),
    );
}

#[test]
fn text_that_would_have_to_be_guessed_is_refused() {
    for reply in [
        r#"{"type":"type","text":"say "hi" now"}"#,
        r#"{"type":"type","text":"C:\dir"}"#,
        r#"{"type":"type","text":"half \ud83d pair"}"#,
        r#"{"type":"type","text":hello}"#,
        r#"{"type":"type","text":'it's here'}"#,
        r#"{"type":"type","text":"no end}"#,
        r#"{"type":"shell","command":"grep "a b" file"}"#,
        r#"{"type":"run_script","script":"echo "$HOME""}"#,
        r#"{"type":"set_value","target":{"element":1},"value":"a "b" c"}"#,
        r#"{"type":"tap","target":{"text":"the "OK" button"}}"#,
    ] {
        check(reply, json!({"error": "malformed"}));
    }
    // What is only read by people may be mended.
    check(
        r#"{"thought":"tap the "OK" button","action":{"type":"tap","x":1,"y":2,"reason":"it says "OK", so"}}"#,
        json!({"thought": "tap the \"OK\" button", "action": {"type": "tap", "x": 1, "y": 2, "reason": "it says \"OK\", so"},
               "warnings": ["inner_quotes"]}),
    );
}

#[test]
fn words_for_people_and_names() {
    check_action(
        json!({"type": "request_human_auth", "capability": " CAMERA ", "reason": "why"}),
        json!({"action": {"type": "request_human_auth", "capability": "camera", "instruction": "why", "timeoutSec": 300, "reason": "why"},
               "defaulted": ["instruction", "timeoutSec"]}),
    );
    for (capability, read) in [
        ("2FA", "2fa"),
        ("payment", "payment"),
        ("oauth", "oauth"),
        ("Biometric", "biometric"),
    ] {
        check_action(
            json!({"type": "request_human_auth", "capability": capability, "instruction": "Do it", "timeoutSec": "120"}),
            json!({"action": {"type": "request_human_auth", "capability": read, "instruction": "Do it", "timeoutSec": 120}}),
        );
    }
    for unknown in [json!("face"), json!(2), json!("two_factor")] {
        check_action(
            json!({"type": "request_human_auth", "capability": unknown, "instruction": "Do it", "timeoutSec": 9}),
            json!({"action": {"type": "request_human_auth", "capability": "unknown", "instruction": "Do it", "timeoutSec": 9},
                   "defaulted": ["capability"]}),
        );
    }
    check_action(
        json!({"type": "request_human_auth", "capability": "unknown", "instruction": "", "timeoutSec": 9}),
        json!({"action": {"type": "request_human_auth", "capability": "unknown",
                          "instruction": "Human authorization is required to continue.", "timeoutSec": 9},
               "defaulted": ["instruction"]}),
    );
    check_action(
        json!({"type": "keyevent", "keycode": 4}),
        json!({"action": {"type": "keyevent", "keycode": "4"}}),
    );
    check_action(
        json!({"type": "keyevent", "keycode": " KEYCODE_BACK "}),
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_BACK"}}),
    );
    check_action(
        json!({"type": "keyevent", "keycode": ""}),
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_ENTER"}, "defaulted": ["keycode"]}),
    );
    check_action(
        json!({"type": "finish", "message": "", "reason": "r"}),
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
    check_action(
        json!({"type": "finish", "message": 42}),
        json!({"action": {"type": "finish", "message": "42"}}),
    );
    check_action(
        json!({"type": "launch_app", "app": "Messages"}),
        json!({"action": {"type": "launch_app", "packageName": "", "app": "Messages"}, "defaulted": ["packageName"]}),
    );
    // Names in snake_case can mean nothing else.
    check_action(
        json!({"type": "launch_app", "package_name": "com.x"}),
        json!({"action": {"type": "launch_app", "packageName": "com.x"}, "warnings": ["key_style"]}),
    );
}

#[test]
fn the_products_own_actions() {
    check_action(
        json!({"type": "tap", "target": {"trackId": "btn_login_0", "element": "4", "text": "Login", "box": [[100, 200, 300, 400]],
               "role": "button", "label": "Log in"}, "x": 1, "y": 2, "app": "Northbank", "captureAfter": true, "thenFinish": true}),
        json!({"action": {"type": "tap", "x": 1, "y": 2, "target": {"trackId": "btn_login_0", "element": 4, "text": "Login",
               "box": [100, 200, 300, 400], "role": "button", "label": "Log in"}, "app": "Northbank", "captureAfter": true, "thenFinish": true}}),
    );
    check_action(
        json!({"type": "tap", "element": 7}),
        json!({"action": {"type": "tap", "target": {"element": 7}}, "warnings": ["target_inlined"]}),
    );
    check_action(
        json!({"type": "tap", "target": 7, "x": 3}),
        json!({"action": {"type": "tap", "target": {"element": 7}}, "warnings": ["target_inlined", "half_point"]}),
    );
    check_action(
        json!({"type": "type", "text": "hi", "target": {"text": "Username"}}),
        json!({"action": {"type": "type", "text": "hi", "target": {"text": "Username"}}}),
    );
    check_action(
        json!({"type": "type", "text": "hi", "x": 1, "y": 2}),
        json!({"action": {"type": "type", "text": "hi"}, "warnings": ["ignored_point"]}),
    );
    check_action(
        json!({"type": "drag", "target": {"element": 3}, "toTarget": {"box": [1, 2, 3, 4]}, "durationMs": 700}),
        json!({"action": {"type": "drag", "target": {"element": 3}, "toTarget": {"box": [1, 2, 3, 4]}, "durationMs": 700}}),
    );
    check_action(
        json!({"type": "scroll", "direction": " UP ", "amount": "5", "x": null, "y": 100}),
        json!({"action": {"type": "scroll", "direction": "up", "amount": 5, "y": 100}}),
    );
    check_action(
        json!({"type": "scroll", "direction": "sideways", "amount": -2}),
        json!({"action": {"type": "scroll", "direction": "down", "amount": 3}, "defaulted": ["direction", "amount"]}),
    );
    for keys in [
        json!(["KEYCODE_CTRL_LEFT", "KEYCODE_A"]),
        json!("KEYCODE_CTRL_LEFT + KEYCODE_A"),
    ] {
        check_action(
            json!({"type": "key_combination", "keys": keys}),
            json!({"action": {"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_A"]}}),
        );
    }
    check_action(
        json!({"type": "open_url", "url": " example.com "}),
        json!({"action": {"type": "open_url", "url": "example.com"}}),
    );
    for (written, read) in [(json!(1), 1), (json!("250"), 250), (json!(1000), 1000)] {
        check_action(
            json!({"type": "capture", "mode": "AX", "maxElements": written}),
            json!({"action": {"type": "capture", "mode": "ax", "maxElements": read}}),
        );
    }
    check_action(
        json!({"type": "capture", "mode": "ax", "maxElements": 1001}),
        json!({"action": {"type": "capture", "mode": "ax", "maxElements": 1000}, "warnings": ["clamped"]}),
    );
    for broken in [json!(0), json!(-4), json!(2.5), json!(true)] {
        check_action(
            json!({"type": "capture", "mode": "ax", "maxElements": broken}),
            json!({"action": {"type": "capture", "mode": "ax", "maxElements": 100}, "defaulted": ["maxElements"]}),
        );
    }
    check_action(
        json!({"type": "read_text", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "output": "__CogName_A__", "autoScroll": "True", "result": "17.00"}),
        json!({"action": {"type": "read_text", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "output": "__CogName_A__", "autoScroll": true, "result": "17.00"}}),
    );
    for (action, _needs) in [
        (json!({"type": "open_url"}), "url"),
        (json!({"type": "key_combination", "keys": []}), "keys"),
        (json!({"type": "focus_app"}), "app"),
        (json!({"type": "read_text", "box": [1, 2, 3, 4]}), "output"),
        (json!({"type": "read_clipboard"}), "output"),
        (json!({"type": "ask_model", "output": "__CogName_A__"}), "prompt"),
    ] {
        check_action(action, json!({"error": "malformed"}));
    }
}

#[test]
fn a_mouses_doing_becomes_a_fingers_or_is_refused() {
    for kind in ["tap", "double_tap", "long_press"] {
        check_action(
            json!({"type": kind, "x": 1, "y": 2, "button": "Middle"}),
            json!({"error": "no_touch_equivalent"}),
        );
    }
    check_action(
        json!({"type": "drag", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "button": "middle"}),
        json!({"error": "no_touch_equivalent"}),
    );
    check_action(
        json!({"type": "tap", "x": 1, "y": 2, "button": "right", "durationMs": 900}),
        json!({"action": {"type": "long_press", "x": 1, "y": 2, "durationMs": 900}, "warnings": ["right_button"]}),
    );
    check_action(
        json!({"type": "tap", "x": 1, "y": 2, "modifiers": ["ctrl", "shift"]}),
        json!({"action": {"type": "tap", "x": 1, "y": 2, "modifiers": ["ctrl", "shift"]}, "warnings": ["modifiers_ignored"]}),
    );
    check_action(
        json!({"type": "wait", "durationMs": 5, "modifiers": "ctrl"}),
        json!({"action": {"type": "wait", "durationMs": 5}, "warnings": ["modifiers_ignored"]}),
    );
}

#[test]
fn variables_stand_where_they_may_and_nowhere_else() {
    let name = "__CogName_价格__";
    for action in [
        json!({"type": "type", "text": format!("costs {name}.")}),
        json!({"type": "set_value", "target": {"element": 1}, "value": name}),
        json!({"type": "ask_model", "prompt": format!("Sum up {name}"), "output": "__CogName_S__"}),
        json!({"type": "type", "text": "__CogName_ is no variable, nor is __CogName_a b__"}),
    ] {
        check_action(action.clone(), json!({"action": action}));
    }
    for action in [
        json!({"type": "shell", "command": name}),
        json!({"type": "run_script", "script": name}),
        json!({"type": "launch_app", "packageName": name}),
        json!({"type": "launch_app", "packageName": "a", "app": name}),
        json!({"type": "open_url", "url": format!("https://example.com/{name}")}),
        json!({"type": "keyevent", "keycode": name}),
        json!({"type": "key_combination", "keys": ["A", name]}),
        json!({"type": "tap", "target": {"text": name}}),
        json!({"type": "type", "text": "a", "target": {"element": 1, "label": name}}),
        json!({"type": "drag", "target": {"element": 1}, "toTarget": {"text": name}}),
        json!({"type": "finish", "message": name}),
        json!({"type": "request_human_auth", "instruction": name}),
        json!({"type": "wait", "durationMs": 1, "reason": name}),
        json!({"type": "read_clipboard", "output": "__CogName_A__", "result": name}),
    ] {
        check_action(action, json!({"error": "variable_not_allowed"}));
    }
}

#[test]
fn a_target_that_finds_nothing_is_not_passed_over() {
    for target in [
        json!({"label": "Name"}),
        json!({"element": 0}),
        json!("Name"),
        json!({"box": [1, 2, 3]}),
    ] {
        check_action(
            json!({"type": "type", "text": "a", "target": target}),
            json!({"error": "missing_target", "normalized": {"type": "type", "text": "a"}}),
        );
    }
    check_action(
        json!({"type": "type", "text": "a", "target": {}}),
        json!({"action": {"type": "type", "text": "a"}}),
    );
}

/// A command as the list of its words, as programs are started.
#[test]
fn a_command_may_be_a_list_of_words() {
    let listed = |command: serde_json::Value| json!({"type": "shell", "command": command});
    for (command, line) in [
        (json!(["input", "tap", "540", "1200"]), "input tap 540 1200"),
        (json!(["input", "tap", 540, 1200]), "input tap 540 1200"),
        (
            json!(["input", "text", "it's a; b"]),
            r"input text 'it'\''s a; b'",
        ),
        (json!(["echo", ""]), "echo ''"),
    ] {
        check_action(
            listed(command),
            json!({"action": {"type": "shell", "command": line}, "warnings": ["list_of_words"]}),
        );
    }
    check_action(
        listed(json!(["dumpsys battery | head"])),
        json!({"action": {"type": "shell", "command": "dumpsys battery | head"}}),
    );
    // No list of words: the page's default.
    for command in [json!([]), json!([1, 2]), json!(["a", ["b"]])] {
        check_action(
            listed(command),
            json!({"action": {"type": "shell", "command": ""}, "defaulted": ["command"], "warnings": ["not_text"]}),
        );
    }
}

/// What is to be remembered stands beside the end of a task, and nowhere else.
#[test]
fn a_note_is_one_of_a_task_that_is_done() {
    for (reply, expected) in [
        (
            r#"{"thought":"t","action":{"type":"finish","message":"m","note":"I am Jo"}}"#,
            Some("I am Jo"),
        ),
        (
            r#"{"name":"phone","arguments":{"thought":"t","type":"finish","message":"m","note":"I am Jo"}}"#,
            Some("I am Jo"),
        ),
        (r#"{"type":"finish","message":"m","note":" "}"#, None),
        (r#"{"type":"finish","message":"m"}"#, None),
        (r#"{"type":"wait","durationMs":5,"note":"I am Jo"}"#, None),
    ] {
        let parsed = dialect::parse(reply, None).unwrap();
        assert_eq!(parsed.note.as_deref(), expected, "{reply}");
    }
}

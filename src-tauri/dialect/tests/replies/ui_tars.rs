//! The `UI-TARS` dialect. Sources of the replies: tests and issues of bytedance/UI-TARS-desktop, tests of midscene.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use protocol::Space;
use serde_json::{Value, json};

#[track_caller]
fn check(reply: &str, expected: Value) {
    check_both(Dialect::UiTars, reply, &expected);
}

fn point(x: u32, y: u32) -> Value {
    json!({"box": [x, y, x, y]})
}

#[test]
fn every_spelling_of_a_place() {
    for place in [
        "start_box='(100,200)'",
        "start_box=\"(100,200)\"",
        "start_box='[100,200]'",
        "start_box='[100,200,100,200]'",
        "start_box='100 200'",
        "point='<point>100 200</point>'",
        "start_box='<bbox>100 200 100 200</bbox>'",
        "start_box='<bbox>100 200</bbox>'",
        "start_box='<|box_start|>(100,200)<|box_end|>'",
        "start_box='<|box_start|>(100,200),(100,200)<|box_end|>'",
        "start_box=(100,200)",
        "start_box=[100, 200]",
        "start_box='(100，200)'",
    ] {
        check(
            &format!("Thought: t\nAction: click({place})"),
            json!({"thought": "t", "action": {"type": "tap", "target": point(100, 200)}}),
        );
    }
    check(
        "click(start_box='(100,200)')",
        json!({"action": {"type": "tap", "target": point(100, 200)}}),
    );
    // UI-TARS-desktop pull request 942: the last quote and parenthesis are missing.
    check(
        "Action: click(point='<point>450 565</point>",
        json!({"action": {"type": "tap", "target": point(450, 565)}, "warnings": ["missing_quote", "missing_bracket"]}),
    );
    // A digit may be missing with them.
    for reply in [
        "Action: click(start_box='(100,20",
        "Action: click(start_box='100 20",
        "Action: click(start_box='='",
        "Action: click(start_box='')",
        "Action: click()",
    ] {
        let summary = crate::door::summary(reply, Some(Dialect::UiTars));
        assert!(summary.get("error").is_some(), "{reply}: {summary}");
    }
    // Models of later generations write pixels of the picture: told so, they are kept.
    let told = dialect::parse_in("Action: click(start_box='(691,1485)')", None, Space::Picture).unwrap();
    assert_eq!(
        json!(told.step.action),
        json!({"type": "tap", "x": 691, "y": 1485})
    );
    check(
        "Action: click(start_box='(691,1485)')",
        json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
}

#[test]
fn every_action() {
    let at = "start_box='(1,2)'";
    for (call, action, defaulted) in [
        (
            format!("left_single({at})"),
            json!({"type": "tap", "target": point(1, 2)}),
            json!([]),
        ),
        (
            format!("left_double({at})"),
            json!({"type": "double_tap", "target": point(1, 2)}),
            json!([]),
        ),
        (
            format!("right_single({at})"),
            json!({"type": "long_press", "target": point(1, 2), "durationMs": 800}),
            json!(["durationMs"]),
        ),
        (
            format!("long_press({at}, time='2')"),
            json!({"type": "long_press", "target": point(1, 2), "durationMs": 2000}),
            json!([]),
        ),
        (
            format!("hover({at})"),
            json!({"type": "hover", "target": point(1, 2)}),
            json!([]),
        ),
        (
            "type(content='a, (b)\\n')".into(),
            json!({"type": "type", "text": "a, (b)\n"}),
            json!([]),
        ),
        (
            format!("type(text='Hello', {at})"),
            json!({"type": "type", "text": "Hello", "target": point(1, 2)}),
            json!([]),
        ),
        (
            format!("scroll({at}, direction='down')"),
            json!({"type": "scroll", "direction": "down", "amount": 3, "target": point(1, 2)}),
            json!(["amount"]),
        ),
        (
            "hotkey(key='ctrl c')".into(),
            json!({"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_C"]}),
            json!([]),
        ),
        (
            "hotkey(key='enter')".into(),
            json!({"type": "keyevent", "keycode": "KEYCODE_ENTER"}),
            json!([]),
        ),
        (
            "press(key='arrowleft')".into(),
            json!({"type": "keyevent", "keycode": "KEYCODE_DPAD_LEFT"}),
            json!([]),
        ),
        (
            "press_home()".into(),
            json!({"type": "keyevent", "keycode": "KEYCODE_HOME"}),
            json!([]),
        ),
        (
            "press_back()".into(),
            json!({"type": "keyevent", "keycode": "KEYCODE_BACK"}),
            json!([]),
        ),
        (
            "open_app(app_name='Notes')".into(),
            json!({"type": "launch_app", "packageName": "", "app": "Notes"}),
            json!([]),
        ),
        (
            "navigate(content='example.com')".into(),
            json!({"type": "open_url", "url": "example.com"}),
            json!([]),
        ),
        (
            "wait()".into(),
            json!({"type": "wait", "durationMs": 5000}),
            json!(["durationMs"]),
        ),
        (
            "finished(content='Done, (yes)')".into(),
            json!({"type": "finish", "message": "Done, (yes)"}),
            json!([]),
        ),
        (
            "finished()".into(),
            json!({"type": "finish", "message": "Task finished."}),
            json!(["message"]),
        ),
        (
            "call_user()".into(),
            json!({"type": "request_human_auth", "capability": "unknown",
                   "instruction": "Human authorization is required to continue.", "timeoutSec": 300}),
            json!(["capability", "timeoutSec", "instruction"]),
        ),
    ] {
        let mut expected = json!({"thought": "t", "action": action});
        if defaulted != json!([]) {
            expected["defaulted"] = defaulted;
        }
        check(&format!("Thought: t\nAction: {call}"), expected);
    }
    for (name, from, to) in [
        ("drag", "start_box", "end_box"),
        ("swipe", "start_point", "end_point"),
    ] {
        check(
            &format!("Action: {name}({from}='<point>500 800</point>', {to}='<point>500 200</point>')"),
            json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 300},
                   "space": "thousandths", "defaulted": ["durationMs"]}),
        );
    }
    check(
        "Action: middle_click(start_box='(1,2)')",
        json!({"error": "no_touch_equivalent"}),
    );
    check("Action: keydown(key='a')", json!({"error": "unknown_action"}));
}

#[test]
fn replies_as_they_came() {
    check(
        "<Thought>I need to perform this action</Thought>\nAction_Summary: Click and type text\nAction: click(start_box='(100,200)')\n</Output>",
        json!({"thought": "I need to perform this action", "action": {"type": "tap", "target": point(100, 200)}}),
    );
    check(
        "Reflection: This is a reflection\nAction_Summary: This is a summary\nAction: click(start_box='(1,2)')",
        json!({"thought": "This is a reflection\nThis is a summary", "action": {"type": "tap", "target": point(1, 2)}}),
    );
    // hallucinationCases.test: a colon of full width.
    check(
        "\n\nAction：click(start_box='<bbox>191 21 191 21</bbox>')",
        json!({"action": {"type": "tap", "target": point(191, 21)}}),
    );
    check("Thought: Empty action\nAction:", json!({"error": "no_action"}));
    check("Thought: I know the next step.", json!({"error": "no_action"}));
    // OSWorld 417: noise.
    check_in(
        Some(Dialect::UiTars),
        "click>point>left_double>Falsepoint>729 122",
        &json!({"error": "no_action"}),
    );
    check(
        "Thought: t\nAction: click(point='<point>403 81</point>')\n\ntype(content='baidu.com')\n\nhotkey(key='enter')",
        json!({"thought": "t", "action": {"type": "tap", "target": point(403, 81)}, "warnings": ["several_actions"]}),
    );
    // UI-TARS-desktop 37: thoughts with numbers and quotes.
    check(
        "1. The user has typed \"youtube.com\" already.\n2. Press it.\nAction: click(start_box='<|box_start|>(691,85)<|box_end|>')",
        json!({"thought": "1. The user has typed \"youtube.com\" already.\n2. Press it.", "action": {"type": "tap", "target": point(691, 85)}}),
    );
    check(
        "Thought: t\nAction: type(content='it's here')",
        json!({"thought": "t", "action": {"type": "type", "text": "it's here"}, "warnings": ["inner_quotes"]}),
    );
    check(
        "Thought: t\nAction: type(content='no end)",
        json!({"error": "malformed"}),
    );
    check(
        "Thought: t\nAction: finished(content='no end",
        json!({"error": "malformed"}),
    );
}

#[test]
fn calls_in_tags() {
    // xmlParser.test
    check(
        "<seed:think>hm</seed:think>\n<seed:tool_call>\n<function=click>\n<parameter=point><point>17 58</point></parameter>\n</function>\n</seed:tool_call>",
        json!({"thought": "hm", "action": {"type": "tap", "target": point(17, 58)}}),
    );
    check(
        "<seed:tool_call><function=type><parameter=content>a <b> 'c'\n</parameter></function></seed:tool_call>",
        json!({"action": {"type": "type", "text": "a <b> 'c'"}}),
    );
    check(
        "<seed:tool_call><function=finished></function></seed:tool_call>",
        json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
    for broken in [
        "<seed:tool_call><function=click><parameter=point><point>17 58</point>",
        "<seed:tool_call><function=finished>",
        "<seed:tool_call><function=click><point>17 58</point></function>",
        "<function=click<function=click>",
    ] {
        check(broken, json!({"error": "malformed"}));
    }
}

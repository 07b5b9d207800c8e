//! `deck parse`: what it makes of what models say.

use crate::command::{deck, run};
use serde_json::{Value, json};

/// Runs each, and tells what went in and what came out. That `raw` is the reply letter for letter is checked here and
/// left out.
fn stories(cases: &[(&str, &[&str], &str)]) -> String {
    let mut text = String::new();
    for (name, arguments, input) in cases {
        let mut command = deck();
        command
            .arg("parse")
            .args(*arguments)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it"));
        let mut ended = run(command, input.as_bytes());
        if ended.code == 0 {
            let mut out: serde_json::Map<String, Value> = serde_json::from_str(&ended.out).unwrap();
            let raw = out.shift_remove("raw").unwrap();
            assert!(
                raw == *input || arguments.contains(&raw.as_str().unwrap()),
                "{raw}"
            );
            ended.out = Value::Object(out).to_string();
        }
        let call = ["deck parse", &arguments.join(" ")].join(" ");
        text.push_str(&format!("# {name}\n{}\n", call.trim_end()));
        for line in input.lines() {
            text.push_str(&format!("in:  {line}\n"));
        }
        text.push_str(&format!("{}\n", ended.story()));
    }
    text
}

#[test]
fn replies_in_every_shape() {
    let told = stories(&[
        (
            "plain",
            &[],
            r#"{"thought": "Open it.", "action": {"type": "tap", "x": 540, "y": 1200}}"#,
        ),
        (
            "fenced",
            &[],
            "Here you are:\n```json\n{\"type\": \"keyevent\", \"keycode\": \"BACK\"}\n```\n",
        ),
        (
            "in prose",
            &[],
            r#"I will press it now {"type": "tap", "x": "540", "y": "1200"} and wait."#,
        ),
        (
            "after thinking",
            &[],
            r#"<think>hm, {"type": "finish"}?</think>{"type": "type", "text": " Milk "}"#,
        ),
        (
            "untidy",
            &[],
            "{'type': 'swipe', 'x1': 540, 'y1': 1800, 'x2': 540, 'y2': 600,}",
        ),
        ("a default told", &[], r#"{"type": "wait"}"#),
        ("a type nobody knows", &[], r#"{"type": "fly", "to": "the moon"}"#),
        (
            "as an argument",
            &[r#"{"type": "launch_app", "packageName": "com.android.notes"}"#],
            "not read",
        ),
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn every_dialect_in_its_own_words() {
    let told = stories(&[
        (
            "openpocket",
            &["--dialect", "openpocket"],
            r#"{"action": {"type": "tap", "x": 1, "y": 2}}"#,
        ),
        (
            "cogagent",
            &["--dialect", "cogagent"],
            "Action: Tap the button.\nGrounded Operation: CLICK(box=[[100,200,300,400]], element_type='button', element_info='OK')\n<<Sensitive Operation>>",
        ),
        (
            "omnimcp",
            &["--dialect", "omnimcp"],
            r#"{"reasoning": "Tap it.", "action": {"action_type": "click", "target": {"element_id": 3}, "parameters": {}}, "is_goal_complete": false}"#,
        ),
        (
            "hermes",
            &["--dialect", "hermes"],
            r#"{"action": "click", "element": 3}"#,
        ),
        (
            "autoglm",
            &["--dialect", "autoglm"],
            r#"do(action="Tap", element=[500,800])"#,
        ),
        (
            "ui_tars",
            &["--dialect", "ui_tars"],
            "Thought: Tap it.\nAction: click(start_box='(500,800)')",
        ),
        (
            "qwen",
            &["--dialect", "qwen"],
            r#"<tool_call>{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 800]}}</tool_call>"#,
        ),
        (
            "androidworld",
            &["--dialect", "androidworld"],
            r#"{"action_type": "click", "index": 3}"#,
        ),
        (
            "tool_call",
            &["--dialect", "tool_call"],
            r#"{"tool_calls": [{"function": {"name": "phone", "arguments": "{\"type\": \"tap\", \"x\": 1, \"y\": 2}"}}]}"#,
        ),
        (
            "gui_plus",
            &["--dialect", "gui_plus"],
            r#"{"thought": "Tap it.", "action": "CLICK", "parameters": {"x": 1, "y": 2}}"#,
        ),
        (
            "mobilerun",
            &["--dialect", "mobilerun"],
            r#"{"action": "click", "index": 3}"#,
        ),
        ("appagent", &["--dialect", "appagent"], "Action: tap(3)"),
        (
            "ui_venus",
            &["--dialect", "ui_venus"],
            "<think>Tap it.</think><action>Click(box=(500, 800))</action>",
        ),
        (
            "step_gui",
            &["--dialect", "step_gui"],
            "<THINK>Tap it.</THINK>explain:Tap it.\taction:CLICK\tpoint:500,800\tsummary:Tapped",
        ),
        (
            "verbs",
            &["--dialect", "verbs"],
            r#"<tool_call>{"name": "click", "arguments": {"point": [500, 800]}}</tool_call>"#,
        ),
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn dialects_are_found_by_themselves() {
    let told = stories(&[
        ("autoglm", &[], r#"do(action="Tap", element=[500,800])"#),
        (
            "ui_tars",
            &[],
            "Thought: Tap it.\nAction: click(start_box='(500,800)')",
        ),
        (
            "cogagent",
            &[],
            "Grounded Operation: TYPE(box=[[100,200,300,400]], text='Milk', element_type='field', element_info='Note')\n<<General Operation>>",
        ),
        ("hermes", &[], r#"{"action": "click", "element": 3}"#),
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn places_become_pixels_of_the_screen() {
    let size = ["--width", "1080", "--height", "2400"];
    let screen = ["--width", "1080", "--height", "2400", "--screen", "screen.xml"];
    let told = stories(&[
        (
            "a box",
            &size,
            r#"{"type": "tap", "target": {"box": [100, 200, 300, 400]}}"#,
        ),
        (
            "an element without a screen",
            &size,
            r#"{"type": "tap", "target": {"element": 3}}"#,
        ),
        (
            "an element",
            &screen,
            r#"{"type": "tap", "target": {"element": 3}}"#,
        ),
        (
            "a text",
            &screen,
            r#"{"type": "tap", "target": {"text": "New note"}}"#,
        ),
        (
            "a text that is not there",
            &screen,
            r#"{"type": "tap", "target": {"text": "Old note"}}"#,
        ),
        (
            "a swipe in thousandths",
            &size,
            r#"<tool_call>{"name": "mobile_use", "arguments": {"action": "swipe", "coordinate": [500, 800], "coordinate2": [500, 200]}}</tool_call>"#,
        ),
        ("an area of AppAgent's grid", &size, "Action: tap(10, \"center\")"),
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn what_nobody_can_read_is_said_to_be_so() {
    let told = stories(&[
        ("nothing", &[], ""),
        ("words", &[], "I am not sure what to do here, sorry!"),
        ("a touch without a place", &[], r#"{"type": "tap"}"#),
        (
            "a place that is null",
            &[],
            r#"{"type": "tap", "x": null, "y": 3}"#,
        ),
        (
            "the middle button",
            &[],
            r#"{"action": "middle_click", "element": 3}"#,
        ),
        (
            "a variable where none may be",
            &[],
            r#"{"type": "launch_app", "packageName": "__CogName_Shop__"}"#,
        ),
        (
            "a cut end",
            &[],
            r#"{"thought": "Tap it.", "action": {"type": "tap", "x": 5"#,
        ),
    ]);
    insta::assert_snapshot!(told);
}

/// One place of a screen of 1080 × 2400, as each family writes it.
#[test]
fn each_family_counts_in_its_own_space() {
    let size = ["--width", "1080", "--height", "2400"];
    let point = |arguments: &[&str], reply: &str| {
        let mut command = deck();
        command.arg("parse").args(size).args(arguments);
        let ended = run(command, reply.as_bytes());
        let out: Value = serde_json::from_str(&ended.out).unwrap();
        match &out["error"] {
            Value::Null => (ended.code, out["action"]["x"].clone(), out["action"]["y"].clone()),
            error => (ended.code, error["code"].clone(), Value::Null),
        }
    };
    let there = (0, json!(540), json!(600));
    let by_name = |x: f64, y: f64| json!({"type": "tap", "x": x, "y": y}).to_string();
    let listed = |a: f64, b: f64| json!({"type": "tap", "coordinate": [a, b]}).to_string();
    for (arguments, reply) in [
        (&[][..], by_name(540.0, 600.0)),
        (&["--space", "screen"], by_name(540.0, 600.0)),
        (
            &["--space", "picture", "--picture", "576x1280"],
            by_name(288.0, 320.0),
        ),
        (&["--space", "thousandths"], by_name(500.0, 250.0)),
        (&["--space", "thousandths_yx"], listed(250.0, 500.0)),
        (&["--space", "unit"], by_name(0.5, 0.25)),
        (&["--family", "qwen"], listed(500.0, 250.0)),
        (&["--family", "gemini"], listed(250.0, 500.0)),
        (&["--family", "gemini"], by_name(500.0, 250.0)),
        (&["--family", "google/gemini-2.5-pro"], listed(250.0, 500.0)),
        (&["--family", "kimi"], by_name(0.5, 0.25)),
        // The picture this family takes of such a screen is 672 × 1484.
        (&["--family", "qwen2.5-vl"], by_name(336.0, 371.0)),
        (
            &["--family", "claude", "--picture", "540x1200"],
            by_name(270.0, 300.0),
        ),
    ] {
        assert_eq!(point(arguments, &reply), there, "{arguments:?} {reply}");
    }
    let nowhere = (1, json!("missing_target"), Value::Null);
    for (arguments, reply) in [
        (&["--space", "unit"][..], by_name(500.0, 1250.0)),
        (&["--family", "qwen"], by_name(1080.0, 600.0)),
        (
            &["--space", "picture", "--picture", "576x1280"],
            by_name(900.0, 100.0),
        ),
    ] {
        assert_eq!(point(arguments, &reply), nowhere, "{arguments:?} {reply}");
    }
    for wrong in [
        ["--family", "parrot"],
        ["--space", "inches"],
        ["--picture", "0x5"],
    ] {
        let mut command = deck();
        command.arg("parse").args(size).args(wrong);
        assert_eq!(run(command, b"{}").code, 2, "{wrong:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_no_panic() {
    let mut command = deck();
    command.arg("parse");
    let ended = run(command, b"\xff\xfe{\"type\":\xc3");
    assert_eq!(ended.code, 1, "{}", ended.story());
    assert!(ended.err.ends_with(".\n"), "{}", ended.story());
}

#[test]
fn called_wrongly_it_says_how() {
    let told = stories(&[
        ("no such dialect", &["--dialect", "klingon"], "{}"),
        ("half a size", &["--width", "1080"], "{}"),
        ("no size", &["--width", "0", "--height", "0"], "{}"),
        (
            "no such file",
            &["--width", "1", "--height", "1", "--screen", "nowhere.xml"],
            "{}",
        ),
        (
            "no screen",
            &["--width", "1", "--height", "1", "--screen", "main.rs"],
            "{}",
        ),
    ]);
    insta::assert_snapshot!(told);
}

//! The `AutoGLM` dialect. Sources of the replies: issues of zai-org/Open-AutoGLM, tests of midscene's `auto-glm`.

use crate::door::{check_both, check_in};
use dialect::{Dialect, Size};
use serde_json::{Value, json};

#[track_caller]
fn check(reply: &str, expected: Value) {
    check_both(Dialect::AutoGlm, reply, &expected);
}

fn point(x: u32, y: u32) -> Value {
    json!({"box": [x, y, x, y]})
}

#[test]
fn every_action_with_every_parameter() {
    check(
        "do(action=\"Tap\", element=[100,200])",
        json!({"action": {"type": "tap", "target": point(100, 200)}}),
    );
    // A message on a tap: property, payment or privacy.
    check(
        "do(action=\"Tap\", element=[100,200], message=\"Pays the order\")",
        json!({"action": {"type": "tap", "target": point(100, 200), "reason": "Pays the order"}, "sensitivity": "sensitive"}),
    );
    check(
        "do(action=\"Tap\", element=[100,200,300,400])",
        json!({"action": {"type": "tap", "target": {"box": [100, 200, 300, 400]}}}),
    );
    check(
        "do(action=\"Double Tap\", element=[1,2])",
        json!({"action": {"type": "double_tap", "target": point(1, 2)}}),
    );
    check(
        "do(action=\"Long Press\", element=[1,2])",
        json!({"action": {"type": "long_press", "target": point(1, 2), "durationMs": 800}, "defaulted": ["durationMs"]}),
    );
    for name in ["Type", "Type_Name"] {
        check(
            &format!("do(action=\"{name}\", text=\" 你好, (x) \")"),
            json!({"action": {"type": "type", "text": " 你好, (x) "}}),
        );
    }
    check(
        "do(action=\"Launch\", app=\"Settings\")",
        json!({"action": {"type": "launch_app", "packageName": "", "app": "Settings"}}),
    );
    check(
        "do(action=\"Back\")",
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_BACK"}}),
    );
    check(
        "do(action=\"Home\")",
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_HOME"}}),
    );
    for (duration, ms) in [
        ("\"3 seconds\"", 3000),
        ("\"3\"", 3000),
        ("3", 3000),
        ("\"500 ms\"", 500),
        ("\"2秒\"", 2000),
        ("1.5", 1500),
    ] {
        check(
            &format!("do(action=\"Wait\", duration={duration})"),
            json!({"action": {"type": "wait", "durationMs": ms}}),
        );
    }
    check(
        "do(action=\"Wait\")",
        json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
    );
    for name in ["Take_over", "Interact"] {
        check(
            &format!("do(action=\"{name}\", message=\"Please sign in\")"),
            json!({"action": {"type": "request_human_auth", "capability": "unknown", "instruction": "Please sign in", "timeoutSec": 300},
                   "defaulted": ["capability", "timeoutSec"]}),
        );
    }
    check(
        "do(action=\"Interact\")",
        json!({"action": {"type": "request_human_auth", "capability": "unknown",
               "instruction": "Human authorization is required to continue.", "timeoutSec": 300},
               "defaulted": ["capability", "timeoutSec", "instruction"]}),
    );
    check(
        "do(action=\"Note\", message=\"True\")",
        json!({"action": {"type": "read_text", "box": [0, 0, 1000, 1000], "output": "__CogName_Note__", "autoScroll": false}}),
    );
    check(
        "do(action=\"Call_API\", instruction=\"Sum up\")",
        json!({"action": {"type": "ask_model", "prompt": "Sum up", "output": "__CogName_Answer__"}}),
    );
    check(
        "finish(message=\"All done, really\")",
        json!({"action": {"type": "finish", "message": "All done, really"}}),
    );
}

#[test]
fn a_swipe_says_what_its_numbers_count() {
    let reply = "do(action=\"Swipe\", start=[499,799], end=[499,199])";
    check(
        reply,
        json!({"action": {"type": "swipe", "x1": 499, "y1": 799, "x2": 499, "y2": 199, "durationMs": 300},
               "space": "thousandths", "defaulted": ["durationMs"]}),
    );
    let screen = Size {
        width: 1080,
        height: 2400,
    };
    let pixels = dialect::parse(reply, None).unwrap().in_pixels(screen);
    assert_eq!(
        json!(pixels.step.action),
        json!({"type": "swipe", "x1": 539, "y1": 1918, "x2": 539, "y2": 478, "durationMs": 300})
    );
    assert_eq!(pixels.clone().in_pixels(screen), pixels, "once is enough");
    // Told that the model writes pixels, a place is plain coordinates.
    let told = dialect::parse_in(
        "do(action=\"Tap\", element=[540,1200])",
        None,
        protocol::Space::Picture,
    )
    .unwrap();
    assert_eq!(
        json!(told.step.action),
        json!({"type": "tap", "x": 540, "y": 1200})
    );
}

#[test]
fn replies_as_they_came() {
    // Open-AutoGLM 59: box tokens.
    check(
        "<|begin_of_box|>I can see the home screen...<|end_of_box|>\n<|begin_of_box|>do(action=\"Launch\", app=\"Settings\")<|end_of_box|>",
        json!({"thought": "I can see the home screen...", "action": {"type": "launch_app", "packageName": "", "app": "Settings"}}),
    );
    // Open-AutoGLM 180: an answer that is not closed.
    check(
        "<think>现在我需要输入标题\"重新设计\"。</think><answer>do(action=\"Type\", text=\"重新设计\")",
        json!({"thought": "现在我需要输入标题\"重新设计\"。", "action": {"type": "type", "text": "重新设计"}}),
    );
    // midscene response-parser.test
    check(
        "I see a button. do(action=\"Tap\", element=[100,200])",
        json!({"thought": "I see a button.", "action": {"type": "tap", "target": point(100, 200)}}),
    );
    // Open-AutoGLM 347, 376, 378: tags that do not match.
    for reply in [
        "do(action=\"Back\")</answer>",
        "<answer>do(action=\"Back\")</answer></think>",
        "<answer>\n```python\ndo(action=\"Back\")\n```\n</answer>",
    ] {
        let summary = crate::door::summary(reply, None);
        if reply.ends_with("</think>") {
            // What stands before a closing tag is thought.
            assert_eq!(summary, json!({"error": "no_action"}), "{reply}");
        } else {
            assert_eq!(
                summary["action"],
                json!({"type": "keyevent", "keycode": "KEYCODE_BACK"}),
                "{reply}"
            );
        }
    }
    check(
        "Back? do(action=\"Home\") no: <think>I go back.</think> do(action=\"Back\") do(action=\"Home\")",
        json!({"thought": "I go back.", "action": {"type": "keyevent", "keycode": "KEYCODE_HOME"}, "warnings": ["several_actions"]}),
    );
    check(
        "do(action=\"Tap\", element=[100,200]",
        // With the parenthesis a message may be missing, which would have marked it.
        json!({"action": {"type": "tap", "target": point(100, 200)}, "sensitivity": "sensitive", "warnings": ["missing_bracket"]}),
    );
}

#[test]
fn text_ends_where_the_models_end_it() {
    for (written, text) in [
        (r#"say "hi" now"#, r#"say "hi" now"#),
        (r#""quoted""#, r#""quoted""#),
        (r#"it's (fine)"#, "it's (fine)"),
        (r#"line\nbreak"#, "line\nbreak"),
        (r#"escaped \" quote"#, r#"escaped " quote"#),
        ("<think>", "<think>"),
    ] {
        for tail in ["", "</answer>", "\n```", "<|end_of_box|>"] {
            let reply = format!("<answer>do(action=\"Type\", text=\"{written}\"){tail}");
            let summary = crate::door::summary(&reply, None);
            assert_eq!(summary["action"]["text"], text, "{reply}: {summary}");
        }
    }
    for unclear in [
        r#"do(action="Type", text="say "hi" \n now")"#,
        r#"do(action="Type", text="a "b") c")"#,
        r#"do(action="Type", text="no end"#,
        r#"do(action="Type", text=hello)"#,
        r#"do(action="Type")"#,
    ] {
        check_in(Some(Dialect::AutoGlm), unclear, &json!({"error": "malformed"}));
    }
}

#[test]
fn what_is_missing_or_unknown_is_refused() {
    let nowhere = json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}});
    for reply in [
        "do(action=\"Tap\")",
        "do(action=\"Tap\", element=[])",
        "do(action=\"Tap\", element=[100])",
        "do(action=\"Tap\", element=[540,1200])",
        "do(action=\"Tap\", element=\"the button\")",
    ] {
        check(reply, nowhere.clone());
    }
    check(
        "do(action=\"Swipe\", start=[1,2])",
        json!({"error": "missing_target", "normalized": {"type": "swipe", "x1": 1, "y1": 2, "x2": 0, "y2": 0, "durationMs": 300}}),
    );
    for (reply, code) in [
        ("do(action=\"Fly\")", "unknown_action"),
        ("do(action=\"Launch\")", "malformed"),
        ("do(action=\"Call_API\")", "malformed"),
        ("do()", "malformed"),
        ("do(action=\"Tap\", element=[100,2", "malformed"),
        ("finish(message=\"done\"", "malformed"),
        ("finish(message=\"do", "malformed"),
        ("<think>finish(message=\"x\")", "no_action"),
        ("<think>finish(message=\"x\")</think>", "no_action"),
        ("I finish here", "no_action"),
    ] {
        check_in(Some(Dialect::AutoGlm), reply, &json!({"error": code}));
    }
}

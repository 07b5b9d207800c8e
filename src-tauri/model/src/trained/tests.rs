//! Every dialect's prompt as a snapshot a person can read, and what its prompt promises read back by its dialect.

use super::*;
use dialect::parse_in;
use protocol::{CaptureResult, PhoneId, Screen, Totals};

fn facts(goal: &str) -> Facts {
    let line = |step, action: &str, result: &str| Line {
        step,
        action: action.to_owned(),
        result: result.to_owned(),
        ..Line::default()
    };
    Facts {
        goal: goal.to_owned(),
        screen: Screen {
            phone: PhoneId("demo".to_owned()),
            current_app: "com.android.settings".to_owned(),
            window: None,
            width: 1080,
            height: 2400,
            captured_at: 0,
            capture: CaptureResult::Ok,
            frame: None,
            elements: Vec::new(),
            tree_read: false,
            totals: Totals::default(),
            keyboard_shown: false,
        },
        history: vec![
            line(
                1,
                r#"{"type":"launch_app","packageName":"com.android.settings"}"#,
                "done",
            ),
            line(
                2,
                r#"{"type":"tap","x":540,"y":1200,"target":{"text":"Battery"}}"#,
                "denied by the\nperson",
            ),
            line(3, "", "Your answer could not be read."),
        ],
        said: vec!["only if it is under 20 %".to_owned()],
        apps: Vec::new(),
    }
}

fn shown(training: Training, space: Space, goal: &str) -> String {
    let words = training.words(&facts(goal), space, Some((588, 1288)), Language::ChineseOrEnglish);
    format!("{}\n=====\n{}", words.system, words.user)
}

#[test]
fn prompts_are_in_the_words_the_models_know() {
    let goal = "Turn on Battery Saver";
    insta::assert_snapshot!("cogagent", shown(Training::CogAgent, Space::Thousandths, goal));
    insta::assert_snapshot!("autoglm", shown(Training::AutoGlm, Space::Thousandths, goal));
    insta::assert_snapshot!("ui_tars", shown(Training::UiTars, Space::Thousandths, goal));
    insta::assert_snapshot!("ui_tars_1_5", shown(Training::UiTars, Space::Picture, goal));
    insta::assert_snapshot!("mobile_use", shown(Training::MobileUse, Space::Picture, goal));
    insta::assert_snapshot!("computer_use", shown(Training::ComputerUse, Space::Picture, goal));
}

#[test]
fn a_task_in_chinese_is_asked_in_chinese() {
    assert!(shown(Training::AutoGlm, Space::Thousandths, "打开省电模式").contains("严格按照以下格式输出"));
    assert!(shown(Training::UiTars, Space::Thousandths, "打开省电模式").contains("Use Chinese in `Thought`"));
    assert!(!shown(Training::AutoGlm, Space::Thousandths, "Open Settings").contains("严格"));
}

/// What a prompt offers, as its model would write it, and the type of action that must come of it.
#[test]
fn what_is_offered_is_understood() {
    let check = |training: Training, reply: &str, expected: &str| {
        let parsed = parse_in(reply, None, training.dialect().space());
        let action = parsed.map(|parsed| serde_json::to_value(parsed.step.action).unwrap());
        let action = action.unwrap_or_else(|unclear| panic!("{reply}: {unclear:?}"));
        assert_eq!(action["type"], expected, "{reply}");
    };
    for (reply, expected) in [
        (
            r#"<think>a</think><answer>do(action="Launch", app="Settings")</answer>"#,
            "launch_app",
        ),
        (r#"do(action="Tap", element=[500,500])"#, "tap"),
        (r#"do(action="Tap", element=[500,500], message="it pays")"#, "tap"),
        (r#"do(action="Type", text="a")"#, "type"),
        (r#"do(action="Swipe", start=[500,800], end=[500,200])"#, "swipe"),
        (r#"do(action="Long Press", element=[1,1])"#, "long_press"),
        (r#"do(action="Double Tap", element=[1,1])"#, "double_tap"),
        (
            r#"do(action="Take_over", message="the code")"#,
            "request_human_auth",
        ),
        (r#"do(action="Interact")"#, "request_human_auth"),
        (r#"do(action="Back")"#, "keyevent"),
        (r#"do(action="Home")"#, "keyevent"),
        (r#"do(action="Wait", duration="2 seconds")"#, "wait"),
        (r#"finish(message="done")"#, "finish"),
    ] {
        check(Training::AutoGlm, reply, expected);
    }
    for (call, expected) in [
        ("click(start_box='(500,500)')", "tap"),
        ("long_press(start_box='(500,500)')", "long_press"),
        ("type(content='hello\\n')", "type"),
        ("scroll(start_box='(500,500)', direction='down')", "scroll"),
        ("open_app(app_name='Settings')", "launch_app"),
        ("press_home()", "keyevent"),
        ("press_back()", "keyevent"),
        ("wait()", "wait"),
        ("call_user()", "request_human_auth"),
        ("finished(content='done')", "finish"),
    ] {
        check(
            Training::UiTars,
            &format!("Thought: I see.\nAction: {call}"),
            expected,
        );
    }
    for (arguments, expected) in [
        (r#"{"action":"click","coordinate":[500,500]}"#, "tap"),
        (
            r#"{"action":"long_press","coordinate":[500,500],"time":1}"#,
            "long_press",
        ),
        (
            r#"{"action":"swipe","coordinate":[500,800],"coordinate2":[500,200]}"#,
            "swipe",
        ),
        (r#"{"action":"type","text":"a"}"#, "type"),
        (r#"{"action":"system_button","button":"Back"}"#, "keyevent"),
        (r#"{"action":"open","text":"Settings"}"#, "launch_app"),
        (r#"{"action":"wait","time":2}"#, "wait"),
        (r#"{"action":"answer","text":"done"}"#, "finish"),
        (r#"{"action":"interact","text":"the code"}"#, "request_human_auth"),
        (r#"{"action":"terminate","status":"success"}"#, "finish"),
    ] {
        let reply = format!(
            "Thought: a.\n<tool_call>\n{{\"name\": \"mobile_use\", \"arguments\": {arguments}}}\n</tool_call>"
        );
        check(Training::MobileUse, &reply, expected);
    }
    for (arguments, expected) in [
        (r#"{"action":"click","coordinate":[100,200]}"#, "tap"),
        (
            r#"{"action":"double_click","coordinate":[100,200]}"#,
            "double_tap",
        ),
        (r#"{"action":"right_click","coordinate":[100,200]}"#, "long_press"),
        (
            r#"{"action":"drag","from_coordinate":[1,2],"to_coordinate":[3,4]}"#,
            "drag",
        ),
        (
            r#"{"action":"scroll","direction":"down","amount":3,"coordinate":[1,2]}"#,
            "scroll",
        ),
        (r#"{"action":"type","text":"a"}"#, "type"),
        (r#"{"action":"key","keys":"escape"}"#, "keyevent"),
        (r#"{"action":"wait","seconds":1}"#, "wait"),
        (r#"{"action":"focus_app","app":"Settings"}"#, "focus_app"),
        (r#"{"action":"capture"}"#, "capture"),
    ] {
        check(
            Training::ComputerUse,
            &format!("{{\"name\": \"computer_use\", \"arguments\": {arguments}}}"),
            expected,
        );
    }
    check(
        Training::ComputerUse,
        r#"{"action": {"type": "finish", "message": "done"}}"#,
        "finish",
    );
    check(
        Training::CogAgent,
        "Action: tap\nGrounded Operation: CLICK(box=[[100,100,200,200]], element_info='Battery')\n<<一般操作>>",
        "tap",
    );
}

#[test]
fn the_history_is_bounded() {
    let mut long = facts("a");
    let line = Line {
        step: 9,
        action: r#"{"type":"wait","durationMs":1000}"#.to_owned(),
        result: "x".repeat(10_000),
        ..Line::default()
    };
    long.history = vec![line; 500];
    for training in [
        Training::AutoGlm,
        Training::CogAgent,
        Training::UiTars,
        Training::MobileUse,
        Training::ComputerUse,
    ] {
        let words = training.words(&long, Space::Thousandths, None, Language::English);
        assert!(words.user.len() < 8_000, "{training:?}: {}", words.user.len());
    }
}

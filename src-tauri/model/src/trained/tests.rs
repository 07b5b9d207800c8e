//! Every dialect's prompt as a snapshot a person can read, and what its prompt promises read back by its dialect.

use super::example::facts;
use super::*;
use agent::plan::CaptureView;
use agent::prompt::HistoryLine;
use dialect::parse_in;
use protocol::{CaptureMode, Element, Totals};

fn shown(training: TrainedWords, space: Space, goal: &str) -> String {
    let words = ask(
        training,
        &facts(goal),
        space,
        Some((588, 1288)),
        Language::ChineseOrEnglish,
    );
    format!("{}\n=====\n{}", words.system, words.user)
}

#[test]
fn prompts_are_in_the_words_the_models_know() {
    let goal = "Turn on Battery Saver";
    insta::assert_snapshot!(
        "cogagent",
        shown(TrainedWords::Cogagent, Space::Thousandths, goal)
    );
    insta::assert_snapshot!("autoglm", shown(TrainedWords::Autoglm, Space::Thousandths, goal));
    insta::assert_snapshot!("ui_tars", shown(TrainedWords::UiTars, Space::Thousandths, goal));
    insta::assert_snapshot!("ui_tars_1_5", shown(TrainedWords::UiTars, Space::Picture, goal));
    insta::assert_snapshot!("mobile_use", shown(TrainedWords::MobileUse, Space::Picture, goal));
    insta::assert_snapshot!("computer_use", shown(TrainedWords::Hermes, Space::Picture, goal));
    insta::assert_snapshot!("omnimcp", shown(TrainedWords::Omnimcp, Space::Picture, goal));
    insta::assert_snapshot!("ui_venus", shown(TrainedWords::UiVenus, Space::Thousandths, goal));
    insta::assert_snapshot!(
        "ui_venus_2",
        shown(TrainedWords::UiVenus2, Space::Thousandths, goal)
    );
    insta::assert_snapshot!("step_gui", shown(TrainedWords::StepGui, Space::Thousandths, goal));
    insta::assert_snapshot!("verbs", shown(TrainedWords::Verbs, Space::Thousandths, goal));
}

/// An answer that could not be read is told also where no operation stands before it.
#[test]
fn cogagent_hears_that_its_first_answer_could_not_be_read() {
    let mut facts = facts("a");
    facts.history.drain(..2);
    facts.history.pop();
    let words = ask(
        TrainedWords::Cogagent,
        &facts,
        Space::Thousandths,
        None,
        Language::English,
    );
    let told = "History steps:  (Your answer could not be read.)\n";
    assert!(words.user.contains(told), "{}", words.user);
}

/// What Hermes's own actions ask for is answered: the apps, the list alone with its cap, the picture alone.
#[test]
fn what_computer_use_asks_for_is_told() {
    let mut facts = facts("Turn on Battery Saver");
    let first = facts.screen.elements[0].clone();
    facts.screen.elements.extend((8..11).map(|index| Element {
        index,
        label: format!("Row {index}"),
        ..first.clone()
    }));
    facts.screen.totals = Totals {
        total_elements: 9,
        truncated_elements: 5,
    };
    let told = |facts: &Facts, picture| {
        let words = ask(
            TrainedWords::Hermes,
            facts,
            Space::Picture,
            picture,
            Language::English,
        );
        words.user.split_once("4. swipe → done\n").unwrap().1.to_owned()
    };
    facts.apps = [
        ("com.android.settings", "Settings"),
        ("com.google.android.gm", "Gmail"),
    ]
    .map(|(package, label)| (package.to_owned(), label.to_owned()))
    .into();
    insta::assert_snapshot!("computer_use_apps", told(&facts, Some((588, 1288))));
    facts.apps.clear();
    let mut shows = |mode, max_elements, picture| {
        facts.show = Some(CaptureView { mode, max_elements });
        told(&facts, picture)
    };
    insta::assert_snapshot!("computer_use_ax", shows(CaptureMode::Ax, 2, None));
    // Of a picture that could not be taken, the list alone is there, and its cap holds.
    assert_eq!(shows(CaptureMode::Som, 2, None), shows(CaptureMode::Ax, 2, None));
    insta::assert_snapshot!("computer_use_som", shows(CaptureMode::Som, 2, Some((588, 1288))));
    insta::assert_snapshot!(
        "computer_use_vision",
        shows(CaptureMode::Vision, 2, Some((588, 1288)))
    );
}

/// Whoever is asked in these words counts as its family does: they say so.
#[test]
fn what_numbers_count_is_told_in_words_any_model_may_be_asked_in() {
    for (space, told) in [
        (Space::Picture, "588×1288"),
        (Space::Screen, "1080×2400"),
        (Space::Thousandths, "[x, y] in thousandths"),
        (Space::ThousandthsYx, "[y, x]"),
        (Space::Unit, "0 to 1"),
    ] {
        for words in [TrainedWords::Hermes, TrainedWords::Verbs] {
            assert!(shown(words, space, "a").contains(told), "{words:?} {space:?}");
        }
    }
}

/// The history of CogAgent's page: the operation, a tab, and what was meant by it.
#[test]
fn cogagents_history_says_what_was_meant() {
    let shown = shown(TrainedWords::Cogagent, Space::Thousandths, "a");
    for line in [
        "0. LAUNCH(app='com.android.settings', url='None')\tlaunch app “com.android.settings”\n",
        "1. CLICK(box=[[500,500,500,500]])\tOpen Battery. (denied by the person) (Your answer could not be read.)\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
}

/// A line of history holds the action in the model's own numbers: they are told as they were.
#[test]
fn a_swipe_is_told_in_the_numbers_it_was_made_in() {
    for (words, told) in [
        (TrainedWords::Autoglm, "start=[500,800], end=[500,200]"),
        (TrainedWords::UiTars, "start_box='(500,800)', end_box='(500,200)'"),
        (
            TrainedWords::MobileUse,
            r#""coordinate":[500,800],"coordinate2":[500,200]"#,
        ),
        (TrainedWords::UiVenus, "start=(500,800), end=(500,200)"),
        (TrainedWords::Verbs, r#""points":[[500,800],[500,200]]"#),
    ] {
        let shown = shown(words, Space::Thousandths, "a");
        assert!(shown.contains(told), "{words:?}: {shown}");
    }
}

/// Step-GUI's next prompt tells its own last summary, and what it cannot know.
#[test]
fn step_guis_history_is_its_own_summary() {
    let shown = shown(TrainedWords::StepGui, Space::Thousandths, "a");
    assert!(shown.contains("Done so far: Look further down.\n"), "{shown}");
    let mut facts = facts("a");
    facts.history.pop();
    let words = ask(
        TrainedWords::StepGui,
        &facts,
        Space::Thousandths,
        None,
        Language::English,
    );
    let told = "Done so far: Open Battery. → denied by the person → Your answer could not be read.\n";
    assert!(words.user.contains(told), "{}", words.user);
    assert!(shown_in_chinese().contains("已知用户指令为：打开省电模式"));
}

fn shown_in_chinese() -> String {
    shown(TrainedWords::StepGui, Space::Thousandths, "打开省电模式")
}

#[test]
fn a_task_in_chinese_is_asked_in_chinese() {
    assert!(
        shown(TrainedWords::Autoglm, Space::Thousandths, "打开省电模式").contains("严格按照以下格式输出")
    );
    assert!(
        shown(TrainedWords::UiTars, Space::Thousandths, "打开省电模式").contains("Use Chinese in `Thought`")
    );
    assert!(!shown(TrainedWords::Autoglm, Space::Thousandths, "Open Settings").contains("严格"));
}

/// What a prompt offers, as its model would write it, and the type of action that must come of it.
#[test]
fn what_is_offered_is_understood() {
    let check = |training: TrainedWords, reply: &str, expected: &str| {
        let parsed = parse_in(reply, None, dialect(training).space());
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
        check(TrainedWords::Autoglm, reply, expected);
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
            TrainedWords::UiTars,
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
        check(TrainedWords::MobileUse, &reply, expected);
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
            TrainedWords::Hermes,
            &format!("{{\"name\": \"computer_use\", \"arguments\": {arguments}}}"),
            expected,
        );
    }
    for (arguments, expected) in [
        (r#"{"action":"click","element":3}"#, "tap"),
        (r#"{"action":"drag","from_element":3,"to_element":4}"#, "drag"),
        (r#"{"action":"set_value","element":3,"value":"a"}"#, "set_value"),
        (r#"{"action":"list_apps"}"#, "list_apps"),
    ] {
        check(
            TrainedWords::Hermes,
            &format!("{{\"name\": \"computer_use\", \"arguments\": {arguments}}}"),
            expected,
        );
    }
    check(
        TrainedWords::Hermes,
        r#"{"action": {"type": "finish", "message": "done"}}"#,
        "finish",
    );
    for (action, expected) in [
        (
            r#"{"action_type":"click","target":{"track_id":"abcd2345"},"parameters":{}}"#,
            "tap",
        ),
        (
            r#"{"action_type":"click","target":{"element_id":7},"parameters":{"click_type":"double"}}"#,
            "double_tap",
        ),
        (
            r#"{"action_type":"click","target":{"bbox":[0.1,0.1,0.4,0.1]},"parameters":{"click_type":"right"}}"#,
            "long_press",
        ),
        (
            r#"{"action_type":"type","target":{"text":"Name"},"parameters":{"text_to_type":"a"}}"#,
            "type",
        ),
        (
            r#"{"action_type":"scroll","target":null,"parameters":{"direction":"down","amount":3}}"#,
            "scroll",
        ),
        (
            r#"{"action_type":"press_key","target":null,"parameters":{"key_info":"Back"}}"#,
            "keyevent",
        ),
        (
            r#"{"action_type":"wait","target":null,"parameters":{"seconds":2}}"#,
            "wait",
        ),
        (
            r#"{"action_type":"finish_goal","target":null,"parameters":{}}"#,
            "finish",
        ),
    ] {
        let complete = expected == "finish";
        let reply =
            format!("{{\"reasoning\": \"I see.\", \"action\": {action}, \"is_goal_complete\": {complete}}}");
        check(TrainedWords::Omnimcp, &reply, expected);
    }
    check(
        TrainedWords::Omnimcp,
        r#"{"action": {"type": "request_human_auth", "capability": "unknown", "instruction": "the code"}}"#,
        "request_human_auth",
    );
    for (call, expected) in [
        ("Click(box=(500, 500))", "tap"),
        ("Click(point=(500, 500))", "tap"),
        ("DoubleClick(point=(500, 500))", "double_tap"),
        ("LongPress(box=(500, 500))", "long_press"),
        ("Drag(start=(1, 2), end=(3, 4))", "drag"),
        (
            "Scroll(start=(500, 800), end=(500, 200), direction='down')",
            "swipe",
        ),
        ("Swipe(start=(500, 800), end=(500, 200))", "swipe"),
        ("Type(content='hello')", "type"),
        ("Launch(app='Settings')", "launch_app"),
        ("LaunchApp(app='Settings')", "launch_app"),
        ("Wait()", "wait"),
        ("CallUser(content='the code')", "request_human_auth"),
        ("PressBack()", "keyevent"),
        ("PressRecent()", "keyevent"),
        ("Answer(content='42')", "finish"),
        ("Finished(content='done')", "finish"),
    ] {
        let reply = format!("<think>I see.</think>\n<action>{call}</action>\n<conclusion>so</conclusion>");
        check(TrainedWords::UiVenus, &reply, expected);
        check(TrainedWords::UiVenus2, &reply, expected);
    }
    for (fields, expected) in [
        ("action:CLICK\tpoint:500,500", "tap"),
        ("action:TYPE\tvalue:hello\tpoint:500,500", "type"),
        ("action:COMPLETE\treturn:done", "finish"),
        ("action:WAIT\tvalue:2", "wait"),
        ("action:AWAKE\tvalue:Settings", "launch_app"),
        ("action:INFO\tvalue:the code", "request_human_auth"),
        ("action:ABORT\tvalue:no way", "request_human_auth"),
        ("action:SLIDE\tpoint1:500,800\tpoint2:500,200", "swipe"),
        ("action:LONGPRESS\tpoint:500,500", "long_press"),
    ] {
        let reply = format!("<THINK> I see. </THINK>\nexplain:so\t{fields}\tsummary:so far");
        check(TrainedWords::StepGui, &reply, expected);
    }
    for (name, arguments, expected) in [
        ("click", r#"{"points":[[500,500]]}"#, "tap"),
        ("double_click", r#"{"points":[[500,500]]}"#, "double_tap"),
        (
            "long_press",
            r#"{"points":[[500,500]],"duration":800}"#,
            "long_press",
        ),
        ("type", r#"{"text":"a"}"#, "type"),
        (
            "scroll",
            r#"{"points":[[500,800],[500,200]],"duration":300}"#,
            "swipe",
        ),
        ("drag", r#"{"points":[[500,800],[500,200]]}"#, "drag"),
        ("button_press", r#"{"type":"back"}"#, "keyevent"),
        ("open_app", r#"{"package":"com.example.notes"}"#, "launch_app"),
        ("wait", r#"{"time":1000}"#, "wait"),
        ("ask_user", r#"{"text":"the code"}"#, "request_human_auth"),
        ("finish", r#"{"text":"done"}"#, "finish"),
    ] {
        let reply = format!(
            "<think>I see.</think>\n<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>"
        );
        check(TrainedWords::Verbs, &reply, expected);
    }
    check(
        TrainedWords::Cogagent,
        "Action: tap\nGrounded Operation: CLICK(box=[[100,100,200,200]], element_info='Battery')\n<<一般操作>>",
        "tap",
    );
}

#[test]
fn the_history_is_bounded() {
    let mut long = facts("a");
    let line = HistoryLine {
        step: 9,
        action: r#"{"type":"wait","durationMs":1000}"#.to_owned(),
        result: "x".repeat(10_000),
        ..HistoryLine::default()
    };
    long.history = vec![line; 500];
    for training in [
        TrainedWords::Autoglm,
        TrainedWords::Cogagent,
        TrainedWords::UiTars,
        TrainedWords::MobileUse,
        TrainedWords::Hermes,
        TrainedWords::Omnimcp,
        TrainedWords::UiVenus,
        TrainedWords::UiVenus2,
        TrainedWords::StepGui,
        TrainedWords::Verbs,
    ] {
        let words = ask(training, &long, Space::Thousandths, None, Language::English);
        assert!(words.user.len() < 8_000, "{training:?}: {}", words.user.len());
    }
}

//! A whole task of ten steps, from the command line to the phone's own state.

use crate::bench::{Bench, KEY, holds};
use crate::command::run;
use crate::events;
use crate::model::ScriptedModel;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

pub(crate) const REPLIES: [&str; 11] = [
    r#"{"thought": "Notes first.", "action": {"type": "launch_app", "packageName": "com.android.notes"}}"#,
    r#"{"thought": "A new one.", "action": {"type": "tap", "target": {"text": "New note"}}}"#,
    r#"{"thought": "Its title.", "action": {"type": "type", "text": "Shopping"}}"#,
    r#"{"thought": "Then the text.", "action": {"type": "tap", "target": {"text": "Note"}}}"#,
    "It goes here.\n```json\n{\"type\": \"type\", \"text\": \"Milk, bread & 6 eggs\"}\n```",
    r#"{"thought": "Leaving saves it.", "action": {"type": "tap", "target": {"text": "Navigate up"}}}"#,
    r#"{"thought": "Now the settings.", "action": {"type": "launch_app", "packageName": "com.android.settings"}}"#,
    r#"{"thought": "The battery.", "action": {"type": "tap", "target": {"text": "Battery"}}}"#,
    r#"{"thought": "Its saver.", "action": {"type": "tap", "target": {"text": "Battery Saver"}}}"#,
    r#"{"thought": "On with it.", "action": {"type": "tap", "target": {"text": "Use Battery Saver"}}}"#,
    r#"{"thought": "Both are done.", "action": {"type": "finish", "message": "The note is written and Battery Saver is on."}}"#,
];

#[test]
fn a_note_is_written_and_the_battery_saved() {
    let mut bench = Bench::new();
    let before = bench.state();
    assert_eq!(before["settings"]["batterySaver"], json!(false));
    let model = ScriptedModel::saying(&REPLIES);
    let ended = run(
        bench.task("Write a shopping note, then turn Battery Saver on", &model, &[]),
        b"",
    );
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
    insta::assert_snapshot!(events::story(&ended.out));

    // The phone says so itself: one note more, the switch on, and nothing else is otherwise.
    let after = bench.state();
    let mut expected = before.clone();
    let note = json!({"title": "Shopping", "text": "Milk, bread & 6 eggs"});
    expected["notes"].as_array_mut().unwrap().push(note);
    expected["settings"]["batterySaver"] = json!(true);
    for part in ["notes", "settings", "messages", "greenleaf", "northbank"] {
        assert_eq!(after[part], expected[part], "{part}");
    }

    check_requests(&model);
    bench.check_nothing_is_lost(&ended.out);
    check_key_is_nowhere(&bench, &model, &[&ended.out, &ended.err]);
}

/// A model may be asked in any schema: what it is told names that schema's own words, and its answer is understood in them.
#[test]
fn a_model_is_asked_in_the_schema_that_is_named() {
    for (schema, own, reply) in [
        (
            "hermes",
            "computer_use",
            r#"<tool_call>{"name": "computer_use", "arguments": {"action": "focus_app", "app": "com.android.settings"}}</tool_call>"#,
        ),
        (
            "omnimcp",
            "is_goal_complete",
            r#"{"reasoning": "Down.", "action": {"action_type": "scroll", "parameters": {"direction": "down"}}, "is_goal_complete": false}"#,
        ),
    ] {
        let bench = Bench::new();
        let done = r#"{"type": "finish", "message": "Done."}"#;
        let model = ScriptedModel::saying(&[reply, done, done, done]);
        let ended = run(
            bench.task(
                "Open the settings",
                &model,
                &["--schema", schema, "--answer", "allow"],
            ),
            b"",
        );
        let requests = model.requests();
        let asked = requests[0].body.to_string();
        assert!(asked.contains(own), "{schema}: {asked}");
        let decided = ended
            .out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .find(|event| event["what"] == json!("decided"));
        assert_eq!(decided.unwrap()["dialect"], json!(schema), "{}", ended.story());
    }
}

/// Each carries a picture of the phone and the elements on it, the task, and all that was done before.
fn check_requests(model: &ScriptedModel) {
    let requests = model.requests();
    assert_eq!(requests.len(), REPLIES.len());
    let mut pictures = Vec::new();
    for (number, request) in requests.iter().enumerate() {
        assert_eq!(request.body["model"], json!("scripted"));
        assert_eq!(request.body["stream"], json!(true));
        let picture = request.picture();
        // Beside the list of elements a small one will do.
        assert_eq!((picture.width(), picture.height()), (345, 768));
        pictures.push(picture);
        let text = request.text();
        assert!(
            text.starts_with("Task: Write a shopping note, then turn Battery Saver on\n"),
            "{text}"
        );
        assert!(
            text.contains(&format!("Step {} of at most 50.", number + 1)),
            "{text}"
        );
        assert!(text.contains("\n[1] ") && text.contains("\n[2] "), "{text}");
        assert_eq!(text.matches(" → done").count(), number, "{text}");
        assert!(request.head.contains(&format!("Bearer {KEY}")));
    }
    // Each shows another screen.
    for pair in pictures.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
    let saver = requests.last().unwrap().text();
    assert!(
        saver.contains(r#"switch "Use Battery Saver""#) && saver.contains("checked"),
        "{saver}"
    );
}

/// The key went to the server's head line and nowhere else: not into what was said, not into a file.
fn check_key_is_nowhere(bench: &Bench, model: &ScriptedModel, said: &[&str]) {
    let wide: Vec<u8> = KEY.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let inner = &STANDARD.encode(KEY)[..20];
    let needles = [KEY.as_bytes(), inner.as_bytes(), &wide];
    let check = |place: &str, bytes: &[u8]| {
        for needle in needles {
            assert!(!holds(bytes, needle), "the key is in {place}");
        }
    };
    for text in said {
        check("the output", text.as_bytes());
    }
    for request in model.requests() {
        check("a request's body", request.body.to_string().as_bytes());
    }
    bench.check_no_file_holds(&needles);
    let (_, events) = bench.stored();
    let stored: Vec<Value> = events.iter().map(|event| json!(event)).collect();
    check("the journal", json!(stored).to_string().as_bytes());
}

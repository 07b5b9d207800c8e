//! `deck act`: done, refused, asked about, not understood; the phone's own state says which.

use crate::bench::Bench;
use serde_json::json;

#[test]
fn a_note_is_written_action_by_action() {
    let mut bench = Bench::new();
    let before = bench.at("/notes").as_array().unwrap().len();
    for action in [
        r#"{"type": "launch_app", "packageName": "com.android.notes"}"#,
        r#"{"type": "tap", "target": {"text": "New note"}}"#,
        r#"{"type": "type", "text": "Seeds & 'soil' $(now)"}"#,
        r#"{"type": "keyevent", "keycode": "KEYCODE_BACK"}"#,
        r#"{"type": "keyevent", "keycode": "KEYCODE_BACK"}"#,
    ] {
        let ended = bench.act(action);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
        assert!(
            ended.out.starts_with(r#"{"outcome":{"ok":true,"code":"done""#),
            "{}",
            ended.story()
        );
    }
    let notes = bench.at("/notes");
    assert_eq!(notes.as_array().unwrap().len(), before + 1);
    assert!(notes.to_string().contains("Seeds & 'soil' $(now)"), "{notes}");
}

/// A tap by pixels lands on that very pixel, and only there.
#[test]
fn a_tap_lands_where_it_was_aimed() {
    let mut bench = Bench::new();
    assert_eq!(bench.act(r#"{"type": "tap", "x": 173, "y": 1363}"#).code, 0);
    let fingers: Vec<_> = bench
        .record()
        .into_iter()
        .filter(|entry| entry["event"] == json!("finger"))
        .map(|entry| (entry["action"].clone(), entry["x"].clone(), entry["y"].clone()))
        .collect();
    let at = |action: &str| (json!(action), json!(173.0), json!(1363.0));
    assert_eq!(fingers, [at("down"), at("up")]);
}

#[test]
fn what_is_not_done_leaves_the_phone_alone() {
    let mut bench = Bench::at_checkout();
    let before = bench.state();
    let mut told = String::new();
    for action in [
        // Refused, whoever asks.
        r#"{"type": "shell", "command": "rm -rf /sdcard"}"#,
        r#"{"type": "shell", "command": "ls; rm -rf /sdcard"}"#,
        r#"{"type": "tap", "x": 5000, "y": 1}"#,
        r#"{"type": "tap", "target": {"text": "Sell the garden"}}"#,
        r#"{"type": "tap", "x": 540, "y": 1200, "app": "com.android.notes"}"#,
        r#"{"type": "launch_app", "packageName": "com.nobody.nothing"}"#,
        // Nobody is there to be asked.
        r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#,
        r#"{"type": "keyevent", "keycode": "ENTER"}"#,
        r#"{"type": "run_script", "script": "touch made-by-a-script"}"#,
        // Nobody can say what it means.
        r#"{"type": "tap"}"#,
        r#"{"type": "fly"}"#,
        "tap the button",
        // Nothing to do.
        r#"{"type": "finish", "message": "Done."}"#,
    ] {
        let ended = bench.act(action);
        let mut out = ended.out.clone();
        if let Some(at) = out.find(r#""ask":"#) {
            // The whole question is in the questions' own tests.
            let ask: serde_json::Value = serde_json::from_str(&out).unwrap();
            out.truncate(at);
            out.push_str(&format!(
                "\"ask\": {}, {}…\n",
                ask["ask"]["kind"], ask["ask"]["reason"]
            ));
        }
        if let Some(at) = out.find(r#","tookMs":"#) {
            out.truncate(at);
            out.push_str(",…\n");
        }
        let (code, err) = (ended.code, ended.err);
        told.push_str(&format!("# deck act '{action}'\nexit {code}\n{out}{err}\n"));
    }
    insta::assert_snapshot!(told);
    assert_eq!(bench.state(), before);
    assert!(!std::path::Path::new("made-by-a-script").exists());
}

#[test]
fn a_phone_that_forbids_touches_says_what_to_switch_on() {
    let bench = Bench::with(&["--speed", "instant", "--fault", "inject_events"]);
    let ended = bench.act(r#"{"type": "tap", "x": 540, "y": 1200}"#);
    assert_eq!(ended.code, 1);
    let said = ended.err.lines().next();
    let sentence = "The phone does not allow touches from a computer. In its Developer options, turn on “USB debugging \
                    (Security settings)”.";
    assert_eq!(said, Some(sentence), "{}", ended.story());
}

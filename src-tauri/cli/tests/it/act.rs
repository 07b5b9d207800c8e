//! `deck act`: done, refused, asked about, not understood; the phone's own state says which.

use crate::bench::Bench;
use crate::model::ScriptedModel;
use serde_json::{Value, json};

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

/// What was not done is not kept as done; and each is found again by what it was.
#[test]
fn what_came_of_an_action_stands_in_history() {
    let bench = Bench::at_checkout();
    for (action, title, how) in [
        (
            r#"{"type": "keyevent", "keycode": "HOME"}"#,
            "deck act: keyevent",
            "Done.",
        ),
        (
            r#"{"type": "launch_app", "packageName": "com.nobody.nothing"}"#,
            "deck act: launch_app",
            "This app isn’t on the phone.",
        ),
        (
            r#"{"type": "shell", "command": "rm -rf /sdcard"}"#,
            "deck act: shell",
            "PocketDeck never erases a phone.",
        ),
        (
            r#"{"type": "run_script", "script": "touch made-by-a-script"}"#,
            "deck act: run_script",
            "Not done.",
        ),
        (
            r#"{"type": "tap"}"#,
            "deck act: tap",
            "It didn’t say where to tap.",
        ),
    ] {
        bench.act_unasked(action);
        let kept = bench.call(&["history", "--limit", "1"]).out;
        let kept: Value = serde_json::from_str(&kept).unwrap();
        let told = (&kept["goal"], &kept["ending"]["message"]);
        assert_eq!(told, (&json!(title), &json!(how)), "{action}");
    }
}

/// What the action itself asks is asked of the AI of the settings; where there is none, that is said, and nothing is made up.
#[test]
fn a_question_to_the_ai_is_answered_by_the_ai() {
    let bench = Bench::new();
    let ask = r#"{"type": "ask_model", "prompt": "How many legs has an ant?", "output": "legs"}"#;
    let ended = bench.act(ask);
    assert_eq!(ended.code, 1, "{}", ended.story());
    assert!(
        ended.err.contains("The AI needs an API key. Add it in Settings."),
        "{}",
        ended.story()
    );
    assert!(!ended.out.contains("finish"), "{}", ended.story());

    let model = ScriptedModel::saying(&["Six."]);
    bench.use_server(&model, protocol::Price::default());
    let ended = bench.act(ask);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
    let out: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        (&out["outcome"]["kept"], &out["outcome"]["output"]),
        (&json!("legs"), &json!("Six."))
    );
    assert!(model.requests().len() == 1, "the question, and nothing else");
}

/// What `deck look` calls an element, `deck act` finds; an app in front is known by its package, its name and in any case.
#[test]
fn an_element_is_found_by_the_id_it_was_told_by() {
    let bench = Bench::with(&["--speed", "instant", "--start", "com.android.notes/.MainActivity"]);
    let look = || -> Value {
        let ended = bench.call(&["look", "--device", &bench.serial, "--mode", "ax"]);
        serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}", ended.story()))
    };
    let elements = look();
    let new = elements["elements"]
        .as_array()
        .unwrap()
        .iter()
        .find(|element| element["label"] == "New note")
        .unwrap();
    for app in ["com.android.notes", "Notes", "notes"] {
        let tap = json!({"type": "tap", "target": {"trackId": new["trackId"]}, "app": app});
        let (code, told) = outcome(&bench, &tap);
        assert_eq!((code, &told["code"]), (0, &json!("done")), "{app}: {told}");
        assert!(
            !look().to_string().contains("New note"),
            "{app}: an empty note is open"
        );
        // The first puts the keyboard away.
        for _ in 0..2 {
            let (code, told) = outcome(&bench, &json!({"type": "keyevent", "keycode": "BACK"}));
            assert_eq!(code, 0, "{told}");
        }
    }
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

/// What came of one action, and the exit code.
fn outcome(bench: &Bench, action: &Value) -> (i32, Value) {
    let ended = bench.act(&action.to_string());
    let last = ended.out.lines().last().unwrap_or_default();
    let out: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{}", ended.story()));
    assert!(!out["outcome"].is_null(), "{action}: {}", ended.story());
    (ended.code, out["outcome"].clone())
}

fn app_in_front(bench: &Bench) -> Value {
    let ended = bench.call(&["look", "--device", &bench.serial, "--mode", "ax"]);
    serde_json::from_str::<Value>(&ended.out).unwrap()["currentApp"].clone()
}

/// Lists, fingers and what names them: the order of the notes says whether they were dragged.
#[test]
fn a_note_is_dragged_and_each_outcome_says_what_found_it() {
    let mut bench = Bench::new();
    let notes = json!({"type": "launch_app", "packageName": "com.android.notes"});
    assert_eq!(outcome(&bench, &notes).0, 0);
    let sort = json!({"type": "set_value", "target": {"text": "Sort order"}, "value": "My order"});
    assert_eq!(outcome(&bench, &sort).0, 0);
    let ((x1, y1), (x2, y2)) = (handle(&bench, "Market on Tuesday"), handle(&bench, "Crêpes"));
    let drag = json!({"type": "drag", "durationMs": 700, "x1": x1, "y1": y1, "x2": x2, "y2": y2});
    let (code, told) = outcome(&bench, &drag);
    assert_eq!(
        (code, &told["foundBy"]),
        (0, &json!(["point", "point"])),
        "{told}"
    );
    let notes = bench.at("/notes");
    let titles: Vec<&Value> = (0..3).map(|n| &notes[n]["title"]).collect();
    assert_eq!(titles, ["Packing list", "Crêpes", "Market on Tuesday"]);

    let (code, told) = outcome(&bench, &json!({"type": "double_tap", "x": 170, "y": 305}));
    assert_eq!((code, &told["foundBy"]), (0, &json!(["point"])), "{told}");
    assert!(told["gapMs"].is_u64(), "{told}");
    // A number goes before a text, a text before a point.
    let press = json!({"type": "long_press", "target": {"text": "new NOTE"}, "x": 1, "y": 1});
    assert_eq!(outcome(&bench, &press).1["foundBy"], json!(["text_any_case"]));
    let before = bench.record().len();
    let (code, told) = outcome(&bench, &json!({"type": "hover", "x": 540, "y": 180}));
    assert_eq!((code, &told["code"]), (0, &json!("no_touch_equivalent")));
    assert_eq!(fingers(&mut bench, before), 0, "nothing was touched");
}

/// Where a note is taken hold of: near the end of its row, 30 dp of 2.625 pixels from its edge.
fn handle(bench: &Bench, title: &str) -> (i64, i64) {
    let ended = bench.call(&["look", "--device", &bench.serial]);
    let look: Value = serde_json::from_str(&ended.out).unwrap();
    let elements = look["elements"].as_array().unwrap();
    let row = elements
        .iter()
        .find(|element| element["label"].as_str().unwrap().starts_with(title))
        .unwrap();
    let edge = |name: &str| row["bounds"][name].as_i64().unwrap();
    (edge("right") - 79, i64::midpoint(edge("top"), edge("bottom")))
}

/// Touches that reached the phone since.
fn fingers(bench: &mut Bench, since: usize) -> usize {
    let record = bench.record();
    let is_finger = |entry: &&Value| entry["event"] == json!("finger");
    record[since..].iter().filter(is_finger).count()
}

#[test]
fn keys_apps_links_and_texts() {
    let bench = Bench::with(&[
        "--speed",
        "instant",
        "--start",
        "com.android.notes/.EditorActivity",
    ]);
    for action in [
        json!({"type": "type", "text": "first", "target": {"text": "Note"}}),
        json!({"type": "key_combination", "keys": ["ctrl", "a"]}),
        json!({"type": "keyevent", "keycode": "backspace"}),
        json!({"type": "type", "text": "it's 100%s $(last)"}),
    ] {
        let (code, told) = outcome(&bench, &action);
        assert_eq!(code, 0, "{action}: {told}");
    }
    let name = "__CogName_Note__";
    let read = json!({"type": "read_text", "box": [0, 0, 1000, 1000], "output": name});
    let (_, told) = outcome(&bench, &read);
    let text = told["output"].as_str().unwrap();
    assert!(
        text.contains("it's 100%s $(last)") && !text.contains("first"),
        "{told}"
    );
    assert_eq!(told["kept"], json!(name));
    // What the model read by itself is taken when it is whole.
    let given = json!({"type": "read_text", "box": [0, 0, 1000, 1000], "output": name, "result": "17.00"});
    assert_eq!(outcome(&bench, &given).1["output"], json!("17.00"));

    let browser = json!({"type": "launch_app", "packageName": "com.android.browser"});
    let (code, told) = outcome(&bench, &browser);
    assert_eq!(code, 0, "{told}");
    assert_eq!(app_in_front(&bench), json!("com.android.browser"));
    // Links that nobody named, that call, write, install, or mean nobody knows what ask first; nobody answers, and nothing opens.
    for url in [
        "news.example/a b",
        "tel:5550100",
        "mailto:a@example.com",
        "market://details?id=com.greenleaf.shop",
        "greenleaf://basket",
    ] {
        let ended = bench.act_unasked(&json!({"type": "open_url", "url": url}).to_string());
        assert_eq!(ended.code, 3, "{url}: {}", ended.story());
        assert_eq!(app_in_front(&bench), json!("com.android.browser"), "{url}");
    }
    let (code, told) = outcome(&bench, &json!({"type": "focus_app", "app": "Greenleaf"}));
    assert_eq!(
        (code, &told["warnings"][0]["code"]),
        (0, &json!("raised")),
        "{told}"
    );
    assert_eq!(app_in_front(&bench), json!("com.greenleaf.shop"));
    let (_, told) = outcome(&bench, &json!({"type": "list_apps"}));
    assert!(
        told["output"].as_str().unwrap().contains("com.greenleaf.shop"),
        "{told}"
    );
    for (action, code) in [
        (
            json!({"type": "launch_app", "packageName": "com.greenleaf.app"}),
            "app_not_installed",
        ),
        (json!({"type": "capture", "mode": "ax"}), "done"),
        (
            json!({"type": "wait", "durationMs": 100, "captureAfter": true}),
            "done",
        ),
    ] {
        assert_eq!(outcome(&bench, &action).1["code"], json!(code), "{action}");
    }
}

/// The phone's own settings say what a switch and a slider were set to.
#[test]
fn switches_and_sliders() {
    let sound = "com.android.settings/.Settings$SoundSettingsActivity";
    let bench = Bench::with(&["--speed", "instant", "--start", sound]);
    let set = |text: &str, value: &str| {
        let action = json!({"type": "set_value", "target": {"text": text}, "value": value});
        outcome(&bench, &action).1["code"].clone()
    };
    let setting = |name: &str| {
        let said = bench
            .adb
            .run(&["shell", "settings", "get", "system", name])
            .stdout;
        String::from_utf8(said).unwrap().trim().to_owned()
    };
    assert_eq!(set("Vibrate for calls", "on"), json!("done"));
    assert_eq!(set("Vibrate for calls", "on"), json!("already_so"));
    assert_eq!(setting("vibrate_when_ringing"), "1");
    assert_eq!(set("Media volume", "60"), json!("done"));
    assert_eq!(setting("volume_music"), "9", "60 % of 15");
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
        r#"{"type": "keyevent", "keycode": "bogus"}"#,
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
        let ended = bench.act_unasked(action);
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
    let ended = bench.act(r#"{"type": "tap", "x": 173, "y": 1363}"#);
    assert_eq!(ended.code, 1);
    let said = ended.err.lines().next();
    let sentence = "The phone doesn’t allow taps from a computer. In its Developer options, turn on “USB debugging \
                    (Security settings)”.";
    assert_eq!(said, Some(sentence), "{}", ended.story());
}

//! A script on this computer: only where the settings say so, only after a Yes given for it, and only with the
//! programs of the list. The real room runs it; its folder says what came of it.

use crate::bench::Bench;
use crate::command::{Running, run};
use crate::model::ScriptedModel;
use protocol::{ScriptSettings, SettingsPatch};
use serde_json::{Value, json};
use std::path::PathBuf;
use store::Store;

const DONE: &str = r#"{"type": "finish", "message": "That is all."}"#;

fn switch_on(bench: &Bench, programs: &[&str]) {
    let store = Store::open(bench.data()).unwrap();
    let patch = SettingsPatch {
        scripts: Some(ScriptSettings {
            on_this_computer: true,
            programs: programs.iter().map(|path| (*path).to_owned()).collect(),
        }),
        ..SettingsPatch::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.patch_settings(patch)).unwrap();
}

fn script(text: &str) -> String {
    json!({"type": "run_script", "script": text, "timeoutSec": 20}).to_string()
}

fn folders(bench: &Bench) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(bench.data().join("scripts"))
        .into_iter()
        .flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The first printed event of a kind.
fn event(out: &str, what: &str) -> Value {
    let mut events = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = events.find(|event| event["what"] == json!(what));
    found.unwrap_or_else(|| panic!("nothing {what} in {out}"))
}

#[test]
fn a_script_runs_here_after_a_yes_of_its_own() {
    let mut bench = Bench::new();
    let before = bench.state();
    switch_on(&bench, &["/usr/bin/date"]);
    let text = "date -u -d @0 +%Y\necho \"key: $POCKETDECK_API_KEY, adb: $ADB_SERVER_SOCKET\" >&2; exit 4";
    let turn = script(text);

    // No switch turns this question off, so nothing on the command line answers it with Yes.
    for (who, said) in [
        ("allow", "There’s no one to answer, so this counts as no.\n"),
        ("deny", "You said no to the script on this computer.\n"),
    ] {
        let model = ScriptedModel::saying(&[&turn, DONE]);
        let ended = run(bench.task("What year is it?", &model, &["--answer", who]), b"");
        assert_eq!(
            event(&ended.out, "answered")["outcome"],
            json!("denied"),
            "{}",
            ended.story()
        );
        assert!(
            ended.err.contains("Let the AI run this script on this computer?") && ended.err.ends_with(said),
            "{}",
            ended.story()
        );
    }
    assert!(folders(&bench).is_empty());

    let model = ScriptedModel::saying(&[&turn, DONE]);
    let mut task = Running::start(bench.task("What year is it?", &model, &[]));
    let asked = task.line("the question", |line| line.contains(r#""what":"asked""#));
    let ask = serde_json::from_str::<Value>(&asked).unwrap()["ask"].take();
    assert_eq!(
        (&ask["kind"], &ask["evidence"]["text"]),
        (&json!("computer_script"), &json!(text))
    );
    task.write(&json!({"ask": ask["id"], "digest": ask["digest"], "choice": "approve"}).to_string());
    let ended = task.ended();
    assert_eq!(ended.code, 0, "{}", ended.story());
    let outcome = event(&ended.out, "acted")["outcome"].take();
    assert_eq!(
        (
            &outcome["code"],
            &outcome["rung"],
            &outcome["exit"],
            &outcome["output"],
            &outcome["stderr"]
        ),
        (
            &json!("script_failed"),
            &json!("this_computer"),
            &json!(4),
            &json!("1970\n"),
            &json!("key: , adb: \n")
        ),
        "{}",
        ended.story()
    );
    assert_eq!(event(&ended.out, "printed")["text"], json!("1970\n"));
    let [folder]: [PathBuf; 1] = folders(&bench).try_into().unwrap();
    assert_eq!(
        outcome["folder"],
        json!(folder.canonicalize().unwrap().to_str().unwrap())
    );
    let result: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("result.json")).unwrap()).unwrap();
    assert_eq!(result["exit"], json!(4));
    assert_eq!(std::fs::read_to_string(folder.join("script.sh")).unwrap(), text);
    let told = model.requests().pop().unwrap().text();
    assert!(told.contains("exit code 4") && told.contains("1970"), "{told}");
    assert_eq!(bench.state(), before, "the phone knows nothing of it");
}

#[test]
fn what_the_list_does_not_allow_is_refused_without_a_question() {
    let bench = Bench::new();
    switch_on(&bench, &["/usr/bin/date", "/bin/sh"]);
    for (text, code) in [
        ("touch here", "script_program"),
        ("adb devices", "script_program"),
        ("/bin/sh -c date", "script_program_unfit"),
        ("eval date", "script_builtin"),
        ("PATH=/bin; touch here", "script_variable"),
        ("date > /tmp/here", "script_redirect"),
        ("x='a[$(date)]'; (( x ))", "script_construct"),
        ("rm -rf /sdcard", "wipe"),
    ] {
        let ended = bench.act_unasked(&script(text));
        let line: Value = serde_json::from_str(ended.out.lines().next().unwrap()).unwrap();
        assert_eq!(
            (ended.code, &line["error"]["code"]),
            (1, &json!(code)),
            "{text}: {}",
            ended.story()
        );
    }
    assert!(folders(&bench).is_empty());
}

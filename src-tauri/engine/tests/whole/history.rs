//! Runs of the past: told again, gone on with, written out, and erased from every file.

use crate::python::environment;
use crate::retention::{holds, past};
use crate::rig::{Rig, Says, all_bytes, at, on, say};
use engine::Keychain;
use protocol::{Choice, EraseAlso, ExportForm, FailureCode, HistoryQuery, News, Op, RunEndKind, RunId, What};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use store::Store;

const KEY: &str = "sk-test-4a7c91e2d05b48f3a6d8";

async fn rig(folder: &Arc<tempfile::TempDir>) -> Rig {
    let start = at("com.android.settings/.Settings");
    Rig::in_folder(start, Keychain::absent(), Arc::clone(folder)).await
}

/// What is erased is in no file: not in the database, not in its log, not in a picture, not in a script's folder.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_erased_is_in_no_file() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let other = Store::open(folder.path()).unwrap();
    for (name, days, over) in [
        ("0001-a", 3, true),
        ("0002-b", 2, true),
        ("0003-c", 1, true),
        ("0004-goes-on", 1, false),
    ] {
        past(&other, folder.path(), name, "moto", days, over).await;
    }
    let rig = rig(&folder).await;
    let mut news = rig.engine.listen();
    let run = |name: &str| RunId::from(name);
    let before = rig.engine.space_used().await.unwrap();
    assert_eq!((before.runs, before.pictures), (4, 3));
    let files = all_bytes(folder.path()).len() as u64;
    assert!(before.bytes > 0 && before.bytes <= files, "{before:?} of {files}");

    rig.engine.erase_run(&run("0001-a")).await.unwrap();
    let bytes = all_bytes(folder.path());
    assert!(!holds(&bytes, "0001-a") && holds(&bytes, "0002-b"));
    assert_eq!(
        rig.engine.erase_run(&run("0001-a")).await.unwrap_err().code,
        FailureCode::NotFound
    );
    assert_eq!(
        rig.engine.run_story(&run("0001-a")).await.unwrap_err().code,
        FailureCode::NotFound
    );
    assert_eq!(
        rig.engine.erase_run(&run("0004-goes-on")).await.unwrap_err().code,
        FailureCode::NotNow
    );

    let left = rig.engine.erase_everything(EraseAlso::default()).await.unwrap();
    assert_eq!(left, 1, "the one that goes on");
    let bytes = all_bytes(folder.path());
    for (name, there) in [("0002-b", false), ("0003-c", false), ("0004-goes-on", true)] {
        assert_eq!(holds(&bytes, name), there, "{name}");
    }
    // Whoever watches hears of it, and whoever comes later is told of none of them.
    let mut told = Vec::new();
    while let Ok(one) = news.try_recv() {
        if let News::Erased { runs } = one {
            told.extend(runs);
        }
    }
    assert!(told.contains(&run("0001-a")), "{told:?}");
    let page = rig.engine.history(&HistoryQuery::default()).await.unwrap();
    assert_eq!(page.runs.len(), 1);
    assert_eq!(page.runs[0].end, RunEndKind::Going);
    drop(other);
}

/// The AI hears what was done before it thinks for the first time, and begins with a look.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_is_gone_on_with() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut rig = rig(&folder).await;
    let model = Says::new(vec![say(json!({"type": "wait", "durationMs": 60_000}))]);
    let first = rig.run_task("Turn the sound off", &model, rig.engine.settings());
    while !matches!(rig.next(&first).await.what, What::Acting { .. }) {}
    rig.engine.steer(&first, Op::Stop).await.unwrap();
    rig.end(&first, Choice::Deny).await;
    // The settings name the demo AI, which needs nobody.
    let note = "Half of it was done. It is not known whether ‘Save’ was tapped.";
    let second = rig.engine.go_on(&first, note).await.unwrap();
    let (_, events) = rig.end(&second, Choice::Deny).await;
    let names: Vec<&str> = events
        .iter()
        .filter_map(|event| match &event.what {
            What::Started { goal, .. } => Some(goal.as_str()),
            What::Said { text } => Some(text.as_str()),
            What::Looked { .. } => Some("looked"),
            What::Thinking { .. } => Some("thinking"),
            _ => None,
        })
        .take(4)
        .collect();
    assert_eq!(names[..2], ["Turn the sound off", note]);
    assert_eq!(names[2..4], ["looked", "thinking"]);
    let gone = rig.engine.go_on(&RunId::from("nobody"), note).await.unwrap_err();
    assert_eq!(gone.code, FailureCode::NotFound);
}

/// pydantic makes the schemas of OmniMCP's and OpenPocket's own models, jsonschema holds the lines to it.
fn python() -> PathBuf {
    environment(
        "training-schema",
        &["pydantic>=2", "jsonschema>=4"],
        "import pydantic, jsonschema",
    )
}

/// What the two schemas make of lines: a verdict a line.
fn validate(file: &Path) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/whole/training.py");
    let done = Command::new(python()).arg(script).arg(file).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_is_what_the_seeds_models_say() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut rig = rig(&folder).await;
    let plain = |action: Value| say(json!({"thought": format!("I go on, {KEY}."), "action": action}));
    let model = Says::new(vec![
        on("Battery", json!({"type": "tap", "reason": "It is there."})),
        plain(json!({"type": "swipe", "x1": 45, "y1": 150, "x2": 45, "y2": 75})),
        plain(json!({"type": "scroll", "direction": "down"})),
        plain(json!({"type": "keyevent", "keycode": "BACK"})),
        plain(json!({"type": "wait", "durationMs": 1})),
        plain(json!({"type": "shell", "command": "id"})),
        plain(json!({"type": "launch_app", "packageName": "com.android.settings"})),
        plain(json!({"type": "run_script", "script": "rm -rf /"})),
        plain(json!({"type": "list_apps"})),
        plain(json!({"type": "finish", "message": "All of it."})),
    ]);
    let run = rig.run_task("Look around <b>here</b>", &model, rig.engine.settings());
    rig.end(&run, Choice::Deny).await;
    let out = tempfile::tempdir().unwrap();
    rig.engine
        .export_run_to(&run, ExportForm::Training, out.path())
        .await
        .unwrap();
    rig.engine
        .export_run_to(&run, ExportForm::Page, out.path())
        .await
        .unwrap();
    let file = out.path().join("steps.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(KEY), "{text}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 10);
    assert_eq!(validate(&file), vec![json!([]); 10]);
    let kinds = |form: &str, pointer: &str| -> Vec<Value> {
        lines
            .iter()
            .map(|line| line[form].pointer(pointer).cloned().unwrap_or_default())
            .collect()
    };
    assert_eq!(
        json!(kinds("llm_response", "/action/action_type")),
        json!([
            "click",
            null,
            "scroll",
            "press_key",
            "wait",
            null,
            null,
            null,
            null,
            "finish_goal"
        ])
    );
    assert_eq!(
        json!(kinds("model_step_output", "/action/type")),
        json!([
            "tap",
            "swipe",
            null,
            "keyevent",
            "wait",
            "shell",
            "launch_app",
            "run_script",
            null,
            "finish"
        ])
    );
    assert!(
        lines
            .iter()
            .all(|line| line["raw"].as_str().is_some_and(|raw| raw.contains("type")))
    );
    assert!(lines[0]["elements"].as_array().is_some_and(|all| all.len() > 3));
    assert_eq!(lines[0]["outcome"]["ok"], json!(true));
    let page = std::fs::read_to_string(out.path().join("index.html")).unwrap();
    assert!(
        page.contains("Look around &lt;b&gt;here&lt;/b&gt;") && !page.contains(KEY),
        "{page}"
    );

    // A line that is not so is found: the schema says something.
    let mut wrong = lines[0].clone();
    wrong["llm_response"]["action"]["action_type"] = json!("smash");
    wrong["model_step_output"]["action"]["x"] = json!("left");
    std::fs::write(&file, wrong.to_string()).unwrap();
    assert_eq!(validate(&file)[0].as_array().unwrap().len(), 2);
}

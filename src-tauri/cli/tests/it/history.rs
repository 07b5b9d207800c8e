//! Past tasks: listed, told, written into a folder, erased.

use crate::bench::Bench;
use crate::command::{Ended, run};
use crate::model::ScriptedModel;
use serde_json::{Value, json};

const HOME: &str =
    r#"{"thought": "The home screen has it.", "action": {"type": "keyevent", "keycode": "HOME"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Home, quokkaanswer."}"#;

fn lines(ended: &Ended) -> Vec<Value> {
    assert_eq!(ended.code, 0, "{}", ended.story());
    ended
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A phone, and one task done on it.
fn bench() -> (Bench, String) {
    let bench = Bench::new();
    let model = ScriptedModel::saying(&[HOME, DONE]);
    let ended = run(bench.task("Go home to the quokkatask", &model, &[]), b"");
    assert_eq!(ended.code, 0, "{}", ended.story());
    let run = bench.stored().0.run.0;
    (bench, run)
}

#[test]
fn a_task_is_found_again() {
    let (bench, run) = bench();
    let all = lines(&bench.call(&["history"]));
    assert_eq!(all.len(), 1);
    let one = &all[0];
    assert_eq!(
        (&one["run"], &one["goal"], &one["end"], &one["ending"]["message"]),
        (
            &json!(run),
            &json!("Go home to the quokkatask"),
            &json!("finished"),
            &json!("Home, quokkaanswer.")
        )
    );
    let name = one["phoneName"].as_str().unwrap().to_owned();
    let phone = one["phone"].as_str().unwrap().to_owned();
    for (options, found) in [
        (&["--search", "home quokkata"][..], 1),
        (&["--search", "quokkaanswer"], 1),
        (&["--search", "zebra"], 0),
        (&["--end", "finished"], 1),
        (&["--end", "failed"], 0),
        (&["--phone", &name], 1),
        (&["--phone", &phone], 1),
        (&["--phone", "nobody’s"], 0),
        (&["--day", "2001-01-01"], 0),
        (&["--limit", "0"], 0),
    ] {
        let told = bench.call(&[&["history"], options].concat());
        assert_eq!(lines(&told).len(), found, "{options:?}");
    }
    let wrong = bench.call(&["history", "--day", "yesterday"]);
    assert_eq!(
        (wrong.code, wrong.err.as_str()),
        (2, "a day is written like 2026-05-07\n")
    );

    // Its story is the same as it was when it happened.
    let told = lines(&bench.call(&["show", &run]));
    assert_eq!(told[0]["run"]["goal"], json!("Go home to the quokkatask"));
    let stored: Vec<Value> = bench.stored().1.iter().map(|event| json!(event)).collect();
    assert_eq!(told[1..], stored[..]);
    assert_eq!(bench.call(&["show", "nobody"]).code, 1);
}

#[test]
fn a_task_is_written_into_a_folder_and_erased_from_every_file() {
    let (bench, run) = bench();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let told = lines(&bench.call(&["export", &run, folder.to_str().unwrap()]));
    assert_eq!(told, [json!({"run": run, "folder": folder})]);
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    for part in [
        "Go home to the quokkatask",
        "Home, quokkaanswer.",
        "Pressed Home",
        "The home screen has it.",
        "pictures/1.jpg",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let steps = std::fs::read_to_string(folder.join("steps.jsonl")).unwrap();
    let steps: Vec<Value> = steps
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["raw"], json!(HOME));
    assert_eq!(steps[0]["outcome"]["ok"], json!(true));
    assert_eq!(
        steps[0]["llm_response"]["action"]["action_type"],
        json!("press_key")
    );
    assert_eq!(steps[1]["model_step_output"]["action"]["type"], json!("finish"));
    assert!(steps[0]["elements"].as_array().is_some_and(|all| !all.is_empty()));
    let picture = folder.join(steps[0]["screen"]["picture"].as_str().unwrap());
    image::open(picture).unwrap();

    assert_eq!(bench.call(&["erase"]).code, 2);
    assert_eq!(bench.call(&["erase", &run, "--keys"]).code, 2);
    assert_eq!(bench.call(&["erase", "nobody"]).code, 1);
    assert_eq!(lines(&bench.call(&["erase", &run])), [json!({"erased": run})]);
    assert_eq!(lines(&bench.call(&["history"])), [] as [Value; 0]);
    bench.check_no_file_holds(&[b"quokkatask", b"quokkaanswer", b"The home screen has it."]);
    assert_eq!(
        lines(&bench.call(&["erase", "--all"])),
        [json!({"erased": "all", "left": 0})]
    );
}

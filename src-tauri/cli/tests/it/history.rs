//! Past tasks: listed, told, written into a folder, erased.

use crate::bench::Bench;
use crate::command::{Ended, run};
use crate::model::{Reply, ScriptedModel};
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

/// What an AI writes is text, for a terminal too.
#[test]
fn an_answer_steers_no_terminal() {
    let bench = Bench::new();
    let done = r#"{"type": "finish", "message": "Done\u001b[2J\u0007\u202eenoD\u2066"}"#;
    let model = ScriptedModel::saying(&[done]);
    let ended = run(bench.task("Say it", &model, &[]), b"");
    assert_eq!(ended.code, 0, "{}", ended.story());
    let shown = bench.call(&["show", &bench.stored().0.run.0]);
    assert_eq!(shown.err, "Done [2J  enoD \n");
    assert!(!shown.out.contains(['\u{1b}', '\u{7}']), "{}", shown.out);
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

/// A task that was stopped goes on: told what was done of it and what the person adds. One that is done does not.
#[test]
fn a_task_that_was_broken_off_goes_on() {
    let bench = Bench::new();
    let silent = ScriptedModel::start(|_, _| Reply::Silence);
    let ended = run(
        bench.task("Go home to the quokkatask", &silent, &[]),
        b"{\"op\": \"stop\"}\n",
    );
    assert_eq!(ended.code, 1, "{}", ended.story());
    let first = bench.stored().0.run.0;

    let model = ScriptedModel::saying(&[HOME, DONE]);
    let go_on = |run: &str| {
        let note = "quokkanote: I am in a hurry";
        let mut command = bench.deck(&["run", "--continue", run, "--note", note]);
        command.args(["--provider", model.address(), "--model", "scripted"]);
        command
    };
    let ended = run(go_on(&first), b"");
    let events = lines(&ended);
    assert_eq!(
        (&events[0]["goal"], &events[0]["goesOn"]),
        (&json!("Go home to the quokkatask"), &json!(first))
    );
    assert_eq!(events.last().unwrap()["what"], json!("ended"));
    let told = model.requests()[0].text();
    assert!(
        told.contains("quokkanote") && told.contains("broken off"),
        "{told}"
    );

    let done = bench.stored().0.run.0;
    assert_ne!(done, first);
    for (id, said) in [(&*done, "nothing left to continue"), ("nobody", "can’t be found")] {
        let refused = run(go_on(id), b"");
        assert_eq!(
            (refused.code, refused.out.as_str()),
            (1, ""),
            "{}",
            refused.story()
        );
        assert!(refused.err.contains(said), "{}", refused.story());
    }
    for wrong in [
        &["run", "--continue", &first, "--goal", "x"][..],
        &["run", "--continue", &first, "--device", "x"],
        &["run", "--note", "x", "--device", "x", "--goal", "x"],
    ] {
        assert_eq!(bench.call(wrong).code, 2, "{wrong:?}");
    }
}

/// What the AI would have the person remember is said with the command that keeps it, and kept by that alone.
#[test]
fn a_note_is_kept_by_its_own_command_alone() {
    const NOTED: &str =
        r#"{"type": "finish", "message": "Home.", "note": "My usual quokkashop is Greenleaf"}"#;
    let bench = Bench::new();
    let model = ScriptedModel::saying(&[HOME, NOTED]);
    let ended = run(bench.task("Go home", &model, &[]), b"");
    assert_eq!(ended.code, 0, "{}", ended.story());
    let id = bench.stored().0.run.0;
    let said = format!("\"My usual quokkashop is Greenleaf\"\n(deck keep {id})");
    assert!(ended.err.contains(&said), "{}", ended.story());
    let notes = || bench.in_store(async |store| store.settings().await.unwrap().notes);
    assert_eq!(notes(), []);
    let kept = json!({"about": "everything", "text": "My usual quokkashop is Greenleaf"});
    for _ in 0..2 {
        assert_eq!(lines(&bench.call(&["keep", &id])), [json!({"kept": kept})]);
        assert_eq!(json!(notes()), json!([kept]));
    }
    assert_eq!(bench.call(&["keep", "nobody"]).code, 1);

    let model = ScriptedModel::saying(&[DONE]);
    let ended = run(bench.task("Go home", &model, &[]), b"");
    assert_eq!(ended.code, 0, "{}", ended.story());
    assert!(
        model.requests()[0]
            .text()
            .contains("My usual quokkashop is Greenleaf")
    );
    let id = bench.stored().0.run.0;
    let none = bench.call(&["keep", &id]);
    assert_eq!(none.code, 1, "{}", none.story());
}

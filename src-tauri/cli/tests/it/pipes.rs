//! A reader that is gone is no reason to panic, nor to leave a run behind.

use crate::bench::Bench;
use crate::command::{Running, deck, run};
use crate::model::{Reply, ScriptedModel};
use std::io::pipe;
use std::process::{Command, Stdio};

/// Runs it where nobody reads its output, nor its messages where `deaf`.
fn unread(mut command: Command, deaf: bool) -> (i32, String) {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::from(writer.try_clone().unwrap()));
    if deaf {
        command.stderr(Stdio::from(writer));
    } else {
        command.stderr(Stdio::piped());
    }
    let ended = Running::watch(command.spawn().unwrap()).ended();
    (ended.code, ended.err)
}

#[test]
fn nothing_panics_where_nobody_reads() {
    let bench = Bench::new();
    let look = ["look", "--device", &bench.serial];
    let act = [
        "act",
        "--device",
        &bench.serial,
        r#"{"type": "wait", "durationMs": 1}"#,
    ];
    for arguments in [
        &["devices"][..],
        &look,
        &act,
        &["parse", "nonsense"],
        &["parse", r#"{"type": "wait"}"#],
        &["parse", "--dialect", "klingon", "x"],
        &["phone", "--speed", "instant"],
    ] {
        for deaf in [false, true] {
            let (code, err) = unread(bench.deck(arguments), deaf);
            assert!(code == 1 || code == 2, "{arguments:?}: {code} {err}");
            assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        }
    }
}

#[test]
fn help_and_version_survive_too() {
    for argument in ["--help", "--version"] {
        let mut command = deck();
        command.arg(argument);
        let (code, err) = unread(command, false);
        assert!(
            code < 128 && code != 101 && !err.contains("panicked"),
            "{code} {err}"
        );
    }
}

/// Whoever watched it is gone: it ends as if it had been stopped, and says so in the journal.
#[test]
fn a_run_nobody_watches_ends() {
    let bench = Bench::new();
    let model = ScriptedModel::start(|_, _| Reply::Says(r#"{"type": "wait", "durationMs": 1}"#.to_owned()));
    let (code, err) = unread(bench.task("Wait for ever", &model, &[]), false);
    assert_eq!((code, err.as_str()), (1, ""));
    let (run, events) = bench.stored();
    assert!(run.end.is_some(), "{run:?}");
    assert!(!events.is_empty());
}

#[test]
fn the_help_says_what_a_person_needs_first() {
    let mut told = String::new();
    for arguments in [
        &["--help"][..],
        &["parse", "--help"],
        &["look", "--help"],
        &["act", "--help"],
        &["run", "--help"],
        &["phone", "--help"],
    ] {
        let mut command = deck();
        command.args(arguments);
        let ended = run(command, b"");
        assert_eq!((ended.code, ended.err.as_str()), (0, ""));
        told.push_str(&format!("# deck {}\n{}\n", arguments.join(" "), ended.out));
    }
    insta::assert_snapshot!(told);
}

//! Another program holds the database, or somebody deletes it: what waits goes on by itself, what cannot go on says so soon.

use crate::bench::Bench;
use crate::command::{Ended, Running, run};
use crate::model::{Reply, ScriptedModel};
use rusqlite::Connection;
use serde_json::{Value, json};

const HOME: &str = r#"{"type": "keyevent", "keycode": "HOME"}"#;
const DONE: &str = r#"{"type": "finish", "message": "Done."}"#;

/// How many of the printed events were this.
fn count(ended: &Ended, what: &str) -> usize {
    ended.out.matches(&format!(r#""what":"{what}""#)).count()
}

const LOCKED: &str =
    "Another program is using PocketDeck’s saved data. Close that program, or wait a moment.";

/// What stands beside that sentence.
const HELD: &str = "(journal_locked: the database is locked by another program)";

fn hold(bench: &Bench) -> Connection {
    let database = Connection::open(bench.data().join("pocketdeck.db")).unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    database
}

/// Another program holds the database in the middle of a run, for longer than one try takes: nobody is there, and nobody
/// is needed.
#[test]
fn a_database_that_is_locked_meanwhile() {
    let bench = Bench::new();
    let (mut running, database) = locked_in_the_middle(&bench);
    // The first try by itself comes too early: it waits on.
    for _ in 0..2 {
        running.line("a pause", |line| line.contains(r#""what":"paused""#));
    }
    drop(database);
    let ended = running.ended();
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (0, format!("{LOCKED}\n{HELD}\n").as_str()),
        "{}",
        ended.story()
    );
    // What could not be written is written now, and nothing was done twice.
    bench.check_nothing_is_lost(&ended.out);
    assert_eq!(
        (
            count(&ended, "acted"),
            count(&ended, "acting"),
            count(&ended, "ended")
        ),
        (2, 2, 1),
        "{}",
        ended.story()
    );
}

/// It never lets go: nobody is there, so the run ends soon, in words.
#[test]
fn a_database_that_stays_locked() {
    let bench = Bench::new();
    let (running, database) = locked_in_the_middle(&bench);
    let began = std::time::Instant::now();
    let ended = running.ended();
    assert!(began.elapsed().as_secs() < 35, "{:?}", began.elapsed());
    let said: Vec<&str> = ended.err.lines().filter(|line| !line.starts_with('(')).collect();
    assert_eq!(
        (said, ended.code),
        (vec![LOCKED, UNWRITTEN], 1),
        "{}",
        ended.story()
    );
    drop(database);
    // What was not written is told by the next to look.
    let end = bench.stored().0.end.unwrap().ending;
    assert!(
        matches!(end, Some(protocol::Ending::Interrupted { .. })),
        "{end:?}"
    );
}

/// The file is deleted in the middle of a run: the system would let it be written on into nothing.
#[test]
fn a_database_that_is_deleted_meanwhile() {
    let bench = Bench::new();
    let (go_on, wait) = std::sync::mpsc::channel();
    let model = ScriptedModel::start(move |number, _| {
        if number == 1 {
            let () = wait.recv().unwrap();
        }
        Reply::Says(HOME.to_owned())
    });
    let mut running = Running::start(bench.task("Go home", &model, &[]));
    running.close_input();
    running.line("the second step", |line| {
        line.contains(r#""what":"thinking","step":2"#)
    });
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(bench.data().join(format!("pocketdeck.db{ending}"))).unwrap();
    }
    go_on.send(()).unwrap();
    let ended = running.ended();
    let said: Vec<&str> = ended.err.lines().filter(|line| !line.starts_with('(')).collect();
    let gone = "PocketDeck’s saved data was moved or deleted while it was in use. Put it back, or close PocketDeck and open it again.";
    assert_eq!(
        (said, ended.code),
        (vec![gone, UNWRITTEN], 1),
        "{}",
        ended.story()
    );
    // Nothing was done that is written nowhere.
    assert_eq!(count(&ended, "acting"), 1, "{}", ended.story());
}

const UNWRITTEN: &str = "The end of this task couldn’t be saved. The next time you open PocketDeck, it will say the task was interrupted.";

/// A run with nobody there, its database locked while the AI thinks a second time; a fourth time it is done.
fn locked_in_the_middle(bench: &Bench) -> (Running, Connection) {
    // The answer waits until the lock is held.
    let (locked, wait) = std::sync::mpsc::channel();
    let model = ScriptedModel::start(move |number, _| {
        if number == 1 {
            let () = wait.recv().unwrap();
        }
        // The second could not be promised, so it is not done: what to do is asked anew.
        let answers = [HOME, HOME, HOME, DONE];
        Reply::Says(answers[number.min(3)].to_owned())
    });
    let mut running = Running::start(bench.task("Go home", &model, &[]));
    running.close_input();
    running.line("the second step", |line| {
        line.contains(r#""what":"thinking","step":2"#)
    });
    let database = hold(bench);
    locked.send(()).unwrap();
    // It answers for as long as the run asks.
    std::mem::forget(model);
    (running, database)
}

/// And before it begins: nothing is begun.
#[test]
fn a_database_that_is_locked_from_the_start() {
    let mut bench = Bench::new();
    assert_eq!(bench.act(HOME).code, 0);
    let before = reached(&mut bench).len();
    let database = hold(&bench);
    let model = ScriptedModel::saying(&[HOME]);
    let ended = run(bench.task("Go home", &model, &[]), b"");
    assert_eq!(
        (ended.err.lines().next(), ended.code),
        (Some(LOCKED), 1),
        "{}",
        ended.story()
    );
    assert_eq!(ended.out, "");
    drop(database);
    assert_eq!(reached(&mut bench)[before..], [] as [Value; 0]);
    assert!(bench.stored().0.end.is_some());
}

/// A disk without room, for real: the data lies on one of a few kilobytes.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let small = "mount -t tmpfs -o size=32k none \"$0\" && exec \"$@\"";
    let within = |command: &[&str]| {
        let mut unshare = std::process::Command::new("unshare");
        unshare.args(["--map-root-user", "--mount", "--", "sh", "-c", small, place]);
        unshare.args(command);
        unshare
    };
    let possible = within(&["true"]).output();
    if !possible.as_ref().is_ok_and(|output| output.status.success()) {
        return crate::skipped::skipped(&format!("no disk of our own: {possible:?}"));
    }
    let call = bench.deck(&["--data", place, "act", "--device", &bench.serial, HOME]);
    let words: Vec<&str> = std::iter::once(call.get_program())
        .chain(call.get_args())
        .map(|word| word.to_str().unwrap())
        .collect();
    let mut command = within(&words);
    for (name, value) in call.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let ended = run(command, b"");
    let said = ended.err.lines().next();
    let sentence = "This computer’s disk is full. Free up some space, then try again.";
    assert_eq!((said, ended.code), (Some(sentence), 1), "{}", ended.story());
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
}

/// What reached the phone from outside. What an earlier command's programs do there, they do in their own time.
fn reached(bench: &mut Bench) -> Vec<Value> {
    let mut record = bench.record();
    record.retain(|entry| entry["event"] != json!("program") && entry["event"] != json!("ended"));
    record
}

//! Two real processes: one is killed, one lives on, two want the same phone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::*;
use agent::ports::Journal;
use protocol::{AskId, AskOutcome, Ending, Event, PhoneId, RunId, What};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use store::{Store, phone_lock};

const ROLE: &str = "STORE_TEST_ROLE";
const FOLDER: &str = "STORE_TEST_FOLDER";

/// This test program again, as another process, in a role of [`the_other_process`]. Killed when dropped.
struct OtherProcess {
    child: Child,
    says: Lines<BufReader<ChildStdout>>,
    hears: ChildStdin,
}

impl OtherProcess {
    fn start(role: &str, folder: &Path) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the test starts itself again")]
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::the_other_process", "--nocapture"])
            .env(ROLE, role)
            .env(FOLDER, folder)
            .env("XDG_RUNTIME_DIR", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let says = BufReader::new(child.stdout.take().unwrap()).lines();
        let hears = child.stdin.take().unwrap();
        Self { child, says, hears }
    }

    /// The next thing it says (and not its test harness); `None` once it is gone.
    fn next(&mut self) -> Option<String> {
        let says = self.says.by_ref().map_while(Result::ok);
        says.filter_map(|line| Some(line.split_once('@')?.1.to_owned()))
            .next()
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.hears, "{line}").unwrap();
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for OtherProcess {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _reaped_already = self.child.wait();
    }
}

/// Says something to the process that started this one.
fn say(what: impl std::fmt::Display) {
    let mut stdout = std::io::stdout();
    writeln!(stdout, "@{what}").unwrap();
}

/// Waits for a word from the process that started this one; its end is the end.
fn hear() -> String {
    let mut line = String::new();
    if std::io::stdin().read_line(&mut line).unwrap() == 0 {
        std::process::exit(0);
    }
    line.trim().to_owned()
}

#[tokio::test]
async fn the_other_process() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let folder = std::env::var_os(FOLDER).unwrap();
    let folder = Path::new(&folder);
    match role.as_str() {
        "write" => write(folder).await,
        "hold" => hold(folder).await,
        "take part" => take_part(folder).await,
        "lock" => match phone_lock::try_lock(&PhoneId::from("Spare Moto")) {
            Ok(_guard) => {
                say("held");
                hear();
            }
            Err(phone_lock::LockError::Busy(holder)) => say(holder),
            Err(error) => say(error),
        },
        other => panic!("no such role: {other}"),
    }
}

/// Writes until it is killed, and says each number once it was acknowledged.
async fn write(folder: &Path) {
    let store = Store::open(folder).unwrap();
    let mut story = Story::begin(&store, "r1", "moto").await;
    say(story.seq);
    for step in 1..=100_000_u32 {
        store
            .keep(&story.run, screen(&picture(20, 20, step.to_le_bytes()[0])))
            .await
            .unwrap();
        for what in [acting(step), acted(step, true)] {
            story.tell(what).await;
            say(story.seq);
        }
    }
}

/// Stands in the middle of a run with a question open and an intent without outcome.
async fn hold(folder: &Path) {
    let store = Store::open(folder).unwrap();
    let mut story = Story::begin(&store, "r1", "moto").await;
    let open = payment("open", None, None);
    story
        .tell_all([
            payment("closed", None, None),
            answered("closed", AskOutcome::Denied),
            open,
        ])
        .await;
    story.tell(acting(1)).await;
    say("ready");
    hear();
    story.tell_all([acted(1, true), acting(2)]).await;
    say("went on");
    hear();
}

/// One of many that open the same new folder at once.
async fn take_part(folder: &Path) {
    say("ready");
    let run = hear();
    let store = Store::open(folder).unwrap();
    let mut story = Story::begin(&store, &run, &run).await;
    for step in 1..=10 {
        story.tell_all([acting(step), acted(step, true)]).await;
    }
    say(store.interrupted().len());
    hear();
}

/// A run's events, which must be numbered from 1 without gaps.
async fn events(store: &Store) -> Vec<Event> {
    let events = store.events(&RunId::from("r1"), 0, 1_000).await.unwrap();
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    events
}

#[tokio::test]
async fn killed_at_any_moment_nothing_acknowledged_is_lost_and_nothing_is_repeated() {
    for kill_after in [1, 2, 3, 4, 9, 16, 33] {
        let folder = tempfile::tempdir().unwrap();
        let mut other = OtherProcess::start("write", folder.path());
        let mut acknowledged = 0;
        while acknowledged < kill_after {
            acknowledged = other.next().expect("it writes").parse().unwrap();
        }
        other.kill();
        while let Some(seq) = other.next() {
            acknowledged = seq.parse().unwrap();
        }

        let store = Store::open(folder.path()).unwrap();
        let written = events(&store).await;
        let (last, before) = written.split_last().unwrap();
        assert!(before.len() >= acknowledged, "{} of {acknowledged}", before.len());
        assert!(before.len() <= acknowledged + 1, "more than one was under way");
        let unknown_effect = matches!(before.last().unwrap().what, What::Acting { .. });
        assert_eq!(last.what, ended(Ending::Interrupted { unknown_effect }));
        // It ended when it was last heard of, and not when somebody looked.
        let heard = before.last().unwrap().at;
        let run = store.run(&RunId::from("r1")).await.unwrap();
        assert_eq!((last.at, run.end.unwrap().at), (heard, heard));
        let [interrupted] = store.interrupted() else {
            panic!("one run was interrupted")
        };
        assert_eq!((&interrupted.run.0[..], &interrupted.phone.0[..]), ("r1", "moto"));
        assert_eq!(interrupted.unknown_effect, unknown_effect);
        if acknowledged > 1 {
            store.frame(&"r1/1".into()).await.unwrap();
        }

        drop(store);
        let store = Store::open(folder.path()).unwrap();
        assert!(store.interrupted().is_empty());
        assert_eq!(events(&store).await, written);
    }
}

#[tokio::test]
async fn the_run_of_a_living_process_is_left_alone_until_it_dies() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = OtherProcess::start("hold", folder.path());
    assert_eq!(other.next().as_deref(), Some("ready"));

    let store = Store::open(folder.path()).unwrap();
    assert!(store.interrupted().is_empty());
    assert_eq!(store.close_interrupted().await.unwrap(), []);
    assert_eq!(events(&store).await.len(), 5);
    other.tell("go on");
    assert_eq!(other.next().as_deref(), Some("went on"));

    other.kill();
    let closed = store.close_interrupted().await.unwrap();
    let interrupted = store::Interrupted {
        run: RunId::from("r1"),
        phone: PhoneId::from("moto"),
        unknown_effect: true,
        withdrawn: vec![AskId::from("open")],
    };
    assert_eq!(closed, [interrupted]);
    let events = events(&store).await;
    let whats: Vec<_> = events.iter().skip(6).map(|event| event.what.clone()).collect();
    let end = ended(Ending::Interrupted { unknown_effect: true });
    assert_eq!(whats, [acting(2), answered("open", AskOutcome::Withdrawn), end]);
    assert_eq!(store.close_interrupted().await.unwrap(), []);
    assert!(store.run(&RunId::from("r1")).await.unwrap().end.is_some());
    // The dead leave nothing behind: there is one owner, this one.
    assert_eq!(
        std::fs::read_dir(folder.path().join("owners")).unwrap().count(),
        1
    );
}

#[tokio::test]
async fn many_processes_open_one_new_folder_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut others: Vec<_> = (0..5)
        .map(|_| OtherProcess::start("take part", folder.path()))
        .collect();
    for other in &mut others {
        assert_eq!(other.next().as_deref(), Some("ready"));
    }
    for (n, other) in others.iter_mut().enumerate() {
        other.tell(&format!("r{n}"));
    }
    for other in &mut others {
        assert_eq!(
            other.next().as_deref(),
            Some("0"),
            "nobody takes a living run for dead"
        );
    }
    let store = Store::open(folder.path()).unwrap();
    assert!(store.interrupted().is_empty());
    let runs = store.runs(None, None, 10).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.events).collect::<Vec<_>>(), [21; 5]);
}

/// Two stores of one process are two owners, too.
#[tokio::test]
async fn a_store_that_was_closed_leaves_its_runs_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let first = Store::open(folder.path()).unwrap();
    let second = Store::open(folder.path()).unwrap();
    Story::begin(&first, "r1", "moto").await;
    assert_eq!(second.close_interrupted().await.unwrap(), []);
    assert_eq!(first.close_interrupted().await.unwrap(), []);
    drop(first);
    let closed = second.close_interrupted().await.unwrap();
    assert_eq!(closed.len(), 1);
    assert!(!closed[0].unknown_effect);
}

/// A newer version's event in a run that was interrupted does not keep the store shut.
#[tokio::test]
async fn a_run_with_an_event_nobody_can_read_is_closed_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    Story::begin(&store, "r1", "moto").await;
    drop(store);
    let raw = rusqlite::Connection::open(folder.path().join("pocketdeck.db")).unwrap();
    raw.execute(
        "INSERT INTO events VALUES ('r1', 2, 1, 'acting', '{\"what\": \"dreaming\"}')",
        (),
    )
    .unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.interrupted().len(), 1);
    assert!(store.interrupted()[0].unknown_effect);
    let end = store.run(&RunId::from("r1")).await.unwrap().end.unwrap();
    assert_eq!(end.ending, Some(Ending::Interrupted { unknown_effect: true }));
    let whats: Vec<What> = events_of(&store).await;
    let was = "acting".to_owned();
    assert_eq!(whats[1], What::Unreadable { was });
    assert_eq!(whats.len(), 3);
}

async fn events_of(store: &Store) -> Vec<What> {
    let events = store.events(&RunId::from("r1"), 0, 9).await.unwrap();
    events.into_iter().map(|event| event.what).collect()
}

/// As many programs as a computer with many phones starts: each writes as fast as it can, and each gets through.
#[tokio::test]
async fn nobody_of_thirty_two_waits_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let mut others: Vec<_> = (0..32)
        .map(|_| OtherProcess::start("take part", folder.path()))
        .collect();
    for other in &mut others {
        assert_eq!(other.next().as_deref(), Some("ready"));
    }
    for (n, other) in others.iter_mut().enumerate() {
        other.tell(&format!("r{n}"));
    }
    for (n, other) in others.iter_mut().enumerate() {
        assert_eq!(other.next().as_deref(), Some("0"), "the {n}th got stuck");
    }
    let store = Store::open(folder.path()).unwrap();
    let runs = store.runs(None, None, 100).await.unwrap();
    assert_eq!(runs.iter().map(|run| run.events).collect::<Vec<_>>(), [21; 32]);
}

#[cfg(unix)]
#[test]
fn a_phone_is_held_by_one_process_until_it_dies() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = OtherProcess::start("lock", folder.path());
    assert_eq!(first.next().as_deref(), Some("held"));
    let busy = OtherProcess::start("lock", folder.path()).next().unwrap();
    let program = std::env::current_exe().unwrap();
    let program = program.file_stem().unwrap().to_string_lossy().into_owned();
    assert_eq!(busy, format!("{program} (process {})", first.child.id()));

    first.kill();
    let mut second = OtherProcess::start("lock", folder.path());
    assert_eq!(second.next().as_deref(), Some("held"));
    // It lets go in good order as well.
    second.tell("enough");
    assert_eq!(second.next(), None);
    assert_eq!(
        OtherProcess::start("lock", folder.path()).next().as_deref(),
        Some("held")
    );

    use std::os::unix::fs::PermissionsExt;
    let locks = std::fs::metadata(folder.path().join("pocketdeck")).unwrap();
    assert_eq!(locks.permissions().mode() & 0o777, 0o700);
}

//! Faults × stages of a run: whatever goes wrong, whenever it does, the run goes on, or waits with one plain sentence, and
//! nothing is done twice.
//!
//! The table is read by eye as a snapshot. The usual run plays each fault at the first look and at every third stage, each row
//! beginning with another one, and holds each cell to its line of that snapshot; `POCKETDECK_LONG` plays and writes it all.

mod cell;
mod ledger;
mod repeats;
mod stage;
mod table;
mod way;
mod words;
mod writer;

use cell::Came;
use repeats::Again;
use stage::Stage;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use table::{Case, LISTED, NEVER_MET, PHONE, SCREEN, WIRE, cases};
use virtual_phone::Fault;
use way::Way;

/// Plays one cell in a time of its own; none where it fails.
fn alone<T>(play: impl Future<Output = T>) -> Option<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let play = std::panic::AssertUnwindSafe(|| runtime.block_on(play));
    std::panic::catch_unwind(play).ok()
}

/// Every cell of so many rows.
fn every(rows: usize) -> impl Iterator<Item = (usize, Stage)> {
    (0..rows).flat_map(|row| Stage::ALL.map(|(stage, _)| (row, stage)))
}

/// A cell of the usual run: the first stage of each row, which tells whether a run meets its fault, and every third one.
fn is_usual((row, stage): (usize, Stage)) -> bool {
    stage == Stage::FirstLook || (row + stage as usize).is_multiple_of(3)
}

/// Plays these cells, each in a time of its own, on as many threads as there are processors.
fn product<T, Played>(
    cases: &[Case],
    cells: impl Iterator<Item = (usize, Stage)>,
    play: impl Fn(Case, Stage) -> Played + Sync,
) -> BTreeMap<(usize, Stage), T>
where
    T: Send,
    Played: Future<Output = T>,
{
    let only = std::env::var("CELL").unwrap_or_default();
    let cells: Vec<(usize, Stage)> = cells
        .filter(|(row, stage)| format!("{} {stage:?}", cases[*row].fault).contains(&only))
        .collect();
    let next = AtomicUsize::new(0);
    let (came, failed) = (Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    let work = || {
        while let Some((row, stage)) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            // One cell that fails must not hide the others.
            match alone(play(cases[*row], *stage)) {
                Some(played) => {
                    came.lock().unwrap().insert((*row, *stage), played);
                }
                None => {
                    let name = cases[*row].fault.to_string();
                    failed.lock().unwrap().push((name, *stage));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, Into::into) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} cells: {failed:?}", failed.len());
    came.into_inner().unwrap()
}

/// Row by row: what happened, and at which stages.
fn matrix(cases: &[Case], came: &BTreeMap<(usize, Stage), Came>) -> String {
    let mut text = String::new();
    for (row, case) in cases.iter().enumerate() {
        text.push_str(&format!("{}\n", case.fault));
        let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
        for (stage, name) in Stage::ALL {
            let Some(came) = came.get(&(row, stage)) else {
                continue;
            };
            let line = came.line();
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, stages)) => stages.push(name),
                None => lines.push((line, vec![name])),
            }
        }
        for (line, stages) in lines {
            let stages = if stages.len() == Stage::ALL.len() {
                "at every stage".to_owned()
            } else {
                stages.join(", ")
            };
            text.push_str(&format!("    {stages}: {line}\n"));
        }
    }
    text
}

/// Every one of these faults at every stage ends in recovery or one plain sentence: read by eye, a snapshot a table.
fn check(name: &str, cases: &[Case]) {
    let is_whole = crate::long::times(1) > 1 || std::env::var_os("CELL").is_some();
    let cells = every(cases.len()).filter(|cell| is_whole || is_usual(*cell));
    let came = product(cases, cells, |case, stage| cell::play(case, stage, Way::Pipe));
    let unmet: Vec<_> = came
        .iter()
        .filter(|(_, came)| !came.struck)
        .map(|((row, stage), _)| (cases[*row].fault.to_string(), *stage))
        .collect();
    assert!(unmet.is_empty(), "never begun: {unmet:?}");
    // A part alone is only looked at, and never counts as passed.
    if std::env::var_os("CELL").is_some() {
        let written = came.iter().map(|((row, stage), came)| {
            format!(
                "{} at {stage:?}:\n{}\n",
                cases[*row].fault,
                came.written.join("\n")
            )
        });
        panic!("{}{}", written.collect::<String>(), matrix(cases, &came));
    }
    // Where the very first look began with it, a whole run came upon it.
    for (row, case) in cases.iter().enumerate() {
        let is_met = came[&(row, Stage::FirstLook)].met;
        let excused = NEVER_MET.iter().find(|(fault, _)| *fault == case.fault);
        assert_eq!(is_met, excused.is_none(), "{}: {excused:?}", case.fault);
    }
    if is_whole {
        insta::assert_snapshot!(name, matrix(cases, &came));
        return;
    }
    let known = lines(name);
    for ((row, stage), came) in &came {
        let fault = cases[*row].fault.to_string();
        let line = known.get(&(fault.clone(), *stage));
        assert_eq!(line, Some(&came.line()), "{fault} at {stage:?}");
    }
}

/// The lines of a table as it was read by eye, cell by cell.
fn lines(name: &str) -> BTreeMap<(String, Stage), String> {
    let file = format!(
        "{}/tests/contract/product/snapshots/contract__product__{name}.snap",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let (mut fault, mut known) = (String::new(), BTreeMap::new());
    for line in text.splitn(3, "---\n").nth(2).unwrap().lines() {
        let Some(line) = line.strip_prefix("    ") else {
            line.clone_into(&mut fault);
            continue;
        };
        let (stages, came) = line.split_once(": ").unwrap();
        for (stage, name) in Stage::ALL {
            // One of their names has a comma of its own.
            if stages == "at every stage" || format!(", {stages}, ").contains(&format!(", {name}, ")) {
                known.insert((fault.clone(), stage), came.to_owned());
            }
        }
    }
    known
}

#[test]
fn every_way_a_phone_is_listed_at_every_stage() {
    check("listed", LISTED);
}

#[test]
fn every_fault_of_the_wire_at_every_stage() {
    check("wire", WIRE);
}

#[test]
fn every_fault_of_the_screen_at_every_stage() {
    check("screen", SCREEN);
}

#[test]
fn every_fault_of_the_phone_at_every_stage() {
    check("phone", PHONE);
}

/// The product can fail: where an act is done twice, or once more because the first time brought trouble, its cell does.
#[test]
fn an_act_done_twice_is_noticed() {
    let silent = Fault::Silence(Some("input"));
    for (again, what, fault, stage) in [
        (Again::Tap, "tap", Fault::CrLf, Stage::FirstLook),
        (Again::Text, "text", Fault::CrLf, Stage::FirstLook),
        (Again::Swipe, "swipe", Fault::CrLf, Stage::FirstLook),
        (
            Again::OnTrouble,
            "tap that was not answered",
            silent,
            Stage::Promise,
        ),
        (
            Again::OnTrouble,
            "text that was not answered",
            silent,
            Stage::HalfText,
        ),
    ] {
        let case = cases().into_iter().find(|case| case.fault == fault).unwrap();
        let play = |again| alone(cell::play_by(case, stage, Way::Pipe, again));
        assert!(play(None).is_some(), "{fault} at {stage:?} alone");
        assert!(play(Some(again)).is_none(), "a {what} done twice");
    }
}

/// One stage of each row, another one for each.
fn diagonal() -> impl Iterator<Item = (Case, Stage)> {
    let stages = Stage::ALL.into_iter().map(|(stage, _)| stage).cycle();
    let cells = cases().into_iter().zip(stages);
    // No phone forgets in mid-swipe the very command that put its finger down, nor forbids in mid-swipe to touch it:
    // nothing else could lift that finger.
    cells.map(|(case, stage)| match (case.fault, stage) {
        (Fault::OldInput | Fault::InjectEvents, Stage::HalfSwipe) => (case, Stage::Promise),
        _ => (case, stage),
    })
}

/// Real sockets, real time, and as many phones at once as there are rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_ends_so_over_tcp() {
    let mut cells = tokio::task::JoinSet::new();
    for (case, stage) in diagonal() {
        cells.spawn(async move { (case.fault, stage, cell::play(case, stage, Way::Socket).await) });
    }
    while let Some(came) = cells.join_next().await {
        let (fault, stage, came) = came.unwrap();
        assert!(came.struck, "{fault} at {stage:?} never began");
        println!("{fault} at {stage:?}: {}", came.line());
    }
}

/// No fault of the virtual phone's is left out.
#[test]
fn every_fault_has_a_row() {
    let stem = |name: &str| name.split([':', '[']).next().unwrap_or_default().to_owned();
    let rows: Vec<String> = cases().iter().map(|case| stem(&case.fault.to_string())).collect();
    // These phones are read by the plain dump: what befalls the reader that stays is met in its own tests.
    let of_the_reader = |name: &str| name.starts_with("reader_");
    for (name, _) in virtual_phone::Fault::list()
        .iter()
        .filter(|(name, _)| !of_the_reader(name))
    {
        assert!(rows.contains(&stem(name)), "{name} has no row");
    }
}

/// One stage of each row: it is answered in two seconds, and nothing reaches the phone after it that it did not tell of.
#[test]
fn stop_is_answered_whatever_is_wrong() {
    let (cases, stages): (Vec<Case>, Vec<Stage>) = diagonal().unzip();
    let stopped = product(&cases, stages.into_iter().enumerate(), |case, stage| {
        cell::stop(case, stage, Duration::from_millis(700))
    });
    let mut lines = String::new();
    for ((row, stage), stopped) in stopped {
        let (_, at) = Stage::ALL.into_iter().find(|(one, _)| *one == stage).unwrap();
        let met = if stopped.met { "met" } else { "not met yet" };
        let maybe = if stopped.maybe {
            ", something may still run"
        } else {
            ""
        };
        lines.push_str(&format!("{} at {at}: {met}{maybe}\n", cases[row].fault));
    }
    insta::assert_snapshot!("stopped", lines);
}

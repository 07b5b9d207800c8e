//! Waiting for a screen to come to rest after a touch, told from the phone's stream. How long it took is printed, in the
//! phone's time; the reference system waits 1,200 ms whatever happens.

#![allow(clippy::print_stdout, reason = "the times are there to be read")]

use crate::rig::{Rig, Setup, middle};
use adb::Command;
use adb::scrcpy::Jar;
use agent::ports::{Phone as _, RawObservation};
use protocol::Frame;
use std::time::Duration;
use tokio::time::Instant;

const TOUCH: &str = "com.android.motiontest/.TouchActivity";
const SPINNER: &str = "com.android.motiontest/.SpinnerActivity";
const BOUND: Duration = Duration::from_secs(5);

/// What is in front, what moves after a touch of it and for how long (ms), and what the settling must come to.
struct Case {
    name: &'static str,
    start: &'static str,
    /// The attribute of what is touched; the middle of the screen where it is empty.
    touched: &'static str,
    moves: u64,
    /// How much longer than the movement it may take, in ms, once the phone is known.
    beyond: u64,
}

fn distance(a: &Frame, b: &Frame) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let sum: u64 = a
        .rgba
        .iter()
        .zip(b.rgba.iter())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.rgba.len() as f64
}

async fn touch(rig: &Rig, x: i32, y: i32) -> (RawObservation, Duration) {
    rig.by_hand(Command::Tap { x, y }).await.unwrap();
    let start = Instant::now();
    let sight = rig.phone.settle(BOUND).await.unwrap();
    (sight, start.elapsed())
}

async fn check(case: &Case, jar: Option<&str>) {
    let rig = Rig::pipe(Setup::at(case.start).slow());
    rig.phone.use_scrcpy(
        jar.map(|version| Jar::unchecked(version, format!("virtual scrcpy-server {version}\n").into_bytes())),
    );
    let what = format!("{} with {jar:?}", case.name);
    let (x, y) = match case.touched {
        "" => (180, 700),
        attribute => middle(&rig.phone.read().await.unwrap(), attribute),
    };
    // The first settling is by captures, and opens the stream; what follows teaches the phone's pace.
    let mut took = Vec::new();
    for count in 0..8 {
        let (sight, time) = touch(&rig, x, y).await;
        took.push(time.as_millis());
        let shown = sight.frame.unwrap_or_else(|| panic!("{what}: no picture"));
        assert!(sight.quiet || count == 0, "{what}: {count}");
        if case.start == TOUCH {
            let now = rig.phone.see().await.unwrap().frame.unwrap();
            let apart = distance(&shown, &now);
            assert!(apart < 3.0, "{what}: what was shown is not what stays: {apart}");
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    if case.moves > 0 {
        let tree = rig.phone.read().await.unwrap().xml;
        assert!(tree.contains("Pressed 8 times"), "{what}: {tree}");
    }
    println!("{what}: {took:?} ms, moving for {} ms", case.moves);
    for time in &took[4..] {
        let at_most = u128::from(case.moves + case.beyond);
        assert!(*time <= at_most, "{what}: {took:?}, at most {at_most}");
    }
}

const CASES: [Case; 3] = [
    Case {
        name: "a box that moves",
        start: TOUCH,
        touched: "text=\"Go\"",
        moves: 600,
        beyond: 250,
    },
    Case {
        name: "a place where nothing is",
        start: TOUCH,
        touched: "",
        moves: 0,
        beyond: 700,
    },
    Case {
        name: "a spinner",
        start: SPINNER,
        touched: "",
        moves: 0,
        beyond: 1600,
    },
];

#[tokio::test(start_paused = true)]
async fn a_screen_comes_to_rest() {
    for case in &CASES {
        for jar in [Some("3.3.4"), None] {
            check(case, jar).await;
        }
    }
}

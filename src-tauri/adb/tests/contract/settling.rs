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

/// A page that loads for six seconds after a press: it is told to rest while its ring turns, and where that is; nothing turns any more
/// once it was waited for wholly. One that turns on and on is given up at the bound.
#[tokio::test(start_paused = true)]
async fn what_turns_is_told_and_can_be_waited_for() {
    const LOADING: &str = "com.android.motiontest/.LoadingActivity";
    let waits = Duration::from_secs(4);
    for jar in [Some("3.3.4"), None] {
        let rig = Rig::pipe(Setup::at(LOADING).slow());
        rig.phone.use_scrcpy(jar.map(|version| {
            Jar::unchecked(version, format!("virtual scrcpy-server {version}\n").into_bytes())
        }));
        let start = format!("am start -n {LOADING} --ei millis 6000");
        rig.phone
            .device()
            .look(&start, Duration::from_secs(5))
            .await
            .unwrap();
        let (x, y) = middle(&rig.phone.read().await.unwrap(), "text=\"Go\"");
        // The first settling is by captures, and opens the stream.
        touch(&rig, x, y).await;
        tokio::time::sleep(Duration::from_secs(8)).await;
        let (sight, _) = touch(&rig, x, y).await;
        let place = sight.restless.unwrap_or_else(|| panic!("{jar:?}: nothing turns"));
        let tree = rig.phone.read().await.unwrap().xml;
        // By now half of the list stands where the ring stood.
        let (left, top) = middle(&tree, "Line 1");
        let near = |from: i32, to: i32, at: i32| (from - 40..to + 40).contains(&at);
        assert!(
            near(place.left, place.right, left) && near(place.top, place.bottom, top),
            "{jar:?}: {place:?}, {tree}"
        );
        assert!(tree.contains("ProgressBar"), "{jar:?}: {tree}");
        assert!(!tree.contains("Line 6"), "{jar:?}: it is loading");
        let whole = rig.phone.settle_wholly(waits).await.unwrap();
        assert!(whole.quiet && whole.restless.is_none(), "{jar:?}");
        let tree = rig.phone.read().await.unwrap().xml;
        assert!(!tree.contains("ProgressBar"), "{jar:?}: {tree}");
    }
    let rig = Rig::pipe(Setup::at(SPINNER).slow());
    touch(&rig, 180, 700).await;
    let began = Instant::now();
    let whole = rig.phone.settle_wholly(waits).await.unwrap();
    assert!(!whole.quiet);
    assert!(began.elapsed() < waits + Duration::from_secs(2));
}

/// An app that opens shows a frame and, later than pages pause, its content. What that teaches is for apps that open: a page is not
/// waited for any longer after it.
#[tokio::test(start_paused = true)]
async fn an_app_that_opens_teaches_nothing_about_pages() {
    let rig = Rig::pipe(Setup::at(TOUCH).slow());
    let (x, y) = middle(&rig.phone.read().await.unwrap(), "text=\"Go\"");
    let mut took = Vec::new();
    for count in 0..12 {
        if count >= 6 {
            rig.by_hand(Command::Launch("com.greenleaf.shop".to_owned()))
                .await
                .unwrap();
            rig.phone.settle(BOUND).await.unwrap();
            tokio::time::sleep(Duration::from_secs(1)).await;
            touch(&rig, 180, 4).await;
            rig.phone
                .device()
                .look(&format!("am start -n {TOUCH}"), BOUND)
                .await
                .unwrap();
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        let (_, time) = touch(&rig, x, y).await;
        took.push(time.as_millis());
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    println!("before and after apps were opened: {took:?} ms");
    let (before, after) = (took[4..6].iter().max(), took[6..].iter().max());
    assert!(after.unwrap() <= &(before.unwrap() + 250), "{took:?}");
}

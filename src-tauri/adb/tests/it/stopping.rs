//! After Stop nothing more reaches the phone, at whatever moment it comes; or it is said that something may.

use crate::support::{Child, Fake, Fault, Reply};
use adb::Command;
use agent::lease::Lease;
use agent::ports::{Effect, PhoneError};
use std::time::Duration;
use tokio::time::sleep;

const LONG: Duration = Duration::from_secs(3600);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A phone of the given age that answers everything the commands below send.
fn phone_of(kind: &str) -> Fake {
    let fake = Fake::new();
    fake.answers(
        "cmd package resolve-activity",
        Reply::says("priority=0\ncom.a/.Main\n").after(50),
    )
    .on(|line| {
        line.starts_with("am start").then(|| Reply {
            takes: ms(300),
            stdout: b"Starting: Intent { }\n".to_vec(),
            effects: vec![(ms(200), line.to_owned())],
            ..Reply::default()
        })
    })
    .on(|line| {
        // A shell command of one's own: it touches after a second, and its children after two and three.
        line.starts_with("'sh'").then(|| Reply {
            takes: ms(1500),
            effects: vec![(ms(1000), "main".to_owned())],
            children: vec![
                Child {
                    effect: (ms(2000), "child".to_owned()),
                    own_session: false,
                },
                Child {
                    effect: (ms(3000), "orphan".to_owned()),
                    own_session: true,
                },
            ],
            ..Reply::default()
        })
    });
    if kind == "old" {
        // Android 9: `input` is a Java program of its own, and knows neither single events nor combinations.
        fake.answers("getprop ro.build.version.sdk", Reply::says("28\n"))
            .on(|line| {
                let words = shlex::split(line)?;
                if words.first()? != "input" {
                    return None;
                }
                let unknown = ["motionevent", "keycombination"].contains(&words[1].as_str());
                if unknown {
                    return Some(
                        Reply::fails(1, &format!("Error: Unknown command: {}\n", words[1])).after(300),
                    );
                }
                let gesture: u64 = match words[1].as_str() {
                    "swipe" | "draganddrop" => words[6].parse().unwrap(),
                    _ => 0,
                };
                Some(Reply {
                    takes: ms(300 + gesture),
                    effects: vec![
                        (ms(250), format!("{line} begins")),
                        (ms(250 + gesture), format!("{line} ends")),
                    ],
                    ..Reply::default()
                })
            });
    }
    fake
}

fn commands() -> Vec<Command> {
    vec![
        Command::Tap { x: 10, y: 20 },
        Command::DoubleTap { x: 10, y: 20 },
        Command::LongPress {
            x: 10,
            y: 20,
            ms: 800,
        },
        Command::Swipe {
            from: (10, 900),
            to: (10, 100),
            ms: 300,
        },
        Command::Swipe {
            from: (10, 900),
            to: (10, 100),
            ms: 1500,
        },
        Command::Drag {
            from: (10, 900),
            to: (500, 100),
            ms: 400,
        },
        Command::Text(
            "Six words, and 100%s more.\nTwo lines of it, so that several chunks are sent.".to_owned(),
        ),
        Command::ClearText,
        Command::Key("BACK".to_owned()),
        Command::Keys(vec!["CTRL_LEFT".to_owned(), "A".to_owned()]),
        Command::Launch("com.a".to_owned()),
        Command::OpenUrl("https://example.com/?a=1&b=2".to_owned()),
        Command::Shell(["sh", "-c", "work & work"].map(str::to_owned).to_vec()),
        Command::Shell(["input", "text", "one%stwo"].map(str::to_owned).to_vec()),
        Command::Shell(["input", "tap", "1", "2"].map(str::to_owned).to_vec()),
    ]
}

/// What came of revoking the lease at a moment.
struct Stopped {
    outcome: Result<Effect, PhoneError>,
    /// When the lease had drained.
    drained: Duration,
    touches: Vec<(Duration, String)>,
    /// Drained within the 2 s in which Stop is answered.
    promptly: bool,
}

async fn stop_at(kind: &str, command: &Command, moment: Duration) -> Stopped {
    let fake = phone_of(kind);
    let phone = fake.phone();
    let lease = Lease::new();
    let grip = lease.take();
    let work = tokio::spawn({
        let command = command.clone();
        async move { phone.by_hand(&command, &grip).await }
    });
    sleep(moment).await;
    lease.revoke();
    let promptly = lease.drained(Duration::from_secs(2)).await;
    assert!(
        lease.drained(Duration::from_secs(120)).await,
        "{command:?} at {moment:?}"
    );
    let drained = fake.clock();
    let outcome = work.await.unwrap();
    sleep(LONG).await;
    Stopped {
        outcome,
        drained,
        touches: fake.touches(),
        promptly,
    }
}

/// Every command, on a phone of today and on an old one, the lease lost at every moment of it.
#[tokio::test(start_paused = true)]
async fn nothing_reaches_the_phone_after_the_lease_has_drained() {
    let mut met = std::collections::BTreeMap::<&str, usize>::new();
    for kind in ["today", "old"] {
        for command in commands() {
            let whole = stop_at(kind, &command, LONG).await;
            let whole_outcome = whole.outcome.clone();
            let unsupported = matches!(whole_outcome, Err(PhoneError::NotSupported(_)));
            assert!(
                whole_outcome.is_ok() || unsupported,
                "{kind} {command:?}: {whole_outcome:?}"
            );
            let length = whole.touches.last().map_or(ms(700), |(at, _)| *at) + ms(200);
            let mut moment = Duration::ZERO;
            while moment < length {
                *met.entry(check(kind, &command, moment, &whole).await)
                    .or_default() += 1;
                // Off the beat of every pause, so that all kinds of moments are met.
                moment += ms(7).max(length / 120);
            }
        }
    }
    // The moments were of every kind, or nothing was shown.
    for kind in ["whole", "a part of it", "nothing of it"] {
        assert!(met[kind] > 100, "{met:?}");
    }
}

async fn check(kind: &str, command: &Command, moment: Duration, whole: &Stopped) -> &'static str {
    let stopped = stop_at(kind, command, moment).await;
    let at = format!(
        "{kind} {command:?} at {moment:?}: {:?} {:?}",
        stopped.outcome, stopped.touches
    );
    assert!(
        stopped.touches.iter().all(|(time, _)| *time <= stopped.drained),
        "after it had drained, {at}"
    );
    let plain_gesture = kind == "old" && stopped.touches.iter().any(|(_, what)| what.contains("swipe"));
    assert!(stopped.promptly || plain_gesture, "not within two seconds, {at}");
    match &stopped.outcome {
        Ok(_) => assert_eq!(stopped.touches.len(), whole.touches.len(), "not whole, {at}"),
        Err(PhoneError::LeaseLost) => {}
        Err(PhoneError::NotSupported(_)) if whole.outcome.is_err() => {}
        Err(other) => panic!("{other:?}, {at}"),
    }
    // No finger stays down.
    let count = |action: &str| {
        stopped
            .touches
            .iter()
            .filter(|(_, what)| what.contains(action))
            .count()
    };
    let lifted = count("motionevent UP") + count("motionevent CANCEL");
    assert!(count("motionevent DOWN") <= lifted, "a finger stays down, {at}");
    if stopped.outcome == Err(PhoneError::LeaseLost) && count("motionevent DOWN") > 0 {
        assert_eq!(count("motionevent CANCEL"), 1, "cancelled once, {at}");
    }
    match (&stopped.outcome, stopped.touches.is_empty()) {
        (Ok(_), _) => "whole",
        (Err(PhoneError::LeaseLost), true) => "nothing of it",
        (Err(PhoneError::LeaseLost), false) => "a part of it",
        (Err(_), _) => "not possible",
    }
}

#[tokio::test(start_paused = true)]
async fn a_void_grip_reaches_nothing() {
    for command in commands() {
        let fake = phone_of("today");
        let lease = Lease::new();
        let grip = lease.take();
        lease.revoke();
        let done = fake.phone().by_hand(&command, &grip).await;
        assert_eq!(done, Err(PhoneError::LeaseLost), "{command:?}");
        sleep(LONG).await;
        assert_eq!(fake.touches(), [], "{command:?}");
        assert_eq!(fake.commands_like("input"), [""; 0], "{command:?}");
    }
}

/// Nobody waits for the outcome any more: that ends it as the loss of the lease does.
#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_leaves_nothing_behind() {
    for command in commands() {
        let fake = phone_of("today");
        let phone = fake.phone();
        let lease = Lease::new();
        let grip = lease.take();
        let cut = tokio::time::timeout(ms(140), phone.by_hand(&command, &grip)).await;
        assert!(lease.drained(Duration::from_secs(2)).await, "{command:?}");
        nothing_more(&fake).await;
        let touches = fake.touches();
        let downs = touches.iter().filter(|(_, what)| what.contains("DOWN")).count();
        let ups = touches
            .iter()
            .filter(|(_, what)| what.contains("CANCEL") || what.contains("UP"))
            .count();
        assert!(cut.is_ok() || downs <= ups, "{command:?}: {touches:?}");
    }
}

/// The lease has drained: an hour goes by, and no more touches come.
async fn nothing_more(fake: &Fake) {
    let drained = fake.clock();
    sleep(LONG).await;
    let touches = fake.touches();
    assert!(touches.iter().all(|(at, _)| *at <= drained), "{touches:?}");
}

fn shell(script: &str) -> Command {
    Command::Shell(["sh", "-c", script].map(str::to_owned).to_vec())
}

#[tokio::test(start_paused = true)]
async fn sleep_then_tap_never_taps() {
    let fake = Fake::new();
    fake.answers(
        "'sh'",
        Reply {
            takes: Duration::from_secs(60),
            effects: vec![(Duration::from_secs(60), "tap".to_owned())],
            ..Reply::default()
        },
    );
    let lease = Lease::new();
    let grip = lease.take();
    let phone = fake.phone();
    let work = tokio::spawn(async move { phone.by_hand(&shell("sleep 60; input tap 1 2"), &grip).await });
    sleep(Duration::from_secs(5)).await;
    lease.revoke();
    assert!(lease.drained(Duration::from_secs(2)).await);
    assert_eq!(work.await.unwrap(), Err(PhoneError::LeaseLost));
    sleep(LONG).await;
    assert_eq!(fake.touches(), []);
}

/// The command is over, its children are not: they do not outlive the call.
#[tokio::test(start_paused = true)]
async fn children_left_behind_end_with_the_call() {
    for own_session in [false, true] {
        let fake = Fake::new();
        fake.answers(
            "'sh'",
            Reply {
                takes: ms(20),
                stdout: b"started\n".to_vec(),
                children: vec![Child {
                    effect: (Duration::from_secs(30), "tap".to_owned()),
                    own_session,
                }],
                ..Reply::default()
            },
        );
        let lease = Lease::new();
        let done = fake
            .phone()
            .by_hand(&shell("work &"), &lease.take())
            .await
            .unwrap();
        assert_eq!(done.output.as_deref(), Some("started"));
        sleep(LONG).await;
        assert_eq!(fake.touches(), [], "own session: {own_session}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_will_not_end_is_told() {
    // Stuck in the kernel; and a phone without the means to look for children in other sessions.
    let stuck = Fake::new();
    stuck.answers(
        "'sh'",
        Reply {
            hangs: true,
            stubborn: true,
            ..Reply::default()
        },
    );
    let blind = Fake::new();
    blind.without_grep().answers(
        "'sh'",
        Reply {
            hangs: true,
            ..Reply::default()
        },
    );
    for (fake, drains) in [(stuck, false), (blind, true)] {
        let lease = Lease::new();
        let grip = lease.take();
        let phone = fake.phone();
        let work = tokio::spawn(async move { phone.by_hand(&shell("work"), &grip).await });
        sleep(ms(500)).await;
        lease.revoke();
        let told = tokio::time::timeout(Duration::from_secs(2), work).await;
        assert!(
            matches!(told, Ok(Ok(Err(PhoneError::MaybeRunning(_))))),
            "{told:?}"
        );
        assert_eq!(lease.drained(Duration::from_secs(2)).await, drains);
        assert!(lease.drained(Duration::from_secs(300)).await, "not held for ever");
    }
}

/// The way to the phone breaks in the middle: what may be on is told, and the lease drains in the end.
#[tokio::test(start_paused = true)]
async fn a_way_that_breaks_in_the_middle_is_told() {
    for fault in [Fault::Wedged, Fault::Absent, Fault::Unplugged] {
        for command in commands() {
            let fake = phone_of("today");
            let lease = Lease::new();
            let grip = lease.take();
            let phone = fake.phone();
            let work = tokio::spawn({
                let command = command.clone();
                async move { phone.by_hand(&command, &grip).await }
            });
            sleep(ms(30)).await;
            fake.fault(fault);
            sleep(ms(30)).await;
            lease.revoke();
            let done = tokio::time::timeout(Duration::from_secs(4), work).await;
            let done = done
                .unwrap_or_else(|_| panic!("{fault:?} {command:?} hangs"))
                .unwrap();
            assert!(
                matches!(
                    done,
                    Ok(_) | Err(PhoneError::LeaseLost | PhoneError::MaybeRunning(_) | PhoneError::Gone(_))
                ),
                "{fault:?} {command:?}: {done:?}"
            );
            if matches!(&command, Command::Shell(words) if words[0] == "sh") {
                assert!(
                    matches!(done, Err(PhoneError::MaybeRunning(_))),
                    "{fault:?}: {done:?}"
                );
                assert!(
                    !lease.drained(Duration::from_secs(2)).await,
                    "{fault:?} {command:?}"
                );
            }
            assert!(
                lease.drained(Duration::from_secs(600)).await,
                "{fault:?} {command:?}"
            );
        }
    }
}

/// The system server types on although its client is gone: that is said, and the lease drains when it is over.
#[tokio::test(start_paused = true)]
async fn what_runs_inside_the_system_is_waited_for_not_hidden() {
    let fake = Fake::new();
    fake.answers(
        "input text",
        Reply {
            takes: ms(5000),
            effects: vec![(ms(4900), "the last letter".to_owned())],
            unkillable: true,
            ..Reply::default()
        },
    );
    let lease = Lease::new();
    let grip = lease.take();
    let phone = fake.phone();
    let work = tokio::spawn(async move { phone.by_hand(&Command::Text("slow".to_owned()), &grip).await });
    sleep(ms(100)).await;
    lease.revoke();
    let told = tokio::time::timeout(Duration::from_secs(2), work).await;
    assert!(
        matches!(told, Ok(Ok(Err(PhoneError::MaybeRunning(_))))),
        "{told:?}"
    );
    assert!(!lease.drained(ms(500)).await);
    assert!(lease.drained(Duration::from_secs(10)).await);
    nothing_more(&fake).await;
}

/// A script's swipe cannot be told apart from the script, and outlives it.
#[tokio::test(start_paused = true)]
async fn a_gesture_in_a_script_is_told_and_waited_for() {
    let fake = Fake::new();
    fake.answers(
        "'sh'",
        Reply {
            takes: ms(9000),
            effects: vec![(ms(9000), "the finger is lifted".to_owned())],
            unkillable: true,
            ..Reply::default()
        },
    );
    let lease = Lease::new();
    let grip = lease.take();
    let phone = fake.phone();
    let work = tokio::spawn(async move { phone.by_hand(&shell("input swipe 1 2 3 4 9000"), &grip).await });
    sleep(ms(500)).await;
    lease.revoke();
    assert!(!lease.drained(Duration::from_secs(2)).await);
    assert!(matches!(work.await.unwrap(), Err(PhoneError::MaybeRunning(_))));
    assert!(lease.drained(Duration::from_secs(60)).await);
    nothing_more(&fake).await;
}

/// `input` as a command is a touch like any other.
#[tokio::test(start_paused = true)]
async fn a_swipe_as_a_command_is_let_go_half_way() {
    let fake = Fake::new();
    let lease = Lease::new();
    let grip = lease.take();
    let phone = fake.phone();
    let words = ["input", "swipe", "1", "900", "1", "100", "9000"];
    let command = Command::Shell(words.map(str::to_owned).to_vec());
    let work = tokio::spawn(async move { phone.by_hand(&command, &grip).await });
    sleep(Duration::from_secs(2)).await;
    lease.revoke();
    assert!(lease.drained(Duration::from_secs(2)).await);
    assert_eq!(work.await.unwrap(), Err(PhoneError::LeaseLost));
    assert!(fake.touches().last().unwrap().1.contains("CANCEL"));
}

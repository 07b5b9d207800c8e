//! After Stop nothing more reaches the phone: proved by the phone's own record, long after it would have come.

use crate::rig::{Rig, Setup, effects, no_finger_is_down, told};
use adb::Command;
use agent::ports::{Effect, Phone, PhoneError};
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use virtual_phone::{Entry, Fault, Received};

/// Longer than anything asked for here takes.
const LONG: Duration = Duration::from_secs(3600);

fn script(line: &str) -> Command {
    Command::Shell(vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()])
}

fn begin(rig: &Rig, command: Command) -> JoinHandle<Result<Effect, PhoneError>> {
    let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
    tokio::spawn(async move { phone.by_hand(&command, &grip).await })
}

/// Programs whose name begins so.
fn programs(entries: &[Entry], name: &str) -> usize {
    let named =
        |entry: &&Entry| matches!(&entry.what, Received::Program { words, .. } if words[0].ends_with(name));
    entries.iter().filter(named).count()
}

/// Stops as soon as the phone's record is as wished; then lets the phone's time go on for an hour.
async fn stop_when(rig: &Rig, command: Command, is: impl FnMut(&[Entry]) -> bool) {
    let what = format!("{command:?}");
    let work = begin(rig, command);
    rig.until(is).await;
    rig.lease.revoke();
    assert!(rig.lease.drained(Duration::from_secs(60)).await, "{what}");
    let outcome = work.await.unwrap();
    assert!(
        matches!(outcome, Err(PhoneError::LeaseLost | PhoneError::MaybeRunning(_))),
        "{what}: {outcome:?}"
    );
    let stopped = told(&rig.effects());
    assert!(
        rig.handle
            .processes()
            .iter()
            .all(|(_, words)| !words.contains("sleep")),
        "{what}"
    );
    // Nothing is under way any more: now an hour passes at once.
    tokio::time::pause();
    tokio::time::sleep(LONG).await;
    tokio::time::resume();
    assert_eq!(told(&rig.effects()), stopped, "{what}");
    // And the phone is well.
    rig.phone.see().await.unwrap();
    rig.by_hand(Command::Tap { x: 11, y: 12 }).await.unwrap();
    assert!(told(&rig.effects()).ends_with("down 11,12 up 11,12"));
}

fn fingers(entries: &[Entry]) -> usize {
    entries
        .iter()
        .filter(|entry| matches!(entry.what, Received::Finger { .. }))
        .count()
}

#[tokio::test]
async fn a_long_swipe_is_let_go_of() {
    let rig = Rig::socket(Setup::at("com.android.settings/.Settings").slow()).await;
    let command = Command::Swipe {
        from: (180, 700),
        to: (180, 100),
        ms: 9000,
    };
    stop_when(&rig, command, |entries| fingers(entries) >= 3).await;
    let touches = told(&rig.effects());
    assert!(touches.starts_with("down 180,700 ~ cancel 180,"), "{touches}");
}

#[tokio::test]
async fn a_long_text_ends_in_its_middle() {
    let rig = Rig::socket(Setup::at("com.android.notes/.EditorActivity").slow()).await;
    let text = "abcdefghij".repeat(200);
    stop_when(&rig, Command::Text(text.clone()), |entries| {
        programs(entries, "input") >= 2
    })
    .await;
    let typed = rig.handle.record().typed();
    assert!(typed.len() < 500 && text.starts_with(&typed), "{}", typed.len());
}

#[tokio::test]
async fn a_long_secret_ends_in_its_middle() {
    let rig = Rig::socket(Setup::at("com.android.notes/.EditorActivity").slow()).await;
    let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
    let secret = SecretString::from("k".repeat(1000));
    let work = tokio::spawn(async move { phone.type_secret(&secret, &crate::judged::secret(), &grip).await });
    rig.until(|entries| programs(entries, "input") >= 2).await;
    rig.lease.revoke();
    assert!(rig.lease.drained(Duration::from_secs(60)).await);
    assert!(matches!(
        work.await.unwrap(),
        Err(PhoneError::LeaseLost | PhoneError::MaybeRunning(_))
    ));
    let typed = rig.handle.record().typed().len();
    tokio::time::pause();
    tokio::time::sleep(LONG).await;
    tokio::time::resume();
    assert_eq!(rig.handle.record().typed().len(), typed);
    assert!(typed < 500);
}

/// What sleeps on the phone is killed there: itself, its children, and those that left its group, ignore signals, or
/// outlive their client.
#[tokio::test]
async fn what_waits_on_the_phone_never_wakes() {
    for (line, sleepers) in [
        ("sleep 60; input tap 10 10", 1),
        ("(sleep 5; input tap 10 10) &", 1),
        ("(sleep 5; input tap 10 10) & sleep 60", 2),
        (
            "(sleep 5; input tap 10 10) & (sleep 6; input tap 20 20) & wait",
            2,
        ),
        ("setsid sh -c 'sleep 5; input tap 10 10' & sleep 60", 2),
        (
            "nohup sh -c 'sleep 5; input tap 10 10' >/dev/null 2>&1 & sleep 60",
            2,
        ),
        ("trap '' TERM HUP INT; sleep 60; input tap 10 10", 1),
        ("while :; do sleep 1; input tap 10 10; done", 1),
        ("for n in 1 2 3; do sleep 20; input keyevent 4; done", 1),
    ] {
        for faults in [&[][..], &[Fault::RemoteLingers], &[Fault::NoShellV2]] {
            let rig = Rig::socket(Setup::at("").with(faults)).await;
            stop_when(&rig, script(line), |entries| {
                programs(entries, "sleep") >= sleepers
            })
            .await;
            assert_eq!(
                told(&rig.effects()),
                "down 11,12 up 11,12",
                "{line} on {faults:?}"
            );
        }
    }
}

/// A command that is over leaves no child to touch the phone later, Stop or no Stop. One whose child holds its output
/// open is not over before the child is.
#[tokio::test(start_paused = true)]
async fn a_child_does_not_outlive_its_command() {
    const TAPPED: &str = "down 10,10 up 10,10";
    for (line, during) in [
        ("(sleep 5; input tap 10 10) &", TAPPED),
        ("setsid sh -c 'sleep 5; input tap 10 10' &", TAPPED),
        // A shell keeps what stood there before a redirection beside it (mksh `iosetup`): open, though unused.
        ("(sleep 5; input tap 10 10) >/dev/null 2>&1 & exit 4", TAPPED),
        ("sh -c 'sleep 5; input tap 10 10' >/dev/null 2>&1 & exit 4", ""),
        ("setsid sh -c 'sleep 5; input tap 10 10' >/dev/null 2>&1 &", ""),
        ("nohup sh -c 'sleep 5; input tap 10 10' >/dev/null 2>&1 &", ""),
        (
            "sh -c \"trap '' TERM HUP INT; sleep 5; input tap 10 10\" >/dev/null 2>&1 &",
            "",
        ),
    ] {
        let rig = Rig::pipe(Setup::at("").slow());
        let done = rig.by_hand(script(line)).await;
        assert!(done.is_ok(), "{line}: {done:?}");
        assert_eq!(told(&rig.effects()), during, "{line}");
        tokio::time::sleep(LONG).await;
        assert_eq!(told(&rig.effects()), during, "later, {line}");
    }
}

/// A lease that is gone sends nothing at all.
#[tokio::test]
async fn without_the_lease_nothing_is_sent() {
    let rig = Rig::socket(Setup::at("")).await;
    let grip = rig.lease.take();
    rig.lease.revoke();
    for command in every_command() {
        assert_eq!(
            rig.phone.by_hand(&command, &grip).await,
            Err(PhoneError::LeaseLost),
            "{command:?}"
        );
    }
    let files = rig.phone.files();
    assert_eq!(
        files.push(vec![1], "/sdcard/x", &grip).await,
        Err(adb::AdbError::LeaseLost)
    );
    let sent: Vec<_> = rig.handle.record().commands();
    assert_eq!(told(&rig.effects()), "", "{sent:?}");
}

fn every_command() -> Vec<Command> {
    let (from, to) = ((180, 600), (180, 200));
    vec![
        Command::Tap { x: 10, y: 20 },
        Command::DoubleTap { x: 10, y: 20 },
        Command::LongPress {
            x: 10,
            y: 300,
            ms: 900,
        },
        Command::Swipe { from, to, ms: 300 },
        Command::Swipe { from, to, ms: 1500 },
        Command::Drag { from, to, ms: 500 },
        Command::Text(
            "Six words, and 100%s more.\nTwo lines of it, so that several chunks are sent.".to_owned(),
        ),
        Command::ClearText,
        Command::Key("BACK".to_owned()),
        Command::Keys(vec!["CTRL_LEFT".to_owned(), "A".to_owned()]),
        Command::Launch("com.greenleaf.shop".to_owned()),
        Command::OpenUrl("https://news.example/".to_owned()),
        script("input tap 1 2; sleep 1; input tap 3 4"),
        script("(sleep 1; input tap 10 10) & sleep 2; input swipe 180 600 180 200 1000"),
        Command::Shell(
            ["input", "swipe", "180", "600", "180", "200", "2000"]
                .map(str::to_owned)
                .to_vec(),
        ),
    ]
}

/// Every command, stopped at moments all through it, on phones of several kinds, in virtual time.
#[tokio::test(start_paused = true)]
async fn stop_holds_at_any_moment() {
    let mut met = std::collections::BTreeMap::<&str, usize>::new();
    for faults in [
        &[][..],
        &[Fault::OldInput],
        &[Fault::NoShellV2],
        &[Fault::RemoteLingers],
    ] {
        for command in every_command() {
            for moment in [0, 5, 20, 45, 85, 130, 320, 900] {
                let kind = stop_at(faults, &command, Duration::from_millis(moment)).await;
                *met.entry(kind).or_default() += 1;
            }
        }
    }
    // Each kind of moment was met.
    for kind in ["over", "never begun", "ended", "waited for"] {
        assert!(met.contains_key(kind), "{kind}: {met:?}");
    }
}

async fn stop_at(faults: &[Fault], command: &Command, moment: Duration) -> &'static str {
    let what = format!("{command:?} on {faults:?}, stopped at {moment:?}");
    let rig = Rig::pipe(Setup::at("com.android.notes/.EditorActivity").with(faults).slow());
    let work = begin(&rig, command.clone());
    tokio::time::sleep(moment).await;
    rig.lease.revoke();
    let promptly = rig.lease.drained(Duration::from_secs(2)).await;
    let answered = work.is_finished();
    assert!(rig.lease.drained(Duration::from_secs(120)).await, "{what}");
    let drained = rig.handle.record().entries();
    let outcome = work.await.unwrap();
    tokio::time::sleep(LONG).await;
    let later = rig.handle.record().entries();
    assert_eq!(told(&effects(later)), told(&effects(drained.clone())), "{what}");
    // What an old phone plays in one piece cannot be let go of: whoever stops hears from the lease that it plays on.
    let plain = rig
        .handle
        .record()
        .commands()
        .iter()
        .any(|line| line.contains("; input swipe"));
    assert!(
        promptly || answered || plain,
        "{what}: not told within two seconds"
    );
    assert!(no_finger_is_down(&drained), "{what}: {}", told(&effects(drained)));
    match outcome {
        Ok(_) => "over",
        Err(PhoneError::LeaseLost) if effects(drained).is_empty() => "never begun",
        Err(PhoneError::LeaseLost) => {
            assert!(promptly, "{what}: said to be over when it was not");
            "ended"
        }
        Err(PhoneError::MaybeRunning(_)) => "waited for",
        Err(PhoneError::NotSupported(_)) => "unsupported",
        Err(other) => panic!("{what}: {other:?}"),
    }
}

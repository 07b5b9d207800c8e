//! What is sent for each command, and what is made of the answer.

use crate::support::{Fake, Reply};
use adb::Command;
use agent::lease::Lease;
use agent::ports::{Effect, PhoneError};
use protocol::ActMethod;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) async fn perform(fake: &Fake, command: Command) -> Result<Effect, PhoneError> {
    let lease = Lease::new();
    let done = fake.phone().by_hand(&command, &lease.take()).await;
    assert!(lease.drained(std::time::Duration::ZERO).await, "no pass is kept");
    done
}

/// Does a command on a phone of today; gives which way it was done, and what was sent.
pub(crate) async fn sent(command: Command) -> (Option<ActMethod>, Vec<String>) {
    let fake = Fake::new();
    let done = perform(&fake, command).await.unwrap();
    (done.via, fake.commands())
}

fn words(text: &[&str]) -> Vec<String> {
    text.iter().map(|&word| word.to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn short_things_go_in_one_line() {
    for (command, line) in [
        (Command::Tap { x: 540, y: 1200 }, "input tap 540 1200"),
        (Command::Tap { x: -4, y: 0 }, "input tap 0 0"),
        (
            Command::Swipe {
                from: (1, 2),
                to: (3, 4),
                ms: 300,
            },
            "input swipe 1 2 3 4 300",
        ),
        (Command::Key("back".to_owned()), "input keyevent KEYCODE_BACK"),
        (Command::Keys(words(&["3"])), "input keyevent 3"),
        (
            Command::Keys(words(&["CTRL_LEFT", "29"])),
            "input keycombination KEYCODE_CTRL_LEFT 29",
        ),
    ] {
        assert_eq!(sent(command).await.1, [line]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_double_tap_is_one_line() {
    let fake = Fake::new();
    fake.answers("getprop ro.build.version.sdk", Reply::says("34\n"))
        .answers(
            "dumpsys input",
            Reply::says("Input Dispatcher State:\n  TouchStates: <no displays touched>\n"),
        );
    perform(&fake, Command::DoubleTap { x: 1, y: 2 }).await.unwrap();
    assert_eq!(
        fake.commands_like("input"),
        ["input tap 1 2; echo at:$EPOCHREALTIME; sleep 0.05; input tap 1 2; echo at:$EPOCHREALTIME"]
    );
    let old = Fake::new();
    old.answers("getprop ro.build.version.sdk", Reply::says("28\n"));
    perform(&old, Command::DoubleTap { x: 1, y: 2 }).await.unwrap();
    assert_eq!(
        old.commands_like("input"),
        ["input tap 1 2 & echo at:$EPOCHREALTIME; sleep 0.08; echo at:$EPOCHREALTIME; input tap 1 2; wait"]
    );
}

#[tokio::test(start_paused = true)]
async fn long_gestures_are_played_event_by_event() {
    let (via, lines) = sent(Command::Swipe {
        from: (0, 1000),
        to: (0, 0),
        ms: 1000,
    })
    .await;
    assert_eq!(via, Some(ActMethod::MotionEvents));
    assert_eq!(lines.first().unwrap(), "input motionevent DOWN 0 1000");
    assert_eq!(lines.last().unwrap(), "input motionevent UP 0 0");
    assert_eq!(lines[lines.len() - 2], "input motionevent MOVE 0 0");
    let ys: Vec<i32> = lines
        .iter()
        .map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(ys.is_sorted_by(|a, b| a >= b) && lines.len() > 8, "{lines:?}");

    let fake = Fake::new();
    let before = fake.clock();
    perform(&fake, Command::LongPress { x: 5, y: 6, ms: 800 })
        .await
        .unwrap();
    assert_eq!(
        fake.commands(),
        ["input motionevent DOWN 5 6", "input motionevent UP 5 6"]
    );
    let touches = fake.touches();
    let held = touches[1].0 - touches[0].0;
    assert!(
        held.as_millis() >= 800 && (fake.clock() - before).as_millis() < 1100,
        "{held:?}"
    );

    let (_, drag) = sent(Command::Drag {
        from: (0, 0),
        to: (300, 0),
        ms: 300,
    })
    .await;
    assert_eq!(drag.first().unwrap(), "input motionevent DOWN 0 0");
    assert_eq!(drag.last().unwrap(), "input motionevent UP 300 0");
}

#[tokio::test(start_paused = true)]
async fn no_gesture_takes_longer_than_ten_seconds() {
    let fake = Fake::new();
    let before = fake.clock();
    perform(
        &fake,
        Command::LongPress {
            x: 1,
            y: 1,
            ms: u64::MAX,
        },
    )
    .await
    .unwrap();
    assert!((fake.clock() - before).as_millis() < 10_500);
}

#[tokio::test(start_paused = true)]
async fn a_phone_without_single_events_is_asked_once() {
    let fake = Fake::new();
    fake.answers(
        "input motionevent",
        Reply::fails(1, "Error: Unknown command: motionevent\n"),
    );
    let phone = fake.phone();
    let lease = Lease::new();
    let grip = lease.take();
    let press = Command::LongPress { x: 5, y: 6, ms: 800 };
    for _ in 0..2 {
        let done = phone.by_hand(&press, &grip).await.unwrap();
        assert_eq!(done.via, Some(ActMethod::InputSwipe));
    }
    assert_eq!(
        fake.commands(),
        [
            "input motionevent DOWN 5 6",
            "input swipe 5 6 5 6 800",
            "input swipe 5 6 5 6 800"
        ]
    );
    let drag = Command::Drag {
        from: (1, 2),
        to: (3, 4),
        ms: 500,
    };
    assert_eq!(
        phone.by_hand(&drag, &grip).await.unwrap().via,
        Some(ActMethod::InputDragAndDrop)
    );
    assert_eq!(fake.commands().last().unwrap(), "input draganddrop 1 2 3 4 500");
}

/// Android 10 has single events and no `CANCEL`: the finger is lifted where it is.
#[tokio::test(start_paused = true)]
async fn a_finger_is_lifted_where_there_is_no_cancel() {
    let fake = Fake::new();
    fake.answers(
        "input motionevent CANCEL",
        Reply::fails(1, "Error: Unknown motionevent CANCEL\n"),
    );
    let lease = Lease::new();
    let grip = lease.take();
    let phone = fake.phone();
    let work = tokio::spawn(async move {
        phone
            .by_hand(&Command::LongPress { x: 5, y: 6, ms: 5000 }, &grip)
            .await
    });
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    lease.revoke();
    assert_eq!(work.await.unwrap(), Err(PhoneError::LeaseLost));
    let events = fake.commands();
    assert_eq!(
        events[1..],
        ["input motionevent CANCEL 5 6", "input motionevent UP 5 6"]
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_phone_cannot_do_is_told() {
    for (reply, expected) in [
        (
            Reply::says("Unknown command: keycombination\n"),
            PhoneError::NotSupported("its input cannot hold two keys (Android 11 or older)".to_owned()),
        ),
        (
            Reply::fails(255, "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission"),
            PhoneError::TouchForbidden(
                "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission".to_owned(),
            ),
        ),
    ] {
        let fake = Fake::new();
        fake.answers("input keycombination", reply);
        assert_eq!(perform(&fake, Command::Keys(words(&["A", "B"]))).await, Err(expected));
    }
    for command in [
        Command::Key("BACK; reboot".to_owned()),
        Command::Keys(vec![]),
        Command::Shell(vec![]),
        Command::Shell(words(&[" "])),
        Command::Shell(words(&["a\0b"])),
    ] {
        let fake = Fake::new();
        let done = perform(&fake, command.clone()).await;
        assert!(
            matches!(done, Err(PhoneError::Refused(_))),
            "{command:?}: {done:?}"
        );
        assert_eq!(fake.commands(), [""; 0], "{command:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn apps_are_opened_by_their_launcher_activity() {
    let fake = Fake::new();
    fake.answers(
        "cmd package resolve-activity",
        Reply::says("priority=0 preferredOrder=0\r\ncom.a/.Main\r\n"),
    )
    .answers("am start", Reply::says("Starting: Intent { cmp=com.a/.Main }\n"));
    let done = perform(&fake, Command::Launch("com.a".to_owned())).await.unwrap();
    assert_eq!(done.via, Some(ActMethod::ResolveActivity));
    assert_eq!(
        fake.commands(),
        [
            "cmd package resolve-activity --brief 'com.a'",
            "am start -n 'com.a/com.a.Main'"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn apps_are_opened_by_monkey_where_that_fails() {
    let monkey = "monkey -p 'com.a' -c android.intent.category.LAUNCHER 1";
    for resolve in [
        Reply::fails(127, "/system/bin/sh: cmd: not found\n"),
        Reply::says("android/com.android.internal.app.ResolverActivity\n"),
        Reply::says("No activity found\n"),
        Reply::says("com.a/.Gone\n"),
    ] {
        let fake = Fake::new();
        fake.answers("cmd package", resolve)
            .answers(
                "am start",
                Reply::says("Error type 3\nError: Activity class {com.a/com.a.Gone} does not exist.\n"),
            )
            .answers("monkey", Reply::says("Events injected: 1\n"));
        let done = perform(&fake, Command::Launch("com.a".to_owned())).await.unwrap();
        assert_eq!(done.via, Some(ActMethod::Monkey));
        assert_eq!(fake.commands().last().unwrap(), monkey);
    }
    let fake = Fake::new();
    fake.answers("cmd package", Reply::says("No activity found\n"))
        .answers(
            "monkey",
            Reply {
                exit: 252,
                ..Reply::says("** No activities found to run, monkey aborted.\n")
            },
        );
    let done = perform(&fake, Command::Launch("com.a".to_owned())).await;
    assert_eq!(done, Err(PhoneError::AppNotFound("com.a".to_owned())));
    for hostile in ["com.a; reboot", "-n", "", "$(x)", "com a"] {
        let fake = Fake::new();
        let done = perform(&fake, Command::Launch(hostile.to_owned())).await;
        assert_eq!(done, Err(PhoneError::AppNotFound(hostile.to_owned())));
        assert_eq!(fake.commands(), [""; 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn links_are_one_word_and_their_failure_is_told() {
    let fake = Fake::new();
    fake.answers(
        "am start",
        Reply::says("Starting: Intent { dat=https://example.com/... }\n"),
    );
    let url = "https://example.com/?q=a b&c='d'; reboot";
    perform(&fake, Command::OpenUrl(url.to_owned())).await.unwrap();
    let line = shlex::split(&fake.commands()[0]).unwrap();
    assert_eq!(
        line,
        ["am", "start", "-a", "android.intent.action.VIEW", "-d", url]
    );
    let fake = Fake::new();
    fake.answers(
        "am start",
        Reply::says("Error: Activity not started, unable to resolve Intent { act=VIEW }\n"),
    );
    let done = perform(&fake, Command::OpenUrl("odd:x".to_owned())).await;
    assert!(matches!(done, Err(PhoneError::Refused(_))), "{done:?}");
}

#[tokio::test(start_paused = true)]
async fn a_shell_command_is_quoted_again_and_tells_all() {
    let fake = Fake::new();
    let answered = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&answered);
    let command = words(&["sh", "-c", "echo 'a b'; rm -rf $X"]);
    let expected = command.clone();
    fake.on(move |line| {
        (shlex::split(line)? == expected).then(|| {
            seen.store(true, Ordering::Relaxed);
            Reply {
                stdout: b"out\n".to_vec(),
                stderr: b"bad\n".to_vec(),
                exit: 3,
                ..Reply::default()
            }
        })
    });
    let done = perform(&fake, Command::Shell(command)).await.unwrap();
    let told = (done.output.as_deref(), done.stderr.as_deref(), done.exit);
    assert_eq!(told, (Some("out"), Some("bad"), Some(3)));
    assert!(answered.load(Ordering::Relaxed));
}

#[tokio::test(start_paused = true)]
async fn a_shell_command_is_killed_after_a_minute() {
    let fake = Fake::new();
    fake.answers(
        "'logcat'",
        Reply {
            hangs: true,
            ..Reply::default()
        },
    );
    let done = perform(&fake, Command::Shell(words(&["logcat"]))).await;
    assert_eq!(done, Err(PhoneError::Slow("a command".to_owned())));
    assert_eq!(fake.commands_like("kill -9").len(), 1);
}

//! Fingers, keys, text.

use super::OUTER;
use crate::clock::Speed;
use crate::record::Received;
use crate::testing::{Fake, check, phone, phone_of, run};
use std::time::Duration;

/// Every finger event: what, where, and when after the first.
fn fingers(phone: &crate::phone::Phone) -> Vec<(&'static str, f32, f32, u64)> {
    let entries = phone.record.entries();
    let mut first = None;
    entries
        .into_iter()
        .filter_map(|entry| match entry.what {
            Received::Finger { action, x, y } => {
                let start = *first.get_or_insert(entry.at);
                Some((
                    action,
                    x,
                    y,
                    u64::try_from((entry.at - start).as_millis()).unwrap(),
                ))
            }
            _ => None,
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn fingers_move_as_input_moves_them() {
    let phone = phone_of(Fake::default(), Speed::Phone);
    run(&phone, "input tap 10 20.5").await;
    assert_eq!(fingers(&phone), [("down", 10.0, 20.5, 0), ("up", 10.0, 20.5, 0)]);

    let phone = phone_of(Fake::default(), Speed::Phone);
    run(&phone, "input swipe 0 0 100 1000 500").await;
    let all = fingers(&phone);
    assert_eq!(
        (all.first().unwrap(), all.last().unwrap()),
        (&("down", 0.0, 0.0, 0), &("up", 100.0, 1000.0, 500))
    );
    // 120 a second, less what the timer's whole milliseconds cost.
    assert!((50..=61).contains(&all.len()), "{}", all.len());
    assert!(
        all.windows(2)
            .all(|pair| pair[0].1 <= pair[1].1 && pair[0].3 <= pair[1].3)
    );
    let (_, x, y, at) = all[all.len() / 2];
    assert!(
        (x - at as f32 / 5.0).abs() < 1.0 && (y - at as f32 * 2.0).abs() < 5.0,
        "{x} {y} {at}"
    );

    let phone = phone_of(Fake::default(), Speed::Phone);
    run(&phone, "input draganddrop 0 0 100 0 1000").await;
    let all = fingers(&phone);
    assert_eq!(all[1].0, "move");
    assert!(all[1].3 >= 400, "a drag rests first");
    assert_eq!(all.last().unwrap().3, 1000);
}

#[tokio::test(start_paused = true)]
async fn an_instant_phone_keeps_a_gestures_own_time() {
    let phone = phone();
    let before = tokio::time::Instant::now();
    run(&phone, "input swipe 0 0 100 100 3000").await;
    assert_eq!(fingers(&phone).last().unwrap().3, 3000);
    assert_eq!(before.elapsed(), Duration::ZERO, "nobody waited");
}

/// Nothing comes of a finger that is not down, and the dispatcher tells of one that is.
#[tokio::test]
async fn a_finger_that_is_not_down_does_nothing() {
    for sdk in [29, 34] {
        let mut fake = Fake::default();
        fake.profile.sdk = sdk;
        let phone = phone_of(fake, Speed::Instant);
        let told = "dumpsys input | grep -c 'TouchStates: <no displays touched>'";
        run(
            &phone,
            "input motionevent UP 1 2; input motionevent MOVE 3 4; input motionevent CANCEL",
        )
        .await;
        assert_eq!(fingers(&phone), []);
        assert_eq!(run(&phone, told).await.out, "1\n");
        run(&phone, "input motionevent DOWN 1 2").await;
        assert_eq!(run(&phone, told).await.out, "0\n");
        run(&phone, "input motionevent UP 1 2; input motionevent UP 1 2").await;
        assert_eq!(run(&phone, told).await.out, "1\n");
        assert_eq!(fingers(&phone).len(), 2);
    }
}

#[tokio::test]
async fn motion_events_keys_and_text_arrive() {
    let phone = phone();
    run(&phone, "input motionevent DOWN 1 2; input motionevent move 3 4; input motionevent CANCEL; input touchscreen -d 0 tap 5 6").await;
    let actions: Vec<&str> = fingers(&phone).into_iter().map(|finger| finger.0).collect();
    assert_eq!(actions, ["down", "move", "cancel", "down", "up"]);
    run(&phone, "input keyevent KEYCODE_HOME 4 --longpress; input keyevent --longpress 26; input keycombination 113 29; input text 'a%sb c%'").await;
    let keys: Vec<(u32, u32, bool)> = phone
        .record
        .entries()
        .into_iter()
        .filter_map(|entry| match entry.what {
            Received::Key { code, meta, long } => Some((code, meta, long)),
            _ => None,
        })
        .collect();
    // After the first code `--longpress` is a code like any other: an unknown one.
    assert_eq!(
        keys,
        [
            (3, 0, false),
            (4, 0, false),
            (0, 0, false),
            (26, 0, true),
            (29, 0x3000, false)
        ]
    );
    assert_eq!(phone.record.typed(), "a b c%");
}

#[tokio::test]
async fn what_input_cannot_do_is_an_exception() {
    let frame = "\tat com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java:251)\n";
    let illegal = |command: &str, text: &str| {
        format!(
            "\nException occurred while executing '{command}':\njava.lang.IllegalArgumentException: {text}\n{frame}{OUTER}"
        )
    };
    for (line, err) in [
        (
            "input tap x 1",
            illegal("tap", "Error: Invalid arguments for command: tap"),
        ),
        ("input tap 1", illegal("tap", "Argument expected after \"1\"")),
        (
            "input swipe 1 2 3 4 x",
            illegal("swipe", "Error: Invalid arguments for command: swipe"),
        ),
        (
            "input motionevent UPP 1 1",
            illegal("motionevent", "Unknown action: UPP"),
        ),
        (
            "input keycombination HOME",
            illegal("keycombination", "keycombination requires at least 2 keycodes"),
        ),
        (
            "input keycombination HOME NOPE",
            illegal("keycombination", "Unknown keycode: NOPE"),
        ),
        (
            "input keyevent",
            illegal("keyevent", "Argument expected after \"keyevent\""),
        ),
    ] {
        check(line, 255, "", &err).await;
    }
    // The head of sample input_01, and nothing typed before it.
    let phone = phone();
    let outcome = run(&phone, "input text 'abc שלום'").await;
    assert_eq!(outcome.status, 255);
    let sample = "\nException occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null \
                  array\n\tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:338)\n\tat \
                  com.android.server.input.InputShellCommand.runText(InputShellCommand.java:310)\n\tat \
                  com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java:251)\n";
    assert_eq!(outcome.err, format!("{sample}{OUTER}"));
    assert_eq!(phone.record.typed(), "");
}

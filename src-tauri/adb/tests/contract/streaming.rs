//! A phone's stream against the whole phone: each source shows its clock, and every trouble of video ends in pictures again or
//! in a reason. How long that took is printed, in the phone's time.

#![allow(clippy::print_stdout, reason = "the times are there to be read")]

use crate::rig::{Rig, Setup};
use adb::scrcpy::Jar;
use adb::stream::{FallbackReason, NewestPicture, StreamRequest, StreamSource};
use agent::ports::Phone as _;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};
use virtual_phone::{Fault, Received, timecode};

const COUNTER: &str = "com.android.motiontest/.CounterActivity";
const SPINNER: &str = "com.android.motiontest/.SpinnerActivity";
const SETTINGS: &str = "com.android.settings/.Settings";
const WISH: StreamRequest = StreamRequest {
    longest_side: 800,
    fps: 60,
};
/// Longer than anything takes that works.
const LONG: Duration = Duration::from_secs(60);
/// A picture is new when it is no older than this.
const FRESH: u64 = 400;

/// A phone with a screen in front, and a computer with a jar of some version, or none.
fn rig(start: &str, jar: Option<&str>, faults: &[Fault]) -> Rig {
    let rig = Rig::pipe(Setup::at(start).with(faults));
    let jar =
        jar.map(|version| Jar::unchecked(version, format!("virtual scrcpy-server {version}\n").into_bytes()));
    rig.phone.use_scrcpy(jar);
    rig
}

/// The number on the counter's screen, and how many milliseconds ago the phone showed it.
async fn number(rig: &Rig, newest: &mut NewestPicture) -> Option<(u32, u64)> {
    let (_, frame) = newest.frame().await?;
    let (width, height) = (frame.width as usize, frame.height as usize);
    let read = timecode::read(width, height, |x, y| frame.rgba[(y * width + x) * 4 + 1])?;
    let now = u64::try_from(rig.handle.wall().as_millis()).unwrap();
    Some((read, timecode::age(read, now)))
}

/// Waits for a picture that is as new as the phone's clock, by a source; how long that took.
async fn until_fresh(rig: &Rig, newest: &mut NewestPicture, source: StreamSource, what: &str) -> Duration {
    let start = Instant::now();
    let mut last = None;
    let waiting = async {
        loop {
            last = number(rig, newest).await;
            let by = newest.seen().map(|seen| seen.source);
            if by == Some(source) && last.is_some_and(|(_, age)| age <= FRESH) {
                return;
            }
            newest.changed().await;
        }
    };
    if timeout(LONG, waiting).await.is_err() {
        panic!(
            "{what}: nothing new by {source:?}: {last:?}, {:?}",
            newest.status()
        );
    }
    start.elapsed()
}

/// Waits until the stream stands so; how long that took.
async fn until_standing(
    newest: &mut NewestPicture,
    expected: (StreamSource, FallbackReason),
    what: &str,
) -> Duration {
    let start = Instant::now();
    let waiting = async {
        loop {
            let now = newest.status();
            if (now.source, now.why) == (Some(expected.0), expected.1) {
                return;
            }
            newest.changed().await;
        }
    };
    if timeout(LONG, waiting).await.is_err() {
        panic!("{what}: {:?}, not {expected:?}", newest.status());
    }
    start.elapsed()
}

fn told(what: &str, took: Duration) {
    println!("{what}: {} ms", took.as_millis());
}

#[tokio::test(start_paused = true)]
async fn each_source_shows_the_phones_clock() {
    for (jar, source, why) in [
        (Some("2.7"), StreamSource::Scrcpy, FallbackReason::Nothing),
        (Some("3.3.4"), StreamSource::Scrcpy, FallbackReason::Nothing),
        (Some("4.1"), StreamSource::Scrcpy, FallbackReason::Nothing),
        (None, StreamSource::Screenrecord, FallbackReason::NoServer),
    ] {
        let what = format!("{source:?} {}", jar.unwrap_or_default());
        let rig = rig(COUNTER, jar, &[]);
        let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
        let took = until_fresh(&rig, &mut newest, source, &what).await;
        told(&format!("{what}: the first picture"), took);
        until_standing(&mut newest, (source, why), &what).await;
        let mut ages = Vec::new();
        for _ in 0..30 {
            newest.changed().await;
            if let Some((_, age)) = number(&rig, &mut newest).await {
                ages.push(age);
            }
        }
        ages.sort_unstable();
        println!("{what}: its pictures are {ages:?} ms old");
        assert!(ages.len() >= 20 && ages[ages.len() / 2] < 100, "{what}: {ages:?}");
    }
}

/// A folded phone's first panel is off: the other is recorded.
#[tokio::test(start_paused = true)]
async fn the_panel_that_is_lit_is_recorded() {
    let rig = rig(COUNTER, None, &[Fault::Folded]);
    let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
    until_fresh(&rig, &mut newest, StreamSource::Screenrecord, "folded").await;
}

/// A trouble that begins while a stream runs: what it comes to, and that all is well when it is over.
async fn check_while_running(jar: Option<&str>, fault: Fault, expected: (StreamSource, FallbackReason)) {
    let rig = rig(COUNTER, jar, &[]);
    let what = format!("{fault} with {jar:?}");
    let best = if jar.is_some() {
        StreamSource::Scrcpy
    } else {
        StreamSource::Screenrecord
    };
    let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
    until_fresh(&rig, &mut newest, best, &what).await;
    // One that has run for a while is thought well of.
    sleep(Duration::from_secs(12)).await;
    rig.handle.set_fault(fault);
    let took = until_standing(&mut newest, expected, &what).await;
    told(&format!("{what}: {:?}, {:?}", expected.0, expected.1), took);
    rig.handle.clear_fault(fault);
    let took = timeout(Duration::from_secs(300), async {
        let start = Instant::now();
        while newest.seen().map(|seen| seen.source) != Some(best) {
            newest.changed().await;
        }
        until_fresh(&rig, &mut newest, best, &what).await;
        start.elapsed()
    })
    .await
    .unwrap_or_else(|_| panic!("{what}: never {best:?} again: {:?}", newest.status()));
    told(&format!("{what}, over: {best:?} again"), took);
}

#[tokio::test(start_paused = true)]
async fn an_encoder_that_fails_leaves_captures_and_comes_back() {
    check_while_running(
        Some("3.3.4"),
        Fault::EncoderFails,
        (StreamSource::Captures, FallbackReason::NoScreenrecord),
    )
    .await;
    check_while_running(
        None,
        Fault::EncoderFails,
        (StreamSource::Captures, FallbackReason::NoScreenrecord),
    )
    .await;
}

/// A trouble that is there from the beginning: what it comes to; pictures that come must be the phone's newest.
async fn check_from_the_start(jar: Option<&str>, fault: Fault, expected: (StreamSource, FallbackReason)) {
    let rig = rig(COUNTER, jar, &[fault]);
    let what = format!("{fault} with {jar:?}");
    let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
    let took = until_standing(&mut newest, expected, &what).await;
    told(&format!("{what}: {:?}, {:?}", expected.0, expected.1), took);
    if expected.0 == StreamSource::Captures {
        // Whoever looks goes on with captures.
        let sight = rig.phone.see().await;
        assert!(sight.is_ok(), "{what}: {sight:?}");
    } else {
        until_fresh(&rig, &mut newest, expected.0, &what).await;
    }
}

#[tokio::test(start_paused = true)]
async fn every_trouble_ends_on_a_source_with_its_reason() {
    let jar = Some("3.3.4");
    for (jar, fault, expected) in [
        (
            jar,
            Fault::ScrcpyMismatch,
            (StreamSource::Screenrecord, FallbackReason::NotStarted),
        ),
        (
            Some("4.1"),
            Fault::ScrcpyMismatch,
            (StreamSource::Screenrecord, FallbackReason::NotStarted),
        ),
        (
            jar,
            Fault::ScrcpyDies(0),
            (StreamSource::Screenrecord, FallbackReason::Ended),
        ),
        (
            jar,
            Fault::NoScreenrecord,
            (StreamSource::Scrcpy, FallbackReason::Nothing),
        ),
        (
            None,
            Fault::NoScreenrecord,
            (StreamSource::Captures, FallbackReason::NoScreenrecord),
        ),
        (
            None,
            Fault::ScreenrecordFails,
            (StreamSource::Captures, FallbackReason::NoScreenrecord),
        ),
        (
            None,
            Fault::EncoderLimit(400),
            (StreamSource::Captures, FallbackReason::NoScreenrecord),
        ),
        (
            jar,
            Fault::EncoderLimit(400),
            (StreamSource::Captures, FallbackReason::NoScreenrecord),
        ),
        (
            jar,
            Fault::Stutter(400),
            (StreamSource::Scrcpy, FallbackReason::Nothing),
        ),
        (
            None,
            Fault::Stutter(400),
            (StreamSource::Screenrecord, FallbackReason::NoServer),
        ),
        (
            jar,
            Fault::StreamWaits,
            (StreamSource::Scrcpy, FallbackReason::Nothing),
        ),
        (
            None,
            Fault::StreamWaits,
            (StreamSource::Screenrecord, FallbackReason::NoServer),
        ),
    ] {
        check_from_the_start(jar, fault, expected).await;
    }
}

/// Pictures stop, everything stays open: it is begun again, and what the screen shows is seen.
#[tokio::test(start_paused = true)]
async fn a_stall_is_begun_again() {
    let rig = rig(COUNTER, Some("3.3.4"), &[]);
    let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
    until_fresh(&rig, &mut newest, StreamSource::Scrcpy, "before").await;
    sleep(Duration::from_secs(12)).await;
    rig.handle.set_fault(Fault::StreamStall(1));
    sleep(Duration::from_secs(1)).await;
    rig.handle.clear_fault(Fault::StreamStall(1));
    let took = until_fresh(&rig, &mut newest, StreamSource::Scrcpy, "after").await;
    told("a stall of one second: pictures again", took);
    rig.handle.set_fault(Fault::StreamStall(1));
    let start = Instant::now();
    while number(&rig, &mut newest).await.is_none_or(|(_, age)| age > FRESH) || start.elapsed() < LONG / 6 {
        let _ = timeout(Duration::from_secs(1), newest.changed()).await;
        assert!(
            start.elapsed() < LONG,
            "it stalls for ever: {:?}",
            newest.status()
        );
    }
    told(
        "a stall that does not end by itself: pictures again",
        start.elapsed(),
    );
}

/// A screen on which nothing moves: its picture is there all the same, whenever somebody begins to look.
#[tokio::test(start_paused = true)]
async fn a_still_screen_is_shown_too() {
    for (jar, source) in [
        (Some("3.3.4"), StreamSource::Scrcpy),
        (None, StreamSource::Screenrecord),
    ] {
        for fault in [None, Some(Fault::StreamWaits)] {
            let what = format!("{source:?}, {fault:?}");
            let rig = rig(SETTINGS, jar, fault.as_slice());
            let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
            let start = Instant::now();
            let shown = timeout(LONG, async {
                while newest.seen().is_none() && newest.status().source != Some(StreamSource::Captures) {
                    newest.changed().await;
                }
            });
            assert!(shown.await.is_ok(), "{what}: {:?}", newest.status());
            let by = newest.seen().map_or(StreamSource::Captures, |seen| seen.source);
            told(&format!("{what}: shown by {by:?}"), start.elapsed());
            if fault.is_none() {
                assert_eq!(by, source);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_turned_phone_is_shown_turned() {
    for (jar, source) in [
        (Some("3.3.4"), StreamSource::Scrcpy),
        (Some("4.1"), StreamSource::Scrcpy),
        (None, StreamSource::Screenrecord),
    ] {
        let what = format!("{source:?} {jar:?}");
        let rig = rig(SPINNER, jar, &[]);
        let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
        for across in [false, true, false] {
            rig.handle.with(|android| {
                android.put_setting("system", "accelerometer_rotation", Some("0"));
                android.put_setting("system", "user_rotation", Some(if across { "1" } else { "0" }));
            });
            let start = Instant::now();
            let turned = timeout(LONG, async {
                while newest.seen().is_none_or(|seen| {
                    (seen.picture.0 > seen.picture.1) != across || (seen.screen.0 > seen.screen.1) != across
                }) {
                    newest.changed().await;
                }
            });
            assert!(turned.await.is_ok(), "{what}: {:?}", newest.seen());
            told(&format!("{what}: turned {across}"), start.elapsed());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_phone_plugged_in_again_is_seen_again() {
    for (jar, source) in [
        (Some("3.3.4"), StreamSource::Scrcpy),
        (None, StreamSource::Screenrecord),
    ] {
        let rig = rig(COUNTER, jar, &[]);
        let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
        until_fresh(&rig, &mut newest, source, "before").await;
        rig.handle.unplug();
        let start = Instant::now();
        while newest.status().source != Some(StreamSource::Captures) {
            newest.changed().await;
        }
        told(&format!("{source:?}, unplugged: told"), start.elapsed());
        sleep(Duration::from_secs(20)).await;
        rig.handle.replug();
        let took = until_fresh(&rig, &mut newest, source, "after").await;
        told(&format!("{source:?}, plugged in again: pictures"), took);
    }
}

/// The phone draws in another resolution of the same shape: its picture is as large as before, its screen is not.
#[tokio::test(start_paused = true)]
async fn a_screen_of_another_size_and_the_same_shape_is_measured_again() {
    for version in ["3.3.4", "4.1"] {
        let rig = rig(SETTINGS, Some(version), &[]);
        let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
        until_measured(&mut newest, (360, 800), version).await;
        sleep(Duration::from_secs(8)).await;
        let device = rig.phone.device();
        device.look("wm size 540x1200", LONG).await.unwrap();
        until_measured(&mut newest, (540, 1200), version).await;
        assert_eq!(rig.phone.screen(), Some((540, 1200)), "{version}");
    }
}

/// Waits for a picture of one size that is of a screen of that size.
async fn until_measured(newest: &mut NewestPicture, screen: (u16, u16), what: &str) {
    let measured = async {
        while newest.seen().map(|seen| (seen.picture, seen.screen)) != Some(((360, 800), screen)) {
            newest.changed().await;
        }
    };
    if timeout(LONG, measured).await.is_err() {
        panic!("{what}: {:?}", newest.seen());
    }
}

/// A key frame that was asked for is no reason to look at the screen again.
#[tokio::test(start_paused = true)]
async fn a_still_screen_is_not_measured_again_and_again() {
    let rig = rig(SETTINGS, Some("4.1"), &[]);
    let mut newest = NewestPicture::of(&rig.phone.feed(), WISH);
    until_standing(
        &mut newest,
        (StreamSource::Scrcpy, FallbackReason::Nothing),
        "4.1",
    )
    .await;
    let looks = || {
        let measures = |what: &Received| matches!(what, Received::Program { words, .. } if words[0] == "wm");
        let entries = rig.handle.record().entries();
        entries.iter().filter(|entry| measures(&entry.what)).count()
    };
    let before = looks();
    sleep(Duration::from_secs(120)).await;
    assert_eq!((before, looks()), (1, 1));
}

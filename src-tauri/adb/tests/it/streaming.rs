//! The stream of a phone: which source, what its readers are told, and what becomes of it when something fails.

#![allow(clippy::print_stdout, reason = "the times are there to be read")]

use crate::support::Fake;
use crate::support::video::{Manner, STRIPES, Shown, Streams};
use adb::AdbPhone;
use adb::scrcpy::Jar;
use adb::stream::{
    Content, FallbackReason, NewestPicture, Packet, Reader, StreamEvent, StreamRequest, StreamSource,
    StreamStatus,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout};

pub(crate) const TILE: StreamRequest = StreamRequest {
    longest_side: 480,
    fps: 15,
};
const FOCUSED: StreamRequest = StreamRequest {
    longest_side: 960,
    fps: 60,
};
/// Longer than anything takes that works.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) struct Rig {
    pub(crate) fake: Fake,
    pub(crate) streams: Streams,
    pub(crate) phone: AdbPhone,
}

impl Rig {
    /// A phone that can both, and a computer with the jar of this release.
    pub(crate) fn new(version: &str) -> Self {
        let fake = Fake::new();
        let streams = Streams::on(&fake, version);
        let phone = fake.phone();
        phone.use_scrcpy(Some(Jar::unchecked(version, b"PK a jar".repeat(1000))));
        Self { fake, streams, phone }
    }

    pub(crate) fn watch(&self, wish: StreamRequest) -> Reader {
        self.phone.feed().watch(wish)
    }

    pub(crate) fn newest(&self, wish: StreamRequest) -> NewestPicture {
        NewestPicture::of(&self.phone.feed(), wish)
    }
}

pub(crate) fn standing(source: StreamSource, why: FallbackReason) -> StreamStatus {
    StreamStatus {
        source: Some(source),
        why,
    }
}

/// Reads on to how the stream is; what came before is left out.
pub(crate) async fn until_standing(reader: &mut Reader, expected: StreamStatus) {
    let reading = async {
        loop {
            if let StreamEvent::Status(now) = reader.next().await
                && now == expected
            {
                return;
            }
        }
    };
    if timeout(LONG, reading).await.is_err() {
        panic!("it never was {expected:?}");
    }
}

/// The next piece of the stream.
pub(crate) async fn packet(reader: &mut Reader) -> Arc<Packet> {
    let reading = async {
        loop {
            if let StreamEvent::Packet(packet) = reader.next().await {
                return packet;
            }
        }
    };
    timeout(LONG, reading).await.expect("a picture in time")
}

pub(crate) fn is_configuration(packet: &Arc<Packet>) -> bool {
    matches!(packet.content, Content::Configuration(_))
}

/// Which stripe a picture shows, read from its pixels.
fn stripe(frame: &protocol::Frame) -> usize {
    let (width, height) = (frame.width as usize, frame.height as usize);
    let bright = |at: usize| {
        let row = (2 * at + 1) * height / (2 * STRIPES);
        frame.rgba[(row * width + width / 2) * 4] > 150
    };
    (0..STRIPES).find(|at| bright(*at)).expect("a stripe")
}

/// Waits until the newest picture shows this; how long that took.
pub(crate) async fn until_shown(newest: &mut NewestPicture, expected: Shown) -> Duration {
    let start = Instant::now();
    let waiting = async {
        loop {
            if let Some((seen, frame)) = newest.frame().await
                && stripe(&frame) == expected.stripe
                && (seen.screen.0 > seen.screen.1) == expected.across
            {
                return;
            }
            newest.changed().await;
        }
    };
    if timeout(LONG, waiting).await.is_err() {
        panic!("{expected:?} was never shown");
    }
    start.elapsed()
}

pub(crate) fn upright(stripe: usize) -> Shown {
    Shown {
        stripe,
        across: false,
    }
}

#[tokio::test(start_paused = true)]
async fn scrcpys_server_is_the_best_source_in_both_framings() {
    for version in ["3.3.4", "4.1"] {
        let rig = Rig::new(version);
        let mut reader = rig.watch(TILE);
        until_standing(
            &mut reader,
            standing(StreamSource::Scrcpy, FallbackReason::Nothing),
        )
        .await;
        let told = packet(&mut reader).await;
        assert!(is_configuration(&told), "{version}");
        assert_eq!((told.picture, told.screen), ((216, 480), (540, 1200)));
        assert!(packet(&mut reader).await.is_key());
        let mut newest = rig.newest(TILE);
        for at in 1..6 {
            rig.streams.draw(at);
            until_shown(&mut newest, upright(at)).await;
            let packet = packet(&mut reader).await;
            assert!(!packet.is_key() && !is_configuration(&packet));
        }
        let started = rig.streams.started("scrcpy");
        assert_eq!(started.len(), 1, "one for all");
        assert!(started[0].contains("max_size=480 max_fps=15 "), "{}", started[0]);
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_jar_it_is_screenrecord() {
    let rig = Rig::new("3.3.4");
    rig.phone.use_scrcpy(None);
    let mut reader = rig.watch(TILE);
    until_standing(
        &mut reader,
        standing(StreamSource::Screenrecord, FallbackReason::NoServer),
    )
    .await;
    let mut newest = rig.newest(TILE);
    for at in [3, 7, 0] {
        rig.streams.draw(at);
        let took = until_shown(&mut newest, upright(at)).await;
        assert!(
            took < Duration::from_millis(200),
            "the last picture comes without a next: {took:?}"
        );
    }
    let line = rig.streams.started("screenrecord").remove(0);
    assert!(
        line.contains("--size 216x480 ") && line.contains("--bit-rate "),
        "{line}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_older_phone_has_screenrecord_too() {
    let rig = Rig::new("3.3.4");
    rig.fake.features("cmd");
    rig.phone.use_scrcpy(None);
    let mut newest = rig.newest(TILE);
    rig.streams.draw(5);
    until_shown(&mut newest, upright(5)).await;
}

#[tokio::test(start_paused = true)]
async fn with_neither_there_are_captures_until_one_works() {
    for (record, why) in [
        (
            Manner::Fails("screenrecord: not found"),
            FallbackReason::NoScreenrecord,
        ),
        (Manner::Mute, FallbackReason::NoStream),
    ] {
        let rig = Rig::new("3.3.4");
        rig.streams.with(|state| {
            state.scrcpy = Manner::Fails("java.lang.AssertionError: no display");
            state.record = record;
        });
        let mut reader = rig.watch(TILE);
        until_standing(&mut reader, standing(StreamSource::Captures, why)).await;
        rig.streams.with(|state| state.record = Manner::Plays);
        until_standing(
            &mut reader,
            standing(StreamSource::Screenrecord, FallbackReason::NotStarted),
        )
        .await;
        rig.streams.with(|state| state.scrcpy = Manner::Plays);
        until_standing(
            &mut reader,
            standing(StreamSource::Scrcpy, FallbackReason::Nothing),
        )
        .await;
        assert!(is_configuration(&packet(&mut reader).await));
    }
}

/// What failed is tried again ever less often, and at once when something tells that it may work now.
#[tokio::test(start_paused = true)]
async fn tries_grow_rare_and_a_nudge_makes_one() {
    let rig = Rig::new("3.3.4");
    rig.streams.with(|state| {
        state.scrcpy = Manner::Fails("no");
        state.record = Manner::Fails("no");
    });
    let mut reader = rig.watch(TILE);
    until_standing(
        &mut reader,
        standing(StreamSource::Captures, FallbackReason::NoScreenrecord),
    )
    .await;
    tokio::time::sleep(Duration::from_secs(600)).await;
    let tries = rig.streams.started("scrcpy").len();
    assert!((5..=14).contains(&tries), "{tries} in ten minutes");
    rig.streams.with(|state| state.scrcpy = Manner::Plays);
    rig.phone.feed().nudge();
    let start = Instant::now();
    until_standing(
        &mut reader,
        standing(StreamSource::Scrcpy, FallbackReason::Nothing),
    )
    .await;
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test(start_paused = true)]
async fn nothing_runs_before_anybody_looks_nor_after() {
    for jar in [true, false] {
        let rig = Rig::new("4.1");
        if !jar {
            rig.phone.use_scrcpy(None);
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(rig.streams.with(|state| state.started.len()), 0);
        let (mut one, two) = (rig.watch(TILE), rig.watch(TILE));
        packet(&mut one).await;
        drop(one);
        tokio::time::sleep(LONG).await;
        assert_eq!(rig.streams.with(|state| state.running), 1, "one still looks");
        drop(two);
        tokio::time::sleep(Duration::from_secs(2)).await;
        // Whoever looks again soon finds it running.
        let mut again = rig.watch(TILE);
        packet(&mut again).await;
        assert_eq!(rig.streams.with(|state| state.started.len()), 1);
        drop(again);
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert_eq!(rig.streams.with(|state| state.running), 0);
        let ended = rig
            .fake
            .commands_like(if jar { "rm -f " } else { "kill -2 4242" });
        assert_eq!(ended.len(), 1, "it is ended on the phone, not only here");
        let commands = rig.fake.commands().len();
        tokio::time::sleep(LONG * 10).await;
        assert_eq!(rig.fake.commands().len(), commands);
        // And it begins anew.
        let mut late = rig.watch(TILE);
        assert!(is_configuration(&packet(&mut late).await));
    }
}

/// One who stops looking while it starts leaves nothing behind either.
#[tokio::test(start_paused = true)]
async fn a_start_nobody_waits_for_is_ended() {
    for after in [10, 300, 700, 1500] {
        let rig = Rig::new("3.3.4");
        let reader = rig.watch(TILE);
        tokio::time::sleep(Duration::from_millis(after)).await;
        drop(reader);
        tokio::time::sleep(Duration::from_secs(20)).await;
        let life = rig.streams.with(|state| state.running);
        assert_eq!(rig.fake.commands_like("rm -f ").len(), 1, "after {after} ms");
        assert_eq!(life, 0, "after {after} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn one_who_comes_late_begins_with_the_key_frame_that_is_kept() {
    let rig = Rig::new("3.3.4");
    let mut first = rig.watch(TILE);
    packet(&mut first).await;
    packet(&mut first).await;
    for at in 1..6 {
        rig.streams.draw(at);
        packet(&mut first).await;
    }
    let mut late = rig.watch(TILE);
    assert!(is_configuration(&packet(&mut late).await));
    assert!(packet(&mut late).await.is_key());
    for _ in 1..6 {
        assert!(!packet(&mut late).await.is_key());
    }
    assert_eq!(rig.streams.with(|state| state.resets), 0);
    // Too many to decode: a key frame is asked for.
    for at in 6..86 {
        rig.streams.draw(at % STRIPES);
        packet(&mut first).await;
    }
    let _later = rig.watch(TILE);
    packet(&mut first).await;
    assert_eq!(rig.streams.with(|state| state.resets), 1);
}

#[tokio::test(start_paused = true)]
async fn one_who_falls_behind_goes_on_with_a_key_frame() {
    let rig = Rig::new("4.1");
    let mut quick = rig.watch(TILE);
    let mut slow = rig.watch(TILE);
    for _ in 0..2 {
        packet(&mut quick).await;
        packet(&mut slow).await;
    }
    for at in 1..41 {
        rig.streams.draw(at % STRIPES);
        packet(&mut quick).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(slow.behind().0 >= 39 && slow.behind().1 >= Duration::from_secs(1));
    let next = packet(&mut slow).await;
    assert!(
        is_configuration(&next) || next.is_key(),
        "what lies between is left out"
    );
    assert_eq!(slow.behind().0, 0);
    assert_eq!(rig.streams.with(|state| state.resets), 1);
}

#[tokio::test(start_paused = true)]
async fn the_largest_wish_is_met_and_the_old_picture_stays_meanwhile() {
    for jar in [true, false] {
        let rig = Rig::new("3.3.4");
        if !jar {
            rig.phone.use_scrcpy(None);
        }
        let mut reader = rig.watch(TILE);
        let source = loop {
            if let StreamEvent::Status(StreamStatus {
                source: Some(source), ..
            }) = reader.next().await
            {
                break source;
            }
        };
        assert_eq!(packet(&mut reader).await.picture, (216, 480));
        packet(&mut reader).await;
        let closer = rig.watch(FOCUSED);
        let start = Instant::now();
        let mut pictures = 0;
        let larger = loop {
            rig.streams.draw((pictures + 1) % STRIPES);
            match reader.next().await {
                StreamEvent::Packet(packet) if is_configuration(&packet) => break packet,
                StreamEvent::Packet(_) => pictures += 1,
                StreamEvent::Status(now) => panic!("{now:?}: it is there all the time"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!((larger.picture, larger.source), ((432, 960), source));
        // This one starts in no time.
        assert!(
            !jar || pictures >= 20,
            "{pictures} pictures while the larger stream was started"
        );
        println!("{source:?}: larger after {:?}", start.elapsed());
        // Smaller again, but not at once.
        drop(closer);
        tokio::time::sleep(Duration::from_secs(4)).await;
        let count = |rig: &Rig| rig.streams.with(|state| state.started.len());
        assert_eq!(count(&rig), 2);
        tokio::time::sleep(Duration::from_secs(4)).await;
        assert_eq!(count(&rig), 3);
        assert_eq!(rig.streams.with(|state| state.running), 1);
    }
}

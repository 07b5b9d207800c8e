//! What becomes of a stream when something fails: the next source, or it comes back by itself. How long that took is
//! printed, in the scripted phone's time.

#![allow(clippy::print_stdout, reason = "the times are there to be read")]

use crate::streaming::{
    LONG, Rig, TILE, is_configuration, packet, standing, until_shown, until_standing, upright,
};
use crate::support::Fault;
use crate::support::video::{Manner, STRIPES, Shown};
use adb::stream::{FallbackReason, NewestPicture, Reader, StreamSource};
use std::time::Duration;
use tokio::time::Instant;

/// A phone, one who reads its stream, one who looks at its pictures, and the first of them.
async fn looking(version: &str, jar: bool) -> (Rig, Reader, NewestPicture) {
    let rig = Rig::new(version);
    if !jar {
        rig.phone.use_scrcpy(None);
    }
    let mut reader = rig.watch(TILE);
    let mut newest = rig.newest(TILE);
    packet(&mut reader).await;
    until_shown(&mut newest, upright(0)).await;
    (rig, reader, newest)
}

fn told(what: &str, took: Duration) {
    println!("{what}: {} ms", took.as_millis());
}

#[tokio::test(start_paused = true)]
async fn a_turned_screen_is_shown_turned() {
    for (version, jar) in [("3.3.4", true), ("4.1", true), ("4.1", false)] {
        let (rig, _reader, mut newest) = looking(version, jar).await;
        for across in [true, false] {
            rig.streams.turn(across);
            let took = until_shown(&mut newest, Shown { stripe: 0, across }).await;
            let seen = newest.seen().unwrap();
            assert_eq!(seen.picture.0 > seen.picture.1, across);
            told(&format!("turned, {:?} {version}", seen.source), took);
        }
        assert_eq!(rig.streams.with(|state| state.running), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_early_is_followed_by_the_next_source_and_comes_back() {
    let (rig, mut reader, mut newest) = looking("3.3.4", true).await;
    rig.streams.draw(4);
    until_shown(&mut newest, upright(4)).await;
    rig.streams.dies();
    let start = Instant::now();
    until_standing(
        &mut reader,
        standing(StreamSource::Screenrecord, FallbackReason::Ended),
    )
    .await;
    told("scrcpy's server died: screenrecord", start.elapsed());
    until_standing(
        &mut reader,
        standing(StreamSource::Scrcpy, FallbackReason::Nothing),
    )
    .await;
    told("scrcpy's server died: scrcpy again", start.elapsed());
    rig.streams.draw(5);
    until_shown(&mut newest, upright(5)).await;
}

#[tokio::test(start_paused = true)]
async fn one_that_ran_long_is_started_again_at_once() {
    for jar in [true, false] {
        let (rig, mut reader, mut newest) = looking("4.1", jar).await;
        let source = if jar {
            StreamSource::Scrcpy
        } else {
            StreamSource::Screenrecord
        };
        tokio::time::sleep(Duration::from_secs(30)).await;
        while reader.poll().is_some() {}
        rig.streams.dies();
        rig.streams.draw(6);
        let took = until_shown(&mut newest, upright(6)).await;
        told(
            &format!("{source:?} died after half a minute: pictures again"),
            took,
        );
        assert_eq!(newest.seen().unwrap().source, source);
        assert!(is_configuration(&packet(&mut reader).await));
    }
}

#[tokio::test(start_paused = true)]
async fn a_jar_of_another_release_is_passed_over() {
    let rig = Rig::new("3.3.4");
    rig.streams.with(|state| state.version = "4.0".to_owned());
    let start = Instant::now();
    let mut reader = rig.watch(TILE);
    until_standing(
        &mut reader,
        standing(StreamSource::Screenrecord, FallbackReason::NotStarted),
    )
    .await;
    told("the jar is of another release: screenrecord", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_sends_nothing_is_passed_over() {
    let rig = Rig::new("3.3.4");
    rig.streams.with(|state| state.scrcpy = Manner::Mute);
    let start = Instant::now();
    let mut reader = rig.watch(TILE);
    until_standing(
        &mut reader,
        standing(StreamSource::Screenrecord, FallbackReason::NoStream),
    )
    .await;
    told("scrcpy's server is mute: screenrecord", start.elapsed());
}

/// The server lives and sends nothing more, not even when it is asked for a key frame.
#[tokio::test(start_paused = true)]
async fn a_stream_that_stalls_is_started_again() {
    let (rig, mut reader, mut newest) = looking("3.3.4", true).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    rig.streams.with(|state| state.frozen = true);
    rig.streams.draw(9);
    let start = Instant::now();
    // Nothing it sends is seen, whichever way; both are tried.
    tokio::time::sleep(Duration::from_secs(16)).await;
    assert!(rig.streams.with(|state| state.started.len()) >= 2);
    rig.streams.with(|state| state.frozen = false);
    until_shown(&mut newest, upright(9)).await;
    told("it stalled for 16 s: pictures again", start.elapsed());
    while reader.poll().is_some() {}
}

/// On a screen that stays as it is a stream is silent, and is left alone: a key frame now and then is all it is asked for.
#[tokio::test(start_paused = true)]
async fn silence_is_no_fault() {
    for jar in [true, false] {
        let (rig, _reader, _newest) = looking("4.1", jar).await;
        tokio::time::sleep(Duration::from_secs(100)).await;
        assert_eq!(rig.streams.with(|state| state.started.len()), 1);
        let resets = rig.streams.with(|state| state.resets);
        assert!(resets <= 10, "{resets}");
        assert_eq!(resets > 0, jar);
    }
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_is_unplugged_is_seen_again_when_it_is_back() {
    for jar in [true, false] {
        let (rig, mut reader, mut newest) = looking("3.3.4", jar).await;
        rig.fake.fault(Fault::Unplugged).restarts();
        rig.streams.dies();
        let start = Instant::now();
        let told_of = loop {
            if let adb::stream::StreamEvent::Status(now) = reader.next().await
                && now.source == Some(StreamSource::Captures)
            {
                break start.elapsed();
            }
        };
        told("unplugged: told", told_of);
        tokio::time::sleep(LONG).await;
        let commands = rig.fake.commands().len();
        rig.fake.fault(Fault::None);
        rig.streams.draw(11);
        let took = until_shown(&mut newest, upright(11)).await;
        told("plugged in: pictures again", took);
        assert!(commands < 60, "{commands} commands while it was away");
    }
}

/// A phone that hangs: every connection stands, nothing is answered.
#[tokio::test(start_paused = true)]
async fn a_phone_that_hangs_is_noticed() {
    let (rig, mut reader, mut newest) = looking("3.3.4", true).await;
    rig.streams.with(|state| state.frozen = true);
    rig.fake.fault(Fault::Wedged);
    let start = Instant::now();
    let noticed = loop {
        if let adb::stream::StreamEvent::Status(now) = reader.next().await
            && now.source == Some(StreamSource::Captures)
        {
            break start.elapsed();
        }
    };
    told("it hangs: told", noticed);
    rig.streams.with(|state| state.frozen = false);
    rig.fake.fault(Fault::None);
    rig.streams.draw(2);
    let took = until_shown(&mut newest, upright(2)).await;
    told("it answers: pictures again", took);
}

/// `screenrecord` ends after three minutes: the next one runs before it does.
#[tokio::test(start_paused = true)]
async fn a_recording_is_followed_by_another_without_a_gap() {
    let (rig, mut reader, mut newest) = looking("3.3.4", false).await;
    let start = Instant::now();
    let mut longest = Duration::ZERO;
    let mut at = 0;
    while start.elapsed() < Duration::from_secs(400) {
        at = (at + 1) % STRIPES;
        rig.streams.draw(at);
        longest = longest.max(until_shown(&mut newest, upright(at)).await);
        tokio::time::sleep(Duration::from_millis(400)).await;
        while reader.poll().is_some() {}
    }
    told("over two renewals: the longest wait for a picture", longest);
    assert!(longest < Duration::from_millis(100));
    assert_eq!(rig.streams.with(|state| state.started.len()), 3);
}

/// Over a slow network a picture comes in pieces with silence between: half of it is shown, told, and not again.
#[tokio::test(start_paused = true)]
async fn a_silence_in_the_middle_of_a_picture_is_learnt() {
    let (rig, mut reader, mut newest) = looking("3.3.4", false).await;
    rig.streams
        .with(|state| state.torn = Some(Duration::from_millis(50)));
    let start = Instant::now();
    for at in 1..STRIPES {
        rig.streams.draw(at);
        until_shown(&mut newest, upright(at)).await;
        while reader.poll().is_some() {}
    }
    told("pictures in pieces: fifteen of them", start.elapsed());
    let recordings = rig.streams.with(|state| state.started.len());
    assert!((2..=6).contains(&recordings), "{recordings} recordings");
    let settled = recordings;
    for at in 1..STRIPES {
        rig.streams.draw(at);
        until_shown(&mut newest, upright(at)).await;
    }
    assert_eq!(
        rig.streams.with(|state| state.started.len()),
        settled,
        "it was learnt"
    );
}

/// A size the encoder does not take: the screen's own is taken.
#[tokio::test(start_paused = true)]
async fn an_encoder_that_refuses_a_size_is_asked_without_one() {
    let rig = Rig::new("3.3.4");
    rig.phone.use_scrcpy(None);
    rig.streams.with(|state| state.refuses_sizes = true);
    let mut reader = rig.watch(TILE);
    until_standing(
        &mut reader,
        standing(StreamSource::Screenrecord, FallbackReason::NoServer),
    )
    .await;
    assert_eq!(packet(&mut reader).await.picture, (540, 1200));
    let lines = rig.streams.started("screenrecord");
    assert!(
        lines[0].contains("--size") && !lines[1].contains("--size"),
        "{lines:?}"
    );
}

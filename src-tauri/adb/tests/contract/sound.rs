//! A phone's sound against the whole phone: both codecs, both framings, and every reason for there being none.

use crate::rig::{Rig, Setup};
use adb::scrcpy::Jar;
use adb::scrcpy::sound::NoSound;
use std::time::Duration;
use tokio::time::timeout;
use video::sound::SoundCodec;

/// Longer than anything takes that works.
const LONG: Duration = Duration::from_secs(60);

struct Case {
    jar: Option<&'static str>,
    sdk: u32,
    mute: bool,
    codec: SoundCodec,
}

/// What is told of the sound, and how far apart fifty packets are on average, in microseconds; or why there is none.
async fn check(case: Case, expected: &str) {
    let mut setup = Setup::at("");
    setup.options.profile.phone.sdk = case.sdk;
    let rig = Rig::pipe(setup);
    rig.handle.set_mute(case.mute);
    let jar = case
        .jar
        .map(|version| Jar::unchecked(version, format!("virtual scrcpy-server {version}\n").into_bytes()));
    rig.phone.use_scrcpy(jar);
    let started = timeout(LONG, rig.phone.sound(case.codec)).await.unwrap();
    let found = match started {
        // In words that differ by which of the two sockets is heard first.
        Err(NoSound::Refused(_)) => "Refused".to_owned(),
        Err(none) => format!("{none:?}"),
        Ok(mut sound) => {
            let told = sound.configuration().clone();
            let mut times = Vec::new();
            while times.len() < 51 {
                times.push(timeout(LONG, sound.next()).await.unwrap().unwrap().time);
            }
            // To a tenth of a millisecond: a timer is not more exact.
            let apart = (times[50] - times[0]) / 50 / 100;
            format!(
                "{:?} {} Hz × {}, every {} µs",
                told.codec,
                told.rate,
                told.channels,
                apart * 100
            )
        }
    };
    assert_eq!(found, expected, "{:?} on {}", case.jar, case.sdk);
}

#[tokio::test(start_paused = true)]
async fn a_phone_gives_its_sound_or_says_why_not() {
    use SoundCodec::{Aac, Opus};
    for jar in ["3.3.4", "4.1"] {
        for sdk in [30, 34] {
            let case = |codec| Case {
                jar: Some(jar),
                sdk,
                mute: false,
                codec,
            };
            check(case(Aac), "Aac 48000 Hz × 2, every 21300 µs").await;
            check(case(Opus), "Opus 48000 Hz × 2, every 20000 µs").await;
        }
    }
    let aac = |jar, sdk, mute| Case {
        jar,
        sdk,
        mute,
        codec: Aac,
    };
    check(aac(None, 34, false), "NoServer").await;
    check(aac(Some("4.1"), 29, false), "TooOld").await;
    check(aac(Some("4.1"), 34, true), "Refused").await;
}

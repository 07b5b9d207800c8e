//! Screens that move, watched through streams: how many pictures come, how old they are, and who gets none.

use crate::client::shell;
use crate::stream::{Mirror, Record, Screen, demo, units};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use virtual_phone::android::Android;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Clip, ClipOptions, Fault, timecode};

const COUNTER: &str = "com.android.motiontest/.CounterActivity";

/// The counter on a screen.
fn number(screen: &Screen) -> u32 {
    let newest = screen.newest();
    timecode::read(newest.width, newest.height, |x, y| newest.at(x, y)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_counter_is_read_from_every_picture_of_a_small_stream() {
    let (host, phone) = demo("");
    let started = shell(&host, &format!("am start -n {COUNTER}")).await;
    assert!(started.text().starts_with("Starting: Intent"), "{started:?}");
    for (wide, size) in [(false, "216x480"), (true, "480x216")] {
        if wide {
            phone.with(|android| {
                android.put_setting("system", "accelerometer_rotation", Some("0"));
                android.put_setting("system", "user_rotation", Some("1"));
            });
        }
        let mut record = Record::start(&host, &format!("--size {size} --bit-rate 1M --time-limit 2")).await;
        while record.status.is_none() {
            record.read(Duration::from_secs(3)).await;
        }
        let mut screen = Screen::new();
        let mut numbers = Vec::new();
        for unit in units(&record.bytes) {
            let before = screen.pictures;
            screen.feed(unit);
            if screen.pictures > before {
                numbers.push(number(&screen));
            }
        }
        // Sixty a second, each a sixtieth of a second after the last.
        assert!((117..=121).contains(&numbers.len()), "{}", numbers.len());
        let steps: Vec<u64> = numbers
            .windows(2)
            .map(|two| timecode::age(two[0], u64::from(two[1])))
            .collect();
        assert!(steps.iter().all(|step| (15..=34).contains(step)), "{steps:?}");
        let now = u64::try_from(phone.wall().as_millis()).unwrap();
        assert!(
            timecode::age(*numbers.last().unwrap(), now) < 1500,
            "the clock is the phone's"
        );
    }
}

/// Pictures in two seconds of a screen, by a client of scrcpy's server.
async fn pictures(start: &str, arguments: &str, fault: Option<Fault>) -> Mirror {
    let (host, phone) = demo("");
    shell(&host, &format!("am start -n com.android.motiontest/.{start}")).await;
    if let Some(fault) = fault {
        phone.set_fault(fault);
    }
    let mut mirror = Mirror::start(&host, "3.3.4", &format!("max_size=208 {arguments}")).await;
    let reading = async { while mirror.read(Duration::from_secs(1)).await {} };
    tokio::select! {
        () = reading => {}
        () = sleep(Duration::from_secs(2)) => {}
    }
    mirror
}

#[tokio::test(start_paused = true)]
async fn so_many_pictures_come_as_change_and_as_are_asked_for() {
    for (start, arguments, expected) in [
        ("CounterActivity", "", 118..=122),
        ("CounterActivity --ei rate 15", "", 29..=32),
        ("CounterActivity", "max_fps=10", 19..=22),
        ("CounterActivity", "max_fps=24", 46..=50),
        ("SpinnerActivity", "", 118..=122),
        ("VideoActivity --ei rate 30", "", 58..=62),
        // A screen that stands still until it is touched: one picture, repeated ten times.
        ("TouchActivity", "", 11..=11),
    ] {
        let mirror = pictures(start, arguments, None).await;
        let count = mirror.pts.len();
        assert!(expected.contains(&count), "{start} {arguments}: {count}");
        let rising = mirror.pts.windows(2).all(|two| two[0] < two[1]);
        assert!(rising, "{start} {arguments}: {:?}", mirror.pts);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stutter_is_a_gap_of_its_length_in_every_second() {
    let mirror = pictures("CounterActivity", "", Some(Fault::Stutter(400))).await;
    let gaps: Vec<u64> = mirror
        .pts
        .windows(2)
        .map(|two| (two[1] - two[0]) / 1000)
        .collect();
    assert!((68..=74).contains(&mirror.pts.len()), "{}", mirror.pts.len());
    assert_eq!(gaps.iter().filter(|gap| **gap > 100).count(), 1, "{gaps:?}");
    assert!(gaps.iter().any(|gap| (400..=434).contains(gap)), "{gaps:?}");
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_read_is_sent_no_more_than_a_link_holds() {
    let (host, _phone) = demo("com.android.motiontest/.VideoActivity");
    let mut record = Record::start(&host, "--size 576x1280").await;
    // Ten seconds are six hundred pictures.
    sleep(Duration::from_secs(10)).await;
    let reading = async { record.read(Duration::from_secs(1)).await };
    tokio::select! {
        () = reading => {}
        () = sleep(Duration::from_millis(100)) => {}
    }
    let count = units(&record.bytes).len();
    assert!(
        record.bytes.len() < 2_000_000 && count < 300,
        "{count}, {} bytes",
        record.bytes.len()
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_touch_sets_moving_comes_to_rest_and_says_so() {
    let (host, phone) = demo("");
    shell(
        &host,
        "am start -n com.android.motiontest/.TouchActivity --ei millis 500",
    )
    .await;
    let tree = |phone: &virtual_phone::PhoneHandle| phone.with(|android| android.hierarchy()).unwrap();
    assert!(tree(&phone).contains("Pressed 0 times"));
    let go = tree(&phone);
    let bounds = go
        .split("text=\"Go\"")
        .nth(1)
        .unwrap()
        .split("bounds=\"[")
        .nth(1)
        .unwrap();
    let numbers: Vec<i32> = bounds
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .take(4)
        .collect();
    let mut record = Record::start(&host, "--size 216x480").await;
    record.read(Duration::from_millis(300)).await;
    let before = units(&record.bytes).len();
    let (x, y) = ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2);
    shell(&host, &format!("input tap {x} {y}")).await;
    record.read(Duration::from_millis(300)).await;
    let moved = units(&record.bytes).len() - before;
    // Half a second at sixty a second, and the touch itself.
    assert!((28..=40).contains(&moved), "{moved}");
    assert!(tree(&phone).contains("Pressed 1 times"));
}

#[tokio::test(start_paused = true)]
async fn a_clip_is_played_over_and_over_as_it_was_recorded() {
    let mut system = System::new(SystemOptions {
        start: Some(COUNTER.to_owned()),
        ..SystemOptions::default()
    });
    let options = ClipOptions {
        size: (216, 480),
        fps: 30,
        seconds: 1,
        bit_rate: 2_000_000,
    };
    let clip = Arc::new(Clip::record(&mut system, options).unwrap());
    assert_eq!(clip.pictures().1.len(), 30);
    let mut screen = Screen::new();
    let whole = clip.annex_b();
    for (at, unit) in units(&whole).into_iter().enumerate() {
        screen.feed(unit);
        if at >= 2 {
            // The counter is at sixty a second: it began at most a sixtieth of a second before.
            let due = (at as u64 - 2) * 1000 / 30;
            assert!(timecode::age(number(&screen), due) <= 17, "{at}");
        }
    }
    let (host, phone) = demo("");
    phone.play(Some(Arc::clone(&clip)));
    let mut record = Record::start(&host, "--time-limit 3").await;
    while record.status.is_none() {
        record.read(Duration::from_secs(1)).await;
    }
    assert!(record.bytes.starts_with(&whole));
    let again = &record.bytes[whole.len()..];
    assert!(again.starts_with(&clip.pictures().1[0]) && !again.starts_with(&clip.pictures().0[..]));
    assert!(phone.played_since().is_some());
    let mut mirror = Mirror::start(&host, "4.0", "max_size=1024 control=false").await;
    let reading = async { while mirror.read(Duration::from_secs(1)).await {} };
    tokio::select! {
        () = reading => {}
        () = sleep(Duration::from_millis(2500)) => {}
    }
    assert_eq!(mirror.sizes, [(216, 480)]);
    assert_eq!(mirror.kinds.matches('k').count(), 3, "{}", mirror.kinds);
    assert!((74..=77).contains(&mirror.pts.len()), "{}", mirror.pts.len());
    // Its display again.
    phone.play(None);
    let mut record = Record::start(&host, "--size 270x600").await;
    record.read(Duration::from_millis(400)).await;
    assert_eq!(record.screen().newest().width, 270);
}

/// A screen that only drew what moved shows what one drawn whole shows, and told where it changed.
#[test]
fn what_is_drawn_in_part_is_what_is_drawn_whole() {
    for start in [
        "CounterActivity",
        "SpinnerActivity",
        "VideoActivity",
        "TouchActivity",
    ] {
        for rotation in [0, 1] {
            let make = || {
                System::new(SystemOptions {
                    start: Some(format!("com.android.motiontest/.{start}")),
                    rotation,
                    ..SystemOptions::default()
                })
            };
            let at = |frame: u32| Duration::from_secs(1) * frame / 60;
            let mut parts = make();
            let (mut before, mut seen, mut partly) = (Vec::new(), 0, 0);
            for frame in 0..40 {
                parts.tick(at(frame));
                if frame == 20 {
                    // Something lies over it for a while, and goes again.
                    parts.key(24, 0, false);
                }
                parts.show(seen, &mut |sight| {
                    let (left, top, right, bottom) = sight.changed;
                    partly += u32::from((right - left, bottom - top) != (sight.width, sight.height));
                    if !before.is_empty() {
                        for (line, (old, new)) in rows(&before, sight.width)
                            .zip(rows(sight.rgba, sight.width))
                            .enumerate()
                        {
                            let line = u32::try_from(line).unwrap();
                            if !(top..bottom).contains(&line) {
                                assert_eq!(old, new, "{start}, picture {frame}, line {line}");
                            }
                        }
                    }
                    before = sight.rgba.to_vec();
                    seen = sight.generation;
                });
            }
            assert!(partly > 10, "{start} {rotation}: {partly} drawn in part");
            let mut whole = make();
            whole.key(24, 0, false);
            for frame in [20, 39] {
                whole.tick(at(frame));
                if frame == 20 {
                    whole.key(24, 0, false);
                }
            }
            parts.tick(Duration::from_secs(9));
            whole.tick(Duration::from_secs(9));
            assert!(parts.picture().rgba == whole.picture().rgba, "{start} {rotation}");
        }
    }
}

fn rows(rgba: &[u8], width: u32) -> impl Iterator<Item = &[u8]> {
    rgba.chunks(width as usize * 4)
}

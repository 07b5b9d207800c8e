//! One eye for all who look on.

use crate::support::{Fake, Fault, Reply, until};
use agent::ports::Phone;
use protocol::CaptureResult;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// A screen that changes with every capture, each of 200 ms.
fn film() -> Fake {
    let shade = AtomicU8::new(1);
    let fake = Fake::new();
    fake.on(move |line| {
        (line == "screencap").then(|| {
            let shade = shade.fetch_add(1, Ordering::Relaxed) | 0x80;
            let mut bytes: Vec<u8> = [4_u32, 8, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.extend([shade; 4].repeat(32));
            Reply::says(bytes).after(200)
        })
    });
    fake
}

#[tokio::test(start_paused = true)]
async fn several_readers_share_one_loop_and_it_ends_with_them() {
    let fake = film();
    let phone = fake.phone();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(fake.commands_like("screencap").len(), 0, "nobody looks");

    let (mut one, two) = (phone.captures().watch(), phone.captures().watch());
    tokio::time::sleep(Duration::from_secs(3)).await;
    let count = fake.commands_like("screencap").len();
    assert!(
        (8..=11).contains(&count),
        "some three a second, once for both: {count}"
    );
    let picture = one.borrow_and_update().clone().unwrap();
    assert_eq!(picture.capture, CaptureResult::Ok);
    assert!(picture.changed && picture.seq >= 8);
    assert_eq!(two.borrow().as_ref().unwrap().seq, picture.seq);

    drop(one);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(fake.commands_like("screencap").len() > count, "one still looks");
    drop(two);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let ended = fake.commands_like("screencap").len();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(
        fake.commands_like("screencap").len(),
        ended,
        "nobody looks any more"
    );

    let mut again = phone.captures().watch();
    again.borrow_and_update();
    again.changed().await.unwrap();
    assert!(fake.commands_like("screencap").len() > ended);
}

#[tokio::test(start_paused = true)]
async fn a_picture_that_stays_is_marked_and_shared() {
    let fake = Fake::new();
    let mut bytes: Vec<u8> = [4_u32, 8, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend([99; 4].repeat(32));
    fake.answers("screencap", Reply::says(bytes));
    let phone = fake.phone();
    let mut watch = phone.captures().watch();
    let mut seen = Vec::new();
    for _ in 0..3 {
        watch.changed().await.unwrap();
        seen.extend(watch.borrow_and_update().clone());
    }
    let seen: Vec<_> = seen.into_iter().filter(|picture| picture.seq <= 3).collect();
    assert!(seen[0].changed && !seen[1].changed);
    let pixels = |index: usize| seen[index].frame.as_ref().unwrap().rgba.clone();
    assert!(std::sync::Arc::ptr_eq(&pixels(0), &pixels(1)));
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_goes_is_told_once_and_seen_again_when_it_is_back() {
    let fake = film();
    let phone = fake.phone();
    let mut watch = phone.captures().watch();
    until(|| watch.borrow().is_some()).await;
    fake.fault(Fault::Unplugged);
    let capture = |watch: &tokio::sync::watch::Receiver<Option<std::sync::Arc<adb::Picture>>>| {
        watch.borrow().as_ref().map(|picture| picture.capture)
    };
    until(|| capture(&watch) == Some(CaptureResult::Failed)).await;
    watch.borrow_and_update();
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(!watch.has_changed().unwrap(), "told once");
    fake.fault(Fault::None);
    until(|| capture(&watch) == Some(CaptureResult::Ok)).await;
}

/// A foldable: the picture is of the display that is looked at, also after it was closed, and the finger goes there.
#[tokio::test(start_paused = true)]
async fn of_several_displays_the_one_in_use_is_seen_and_touched() {
    use std::sync::atomic::AtomicBool;
    let raw = |pixel: u8| {
        let mut raw: Vec<u8> = [2_u32, 2, 1, 0]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        raw.extend([pixel, pixel, pixel, 255].repeat(4));
        raw
    };
    let closed = std::sync::Arc::new(AtomicBool::new(false));
    let fake = Fake::new();
    let state = std::sync::Arc::clone(&closed);
    fake.on(move |line| {
        let closed = state.load(Ordering::Relaxed);
        Some(match line {
            "screencap" => {
                let warning = "[Warning] Multiple displays were found, but no display id was specified!\nSee \"dumpsys \
                               SurfaceFlinger --display-id\" for valid display IDs.\n";
                Reply::says([warning.as_bytes(), &raw(10)].concat())
            }
            "screencap -d 71" => Reply::says(raw(100)),
            "screencap -d 72" => Reply::says(raw(200)),
            "dumpsys display" => Reply::says(format!(
                "DisplayViewport{{type=INTERNAL, valid=true, isActive={}, displayId=0, uniqueId='local:71', orientation=0}}, \
                 DisplayViewport{{type=INTERNAL, valid=true, isActive={closed}, displayId=3, uniqueId='local:72', \
                 orientation=0}}",
                !closed
            )),
            _ => return None,
        })
    });
    let phone = fake.phone();
    let lease = agent::lease::Lease::new();
    let seen = |sight: agent::ports::RawObservation| sight.frame.unwrap().rgba[0];
    assert_eq!(seen(phone.see().await.unwrap()), 100);
    let tap = adb::Command::Tap { x: 1, y: 1 };
    phone.by_hand(&tap, &lease.take()).await.unwrap();
    closed.store(true, Ordering::Relaxed);
    assert_eq!(seen(phone.see().await.unwrap()), 200);
    phone.by_hand(&tap, &lease.take()).await.unwrap();
    assert_eq!(
        fake.commands_like("input"),
        ["input tap 1 1", "input -d 3 tap 1 1"]
    );
}

/// A phone nobody looks at any more holds no picture; how large it was is known on.
#[tokio::test(start_paused = true)]
async fn a_picture_nobody_needs_is_given_up() {
    let fake = film();
    let phone = fake.phone();
    for _ in 0..2 {
        let pixels = Arc::downgrade(&phone.see().await.unwrap().frame.unwrap().rgba);
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(pixels.upgrade().is_some(), "the next is compared with it");
        tokio::time::sleep(Duration::from_secs(30)).await;
        assert!(pixels.upgrade().is_none());
    }
    let captures = phone.captures();
    let mut watching = captures.watch();
    let picture = watching.wait_for(Option::is_some).await.unwrap().clone();
    assert!(
        picture.unwrap().frame.is_some(),
        "and there is another for whoever asks"
    );
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert!(watching.borrow().is_some(), "what is watched is kept");
}

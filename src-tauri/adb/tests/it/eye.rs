//! One eye for all who look on.

use crate::support::{Fake, Fault, Reply, until};
use protocol::CaptureResult;
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

    let (mut one, two) = (phone.eye().watch(), phone.eye().watch());
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

    let mut again = phone.eye().watch();
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
    let mut watch = phone.eye().watch();
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
    let mut watch = phone.eye().watch();
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

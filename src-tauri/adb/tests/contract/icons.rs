//! Apps' icons, by the reader that stays: where one runs, and only there.

use crate::reader::{SETTINGS, counts, is_of, kill, runs, slow, turn};
use crate::rig::Rig;
use agent::ports::Phone;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use virtual_phone::Fault;

const SHOP: &str = "com.greenleaf.shop";
const SIDE: u32 = 96;

/// A phone whose reader has read a tree.
async fn read(faults: &[Fault]) -> Rig {
    let rig = slow(SETTINGS, faults).await;
    rig.phone.read().await.unwrap();
    rig
}

/// What comes is what the phone's launcher draws, pixel for pixel; or nothing comes, and soon. Either way the next tree is right.
async fn check(rig: &Rig, package: &str, expected: bool) {
    let began = Instant::now();
    let icon = rig.phone.icon(package).await;
    assert!(began.elapsed() <= Duration::from_secs(1), "{package}");
    assert_eq!(icon.is_some(), expected, "{package}");
    if let Some(png) = icon {
        let shown = image::load_from_memory(&png).unwrap().into_rgba8();
        let drawn = rig.handle.with(|android| android.icon(package, SIDE)).unwrap();
        assert_eq!(shown.dimensions(), (drawn.width, drawn.height));
        assert_eq!(shown.into_raw(), *drawn.rgba);
    }
    let package = turn(rig, usize::from(expected));
    let tree = rig.phone.read().await.unwrap().xml;
    assert!(is_of(&tree, package), "{package}: {tree}");
}

#[tokio::test(start_paused = true)]
async fn an_app_shows_the_icon_its_launcher_draws() {
    let rig = read(&[]).await;
    for (package, expected) in [
        (SHOP, true),
        ("com.northbank.mobile", true),
        // It stands in no list of apps: Android has a plain one for it.
        ("com.android.systemui", true),
        ("com.example.nobody", false),
        ("", false),
        ("com.greenleaf.shop; rm -rf /", false),
        (SHOP, true),
    ] {
        check(&rig, package, expected).await;
    }
    // One plain dump, which tells that it takes long, and one reader for all the rest.
    assert_eq!(counts(&rig), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn none_is_started_for_an_icon() {
    let rig = slow(SETTINGS, &[]).await;
    assert_eq!(rig.phone.icon(SHOP).await, None);
    assert_eq!(counts(&rig), (0, 1));
    check(&rig, SHOP, false).await;
    check(&rig, SHOP, true).await;
    // It went for want of work.
    sleep(Duration::from_secs(33)).await;
    assert_eq!(rig.phone.icon(SHOP).await, None);
    assert!(!runs(&rig));
    for fault in [Fault::ReaderMissing, Fault::ReaderForbidden, Fault::NoShellV2] {
        let rig = read(&[fault]).await;
        check(&rig, SHOP, false).await;
    }
}

/// Killed before it is asked, or in the middle of its answer: no icon, and the next tree is of what is there.
#[tokio::test(start_paused = true)]
async fn one_that_is_killed_gives_none_and_the_next_tree_is_right() {
    let mut came = 0;
    for millis in (0..200).step_by(10) {
        let rig = read(&[]).await;
        let (icon, ()) = tokio::join!(rig.phone.icon(SHOP), kill(&rig, millis));
        came += usize::from(icon.is_some());
        let package = turn(&rig, 1);
        let tree = rig.phone.read().await.unwrap().xml;
        assert!(is_of(&tree, package), "{millis}: {tree}");
        check(&rig, SHOP, true).await;
    }
    assert!((1..20).contains(&came), "{came} of 20 came before it was killed");
    // It goes with the third answer half sent: behind those of a tree.
    let rig = read(&[Fault::ReaderDies(2)]).await;
    for readers in 1..4 {
        assert_eq!(counts(&rig), (readers, 1));
        check(&rig, SHOP, false).await;
    }
    assert_eq!(counts(&rig), (4, 1));
}

/// A reader that takes long for everything is not waited for, and no icon counts against it: its next tree comes, or the plain dump's.
#[tokio::test(start_paused = true)]
async fn what_does_not_come_soon_is_not_waited_for() {
    let rig = read(&[]).await;
    rig.handle.set_fault(Fault::ReaderSlow);
    check(&rig, SHOP, false).await;
    rig.handle.clear_fault(Fault::ReaderSlow);
    // The tree found it slow: another reader was started for the tree after that.
    rig.phone.read().await.unwrap();
    check(&rig, SHOP, true).await;
}

//! Phones of every maker and every Android: looked at, touched, written on, locked, stopped and cut off.
//!
//! Each maker and each Android once in the usual run, every pair where `POCKETDECK_LONG` is set: the usual run walks over every
//! pair in [`super::every_maker`].

use crate::long;
use crate::rig::{Rig, Setup, no_finger_is_down, node, told, value};
use adb::{Command, WakeState};
use agent::ports::{Phone, PhoneError};
use protocol::ActMethod;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use virtual_phone::Fault;
use virtual_phone::system::Brand;

const EDITOR: &str = "com.android.notes/.EditorActivity";
const SETTINGS: &str = "com.android.settings/.Settings";
/// Since then `input` has single events; holds two keys.
const ANDROID_10: u32 = 29;
const ANDROID_12: u32 = 31;

/// Every pair, or as many as meet each maker and each Android.
fn pairs() -> Vec<(&'static str, Brand, u32)> {
    let brands = || Brand::NAMES.into_iter();
    if long::times(1) > 1 {
        let pairs = (8..=16).flat_map(|android| brands().map(move |(name, brand)| (name, brand, android)));
        return pairs.collect();
    }
    let pairs = (8..=16).zip(brands().cycle());
    pairs
        .map(|(android, (name, brand))| (name, brand, android))
        .collect()
}

/// A small phone of this maker's, its difficult switches turned on.
fn setup(brand: Brand, android: u32, start: &str) -> Setup {
    let mut setup = Setup::at(start).slow();
    let small = setup.options.profile.phone.clone();
    setup.options.profile = brand.profile(android).unwrap();
    setup.options.profile.phone.size = small.size;
    setup.options.profile.phone.density = small.density;
    setup
}

/// Does the same on each of them; all that differ are told at once.
async fn on_each<Played: Future<Output = Result<(), String>>>(play: impl Fn(Brand, u32) -> Played) {
    let mut wrong = Vec::new();
    for (name, brand, android) in pairs() {
        if let Err(why) = play(brand, android).await {
            wrong.push(format!("{name} with Android {android}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: T, expected: T) -> Result<(), String> {
    (is == expected)
        .then_some(())
        .ok_or_else(|| format!("{what} is {is:?}, not {expected:?}"))
}

#[test]
fn the_usual_run_meets_every_maker_and_every_android() {
    let pairs = pairs();
    for (name, _) in Brand::NAMES {
        assert!(pairs.iter().any(|pair| pair.0 == name), "{name}");
    }
    for android in 8..=16 {
        assert!(pairs.iter().any(|pair| pair.2 == android), "{android}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_phone_is_looked_at() {
    on_each(|brand, android| async move {
        let rig = Rig::pipe(setup(brand, android, SETTINGS));
        let sight = rig.phone.see().await.map_err(|why| why.to_string())?;
        same("app", sight.app.as_str(), "com.android.settings")?;
        same(
            "window",
            sight.window.as_deref(),
            Some("com.android.settings.Settings"),
        )?;
        same("size", (sight.width, sight.height), (360, 800))?;
        same("keyboard", sight.keyboard_shown, false)?;
        let tree = rig.phone.read().await.map_err(|why| why.to_string())?;
        same("tree", tree.contains("text=\"Display\""), true)?;
        let apps = rig.phone.apps().await.map_err(|why| why.to_string())?;
        same(
            "apps",
            apps.iter().any(|app| app.package == "com.greenleaf.shop"),
            true,
        )
    })
    .await;
}

/// However an Android tells of split screen, the half with the focus is in front.
#[tokio::test(start_paused = true)]
async fn every_split_screen_is_looked_at() {
    on_each(|brand, android| async move {
        let rig = Rig::pipe(setup(brand, android, SETTINGS).with(&[Fault::SplitScreen]));
        for app in ["com.android.settings", "com.android.contacts"] {
            let sight = rig.phone.see().await.map_err(|why| why.to_string())?;
            same("app", sight.app.as_str(), app)?;
            let tree = rig.phone.read().await.map_err(|why| why.to_string())?;
            let of = format!("package=\"{app}\"");
            same(
                "tree",
                tree.split("<node ").skip(1).all(|node| node.contains(&of)),
                true,
            )?;
            rig.by_hand(Command::Tap { x: 355, y: 795 }).await.unwrap();
        }
        Ok(())
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_phone_is_touched_and_let_go_of() {
    on_each(|brand, android| async move {
        let rig = Rig::pipe(setup(brand, android, SETTINGS));
        let sdk = rig.phone.device().sdk().await.ok_or("no API level")?;
        let (from, to) = ((180, 600), (180, 200));
        let done = rig.by_hand(Command::Swipe { from, to, ms: 900 }).await.unwrap();
        let plays = sdk >= ANDROID_10;
        same(
            "via",
            done.via,
            Some(if plays {
                ActMethod::MotionEvents
            } else {
                ActMethod::InputSwipe
            }),
        )?;
        same(
            "swipe",
            told(&rig.effects()).as_str(),
            "down 180,600 ~ up 180,200",
        )?;
        rig.by_hand(Command::Tap { x: 5, y: 6 }).await.unwrap();
        same("tap", told(&rig.effects()).ends_with("down 5,6 up 5,6"), true)?;
        let done = rig.by_hand(Command::DoubleTap { x: 5, y: 6 }).await.unwrap();
        same(
            "gap",
            done.gap_ms.is_some_and(|gap| (30..300).contains(&gap)),
            true,
        )?;
        // Stopped, and cut off, in the middle of one.
        for pulled in [false, true] {
            let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
            let long = Command::Swipe { from, to, ms: 3000 };
            let before = rig.effects().len();
            let work = tokio::spawn(async move { phone.by_hand(&long, &grip).await });
            rig.until(|entries| crate::rig::effects(entries.to_vec()).len() > before + 2)
                .await;
            if pulled {
                rig.handle.unplug();
                sleep(Duration::from_secs(20)).await;
                same("cut off", no_finger_is_down(&rig.handle.record().entries()), true)?;
                rig.handle.replug();
            } else {
                rig.lease.revoke();
            }
            let outcome = work.await.unwrap();
            // One whole swipe cannot be stopped on its way: it is waited for.
            same("outcome", outcome.is_err(), plays || pulled)?;
            same("drained", rig.lease.drained(Duration::from_secs(60)).await, true)?;
            same("finger", no_finger_is_down(&rig.handle.record().entries()), true)?;
        }
        if plays {
            let left = "input motionevent DOWN 50 60";
            rig.phone
                .device()
                .look(left, Duration::from_secs(5))
                .await
                .unwrap();
            same(
                "left",
                rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await,
                Ok(true),
            )?;
            same(
                "left finger",
                no_finger_is_down(&rig.handle.record().entries()),
                true,
            )?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_phone_is_written_on() {
    on_each(|brand, android| async move {
        let rig = Rig::pipe(setup(brand, android, EDITOR));
        rig.phone.use_scrcpy(None);
        let sdk = rig.phone.device().sdk().await.ok_or("no API level")?;
        rig.tap("text=\"Note\"").await;
        let field = async || {
            let tree = rig.phone.read().await.unwrap();
            value(node(&tree, "focused=\"true\""), "text").unwrap()
        };
        let done = rig
            .by_hand(Command::Text("two words, 5%so".to_owned()))
            .await
            .unwrap();
        same("seen", done.seen, None)?;
        same("field", field().await.as_str(), "two words, 5%so")?;
        let sight = rig.phone.see().await.unwrap();
        same("keyboard", sight.keyboard_shown, true)?;
        let refused = rig.by_hand(Command::Replace("é漢".to_owned())).await;
        same("refused", refused, Err(PhoneError::CannotType))?;
        same("field after that", field().await.as_str(), "two words, 5%so")?;
        rig.by_hand(Command::Replace("new".to_owned())).await.unwrap();
        same("replaced", field().await.as_str(), "new")?;
        let done = rig.by_hand(Command::ClearText).await.unwrap();
        let via = if sdk >= ANDROID_12 {
            ActMethod::SelectAll
        } else {
            ActMethod::DeleteKeys
        };
        same("via", done.via, Some(via))?;
        same("emptied", field().await.as_str(), "Note")
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn every_lock_screen_is_noticed_and_opened() {
    on_each(|brand, android| async move {
        let rig = Rig::pipe(setup(brand, android, SETTINGS));
        let is = |awake, locked| WakeState {
            awake: Some(awake),
            locked: Some(locked),
            needs_secret: Some(false),
            occluded: Some(false),
        };
        same("condition", rig.phone.condition().await.unwrap(), is(true, false))?;
        for fault in [Fault::Locked, Fault::ScreenOff, Fault::Dozing] {
            rig.handle.set_fault(fault);
            let awake = fault == Fault::Locked;
            same("condition", rig.phone.condition().await.unwrap(), is(awake, true))?;
            let sight = rig.phone.see().await.unwrap();
            same("app", sight.app.as_str(), "com.android.systemui")?;
            same(
                "woken",
                rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await,
                Ok(true),
            )?;
            same("condition", rig.phone.condition().await.unwrap(), is(true, false))?;
            same(
                "app",
                rig.phone.see().await.unwrap().app.as_str(),
                "com.android.settings",
            )?;
        }
        rig.handle.set_fault(Fault::KeyguardPin);
        same(
            "app",
            rig.phone.see().await.unwrap().app.as_str(),
            "com.android.systemui",
        )?;
        same(
            "woken",
            rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await,
            Err(PhoneError::Locked),
        )?;
        rig.handle.clear_fault(Fault::KeyguardPin);
        // What is shown over the lock screen is in front, and is not swept away by a finger.
        rig.handle.set_fault(Fault::Occluded);
        same(
            "app",
            rig.phone.see().await.unwrap().app.as_str(),
            "com.android.settings",
        )?;
        let before = rig.effects().len();
        same(
            "woken",
            rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await,
            Ok(true),
        )?;
        same("touches", told(&rig.effects()[before..]).as_str(), "")?;
        same("condition", rig.phone.condition().await.unwrap(), is(true, false))
    })
    .await;
}

/// As it comes, a maker's phone may forbid touches from outside: that is told by its name, on every Android.
#[tokio::test(start_paused = true)]
async fn a_switch_that_is_off_is_told() {
    on_each(|brand, android| async move {
        let rig = Rig::pipe(setup(brand, android, SETTINGS).with(brand.faults()));
        let tapped = rig.by_hand(Command::Tap { x: 5, y: 6 }).await;
        let forbidden = matches!(tapped, Err(PhoneError::TouchForbidden(_)));
        same("forbidden", forbidden, !brand.faults().is_empty())
    })
    .await;
}

//! A look, and whether the screen has settled.

use crate::support::{Fake, Fault, Reply};
use adb::Command;
use agent::lease::Lease;
use agent::ports::{Phone, PhoneError};
use image::ImageEncoder;
use protocol::CaptureResult;
use std::sync::Mutex;
use std::time::Duration;

/// A picture of one colour, as `screencap` prints it raw.
fn raw(width: u32, height: u32, color: [u8; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    // RGBA, sRGB.
    for word in [width, height, 1, 0x0881_0000] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend(color.repeat((width * height) as usize));
    bytes
}

fn png(width: u32, height: u32, color: [u8; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    image::codecs::png::PngEncoder::new(&mut bytes)
        .write_image(
            &color.repeat((width * height) as usize),
            width,
            height,
            image::ExtendedColorType::Rgba8,
        )
        .unwrap();
    bytes
}

const GREY: [u8; 4] = [90, 90, 90, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const FRONT: &str = "Display: mDisplayId=0\n  mCurrentFocus=Window{a1 u0 com.a/com.a.Main}\n  \
                     mFocusedApp=ActivityRecord{b2 u0 com.a/.Main t7}\n";

fn windows(flags: &str) -> String {
    format!(
        "{FRONT}  Window #2 Window{{a1 u0 com.a/com.a.Main}}:\n    package=com.a appop=NONE\n      fl={flags}\n"
    )
}

/// A phone that shows one picture.
fn showing(picture: Vec<u8>) -> Fake {
    let fake = Fake::new();
    fake.answers("screencap", Reply::says(picture).after(400))
        .answers("dumpsys window displays", Reply::says(FRONT).after(80))
        .answers(
            "dumpsys window displays; dumpsys window windows",
            Reply::says(windows("LAYOUT_IN_SCREEN")),
        )
        .answers(
            "dumpsys input_method",
            Reply::says("  mInputShown=true\n").after(60),
        );
    fake
}

#[tokio::test(start_paused = true)]
async fn one_look_tells_picture_app_and_keyboard() {
    let fake = showing(raw(40, 80, GREY));
    let before = fake.clock();
    let sight = fake.phone().see().await.unwrap();
    assert_eq!(
        (sight.capture, sight.width, sight.height),
        (CaptureResult::Ok, 40, 80)
    );
    assert_eq!(
        (sight.app.as_str(), sight.window.as_deref()),
        ("com.a", Some("com.a.Main"))
    );
    assert!(sight.keyboard_shown && sight.quiet);
    assert_eq!(sight.frame.unwrap().rgba[..4], GREY);
    assert_eq!(fake.commands().len(), 2, "two shells: {:?}", fake.commands());
    assert!((fake.clock() - before).as_millis() < 450, "side by side");
}

/// Every form of a picture, and every way it can be less than one.
#[tokio::test(start_paused = true)]
async fn a_picture_counts_only_when_it_is_whole() {
    let whole = raw(40, 80, GREY);
    let older = [&whole[..12], &whole[16..]].concat();
    let warned = [
        b"[Warning] Multiple displays were found.\nSee \"dumpsys\".\n".as_slice(),
        &whole,
    ]
    .concat();
    let mut packed = Vec::new();
    for word in [40_u32, 80, 4] {
        packed.extend_from_slice(&word.to_le_bytes());
    }
    packed.extend([0xff_u8, 0xff].repeat(40 * 80));
    for good in [whole.clone(), older, warned.clone(), packed] {
        let sight = showing(good).phone().see().await.unwrap();
        assert_eq!(
            (sight.capture, sight.width, sight.height),
            (CaptureResult::Ok, 40, 80)
        );
    }
    let mut odd_format = whole.clone();
    odd_format[8] = 99;
    for bad in [
        Vec::new(),
        b"Failed to take screenshot. Status: -1\n".to_vec(),
        whole[..whole.len() - 1].to_vec(),
        whole[..20].to_vec(),
        [whole.as_slice(), b"\n"].concat(),
        warned[..warned.len() - 4].to_vec(),
        odd_format,
        [
            u32::MAX.to_le_bytes(),
            u32::MAX.to_le_bytes(),
            1_u32.to_le_bytes(),
        ]
        .concat(),
        png(40, 80, GREY)[..60].to_vec(),
    ] {
        let fake = showing(bad.clone());
        fake.answers(
            "wm size",
            Reply::says("Physical size: 1080x2400\n  SurfaceOrientation: 1\n"),
        );
        let sight = fake.phone().see().await.unwrap();
        assert_eq!(
            (sight.capture, sight.frame),
            (CaptureResult::Failed, None),
            "{} bytes",
            bad.len()
        );
        assert_eq!((sight.width, sight.height), (2400, 1080), "turned");
    }
}

#[tokio::test(start_paused = true)]
async fn a_png_is_the_second_way_and_is_kept() {
    let fake = showing(b"nothing raw".to_vec());
    let with_warning = include_bytes!("../data/cap_01_multi_display_warning.txt");
    let warning = &with_warning[..with_warning
        .windows(4)
        .position(|four| four == b"\x89PNG")
        .unwrap()];
    let picture = [warning, &png(40, 80, GREY)].concat();
    fake.answers("screencap -p", Reply::says(picture).after(900));
    let phone = fake.phone();
    assert_eq!(phone.see().await.unwrap().capture, CaptureResult::Ok);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(phone.see().await.unwrap().width, 40);
    assert_eq!(
        fake.commands_like("screencap"),
        ["screencap", "screencap -p", "screencap -p"]
    );
}

#[tokio::test(start_paused = true)]
async fn failed_black_and_protected_are_three_things() {
    let black = showing(raw(40, 80, BLACK));
    assert_eq!(black.phone().see().await.unwrap().capture, CaptureResult::Black);

    let secure = || Reply::says(windows("LAYOUT_IN_SCREEN SECURE"));
    let hidden = showing(raw(40, 80, BLACK));
    hidden.answers("dumpsys window displays; dumpsys window windows", secure());
    let sight = hidden.phone().see().await.unwrap();
    assert_eq!(sight.capture, CaptureResult::Protected);
    assert!(sight.frame.is_some());

    // Its keyboard can be seen, itself it hides.
    let mut half = raw(40, 80, BLACK);
    half[16 + 40 * 40 * 4..].fill(200);
    let half_hidden = showing(half.clone());
    half_hidden.answers("dumpsys window displays; dumpsys window windows", secure());
    assert_eq!(
        half_hidden.phone().see().await.unwrap().capture,
        CaptureResult::Protected
    );
    assert_eq!(
        showing(half).phone().see().await.unwrap().capture,
        CaptureResult::Ok,
        "a dark app"
    );

    // A bright picture of a window that forbids it is a picture all the same.
    let bright = showing(raw(40, 80, GREY));
    bright.answers("dumpsys window displays; dumpsys window windows", secure());
    assert_eq!(bright.phone().see().await.unwrap().capture, CaptureResult::Ok);

    let refused = showing(b"Failed to take screenshot. Status: -1\n".to_vec());
    refused
        .answers("dumpsys window displays; dumpsys window windows", secure())
        .answers("wm size", Reply::says("Physical size: 40x80\n"));
    let sight = refused.phone().see().await.unwrap();
    assert_eq!((sight.capture, sight.frame), (CaptureResult::Protected, None));
}

#[tokio::test(start_paused = true)]
async fn the_app_is_found_in_the_words_of_older_phones_or_is_unknown() {
    let nine = showing(raw(40, 80, GREY));
    nine.answers(
        "dumpsys window",
        Reply::says(include_str!("../data/focus_15_mms_apptoken.txt")),
    )
    .answers(
        "dumpsys window displays",
        Reply::says("WINDOW MANAGER DISPLAY CONTENTS\n"),
    );
    let phone = nine.phone();
    for _ in 0..2 {
        assert_eq!(phone.see().await.unwrap().app, "com.android.mms");
    }
    assert_eq!(
        nine.commands_like("dumpsys window displays").len(),
        1,
        "asked in vain once"
    );

    let activities = showing(raw(40, 80, GREY));
    activities
        .answers("dumpsys window", Reply::says("Can't find service: window\n"))
        .answers(
            "dumpsys activity activities",
            Reply::says(include_str!("../data/focus_06_resumed_only.txt")),
        );
    assert_eq!(
        activities.phone().see().await.unwrap().app,
        "com.google.android.tvlauncher"
    );

    let silent = showing(raw(40, 80, GREY));
    silent.answers("dumpsys", Reply::fails(1, "Can't find service\n"));
    let sight = silent.phone().see().await.unwrap();
    assert_eq!(
        (sight.app.as_str(), sight.window, sight.keyboard_shown),
        ("unknown", None, false)
    );
}

/// A window may call itself what it likes; its owner is the system's word.
#[tokio::test(start_paused = true)]
async fn a_window_with_another_apps_name_is_its_owners() {
    let disputed = "mCurrentFocus=Window{a1 u0 com.bank/com.bank.Main}\nmFocusedApp=ActivityRecord{b2 u0 com.evil/.X t7}\n";
    let fake = showing(raw(40, 80, GREY));
    fake.answers("dumpsys window displays", Reply::says(disputed))
        .answers(
            "dumpsys window windows",
            Reply::says(
                "  Window #1 Window{a1 u0 com.bank/com.bank.Main}:\n    package=com.evil appop=NONE\n",
            ),
        );
    let sight = fake.phone().see().await.unwrap();
    assert_eq!(
        (sight.app.as_str(), sight.window.as_deref()),
        ("com.evil", Some("com.bank/com.bank.Main"))
    );
    // Between two apps: the window is the old one's still.
    fake.answers(
        "dumpsys window windows",
        Reply::says("  Window #1 Window{a1 u0 com.bank/com.bank.Main}:\n    package=com.bank appop=NONE\n"),
    );
    assert_eq!(fake.phone().see().await.unwrap().app, "com.bank");
}

/// A window that is no app's may be the lock screen: where the list of windows does not tell, the policy does.
#[tokio::test(start_paused = true)]
async fn a_covered_app_is_asked_about() {
    let shade =
        "mCurrentFocus=Window{a1 u0 NotificationShade}\nmFocusedApp=ActivityRecord{b2 u0 com.a/.X t7}\n";
    for (policy, app) in [
        (
            "KeyguardServiceDelegate\n  showing=true\n  occluded=false\n",
            "com.android.systemui",
        ),
        (
            "KeyguardServiceDelegate\n  showing=true\n  occluded=true\n",
            "com.a",
        ),
        ("KeyguardServiceDelegate\n  showing=false\n", "com.a"),
        ("", "com.a"),
    ] {
        let fake = showing(raw(40, 80, GREY));
        fake.answers("dumpsys window displays", Reply::says(shade))
            .answers("dumpsys window policy", Reply::says(policy));
        assert_eq!(fake.phone().see().await.unwrap().app, app, "{policy}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_cannot_be_asked_is_an_error_not_a_picture() {
    for fault in [Fault::Absent, Fault::Wedged, Fault::Unplugged] {
        let fake = showing(raw(40, 80, GREY));
        fake.fault(fault);
        let phone = fake.phone();
        let told = [
            phone.see().await.map(drop),
            phone.settle(Duration::from_secs(1)).await.map(drop),
            phone.read().await.map(drop),
            phone.apps().await.map(drop),
        ];
        for told in told {
            let is_named = match fault {
                Fault::Unplugged => matches!(told, Err(PhoneError::Gone(_))),
                _ => matches!(told, Err(PhoneError::NoServer(_))),
            };
            assert!(is_named, "{fault:?}: {told:?}");
        }
    }
}

/// A phone whose screen shows these one after the other, the last for ever.
fn playing(pictures: Vec<Vec<u8>>) -> Fake {
    let fake = showing(Vec::new());
    let mut left = pictures.into_iter();
    let last = Mutex::new((left.next().unwrap(), left));
    fake.on(move |line| {
        (line == "screencap").then(|| {
            let mut state = last.lock().unwrap();
            let now = state.0.clone();
            if let Some(next) = state.1.next() {
                state.0 = next;
            }
            Reply::says(now).after(50)
        })
    });
    fake
}

fn grey(shade: u8) -> Vec<u8> {
    raw(100, 200, [shade, shade, shade, 255])
}

#[tokio::test(start_paused = true)]
async fn a_screen_has_settled_when_two_pictures_are_the_same() {
    let fake = playing(vec![grey(1), grey(2), grey(3), grey(4)]);
    let sight = fake.phone().settle(Duration::from_secs(5)).await.unwrap();
    assert!(sight.quiet);
    assert_eq!(sight.frame.unwrap().rgba[0], 4);
    assert_eq!(fake.commands_like("screencap").len(), 5);
    assert_eq!(sight.app, "com.a");
}

#[tokio::test(start_paused = true)]
async fn a_screen_that_never_settles_is_left_in_time() {
    let fake = playing((0..=250).map(grey).collect());
    let before = fake.clock();
    let sight = fake.phone().settle(Duration::from_secs(2)).await.unwrap();
    assert!(!sight.quiet && sight.frame.is_some());
    assert!((fake.clock() - before).as_millis() < 2400);
}

#[tokio::test(start_paused = true)]
async fn clock_and_caret_do_not_count() {
    let paint = |at: [usize; 2], size: [usize; 2]| {
        let mut picture = grey(90);
        for y in at[1]..at[1] + size[1] {
            let start = 16 + (y * 100 + at[0]) * 4;
            picture[start..start + size[0] * 4].fill(7);
        }
        picture
    };
    for (at, size, counts) in [
        ([0, 0], [100, 7], false),
        ([50, 100], [2, 9], false),
        ([50, 100], [2, 30], true),
        ([50, 100], [20, 2], true),
        ([0, 190], [100, 10], true),
    ] {
        // Blinking for ever.
        let pictures = (0..200).map(|n| if n % 2 == 0 { grey(90) } else { paint(at, size) });
        let fake = playing(pictures.collect());
        let sight = fake.phone().settle(Duration::from_secs(2)).await.unwrap();
        assert_eq!(sight.quiet, !counts, "{at:?} {size:?}");
    }
}

/// What was seen before a touch is not what there is after it.
#[tokio::test(start_paused = true)]
async fn a_look_after_a_touch_is_a_new_one() {
    let fake = playing(vec![grey(10), grey(20), grey(30)]);
    let phone = fake.phone();
    let shade = |sight: agent::ports::RawObservation| sight.frame.unwrap().rgba[0];
    assert_eq!(shade(phone.see().await.unwrap()), 10);
    assert_eq!(shade(phone.see().await.unwrap()), 10, "of a moment ago");
    let lease = Lease::new();
    phone
        .by_hand(&Command::Tap { x: 1, y: 1 }, &lease.take())
        .await
        .unwrap();
    assert_eq!(shade(phone.see().await.unwrap()), 20);
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(shade(phone.see().await.unwrap()), 30, "not of five seconds ago");
}

#[tokio::test(start_paused = true)]
async fn apps_are_listed_by_what_has_an_icon() {
    let fake = Fake::new();
    fake.answers(
        "cmd package query-activities",
        Reply::says(
            "2 activities found:\r\n  Activity #0:\r\n    priority=0 preferredOrder=0 match=0x108000\r\n    \
             com.android.settings/.Settings\r\n  Activity #1:\r\n    com.google.android.GoogleCamera/com.android.camera.Main\r\n",
        ),
    );
    let apps = fake.phone().apps().await.unwrap();
    let shown: Vec<(&str, &str)> = apps
        .iter()
        .map(|app| (app.label.as_str(), app.package.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            ("Camera", "com.google.android.GoogleCamera"),
            ("Settings", "com.android.settings")
        ]
    );
    let old = Fake::new();
    old.answers(
        "pm list packages",
        Reply::says(include_str!("../data/pkg_01_mixed_cr.txt")),
    );
    assert_eq!(old.phone().apps().await.unwrap().len(), 7);
}

#[tokio::test(start_paused = true)]
async fn a_phones_condition_is_told_where_it_is_known() {
    let fake = Fake::new();
    fake.answers(
        "dumpsys power",
        Reply::says(include_str!("../data/power_06_oem_format.txt")),
    )
    .answers(
        "dumpsys window policy",
        Reply::says(include_str!("../data/lock_01_keyguard_delegate_off.txt")),
    );
    let condition = fake.phone().condition().await.unwrap();
    assert_eq!((condition.awake, condition.locked), (Some(true), Some(false)));
}

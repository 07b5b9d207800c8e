//! What is seen: the picture, what stands in front, the tree, the apps.

use crate::rig::{Rig, Setup, middle, node, small, value};
use adb::Command;
use adb::WakeState;
use agent::ports::{Phone, PhoneError};
use protocol::CaptureResult;
use secrecy::SecretString;
use std::time::Duration;
use virtual_phone::Fault;
use virtual_phone::system::{Injection, InjectionSite, SystemOptions};

/// What a look is expected to say.
#[derive(Debug, PartialEq)]
struct Seen {
    capture: CaptureResult,
    size: (u32, u32),
    app: String,
    window: Option<String>,
    keyboard: bool,
}

async fn check(
    setup: Setup,
    capture: CaptureResult,
    size: (u32, u32),
    app: &str,
    window: &str,
    keyboard: bool,
) {
    let rig = Rig::socket(setup).await;
    let sight = rig.phone.see().await.unwrap();
    let seen = Seen {
        capture: sight.capture,
        size: (sight.width, sight.height),
        app: sight.app.clone(),
        window: sight.window.clone(),
        keyboard: sight.keyboard_shown,
    };
    let expected = Seen {
        capture,
        size,
        app: app.to_owned(),
        window: Some(window.to_owned()),
        keyboard,
    };
    assert_eq!(seen, expected);
    if capture == CaptureResult::Ok {
        // The picture is the phone's own, pixel for pixel.
        let own = rig.handle.with(|android| android.picture());
        let frame = sight.frame.unwrap();
        assert_eq!((own.width, own.height), (frame.width, frame.height));
        assert!(own.rgba == frame.rgba, "other pixels");
    }
}

#[tokio::test]
async fn a_look_tells_what_stands_in_front() {
    let upright = (360, 800);
    let settings = |options: SystemOptions| Setup {
        options: SystemOptions {
            start: Some("com.android.settings/.Settings".to_owned()),
            ..options
        },
        ..Setup::at("")
    };
    for (setup, capture, size, app, window, keyboard) in [
        (
            Setup::at(""),
            CaptureResult::Ok,
            upright,
            "com.android.launcher3",
            "com.android.launcher3.uioverrides.QuickstepLauncher",
            false,
        ),
        (
            Setup::at("com.android.notes/.EditorActivity"),
            CaptureResult::Ok,
            upright,
            "com.android.notes",
            "com.android.notes.EditorActivity",
            true,
        ),
        (
            settings(SystemOptions {
                rotation: 1,
                ..small()
            }),
            CaptureResult::Ok,
            (800, 360),
            "com.android.settings",
            "com.android.settings.Settings",
            false,
        ),
        (
            settings(SystemOptions {
                rotation: 3,
                dark: true,
                ..small()
            }),
            CaptureResult::Ok,
            (800, 360),
            "com.android.settings",
            "com.android.settings.Settings",
            false,
        ),
        (
            Setup::at("com.android.settings/.Settings").with(&[Fault::NoShellV2]),
            CaptureResult::Ok,
            upright,
            "com.android.settings",
            "com.android.settings.Settings",
            false,
        ),
        (
            Setup::at("com.android.settings/.Settings").with(&[Fault::CaptureWarning]),
            CaptureResult::Ok,
            upright,
            "com.android.settings",
            "com.android.settings.Settings",
            false,
        ),
        (
            Setup::at("com.android.settings/.Settings").with(&[Fault::BlackCapture]),
            CaptureResult::Black,
            upright,
            "com.android.settings",
            "com.android.settings.Settings",
            false,
        ),
        (
            Setup::at("com.android.settings/.Settings").with(&[Fault::Locked]),
            CaptureResult::Ok,
            upright,
            "com.android.systemui",
            "NotificationShade",
            false,
        ),
    ] {
        check(setup, capture, size, app, window, keyboard).await;
    }
}

#[tokio::test]
async fn the_phones_condition_is_known() {
    for (faults, awake, locked) in [
        (&[][..], true, false),
        (&[Fault::Locked], true, true),
        (&[Fault::ScreenOff], false, true),
    ] {
        let rig = Rig::socket(Setup::at("").with(faults)).await;
        let expected = WakeState {
            awake: Some(awake),
            locked: Some(locked),
            needs_secret: Some(false),
            occluded: Some(false),
        };
        assert_eq!(rig.phone.condition().await.unwrap(), expected, "{faults:?}");
    }
}

#[tokio::test]
async fn a_tree_is_read_whole() {
    let hostile = "</hierarchy> \"quoted\" <node text='x'> & 文字 🎉 %s\u{7}";
    let rig = Rig::socket(Setup {
        options: SystemOptions {
            start: Some("com.android.messaging/.ui.conversationlist.ConversationListActivity".to_owned()),
            injections: vec![Injection {
                place: InjectionSite::Message,
                text: hostile.to_owned(),
            }],
            ..small()
        },
        ..Setup::at("")
    })
    .await;
    let tree = rig.phone.read().await.unwrap().xml;
    assert!(
        tree.starts_with("<?xml") && tree.ends_with("</hierarchy>"),
        "{tree}"
    );
    assert_eq!(tree.matches("<hierarchy").count(), 1);
    let told = tree
        .split("<node ")
        .filter_map(|node| value(node, "text"))
        .any(|text| text.contains("文字 🎉 %s") && text.contains("</hierarchy> \"quoted\""));
    assert!(told, "{tree}");
    // The file it was written to is gone again.
    let left = rig
        .by_hand(Command::Shell(vec![
            "ls".to_owned(),
            "/data/local/tmp".to_owned(),
        ]))
        .await
        .unwrap();
    assert_eq!(left.output.as_deref(), Some(""));
}

/// A page that hides its screen is *protected*, not black, and its tree is read all the same.
#[tokio::test]
async fn a_protected_page_is_told_from_a_black_one() {
    let mut setup = Setup::at("com.northbank.mobile/.ConfirmCodeActivity");
    setup.options.message_delay = Duration::ZERO;
    let rig = Rig::socket(setup).await;
    let messages = rig.handle.state()["messages"]["received"].to_string();
    let code: String = messages
        .split(|c: char| !c.is_ascii_digit())
        .find(|digits| digits.len() == 6)
        .unwrap_or_else(|| panic!("{messages}"))
        .to_owned();
    rig.tap("content-desc=\"6-digit code\"").await;
    let typed = rig
        .phone
        .type_secret(
            &SecretString::from(code),
            &crate::judged::secret(),
            &rig.lease.take(),
        )
        .await
        .unwrap();
    assert_eq!(typed.output, None);
    rig.tap("text=\"Confirm\"").await;
    assert_eq!(rig.handle.state()["northbank"]["signedIn"], true);
    rig.tap("text=\"Account details\"").await;
    let sight = rig.phone.see().await.unwrap();
    assert_eq!(
        (sight.capture, sight.window.as_deref()),
        (
            CaptureResult::Protected,
            Some("com.northbank.mobile.AccountActivity")
        )
    );
    assert!(
        rig.phone
            .read()
            .await
            .unwrap()
            .contains("package=\"com.northbank.mobile\"")
    );
    // Both are black to the last pixel; what was judged a moment ago holds for a moment.
    rig.handle.set_fault(Fault::ScreenOff);
    let black = |picture: &Option<std::sync::Arc<adb::Picture>>| {
        picture
            .as_ref()
            .is_some_and(|picture| picture.capture == CaptureResult::Black)
    };
    let mut captures = rig.phone.captures().watch();
    tokio::time::timeout(Duration::from_secs(60), captures.wait_for(black))
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn apps_are_those_with_an_icon() {
    for faults in [&[][..], &[Fault::NoShellV2]] {
        let rig = Rig::socket(Setup::at("").with(faults)).await;
        let apps = rig.phone.apps().await.unwrap();
        let mut own: Vec<String> = rig
            .handle
            .with(|android| android.packages())
            .into_iter()
            .filter_map(|package| package.launcher)
            .map(|launcher| launcher.package)
            .collect();
        let mut told: Vec<String> = apps.iter().map(|app| app.package.clone()).collect();
        own.sort();
        told.sort();
        assert_eq!(told, own);
        for (package, label) in [
            ("com.greenleaf.shop", "Greenleaf"),
            ("com.northbank.mobile", "Northbank"),
            ("com.android.settings", "Settings"),
        ] {
            let app = apps.iter().find(|app| app.package == package).unwrap();
            assert_eq!(app.label, label);
        }
    }
}

/// What a tap changed is in the next look, and a screen comes to rest.
#[tokio::test]
async fn what_was_done_is_seen() {
    let rig = Rig::socket(Setup::at("com.android.settings/.Settings")).await;
    let mut captures = rig.phone.captures().watch();
    let before = rig.phone.see().await.unwrap();
    let tree = rig.phone.read().await.unwrap().xml;
    let (x, y) = middle(&tree, "text=\"Battery\"");
    assert_eq!(
        value(node(&tree, "text=\"Battery\""), "package").unwrap(),
        "com.android.settings"
    );
    rig.by_hand(Command::Tap { x, y }).await.unwrap();
    let after = rig.phone.settle(Duration::from_secs(20)).await.unwrap();
    assert!(after.quiet);
    assert!(after.frame != before.frame, "the same picture");
    assert_eq!(
        after.window.as_deref(),
        Some("com.android.settings.Settings$PowerUsageSummaryActivity")
    );
    // The mirror sees it too.
    let own = rig.handle.with(|android| android.picture()).rgba;
    let seen = |picture: &Option<std::sync::Arc<adb::Picture>>| {
        let frame = picture.as_ref().and_then(|picture| picture.frame.as_ref());
        frame.is_some_and(|frame| frame.rgba == own)
    };
    tokio::time::timeout(Duration::from_secs(60), captures.wait_for(seen))
        .await
        .unwrap()
        .unwrap();
}

/// A folded phone's first panel is off. Up to Android 12 nothing says that there is another: a black picture has it asked.
#[tokio::test(start_paused = true)]
async fn a_folded_phone_is_seen_on_the_panel_that_is_lit() {
    for sdk in [31, 34] {
        let mut setup = Setup::at("com.android.settings/.Settings")
            .with(&[Fault::Folded])
            .slow();
        setup.options.profile.phone.sdk = sdk;
        let rig = Rig::pipe(setup);
        let sight = rig.phone.see().await.unwrap();
        assert_eq!(sight.capture, CaptureResult::Ok, "Android of API {sdk}");
        // Opened, it is seen on the other.
        rig.handle.clear_fault(Fault::Folded);
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(
            rig.phone.see().await.unwrap().capture,
            CaptureResult::Ok,
            "API {sdk}"
        );
    }
}

/// A screen that never rests gives no tree, and says why; the picture is there.
#[tokio::test(start_paused = true)]
async fn a_screen_that_never_rests_has_no_tree() {
    let mut setup = Setup::at("com.android.settings/.Settings").slow();
    setup.options.endless_animation = true;
    let rig = Rig::pipe(setup);
    assert_eq!(rig.phone.see().await.unwrap().capture, CaptureResult::Ok);
    let why = "the screen does not come to rest".to_owned();
    assert_eq!(rig.phone.read().await, Err(PhoneError::Tree(why)));
    let moving = rig.phone.settle(Duration::from_secs(3)).await.unwrap();
    assert!(!moving.quiet);
}

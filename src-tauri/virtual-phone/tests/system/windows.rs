//! Windows, tasks, the keyboard, rotation, settings.

use crate::hand::Hand;
use serde_json::json;
use virtual_phone::android::{Android, Display};
use virtual_phone::system::{SystemOptions, demo_profiles};

fn titles(hand: &Hand) -> Vec<(String, bool)> {
    hand.phone
        .windows()
        .into_iter()
        .map(|window| (window.title, window.focused))
        .collect()
}

#[test]
fn windows_are_listed_from_the_top() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.android.messaging\ntap Dana Whitlock\ntap Text message");
    let conversation = "com.android.messaging/com.android.messaging.ui.conversation.ConversationActivity";
    let expected = [
        ("NavigationBar0", false),
        ("StatusBar", false),
        ("InputMethod", false),
        (conversation, true),
        ("com.android.systemui.wallpapers.ImageWallpaper", false),
    ];
    assert_eq!(
        titles(&hand),
        expected.map(|(title, focused)| (title.to_owned(), focused))
    );
    hand.key("NOTIFICATION");
    assert!(titles(&hand).contains(&("NotificationShade".to_owned(), true)));
    let app = hand.phone.focused_app().unwrap();
    assert_eq!(
        (app.package.as_str(), app.class.as_str()),
        conversation.split_once('/').unwrap(),
        "also under an overlay"
    );
}

#[test]
fn dialogs_and_menus_are_windows_of_their_own() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.android.notes\ntap Sort order");
    assert!(
        titles(&hand)
            .iter()
            .any(|(title, focused)| title.starts_with("PopupWindow:") && *focused)
    );
    hand.play("key BACK\nopen com.android.camera2");
    let grant = "com.android.permissioncontroller/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";
    assert!(titles(&hand).contains(&(grant.to_owned(), true)));
}

#[test]
fn the_permission_dialog_has_the_platforms_ids() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.open("com.android.camera2");
    for id in [
        "permission_message",
        "permission_allow_foreground_only_button",
        "permission_allow_one_time_button",
        "permission_deny_button",
    ] {
        let node = hand.must_find(&format!("com.android.permissioncontroller:id/{id}"));
        assert_eq!(node.get("package"), "com.android.permissioncontroller");
    }
}

#[test]
fn the_keyboard_pushes_up_what_is_written_in() {
    let hand = Hand::at("com.northbank.mobile/.TransferActivity");
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.northbank.mobile.SignInActivity"),
        "who is not signed in signs in"
    );
    let mut hand = Hand::new(SystemOptions {
        rotation: 1,
        ..SystemOptions::default()
    });
    hand.play("open com.android.contacts\ntap Create contact\nkey ENTER");
    let field = hand.must_find("com.android.contacts:id/phone");
    let keyboard = hand
        .phone
        .windows()
        .into_iter()
        .find(|window| window.title == "InputMethod")
        .unwrap();
    assert!(field.is("focused"));
    assert!(
        field.bounds[3] <= keyboard.frame.1,
        "{:?} is above {:?}",
        field.bounds,
        keyboard.frame
    );
}

/// On a phone that lies on its side, however long the message.
#[test]
fn the_keyboard_leaves_send_in_sight() {
    for (size, density) in [
        ((1080, 2400), 420),
        ((720, 1280), 320),
        ((720, 1280), 300),
        ((720, 1280), 280),
        ((1080, 1920), 480),
        ((480, 854), 214),
    ] {
        let mut options = SystemOptions {
            rotation: 1,
            ..SystemOptions::default()
        };
        options.profile.phone.size = size;
        options.profile.phone.density = density;
        let mut hand = Hand::new(options);
        hand.play("open com.android.messaging\ntap Dana Whitlock\ntap Text message");
        for words in [
            "On my way",
            "Running about ten minutes late, sorry! Want me to bring you a coffee? Or anything \
                       else from the bakery, while I am there? They have the almond ones today, and the plain ones.",
        ] {
            hand.play(&format!("write {words}"));
            let send = hand.must_find("com.android.messaging:id/send_message_button");
            let field = hand.must_find("com.android.messaging:id/compose_message_text");
            let title = hand.must_find("com.android.messaging:id/conversation_title");
            let windows = hand.phone.windows();
            let keyboard = windows
                .iter()
                .find(|window| window.title == "InputMethod")
                .unwrap();
            let what = format!(
                "{size:?}: {:?} {:?} {:?}",
                send.bounds, field.bounds, keyboard.frame
            );
            assert!(send.bounds[3] <= keyboard.frame.1, "{what}");
            assert!(field.bounds[3] <= keyboard.frame.1, "{what}");
            assert!(title.bounds[3] <= field.bounds[1], "{what}");
        }
        let before = hand.state("/messages/sent").as_array().map_or(0, Vec::len);
        hand.tap("Send SMS");
        assert_eq!(
            hand.state("/messages/sent").as_array().map_or(0, Vec::len),
            before + 1,
            "{size:?}"
        );
    }
}

#[test]
fn the_keyboard_goes_with_its_field() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.android.settings\ntap Search settings");
    assert!(hand.phone.keyboard().shown);
    hand.tap("Back");
    assert!(!hand.phone.keyboard().shown);
    assert_eq!(
        hand.phone.keyboard().ime,
        "com.android.inputmethod.latin/.LatinIME"
    );
    hand.phone
        .put_setting("secure", "enabled_input_methods", Some("a/.B:c/.D"));
    hand.phone
        .put_setting("secure", "default_input_method", Some("c/.D"));
    assert_eq!(
        (
            hand.phone.keyboard().ime.as_str(),
            hand.phone.keyboard().enabled.len()
        ),
        ("c/.D", 2)
    );
}

#[test]
fn rotation_follows_the_settings_and_lays_everything_out_anew() {
    let mut hand = Hand::at("com.android.settings/.Settings");
    hand.phone.put_setting("system", "user_rotation", Some("1"));
    assert_eq!(
        hand.phone.display().rotation,
        0,
        "auto-rotation is on, and the phone lies upright"
    );
    hand.phone
        .put_setting("system", "accelerometer_rotation", Some("0"));
    assert_eq!(
        hand.phone.display(),
        Display {
            width: 2400,
            height: 1080,
            rotation: 1,
            density: 420
        }
    );
    let row = hand.must_find("com.android.settings:id/search_bar").bounds;
    assert!(
        row[2] > 2000 && row[0] > 126,
        "wide, and away from the camera hole: {row:?}"
    );
    let picture = hand.phone.picture();
    assert_eq!(
        (picture.width, picture.height, picture.rgba.len()),
        (2400, 1080, 2400 * 1080 * 4)
    );
    hand.phone.put_setting("system", "user_rotation", Some("2"));
    assert_eq!(
        hand.phone.display(),
        Display {
            width: 1080,
            height: 2400,
            rotation: 2,
            density: 420
        }
    );
    hand.phone
        .put_setting("system", "accelerometer_rotation", Some("1"));
    assert_eq!(hand.phone.display().rotation, 0);
}

#[test]
fn size_and_density_can_be_overridden_as_wm_does() {
    let mut hand = Hand::at("com.android.settings/.Settings");
    hand.phone
        .put_setting("global", "display_size_forced", Some("720,1600"));
    hand.phone
        .put_setting("secure", "display_density_forced", Some("320"));
    assert_eq!(
        hand.phone.display(),
        Display {
            width: 720,
            height: 1600,
            rotation: 0,
            density: 320
        }
    );
    assert_eq!(hand.nodes()[0].bounds, [0, 0, 720, 1600]);
    hand.phone
        .put_setting("global", "display_size_forced", Some("nonsense"));
    hand.phone.put_setting("secure", "display_density_forced", None);
    assert_eq!(
        hand.phone.display(),
        Display {
            width: 1080,
            height: 2400,
            rotation: 0,
            density: 420
        }
    );
}

#[test]
fn settings_are_told_set_and_deleted() {
    let mut hand = Hand::new(SystemOptions::default());
    assert_eq!(
        hand.phone.setting("global", "device_name").as_deref(),
        Some("Anna’s Pixel")
    );
    assert_eq!(hand.phone.setting("nowhere", "x"), None);
    hand.phone.put_setting("global", "my_value", Some("7"));
    assert!(
        hand.phone
            .settings("global")
            .contains(&("my_value".to_owned(), "7".to_owned()))
    );
    hand.phone.put_setting("global", "my_value", None);
    assert_eq!(hand.phone.setting("global", "my_value"), None);
    hand.phone.put_setting("global", "low_power", Some("1"));
    assert_eq!(hand.state("/settings/batterySaver"), json!(true));
    hand.phone.put_setting("secure", "ui_night_mode", Some("2"));
    assert_eq!(hand.state("/settings/darkTheme"), json!(true));
}

#[test]
fn recent_apps_are_brought_back_as_they_were_and_closed_by_pushing_up() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.android.settings\ntap Battery\nopen com.android.notes\nkey RECENTS\nsee Notes");
    let (x, y) = hand.must_find("Notes").center();
    hand.swipe((x, y + 600.0), (x, y), 300);
    hand.play("miss Notes\ntap Settings");
    assert!(
        hand.state("/screen/class")
            .to_string()
            .contains("PowerUsageSummary")
    );
    hand.play("key RECENTS\ntap Clear all\nkey RECENTS\nsee No recent items");
}

#[test]
fn leaving_an_app_keeps_it_and_stopping_it_does_not() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.android.settings\ntap Battery\nkey HOME\nopen com.android.settings");
    assert!(
        hand.state("/screen/class")
            .to_string()
            .contains("PowerUsageSummary")
    );
    hand.phone.force_stop("com.android.settings");
    assert_eq!(hand.state("/screen/package"), json!("com.android.launcher3"));
    hand.open("com.android.settings");
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.settings.Settings")
    );
    hand.phone.force_stop("com.android.launcher3");
    hand.key("HOME");
    assert_eq!(
        hand.state("/screen/package"),
        json!("com.android.launcher3"),
        "home comes up again"
    );
}

#[test]
fn the_question_about_debugging_is_asked_and_answered() {
    for (tap, answer) in [("Allow", true), ("Cancel", false)] {
        let [.., nexus] = demo_profiles();
        let mut hand = Hand::new(SystemOptions::of(nexus));
        assert_eq!(hand.phone.debugging_answer(), None);
        hand.phone
            .ask_debugging("4F:1C:9A:E2:07:B3:5D:88:21:FA:60:3E:C4:97:0B:D5");
        assert_eq!(hand.phone.debugging_answer(), None);
        hand.play("see Allow USB debugging?\nsee The computer’s RSA key fingerprint is:");
        assert!(hand.must_find("Always allow from this computer").is("checked"));
        hand.tap(tap);
        assert_eq!(hand.phone.debugging_answer(), Some(answer));
        assert_eq!(hand.state("/usbDebugging"), json!(answer));
    }
}

#[test]
fn the_log_tells_what_was_started_and_nothing_that_was_written() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 2000\ntap 6-digit code");
    let code = hand.code();
    hand.write(&code);
    let log = hand.phone.log();
    assert_eq!(log[0], "--------- beginning of main");
    assert!(
        log.iter().any(|line| line.starts_with("05-14 09:41:00.")
            && line.contains("I ActivityTaskManager: START u0 {cmp=com.northbank.mobile/")),
        "{log:#?}"
    );
    assert!(!log.iter().any(|line| line.contains(&code)), "{log:#?}");
}

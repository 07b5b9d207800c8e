//! The exact form of what `uiautomator dump` writes.

use crate::hand::{Hand, read};
use virtual_phone::android::{Android, NoHierarchy};
use virtual_phone::system::{Injection, InjectionSite, SystemOptions};

/// AOSP 14's attributes in its order; `NAF` comes before them where it is written.
const ATTRIBUTES: [&str; 17] = [
    "index",
    "text",
    "resource-id",
    "class",
    "package",
    "content-desc",
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "scrollable",
    "long-clickable",
    "password",
    "selected",
    "bounds",
];

#[test]
fn the_document_begins_and_ends_as_the_platform_writes_it() {
    let xml = Hand::at("com.android.settings/.Settings").xml();
    assert!(xml.starts_with(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\""
    ));
    assert!(xml.ends_with("</node></hierarchy>"));
    assert!(!xml.contains('\n'), "one line, as on a phone");
    assert!(xml.contains(" />"), "empty elements end with a blank and a slash");
}

#[test]
fn attributes_stand_in_the_platforms_order() {
    for component in [
        "com.android.settings/.Settings",
        "com.android.notes/.MainActivity",
        "com.android.maps/.MapsActivity",
    ] {
        for node in Hand::at(component).nodes() {
            let names: Vec<&str> = node
                .names
                .iter()
                .map(String::as_str)
                .filter(|name| *name != "NAF")
                .collect();
            assert_eq!(names, ATTRIBUTES);
            assert!(
                node.names
                    .iter()
                    .position(|name| name == "NAF")
                    .is_none_or(|at| at == 0)
            );
        }
    }
}

#[test]
fn a_row_is_clickable_and_its_words_are_in_its_children() {
    let mut hand = Hand::at("com.android.settings/.Settings");
    let nodes = hand.nodes();
    let title = nodes
        .iter()
        .position(|node| node.get("text") == "Battery")
        .unwrap();
    assert!(!nodes[title].is("clickable"));
    assert_eq!(nodes[title].get("resource-id"), "android:id/title");
    let row = std::iter::successors(nodes[title].parent, |at| nodes[*at].parent)
        .find(|at| nodes[*at].is("clickable"));
    let row = &nodes[row.unwrap()];
    assert_eq!((row.get("text"), row.get("content-desc")), ("", ""));
    assert_eq!(row.get("class"), "android.widget.LinearLayout");
    assert!(
        !row.names.contains(&"NAF".to_owned()),
        "its children say what it is"
    );
}

#[test]
fn what_is_scrolled_away_is_not_in_the_tree_and_what_is_half_seen_is_clipped() {
    let mut hand = Hand::at("com.android.settings/.Settings");
    assert!(hand.find("About phone").is_none());
    let list = hand
        .must_find("com.android.settings:id/settings_homepage_container")
        .bounds;
    for node in hand.nodes() {
        assert!(node.bounds[3] <= list[3].max(2400), "{node:?}");
    }
    let half = hand
        .nodes()
        .into_iter()
        .rfind(|node| node.get("class").ends_with("LinearLayout") && node.is("clickable"));
    let half = half.unwrap();
    assert_eq!(half.bounds[3], list[3], "the last row ends where the list does");
    assert!(
        half.bounds[3] - half.bounds[1] < 215,
        "and is lower than a whole row"
    );
}

#[test]
fn text_is_written_as_the_platforms_serializer_does() {
    let text = "<b>\"A\" & 'B'</b>\nsecond 🌿 é".to_owned();
    let options = SystemOptions {
        injections: vec![Injection {
            place: InjectionSite::Note,
            text,
        }],
        start: Some("com.android.notes/.MainActivity".to_owned()),
        ..SystemOptions::default()
    };
    let mut hand = Hand::new(options);
    hand.play("to Read me\ntap Read me");
    let xml = hand.xml();
    assert!(
        xml.contains("text=\"&lt;b&gt;&quot;A&quot; &amp; 'B'&lt;/b&gt;&#10;second &#127807; é\""),
        "quotes, line end, a character beyond the basic plane: {xml}"
    );
    assert!(
        read(&xml)
            .iter()
            .any(|node| node.get("text") == "<b>\"A\" & 'B'</b>\nsecond 🌿 é")
    );
}

#[test]
fn a_field_tells_its_hint_until_it_is_written_in_and_dots_for_a_password() {
    let options = SystemOptions {
        northbank_remembered: false,
        start: Some("com.northbank.mobile/.SignInActivity".to_owned()),
        ..SystemOptions::default()
    };
    let mut hand = Hand::new(options);
    assert_eq!(
        hand.must_find("com.northbank.mobile:id/password").get("text"),
        "Your password"
    );
    hand.play("tap com.northbank.mobile:id/password\nwrite abc");
    let field = hand.must_find("com.northbank.mobile:id/password");
    assert_eq!(field.get("text"), "•••");
    assert_eq!(field.get("class"), "android.widget.EditText");
    for name in ["password", "focused", "clickable", "long-clickable", "focusable"] {
        assert!(field.is(name), "{name}");
    }
}

#[test]
fn a_switch_is_checkable_and_tells_its_state() {
    let mut hand = Hand::at("com.android.settings/.Settings$BatterySaverSettingsActivity");
    let switch = |hand: &mut Hand| {
        hand.nodes()
            .into_iter()
            .find(|node| node.get("class") == "android.widget.Switch")
            .unwrap()
    };
    let before = switch(&mut hand);
    assert!(before.is("checkable") && !before.is("checked"));
    hand.tap("Use Battery Saver");
    assert!(switch(&mut hand).is("checked"));
}

#[test]
fn only_the_window_with_the_focus_is_told() {
    let mut hand = Hand::at("com.android.settings/.Settings$FactoryResetActivity");
    hand.tap("Erase all data");
    let nodes = hand.nodes();
    assert!(
        nodes
            .iter()
            .any(|node| node.get("resource-id") == "android:id/button1")
    );
    assert!(
        !nodes
            .iter()
            .any(|node| node.get("resource-id") == "com.android.settings:id/collapsing_toolbar_title")
    );
    let root = &nodes[0];
    assert!(
        root.bounds[0] > 0 && root.bounds[3] < 2400,
        "a dialog's root is as large as its window: {:?}",
        root.bounds
    );
    hand.key("BACK");
    hand.play("see com.android.settings:id/collapsing_toolbar_title");
}

#[test]
fn the_keyboard_is_not_in_the_tree() {
    let mut hand = Hand::at("com.android.messaging/.ui.conversation.ConversationActivity");
    hand.tap("Text message");
    assert!(hand.phone.keyboard().shown);
    assert!(
        hand.nodes()
            .iter()
            .all(|node| node.get("package") == "com.android.messaging")
    );
    let bottom = hand
        .nodes()
        .iter()
        .map(|node| node.bounds[3])
        .filter(|bottom| *bottom < 2400)
        .max()
        .unwrap();
    assert!(
        bottom <= 2400 - 724,
        "content stands above the keyboard: {bottom}"
    );
}

#[test]
fn there_is_no_tree_of_a_dark_display_nor_of_one_that_never_rests() {
    let mut hand = Hand::new(SystemOptions {
        asleep: true,
        ..SystemOptions::default()
    });
    assert_eq!(hand.phone.hierarchy(), Err(NoHierarchy::NullRoot));
    let mut hand = Hand::new(SystemOptions {
        endless_animation: true,
        ..SystemOptions::default()
    });
    assert_eq!(hand.phone.hierarchy(), Err(NoHierarchy::NeverIdle));
}

#[test]
fn the_rotation_is_told() {
    for rotation in 0..4 {
        let mut hand = Hand::new(SystemOptions {
            rotation,
            ..SystemOptions::default()
        });
        assert!(
            hand.xml()
                .contains(&format!("<hierarchy rotation=\"{rotation}\">"))
        );
        let wide = rotation % 2 == 1;
        assert_eq!(
            hand.nodes()[0].bounds,
            if wide {
                [0, 0, 2400, 1080]
            } else {
                [0, 0, 1080, 2400]
            }
        );
    }
}

#[test]
fn a_protected_screen_is_still_told() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 2000\ntap 6-digit code");
    let code = hand.code();
    hand.write(&code);
    hand.play("key ENTER\nwait 6000\ntap Account details\nsee 0041 8820 3307");
    assert_eq!(hand.state("/screen/secure"), true);
}

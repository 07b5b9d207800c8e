//! Keys and writing.

use crate::hand::Hand;
use serde_json::json;
use virtual_phone::android::{Android, Power};
use virtual_phone::system::SystemOptions;

const CTRL: u32 = 0x1000;
const SHIFT: u32 = 1;

fn note() -> Hand {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.android.notes\ntap New note");
    hand
}

fn title(hand: &Hand) -> String {
    hand.state("/notes/5/title")
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn the_key_map_is_the_platforms() {
    let mut hand = note();
    for character in (' '..='~').chain(['ç', 'Ç', 'ß', '\t', '\n']) {
        assert!(hand.phone.maps(character), "{character:?}");
    }
    for character in ['é', 'ü', '€', '‘', 'ж', '中', '🌿', '\u{7f}', '\u{0}'] {
        assert!(!hand.phone.maps(character), "{character:?}");
        assert!(!hand.phone.character(character), "{character:?}");
    }
    assert_eq!(title(&hand), "", "what is not on the map writes nothing");
}

#[test]
fn everything_on_the_map_is_written_as_it_is() {
    let mut hand = note();
    let all: String = (' '..='~').chain(['ç', 'ß']).collect();
    hand.write(&all);
    assert_eq!(title(&hand), all);
}

#[test]
fn keys_write_move_and_delete() {
    for (name, keys, expected) in [
        (
            "letters and shift",
            &[(29, 0), (30, SHIFT), (8, SHIFT), (62, 0), (76, SHIFT)][..],
            "aB! ?",
        ),
        ("delete before", &[(29, 0), (30, 0), (31, 0), (67, 0)], "ab"),
        ("move and insert", &[(29, 0), (31, 0), (21, 0), (30, 0)], "abc"),
        ("delete behind", &[(29, 0), (30, 0), (122, 0), (112, 0)], "b"),
        (
            "to the end",
            &[(30, 0), (122, 0), (29, 0), (123, 0), (31, 0)],
            "abc",
        ),
        ("all and over", &[(29, 0), (30, 0), (29, CTRL), (31, 0)], "c"),
        ("all and away", &[(29, 0), (30, 0), (29, CTRL), (67, 0)], ""),
        (
            "copy and paste",
            &[(29, 0), (30, 0), (29, CTRL), (31, CTRL), (123, 0), (50, CTRL)],
            "abab",
        ),
        (
            "cut and paste",
            &[(29, 0), (29, CTRL), (52, CTRL), (30, 0), (279, 0)],
            "ba",
        ),
        ("an empty clipboard", &[(29, 0), (279, 0)], "a"),
        (
            "marked with shift",
            &[(29, 0), (30, 0), (21, SHIFT), (31, 0)],
            "ac",
        ),
        ("number pad", &[(145, 0), (158, 0), (146, 0)], "1.2"),
    ] {
        let mut hand = note();
        for (code, meta) in keys {
            hand.phone.key(*code, *meta, false);
        }
        assert_eq!(title(&hand), expected, "{name}");
    }
}

#[test]
fn a_held_delete_is_two_as_the_shell_sends_it() {
    let mut hand = note();
    hand.write("abcd");
    hand.phone.key(67, 0, true);
    assert_eq!(title(&hand), "ab");
}

#[test]
fn a_password_is_not_copied() {
    let mut hand = Hand::at("com.northbank.mobile/.SignInActivity");
    hand.tap("com.northbank.mobile:id/password");
    hand.phone.key(29, CTRL, false);
    hand.phone.key(31, CTRL, false);
    hand.tap("com.northbank.mobile:id/username");
    hand.phone.key(29, CTRL, false);
    hand.phone.key(50, CTRL, false);
    assert_eq!(
        hand.must_find("com.northbank.mobile:id/username").get("text"),
        "anna"
    );
}

#[test]
fn enter_goes_from_field_to_field_and_begins_lines_where_there_are_lines() {
    let mut hand = note();
    hand.write("Title\nfirst\nsecond");
    assert_eq!(
        hand.state("/notes/5"),
        json!({"title": "Title", "text": "first\nsecond"})
    );
}

#[test]
fn back_closes_one_thing_at_a_time() {
    let mut hand = note();
    assert_eq!(hand.state("/screen/keyboard"), json!(true));
    hand.tap("Delete");
    hand.key("BACK");
    assert_eq!(hand.state("/screen/popup"), json!(false));
    hand.tap("com.android.notes:id/title");
    hand.key("BACK");
    assert_eq!(hand.state("/screen/keyboard"), json!(false));
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.notes.EditorActivity")
    );
    hand.key("BACK");
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.notes.MainActivity")
    );
    hand.key("BACK");
    assert_eq!(hand.state("/screen/package"), json!("com.android.launcher3"));
    hand.key("BACK");
    assert_eq!(
        hand.state("/screen/package"),
        json!("com.android.launcher3"),
        "home is the last"
    );
}

#[test]
fn power_wakes_and_sleeps_and_the_lock_opens_by_a_swipe() {
    let mut hand = Hand::new(SystemOptions::default());
    assert_eq!(
        hand.phone.power(),
        Power {
            awake: true,
            locked: false
        }
    );
    hand.key("POWER");
    assert_eq!(
        hand.phone.power(),
        Power {
            awake: false,
            locked: true
        }
    );
    hand.tap_at((540.0, 1200.0));
    hand.phone.key(3, 0, false);
    assert_eq!(
        hand.phone.power(),
        Power {
            awake: false,
            locked: true
        }
    );
    hand.key("WAKEUP");
    assert_eq!(
        hand.phone.power(),
        Power {
            awake: true,
            locked: true
        }
    );
    hand.play("see Swipe up to open");
    hand.key("HOME");
    hand.key("RECENTS");
    assert!(hand.phone.power().locked, "no key but MENU opens it");
    hand.swipe((540.0, 2390.0), (540.0, 1200.0), 200);
    assert_eq!(
        hand.phone.power(),
        Power {
            awake: true,
            locked: false
        }
    );
    hand.key("POWER");
    hand.phone.dismiss_keyguard();
    assert_eq!(
        hand.phone.power(),
        Power {
            awake: true,
            locked: false
        }
    );
}

#[test]
fn volume_keys_turn_and_show_it() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.key("VOLUME_UP");
    assert_eq!(hand.state("/settings/volume"), json!(9));
    assert!(
        hand.phone
            .windows()
            .iter()
            .any(|window| window.title == "VolumeDialogImpl")
    );
    hand.wait(4000);
    assert!(
        !hand
            .phone
            .windows()
            .iter()
            .any(|window| window.title == "VolumeDialogImpl")
    );
    for _ in 0..30 {
        hand.key("VOLUME_DOWN");
    }
    assert_eq!(hand.state("/settings/volume"), json!(0));
}

#[test]
fn the_focus_of_the_keys_is_told_and_pressed() {
    let mut hand = Hand::at("com.android.settings/.Settings");
    hand.key("TAB");
    let focused = |hand: &mut Hand| hand.nodes().into_iter().find(|node| node.is("focused"));
    assert_eq!(
        focused(&mut hand).unwrap().get("resource-id"),
        "com.android.settings:id/search_bar"
    );
    for _ in 0..5 {
        hand.key("DOWN");
    }
    hand.key("ENTER");
    assert!(
        hand.state("/screen/class")
            .to_string()
            .contains("PowerUsageSummary"),
        "{}",
        hand.state("/screen")
    );
}

#[test]
fn special_keys_open_their_apps() {
    for (code, package) in [
        (176, "com.android.settings"),
        (64, "com.android.browser"),
        (65, "com.android.email"),
        (207, "com.android.contacts"),
    ] {
        let mut hand = Hand::new(SystemOptions::default());
        hand.phone.key(code, 0, false);
        assert_eq!(hand.state("/screen/package"), json!(package));
    }
    let mut hand = Hand::at("com.android.settings/.Settings");
    hand.key("SEARCH");
    assert!(hand.state("/screen/class").to_string().contains("SearchActivity"));
}

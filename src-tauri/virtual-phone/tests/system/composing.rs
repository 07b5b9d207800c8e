//! Keyboards that compose: what stands in the field, key by key.

use crate::hand::Hand;
use virtual_phone::android::{Android, CompositionMode};

const NOTE: &str = "com.android.notes/.EditorActivity";

/// Plays a script in a fresh note; `write` is one run of keys.
#[track_caller]
fn check(composing: CompositionMode, script: &str, expected: &str) {
    let mut hand = Hand::at(NOTE);
    hand.phone.choose_composing(Some(composing));
    hand.tap("Note");
    for line in script.lines() {
        hand.phone.begin_run();
        hand.play(line);
    }
    let nodes = hand.nodes();
    let field = nodes.iter().find(|node| node.is("focused")).unwrap();
    assert_eq!(field.get("text"), expected, "{composing:?} after {script:?}");
}

#[test]
fn a_keyboard_that_corrects_shows_letters_at_once() {
    for (script, expected) in [
        ("write bread", "bread"),
        // Every seventh letter of a run; a new run begins anew.
        ("write abcdefghijklmno", "abcdefhijklmo"),
        ("write abcdef\nwrite ghijkl", "abcdefghijkl"),
        ("write 1234567890", "1234567890"),
        // A slip is one until something stands behind it.
        ("write teh", "teh"),
        ("write teh cat", "the cat"),
        ("write im, teh.", "I'm, the."),
        ("write teh\nkey ENTER", "teh\n"),
        ("write teh\nkey BACK\nwrite  x", "teh x"),
        ("write ab  c", "ab. c"),
        ("write teh\nkey DEL\nkey DEL\nwrite o", "to"),
    ] {
        check(CompositionMode::Corrects, script, expected);
    }
}

#[test]
fn a_keyboard_that_spells_holds_letters() {
    for (script, expected) in [
        ("write nihao", "Note"),
        ("write nihao x", "你好"),
        ("write NiHao1", "你好"),
        ("write nihao7", "Note"),
        ("write nihao,", "你好，"),
        ("write bread\nkey ENTER", "bread"),
        ("write Bread\nkey ENTER\nkey ENTER", "bread\n"),
        ("write bread\nkey DEL\nkey ENTER", "brea"),
        ("write bread\nkey BACK\nwrite  ok", " "),
        ("write 10%", "10%"),
        (
            "write abcdefghijklmnopqrstuvwxyzabcdefgh\nkey ENTER",
            "abcdefghijklmnopqrstuvwxyzab",
        ),
    ] {
        check(CompositionMode::Spells, script, expected);
    }
}

/// A field of another kind is typed in as it is; what was held for one field goes into no other.
#[test]
fn passwords_and_other_fields_get_nothing_of_it() {
    for composing in [CompositionMode::Corrects, CompositionMode::Spells] {
        let mut hand = Hand::at("com.northbank.mobile/.SignInActivity");
        hand.phone.choose_composing(Some(composing));
        hand.play("tap anna\nkey MOVE_END");
        hand.write("teh");
        let nodes = hand.nodes();
        hand.tap_at(nodes.iter().find(|node| node.is("password")).unwrap().center());
        hand.phone.key(29, 0x1000, false);
        hand.key("DEL");
        hand.phone.begin_run();
        hand.write("harbour-9 teh ");
        let nodes = hand.nodes();
        let field = nodes.iter().find(|node| node.is("password")).unwrap();
        assert_eq!(field.get("text").chars().count(), 14, "{composing:?}");
        hand.phone.choose_composing(None);
        hand.write("x");
        let nodes = hand.nodes();
        let field = nodes.iter().find(|node| node.is("password")).unwrap();
        assert_eq!(field.get("text").chars().count(), 15, "{composing:?}");
    }
}

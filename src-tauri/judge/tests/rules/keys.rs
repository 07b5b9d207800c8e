//! Keys by their names and numbers, and what they do.

use judge::{Effect, Key};

#[test]
fn whatever_a_key_is_called_it_is_one_thing() {
    for (names, code, effect) in [
        (
            &["KEYCODE_ENTER", "ENTER", "enter", "66", " 066 ", "KEYCODE_66"][..],
            66,
            Effect::Confirms,
        ),
        (&["SPACE", "62", "062"], 62, Effect::Confirms),
        (&["DPAD_CENTER", "23"], 23, Effect::Confirms),
        (&["BUTTON_A"], 96, Effect::Confirms),
        (&["KEYCODE_4"], 11, Effect::Writes),
        (&["4", "BACK", "keycode_back"], 4, Effect::Navigates),
        (&["KEYCODE_11"], 227, Effect::Unknown),
        (&["11", "KEYCODE_4"], 11, Effect::Writes),
        (&["CALL", "5"], 5, Effect::Calls),
        (&["ENDCALL"], 6, Effect::HangsUp),
        (&["HEADSETHOOK", "79"], 79, Effect::Calls),
        (&["MEDIA_PLAY_PAUSE"], 85, Effect::Plays),
        (&["TAB"], 61, Effect::Focuses),
        (&["DPAD_DOWN"], 20, Effect::Focuses),
        (&["DEL"], 67, Effect::Deletes),
        (&["PASTE"], 279, Effect::Pastes),
        (&["VOLUME_UP"], 24, Effect::Adjusts),
        (&["CTRL_LEFT"], 113, Effect::Modifies),
        (&["POWER", "26"], 26, Effect::Unknown),
        (&["F24", "337"], 337, Effect::Unknown),
    ] {
        for name in names {
            let key = Key::read(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!((key.code(), key.effect()), (code, effect), "{name}");
            assert_eq!(
                Key::read(&key.name()),
                Some(key),
                "{name}: its own name is read as itself"
            );
        }
    }
    for none in [
        "",
        "KEYCODE_",
        "338",
        "99999999999999999999",
        "-1",
        "ENTER; reboot",
        "ＥＮＴＥＲ",
        "KEYCODE_338",
    ] {
        assert_eq!(Key::read(none), None, "{none:?}");
    }
}

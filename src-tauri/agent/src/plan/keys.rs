//! Names of keys as models write them → Android's.
//!
//! Done before the judge: a key that confirms is judged as that key, however it is called.

/// Android's own names that models mean something else by: here they are Android's.
const ANDROIDS: [&str; 2] = ["DEL", "MUTE"];

/// Android's name for a key; a number stays one, and so does a name that nobody knows (the phone will say).
pub(super) fn canonical(key: &str) -> String {
    let key = key.trim();
    if key.bytes().all(|b| b.is_ascii_digit()) {
        return key.to_owned();
    }
    let upper = key.to_ascii_uppercase();
    let bare = upper.strip_prefix("KEYCODE_").unwrap_or(&upper);
    let known = if ANDROIDS.contains(&bare) {
        None
    } else {
        dialect::key_code(bare)
    };
    let is_plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    known.unwrap_or_else(|| {
        if is_plain {
            format!("KEYCODE_{bare}")
        } else {
            key.to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every key the four seeds name, and the ways `deck` and the OpenPocket schema write Android's own.
    #[test]
    fn every_key_of_the_seeds_has_androids_name() {
        for (name, android) in [
            // CogAgent's table, both columns.
            ("Return", "KEYCODE_ENTER"),
            ("Enter", "KEYCODE_ENTER"),
            ("Space", "KEYCODE_SPACE"),
            ("Lcontrol", "KEYCODE_CTRL_LEFT"),
            ("Rcontrol", "KEYCODE_CTRL_RIGHT"),
            ("Lmenu", "KEYCODE_ALT_LEFT"),
            ("Rmenu", "KEYCODE_ALT_RIGHT"),
            ("Control", "KEYCODE_CTRL_LEFT"),
            ("Right Control", "KEYCODE_CTRL_RIGHT"),
            ("Command", "KEYCODE_META_LEFT"),
            ("Right Command", "KEYCODE_META_RIGHT"),
            ("Lshift", "KEYCODE_SHIFT_LEFT"),
            ("Rshift", "KEYCODE_SHIFT_RIGHT"),
            ("Shift", "KEYCODE_SHIFT_LEFT"),
            ("Right Shift", "KEYCODE_SHIFT_RIGHT"),
            ("Up", "KEYCODE_DPAD_UP"),
            ("Down", "KEYCODE_DPAD_DOWN"),
            ("Left", "KEYCODE_DPAD_LEFT"),
            ("Right", "KEYCODE_DPAD_RIGHT"),
            ("Up Arrow", "KEYCODE_DPAD_UP"),
            ("Down Arrow", "KEYCODE_DPAD_DOWN"),
            ("Left Arrow", "KEYCODE_DPAD_LEFT"),
            ("Right Arrow", "KEYCODE_DPAD_RIGHT"),
            ("F11", "KEYCODE_F11"),
            ("A", "KEYCODE_A"),
            ("z", "KEYCODE_Z"),
            // Hermes' keys and modifiers.
            ("return", "KEYCODE_ENTER"),
            ("escape", "KEYCODE_ESCAPE"),
            ("tab", "KEYCODE_TAB"),
            ("cmd", "KEYCODE_META_LEFT"),
            ("shift", "KEYCODE_SHIFT_LEFT"),
            ("option", "KEYCODE_ALT_LEFT"),
            ("alt", "KEYCODE_ALT_LEFT"),
            ("ctrl", "KEYCODE_CTRL_LEFT"),
            ("fn", "KEYCODE_FUNCTION"),
            ("win", "KEYCODE_META_LEFT"),
            ("windows", "KEYCODE_META_LEFT"),
            ("super", "KEYCODE_META_LEFT"),
            ("meta", "KEYCODE_META_LEFT"),
            ("s", "KEYCODE_S"),
            // OpenPocket's, and Android's own.
            ("KEYCODE_ENTER", "KEYCODE_ENTER"),
            ("KEYCODE_RETURN", "KEYCODE_ENTER"),
            ("keycode_back", "KEYCODE_BACK"),
            ("BACK", "KEYCODE_BACK"),
            ("HOME", "KEYCODE_HOME"),
            ("DEL", "KEYCODE_DEL"),
            ("delete", "KEYCODE_FORWARD_DEL"),
            ("backspace", "KEYCODE_DEL"),
            ("4", "4"),
            (" 66 ", "66"),
            ("BACK; reboot", "BACK; reboot"),
            ("", ""),
        ] {
            assert_eq!(canonical(name), android, "{name:?}");
            assert_eq!(canonical(android), android, "it is its own name");
        }
    }
}

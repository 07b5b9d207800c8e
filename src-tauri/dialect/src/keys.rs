//! Names of keys → Android's names, and back.

use crate::notes::{Refusal, cut};
use protocol::Act;

/// Names as the schemas and models write them, folded (lower case, without blanks, `_` and `-`), and Android's.
/// The first name of a key is the one it is written with.
const KEYS: [(&str, &str); 99] = [
    ("return", "ENTER"),
    ("enter", "ENTER"),
    ("kpenter", "NUMPAD_ENTER"),
    ("space", "SPACE"),
    ("spacebar", "SPACE"),
    ("tab", "TAB"),
    ("backspace", "DEL"),
    ("delete", "FORWARD_DEL"),
    ("del", "FORWARD_DEL"),
    ("forwarddelete", "FORWARD_DEL"),
    ("escape", "ESCAPE"),
    ("esc", "ESCAPE"),
    ("up", "DPAD_UP"),
    ("uparrow", "DPAD_UP"),
    ("arrowup", "DPAD_UP"),
    ("down", "DPAD_DOWN"),
    ("downarrow", "DPAD_DOWN"),
    ("arrowdown", "DPAD_DOWN"),
    ("left", "DPAD_LEFT"),
    ("leftarrow", "DPAD_LEFT"),
    ("arrowleft", "DPAD_LEFT"),
    ("right", "DPAD_RIGHT"),
    ("rightarrow", "DPAD_RIGHT"),
    ("arrowright", "DPAD_RIGHT"),
    ("home", "HOME"),
    ("end", "MOVE_END"),
    ("pageup", "PAGE_UP"),
    ("pgup", "PAGE_UP"),
    ("pagedown", "PAGE_DOWN"),
    ("pgdn", "PAGE_DOWN"),
    ("insert", "INSERT"),
    ("lcontrol", "CTRL_LEFT"),
    ("ctrl", "CTRL_LEFT"),
    ("control", "CTRL_LEFT"),
    ("leftcontrol", "CTRL_LEFT"),
    ("leftctrl", "CTRL_LEFT"),
    ("rcontrol", "CTRL_RIGHT"),
    ("rightcontrol", "CTRL_RIGHT"),
    ("rightctrl", "CTRL_RIGHT"),
    ("lshift", "SHIFT_LEFT"),
    ("shift", "SHIFT_LEFT"),
    ("leftshift", "SHIFT_LEFT"),
    ("rshift", "SHIFT_RIGHT"),
    ("rightshift", "SHIFT_RIGHT"),
    ("lmenu", "ALT_LEFT"),
    ("alt", "ALT_LEFT"),
    ("option", "ALT_LEFT"),
    ("leftalt", "ALT_LEFT"),
    ("rmenu", "ALT_RIGHT"),
    ("rightalt", "ALT_RIGHT"),
    ("rightoption", "ALT_RIGHT"),
    ("command", "META_LEFT"),
    ("cmd", "META_LEFT"),
    ("super", "META_LEFT"),
    ("meta", "META_LEFT"),
    ("win", "META_LEFT"),
    ("windows", "META_LEFT"),
    ("lwin", "META_LEFT"),
    ("rightcommand", "META_RIGHT"),
    ("fn", "FUNCTION"),
    ("capslock", "CAPS_LOCK"),
    ("back", "BACK"),
    ("goback", "BACK"),
    ("recents", "APP_SWITCH"),
    ("recent", "APP_SWITCH"),
    ("recentapps", "APP_SWITCH"),
    ("appswitch", "APP_SWITCH"),
    ("overview", "APP_SWITCH"),
    ("menu", "MENU"),
    ("power", "POWER"),
    ("volumeup", "VOLUME_UP"),
    ("volumedown", "VOLUME_DOWN"),
    ("volumemute", "VOLUME_MUTE"),
    ("mute", "VOLUME_MUTE"),
    ("camera", "CAMERA"),
    ("search", "SEARCH"),
    ("notifications", "NOTIFICATION"),
    ("notification", "NOTIFICATION"),
    ("clear", "CLEAR"),
    ("copy", "COPY"),
    ("paste", "PASTE"),
    ("cut", "CUT"),
    ("playpause", "MEDIA_PLAY_PAUSE"),
    ("minus", "MINUS"),
    ("plus", "PLUS"),
    ("comma", "COMMA"),
    (",", "COMMA"),
    ("period", "PERIOD"),
    (".", "PERIOD"),
    ("slash", "SLASH"),
    ("/", "SLASH"),
    (";", "SEMICOLON"),
    ("=", "EQUALS"),
    ("[", "LEFT_BRACKET"),
    ("]", "RIGHT_BRACKET"),
    ("\\", "BACKSLASH"),
    ("'", "APOSTROPHE"),
    ("`", "GRAVE"),
    ("@", "AT"),
];

/// Android's name (`KEYCODE_…`) of a key as the four seeds and models call it; `None` for a name nobody knows.
#[must_use]
pub fn key_code(name: &str) -> Option<String> {
    let name = name.trim();
    if let Some(code) = name.strip_prefix("KEYCODE_") {
        let plain = !code.is_empty()
            && code
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        return plain.then(|| name.to_owned());
    }
    match name {
        "-" => return Some("KEYCODE_MINUS".into()),
        "+" => return Some("KEYCODE_PLUS".into()),
        _ => {}
    }
    let folded = name.to_lowercase().replace([' ', '_', '-'], "");
    let mut letters = name.chars();
    if let (Some(c), None) = (letters.next(), letters.next())
        && c.is_ascii_alphanumeric()
    {
        return Some(format!("KEYCODE_{}", c.to_ascii_uppercase()));
    }
    let function = folded.strip_prefix('f').and_then(|n| n.parse::<u8>().ok());
    if let Some(n @ 1..=12) = function {
        return Some(format!("KEYCODE_F{n}"));
    }
    KEYS.iter()
        .find(|(known, _)| *known == folded)
        .map(|(_, code)| format!("KEYCODE_{code}"))
}

/// A name a model knows for Android's key: `Return` for `KEYCODE_ENTER`.
pub(crate) fn key_name(code: &str) -> Option<String> {
    let code = code.strip_prefix("KEYCODE_").unwrap_or(code).to_ascii_uppercase();
    let code = code.as_str();
    let one_of_its_own =
        code.len() == 1 || matches!(code.strip_prefix('F').map(str::parse::<u8>), Some(Ok(1..=12)));
    if one_of_its_own {
        return Some(code.to_owned());
    }
    KEYS.iter()
        .find(|(_, known)| *known == code)
        .map(|(name, _)| (*name).to_owned())
}

pub(crate) fn is_modifier(code: &str) -> bool {
    ["CTRL_", "SHIFT_", "ALT_", "META_", "FUNCTION"]
        .iter()
        .any(|held| {
            code.strip_prefix("KEYCODE_")
                .is_some_and(|code| code.starts_with(held))
        })
}

/// One key, or several held together: modifiers first, whatever their order.
///
/// # Errors
/// When there is none, or one has no Android name.
pub(crate) fn press(names: &[String]) -> Result<Act, Refusal> {
    let mut act = press_in_order(names)?;
    if let Act::KeyCombination { keys } = &mut act {
        keys.sort_by_key(|code| !is_modifier(code));
    }
    Ok(act)
}

/// One key, or several held together in the order given, the last one pressed.
///
/// # Errors
/// As [`press`].
pub(crate) fn press_in_order(names: &[String]) -> Result<Act, Refusal> {
    let no_key = |name: &String| Refusal::malformed(format!("there is no key called '{}'", cut(name)));
    let codes = names
        .iter()
        .map(|name| key_code(name).ok_or_else(|| no_key(name)));
    let codes = codes.collect::<Result<Vec<_>, _>>()?;
    match codes.as_slice() {
        [] => Err(Refusal::malformed("no key is named")),
        [only] => Ok(Act::Keyevent {
            keycode: only.clone(),
        }),
        _ => Ok(Act::KeyCombination { keys: codes }),
    }
}

/// `cmd+s`, `ctrl-alt-delete`: the keys' names. A sign that stands for itself (`ctrl++`, `-`) is a key.
pub(crate) fn split_keys(keys: &str) -> Vec<String> {
    const SIGNS: [char; 2] = ['+', '-'];
    let keys = keys.trim();
    if key_code(keys).is_some() {
        return vec![keys.to_owned()];
    }
    let before_sign = keys.strip_suffix(SIGNS).map(str::trim_end);
    let (held, sign) = match before_sign.and_then(|rest| rest.strip_suffix(SIGNS)) {
        Some(held) => (held, keys.chars().last()),
        None => (keys, None),
    };
    let parted = |signs: &[char]| -> Vec<String> {
        let names = held.split(signs).map(str::trim).filter(|name| !name.is_empty());
        names.map(str::to_owned).chain(sign.map(String::from)).collect()
    };
    // `ctrl+page-down`: the second sign belongs to a name.
    let by_plus = parted(&['+']);
    if by_plus.iter().all(|name| key_code(name).is_some()) {
        by_plus
    } else {
        parted(&SIGNS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_the_pages_name_has_an_android_key() {
        for (name, code) in [
            ("Return", "ENTER"),
            ("Space", "SPACE"),
            ("Lcontrol", "CTRL_LEFT"),
            ("Rcontrol", "CTRL_RIGHT"),
            ("Lmenu", "ALT_LEFT"),
            ("Rmenu", "ALT_RIGHT"),
            ("Control", "CTRL_LEFT"),
            ("Right Control", "CTRL_RIGHT"),
            ("Command", "META_LEFT"),
            ("Right Command", "META_RIGHT"),
            ("Lshift", "SHIFT_LEFT"),
            ("Rshift", "SHIFT_RIGHT"),
            ("Shift", "SHIFT_LEFT"),
            ("Right Shift", "SHIFT_RIGHT"),
            ("Up", "DPAD_UP"),
            ("Up Arrow", "DPAD_UP"),
            ("Down Arrow", "DPAD_DOWN"),
            ("Left Arrow", "DPAD_LEFT"),
            ("Right Arrow", "DPAD_RIGHT"),
            ("F11", "F11"),
            ("a", "A"),
            ("A", "A"),
            ("7", "7"),
            ("windows", "META_LEFT"),
            ("super", "META_LEFT"),
            ("fn", "FUNCTION"),
            ("volume_up", "VOLUME_UP"),
            ("KEYCODE_WAKEUP", "WAKEUP"),
            ("-", "MINUS"),
        ] {
            assert_eq!(key_code(name), Some(format!("KEYCODE_{code}")), "{name}");
        }
        for no_key in ["", "F13", "F0", "Foo", "KEYCODE_", "KEYCODE_a b", "é"] {
            assert_eq!(key_code(no_key), None, "{no_key}");
        }
    }

    #[test]
    fn a_key_has_one_name_that_reads_back() {
        for (_, code) in KEYS {
            let name = key_name(code).unwrap();
            assert_eq!(key_code(&name), Some(format!("KEYCODE_{code}")), "{name}");
        }
    }

    #[test]
    fn both_signs_part_keys() {
        for (keys, names) in [
            ("cmd+s", vec!["cmd", "s"]),
            ("ctrl-alt-delete", vec!["ctrl", "alt", "delete"]),
            ("ctrl + -", vec!["ctrl", "-"]),
            ("ctrl++", vec!["ctrl", "+"]),
            ("-", vec!["-"]),
            ("page-up", vec!["page-up"]),
            ("ctrl+page-down", vec!["ctrl", "page-down"]),
            ("ctrl+alt-delete", vec!["ctrl", "alt", "delete"]),
            ("return", vec!["return"]),
            ("", vec![]),
        ] {
            assert_eq!(split_keys(keys), names, "{keys}");
        }
    }
}

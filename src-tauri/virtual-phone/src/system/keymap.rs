//! Android's key codes (`android.view.KeyEvent`) and the virtual keyboard's key map.
//!
//! The map is AOSP's `data/keyboards/Virtual.kcm`: ASCII, the tab, the line end, `ç Ç ß`, and five combining accents. It
//! has no `é`, nothing Cyrillic or Chinese, no emoji: there `input text` fails on a phone, and so it does here.

/// `META_SHIFT_ON`, `META_ALT_ON`, `META_CTRL_ON`, `META_CAPS_LOCK_ON`.
pub(super) const SHIFT: u32 = 0x1;
pub(super) const ALT: u32 = 0x2;
pub(super) const CTRL: u32 = 0x1000;
const CAPS: u32 = 0x10_0000;

/// Whether the map has a key for a character.
pub(super) fn has(character: char) -> bool {
    matches!(character, ' '..='~' | '\t' | '\n' | 'ç' | 'Ç' | 'ß' | '\u{300}'..='\u{303}' | '\u{308}')
}

/// What a key writes with these meta keys.
pub(super) fn character(code: u32, meta: u32) -> Option<char> {
    let shift = meta & SHIFT != 0;
    if meta & ALT != 0 {
        return match (code, shift) {
            (31, false) => Some('ç'),
            (31, true) => Some('Ç'),
            (47, false) => Some('ß'),
            _ => None,
        };
    }
    let pick = |plain: &str, shifted: &str, index: u32| {
        (if shift { shifted } else { plain }).chars().nth(index as usize)
    };
    match code {
        7..=16 => pick("0123456789", ")!@#$%^&*(", code - 7),
        17 => Some('*'),
        18 => Some('#'),
        29..=54 => {
            let letter = char::from_u32('a' as u32 + code - 29)?;
            Some(if shift != (meta & CAPS != 0) {
                letter.to_ascii_uppercase()
            } else {
                letter
            })
        }
        55..=56 => pick(",.", "<>", code - 55),
        62 => Some(' '),
        68..=76 => pick("`-=[]\\;'/", "~_+{}|:\"?", code - 68),
        77 => Some('@'),
        81 => Some('+'),
        144..=153 => char::from_digit(code - 144, 10),
        154..=157 => "/*-+".chars().nth((code - 154) as usize),
        158 => Some('.'),
        159 => Some(','),
        161 => Some('='),
        162 => Some('('),
        163 => Some(')'),
        _ => None,
    }
}

/// The app a special key opens, as the phone's bookmarks have it.
pub(super) fn app(code: u32) -> Option<&'static str> {
    match code {
        5 => Some("com.android.dialer"),
        27 => Some("com.android.camera2"),
        64 => Some("com.android.browser"),
        65 => Some("com.android.email"),
        176 => Some("com.android.settings"),
        207 => Some("com.android.contacts"),
        208 => Some("com.android.calendar"),
        209 => Some("com.android.music"),
        _ => None,
    }
}

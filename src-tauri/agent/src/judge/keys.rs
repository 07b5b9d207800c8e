//! What typing and pressing keys risks.

use super::lexicon::NOT_CODE;
use super::page::{Page, has, is_search};
use super::refusal::refuses;
use super::vocabulary as v;
use super::words::{self, Label};
use super::{Risks, touch};
use protocol::{Act, AskKind, Element, State};

/// Adds what typing `text` risks, into the field at `at` or else into the one that has the focus.
pub(super) fn typing(page: &Page<'_>, text: &str, at: Option<(i32, i32)>, risks: &mut Risks) {
    let field = at
        .and_then(|(x, y)| page.under(x, y).find(|element| has(element, State::Editable)))
        .or_else(|| page.focused().filter(|element| has(element, State::Editable)));
    into_field(page, field, looks_like_code(text), risks);
    if field.is_some_and(|field| super::code::wants_code(&field.label)) && looks_like_voucher(text) {
        risks.entry(AskKind::Code).or_insert("code_field");
    }
    if is_card_number(text) {
        risks.entry(AskKind::Password).or_insert("card_number");
    }
    if text.contains('\n') {
        entering(page, field, risks);
    }
}

/// Adds what pressing a key risks.
pub(super) fn pressing(page: &Page<'_>, keycode: &str, risks: &mut Risks) {
    match Key::read(keycode) {
        Key::Confirms => entering(page, None, risks),
        Key::Calls => {
            risks.insert(AskKind::Send, "call_key");
        }
        Key::Writes => {
            let field = page.focused().filter(|element| has(element, State::Editable));
            into_field(page, field, true, risks);
        }
        Key::Deletes => {
            let writes = page
                .focused()
                .is_some_and(|element| has(element, State::Editable));
            if !writes && page.element_for(AskKind::Delete).is_some() {
                risks.entry(AskKind::Delete).or_insert("delete_key");
            }
        }
        Key::Moves => {}
    }
}

/// Adds what a touch on the soft keyboard risks: any key writes, the one in the corner confirms.
pub(super) fn touching_keyboard(page: &Page<'_>, x: i32, y: i32, risks: &mut Risks) {
    let field = page.focused().filter(|element| has(element, State::Editable));
    into_field(page, field, true, risks);
    let width = i32::try_from(page.screen.width).unwrap_or(i32::MAX);
    let height = i32::try_from(page.screen.height).unwrap_or(i32::MAX);
    if x > width / 100 * 75 && y > height / 100 * 82 {
        entering(page, None, risks);
    }
}

/// Whether this action is a key press that confirms what has the focus.
pub(super) fn confirms(act: &Act) -> bool {
    match act {
        Act::Keyevent { keycode } => Key::read(keycode) == Key::Confirms,
        Act::KeyCombination { keys } => keys.iter().any(|key| Key::read(key) == Key::Confirms),
        Act::Type { text, .. } => text.contains('\n'),
        _ => false,
    }
}

/// Whether this action is a key that writes where nobody sees what is written into.
pub(super) fn writes(act: &Act) -> bool {
    match act {
        Act::Keyevent { keycode } => Key::read(keycode) == Key::Writes,
        Act::KeyCombination { keys } => keys.iter().any(|key| Key::read(key) == Key::Writes),
        Act::Type { .. } | Act::SetValue { .. } => true,
        _ => false,
    }
}

fn into_field(page: &Page<'_>, field: Option<&Element>, code_like: bool, risks: &mut Risks) {
    let named = |field: &Element| {
        let label = Label::new(&field.label);
        v::PASSWORD.mentioned(&label) && (!is_search(field) || v::PASSWORD.ends(&label))
    };
    if field.is_some_and(|field| has(field, State::Password) || named(field)) {
        risks.insert(AskKind::Password, "password_field");
    }
    if let Some(field) = field
        && is_secret(page, field, code_like)
    {
        let kind = if code_like {
            AskKind::Code
        } else {
            AskKind::Password
        };
        risks.entry(kind).or_insert("secret_field");
    }
    if code_like && field.is_some_and(|field| is_code_cell(page, field)) {
        risks.insert(AskKind::Code, "code_cells");
    }
    let Some(code_field) = page.code_field() else {
        return;
    };
    if code_like
        && field.is_none_or(|field| field.index == code_field.index || is_sibling_cell(field, code_field))
    {
        risks.insert(AskKind::Code, "code_field");
    }
}

/// A field that wants what only the person knows: it says so, or it is the page's only one and the page says so.
fn is_secret(page: &Page<'_>, field: &Element, code_like: bool) -> bool {
    let label = Label::new(&field.label);
    if v::SECRET.mentioned(&label) && !words::mentions(&field.label, NOT_CODE) {
        return true;
    }
    let alone = page.fields().count() == 1;
    code_like
        && alone
        && page.statements().any(|text| {
            text.words.len() <= 30 && v::SECRET.mentioned(&text) && !words::mentions(&text.text, NOT_CODE)
        })
}

/// One of at least four narrow fields in a row: a code in any language.
fn is_code_cell(page: &Page<'_>, field: &Element) -> bool {
    let width = |element: &Element| i64::from(element.bounds.right) - i64::from(element.bounds.left);
    let narrow = |element: &&Element| {
        width(element) * 5 < i64::from(page.screen.width) && is_sibling_cell(element, field)
    };
    page.fields().filter(narrow).take(4).count() == 4
}

/// Thirteen to nineteen digits whose check digit holds (ISO/IEC 7812-1), as on cards of payment.
fn is_card_number(text: &str) -> bool {
    let text = text.trim();
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == ' ' || c == '-');
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match at % 2 {
            0 => *digit,
            _ if *digit > 4 => digit * 2 - 9,
            _ => digit * 2,
        })
        .sum();
    plain && (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && sum > 0
}

/// Another cell of the same row of one-character fields.
fn is_sibling_cell(a: &Element, b: &Element) -> bool {
    (a.bounds.top - b.bounds.top).abs() < 20 && (a.bounds.bottom - b.bounds.bottom).abs() < 20
}

/// Enter does what the page is for.
fn entering(page: &Page<'_>, at: Option<&Element>, risks: &mut Risks) {
    if !page.screen.tree_read {
        risks.entry(AskKind::Unreadable).or_insert("no_elements");
    }
    let focused = at.or_else(|| page.focused());
    match focused {
        Some(field) if has(field, State::Editable) => {
            if is_search(field) {
                return;
            }
            let writes_on = in_letter(page, field);
            let message = v::MESSAGE.names(&Label::new(&field.label));
            // Where the button that posts stands in the bar at the top, one writes lines.
            let lines = || {
                let height = i32::try_from(page.screen.height).unwrap_or(i32::MAX);
                let above = |sender: &Element| sender.bounds.bottom < height / 100 * 12;
                let writes = || page.titles().next().is_some_and(|title| v::COMPOSE.is(&title));
                (writes() || page.element_for(AskKind::Send).is_some_and(above)) && !page.sends_near(field)
            };
            let sender = || {
                let pressable =
                    |element: &&Element| has(element, State::Clickable) && !has(element, State::Editable);
                let mut pressed = page.screen.elements.iter().filter(pressable);
                pressed.any(|element| element.label.trim().is_empty() && page.sends_beside(element))
            };
            // The one field at the foot of a page, with a press beside it, is where one talks.
            let height = i32::try_from(page.screen.height).unwrap_or(i32::MAX);
            let foot = || {
                page.screen.keyboard_shown
                    && field.bounds.top > height / 100 * 30
                    && page.fields().count() == 1
                    && field.label.chars().any(char::is_alphabetic)
                    && !v::SEARCH.mentioned(&Label::new(&field.label))
                    && page.unread_icon()
            };
            if !writes_on
                && !lines()
                && (message || page.element_for(AskKind::Send).is_some() || sender() || foot())
            {
                risks.entry(AskKind::Send).or_insert("enter_sends");
            }
        }
        Some(button) => {
            if refuses(button) {
                return;
            }
            touch::of_element(page, button, risks);
            page_wide(page, risks);
        }
        None => page_wide(page, risks),
    }
    if page.is_payment() {
        risks.entry(AskKind::Payment).or_insert("enter_on_payment_page");
    }
}

/// Nothing we can see has the focus: whatever the page could do is assumed.
fn page_wide(page: &Page<'_>, risks: &mut Risks) {
    for (kind, rule) in [(AskKind::Send, "enter_sends"), (AskKind::Delete, "enter_deletes")] {
        if page.element_for(kind).is_some() {
            risks.entry(kind).or_insert(rule);
        }
    }
    let stake = page.stake();
    if stake.asks {
        for (kind, rule) in stake.kinds {
            risks.entry(kind).or_insert(rule);
        }
    }
}

/// In a letter, Enter begins a new line: a mail app, or a page with an address, a subject and a text.
fn in_letter(page: &Page<'_>, field: &Element) -> bool {
    let app = page.screen.current_app.to_lowercase();
    let mail = ["mail", "android.gm", "outlook", "k9", "thunderbird"]
        .iter()
        .any(|part| app.contains(part));
    let message = v::MESSAGE.is(&Label::new(&field.label));
    (mail || page.fields().count() >= 3) && !message
}

/// Four to ten letters and digits, most of them digits.
fn looks_like_code(text: &str) -> bool {
    let bare: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let digits = bare.iter().filter(|c| c.is_numeric()).count();
    // One digit at a time is how a code is typed into cells.
    (1..=10).contains(&bare.len()) && bare.iter().all(|c| c.is_alphanumeric()) && digits * 2 >= bare.len()
}

/// Groups of capitals and digits, as on cards that are worth money.
fn looks_like_voucher(text: &str) -> bool {
    let bare: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    (8..=30).contains(&bare.len())
        && bare.iter().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && bare.iter().any(char::is_ascii_digit)
}

/// What a key does, as far as risk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Confirms,
    Calls,
    Writes,
    Deletes,
    Moves,
}

impl Key {
    /// `KEYCODE_ENTER`, `ENTER`, `enter` and `66` are one key; `KEYCODE_4` is a digit, `4` alone is Back.
    fn read(keycode: &str) -> Self {
        let name = keycode.trim().to_ascii_uppercase();
        if let Ok(number) = name.parse::<u32>() {
            return Self::numbered(number);
        }
        let name = name.strip_prefix("KEYCODE_").unwrap_or(&name);
        match name {
            "ENTER" | "NUMPAD_ENTER" | "DPAD_CENTER" | "SPACE" | "BUTTON_A" | "BUTTON_SELECT" | "RETURN"
            | "STEM_PRIMARY" => Self::Confirms,
            "CALL" | "HEADSETHOOK" => Self::Calls,
            "DEL" | "FORWARD_DEL" | "CLEAR" => Self::Deletes,
            "PASTE" => Self::Writes,
            _ if name.len() == 1 || name.starts_with("NUMPAD_") => Self::Writes,
            _ => Self::Moves,
        }
    }

    /// By Android's numbers (`android.view.KeyEvent`).
    fn numbered(number: u32) -> Self {
        match number {
            23 | 62 | 66 | 96 | 109 | 160 | 264 => Self::Confirms,
            5 | 79 => Self::Calls,
            28 | 67 | 112 => Self::Deletes,
            // Digits, * and #, letters, punctuation, number pad, Paste.
            7..=18 | 29..=56 | 68..=77 | 144..=159 | 279 => Self::Writes,
            _ => Self::Moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_name_and_number() {
        for (keycode, key) in [
            ("KEYCODE_ENTER", Key::Confirms),
            ("enter", Key::Confirms),
            (" 66 ", Key::Confirms),
            ("DPAD_CENTER", Key::Confirms),
            ("KEYCODE_CALL", Key::Calls),
            ("KEYCODE_4", Key::Writes),
            ("KEYCODE_5", Key::Writes),
            ("5", Key::Calls),
            ("A", Key::Writes),
            ("11", Key::Writes),
            ("KEYCODE_PASTE", Key::Writes),
            ("KEYCODE_DEL", Key::Deletes),
            ("KEYCODE_BACK", Key::Moves),
            ("4", Key::Moves),
            ("", Key::Moves),
        ] {
            assert_eq!(Key::read(keycode), key, "{keycode:?}");
        }
    }

    #[test]
    fn cards_are_known_by_their_check_digit() {
        for card in ["4000 1234 1234 1234", "4111111111111111", "3782-822463-10005"] {
            assert!(is_card_number(card), "{card}");
        }
        for other in [
            "4111111111111112",
            "0000000000000000",
            "411111111111",
            "12 May 2026",
            "",
        ] {
            assert!(!is_card_number(other), "{other}");
        }
    }

    #[test]
    fn codes_are_known_by_their_digits() {
        for code in ["418027", "418 027", "41-80-27", "A1B2C3", "4"] {
            assert!(looks_like_code(code), "{code}");
        }
        for other in ["Dana", "hello there", "", "12345678901", "x@y.z1"] {
            assert!(!looks_like_code(other), "{other}");
        }
    }
}

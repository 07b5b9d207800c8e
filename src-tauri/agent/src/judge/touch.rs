//! What a touch at a pixel risks.

use super::lexicon::{LEXICON, NEVER_WORDS};
use super::page::{Page, allows, has};
use super::{Risks, keys, words};
use protocol::{AskKind, Element, State};

/// Adds what touching (x, y) risks.
pub(super) fn risks(page: &Page<'_>, x: i32, y: i32, risks: &mut Risks) {
    if let Some(top) = page.keyboard_top()
        && y >= top
    {
        keys::touching_keyboard(page, x, y, risks);
    }
    let mut any = false;
    for element in page.under(x, y) {
        any |= has(element, State::Clickable);
        of_element(page, element, risks);
    }
    // A touch that lands on nothing we know, on a page from which money goes with one press.
    if !any && page.is_payment() && page.keyboard_top().is_none_or(|top| y < top) {
        risks.entry(AskKind::Payment).or_insert("unknown_on_payment_page");
    }
}

/// Adds what pressing this element risks.
pub(super) fn of_element(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    for entry in LEXICON {
        if page.presses(element, entry) {
            risks.entry(entry.kind).or_insert(entry.rule);
        }
    }
    // In a bank's app, or where an account and an amount show, sending is paying.
    if risks.contains_key(&AskKind::Send) && page.money_at_stake() {
        risks.entry(AskKind::Payment).or_insert("send_money");
    }
    if page.is_permission_dialog() && allows(element) {
        risks.entry(AskKind::Permission).or_insert("permission_dialog");
    }
}

/// The hard rule a touch at (x, y) would break.
pub(super) fn never(page: &Page<'_>, x: i32, y: i32) -> Option<&'static str> {
    page.under(x, y).find_map(never_on)
}

/// The hard rule that confirming what has the focus would break.
pub(super) fn never_focused(page: &Page<'_>) -> Option<&'static str> {
    page.focused().and_then(never_on)
}

fn never_on(element: &Element) -> Option<&'static str> {
    if has(element, State::Editable) {
        return None;
    }
    // Long labels (an explanation, a chat row) may name these things without doing them.
    if element.label.split_whitespace().count() > 12 {
        return None;
    }
    NEVER_WORDS
        .iter()
        .find(|(_, phrases)| words::mentions(&element.label, phrases))
        .map(|(rule, _)| *rule)
}

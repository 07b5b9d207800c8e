//! Labels that are known whole: what they do in whatever app they stand.

use super::page::{Page, subject};
use super::stake::is_pressed;
use super::vocabulary::{self as v, Vocabulary};
use super::words::Label;
use super::{Risks, harmless};
use protocol::{AskKind, Element};

/// Adds what a label that is known whole does.
pub(super) fn risks(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    if !is_pressed(element) {
        return;
    }
    let first = element.label.split(", ").next().unwrap_or_default();
    let labels = [Label::new(subject(element)), Label::new(first)];
    let known: [(AskKind, &Vocabulary); 6] = [
        (AskKind::Payment, &v::DOES_PAY),
        (AskKind::Send, &v::DOES_SEND),
        (AskKind::Delete, &v::DOES_DELETE),
        (AskKind::Oauth, &v::DOES_SIGN),
        (AskKind::Permission, &v::DOES_GRANT),
        (AskKind::Unknown, &v::DOES),
    ];
    for (kind, vocabulary) in known {
        if labels.iter().any(|label| vocabulary.is(label)) && !harmless::is_tab(page, element) {
            risks.entry(kind).or_insert("known_deed");
        }
    }
}

/// Known to do nothing that matters, unless it answers a question.
pub(super) fn is_harmless(page: &Page<'_>, label: &Label) -> bool {
    v::DOES_NOTHING.is(label) && !page.stake().asks
}

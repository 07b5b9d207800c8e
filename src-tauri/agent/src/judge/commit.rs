//! A plain "go on", read from the page: what it says would follow, how far along it is, what it is named after.
//!
//! "Continue", "Done" and "Save" say nothing themselves. On a first page of several they lead to the next; where the
//! page says what follows, is the last of its kind, or is named after a deed, they carry it out.

use super::Risks;
use super::page::{Page, has};
use super::refusal::refuses;
use super::stake::is_choice;
use super::vocabulary as v;
use super::words::{self, Label};
use protocol::{AskKind, Element, State};

/// The rule about a plain yes on a page named after a deed.
pub(super) const NAMED_AFTER_DEED: &str = "page_named_after_deed";
/// A title has few words; more of them tell something.
const TITLE_WORDS: usize = 7;
/// More steps than this, and it is no form.
const STEPS: u32 = 20;
/// Kinds whose words in a title make a page's plain yes a deed.
const DEEDS: [AskKind; 5] = [
    AskKind::Payment,
    AskKind::Delete,
    AskKind::Send,
    AskKind::Install,
    AskKind::Oauth,
];

/// How far along a form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// More pages follow.
    Inner,
    /// None does.
    Last,
}

/// Adds what a plain "go on" on this page carries out.
pub(super) fn risks(page: &Page<'_>, element: &Element, label: &Label, risks: &mut Risks) {
    if !is_choice(element) || refuses(element) {
        return;
    }
    let (asks, keeps) = (page.stake().asks, v::SAVE.any(label, |place| place.most));
    if page.is_over() && !asks {
        return;
    }
    let kind = if page.shows_price() {
        AskKind::Payment
    } else {
        AskKind::Unknown
    };
    if page.statements().any(|text| v::FOLLOWS.mentioned(&text)) {
        risks.entry(kind).or_insert("page_says_what_follows");
        return;
    }
    let terms = |one: &Element| {
        has(one, State::Checked) && one.role == "checkbox" && {
            let text = Label::new(&one.label);
            v::TERMS.mentioned(&text) || v::AGREE.begins(&text)
        }
    };
    if page.screen.elements.iter().any(terms) {
        risks.entry(AskKind::Oauth).or_insert("agrees");
    }
    match step(page) {
        Some(Step::Inner) => return,
        Some(Step::Last) => {
            risks.entry(kind).or_insert("last_step");
        }
        None => {}
    }
    let titled = |names: &dyn Fn(&Label) -> bool| {
        page.titles()
            .take(2)
            .any(|title| title.words.len() <= TITLE_WORDS && names(&title))
    };
    if !keeps && titled(&|title| v::REVIEWED.names(title)) {
        risks.entry(kind).or_insert("reviewed");
    }
    if !keeps && page.shows_price() && !page.accounts().is_empty() {
        risks.entry(AskKind::Payment).or_insert("account_and_amount");
    }
    if !v::ONWARD.is(label) && page.has_priced_choice() {
        risks.entry(AskKind::Payment).or_insert("priced_choice");
    }
    // OK at the foot of a page, under one of several that was chosen: it is carried out.
    let chosen = |one: &Element| has(one, State::Checked) && one.role == "radio";
    let yes = !keeps && !v::ONWARD.is(label) && !page.is_system() && page.is_foot_button(element);
    if yes && !asks && page.screen.elements.iter().any(chosen) {
        risks.entry(kind).or_insert("confirms_choice");
    }
    let told = || page.composes() && titled(&|title| v::PUBLIC_TEXT.leads(title));
    if !v::ONWARD.is(label) && told() {
        risks.entry(AskKind::Send).or_insert("publishes");
    }
    if !v::ONWARD.is(label) && is_filled(page) && titled(&names_deed) {
        risks.entry(kind).or_insert(NAMED_AFTER_DEED);
    }
}

/// The title of a page that does something to others, or for good.
fn names_deed(title: &Label) -> bool {
    if v::ABOUT_THING.mentioned(title) {
        return false;
    }
    DEEDS.into_iter().any(|kind| words::strong(kind, title))
        || v::ACT.leads(title)
        || v::JOIN.names(title)
        || v::DELETE_TOPIC.names(title)
        || v::COMPOSE.names(title)
}

/// Something is written, chosen or ticked on it.
fn is_filled(page: &Page<'_>) -> bool {
    let chosen = |one: &Element| has(one, State::Checked) && one.role != "switch";
    page.composes() || page.screen.elements.iter().any(chosen)
}

/// "Step 2 of 5", "3/3".
fn step(page: &Page<'_>) -> Option<Step> {
    let read = |text: Label| {
        let numbers: Vec<u32> = text
            .text
            .split(|c: char| !c.is_numeric())
            .filter(|part| !part.is_empty())
            .filter_map(number)
            .collect();
        let [at, all] = numbers.as_slice() else {
            return None;
        };
        let bare = !text.text.chars().any(char::is_alphabetic);
        let short = text.words.len() <= TITLE_WORDS + 2;
        let counts = short && (bare || v::STEP.mentioned(&text)) && (2..=STEPS).contains(all) && at <= all;
        counts.then_some(if at == all { Step::Last } else { Step::Inner })
    };
    let last = |text: Label| text.words.len() <= STEPS as usize && v::LAST_STEP.mentioned(&text);
    if page.statements().any(last) {
        return Some(Step::Last);
    }
    let slashed = |element: &&Element| {
        let label = element.label.as_str();
        !has(element, State::Clickable) && (label.contains('/') || v::STEP.mentioned(&Label::new(label)))
    };
    let elements = page.screen.elements.iter();
    elements
        .filter(slashed)
        .find_map(|element| read(Label::new(&element.label)))
}

/// Digits of any script.
fn number(digits: &str) -> Option<u32> {
    digits.chars().try_fold(0_u32, |sum, digit| {
        // Digits of every script stand in tens, each beginning at a zero of its own.
        let value = digit.to_digit(10).or_else(|| {
            ZEROES
                .iter()
                .find_map(|&zero| (digit as u32).checked_sub(zero).filter(|&value| value < 10))
        })?;
        sum.checked_mul(10)?.checked_add(value)
    })
}

/// Zero in Arabic, Persian, Devanagari, Bengali, Tamil, Thai, Lao, Burmese and Khmer.
const ZEROES: &[u32] = &[0x660, 0x6f0, 0x966, 0x9e6, 0xbe6, 0xe50, 0xed0, 0x1040, 0x17e0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_script() {
        for (digits, value) in [("5", 5), ("٣", 3), ("४", 4), ("12", 12)] {
            assert_eq!(number(digits), Some(value), "{digits}");
        }
        assert_eq!(number("½"), None);
    }
}

//! Money on a page: amounts, accounts, what pays.

use super::{App, Facts, Page, Thing};
use crate::words as w;
use protocol::{Amount, AskKind, Element, State};
use std::sync::LazyLock;

/// Words of currencies, some of which room `screen` reads no amounts in.
static CURRENCIES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("../words/currencies.txt")
        .split_whitespace()
        .collect()
});
const SIGNS: &str = "$€£¥￥₹₽₴₩₫₺₪฿৳₱₦﷼₸₼₾֏₭៛";
/// Longer texts tell of prices; they carry none.
const PRICE: usize = 120;

impl Page<'_> {
    /// Every amount on the screen, each once.
    #[must_use]
    pub fn amounts(&self) -> Vec<Amount> {
        let mut seen: Vec<Amount> = Vec::new();
        for (_, amount) in screen::amounts_on(&self.screen.elements) {
            if !seen.contains(&amount) {
                seen.push(amount);
            }
        }
        seen
    }

    /// Every card or account on the screen, each once.
    #[must_use]
    pub fn accounts(&self) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        for account in self
            .screen
            .elements
            .iter()
            .flat_map(|element| screen::accounts(&element.label))
        {
            if !seen.contains(&account.text) {
                seen.push(account.text);
            }
        }
        seen
    }

    /// A page from which money can be sent with one press.
    #[must_use]
    pub fn is_payment(&self) -> bool {
        let facts = self.facts();
        facts.pays() || facts.priced && self.element_for(AskKind::Payment).is_some()
    }
}

impl Facts<'_> {
    /// The page is about paying: an amount under a title that says so, in a bank's app beside an account, or over a button that
    /// pays; or fields for a card.
    pub(crate) fn pays(&self) -> bool {
        let by_button = || self.buttons().any(|thing| !thing.is_row() && thing.says(w::PAY));
        let accounts = || {
            self.things
                .iter()
                .any(|thing| !screen::accounts(&thing.element.label).is_empty())
        };
        let by_app = || self.app == App::Bank && (accounts() || self.fields().next().is_some());
        let about = || self.priced && (self.titled(w::PAY_TOPIC) || by_button() || by_app());
        *self
            .pays
            .get_or_init(|| !self.over && (self.wants_card() || about()))
    }

    /// It has a field for the number or the secret of a card.
    fn wants_card(&self) -> bool {
        self.fields().any(|field| w::CARD.mentioned(&field.label))
    }
}

impl Thing<'_> {
    /// An amount of money stands on it.
    pub(crate) fn has_amount(&self) -> bool {
        has_price(&self.element.label)
    }

    /// An amount and nothing else.
    pub(crate) fn is_amount(&self) -> bool {
        let label = self.element.label.trim();
        let letters = label.chars().filter(|c| c.is_alphabetic()).count();
        label.chars().count() <= 14 && letters <= 3 && screen::amounts(label).len() == 1
    }
}

pub(super) fn is_priced(elements: &[Element]) -> bool {
    let written = |element: &&Element| element.states.contains(&State::Editable);
    let values = elements
        .iter()
        .filter(written)
        .filter_map(|field| field.value.as_deref());
    let mut texts = elements
        .iter()
        .map(|element| element.label.as_str())
        .chain(values);
    texts.any(has_price) || !screen::amounts_on(elements).is_empty()
}

/// Digits beside a sign or word of a currency.
fn has_price(text: &str) -> bool {
    if text.chars().count() > PRICE || !text.chars().any(char::is_numeric) {
        return false;
    }
    let lower = text.to_lowercase();
    let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let sign = |word: &str| word.chars().all(|c| SIGNS.contains(c));
    let beside = |word: &str| {
        lower.match_indices(word).any(|(at, _)| {
            let (before, after) = (&lower[..at], &lower[at + word.len()..]);
            let (left, right) = (before.chars().next_back(), after.chars().next());
            digit(before.trim_end().chars().next_back()) && (sign(word) || !letter(right))
                || digit(after.trim_start_matches(['.', ' ', '\u{a0}']).chars().next())
                    && (sign(word) || !letter(left))
        })
    };
    let mut signs = SIGNS.split("").filter(|sign| text.contains(sign));
    signs.any(|sign| !sign.is_empty() && beside(sign)) || CURRENCIES.iter().any(|word| beside(word))
}

/// Thirteen to nineteen digits whose check digit holds (ISO/IEC 7812-1), as on cards of payment.
pub(crate) fn is_card_number(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let plain = text
        .trim()
        .chars()
        .all(|c| c.is_ascii_digit() || c == ' ' || c == '-');
    let value = |(at, digit): (usize, &u32)| match at % 2 {
        0 => *digit,
        _ if *digit > 4 => digit * 2 - 9,
        _ => digit * 2,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(value).sum();
    plain && (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && sum > 0
}

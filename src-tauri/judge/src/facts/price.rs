//! Prices and card numbers in texts.

use protocol::{Element, ElementState};
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

pub(super) fn is_priced(elements: &[Element]) -> bool {
    let written = |element: &&Element| element.states.contains(&ElementState::Editable);
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
pub(super) fn has_price(text: &str) -> bool {
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

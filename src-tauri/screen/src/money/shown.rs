//! The money on a whole screen, put together where it stands in pieces.

use super::amounts::amounts;
use super::{currency, number};
use crate::text::digit;
use currency::Currency;
use protocol::{Amount, Element};

/// Every amount on a screen with the number of the element its digits stand on, in reading order.
///
/// Many phones draw one amount as several texts. A lone currency beside a number on the same line is one amount with
/// it (`$` and `23.40`). Two digits by themselves right after an amount without cents may be its cents or a number of
/// their own: then both are in [`Amount::text`] and the value is left open.
#[must_use]
pub fn amounts_on(elements: &[Element]) -> Vec<(u32, Amount)> {
    pieces_on(elements.iter()).amounts
}

/// Numbers on a screen that are written as prices are, with no currency near: what they come to in hundredths, where that has
/// one reading.
#[must_use]
pub fn figures_on(elements: &[Element]) -> Vec<Amount> {
    pieces_on(elements.iter()).figures
}

/// A number and nothing else, as an amount of no currency.
#[must_use]
pub fn figure(text: &str) -> Option<Amount> {
    let number = is_number(text).then(|| number::read(&letters(text), 0))?;
    Some(Amount {
        text: text.trim().to_owned(),
        minor: number.hundredths(&Currency::unknown()),
        currency: String::new(),
    })
}

/// What the pieces of a screen's texts say.
pub(crate) struct ReadAmounts {
    pub(crate) amounts: Vec<(u32, Amount)>,
    /// Numbers written as prices are, with no currency near.
    pub(crate) figures: Vec<Amount>,
}

pub(crate) fn pieces_on<'a>(elements: impl Iterator<Item = &'a Element>) -> ReadAmounts {
    let pieces: Vec<Piece<'a>> = elements.flat_map(pieces_of).collect();
    let mut shown = ReadAmounts {
        amounts: Vec::new(),
        figures: Vec::new(),
    };
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let next = pieces.get(at + 1).filter(|next| piece.is_beside(next));
        at += 1;
        let mut element = piece.element.index;
        let mut found = amounts(piece.text);
        if found.is_empty()
            && let Some(next) = next
            && let Some(joined) = piece.join(next)
        {
            at += 1;
            found = joined;
            if is_number(next.text) {
                element = next.element.index;
            }
        }
        let after = pieces.get(at).filter(|after| piece.is_beside(after));
        if let Some(last) = found.last_mut()
            && let Some(cents) = after.filter(|after| is_cents(after.text))
            && !has_cents(last)
            && pieces[at - 1]
                .text
                .trim_end()
                .ends_with(|c: char| digit(c).is_some())
        {
            last.text = format!("{} {}", last.text, cents.text);
            last.minor = None;
            at += 1;
        }
        if found.is_empty() && is_figure(piece.text) {
            shown.figures.extend(figure(piece.text));
        }
        shown
            .amounts
            .extend(found.into_iter().map(|amount| (element, amount)));
    }
    shown
}

/// One text on an element: those joined into its label count one by one.
struct Piece<'a> {
    element: &'a Element,
    text: &'a str,
}

fn pieces_of(element: &Element) -> impl Iterator<Item = Piece<'_>> {
    let value = element.value.as_deref().filter(|value| *value != element.label);
    [Some(element.label.as_str()), value]
        .into_iter()
        .flatten()
        .flat_map(|text| text.split(", "))
        .filter(|text| !text.trim().is_empty())
        .map(move |text| Piece { element, text })
}

impl Piece<'_> {
    /// On the same line.
    fn is_beside(&self, other: &Self) -> bool {
        let (a, b) = (self.element.bounds, other.element.bounds);
        a.top < b.bottom && b.top < a.bottom
    }

    /// The amount of a lone currency and a bare number, whichever comes first.
    fn join(&self, next: &Self) -> Option<Vec<Amount>> {
        let joined = if is_currency(self.text) && is_number(next.text) {
            amounts(&format!("{}{}", self.text.trim(), next.text.trim()))
        } else if is_number(self.text) && is_currency(next.text) {
            amounts(&format!("{} {}", self.text.trim(), next.text.trim()))
        } else {
            return None;
        };
        (!joined.is_empty()).then_some(joined)
    }
}

fn letters(text: &str) -> Vec<(usize, char)> {
    text.trim().char_indices().take(24).collect()
}

/// A currency and nothing else.
fn is_currency(text: &str) -> bool {
    let letters = letters(text);
    currency::starting(&letters).is_some_and(|found| found.letters == letters.len())
}

/// A number and nothing else.
fn is_number(text: &str) -> bool {
    let letters = letters(text);
    let starts = letters.first().is_some_and(|(_, c)| digit(*c).is_some());
    starts && {
        let number = number::read(&letters, 0);
        number.end == letters.len() && !number.broken
    }
}

/// A number as prices are written, and nothing else: two decimals, or groups of three.
fn is_figure(text: &str) -> bool {
    is_number(text) && number::read(&letters(text), 0).is_price()
}

fn is_cents(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() == 2 && text.chars().all(|c| digit(c).is_some())
}

/// Whether an amount has decimals already; where that is open, it may have.
fn has_cents(amount: &Amount) -> bool {
    let letters: Vec<(usize, char)> = amount.text.char_indices().collect();
    letters
        .iter()
        .position(|(_, c)| digit(*c).is_some())
        .is_none_or(|at| number::read(&letters, at).decimals.is_some())
}

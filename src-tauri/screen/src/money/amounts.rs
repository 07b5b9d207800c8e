//! The amounts of money in a text.

use super::currency::{self, Currency, Side};
use super::number::{self, Number};
use crate::text::{digit, is_letter};
use crate::tick::step;
use protocol::Amount;

/// Every amount of money in a text, in order. Letter for letter in [`Amount::text`]; in hundredths where the text
/// allows one reading only. `$1,234` is one (no cents have three digits); `1.234 €` is not.
///
/// A number is money only with a currency beside it: a sign, a code in capitals, or a word, at most one space away.
/// So phone numbers, times, dates, shares and order numbers are none. Digits may be of any script; grouping by
/// comma, point, apostrophe or any space; `10.–`, `10,-` and `5:-` are whole amounts; minus and accountants'
/// brackets are read. `$1.5M` is an amount whose value is left open. One pass, no backtracking.
#[must_use]
pub fn amounts(text: &str) -> Vec<Amount> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let line = PriceLine {
        text,
        letters: &letters,
    };
    let numbers = line.numbers();
    let mut amounts = Vec::new();
    let mut free_from = 0;
    for (n, number) in numbers.iter().enumerate() {
        let next = numbers.get(n + 1);
        if let Some((amount, end)) = line.amount(number, next, free_from) {
            amounts.push(amount);
            free_from = end;
        } else {
            free_from = free_from.max(number.end);
        }
    }
    amounts
}

/// A text as letters with their places.
struct PriceLine<'a> {
    text: &'a str,
    letters: &'a [(usize, char)],
}

impl PriceLine<'_> {
    fn letter(&self, at: usize) -> Option<char> {
        self.letters.get(at).map(|(_, c)| *c)
    }

    /// The letter `back` places before `at`.
    fn before(&self, at: usize, back: usize) -> Option<char> {
        self.letter(at.checked_sub(back)?)
    }

    /// The text between two letters.
    fn slice(&self, from: usize, to: usize) -> &str {
        let byte = |at: usize| self.letters.get(at).map_or(self.text.len(), |(byte, _)| *byte);
        self.text.get(byte(from)..byte(to)).unwrap_or("")
    }

    fn numbers(&self) -> Vec<Number> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.letters.len() {
            step();
            if self.letter(at).and_then(digit).is_some() {
                let number = number::read(self.letters, at);
                at = number.end;
                found.push(number);
            } else {
                at += 1;
            }
        }
        found
    }

    /// The amount around a number, if a currency stands beside it that belongs to no other; and where it ends.
    fn amount(&self, number: &Number, next: Option<&Number>, free_from: usize) -> Option<(Amount, usize)> {
        // 192.168.1.1, 12.05.2024.
        if number.broken {
            return None;
        }
        let prefix = self.prefix(number, free_from);
        let scaled = currency::multiplier(&self.letters[number.end..]);
        let number_end = number.end + scaled.unwrap_or(0);
        let suffix = self.suffix(number_end, number, next, prefix.is_some());
        // 7:05 kr, 3/4 €: the number is the tail of something else.
        let tail = self
            .before(number.start, 1)
            .is_some_and(|c| matches!(c, ':' | '/' | '#'))
            && self.before(number.start, 2).and_then(digit).is_some();
        // AB12 €, #12 €; but `2x12 €` and scripts that put no spaces between words.
        let times = self
            .before(number.start, 1)
            .is_some_and(|c| matches!(c, 'x' | 'X'))
            && self
                .before(number.start, 2)
                .is_none_or(|c| digit(c).is_some() || c.is_whitespace());
        let glued = !times
            && self
                .before(number.start, 1)
                .is_some_and(|c| is_letter(c) || digit(c).is_some() || matches!(c, '#' | '_'));
        let (currency, start, end) = match (prefix, suffix) {
            (Some((sign, start)), None) => (sign, start, number_end),
            // `$23.40 USD`: the code tells more than the sign.
            (Some((sign, start)), Some((code, end))) if code.is_code && !sign.is_code => (code, start, end),
            (Some((sign, start)), Some(_)) => (sign, start, number_end),
            (None, Some(_)) if tail || glued => return None,
            (None, Some((sign, end))) => (sign, self.signed_from(number.start, free_from), end),
            (None, None) => return None,
        };
        if currency.wants_cents && number.decimals.is_none() {
            return None;
        }
        let (start, end, bracketed) = self.bracketed(start, end, free_from);
        let negative = bracketed || self.is_negative(start, number.start);
        let value = if scaled.is_some() {
            None
        } else {
            number.hundredths(&currency)
        };
        let amount = Amount {
            text: self.slice(start, end).trim().to_owned(),
            minor: value.map(|value| if negative { -value } else { value }),
            currency: currency.text.clone(),
        };
        Some((amount, end))
    }

    /// A currency before a number, at most one space and a minus away: what, and where it or its minus starts.
    fn prefix(&self, number: &Number, free_from: usize) -> Option<(Currency, usize)> {
        let mut end = number.start;
        if end > free_from && self.before(end, 1).is_some_and(is_minus) {
            end -= 1;
        }
        if end > free_from && self.before(end, 1).is_some_and(char::is_whitespace) {
            end -= 1;
        }
        let near = &self.letters[free_from.min(end)..end];
        let found = currency::ending(near)?;
        let start = end - found.letters;
        Some((found, self.signed_from(start, free_from)))
    }

    /// A currency after a number, at most one space away: what, and where it ends.
    fn suffix(
        &self,
        end: usize,
        number: &Number,
        next: Option<&Number>,
        prefixed: bool,
    ) -> Option<(Currency, usize)> {
        let spaced = self.letter(end).is_some_and(char::is_whitespace);
        let start = if spaced { end + 1 } else { end };
        let found = currency::starting(self.letters.get(start..)?)?;
        let stop = start + found.letters;
        // `2 $23.40`, `2 US$ 23.40`, `2 EUR 5.00`, `USD 5 CHF 10`: it is the next number's.
        if let Some(next) = next {
            let touches =
                next.start == stop || (next.start == stop + 1 && self.letter(stop).is_some_and(is_minus));
            let near = next.start == stop + 1 && self.letter(stop).is_some_and(char::is_whitespace);
            let better = prefixed
                || found.side == Side::Before
                || (next.decimals.is_some() && number.decimals.is_none());
            if (spaced && touches) || (near && better) {
                return None;
            }
        }
        Some((found, stop))
    }

    /// Where an amount starts once a minus before it is taken in. A dash after a letter or digit is none.
    fn signed_from(&self, start: usize, free_from: usize) -> usize {
        let minus = start > free_from
            && self.before(start, 1).is_some_and(is_minus)
            && !self
                .before(start, 2)
                .is_some_and(|c| c.is_alphanumeric() || c == '.' || c == ')');
        if minus { start - 1 } else { start }
    }

    fn is_negative(&self, start: usize, number: usize) -> bool {
        self.letters.get(start..number).is_some_and(|lead| {
            lead.iter().enumerate().any(|(n, (_, c))| {
                // `Rs-` and `$-` are signs; `US-$` is a name.
                is_minus(*c) && (n == 0 || start + n + 1 == number)
            })
        })
    }

    /// `($5.00)` means five dollars owed.
    fn bracketed(&self, start: usize, end: usize, free_from: usize) -> (usize, usize, bool) {
        let opened = start > free_from && self.before(start, 1) == Some('(');
        let free = !self.before(start, 2).is_some_and(char::is_alphanumeric);
        if opened && free && self.letter(end) == Some(')') && self.looks_alone(start, end) {
            (start - 1, end + 1, true)
        } else {
            (start, end, false)
        }
    }

    /// Brackets in the middle of a sentence are brackets; alone on a line or in a column they are accountants'.
    fn looks_alone(&self, start: usize, end: usize) -> bool {
        let before = self.letters.get(..start.saturating_sub(1)).unwrap_or(&[]);
        let after = self.letters.get(end + 1..).unwrap_or(&[]);
        // Only a few letters are looked at: the whole text need not be walked for each amount.
        let quiet = |c: &&(usize, char)| c.1.is_whitespace();
        before.iter().rev().take(4).all(|c| quiet(&c)) && after.iter().take(4).all(|c| quiet(&c))
    }
}

fn is_minus(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2212}' | '\u{2010}' | '\u{2011}' | '\u{2013}' | '\u{fe63}' | '\u{ff0d}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::accounts;
    use crate::tick::steps_of;

    #[test]
    fn steps_grow_as_texts_do() {
        for piece in [
            "$",
            "1",
            "1 ",
            "1.",
            "1,2",
            "$1",
            "$1 ",
            "5 €",
            "12 345 ",
            "- ",
            "•",
            "• ",
            "•• ",
            "•1",
            "x",
            "x1 ",
            "DE89 ",
            "DE89",
            "A",
            "4111 ",
            "0-",
            "…4",
            "円1",
            "ending in 1",
        ] {
            let steps = |n: usize| {
                let text = piece.repeat(n);
                steps_of(|| (amounts(&text), accounts(&text)))
            };
            let (small, large) = (steps(500), steps(5_000));
            assert!(small >= 500, "{piece}: the steps are counted ({small})");
            assert!(large <= 12 * small, "{piece}: {small} steps, then {large}");
        }
    }
}

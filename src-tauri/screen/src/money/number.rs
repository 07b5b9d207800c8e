//! The number of an amount: digits, grouping, cents.

use super::currency::Currency;
use crate::text::digit;
use crate::tick::step;

/// A number in a text, its places counted in letters.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) start: usize,
    /// After its last letter, the dash of `10.–` included.
    pub(super) end: usize,
    /// Before the decimal mark, as far as there is one reading.
    whole: Option<i64>,
    /// The digits after the decimal mark as a number, and how many; `(0, 2)` for `.–`.
    pub(super) decimals: Option<(i64, u32)>,
    /// Groups of three (or India's) stand before any decimals.
    grouped: bool,
    /// One separator with three digits after it: a group, or decimals.
    ambiguous: Option<AmbiguousNumber>,
    /// Its separators fit no way of writing numbers: dates, versions, addresses.
    pub(super) broken: bool,
}

/// `1.234`.
#[derive(Debug)]
struct AmbiguousNumber {
    separator: char,
    before: i64,
    after: i64,
}

/// Reads the number that starts at a digit.
pub(super) fn read(letters: &[(usize, char)], start: usize) -> Number {
    let letter = |at: usize| letters.get(at).map(|(_, c)| *c);
    let value = |at: usize| letter(at).and_then(digit);
    let mut groups: Vec<Group> = vec![Group::default()];
    let mut separators: Vec<char> = Vec::new();
    let mut at = start;
    loop {
        step();
        if let Some(digit) = value(at) {
            if let Some(group) = groups.last_mut() {
                group.push(digit);
            }
            at += 1;
            continue;
        }
        let Some(separator) = letter(at).and_then(separator) else {
            break;
        };
        let follows = (at + 1..)
            .take_while(|n| *n < at + 5 && value(*n).is_some())
            .count();
        // A space groups only threes, only after one to three digits, and only before any decimal mark.
        let groups_by_space = separator == ' '
            && follows == 3
            && groups.last().is_some_and(|g| g.digits <= 3)
            && separators.iter().all(|s| *s == ' ');
        let goes_on = follows > 0 && (separator != ' ' || groups_by_space);
        if !goes_on {
            break;
        }
        separators.push(separator);
        groups.push(Group::default());
        at += 1;
    }
    let mut number = shape(&groups, &separators);
    number.start = start;
    number.end = at;
    // `10.–`, `10,-`, `5:-`.
    if number.decimals.is_none()
        && letter(at).is_some_and(|c| matches!(c, '.' | ',' | ':'))
        && letter(at + 1).is_some_and(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}' | '\u{2212}'))
        && value(at + 2).is_none()
    {
        let dashes = (at + 1..)
            .take_while(|n| {
                letter(*n).is_some_and(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}' | '\u{2212}'))
            })
            .take(2)
            .count();
        number.end = at + 1 + dashes;
        number.settle_open();
        number.decimals = Some((0, 2));
    }
    number
}

/// Digits between two separators.
#[derive(Debug, Default)]
struct Group {
    /// Absent when it is too large.
    value: Option<i64>,
    digits: u32,
}

impl Group {
    fn push(&mut self, digit: u8) {
        let value = if self.digits == 0 { Some(0) } else { self.value };
        self.value = value.and_then(|v| v.checked_mul(10)?.checked_add(i64::from(digit)));
        self.digits += 1;
    }
}

/// All that writes one of the separators: `.`, `,`, `'` or a space.
fn separator(c: char) -> Option<char> {
    Some(match c {
        '.' | '\u{066b}' | '\u{ff0e}' | '\u{b7}' => '.',
        ',' | '\u{066c}' | '\u{ff0c}' | '\u{060c}' => ',',
        '\'' | '\u{2019}' | '\u{2bc}' => '\'',
        ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' | '\u{2008}' | '\u{3000}' => ' ',
        _ => return None,
    })
}

/// What the groups and separators mean.
fn shape(groups: &[Group], separators: &[char]) -> Number {
    let number = |whole: Option<i64>, decimals, ambiguous| Number {
        start: 0,
        end: 0,
        whole,
        decimals,
        grouped: false,
        ambiguous,
        broken: false,
    };
    let broken = || Number {
        broken: true,
        ..number(None, None, None)
    };
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
        return broken();
    };
    let Some(last_separator) = separators.last().copied() else {
        return number(first.value, None, None);
    };
    let cents = || last.value.map(|value| (value, last.digits));
    if separators.len() == 1 && last_separator != ' ' && last_separator != '\'' {
        // `1.234` and `1,234` have two readings; `0.234`, `1234.567` and `1.2345` only one.
        if last.digits == 3 && first.digits <= 3 && first.value != Some(0) {
            let ambiguous = first
                .value
                .zip(last.value)
                .map(|(before, after)| AmbiguousNumber {
                    separator: last_separator,
                    before,
                    after,
                });
            return number(None, None, ambiguous);
        }
        return number(first.value, cents(), None);
    }
    let mixed = separators.iter().any(|s| *s != last_separator);
    let grouping = if mixed {
        &separators[..separators.len() - 1]
    } else {
        separators
    };
    let one_kind = grouping.windows(2).all(|two| two[0] == two[1]);
    let in_group = &groups[..=grouping.len()];
    if !one_kind || !is_grouped(in_group) || (mixed && matches!(last_separator, ' ' | '\'')) {
        return broken();
    }
    let whole = join(in_group);
    Number {
        grouped: true,
        ..number(whole, if mixed { cents() } else { None }, None)
    }
}

/// `1,234,567`, and India's `12,34,567`.
fn is_grouped(groups: &[Group]) -> bool {
    let [first, middle @ .., last] = groups else {
        return true;
    };
    let size = |n: u32| middle.iter().all(|g| g.digits == n);
    last.digits == 3
        && ((1..=3).contains(&first.digits) && size(3) || (1..=2).contains(&first.digits) && size(2))
}

fn join(groups: &[Group]) -> Option<i64> {
    groups.iter().try_fold(0_i64, |sum, group| {
        let shift = 10_i64.checked_pow(group.digits)?;
        sum.checked_mul(shift)?.checked_add(group.value?)
    })
}

impl Number {
    /// The value in hundredths, where there is one reading and it is a whole number of hundredths.
    pub(super) fn hundredths(&self, currency: &Currency) -> Option<i64> {
        let grouped = |ambiguous: &AmbiguousNumber| {
            ambiguous
                .before
                .checked_mul(1000)?
                .checked_add(ambiguous.after)?
                .checked_mul(100)
        };
        if let Some(ambiguous) = &self.ambiguous {
            // Where there are no cents, or the comma never stands before them, three digits are a group.
            return if currency.no_cents || (currency.comma_groups && ambiguous.separator == ',') {
                grouped(ambiguous)
            } else {
                None
            };
        }
        let whole = self.whole?.checked_mul(100)?;
        let cents = match self.decimals {
            None => 0,
            Some((value, 1)) => value.checked_mul(10)?,
            Some((value, digits)) => {
                let beyond = 10_i64.checked_pow(digits.saturating_sub(2))?;
                if value % beyond != 0 {
                    return None;
                }
                value / beyond
            }
        };
        whole.checked_add(cents)
    }

    /// Written as prices are: with two decimals, or in groups.
    pub(super) fn is_price(&self) -> bool {
        self.grouped || self.ambiguous.is_some() || self.decimals.is_some_and(|(_, digits)| digits == 2)
    }

    /// What follows shows that the three digits were a group: `1.234,-`.
    fn settle_open(&mut self) {
        if let Some(ambiguous) = self.ambiguous.take() {
            self.whole = ambiguous
                .before
                .checked_mul(1000)
                .and_then(|n| n.checked_add(ambiguous.after));
        }
    }
}

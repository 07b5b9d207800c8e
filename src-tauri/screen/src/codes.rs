//! One-time codes among other words.

use crate::account::accounts;
use crate::mask::{code_like, grouped_code};
use crate::money::amounts;
use crate::party::phone_numbers;
use crate::text::digit;
use std::ops::Range;

/// A code that is written digit by digit has at most so many of them.
const LONGEST_SERIES: usize = 8;

/// Where something stands in a text that looks like a one-time code ([`code_like`]) and has a digit: places in bytes, in order,
/// none within another. Whatever is neither a plain letter or digit nor a dash parts it from what stands beside: not every
/// language writes blanks. What belongs to a number with a point, a colon or the like is none, nor is what is read as money, and
/// as an account's or a phone's number.
///
/// Where it `speaks` of a code, two groups of capitals and digits are one too (`7KD-J2M`), and a number after a word for an
/// account may be it.
#[must_use]
pub fn codes_in(text: &str, speaks: bool) -> Vec<Range<usize>> {
    let mut found = looks_like(text, speaks);
    if !found.is_empty() {
        let known = read_otherwise(text, speaks);
        found.retain(|code| {
            !known
                .iter()
                .any(|other| other.start < code.end && code.start < other.end)
        });
    }
    found
}

/// Where the numbers stand that are something else.
fn read_otherwise(text: &str, speaks: bool) -> Vec<Range<usize>> {
    let amounts = amounts(text).into_iter().map(|amount| amount.text);
    let mut known = places(text, amounts);
    if !speaks {
        // No code has as many digits as a number to call, but for what is written after its sign.
        let is_call = |run: &&str| {
            run.starts_with('+') || run.chars().filter(|c| digit(*c).is_some()).count() > LONGEST_SERIES
        };
        known.extend(places(
            text,
            accounts(text).into_iter().map(|account| account.text),
        ));
        known.extend(places(
            text,
            phone_numbers(text).filter(is_call).map(str::to_owned),
        ));
    }
    known
}

/// Where these stand in a text, one behind the other.
fn places(text: &str, parts: impl Iterator<Item = String>) -> Vec<Range<usize>> {
    let mut from = 0;
    let find = |part: String| {
        let start = from + text.get(from..)?.find(&part)?;
        from = start + part.len();
        Some(start..from)
    };
    parts.filter_map(find).collect()
}

fn looks_like(text: &str, speaks: bool) -> Vec<Range<usize>> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match several(text, &words[at..]) {
            Some(count) => {
                found.push(words[at].start..words[at + count - 1].end);
                at += count;
            }
            None => {
                found.extend(single(text, &words[at], speaks));
                at += 1;
            }
        }
    }
    found
}

/// Runs of plain letters, digits and dashes.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| belongs(*c)) {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(last) if last.end == at => last.end = end,
            _ => words.push(at..end),
        }
    }
    words
}

fn belongs(c: char) -> bool {
    c.is_ascii_alphanumeric() || digit(c).is_some() || is_dash(c)
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2013}')
}

fn has_digit(text: &str) -> bool {
    text.chars().any(|c| digit(c).is_some())
}

/// Of how many of these words a code with blanks in it is: `482 913`, `4 8 2 9 1 3`.
fn several(text: &str, words: &[Range<usize>]) -> Option<usize> {
    let joined = |pair: &[Range<usize>]| {
        let gap = &text[pair[0].end..pair[1].start];
        matches!(gap, " " | "\u{a0}" | "\u{2009}" | "\u{202f}")
    };
    let near = 1 + words.windows(2).take_while(|pair| joined(pair)).count();
    let is_digit = |word: &&Range<usize>| {
        let word = &text[(*word).clone()];
        word.chars().count() == 1 && has_digit(word)
    };
    let digits = words[..near].iter().take_while(is_digit).count();
    if (4..=LONGEST_SERIES).contains(&digits) {
        return Some(digits);
    }
    let is_pair = near > 1
        && has_digit(&text[words[0].clone()])
        && code_like(&text[words[0].start..words[1].end])
        && is_whole(text, &words[0])
        && is_whole(text, &words[1]);
    is_pair.then_some(2)
}

/// The code that one word is, or ends or begins with behind a dash: `482913`, `OTP-482913`.
fn single(text: &str, word: &Range<usize>, speaks: bool) -> Option<Range<usize>> {
    let is_code = |place: &Range<usize>| {
        let part = &text[place.clone()];
        has_digit(part) && (code_like(part) || speaks && grouped_code(part)) && is_whole(text, place)
    };
    if is_code(word) {
        return Some(word.clone());
    }
    let whole = &text[word.clone()];
    let mut numbers = whole.split(is_dash).filter(|part| has_digit(part));
    let (part, None) = (numbers.next()?, numbers.next()) else {
        return None;
    };
    let start = word.start + whole.find(part)?;
    let place = start..start + part.len();
    is_code(&place).then_some(place)
}

/// Whether a number ends where this does: no further digits stand behind a sign that numbers have in them.
fn is_whole(text: &str, place: &Range<usize>) -> bool {
    let inner = |c: Option<char>| c.is_some_and(|c| matches!(c, '.' | ',' | ':' | '/' | '\'' | '\u{2019}'));
    let number = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    let mut before = text[..place.start].chars().rev();
    let mut after = text[place.end..].chars();
    let goes_on = inner(before.next()) && number(before.next());
    let has_more = inner(after.next()) && number(after.next());
    !goes_on && !has_more
}

#[cfg(test)]
mod tests {
    use super::codes_in;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = codes_in(text, false)
            .into_iter()
            .map(|place| &text[place])
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn two_groups_are_a_code_where_the_text_speaks_of_one() {
        for (text, code) in [
            ("Your code is 7KD-J2M", "7KD-J2M"),
            ("ABC-123 is your code", "ABC-123"),
        ] {
            let found = |speaks| codes_in(text, speaks).first().map(|place| &text[place.clone()]);
            assert_eq!((found(true), found(false)), (Some(code), None), "{text}");
        }
    }

    #[test]
    fn money_accounts_and_numbers_to_call_are_none() {
        for text in [
            "Total $2300",
            "¥1999",
            "1499 €",
            "250000đ",
            "125 500 ₽",
            "•••• 4821",
            "Visa ending in 4821",
            "+49 170 1234567",
            "0170 1234567",
        ] {
            check(text, &[]);
        }
        check("Pay $2300 with 482913", &["482913"]);
        check("04829135", &["04829135"]);
        let spoken = |text: &str| codes_in(text, true).len();
        assert_eq!(spoken("Your code to pay $2300 is 482913"), 1);
        assert_eq!(spoken("The code for your account 482913"), 1);
    }

    #[test]
    fn a_code_is_found_however_it_is_written() {
        check("482913", &["482913"]);
        check("Your code is 482 913.", &["482 913"]);
        check("【绿叶】验证码482913，5分钟内有效", &["482913"]);
        check("验证码：482913，请勿泄露", &["482913"]);
        check("Code:482913", &["482913"]);
        check("OTP-482913", &["482913"]);
        check("G-482913 is your code", &["G-482913"]);
        check("text=\"482913\"", &["482913"]);
        check("Enter 4 8 2 9 1 3 now", &["4 8 2 9 1 3"]);
        check("код: 4829, or A1B2C3", &["4829", "A1B2C3"]);
        check("رمز ٤٨٢٩١٣", &["٤٨٢٩١٣"]);
    }

    #[test]
    fn other_numbers_are_none() {
        check("Total $1,234.50 at 10:30", &[]);
        check("Version 1.2.3456", &[]);
        check("2026-11-25", &[]);
        check("Call me", &[]);
        check("", &[]);
    }
}

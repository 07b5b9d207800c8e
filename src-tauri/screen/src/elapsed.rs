//! Whether a text is another only because time went by: a clock, a countdown, "2 min ago".

use crate::text::{digit, without_digits};

/// Words for a unit of time, as they stand after its number, and how many seconds it is.
const UNITS: &[(u64, &[&str])] = &[
    (
        1,
        &[
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
            "sek",
            "sekunde",
            "sekunden",
            "seconde",
            "secondes",
            "seg",
            "segundo",
            "segundos",
            "secondo",
            "secondi",
            "sekund",
            "sekunder",
            "saniye",
            "sn",
            "сек",
            "с",
            "секунда",
            "секунды",
            "секунд",
            "секунду",
            "秒",
            "초",
        ],
    ),
    (
        60,
        &[
            "m",
            "min",
            "mins",
            "minute",
            "minutes",
            "minuten",
            "minuto",
            "minutos",
            "minuti",
            "minut",
            "dakika",
            "dk",
            "мин",
            "минута",
            "минуты",
            "минут",
            "минуту",
            "분",
            "分",
            "分钟",
            "分前",
            "分钟前",
        ],
    ),
];
/// What a reading of the seconds may be late or early by.
const LATE: u64 = 2;
const HOUR: u64 = 60 * 60;

/// Whether `after` says what `before` said, `seconds` later: letter for letter but for its times, and each of those moved by as
/// much as has gone by, on or back as a countdown does. A price, a count or another hour is another text.
pub(crate) fn is_same_later(before: &str, after: &str, seconds: u64) -> bool {
    if before == after {
        return true;
    }
    if without_digits(before) != without_digits(after) {
        return false;
    }
    let (old, new) = (numbers(before), numbers(after));
    let went_by = |(old, new): (&Number<'_>, &Number<'_>)| {
        old.text == new.text || old.unit == new.unit && old.went_by(new, seconds)
    };
    old.len() == new.len() && old.iter().zip(&new).all(went_by)
}

/// Whether `after` is what is left of a countdown that has run out meanwhile: "Resend code in 0:30", then "Resend code". It says
/// no word that was not there. A number without a unit counts seconds here.
pub(crate) fn has_run_out(before: &str, after: &str, seconds: u64) -> bool {
    let [number] = numbers(before)[..] else {
        return false;
    };
    let left = match parts(number.text).as_deref() {
        Some([n]) => n.checked_mul(number.unit.unwrap_or(1)),
        Some([minutes, n]) if *n < 60 => Some(minutes * 60 + n),
        _ => None,
    };
    let words = |text: &str| {
        let words = text
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let (old, new) = (words(before), words(after));
    let was_there = |word: &String| {
        old.iter()
            .any(|one| one == word || is_signs(word) && one.ends_with(word.as_str()))
    };
    left.is_some_and(|left| left <= seconds + LATE)
        && numbers(after).is_empty()
        && !new.is_empty()
        && new.iter().all(was_there)
}

/// Written without spaces, as Chinese, Japanese and Korean are or may be.
fn is_signs(word: &str) -> bool {
    word.chars().all(|c| c >= '\u{2e80}')
}

/// The seconds of the unit a word names. Where signs are words, what follows it goes on in the same.
fn unit(word: &str) -> Option<u64> {
    let fits = |name: &str| name == word || is_signs(name) && word.starts_with(name);
    let found = UNITS
        .iter()
        .find(|(_, names)| names.iter().any(|name| fits(name)));
    found.map(|(seconds, _)| *seconds)
}

/// A number in a text, and the word after it.
#[derive(Clone, Copy)]
struct Number<'a> {
    text: &'a str,
    unit: Option<u64>,
}

impl Number<'_> {
    fn went_by(&self, later: &Self, seconds: u64) -> bool {
        match (parts(self.text).as_deref(), parts(later.text).as_deref()) {
            (Some([old]), Some([new])) => match self.unit {
                Some(unit) => moved(old.abs_diff(*new) * unit, unit, seconds),
                None => false,
            },
            // Minutes and seconds, or hours and minutes: a face of twelve hours begins anew.
            (Some([a, b]), Some([c, d])) if *b < 60 && *d < 60 => {
                let (old, new) = (a * 60 + b, c * 60 + d);
                let minutes = old.abs_diff(new);
                moved(minutes, 1, seconds)
                    || moved(minutes * 60, 60, seconds)
                    || (new < old
                        && [12, 24]
                            .iter()
                            .any(|h| minutes < h * 60 && moved((h * 60 - minutes) * 60, 60, seconds)))
            }
            (Some([a, b, c]), Some([d, e, f])) if [b, c, e, f].iter().all(|n| **n < 60) => moved(
                (a * HOUR + b * 60 + c).abs_diff(d * HOUR + e * 60 + f),
                1,
                seconds,
            ),
            _ => false,
        }
    }
}

/// Whether something that counts in steps of `unit` seconds moves by so much while time goes by.
fn moved(by: u64, unit: u64, seconds: u64) -> bool {
    by.abs_diff(seconds) < unit + LATE
}

/// The numbers of a time, parted by colons.
fn parts(text: &str) -> Option<Vec<u64>> {
    let number = |part: &str| {
        let mut value = 0_u64;
        for c in part.chars() {
            value = value.checked_mul(10)?.checked_add(u64::from(digit(c)?))?;
        }
        // More digits are no time.
        (!part.is_empty() && value < 100_000).then_some(value)
    };
    text.split(':').map(number).collect()
}

/// Every run of digits, with the colons between them.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let is_part = |c: char| digit(c).is_some() || c == ':';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c| digit(c).is_some()) {
        let from = &rest[start..];
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let number = number.trim_end_matches(':');
        let after = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
        let word: String = after
            .chars()
            .take_while(|c| c.is_alphabetic())
            .flat_map(char::to_lowercase)
            .collect();
        found.push(Number {
            text: number,
            unit: unit(&word),
        });
        rest = &from[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{has_run_out, is_same_later};

    #[test]
    fn a_countdown_that_has_run_out_says_nothing_new() {
        for (before, after, seconds, expected) in [
            ("Resend code in 0:30", "Resend code", 31, true),
            ("Resend code in 0:30", "Resend code", 10, false),
            ("Resend (29)", "Resend", 40, true),
            ("60秒后重新发送", "重新发送", 60, true),
            ("Pay Dana in 30 s", "Pay Eve", 60, false),
            ("Transfer 5", "", 60, false),
        ] {
            assert_eq!(
                has_run_out(before, after, seconds),
                expected,
                "{before} → {after}"
            );
        }
    }

    #[test]
    fn a_text_is_the_same_later_where_only_its_times_went_on() {
        for (before, after, seconds, expected) in [
            ("10:42", "10:42", 0, true),
            ("10:42", "10:45", 180, true),
            ("10:42", "10:45", 10, false),
            ("12:59", "1:01", 120, true),
            ("23:59", "0:01", 120, true),
            ("Ends in 0:59", "Ends in 0:12", 47, true),
            ("Ends in 1:00:05", "Ends in 0:59:35", 30, true),
            ("Resend in 30 s", "Resend in 18 s", 12, true),
            ("2 min ago", "5 min ago", 180, true),
            ("2分前", "5分前", 180, true),
            ("2 min ago", "9 min ago", 60, false),
            ("60秒后重新发送", "48秒后重新发送", 12, true),
            // Another appointment, count or price is no time that went by.
            ("Monday, 10:30", "Monday, 14:30", 300, false),
            ("Monday, 10:30", "Friday, 10:30", 300, false),
            ("Delete 2 photos", "Delete 3 photos", 60, false),
            ("Row 12", "Row 13", 1, false),
            ("$12.40", "$12.41", 1, false),
            ("Dana", "Eve", 60, false),
        ] {
            assert_eq!(
                is_same_later(before, after, seconds),
                expected,
                "{before} → {after}"
            );
        }
    }
}

//! Limits in the person's words: `only if it is under $20`.

use crate::clause::Clause;

/// What may be spent at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// In hundredths.
    pub(crate) minor: i64,
    /// The very amount is too much already: *under* $20.
    pub(crate) under: bool,
    /// As the person wrote it.
    pub(crate) text: String,
}

impl Limit {
    /// The limit in these words, if there is one.
    pub(crate) fn read(text: &str) -> Option<Self> {
        const UNDER: &[&str] = &[
            "under",
            "below",
            "less than",
            "cheaper than",
            "lower than",
            "smaller than",
        ];
        const MOST: &[&str] = &[
            "at most",
            "no more than",
            "not more than",
            "up to",
            "maximum of",
            "max of",
            "maximum",
            "max",
            "within",
            "over",
            "more than",
            "above",
            "exceed",
            "exceeds",
            "limit of",
            "limit is",
            "budget of",
            "budget is",
        ];
        let clause = Clause::of(text);
        for (phrases, under) in [(UNDER, true), (MOST, false)] {
            let after = phrases
                .iter()
                .filter_map(|phrase| clause.phrase(phrase))
                .map(|(_, end)| end);
            for at in after {
                if let Some((minor, words)) = amount(&clause, at) {
                    let text = clause.between(at, at + words).to_owned();
                    return Some(Self { minor, under, text });
                }
            }
        }
        None
    }

    /// Whether so many hundredths are within it.
    pub(crate) fn allows(&self, minor: i64) -> bool {
        if self.under {
            minor < self.minor
        } else {
            minor <= self.minor
        }
    }
}

/// `$20`, `20 dollars`, `20.50`, and how many words that is.
fn amount(clause: &Clause<'_>, at: usize) -> Option<(i64, usize)> {
    let word = clause.words.get(at)?.plain.as_str();
    let marked = word.starts_with(['$', '€', '£']);
    let digits = word.trim_matches(['$', '€', '£']);
    let unit = clause.words.get(at + 1).map(|word| word.plain.as_str());
    let named =
        unit.is_some_and(|unit| matches!(unit, "dollars" | "dollar" | "bucks" | "euros" | "euro" | "pounds"));
    // A bare number is an amount where nothing else is counted by it.
    if !(marked || named || unit.is_none()) {
        return None;
    }
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let whole: i64 = whole.parse().ok().filter(|n| (0..1_000_000).contains(n))?;
    let part: i64 = match part.len() {
        0 => 0,
        1 => part.parse::<i64>().ok()? * 10,
        2 => part.parse().ok()?,
        _ => return None,
    };
    Some((whole * 100 + part, if named { 2 } else { 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        for (text, expected) in [
            ("only if it is under $20", Some((2000, true, "$20"))),
            (
                "Order the weekly groceries and pay if it’s below 25 dollars",
                Some((2500, true, "25 dollars")),
            ),
            ("pay at most $23.40", Some((2340, false, "$23.40"))),
            ("not more than $20.5 please", Some((2050, false, "$20.5"))),
            ("don’t spend over 30 bucks", Some((3000, false, "30 bucks"))),
            ("only under 20", Some((2000, true, "20"))),
            ("under 20 minutes", None),
            ("the total was $20", None),
            ("under $x", None),
        ] {
            let limit = Limit::read(text);
            let read = limit
                .as_ref()
                .map(|limit| (limit.minor, limit.under, limit.text.as_str()));
            assert_eq!(read, expected, "{text}");
        }
        let under = Limit::read("under $20").unwrap();
        assert!(under.allows(1999) && !under.allows(2000));
        let most = Limit::read("up to $20").unwrap();
        assert!(most.allows(2000) && !most.allows(2001));
    }
}

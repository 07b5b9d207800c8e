//! Words compared as a person would: without regard to case, kinds of quotes and hyphens, and one slip of a finger.

/// What stands in place of a letter that is not shown.
const DOT: char = '•';

/// A text for comparing: small letters, one kind of apostrophe, quote and hyphen, single spaces.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in typeable(text).chars().flat_map(char::to_lowercase) {
        if character.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push(character);
        }
    }
    out.trim().to_owned()
}

/// A text with the characters a phone's key map has in place of typographic ones; all else stays as it is.
pub(crate) fn typeable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '‘' | '’' | '‚' | '′' | 'ʼ' => out.push('\''),
            '“' | '”' | '„' | '«' | '»' | '″' => out.push('"'),
            '\u{2010}'..='\u{2015}' | '−' => out.push('-'),
            '…' => out.push_str("..."),
            '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// Whether two texts say the same, spelled in any case and with any quotes.
pub(crate) fn same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// Whether a field or line that shows `shown` holds the text `wanted`. What looks like a code is not shown to models
/// while one is waited for: dots stand in its place.
pub(crate) fn reads_as(shown: &str, wanted: &str) -> bool {
    let (shown, wanted) = (plain(shown), plain(wanted));
    match (shown.split_once(DOT), shown.rsplit_once(DOT)) {
        (Some((start, _)), Some((_, end))) => {
            let inner = wanted.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
            shown == wanted || inner.is_some_and(|inner| !inner.is_empty())
        }
        _ => shown == wanted,
    }
}

/// The words of a label: what stands between blanks and punctuation, apostrophes and inner hyphens kept.
pub(crate) fn list(text: &str) -> Vec<String> {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '½');
    plain(text)
        .split(|c: char| !kept(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '½'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a written word is meant to be `wanted`: the same, or with one slip in a word of five letters and two in
/// one of nine. Both in small letters. The first letter is never slipped: *test* is not *rest*.
pub(crate) fn like(written: &str, wanted: &str) -> bool {
    if written == wanted {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (written.chars().collect(), wanted.chars().collect());
    let allowed = match b.len() {
        0..=4 => return false,
        5..=8 => 1,
        _ => 2,
    };
    a.first() == b.first() && a.len().abs_diff(b.len()) <= allowed && slips(&a, &b) <= allowed
}

/// Letters left out, put in, exchanged for another or for their neighbour.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let above = std::mem::replace(&mut row, vec![i; b.len() + 1]);
        for j in 1..=b.len() {
            let exchanged = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = exchanged.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = above;
    }
    row[b.len()]
}

/// A number as a word or in digits.
pub(crate) fn number(word: &str) -> Option<u32> {
    const NAMES: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let named = NAMES
        .iter()
        .position(|name| *name == word)
        .and_then(|at| u32::try_from(at).ok());
    named.or_else(|| match word {
        "a" | "an" => Some(1),
        "dozen" => Some(12),
        "couple" | "pair" => Some(2),
        digits => digits.trim_end_matches('x').parse().ok().filter(|n| *n < 1000),
    })
}

/// `"a"`, `"a and b"`, `"a, b and c"`.
pub(crate) fn enumerate(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The text with its first letter large.
pub(crate) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_a_finger_are_read_over() {
        for (written, wanted) in [
            ("grocieries", "groceries"),
            ("grocreies", "groceries"),
            ("batery", "battery"),
            ("bluetoth", "bluetooth"),
            ("blutoth", "bluetooth"),
            ("nortbank", "northbank"),
            ("updaets", "updates"),
            ("dana", "dana"),
        ] {
            assert!(like(written, wanted), "{written} is {wanted}");
        }
        for (written, wanted) in [
            ("test", "text"),
            ("bank", "back"),
            ("display", "airplay"),
            ("light", "night"),
            ("", "on"),
        ] {
            assert!(!like(written, wanted), "{written} is not {wanted}");
        }
    }

    #[test]
    fn texts_are_compared_as_they_are_read() {
        assert!(same("Use Wi‑Fi", "use wi-fi"));
        assert!(same("Don’t  allow", "don't allow"));
        assert_eq!(list("2 × ½ gal, $5.80"), ["2", "½", "gal", "5", "80"]);
        assert_eq!(list("Dana’s Bakery!"), ["dana's", "bakery"]);
        assert_eq!(typeable("“Can’t wait” – Dana…"), "\"Can't wait\" - Dana...");
        assert!(reads_as("I’m late.", "I'm late.") && !reads_as("I’m late", "I'm later"));
        assert!(
            reads_as("555 ••••••", "555 0199")
                && reads_as("•••• in all", "1234 in all")
                && !reads_as("••••", "")
        );
        assert!(!reads_as("556 ••••••", "555 0199") && !reads_as("555 ••••••", "555"));
        assert_eq!(enumerate(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        assert_eq!(sentence("élan"), "Élan");
    }
}

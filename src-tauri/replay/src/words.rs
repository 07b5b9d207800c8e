//! Words on a screen, made comparable from one day to another.

/// Around a variable's name. Of the private area: room `screen` takes such characters out of every text a phone shows.
pub(crate) const OPEN: char = '\u{e000}';
/// Behind it.
pub(crate) const CLOSE: char = '\u{e001}';

/// Texts without what changes by itself: words with a digit in them (times, prices, counters, percentages) and lone signs.
/// Where a script writes no spaces, only the digits and the signs around them go. A variable stays.
pub(crate) fn without_numbers(text: &str) -> String {
    let kept = text.split_whitespace().filter_map(|word| {
        if word.contains(OPEN) {
            return Some(word.to_owned());
        }
        if !word.chars().any(char::is_numeric) {
            return word.chars().any(char::is_alphabetic).then(|| word.to_owned());
        }
        let letters: String = word.chars().filter(|c| is_dense(*c)).collect();
        (!letters.is_empty()).then_some(letters)
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// Whether two texts are the same words, case aside, letter for letter else.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// A letter of a script that writes no spaces between words.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}')
}

/// Two characters side by side are one word, or one is inside a variable's name.
pub(crate) fn is_one_word(one: char, next: char) -> bool {
    one.is_alphanumeric() && next.is_alphanumeric() && !is_dense(one) && !is_dense(next)
}

/// Has something in it that tells it from another text.
pub(crate) fn says_something(text: &str) -> bool {
    text.chars()
        .any(|c| c.is_alphanumeric() || c == OPEN || c == CLOSE)
}

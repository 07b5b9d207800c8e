//! Words as a phone shows them, made comparable.

/// The longest label or value, in characters; a longer one ends in `…`. Long enough for whole pages of terms: whether
/// a Yes still stands is decided on these words. What a model is shown is cut shorter by whoever shows it.
pub(crate) const LABEL_CHARS: usize = 20_000;

/// Whitespace runs become one space; characters that have no look of their own go: controls, marks that only steer
/// the direction of text, zero-width spaces, and the private area where icon fonts live.
///
/// Direction marks go because they can make one text look like another; the joiners of emoji stay.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = !out.is_empty();
        } else if !is_unseen(c) {
            if gap {
                out.push(' ');
                gap = false;
            }
            out.push(c);
        }
    }
    out
}

/// A character nobody sees.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

/// At most `limit` characters; cut text ends in `…`.
pub(crate) fn cut(text: &mut String, limit: usize) {
    if text.len() <= limit {
        return;
    }
    if let Some((at, _)) = text.char_indices().nth(limit) {
        let keep = text[..at].char_indices().next_back().map_or(0, |(last, _)| last);
        text.truncate(keep);
        text.push('…');
    }
}

/// For comparing without regard to case or to how pieces were joined: lower case, whitespace collapsed, and the
/// comma that joins the texts of one element taken away.
pub(crate) fn fold(text: &str) -> String {
    collapse(text).to_lowercase().replace(", ", " ")
}

/// Whether `part` stands in `whole` as whole words, case aside. An empty part never does.
pub(crate) fn holds_words(whole: &str, part: &str) -> bool {
    if part.is_empty() {
        return false;
    }
    whole.match_indices(part).any(|(at, _)| {
        let before = whole[..at].chars().next_back();
        let after = whole[at + part.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// The value 0–9 of a decimal digit in the scripts phones write numbers in; full-width digits too.
pub(crate) fn digit(c: char) -> Option<u8> {
    const ZEROS: [char; 10] = [
        '0', '\u{0660}', // Arabic-Indic
        '\u{06f0}', // Persian, Urdu
        '\u{0966}', // Devanagari
        '\u{09e6}', // Bengali
        '\u{0ae6}', // Gujarati
        '\u{0be6}', // Tamil
        '\u{0e50}', // Thai
        '\u{1040}', // Burmese
        '\u{ff10}', // full-width
    ];
    ZEROS.iter().find_map(|zero| {
        let value = u32::from(c).checked_sub(u32::from(*zero))?;
        u8::try_from(value).ok().filter(|v| *v <= 9)
    })
}

/// A letter of a script that puts spaces between words (Chinese, Japanese and Korean do not).
pub(crate) fn is_letter(c: char) -> bool {
    c.is_alphabetic() && c < '\u{2e80}'
}

/// Digit runs become `#`: what is left is the part of a text that does not count or tell the time.
#[must_use]
pub fn without_digits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        if digit(c).is_some() {
            if !in_number {
                out.push('#');
            }
            in_number = true;
        } else if !(in_number && matches!(c, '.' | ',' | ':' | '\u{a0}' | '\u{202f}')) {
            in_number = false;
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_collapsed_cut_and_folded() {
        assert_eq!(collapse("  Pay \n\u{a0}\t now\u{200b} "), "Pay now");
        assert_eq!(collapse("\u{202e}olleh\u{202c}\0"), "olleh");
        assert_eq!(collapse("\u{e900}"), "");
        assert_eq!(collapse("👨\u{200d}👩"), "👨\u{200d}👩");
        let mut long = "ü".repeat(10);
        cut(&mut long, 4);
        assert_eq!(long, "üüü…");
        let mut whole = "üüüü".to_owned();
        cut(&mut whole, 4);
        assert_eq!(whole, "üüüü");
        assert_eq!(fold("Pay,  $23.40"), "pay $23.40");
    }

    #[test]
    fn words_are_found_whole() {
        assert!(holds_words("dana whitlock, hi", "dana whitlock"));
        assert!(!holds_words("item 10", "1"));
        assert!(holds_words("item 10, 1", "1"));
        assert!(!holds_words("anything", ""));
    }

    #[test]
    fn digits_of_many_scripts() {
        let all: Vec<_> = "7٧۷७৭７x".chars().map(digit).collect();
        assert_eq!(all, [Some(7), Some(7), Some(7), Some(7), Some(7), Some(7), None]);
        assert_eq!(without_digits("Pay $1,234.50 at 7:05"), "Pay $# at #");
        assert_eq!(without_digits("Total 5."), "Total #");
    }
}

//! Finding words in labels: whole words where a script writes spaces, anywhere where it does not.

use super::lexicon::{self, Lexicon};

/// How sure a word makes us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Only where money is on the screen.
    Weak,
    /// By itself.
    Strong,
}

/// More words than this, and a word inside no longer names what the thing does, unless it comes first.
const SHORT_LABEL: usize = 6;
/// How far from its beginning a long label may have the word.
const LEADING: usize = 2;
/// The same for scripts without spaces, in characters.
const SHORT_DENSE: usize = 18;
const LEADING_DENSE: usize = 4;

/// What `entry` makes of a label.
pub(super) fn find(entry: &Lexicon, label: &str) -> Option<Strength> {
    read(entry, &Label::new(label))
}

/// The same for a label that is split into its words already.
pub(super) fn read(entry: &Lexicon, label: &Label) -> Option<Strength> {
    let known = lexicon::known(entry.kind)?;
    if known.except.any(label, |place| place.names) {
        return None;
    }
    if known.strong.names(label) || known.more.is_some_and(|more| more.names(label)) {
        return Some(Strength::Strong);
    }
    known.weak.names(label).then_some(Strength::Weak)
}

/// Whether the words of this kind are at least half of a label.
pub(super) fn mostly(entry: &Lexicon, label: &Label) -> bool {
    lexicon::known(entry.kind).is_some_and(|known| {
        known.strong.any(label, |place| place.most)
            || known.more.is_some_and(|more| more.any(label, |place| place.most))
    })
}

/// Whether a label begins with a word of this kind.
pub(super) fn begins(entry: &Lexicon, label: &Label) -> bool {
    lexicon::known(entry.kind).is_some_and(|known| {
        !known.except.any(label, |place| place.names)
            && (known.strong.begins(label) || known.more.is_some_and(|more| more.begins(label)))
    })
}

/// Whether a label names something of this kind by itself.
pub(super) fn strong(kind: protocol::AskKind, label: &Label) -> bool {
    lexicon::known(kind).is_some_and(|known| {
        !known.except.any(label, |place| place.names)
            && (known.strong.names(label) || known.more.is_some_and(|more| more.names(label)))
    })
}

/// Whether any of `phrases` stands in `text` as whole words, wherever.
#[must_use]
pub fn mentions(text: &str, phrases: &[&str]) -> bool {
    let label = Label::new(text);
    phrases.iter().any(|phrase| label.has(phrase))
}

/// Whether a resource id (`com.shop:id/payButton`) holds one of `words`, alone or as two parts run together.
pub(super) fn id_says(resource_id: &str, words: &[&str]) -> bool {
    let name = resource_id.rsplit('/').next().unwrap_or_default();
    let parts = id_parts(name);
    parts.iter().any(|part| words.contains(&part.as_str()))
        || parts.windows(2).any(|pair| {
            let joined = format!("{}{}", pair[0], pair[1]);
            words.contains(&joined.as_str())
        })
}

/// The words of a resource id's name.
pub(super) fn id_words(resource_id: &str) -> Vec<String> {
    id_parts(resource_id.rsplit('/').next().unwrap_or_default())
}

/// `send_message_buttonIcon` → `send`, `message`, `button`, `icon`.
fn id_parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut lower_before = false;
    for character in name.chars() {
        let starts_word = character.is_uppercase() && lower_before;
        if (!character.is_alphanumeric() || starts_word) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if character.is_alphanumeric() {
            part.extend(character.to_lowercase());
        }
        lower_before = character.is_lowercase() || character.is_numeric();
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// A label, ready to be searched.
#[derive(Debug)]
pub(super) struct Label {
    /// Lower case, letters and digits only, one space between words and around the whole.
    pub(super) text: String,
    pub(super) words: Vec<String>,
}

impl Label {
    pub(super) fn new(label: &str) -> Self {
        let text = normalise(label);
        let words = text.split_whitespace().map(str::to_owned).collect();
        Self { text, words }
    }

    /// Its script writes no spaces between words.
    pub(super) fn is_dense(&self) -> bool {
        !writes_spaces(&self.text)
    }

    /// What begins at this word names what the thing is: the label is short, or this is its beginning.
    pub(super) fn names_at(&self, word: usize) -> bool {
        self.words.len() <= SHORT_LABEL || word <= LEADING
    }

    /// The same by characters, where no spaces are written.
    pub(super) fn names_at_character(&self, at: usize) -> bool {
        let all = self.text.trim().chars().count();
        all <= SHORT_DENSE || at <= LEADING_DENSE
    }

    fn has(&self, phrase: &str) -> bool {
        let phrase = normalise(phrase);
        if writes_spaces(&phrase) {
            self.text.contains(&phrase)
        } else {
            self.text.contains(phrase.trim())
        }
    }
}

/// Lower case, every run of anything but letters, marks and digits one space, a space at both ends.
fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for character in text.chars().flat_map(char::to_lowercase) {
        // Turkish İ in lower case is an i and a dot of its own; Arabic may write its vowels or leave them out.
        if matches!(character, '\u{307}' | '\u{640}' | '\u{64b}'..='\u{652}') {
            continue;
        }
        // Russian writes ё or е; Uzbek's ʻ is typed in half a dozen ways.
        if (character.is_alphanumeric() && !matches!(character, 'ʻ' | 'ʼ')) || is_mark(character) {
            out.push(if character == 'ё' { 'е' } else { character });
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Vowel signs and tone marks of Indic, Thai, Arabic and Hebrew script, and combining accents: parts of words.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        // The signs of Bengali to Sinhala, Lao, Burmese and Khmer.
        | '\u{981}'..='\u{983}' | '\u{9bc}'..='\u{9d7}' | '\u{a01}'..='\u{a03}' | '\u{a3c}'..='\u{a51}'
        | '\u{a81}'..='\u{a83}' | '\u{abc}'..='\u{acd}' | '\u{b3c}'..='\u{b57}' | '\u{bbe}'..='\u{bd7}'
        | '\u{c3e}'..='\u{c56}' | '\u{cbc}'..='\u{cd6}' | '\u{d3b}'..='\u{d57}' | '\u{dca}'..='\u{ddf}'
        | '\u{eb1}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}')
}

/// Chinese, Japanese, Thai, Lao, Khmer, Burmese and Korean (whose endings cling to the word) write no space where we would need one.
fn writes_spaces(phrase: &str) -> bool {
    !phrase.chars().any(|c| {
        matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_by_their_words() {
        assert_eq!(
            id_parts("send_message_buttonIcon"),
            ["send", "message", "button", "icon"]
        );
        assert!(id_says("com.shop:id/placeOrder", &["placeorder"]));
        assert!(id_says("com.shop:id/btn_pay", &["pay"]));
        assert!(!id_says("com.shop:id/paypal_logo", &["pay"]));
        assert!(!id_says("", &["pay"]));
    }

    #[test]
    fn words_are_whole_words_where_there_are_spaces() {
        assert!(mentions("Enter the code.", &["code"]));
        assert!(!mentions("Encoder", &["code"]));
        assert!(mentions("请输入验证码", &["验证码"]));
        assert!(mentions("पुष्टि करें", &["पुष्टि करें"]));
    }
}

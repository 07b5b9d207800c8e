//! A stretch of the person's words, cut into words that know where they stand.

use super::words::{like, plain};

/// Marks a quotation begins with.
const OPENING: [char; 5] = ['“', '"', '«', '‘', '„'];
/// Marks it ends with; `.` and its like may stand before them.
const CLOSING: [char; 8] = ['”', '“', '"', '»', '’', '.', '!', '?'];

/// A stretch of text, word by word.
#[derive(Clone, Debug)]
pub(crate) struct Clause<'a> {
    /// As it was written.
    pub(crate) text: &'a str,
    /// Its words in order.
    pub(crate) words: Vec<Word>,
}

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// In small letters, with plain apostrophes and hyphens.
    pub(crate) plain: String,
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// It stands between quotation marks.
    pub(crate) quoted: bool,
    /// It was written with a large first letter.
    pub(crate) large: bool,
}

impl<'a> Clause<'a> {
    /// Cuts a text.
    pub(crate) fn of(text: &'a str) -> Self {
        let quotes = quotations(text);
        let mut words = Vec::new();
        let mut start = None;
        for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
            let next = text[at..].chars().nth(1);
            if belongs(character, start.is_some(), next) {
                start = start.or(Some(at));
            } else if let Some(start) = start.take() {
                words.push(Word {
                    plain: plain(&text[start..at]),
                    start,
                    end: at,
                    quoted: quotes.iter().any(|(from, to)| start >= *from && at <= *to),
                    large: text[start..].starts_with(char::is_uppercase),
                });
            }
        }
        Self { text, words }
    }

    /// The place of the first word that is one of these.
    pub(crate) fn find(&self, wanted: &[&str]) -> Option<usize> {
        self.find_from(0, wanted)
    }

    /// The same from a place on.
    pub(crate) fn find_from(&self, from: usize, wanted: &[&str]) -> Option<usize> {
        let is = |word: &Word| !word.quoted && wanted.iter().any(|one| like(&word.plain, one));
        self.words.iter().skip(from).position(is).map(|at| at + from)
    }

    /// Whether one of these words stands in it.
    pub(crate) fn has(&self, wanted: &[&str]) -> bool {
        self.find(wanted).is_some()
    }

    /// The place after the first of these phrases that stands in it, each of them words in a row.
    pub(crate) fn after(&self, phrases: &[&str]) -> Option<usize> {
        phrases
            .iter()
            .find_map(|phrase| self.phrase(phrase).map(|(_, end)| end))
    }

    /// The place after the one of these phrases that stands in it first.
    pub(crate) fn phrases_after(&self, phrases: &[&str]) -> Option<usize> {
        let found = phrases.iter().filter_map(|phrase| self.phrase(phrase));
        found
            .min()
            .map(|(_, end)| end)
            .filter(|end| *end < self.words.len())
    }

    /// Whether one of these phrases stands in it.
    pub(crate) fn says(&self, phrases: &[&str]) -> bool {
        self.after(phrases).is_some()
    }

    /// Where a phrase begins, and the place after it.
    pub(crate) fn phrase(&self, phrase: &str) -> Option<(usize, usize)> {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        let fits = |row: &[Word]| {
            row.iter()
                .zip(&wanted)
                .all(|(word, one)| !word.quoted && like(&word.plain, one))
        };
        self.words
            .windows(wanted.len())
            .position(fits)
            .map(|at| (at, at + wanted.len()))
    }

    /// Whether it begins with one of these words; how many words that is.
    pub(crate) fn begins(&self, phrases: &[&str]) -> Option<usize> {
        phrases
            .iter()
            .find_map(|phrase| self.phrase(phrase).filter(|(at, _)| *at == 0).map(|(_, end)| end))
    }

    /// The text from a word on, as it was written.
    pub(crate) fn rest(&self, from: usize) -> &'a str {
        self.words
            .get(from)
            .map_or("", |word| self.text[word.start..].trim())
    }

    /// The text of words `from..to`, as it was written.
    pub(crate) fn between(&self, from: usize, to: usize) -> &'a str {
        match (
            self.words.get(from),
            to.checked_sub(1).and_then(|last| self.words.get(last)),
        ) {
            (Some(first), Some(last)) if from < to => &self.text[first.start..last.end],
            _ => "",
        }
    }

    /// The text of words `from..to` with the quotation marks around them.
    pub(crate) fn stretch(&self, from: usize, to: usize) -> &'a str {
        let before = self.gap(from);
        let open = before.trim_end_matches(OPENING).len();
        let start = self.words.get(from).map_or(self.text.len(), |word| word.start) - (before.len() - open);
        let after = if to < self.words.len() {
            self.gap(to)
        } else {
            self.tail()
        };
        let close = after.len() - after.trim_start_matches(CLOSING).len();
        let end = to
            .checked_sub(1)
            .and_then(|last| self.words.get(last))
            .map_or(start, |word| word.end)
            + close;
        self.text.get(start..end).unwrap_or_default()
    }

    /// What stands after the last word.
    fn tail(&self) -> &'a str {
        &self.text[self.words.last().map_or(0, |word| word.end)..]
    }

    /// The first quotation in it, without its marks.
    pub(crate) fn quotation(&self) -> Option<&'a str> {
        quotations(self.text)
            .into_iter()
            .map(|(from, to)| self.text[from..to].trim())
            .find(|quoted| !quoted.is_empty())
    }

    /// What stands between two words.
    pub(crate) fn gap(&self, before: usize) -> &'a str {
        let start = before
            .checked_sub(1)
            .and_then(|at| self.words.get(at))
            .map_or(0, |word| word.end);
        let end = self.words.get(before).map_or(self.text.len(), |word| word.start);
        &self.text[start..end]
    }
}

/// Letters, digits, and what holds a word together: `I'm`, `Wi-Fi`, `news.example`, `$20.50`, `a@b.c`.
fn belongs(character: char, inside: bool, next: Option<char>) -> bool {
    if character.is_alphanumeric() || matches!(character, '$' | '€' | '£' | '½') {
        return true;
    }
    let goes_on = next.is_some_and(char::is_alphanumeric);
    let joins = matches!(
        character,
        '\'' | '’' | '-' | '\u{2010}'..='\u{2015}' | '.' | ',' | '@' | '/' | ':' | '_'
    );
    // `1,200` is one word, `milk,eggs` are two; `https://…` is one word, `Dana: …` are two.
    match character {
        _ if !inside || !joins => false,
        ',' => false,
        '/' | ':' => next.is_some_and(|next| next == '/' || next.is_alphanumeric()),
        _ => goes_on,
    }
}

/// The insides of the quotations, in bytes: `“…”`, `"…"`, `«…»`, and `‘…’` around several words.
fn quotations(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, open)) = text[from..].char_indices().find(|(_, c)| OPENING.contains(c)) {
        let start = from + at + open.len_utf8();
        let closes = |c: char| match open {
            '“' | '„' => matches!(c, '”' | '“'),
            '«' => c == '»',
            '‘' => c == '’',
            _ => c == '"',
        };
        let end = text[start..].char_indices().find(|(at, c)| {
            let after = text[start + at + c.len_utf8()..].chars().next();
            // The sign that closes ‘…’ also stands in *can’t*.
            closes(*c) && !(*c == '’' && after.is_some_and(char::is_alphanumeric))
        });
        match end {
            Some((end, _)) => {
                found.push((start, start + end));
                from = text[start + end..]
                    .chars()
                    .next()
                    .map_or(text.len(), |c| start + end + c.len_utf8());
            }
            None => from = start,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Clause::of(text)
            .words
            .into_iter()
            .map(|word| word.plain)
            .collect()
    }

    #[test]
    fn a_text_is_cut_into_words() {
        for (text, expected) in [
            ("Turn on Wi‑Fi, please!", vec!["turn", "on", "wi-fi", "please"]),
            (
                "Text Dana that I’m late.",
                vec!["text", "dana", "that", "i'm", "late"],
            ),
            (
                "open https://news.example/a",
                vec!["open", "https://news.example/a"],
            ),
            ("under $20.50; ok", vec!["under", "$20.50", "ok"]),
            ("milk,eggs", vec!["milk", "eggs"]),
            ("Text Dana: hello", vec!["text", "dana", "hello"]),
            ("", vec![]),
            ("’’ — …", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn quotations_are_found() {
        for (text, expected) in [
            ("Text Dana “I’m late, then”", Some("I’m late, then")),
            ("Text Dana \"on my way\" now", Some("on my way")),
            ("Text Dana ‘can’t wait’", Some("can’t wait")),
            ("it’s Dana’s", None),
            ("an “open end", None),
            ("“”", None),
        ] {
            assert_eq!(Clause::of(text).quotation(), expected, "{text}");
        }
        let clause = Clause::of("Text Dana “then pay” then wait");
        let plain: Vec<(&str, bool)> = clause
            .words
            .iter()
            .map(|w| (w.plain.as_str(), w.quoted))
            .collect();
        assert_eq!(
            plain[2..],
            [("then", true), ("pay", true), ("then", false), ("wait", false)]
        );
    }

    #[test]
    fn phrases_are_found_by_their_words() {
        let clause = Clause::of("Please turn on the Batery Saver");
        assert_eq!(clause.phrase("battery saver"), Some((4, 6)));
        assert_eq!(clause.after(&["switch on", "turn on"]), Some(3));
        assert_eq!(clause.rest(3), "the Batery Saver");
        assert_eq!(clause.between(3, 5), "the Batery");
        assert_eq!(clause.gap(1), " ");
        assert_eq!(clause.between(9, 4), "");
    }
}

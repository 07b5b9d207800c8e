//! Words found in labels: whole words where a script writes spaces, anywhere where it does not.
//!
//! A word makes a thing act where it *says the deed*: it is the whole label, begins it or one of its clauses, or ends it
//! in a language whose verbs stand last. "Payment methods" says no deed, "Pay $4" does.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Longer labels tell something; they say no deed. In words, and in characters where no spaces are written.
const SAYS: usize = 7;
const SAYS_DENSE: usize = 24;
/// Languages whose verbs stand last, as their headings call them.
const VERB_LAST: &str = "de nl af tr az uz kk ky mn hi bn ta te mr gu pa kn ml ur ne si fa hu eu ka am";
/// Words before a verb that turn it round, and the same before and after one where no spaces are written.
const NOT: &str = "not don t nicht nie kein ne pas no não non niet geen не ni nem nu inte ikke ej ei älä jangan đừng không ekki nē ne nie";
const NOT_BEFORE: &[&str] = &["不", "别", "別", "取消", "ไม่", "未", "ບໍ່"];
const NOT_AFTER: &[&str] = &["しない", "ません", "안함", "안할", "않", "지마"];
/// Words between two clauses of a label: "Confirm and pay".
const AND: &str = "and und et y e en i и та і ve och og ja dan và și és და και و & + then";

/// A label, ready to be searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Label {
    /// In lower case, letters, marks and digits only.
    pub(crate) words: Vec<String>,
    /// The words at which a clause begins.
    begins: Vec<usize>,
    /// The same without spaces and digits: what phrases of scripts without spaces are looked for in.
    run: String,
}

impl Label {
    pub(crate) fn new(text: &str) -> Self {
        let mut label = Self::default();
        let mut word = String::new();
        let mut parted = true;
        for c in text.chars().flat_map(char::to_lowercase).chain([' ']) {
            // Turkish İ in lower case is an i and a dot of its own; Arabic may write its vowels or leave them out.
            if matches!(c, '\u{307}' | '\u{640}' | '\u{64b}'..='\u{652}' | '\u{ad}' | '\u{200b}'..='\u{200f}')
            {
                continue;
            }
            if (c.is_alphanumeric() && !matches!(c, 'ʻ' | 'ʼ')) || is_mark(c) {
                word.push(if c == 'ё' { 'е' } else { c });
                continue;
            }
            if !word.is_empty() {
                label.push(std::mem::take(&mut word), parted);
                parted = false;
            }
            parted |= matches!(
                c,
                ',' | ';'
                    | '.'
                    | '!'
                    | '?'
                    | '·'
                    | '•'
                    | '–'
                    | '—'
                    | '|'
                    | '('
                    | ':'
                    | '\n'
                    | '،'
                    | '、'
                    | '。'
                    | '&'
                    | '+'
            );
        }
        label
    }

    fn push(&mut self, word: String, parted: bool) {
        let joined = self
            .words
            .last()
            .is_some_and(|last| AND.split(' ').any(|and| and == last));
        if parted || joined {
            self.begins.push(self.words.len());
        }
        // A price in the middle of a label is no part of what it says.
        let mut digit = false;
        for c in word.chars() {
            let unit = digit && matches!(c, '元' | '円' | '圓' | '块' | '원');
            digit = c.is_numeric();
            if !digit && !unit {
                self.run.push(c);
            }
        }
        self.words.push(word);
    }

    /// There is nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many words there are; two characters count as one where no spaces are written.
    pub(crate) fn length(&self) -> usize {
        if is_dense(&self.run) {
            self.run.chars().count().div_ceil(2)
        } else {
            self.words.len()
        }
    }
}

/// Where a phrase stands in a label.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// It is all there is.
    whole: bool,
    /// It begins the label.
    first: bool,
    /// It begins the label or a clause.
    begins: bool,
    /// It ends the label, and that is where verbs stand.
    ends: bool,
    /// The label is short enough to say a deed.
    short: bool,
}

#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    verb_last: bool,
}

/// The words of one kind: `language: phrase, stem*, …`; the line `not:` names what holds such a word and means no deed.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    by_first: HashMap<String, Vec<Phrase>>,
    stems: Vec<Phrase>,
    dense: Vec<String>,
    not: Option<Box<Self>>,
}

impl Lexicon {
    fn read(text: &str) -> Self {
        let mut all = Self::default();
        let mut not = Self::default();
        for (language, phrases) in text.lines().filter_map(|line| line.split_once(": ")) {
            for phrase in phrases.split(", ") {
                if language == "not" { &mut not } else { &mut all }.add(language, phrase);
            }
        }
        let any = !(not.by_first.is_empty() && not.dense.is_empty());
        all.not = any.then(|| Box::new(not));
        all
    }

    /// These phrases, of any language.
    pub(crate) fn of(phrases: &[&str]) -> Self {
        let mut all = Self::default();
        phrases.iter().for_each(|phrase| all.add("any", phrase));
        all
    }

    fn add(&mut self, language: &str, phrase: &str) {
        let is_stem = phrase.ends_with('*');
        let label = Label::new(phrase);
        let Some(first) = label.words.first() else { return };
        if is_dense(&label.run) {
            self.dense.push(label.run);
            return;
        }
        let phrase = Phrase {
            verb_last: VERB_LAST.split(' ').any(|of| of == language),
            words: label.words.clone(),
        };
        if is_stem {
            self.stems.push(phrase);
        } else {
            self.by_first.entry(first.clone()).or_default().push(phrase);
        }
    }

    /// The label says the deed.
    pub(crate) fn acts(&self, label: &Label) -> bool {
        let says = |p: Place| p.whole || p.short && (p.begins || p.ends);
        self.find(label, says) && !self.is_noun(label)
    }

    /// The label is this word and nothing else.
    pub(crate) fn is(&self, label: &Label) -> bool {
        self.find(label, |place| place.whole)
    }

    /// The label begins with such a word, however long it is.
    pub(crate) fn begins(&self, label: &Label) -> bool {
        self.find(label, |place| place.whole || place.first) && !self.is_noun(label)
    }

    /// Such a word stands in it, wherever.
    pub(crate) fn mentioned(&self, label: &Label) -> bool {
        self.find(label, |_| true) && !self.is_noun(label)
    }

    /// It is named after the deed, and does not say it.
    fn is_noun(&self, label: &Label) -> bool {
        self.not
            .as_deref()
            .is_some_and(|not| not.find(label, |place| place.short))
    }

    fn find(&self, label: &Label, fits: impl Fn(Place) -> bool) -> bool {
        let words = &label.words;
        let total = words.len();
        for (at, word) in words.iter().enumerate() {
            let exact = self.by_first.get(word).into_iter().flatten();
            let stems = self.stems.iter().filter(|stem| {
                stem.words
                    .first()
                    .is_some_and(|first| word.starts_with(first.as_str()))
            });
            for phrase in exact.chain(stems) {
                let end = at + phrase.words.len();
                let rest = words
                    .get(at + 1..end)
                    .is_some_and(|rest| rest.iter().zip(&phrase.words[1..]).all(|(a, b)| a == b));
                let place = Place {
                    whole: phrase.words.len() == total,
                    first: at == 0,
                    begins: label.begins.contains(&at),
                    ends: phrase.verb_last && end == total && !is_negated(words, at),
                    short: total <= SAYS,
                };
                if rest && fits(place) {
                    return true;
                }
            }
        }
        self.dense.iter().any(|phrase| {
            label.run.find(phrase.as_str()).is_some_and(|at| {
                let (first, ends) = (at == 0, at + phrase.len() == label.run.len());
                let (before, after) = (&label.run[..at], &label.run[at + phrase.len()..]);
                let negated = NOT_BEFORE.iter().any(|not| before.ends_with(not))
                    || NOT_AFTER.iter().any(|not| after.contains(not));
                !negated
                    && fits(Place {
                        whole: first && ends,
                        first,
                        begins: first,
                        ends,
                        short: label.run.chars().count() <= SAYS_DENSE,
                    })
            })
        })
    }
}

fn is_negated(words: &[String], at: usize) -> bool {
    at > 0
        && words
            .get(at - 1)
            .is_some_and(|word| NOT.split(' ').any(|not| not == word))
}

/// Vowel signs and tone marks: parts of words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{653}'..='\u{65f}'
        // Of the Indic scripts, Thai, Lao, Burmese and Khmer.
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{981}'..='\u{983}' | '\u{9bc}'..='\u{9d7}'
        | '\u{a01}'..='\u{a03}' | '\u{a3c}'..='\u{a51}' | '\u{a81}'..='\u{a83}' | '\u{abc}'..='\u{acd}'
        | '\u{b3c}'..='\u{b57}' | '\u{bbe}'..='\u{bd7}' | '\u{c3e}'..='\u{c56}' | '\u{cbc}'..='\u{cd6}'
        | '\u{d3b}'..='\u{d57}' | '\u{dca}'..='\u{ddf}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb1}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}')
}

/// Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean (whose endings cling to the word): no space stands where one
/// would be needed.
fn is_dense(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}')
    })
}

macro_rules! lexicons {
    ($($(#[$what:meta])* $name:ident $file:literal;)*) => {
        $($(#[$what])* pub(crate) static $name: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::read(include_str!(concat!("words/", $file, ".txt"))));)*
    };
}

lexicons! {
    /// Pays, orders, transfers.
    PAY "pay";
    /// The same where an amount stands beside it: books, orders, rents, starts what is charged.
    ORDER "order";
    /// Confirms, and does not merely go on.
    CONFIRM "confirm";
    /// Shows a code that a cashier charges.
    PAY_CODE "pay_code";
    /// A page about paying.
    PAY_TOPIC "pay_topic";
    /// Sends, posts, calls, invites, votes.
    SEND "send";
    /// Deletes, empties, leaves, calls off.
    DELETE "delete";
    /// Signs in, up, out; signs; agrees.
    SIGN "sign";
    /// Makes an account.
    JOIN "join";
    /// A page about an account or a consent.
    SIGN_TOPIC "sign_topic";
    /// Gives a permission.
    GRANT "grant";
    /// A page about a permission.
    PERMISSION_TOPIC "permission_topic";
    /// Accessibility, overlays, notification access: what sees or does everything.
    SPECIAL "special";
    /// Installs, updates.
    INSTALL "install";
    /// Shows what is hidden.
    REVEAL "reveal";
    /// What only the person knows: codes, passwords, card numbers.
    SECRET "secret";
    /// One-time codes.
    CODE "code";
    /// What stands on a card one pays with.
    CARD "card";
    /// Signs in: as a person's task says it.
    SIGN_IN "sign_in";
    /// Says yes to what the page asks.
    YES "yes";
    /// Goes back, closes, refuses, puts off.
    NO "no";
    /// Says no to somebody who asks for something.
    DENY "deny";
    /// Perhaps.
    MAYBE "maybe";
    /// Opens to everybody who has the link.
    PUBLIC "public";
    /// Looks for something.
    SEARCH "search";
    /// Opens what only shows.
    OPENS "opens";
    /// What the page was about has happened.
    DONE "done";
    /// Money has gone.
    WAS_PAID "was_paid";
    /// Something has gone out.
    WAS_SENT "was_sent";
    /// Something is gone.
    WAS_DELETED "was_deleted";
    /// Takes it back.
    UNDO "undo";
    /// Wipes the phone.
    RESET "never_reset";
    /// Wipes a card.
    FORMAT "never_format";
    /// What protects the phone is taken away.
    PROTECTION "never_protection";
    /// What protects the phone.
    GUARD "never_guard";
    /// The screen lock.
    LOCK "never_lock";
    /// An administrator of the phone.
    ADMIN "never_admin";
    /// Apps from anywhere.
    SOURCES "never_sources";
    /// Turns off; none.
    OFF "off";
    /// A field one writes a message in.
    MESSAGE "message";
    /// Drawn along, it pays, confirms or answers.
    SLIDE "slide";
    /// The same upwards, where a scroll would.
    SLIDE_UP "slide_up";
    /// What would cut this computer off.
    CUTOFF "cutoff";
    /// It rings.
    RINGS "rings";
    /// Words to whoever reads the page for a person.
    ASSISTANT "assistant";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_acts_where_it_says_the_deed() {
        let words =
            Lexicon::read("en: pay, place order\nru: оплат*\ntr: öde\nzh: 支付\nnot: pay slip, 支付方式\n");
        for (label, acts) in [
            ("Pay", true),
            ("PAY $23.40", true),
            ("Confirm & pay", true),
            ("Yes, pay now", true),
            ("Place order", true),
            ("Şimdi öde", true),
            ("Оплатить заказ", true),
            ("立即支付 ¥18.00", true),
            ("Ways to pay", false),
            ("Pay slip", false),
            ("Payments", false),
            ("支付方式", false),
            ("We never pay for reviews, and nobody who writes one does", false),
            ("", false),
        ] {
            assert_eq!(words.acts(&Label::new(label)), acts, "{label}");
        }
    }
}

//! Characters → tokens: quoted texts, numbers, words, punctuation.
//!
//! Full-width punctuation and digits count as plain ones everywhere but inside a quoted text. Every character looked
//! at is counted in `steps`: the proof of linear time is a count, not a clock.

use crate::repair::{Repair, Repairs};

/// Which quote ends a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// The first one that is not escaped: what every sound reply means.
    First,
    /// The first one after which the structure goes on: for a reply with bare quotes inside its texts.
    Structural,
}

/// Whose escapes a quoted text uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    Json,
    /// As JSON, but an escape that is none stays as it is written.
    Python,
}

/// Where a quoted text stands, which says what may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuoteContext {
    Key,
    Object,
    List,
    Call,
}

/// No reading goes on from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LexError {
    /// Where in the text it is stuck.
    pub(crate) at: usize,
}

/// How far a structural quote looks for the key that must follow it.
const LOOKAHEAD: usize = 64;

/// What reading one reply has taken so far, over all its structures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParseCost {
    /// Characters looked at.
    pub(crate) steps: usize,
    /// Closing quotes known not to come any more: what is looked for in vain is looked for once.
    pub(crate) absent: Vec<char>,
}

pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) quotes: Quotes,
    pub(crate) escapes: Escapes,
    pub(crate) repairs: Repairs,
    pub(crate) effort: &'a mut ParseCost,
}

/// The plain form of full-width punctuation and digits; every other character as it is.
pub(crate) fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff5e}' => {
            char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
        }
        '\u{3001}' => ',',
        c => c,
    }
}

/// Blanks of any kind, and the marks without width that some servers leave in.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{200e}' | '\u{200f}' | '\u{2060}'
        )
}

/// The quote that ends what `open` begins; `None` when it begins nothing.
pub(crate) fn closing_quote(open: char) -> Option<char> {
    match open {
        '"' | '\'' | '\u{ff02}' | '\u{ff07}' => Some(open),
        '\u{201c}' => Some('\u{201d}'),
        '\u{2018}' => Some('\u{2019}'),
        _ => None,
    }
}

/// A number up to its exponent's sign: `1e` of `1e+3`.
fn exponent_open(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-') && word.ends_with(['e', 'E'])
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-')
}

/// How long the comment is that a text begins with, if it does; one without an end goes on to the text's.
fn comment_in(text: &str) -> Option<usize> {
    if text.starts_with('#') || text.starts_with("//") {
        Some(text.find('\n').unwrap_or(text.len()))
    } else if text.starts_with("/*") {
        Some(text.find("*/").map_or(text.len(), |end| end + 2))
    } else {
        None
    }
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(
        text: &'a str,
        at: usize,
        quotes: Quotes,
        escapes: Escapes,
        effort: &'a mut ParseCost,
    ) -> Self {
        Self {
            text,
            at,
            quotes,
            escapes,
            repairs: Repairs::default(),
            effort,
        }
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.effort.steps += 1;
        Some(c)
    }

    pub(crate) fn stuck<T>(&self) -> Result<T, LexError> {
        Err(LexError { at: self.at })
    }

    /// Skips blanks and comments and shows the next character in its plain form.
    pub(crate) fn next_mark(&mut self) -> Option<char> {
        self.effort.steps += 1;
        while let Some(c) = self.peek() {
            if is_blank(c) {
                self.bump();
            } else if let Some(length) = self.comment() {
                self.repairs.note(Repair::Comment);
                self.skip(length);
            } else {
                return Some(plain(c));
            }
        }
        None
    }

    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        self.effort.steps += bytes;
    }

    /// Takes the character [`Lexer::next_mark`] showed.
    pub(crate) fn take_mark(&mut self) {
        if let Some(c) = self.bump()
            && plain(c) != c
        {
            self.repairs.note(Repair::FullWidth);
        }
    }

    /// No structure follows: the reply's end, a fence, a tag, a model's own end token, `CogAgent`'s closing mark.
    pub(crate) fn at_tail(&mut self) -> bool {
        let _ = self.next_mark();
        let rest = self.rest();
        rest.is_empty() || rest.starts_with("```") || rest.starts_with('<')
    }

    /// A line ended between byte `since` and here.
    pub(crate) fn broke_line_since(&self, since: usize) -> bool {
        self.text
            .get(since..self.at)
            .is_some_and(|gap| gap.contains('\n'))
    }

    /// A named argument begins here; nothing is taken.
    pub(crate) fn argument_is_next(&mut self) -> bool {
        let back = self.at;
        let follows = self.argument_follows('=');
        self.at = back;
        follows
    }

    /// Blanks and comments, as far as is worth looking.
    pub(crate) fn skip_some_blanks(&mut self) -> bool {
        let start = self.at;
        while self.at - start < LOOKAHEAD {
            let rest = self.rest();
            match rest.chars().next() {
                Some(c) if is_blank(c) => self.skip(c.len_utf8()),
                // A comment that is longer than the look is no blank: what stands behind it is not looked for.
                Some('#' | '/') => match self.short_comment() {
                    Some(length) => self.skip(length),
                    None => break,
                },
                _ => break,
            }
        }
        self.at > start
    }

    /// How long the comment is that stands here, if one does.
    fn comment(&self) -> Option<usize> {
        comment_in(self.rest())
    }

    /// The same, if it ends within the look: the rest of the text is not searched for its end.
    fn short_comment(&self) -> Option<usize> {
        let rest = self.rest();
        let mut end = rest.len().min(LOOKAHEAD);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let near = rest.get(..end)?;
        comment_in(near).filter(|length| *length < near.len() || near.len() == rest.len())
    }

    /// A key, quoted or bare, and then a colon. Looks no further than a key is long.
    pub(crate) fn key_follows(&mut self) -> bool {
        let start = self.at;
        let Some(close) = self.peek().and_then(closing_quote) else {
            return self.argument_follows(':');
        };
        self.bump();
        while let Some(c) = self.bump() {
            if c == close {
                self.skip_some_blanks();
                return self.peek().map(plain) == Some(':');
            }
            if self.at - start > LOOKAHEAD {
                return false;
            }
            if c == '\\' {
                self.bump();
            }
        }
        false
    }

    /// A bare name and then `sign`. Looks no further than a name is long.
    pub(crate) fn argument_follows(&mut self, sign: char) -> bool {
        let start = self.at;
        while self.at - start <= LOOKAHEAD && self.peek().is_some_and(in_word) {
            self.bump();
        }
        if self.at == start {
            return false;
        }
        self.skip_some_blanks();
        self.peek().map(plain) == Some(sign)
    }

    /// A run of word characters: a key, a literal, a number, a call's name. Digits in their plain form.
    pub(crate) fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            let p = plain(c);
            let sign = p == '+' && (word.is_empty() || exponent_open(&word));
            if !(in_word(p) || sign) {
                break;
            }
            if p != c {
                self.repairs.note(Repair::FullWidth);
            }
            self.bump();
            word.push(p);
        }
        word
    }
}

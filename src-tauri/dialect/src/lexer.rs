//! Characters → tokens: quoted texts, numbers, words, punctuation.
//!
//! Full-width punctuation and digits count as plain ones everywhere but inside a quoted text. Every character looked
//! at is counted in `steps`: the proof of linear time is a count, not a clock.

use crate::repair::{Repair, Repairs};
use crate::value::Text;

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
pub(crate) enum Place {
    Key,
    Object,
    List,
    Call,
}

/// No reading goes on from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    /// Where.
    pub(crate) at: usize,
}

/// How far a structural quote looks for the key that must follow it.
const LOOKAHEAD: usize = 64;

/// What reading one reply has taken so far, over all its structures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Characters looked at.
    pub(crate) steps: usize,
    /// Closing quotes known not to come any more: what is looked for in vain is looked for once.
    absent: Vec<char>,
}

pub(crate) struct Lexer<'a> {
    text: &'a str,
    pub(crate) at: usize,
    pub(crate) quotes: Quotes,
    pub(crate) escapes: Escapes,
    pub(crate) repairs: Repairs,
    effort: &'a mut Effort,
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

impl<'a> Lexer<'a> {
    pub(crate) fn new(
        text: &'a str,
        at: usize,
        quotes: Quotes,
        escapes: Escapes,
        effort: &'a mut Effort,
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

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.effort.steps += 1;
        Some(c)
    }

    pub(crate) fn stuck<T>(&self) -> Result<T, Stuck> {
        Err(Stuck { at: self.at })
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

    fn skip(&mut self, bytes: usize) {
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

    /// A name and then `sign` stand here; nothing is taken.
    pub(crate) fn name_is_next(&mut self, sign: char) -> bool {
        let back = self.at;
        let follows = self.name_follows(sign);
        self.at = back;
        follows
    }

    /// A quoted text, its opening quote being next.
    pub(crate) fn quoted(&mut self, place: Place) -> Result<Text, Stuck> {
        let Some((open, close)) = self.peek().and_then(|open| Some((open, closing_quote(open)?))) else {
            return self.stuck();
        };
        match open {
            '"' => {}
            '\'' => self.repairs.note(Repair::SingleQuotes),
            _ => self.repairs.note(Repair::CurlyQuotes),
        }
        self.bump();
        let start = self.at;
        if self.quotes == Quotes::First && self.effort.absent.contains(&close) {
            return Err(Stuck { at: start });
        }
        let mut text = Text {
            value: String::new(),
            mended: false,
        };
        while let Some(c) = self.bump() {
            if c == close {
                if self.quotes == Quotes::First || self.closes(place) {
                    return Ok(text);
                }
                text.mended = true;
                self.repairs.note(Repair::InnerQuotes);
                text.value.push(c);
            } else if c == '\\' {
                self.escape(&mut text);
            } else {
                if c == '\n' {
                    self.repairs.note(Repair::RawLineBreak);
                }
                text.value.push(c);
            }
        }
        // Its own end is missing. A call's last text may end with its line; any other has no end to be found.
        if place == Place::Call && self.quotes == Quotes::Structural {
            let line = self
                .text
                .get(start..)
                .and_then(|rest| rest.lines().next())
                .unwrap_or("");
            self.at = start + line.len();
            self.repairs.note(Repair::MissingQuote);
            return Ok(Text {
                value: line.into(),
                mended: true,
            });
        }
        if self.quotes == Quotes::First {
            self.effort.absent.push(close);
        }
        Err(Stuck { at: start })
    }

    /// What follows a backslash.
    fn escape(&mut self, text: &mut Text) {
        let Some(c) = self.bump() else {
            text.mended = true;
            return;
        };
        let plain = match c {
            '"' | '\\' | '\'' => c,
            '/' if self.escapes == Escapes::Json => c,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.unicode(text),
            'x' => return self.hex_pair(text),
            // A line continued: JavaScript and Python both drop it.
            '\n' => return self.repairs.note(Repair::OddEscape),
            other => {
                text.value.push('\\');
                text.value.push(other);
                if self.escapes == Escapes::Json {
                    text.mended = true;
                    self.repairs.note(Repair::OddEscape);
                }
                return;
            }
        };
        text.value.push(plain);
    }

    /// `\uXXXX`, or two of them for one character. Half a pair is no character.
    fn unicode(&mut self, text: &mut Text) {
        let found = match self.hex(0, 4) {
            Some(high @ 0xd800..=0xdbff) => {
                let low = self
                    .rest()
                    .get(4..6)
                    .filter(|s| *s == "\\u")
                    .and_then(|_| self.hex(6, 4))
                    .filter(|low| (0xdc00..=0xdfff).contains(low));
                low.and_then(|low| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)))
                    .map(|c| (c, 10))
            }
            Some(code) => char::from_u32(code).map(|c| (c, 4)),
            None => None,
        };
        if let Some((c, length)) = found {
            self.skip(length);
            text.value.push(c);
        } else {
            text.value.push_str("\\u");
            text.mended = true;
            self.repairs.note(Repair::OddEscape);
        }
    }

    /// `\xHH`, which JavaScript and Python read alike.
    fn hex_pair(&mut self, text: &mut Text) {
        self.repairs.note(Repair::OddEscape);
        if let Some(c) = self.hex(0, 2).and_then(char::from_u32) {
            self.skip(2);
            text.value.push(c);
        } else {
            text.value.push_str("\\x");
            text.mended = true;
        }
    }

    fn hex(&self, from: usize, digits: usize) -> Option<u32> {
        let digits = self.rest().get(from..from + digits)?;
        let all_hex = digits.chars().all(|c| c.is_ascii_hexdigit());
        all_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }

    /// Whether the quote just read ends its text: the structure goes on behind it.
    fn closes(&mut self, place: Place) -> bool {
        let back = self.at;
        let blank = self.skip_some_blanks();
        let closes = match (place, self.peek().map(plain)) {
            (_, None) | (Place::Key, Some(':')) | (Place::Object, Some('}')) => true,
            (Place::List, Some(']' | ')')) | (Place::Call, Some(')')) => true,
            (Place::Object, Some(',')) => {
                self.bump();
                self.skip_some_blanks();
                self.peek().map(plain) == Some('}') || self.name_follows(':')
            }
            (Place::List, Some(',')) => {
                self.bump();
                self.skip_some_blanks();
                self.peek().is_some_and(|c| {
                    closing_quote(c).is_some()
                        || c.is_ascii_digit()
                        || matches!(plain(c), '{' | '[' | '(' | '-' | ']' | ')')
                })
            }
            (Place::Call, Some(',')) => {
                self.bump();
                self.skip_some_blanks();
                self.name_follows('=')
            }
            (Place::Object, Some(_)) => blank && self.name_follows(':'),
            _ => false,
        };
        self.at = back;
        closes
    }

    /// Blanks and comments, as far as is worth looking.
    fn skip_some_blanks(&mut self) -> bool {
        let start = self.at;
        while self.at - start < LOOKAHEAD {
            let rest = self.rest();
            match rest.chars().next() {
                Some(c) if is_blank(c) => self.skip(c.len_utf8()),
                Some('#' | '/') => match self.comment() {
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
        let rest = self.rest();
        if rest.starts_with('#') || rest.starts_with("//") {
            Some(rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else {
            None
        }
    }

    /// A name, quoted or bare, and then `sign`. Looks no further than a name is long.
    fn name_follows(&mut self, sign: char) -> bool {
        let start = self.at;
        let close = self.peek().and_then(closing_quote);
        if close.is_some() {
            self.bump();
        }
        while let Some(c) = self.peek() {
            if self.at - start > LOOKAHEAD {
                return false;
            }
            let part_of_it = if close.is_some() {
                Some(c) != close
            } else {
                in_word(c)
            };
            if !part_of_it {
                break;
            }
            self.bump();
        }
        if close.is_some() {
            self.bump();
        } else if self.at == start {
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

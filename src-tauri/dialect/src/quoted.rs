//! Quoted texts: where they end, and what their escapes mean.

use crate::lexer::{Escapes, LexError, Lexer, QuoteContext, Quotes, closing_quote, plain};
use crate::repair::Repair;
use crate::value::Text;

impl Lexer<'_> {
    /// A quoted text, its opening quote being next.
    pub(crate) fn quoted(&mut self, place: QuoteContext) -> Result<Text, LexError> {
        let Some((open, close)) = self.peek().and_then(|open| Some((open, closing_quote(open)?))) else {
            return self.stuck();
        };
        match open {
            '"' => {}
            '\'' if self.escapes == Escapes::Python => {}
            '\'' => self.repairs.note(Repair::SingleQuotes),
            _ => self.repairs.note(Repair::CurlyQuotes),
        }
        self.bump();
        let start = self.at;
        if self.quotes == Quotes::First && self.effort.absent.contains(&close) {
            return Err(LexError { at: start });
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
        if place == QuoteContext::Call && self.quotes == Quotes::Structural {
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
        Err(LexError { at: start })
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
            'U' if self.escapes == Escapes::Python && self.long_unicode(text) => return,
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

    /// Python's `\UXXXXXXXX`; nothing is taken when it is none, as in `C:\Users`.
    fn long_unicode(&mut self, text: &mut Text) -> bool {
        let c = self.hex(0, 8).and_then(char::from_u32);
        if let Some(c) = c {
            self.skip(8);
            text.value.push(c);
        }
        c.is_some()
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
    fn closes(&mut self, place: QuoteContext) -> bool {
        let back = self.at;
        let blank = self.skip_some_blanks();
        let closes = match (place, self.peek().map(plain)) {
            (_, None) | (QuoteContext::Key, Some(':')) | (QuoteContext::Object, Some('}')) => true,
            (QuoteContext::List, Some(']' | ')')) | (QuoteContext::Call, Some(')')) => true,
            (QuoteContext::Object, Some(',')) => {
                self.bump();
                self.skip_some_blanks();
                self.peek().map(plain) == Some('}') || self.key_follows()
            }
            (QuoteContext::List, Some(',')) => {
                self.bump();
                self.skip_some_blanks();
                self.peek().is_some_and(|c| {
                    closing_quote(c).is_some()
                        || c.is_ascii_digit()
                        || matches!(plain(c), '{' | '[' | '(' | '-' | ']' | ')')
                })
            }
            (QuoteContext::Call, Some(',')) => {
                self.bump();
                self.skip_some_blanks();
                self.argument_follows('=')
            }
            (QuoteContext::Object, Some(_)) => blank && self.key_follows(),
            _ => false,
        };
        self.at = back;
        closes
    }
}

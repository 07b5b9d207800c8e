//! Tokens → values: JSON with its usual damage, Python's literals and tuples, written calls.
//!
//! ```text
//! value    := object | list | text | number | literal | word | call
//! object   := "{" [ key ":" value ( [","] key ":" value )* [","] ] "}"
//! list     := "[" [ value ( "," value )* [","] ] "]"            also with round brackets
//! call     := name "(" [ argument ( [","] argument )* [","] ] ")"   in the Python style only
//! argument := [ name "=" ] value
//! ```
//! Every comma in square brackets may be missing where a name and its sign follow. Brackets may be missing where
//! the reply ends: what was left open says so (`closed`), and whoever reads an action decides whether that matters.

use crate::lexer::{Escapes, LexError, Lexer, ParseCost, QuoteContext, Quotes, closing_quote};
use crate::repair::{Repair, Repairs};
use crate::value::{Call, List, Number, Object, Value, number_in};

/// Deeper structures are not an action.
const DEEPEST: usize = 48;

/// A value, where it ends, and what was mended in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParsedValue {
    pub(crate) value: Value,
    pub(crate) end: usize,
    pub(crate) repairs: Repairs,
}

/// No value could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueError {
    /// The byte no reading goes on from, always behind the value's first.
    pub(crate) at: usize,
    /// It had begun like a structure: a name and its sign had been read.
    pub(crate) keyed: bool,
    /// A quoted text had been begun in it: what follows may stand inside that text.
    pub(crate) quoted: bool,
}

/// Reads the value that begins at byte `at`. What that takes is added to `effort`, which is one for all structures of
/// one text.
///
/// # Errors
/// When no reading of it is possible with these quotes.
pub(crate) fn read(
    text: &str,
    at: usize,
    quotes: Quotes,
    escapes: Escapes,
    effort: &mut ParseCost,
) -> Result<ParsedValue, ValueError> {
    let mut grammar = Grammar {
        lexer: Lexer::new(text, at, quotes, escapes, effort),
        keyed: false,
        quoted: false,
    };
    let value = grammar.value(QuoteContext::List, 0);
    match value {
        Ok(value) => Ok(ParsedValue {
            value,
            end: grammar.lexer.at,
            repairs: grammar.lexer.repairs,
        }),
        Err(stuck) => Err(ValueError {
            at: stuck.at.max(at + 1),
            keyed: grammar.keyed,
            quoted: grammar.quoted,
        }),
    }
}

struct Grammar<'a> {
    lexer: Lexer<'a>,
    keyed: bool,
    quoted: bool,
}

impl ParsedValue {
    /// Its own last bracket was read.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.value {
            Value::Object(object) => object.closed,
            Value::List(list) => list.closed,
            Value::Call(call) => call.closed,
            _ => true,
        }
    }
}

impl Grammar<'_> {
    fn value(&mut self, place: QuoteContext, depth: usize) -> Result<Value, LexError> {
        if depth > DEEPEST {
            return self.lexer.stuck();
        }
        match self.lexer.next_mark() {
            Some('{') => self.object(depth).map(Value::Object),
            Some('[') => self.list(']', depth).map(Value::List),
            Some('(') => self.list(')', depth).map(Value::List),
            Some(_) if self.quote_is_next() => {
                self.quoted = true;
                self.lexer.quoted(place).map(Value::Text)
            }
            Some(_) => {
                let word = self.lexer.word();
                self.worded(word, depth)
            }
            None => self.lexer.stuck(),
        }
    }

    fn quote_is_next(&self) -> bool {
        self.lexer.rest().chars().next().and_then(closing_quote).is_some()
    }

    /// What a run of word characters means: a number, a literal, a call, or a bare word.
    fn worded(&mut self, word: String, depth: usize) -> Result<Value, LexError> {
        if word.is_empty() {
            return self.lexer.stuck();
        }
        if let Some(value) = number_in(&word) {
            return Ok(Value::Number(Number { value, written: word }));
        }
        if self.lexer.escapes == Escapes::Python && self.lexer.rest().starts_with('(') {
            return self.call(word, depth).map(Value::Call);
        }
        let literal = match word.as_str() {
            "null" | "true" | "false" => None,
            "None" | "True" | "False" | "undefined" => Some(Repair::PythonLiteral),
            _ => Some(Repair::BareWord),
        };
        if self.lexer.escapes == Escapes::Json
            && let Some(repair) = literal
        {
            self.lexer.repairs.note(repair);
        }
        Ok(match word.as_str() {
            "null" | "None" | "undefined" => Value::Null,
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            _ => Value::Word(word),
        })
    }

    fn object(&mut self, depth: usize) -> Result<Object, LexError> {
        self.lexer.take_mark();
        let mut object = Object {
            fields: Vec::new(),
            closed: false,
        };
        loop {
            match self.lexer.next_mark() {
                Some('}') => {
                    self.lexer.take_mark();
                    object.closed = true;
                    return Ok(object);
                }
                Some(',') => {
                    self.lexer.take_mark();
                    self.lexer.repairs.note(Repair::ExtraComma);
                    continue;
                }
                _ => {}
            }
            let key = self.key()?;
            if self.lexer.next_mark() != Some(':') {
                return self.lexer.stuck();
            }
            self.lexer.take_mark();
            self.keyed = true;
            let value = self.value(QuoteContext::Object, depth + 1)?;
            object.fields.push((key, value));
            if self.go_on('}')? == Next::Ended {
                return Ok(object);
            }
        }
    }

    fn key(&mut self) -> Result<String, LexError> {
        let quoted = self.quote_is_next();
        let key = if quoted {
            self.lexer.quoted(QuoteContext::Key)?.value
        } else {
            self.lexer.word()
        };
        let trimmed = key.trim();
        if !quoted {
            if trimmed.is_empty() {
                return self.lexer.stuck();
            }
            if self.lexer.escapes == Escapes::Json {
                self.lexer.repairs.note(Repair::BareKey);
            }
        }
        if trimmed.len() != key.len() {
            self.lexer.repairs.note(Repair::PaddedKey);
        }
        Ok(trimmed.into())
    }

    /// After a field: the comma, the closing bracket (left for the caller), a missing comma, or the reply's end.
    fn go_on(&mut self, close: char) -> Result<Next, LexError> {
        match self.lexer.next_mark() {
            Some(',') => {
                self.lexer.take_mark();
                if self.lexer.next_mark() == Some(close) {
                    self.lexer.repairs.note(Repair::TrailingComma);
                }
                Ok(Next::More)
            }
            Some(c) if c == close => Ok(Next::More),
            _ if self.lexer.at_tail() => {
                self.lexer.repairs.note(Repair::MissingBracket);
                Ok(Next::Ended)
            }
            // The next field stands without a comma: a name and its sign must follow, or the caller is stuck.
            Some(_) if close == '}' => {
                self.lexer.repairs.note(Repair::MissingComma);
                Ok(Next::More)
            }
            _ => self.lexer.stuck(),
        }
    }

    fn list(&mut self, close: char, depth: usize) -> Result<List, LexError> {
        self.lexer.take_mark();
        let mut list = List {
            items: Vec::new(),
            closed: false,
        };
        loop {
            match self.lexer.next_mark() {
                Some(c) if c == close => {
                    self.lexer.take_mark();
                    list.closed = true;
                    return Ok(list);
                }
                Some(',') => {
                    self.lexer.take_mark();
                    self.lexer.repairs.note(Repair::ExtraComma);
                    continue;
                }
                _ => {}
            }
            let item = self.value(QuoteContext::List, depth + 1)?;
            let may_stand_alone = matches!(item, Value::Object(_) | Value::Number(_) | Value::List(_));
            list.items.push(item);
            match self.lexer.next_mark() {
                Some('{' | '[' | '0'..='9' | '-') if may_stand_alone => {
                    self.lexer.repairs.note(Repair::MissingComma);
                }
                _ => {
                    if self.go_on(close)? == Next::Ended {
                        return Ok(list);
                    }
                }
            }
        }
    }

    fn call(&mut self, name: String, depth: usize) -> Result<Call, LexError> {
        self.lexer.take_mark();
        self.keyed = true;
        let mut call = Call {
            name,
            arguments: Object {
                fields: Vec::new(),
                closed: true,
            },
            unnamed: Vec::new(),
            closed: false,
        };
        loop {
            match self.lexer.next_mark() {
                Some(')') => {
                    self.lexer.take_mark();
                    call.closed = true;
                    return Ok(call);
                }
                Some(',') => {
                    self.lexer.take_mark();
                    self.lexer.repairs.note(Repair::ExtraComma);
                    continue;
                }
                None => return self.lexer.stuck(),
                _ => {}
            }
            self.argument(&mut call, depth)?;
            let end = self.lexer.at;
            match self.lexer.next_mark() {
                Some(',') => self.lexer.take_mark(),
                Some(')') => {}
                _ if self.lexer.at_tail() || self.lexer.broke_line_since(end) => {
                    self.lexer.at = end;
                    self.lexer.repairs.note(Repair::MissingBracket);
                    return Ok(call);
                }
                _ if self.lexer.argument_is_next() => self.lexer.repairs.note(Repair::MissingComma),
                _ => return self.lexer.stuck(),
            }
        }
    }

    fn argument(&mut self, call: &mut Call, depth: usize) -> Result<(), LexError> {
        if self.lexer.argument_is_next() {
            let name = self.key()?;
            let _ = self.lexer.next_mark();
            self.lexer.take_mark();
            self.keyed = true;
            let value = self.value(QuoteContext::Call, depth + 1)?;
            call.arguments.fields.push((name, value));
        } else {
            let value = self.value(QuoteContext::Call, depth + 1)?;
            call.unnamed.push(value);
        }
        Ok(())
    }
}

#[derive(PartialEq, Eq)]
enum Next {
    More,
    Ended,
}

impl Call {
    /// The call was read to its end, or lacks nothing but its parenthesis: its last argument has an end of its own.
    /// What it does must still be complete without further arguments: see [`crate::find::whole`].
    pub(crate) fn is_whole(&self) -> bool {
        if self.closed {
            return true;
        }
        match self
            .arguments
            .fields
            .last()
            .map(|(_, value)| value)
            .or(self.unnamed.last())
        {
            Some(Value::Text(_)) => true,
            Some(Value::List(list)) => list.closed,
            _ => false,
        }
    }
}

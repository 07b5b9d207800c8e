//! Where in a reply the structures stand, and what of it is the model's thought.
//!
//! One walk from left to right. What stands between thought tags is never read for an action; what stands before a
//! lonely closing tag neither. Where a thought was opened and never closed, only the actions the reply ends with
//! count: drafts inside a thought are not orders.
//!
//! Linear: a structure that cannot be read is left where the reading got stuck, never begun again from its middle;
//! the second, looser reading has a budget of its own.

use crate::grammar::{self, ParsedValue};
use crate::lexer::{Escapes, ParseCost, Quotes, is_blank, plain};
use crate::repair::Repairs;
use crate::value::Value;

/// How many structures of a reply are kept: only the first is ever acted on.
const MOST: usize = 32;

/// Tags around a thought, in any case.
const THOUGHTS: [(&str, &str); 8] = [
    ("<think>", "</think>"),
    // A letter that `Step-GUI`'s models lose.
    ("<tink>", "</tink>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
];

/// Tags an answer begins with: whatever stood before was thought.
const ANSWERS: [&str; 2] = ["<answer>", "<|channel|>final<|message|>"];

/// What the walk looks for.
pub(crate) struct StructureFilter<'w> {
    /// JSON objects, and lists of them.
    pub(crate) objects: bool,
    /// Written calls of these names.
    pub(crate) calls: &'w dyn Fn(&str) -> bool,
    /// Which of the structures count.
    pub(crate) keep: &'w dyn Fn(&Value) -> bool,
}

/// One structure of a reply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structure {
    pub(crate) value: Value,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) repairs: Repairs,
}

/// What the walk found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// In the order they stand.
    pub(crate) structures: Vec<Structure>,
    /// The text between thought tags; empty when there were none.
    pub(crate) thought: String,
    /// Where what is not thought begins.
    pub(crate) answer: usize,
    /// The finds stand in a thought that was never closed.
    pub(crate) in_open_thought: bool,
    /// A structure had begun and could not be read.
    pub(crate) broken: bool,
    /// A thought is closed, or an answer begun, behind a structure without an end: nobody can say whether what was found
    /// is more than a thought.
    pub(crate) closes_unseen: bool,
    /// What it took.
    pub(crate) effort: ParseCost,
}

/// Walks through `text` from byte `from`.
pub(crate) fn scan(text: &str, from: usize, wanted: &StructureFilter<'_>) -> Scan {
    let mut walk = Scanner {
        text,
        at: from,
        begun: from,
        wanted,
        scan: Scan {
            answer: from,
            ..Scan::default()
        },
        drafts: Vec::new(),
        open: None,
        unclosed: [false; THOUGHTS.len()],
        loose: 0,
    };
    while walk.step() {}
    walk.end()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    begun: usize,
    wanted: &'a StructureFilter<'a>,
    scan: Scan,
    /// In a thought that was not closed: the structures that follow one another without words between.
    drafts: Vec<Structure>,
    /// Where the thought that was not closed begins.
    open: Option<usize>,
    /// Closing tags known not to come any more.
    unclosed: [bool; THOUGHTS.len()],
    /// What the looser readings have cost.
    loose: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// One character, word, tag or structure further; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else {
            return false;
        };
        self.scan.effort.steps += 1;
        match plain(c) {
            '<' | '[' | '◁' if self.tag() => {}
            '{' if self.wanted.objects => self.structure(self.at, Escapes::Json),
            '[' if self.wanted.objects && opens_objects(rest) => self.structure(self.at, Escapes::Json),
            _ if c.is_ascii_alphabetic() || c == '_' => self.word(),
            _ => self.at += c.len_utf8(),
        }
        true
    }

    fn word(&mut self) {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        self.scan.effort.steps += end;
        if behind.starts_with('(') && (self.wanted.calls)(word) {
            self.structure(self.at, Escapes::Python);
        } else {
            self.at += end;
        }
    }

    /// Thought and answer tags.
    fn tag(&mut self) -> bool {
        let rest = self.rest();
        if let Some(answer) = ANSWERS.iter().find(|tag| starts_with(rest, tag)) {
            self.all_before_was_thought(answer.len());
            return true;
        }
        for (kind, (open, close)) in THOUGHTS.iter().enumerate() {
            if starts_with(rest, close) {
                self.all_before_was_thought(close.len());
                return true;
            }
            if starts_with(rest, open) {
                self.at += open.len();
                match self.closing(kind, close) {
                    Some(end) => {
                        self.add_thought(self.at, end);
                        self.at = end + close.len();
                        if self.scan.structures.is_empty() && self.open.is_none() {
                            self.scan.answer = self.at;
                        }
                    }
                    None => self.open = self.open.or(Some(self.at)),
                }
                return true;
            }
        }
        false
    }

    /// Where the closing tag of this kind stands. That there is none is found out once.
    fn closing(&mut self, kind: usize, close: &str) -> Option<usize> {
        let unclosed = self.unclosed.get_mut(kind)?;
        if *unclosed {
            return None;
        }
        let rest = self.text.get(self.at..)?;
        let found = rest
            .char_indices()
            .find(|(i, c)| matches!(c, '<' | '[' | '◁') && starts_with(rest.get(*i..).unwrap_or(""), close));
        self.scan.effort.steps += found.map_or(rest.len(), |(i, _)| i);
        *unclosed = found.is_none();
        found.map(|(i, _)| self.at + i)
    }

    fn all_before_was_thought(&mut self, tag: usize) {
        let from = self.open.take().unwrap_or(self.scan.answer.max(self.begun));
        self.add_thought(from, self.at);
        self.at += tag;
        self.scan.answer = self.at;
        self.scan.structures.clear();
        self.scan.broken = false;
        self.scan.closes_unseen = false;
        self.drafts.clear();
    }

    fn add_thought(&mut self, from: usize, to: usize) {
        let thought = self.text.get(from..to).unwrap_or("").trim();
        if !thought.is_empty() && !self.scan.thought.is_empty() {
            self.scan.thought.push('\n');
        }
        self.scan.thought.push_str(thought);
    }

    /// Reads the structure that begins here, and goes on behind it.
    ///
    /// Where its end cannot be known there is no behind: what follows may stand inside one of its texts, and no text
    /// is ever searched for actions.
    fn structure(&mut self, start: usize, escapes: Escapes) {
        match self.read(start, escapes) {
            Ok(reading) => {
                let wanted = (self.wanted.keep)(&reading.value);
                self.at = reading.end.max(start + 1);
                if !reading.is_closed() {
                    self.scan.broken = true;
                    self.at = self.text.len();
                    self.look_for_closing_tags(start, self.at);
                }
                if wanted {
                    self.keep(Structure {
                        value: reading.value,
                        start,
                        end: reading.end,
                        repairs: reading.repairs,
                    });
                }
            }
            Err(broken) => {
                self.scan.broken |= broken.keyed;
                self.at = if broken.keyed && broken.quoted {
                    self.text.len()
                } else {
                    broken.at
                };
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                self.look_for_closing_tags(start, self.at);
            }
        }
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// Notes tags that say what a thought was, from byte `start` to `end`, where no structure could be read.
    fn look_for_closing_tags(&mut self, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("");
        let closes = |tag: &str| {
            let closing = THOUGHTS.iter().map(|(_, close)| *close).chain(ANSWERS);
            closing.into_iter().any(|close| starts_with(tag, close))
        };
        self.scan.closes_unseen |= text
            .char_indices()
            .any(|(i, c)| matches!(c, '<' | '[' | '◁') && closes(self.text.get(start + i..).unwrap_or("")));
        self.scan.effort.steps += text.len();
    }

    /// As written; and where that has no sound end, with bare quotes inside texts, if that has one.
    fn read(&mut self, start: usize, escapes: Escapes) -> Result<ParsedValue, grammar::ValueError> {
        let effort = &mut self.scan.effort;
        let first = grammar::read(self.text, start, Quotes::First, escapes, effort);
        let doubtful = match &first {
            Ok(reading) => !reading.is_closed(),
            Err(broken) => broken.keyed && broken.quoted,
        };
        if doubtful && self.loose <= 8 * self.text.len() {
            let before = effort.steps;
            let second = grammar::read(self.text, start, Quotes::Structural, escapes, effort);
            self.loose += effort.steps - before;
            if let Ok(reading) = second
                && (first.is_err() || reading.is_closed())
            {
                return Ok(reading);
            }
        }
        first
    }

    fn keep(&mut self, find: Structure) {
        if self.open.is_none() {
            if self.scan.structures.len() < MOST {
                self.scan.structures.push(find);
            }
            return;
        }
        let follows = self.drafts.last().is_some_and(|last| {
            let gap = self.text.get(last.end..find.start).unwrap_or("");
            gap.chars()
                .all(|c| is_blank(c) || matches!(plain(c), ',' | ';' | '`'))
        });
        if !follows {
            self.drafts.clear();
        }
        if self.drafts.len() < MOST {
            self.drafts.push(find);
        } else if let Some(last) = self.drafts.last_mut() {
            last.end = find.end;
        }
    }

    fn end(mut self) -> Scan {
        let Some(open) = self.open else {
            return self.scan;
        };
        if !self.scan.structures.is_empty() {
            return self.scan;
        }
        let ends_the_reply = self
            .drafts
            .last()
            .is_some_and(|last| closes_only(self.text.get(last.end..).unwrap_or("")));
        let until = self
            .drafts
            .first()
            .filter(|_| ends_the_reply)
            .map_or(self.text.len(), |find| find.start);
        self.add_thought(open, until);
        self.scan.answer = until;
        if ends_the_reply {
            self.scan.structures = self.drafts;
            self.scan.in_open_thought = true;
        }
        self.scan
    }
}

fn opens_objects(list: &str) -> bool {
    list.chars().skip(1).find(|c| !is_blank(*c)).map(plain) == Some('{')
}

/// Blanks, fences, closing tags and end tokens; nothing that says anything.
fn closes_only(rest: &str) -> bool {
    let mut rest = rest;
    loop {
        rest = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '`' | '.' | ';' | ','));
        match rest
            .strip_prefix("</")
            .or(rest.strip_prefix("<|"))
            .map(|tag| tag.split_once('>'))
        {
            Some(Some((_, behind))) => rest = behind,
            Some(None) => return false,
            None => return rest.is_empty(),
        }
    }
}

/// The same in any case of ASCII letters.
pub(crate) fn starts_with(text: &str, tag: &str) -> bool {
    text.get(..tag.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(tag))
}

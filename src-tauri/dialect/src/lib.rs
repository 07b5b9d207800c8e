//! A model's raw reply → one `protocol::Action`, or a typed `protocol::Unclear`; and back.
//!
//! Pure and total: any text in, an answer out, in linear time. A tokenizer ([`lexer`]) and a grammar ([`grammar`])
//! read structure; each dialect is a module that gives it meaning. What cannot be understood is never read as
//! `finish` and never as a touch at a default point; what is typed or run is never trimmed and never mended.
//! Absent on purpose: pixels (room `screen` resolves targets), sockets (room `model` brings the reply), judgement
//! (room `agent` decides what is done).
//!
//! Start reading at [`parse`], then `openpocket`, then `scan` and `grammar`.

mod action;
mod fields;
mod grammar;
mod lexer;
mod notes;
mod openpocket;
#[cfg(test)]
mod oracle;
mod pointing;
mod repair;
mod scan;
mod value;
mod variable;
mod write;

pub use variable::{fill, variables};
pub use write::write_action;

use notes::Notes;
use protocol::{Action, ModelStepOutput, Sensitivity, Unclear, Warning};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// A way of writing actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// `{thought, action: {type, …}}`: the product's own.
    #[serde(rename = "openpocket")]
    OpenPocket,
}

/// Every dialect, with its name on the command line and in settings.
pub const DIALECTS: [(Dialect, &str); 1] = [(Dialect::OpenPocket, "openpocket")];

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = DIALECTS
            .iter()
            .find(|(dialect, _)| dialect == self)
            .map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

/// No dialect has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no dialect is called {0:?}")]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        DIALECTS
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(dialect, _)| *dialect)
            .ok_or_else(|| UnknownDialect(name.into()))
    }
}

/// One reply, read. Serialised it is what `deck parse` prints:
/// `{dialect, thought, action, raw, sensitivity, defaulted, warnings}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parsed {
    /// The dialect it was read in: told, or found by its strongest marker.
    pub dialect: Dialect,
    /// The thought, the action, the reply as it came.
    #[serde(flatten)]
    pub step: ModelStepOutput,
    /// What the model says of its own action, where its dialect has words for it.
    pub sensitivity: Option<Sensitivity>,
    /// Fields that were missing or invalid and took the schema's default.
    pub defaulted: Vec<String>,
    /// What was mended, left out or read in an unusual way.
    pub warnings: Vec<Warning>,
}

/// Reads a model's raw reply, in the dialect `told`, or in the one it shows.
///
/// # Errors
/// What kind of unclear it is, with a line for the model; never a panic, whatever comes in.
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
pub fn parse(raw: &str, told: Option<Dialect>) -> Result<Parsed, Unclear> {
    parse_counting(raw, told).0
}

/// [`parse`], and how many characters were looked at, one looked at twice counting twice: a measure of the work that
/// does not depend on the machine.
pub fn parse_counting(raw: &str, told: Option<Dialect>) -> (Result<Parsed, Unclear>, usize) {
    let mut steps = 0;
    let dialect = told.unwrap_or(Dialect::OpenPocket);
    let reply = match dialect {
        Dialect::OpenPocket => openpocket::read(raw, &mut steps),
    };
    let parsed = reply.map_err(Unclear::from).map(|reply| Parsed {
        dialect,
        step: ModelStepOutput {
            thought: reply.thought,
            action: reply.action,
            raw: raw.into(),
        },
        sensitivity: reply.sensitivity,
        defaulted: reply.notes.defaulted,
        warnings: reply.notes.warnings,
    });
    (parsed, steps)
}

/// What a dialect's reader gives.
struct Reply {
    thought: String,
    action: Action,
    sensitivity: Option<Sensitivity>,
    notes: Notes,
}

impl Reply {
    fn new(thought: String, action: Action, notes: Notes) -> Self {
        Self {
            thought,
            action,
            sensitivity: None,
            notes,
        }
    }
}

/// The words before an action: without blanks around them, and without the line that opens a fence.
fn prose(words: &str) -> String {
    let words = words.trim();
    let last_line = words.rfind('\n').map_or(0, |newline| newline + 1);
    let (before, last) = words.split_at(last_line);
    let words = if last.trim_start().starts_with("```") {
        before
    } else {
        words
    };
    words.trim().into()
}

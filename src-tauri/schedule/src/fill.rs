//! A task's names in braces, and what stands for them.

use protocol::{Variable, VariableKind};
use std::collections::BTreeMap;

/// Why a task cannot be filled in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// The automation has no such variable.
    #[error("there is no variable {0}")]
    Unknown(String),
    /// Nothing stands for it.
    #[error("{0} has no value")]
    Missing(String),
    /// A code or a password is asked for by the phone's own question; it cannot be given beforehand.
    #[error("{0} is secret: it is asked for when the phone wants it")]
    Secret(String),
    /// It holds a number, and this is none.
    #[error("{0} is to be a number")]
    NotANumber(String),
}

/// A piece of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Words(&'a str),
    Name(&'a str),
}

/// The names in braces of a task, in order, each as often as it stands there. What is in two pairs of braces is none.
pub fn names(task: &str) -> impl Iterator<Item = &str> {
    pieces(task).into_iter().filter_map(|piece| match piece {
        Piece::Name(name) => Some(name),
        Piece::Words(_) => None,
    })
}

/// The task with values in the place of names: what `values` says, else the variable's own. A secret's place keeps its name:
/// the value goes from the person, or from a saved password, to the phone alone.
///
/// # Errors
/// The first name that nothing fits.
pub fn fill(
    task: &str,
    variables: &[Variable],
    values: &BTreeMap<String, String>,
) -> Result<String, FillError> {
    for name in values.keys() {
        match variables.iter().find(|variable| variable.name == *name) {
            None => return Err(FillError::Unknown(name.clone())),
            Some(variable) if variable.kind == VariableKind::Secret => {
                return Err(FillError::Secret(name.clone()));
            }
            Some(_) => {}
        }
    }
    let mut filled = String::new();
    for piece in pieces(task) {
        match piece {
            Piece::Words(words) => filled.push_str(words),
            Piece::Name(name) => {
                let variable = variables.iter().find(|variable| variable.name == name);
                let variable = variable.ok_or_else(|| FillError::Unknown(name.to_owned()))?;
                let value = values.get(name).unwrap_or(&variable.value);
                filled.push_str(written(variable, value.trim())?);
            }
        }
    }
    Ok(filled)
}

/// What stood for the names where the task was filled in so; none where it was not, or where that can be read in two ways.
#[must_use]
pub fn values_of(task: &str, filled: &str) -> Option<BTreeMap<String, String>> {
    let mut values = BTreeMap::new();
    let (mut rest, mut name) = (filled, None);
    let pieces = pieces(task);
    for (n, piece) in pieces.iter().enumerate() {
        let words = match piece {
            Piece::Name(next) => {
                name = Some(*next);
                continue;
            }
            Piece::Words(words) => *words,
        };
        let Some(name) = name.take() else {
            rest = rest.strip_prefix(words)?;
            continue;
        };
        let value;
        if n + 1 == pieces.len() {
            (value, rest) = (rest.strip_suffix(words)?, "");
        } else {
            // Nothing tells where one of two names side by side ends.
            (value, rest) = rest.split_once(words).filter(|_| !words.is_empty())?;
        }
        let before = values.insert(name.to_owned(), value.trim().to_owned());
        if value.trim().is_empty() || before.is_some_and(|before| before != value.trim()) {
            return None;
        }
    }
    rest.is_empty().then_some(values)
}

/// What stands for a variable.
fn written<'a>(variable: &'a Variable, value: &'a str) -> Result<&'a str, FillError> {
    match variable.kind {
        VariableKind::Secret => Ok(&variable.name),
        _ if value.is_empty() => Err(FillError::Missing(variable.name.clone())),
        VariableKind::Number if !is_number(value) => Err(FillError::NotANumber(variable.name.clone())),
        VariableKind::Text | VariableKind::Number => Ok(value),
    }
}

/// Digits, with a sign before and points, commas or spaces between: as people write them anywhere.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let is_inside = |letter: char| {
        letter.is_numeric() || matches!(letter, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}' | '\'')
    };
    digits.starts_with(char::is_numeric)
        && digits.ends_with(char::is_numeric)
        && digits.chars().all(is_inside)
}

/// Whether this can be a variable's name.
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn pieces(task: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = task[at..].find('{').map(|open| at + open) {
        at = open + 1;
        let inside = &task[at..];
        let Some(length) = inside
            .find(['{', '}'])
            .filter(|end| inside[*end..].starts_with('}'))
        else {
            continue;
        };
        let (name, close) = (&inside[..length], at + length + 1);
        let is_doubled = task[..open].ends_with('{') && task[close..].starts_with('}');
        if is_name(name) && !is_doubled {
            pieces.push(Piece::Words(&task[from..open]));
            pieces.push(Piece::Name(name));
            (from, at) = (close, close);
        }
    }
    pieces.push(Piece::Words(&task[from..]));
    pieces
}

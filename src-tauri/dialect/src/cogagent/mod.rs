//! The `CogAgent` dialect: `Grounded Operation: CLICK(box=[[387,248,727,317]], element_type='…', element_info='…')`.
//!
//! Read from the operation alone: `Status` and `Plan` hold boxes and quotes of their own. The words before it are the
//! thought, the `Action:` line is the reason, the closing mark is the sensitivity. Names and parameters are those of
//! the action-space page, its own typing errors included; boxes are thousandths of the screen.

mod operations;
mod write;

pub(crate) use operations::is_operation;
pub(crate) use write::write;

use crate::Reply;
use crate::action::{bare, finish};
use crate::find::{Around, find, nothing, sound, thoughts, uncut, whole};
use crate::grammar::{self, Reading};
use crate::labels::{labels, line_of};
use crate::lexer::{Effort, Escapes, Quotes, is_blank};
use crate::notes::{Notes, Refusal};
use crate::scan::{Wanted, starts_with};
use crate::value::{Call, Value};
use protocol::{Act, Action, Sensitivity, UnclearCode};

const LABEL: &str = "Grounded Operation";

/// Reads a whole reply.
///
/// # Errors
/// When no operation can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let thoughts = thoughts(raw, steps);
    match labels(raw, thoughts.answer, LABEL).next() {
        Some(label) => {
            let around = Around::new(
                thoughts.thought,
                raw.get(thoughts.answer..label.start).unwrap_or(""),
            );
            labelled(raw, label.end, around, steps)
        }
        None => unlabelled(raw, steps),
    }
}

/// Whether the reply has the dialect's own label, and where.
pub(crate) fn label_at(raw: &str, from: usize) -> Option<usize> {
    labels(raw, from, LABEL).next().map(|label| label.start)
}

fn labelled(raw: &str, from: usize, mut around: Around, steps: &mut usize) -> Result<Reply, Refusal> {
    let rest = raw.get(from..).unwrap_or("");
    let operation = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '`' | '*'));
    let start = raw.len() - operation.len();
    let name_length = operation
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(operation.len());
    let (name, behind) = operation.split_at(name_length);
    if name == "END" && !behind.starts_with('(') {
        return end_at(raw, start + name_length, around);
    }
    if name.is_empty() || !behind.starts_with('(') {
        return match older_form(operation, &mut around.notes) {
            Some(done) => around.reply(bare(done?)),
            None if operation.is_empty() || operation.starts_with("<<") => Err(Refusal::new(
                UnclearCode::NoAction,
                "the grounded operation is empty",
            )),
            None => Err(Refusal::malformed(
                "the grounded operation is none: write NAME(parameter=value, …)",
            )),
        };
    }
    let mut effort = Effort::default();
    let first = grammar::read(raw, start, Quotes::First, Escapes::Python, &mut effort);
    let sound = first.as_ref().is_ok_and(Reading::is_closed);
    let second = if sound {
        None
    } else {
        grammar::read(raw, start, Quotes::Structural, Escapes::Python, &mut effort).ok()
    };
    *steps += effort.steps;
    let reading = second.or(first.ok()).ok_or_else(|| nothing(raw, true))?;
    around.notes.add_repairs(&reading.repairs);
    match reading.value {
        Value::Call(call) => operation_of(raw, &call, reading.end, around),
        _ => Err(nothing(raw, true)),
    }
}

/// A history line, or an operation without its label.
fn unlabelled(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = Wanted {
        objects: false,
        calls: &|name| is_operation(name) || operations::looks_like_one(name),
        keep: &|value| matches!(value, Value::Call(_)),
    };
    match find(raw, &wanted, steps) {
        Ok(found) => match found.value {
            Value::Call(call) => operation_of(raw, &call, found.end, found.around),
            _ => Err(nothing(raw, true)),
        },
        Err(refusal) => {
            let start = raw.len() - raw.trim_start_matches(is_blank).len();
            let rest = raw.get(start..).unwrap_or("");
            let alone = rest.strip_prefix("END").is_some_and(|rest| marks(rest).is_some());
            if alone {
                end_at(raw, start + 3, Around::new(String::new(), ""))
            } else {
                Err(refusal)
            }
        }
    }
}

fn end_at(raw: &str, end: usize, mut around: Around) -> Result<Reply, Refusal> {
    let act = finish(None, &mut around.notes);
    complete(raw, end, act, None, around)
}

fn operation_of(raw: &str, call: &Call, end: usize, mut around: Around) -> Result<Reply, Refusal> {
    uncut(call)?;
    sound(&call.arguments)?;
    let (act, app) = operations::read_operation(call, &mut around.notes)?;
    whole(call, &act)?;
    complete(raw, end, act, app, around)
}

/// The operation with what stands around it: the closing mark, the `Action:` line, more operations.
fn complete(
    raw: &str,
    end: usize,
    act: Act,
    app: Option<String>,
    mut around: Around,
) -> Result<Reply, Refusal> {
    let rest = raw.get(end..).unwrap_or("");
    let mark = found_marks(rest);
    around.sensitivity = mark.sensitivity;
    let another = labels(raw, end, LABEL).next().is_some();
    if another || has_operation(rest) {
        around.several();
    }
    let before = raw.get(..end).unwrap_or("");
    let reason = labels(before, 0, "Action")
        .map(|label| line_of(before, &label))
        .find(|line| !line.is_empty());
    let ends = matches!(act, Act::Finish { .. });
    around.reply(Action {
        reason: reason.filter(|_| !ends).map(Into::into),
        app,
        then_finish: mark.end && !ends,
        ..bare(act)
    })
}

/// An operation stands at the beginning of one of the lines.
fn has_operation(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches(|c: char| is_blank(c) || c == ';');
        line.split_once('(').is_some_and(|(name, _)| is_operation(name))
    })
}

#[derive(Default)]
struct Marks {
    sensitivity: Option<Sensitivity>,
    end: bool,
}

/// What the closing marks `<<…>>` behind an operation say. Where they contradict each other, the careful one holds.
fn found_marks(rest: &str) -> Marks {
    let mut found = Marks::default();
    let mut rest = rest;
    while let Some((_, behind)) = rest.split_once("<<") {
        let (mark, behind) = behind.split_once(">>").unwrap_or((behind, ""));
        let mark = mark.trim();
        if mark == "敏感操作" || starts_with(mark, "sensitive") {
            found.sensitivity = Some(Sensitivity::Sensitive);
        } else if mark == "一般操作" || starts_with(mark, "general") {
            found.sensitivity = found.sensitivity.or(Some(Sensitivity::General));
        } else if mark == "END" {
            found.end = true;
        }
        rest = behind;
    }
    found
}

/// The rest is nothing but closing marks and signs.
fn marks(rest: &str) -> Option<Marks> {
    let mut bare = rest;
    loop {
        bare = bare.trim_start_matches(|c: char| is_blank(c) || matches!(c, '(' | ')' | '.' | '`' | ';'));
        match bare.strip_prefix("<<").and_then(|mark| mark.split_once(">>")) {
            Some((_, behind)) => bare = behind,
            None => return bare.is_empty().then(|| found_marks(rest)),
        }
    }
}

/// The first `CogAgent`'s form: `[combobox] Search -> TYPE: CogVLM at the box [[212,498,787,564]]`.
fn older_form(operation: &str, notes: &mut Notes) -> Option<Result<Act, Refusal>> {
    let line = operation.lines().next()?;
    let (element, doing) = line.split_once("->")?;
    let (doing, place) = doing.rsplit_once("at the box")?;
    let (name, text) = doing.split_once(':').unwrap_or((doing, ""));
    let place = place.trim().trim_end_matches('.');
    let mut effort = Effort::default();
    let place = grammar::read(place, 0, Quotes::First, Escapes::Python, &mut effort)
        .ok()
        .map(|reading| reading.value);
    let (role, label) = match element
        .trim()
        .strip_prefix('[')
        .and_then(|element| element.split_once(']'))
    {
        Some((role, label)) => (role.trim(), label.trim()),
        None => ("", element.trim()),
    };
    notes.warn(
        "older_form",
        None,
        "the operation was written as the first CogAgent wrote it",
    );
    Some(operations::read_older(
        name.trim(),
        text.trim(),
        place.as_ref(),
        role,
        label,
    ))
}

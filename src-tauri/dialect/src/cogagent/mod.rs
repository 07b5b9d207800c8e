//! The `CogAgent` dialect: `Grounded Operation: CLICK(box=[[387,248,727,317]], element_type='…', element_info='…')`.
//!
//! Read from the operation alone: `Status` and `Plan` hold boxes and quotes of their own. The words before it are the
//! thought, the `Action:` line is the reason, the closing mark is the sensitivity. Names and parameters are those of
//! the action-space page, its own typing errors included; boxes are thousandths of the screen.

mod operations;
mod write;

pub(crate) use operations::is_operation;
pub(crate) use write::write;

use crate::action::finish;
use crate::find::{ActionContext, find, nothing, sound, uncut, whole};
use crate::grammar::{self, ParsedValue};
use crate::labels::{Label, labels, line_of};
use crate::lexer::{Escapes, ParseCost, Quotes, is_blank};
use crate::notes::{Notes, Refusal};
use crate::reply::Reply;
use crate::scan::{Scan, Structure, StructureFilter, scan, starts_with};
use crate::value::{Call, Value};
use protocol::{Act, Action, Sensitivity, UnclearCode, WarningCode};
use std::ops::Range;

const LABEL: &str = "Grounded Operation";

/// Reads a whole reply.
///
/// # Errors
/// When no operation can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: false,
        calls: &is_operation,
        keep: &|value| matches!(value, Value::Call(_)),
    };
    let scan = scan(raw, 0, &wanted);
    *steps += scan.effort.steps;
    if scan.closes_unseen {
        return Err(nothing(raw, true));
    }
    let from = scan.answer;
    let (start, end) = match label_outside(raw, from, &scan.structures) {
        Some(label) => (label.start, label.end),
        // A published answer without the label: what its status and plan speak of is not the operation.
        None if ["Status", "Plan", "Action"]
            .iter()
            .any(|name| labels(raw, from, name).next().is_some()) =>
        {
            let first = scan.structures.iter().find(|find| begins_a_line(raw, find.start));
            match first {
                Some(find) => (find.start, find.start),
                None => return Err(nothing(raw, scan.broken)),
            }
        }
        None => return unlabelled(raw, &scan, steps),
    };
    let context = ActionContext::new(scan.thought, raw.get(from..start).unwrap_or(""));
    labelled(raw, end, context, steps)
}

/// The first of the dialect's own labels that does not stand inside the text of a structure before it.
pub(crate) fn label_outside(raw: &str, from: usize, structures: &[Structure]) -> Option<Label> {
    labels(raw, from, LABEL).find(|label| {
        !structures
            .iter()
            .any(|find| find.start < label.start && label.start < find.end)
    })
}

/// Nothing but blanks and marks of code stand before it on its line.
fn begins_a_line(raw: &str, at: usize) -> bool {
    let before = raw.get(..at).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.chars().all(|c| is_blank(c) || c == '`')
}

fn labelled(raw: &str, from: usize, mut context: ActionContext, steps: &mut usize) -> Result<Reply, Refusal> {
    let rest = raw.get(from..).unwrap_or("");
    let operation = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '`' | '*'));
    let start = raw.len() - operation.len();
    let name_length = operation
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(operation.len());
    let (name, behind) = operation.split_at(name_length);
    if name == "END" && !behind.starts_with('(') {
        // "END the call" is a sentence, not the operation.
        let line = behind.lines().next().unwrap_or("");
        return if only_marks(line) {
            end_at(raw, start, context)
        } else {
            Err(Refusal::malformed("the operation END stands alone"))
        };
    }
    if name.is_empty() || !behind.starts_with('(') {
        return match older_form(operation, &mut context.notes) {
            Some(done) => context.reply(Action::from(done?)),
            None if operation.is_empty() || operation.starts_with("<<") => Err(Refusal::new(
                UnclearCode::NoAction,
                "the grounded operation is empty",
            )),
            None => Err(Refusal::malformed(
                "the grounded operation is none: write NAME(parameter=value, …)",
            )),
        };
    }
    let mut effort = ParseCost::default();
    let first = grammar::read(raw, start, Quotes::First, Escapes::Python, &mut effort);
    let sound = first.as_ref().is_ok_and(ParsedValue::is_closed);
    let second = if sound {
        None
    } else {
        grammar::read(raw, start, Quotes::Structural, Escapes::Python, &mut effort).ok()
    };
    *steps += effort.steps;
    let reading = second.or(first.ok()).ok_or_else(|| nothing(raw, true))?;
    context.notes.add_repairs(&reading.repairs);
    match reading.value {
        Value::Call(call) => operation_of(raw, &call, start..reading.end, context),
        _ => Err(nothing(raw, true)),
    }
}

/// A history line, or an operation without its label.
fn unlabelled(raw: &str, scan: &Scan, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: false,
        calls: &|name| is_operation(name) || operations::looks_like_one(name),
        keep: &|value| matches!(value, Value::Call(_)),
    };
    match find(raw, &wanted, steps) {
        Ok(found) => match found.value {
            Value::Call(call) => operation_of(raw, &call, found.start..found.end, found.context),
            _ => Err(nothing(raw, true)),
        },
        Err(refusal) => {
            let answer = raw.get(scan.answer..).unwrap_or("");
            let rest = answer.trim_start_matches(is_blank);
            let start = raw.len() - rest.len();
            let alone = rest.strip_prefix("END").is_some_and(only_marks);
            if alone {
                end_at(raw, start, ActionContext::new(scan.thought.clone(), ""))
            } else {
                Err(refusal)
            }
        }
    }
}

/// The operation `END` without parentheses stands at byte `start`.
fn end_at(raw: &str, start: usize, mut context: ActionContext) -> Result<Reply, Refusal> {
    let act = finish(None, &mut context.notes);
    complete(raw, start..start + "END".len(), act, None, context)
}

fn operation_of(
    raw: &str,
    call: &Call,
    span: Range<usize>,
    mut context: ActionContext,
) -> Result<Reply, Refusal> {
    uncut(call)?;
    sound(&call.arguments)?;
    let (act, app) = operations::read_operation(call, &mut context.notes)?;
    whole(call, &act)?;
    complete(raw, span, act, app, context)
}

/// The operation with what stands around it: the marks, the `Action:` line, more operations.
fn complete(
    raw: &str,
    span: Range<usize>,
    act: Act,
    app: Option<String>,
    mut context: ActionContext,
) -> Result<Reply, Refusal> {
    let before = raw.get(..span.start).unwrap_or("");
    let behind = raw.get(span.end..).unwrap_or("");
    let (own, another) = behind.split_at(next_operation(behind));
    context.sensitivity = sensitivity(before.lines().filter(|line| only_marks(line)).chain([own]));
    if !another.is_empty() {
        context.several();
    }
    let reason = labels(before, 0, "Action")
        .map(|label| line_of(before, &label))
        .find(|line| !line.is_empty());
    let ends = matches!(act, Act::Finish { .. });
    context.reply(Action {
        reason: reason.filter(|_| !ends).map(Into::into),
        app,
        // With more operations behind it this one is not the last, whatever the reply ends with.
        then_finish: !ends && another.is_empty() && ends_the_task(own),
        ..Action::from(act)
    })
}

/// Where the line begins that holds another operation; the text's end when none does.
fn next_operation(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches(|c: char| is_blank(c) || matches!(c, ';' | '`'));
        let is_one = bare.split_once('(').is_some_and(|(name, _)| is_operation(name));
        if is_one || labels(line, 0, LABEL).next().is_some() {
            return at;
        }
        at += line.len();
    }
    at
}

/// What stands in the marks `<<…>>` of a text, and whether the mark was closed.
fn marks(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, behind) = rest.split_once("<<")?;
        let closed = behind.split_once(">>");
        let (mark, behind) = closed.unwrap_or((behind, ""));
        rest = behind;
        Some((mark.trim(), closed.is_some()))
    })
}

/// What the marks say of the operation. Where they contradict each other, the careful one holds.
fn sensitivity<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Sensitivity> {
    let mut found = None;
    for (mark, _) in texts.flat_map(marks) {
        if mark == "敏感操作" || starts_with(mark, "sensitive") {
            found = Some(Sensitivity::Sensitive);
        } else if mark == "一般操作" || starts_with(mark, "general") {
            found = found.or(Some(Sensitivity::General));
        }
    }
    found
}

/// `<<END>>` closes the operation: among other marks on its line, or on a line of marks behind it. In a sentence it is
/// only spoken of.
fn ends_the_task(own: &str) -> bool {
    own.lines()
        .filter(|line| only_marks(line))
        .any(|line| marks(line).any(|mark| mark == ("END", true)))
}

/// The text is nothing but marks and signs.
fn only_marks(text: &str) -> bool {
    let mut bare = text;
    loop {
        bare = bare.trim_start_matches(|c: char| {
            is_blank(c) || matches!(c, '(' | ')' | '.' | '。' | '`' | '*' | ';')
        });
        match bare.strip_prefix("<<").map(|mark| mark.split_once(">>")) {
            Some(Some((_, behind))) => bare = behind,
            // The last mark was cut off.
            Some(None) => return bare.chars().skip(2).all(|c| c.is_alphanumeric() || is_blank(c)),
            None => return bare.is_empty(),
        }
    }
}

/// The first `CogAgent`'s form: `[combobox] Search -> TYPE: CogVLM at the box [[212,498,787,564]]`, or at a point of two
/// numbers.
fn older_form(operation: &str, notes: &mut Notes) -> Option<Result<Act, Refusal>> {
    let line = operation.lines().next()?;
    let (element, doing) = line.split_once("->")?;
    let (doing, place) = doing
        .rsplit_once("at the box")
        .or_else(|| doing.rsplit_once("at the point"))?;
    let (name, text) = doing.split_once(':').unwrap_or((doing, ""));
    let place = place.trim().trim_end_matches('.');
    let mut effort = ParseCost::default();
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
        WarningCode::OlderForm,
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

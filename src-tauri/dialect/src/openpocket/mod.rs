//! The `OpenPocket` dialect: a JSON object `{thought, action: {type, …}}`, or the action alone.
//!
//! Names, fields and defaults are the schema page's; the product's further actions follow the same style. Where a
//! default would make a touch (coordinates), the reply is unclear instead. Unknown types become `wait` here and in no
//! other dialect.

mod actions;
mod touch;

pub(crate) use actions::read_action;

use crate::action::ends_the_run;
use crate::grammar;
use crate::lexer::{Effort, Escapes, Quotes};
use crate::notes::{Notes, Refusal};
use crate::scan::{Find, Scan, Wanted, scan};
use crate::value::{List, Object, Value};
use crate::{Reply, prose};
use protocol::UnclearCode;

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let found = look(raw, steps);
    let Some(first) = found.finds.first() else {
        return match unwrapped(raw) {
            Some(inner) => read_inner(&inner, steps),
            None => Err(nothing(raw, found.broken)),
        };
    };
    let mut notes = Notes::default();
    notes.add_repairs(&first.repairs);
    if found.in_open_thought {
        notes.warn(
            "open_thought",
            None,
            "the thought was never closed; the action the reply ends with was read",
        );
    }
    if found.finds.len() > 1 {
        several(&mut notes);
    }
    let step = step_of(&first.value, &mut notes).ok_or_else(|| nothing(raw, true))?;
    let action = read_step(&step, &mut notes, steps)?;
    if found.in_open_thought && ends_the_run(&action) {
        return Err(draft());
    }
    let thought = step.thought.unwrap_or_else(|| thought_of(raw, &found, first));
    Ok(Reply::new(thought, action, notes))
}

fn look(raw: &str, steps: &mut usize) -> Scan {
    let wanted = Wanted {
        objects: true,
        calls: &|_| false,
        keep: &|value| step_of(value, &mut Notes::default()).is_some(),
    };
    let found = scan(raw, 0, &wanted);
    *steps += found.effort.steps;
    found
}

/// A reply whose whole text is one JSON string: what is in the string.
fn unwrapped(raw: &str) -> Option<String> {
    let text = raw.trim();
    (text.starts_with('"') && text.len() > 2)
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

fn read_inner(inner: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let found = look(inner, steps);
    let Some(first) = found.finds.first() else {
        return Err(nothing(inner, found.broken));
    };
    let mut notes = Notes::default();
    notes.warn(
        "action_as_text",
        None,
        "the reply was JSON written as a JSON string",
    );
    notes.add_repairs(&first.repairs);
    let step = step_of(&first.value, &mut notes).ok_or_else(|| nothing(inner, true))?;
    let action = read_step(&step, &mut notes, steps)?;
    Ok(Reply::new(step.thought.unwrap_or_default(), action, notes))
}

fn several(notes: &mut Notes) {
    notes.warn(
        "several_actions",
        None,
        "the reply held more than one action; the first was read",
    );
}

/// Why there is nothing to read.
pub(crate) fn nothing(raw: &str, broken: bool) -> Refusal {
    if raw.chars().all(crate::lexer::is_blank) {
        Refusal::new(UnclearCode::Empty, "the reply is empty")
    } else if broken {
        Refusal::malformed("the reply holds the beginning of an action that cannot be read to its end")
    } else {
        Refusal::new(
            UnclearCode::NoAction,
            "the reply holds no action: answer with one JSON object",
        )
    }
}

/// The end of the run stands in a thought that was never closed: a draft, perhaps, of a reply that was cut off.
pub(crate) fn draft() -> Refusal {
    Refusal::new(
        UnclearCode::NoAction,
        "the task is not finished by a thought: close the thought, then answer",
    )
}

/// An object that is, or holds, an action.
struct Step<'a> {
    thought: Option<String>,
    action: Held<'a>,
}

enum Held<'a> {
    /// The action's own object.
    Object(&'a Object),
    /// An action written as JSON in a text.
    Text(&'a str),
    /// The action's name in the field `action`, its fields beside it.
    Named(&'a Object, &'a str),
}

/// What in a value is the action, if anything is.
fn step_of<'a>(value: &'a Value, notes: &mut Notes) -> Option<Step<'a>> {
    let object = match value {
        Value::Object(object) => object,
        Value::List(List { items, .. }) => {
            if items.len() > 1 {
                several(notes);
            }
            match items.first()? {
                Value::Object(object) => object,
                _ => return None,
            }
        }
        _ => return None,
    };
    let held = match object.get("action").or_else(|| object.get("actions")) {
        Some(Value::Object(action)) => Held::Object(action),
        Some(Value::List(list)) => {
            if list.items.len() > 1 {
                several(notes);
            }
            Held::Object(list.items.first()?.as_object()?)
        }
        _ if object.get("type").is_some() => Held::Object(object),
        Some(Value::Text(text)) if text.value.trim_start().starts_with('{') => Held::Text(&text.value),
        Some(Value::Text(text)) => Held::Named(object, &text.value),
        Some(Value::Word(word)) => Held::Named(object, word),
        _ => return None,
    };
    let thought = match object.get("thought") {
        Some(Value::Text(text)) => Some(text.value.clone()),
        Some(_) => Some(String::new()),
        None => None,
    };
    Some(Step {
        thought,
        action: held,
    })
}

fn read_step(step: &Step<'_>, notes: &mut Notes, steps: &mut usize) -> Result<protocol::Action, Refusal> {
    match step.action {
        Held::Object(object) => read_action(object, None, notes),
        Held::Named(object, name) => {
            notes.warn(
                "action_as_type",
                Some("type"),
                "the action's type stood in the field `action`",
            );
            read_action(object, Some(name), notes)
        }
        Held::Text(text) => {
            notes.warn(
                "action_as_text",
                Some("action"),
                "the action was JSON written as a text",
            );
            let start = text.len() - text.trim_start().len();
            let mut effort = Effort::default();
            let inner = grammar::read(text, start, Quotes::First, Escapes::Json, &mut effort);
            *steps += effort.steps;
            match inner {
                Ok(grammar::Reading {
                    value: Value::Object(object),
                    repairs,
                    ..
                }) => {
                    notes.add_repairs(&repairs);
                    read_action(&object, None, notes)
                }
                _ => Err(Refusal::malformed(
                    "`action` is a text that cannot be read as an action",
                )),
            }
        }
    }
}

/// The thought where the object has none: what stands in thought tags, else the words before the object.
fn thought_of(raw: &str, found: &Scan, first: &Find) -> String {
    if found.thought.is_empty() {
        prose(raw.get(found.answer..first.start).unwrap_or(""))
    } else {
        found.thought.clone()
    }
}

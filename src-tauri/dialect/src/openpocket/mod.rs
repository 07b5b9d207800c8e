//! The `OpenPocket` dialect: a JSON object `{thought, action: {type, …}}`, or the action alone. Beside it may stand
//! `matters`, the product's own: whether this very action is one a person should see first; and in `finish` a `note`, the product's
//! own too: what the person may want to be remembered.
//!
//! Names, fields and defaults are the schema page's; the product's further actions follow the same style. Where a
//! default would make a touch (coordinates), the reply is unclear instead. Unknown types become `wait` here and in no
//! other dialect.

mod actions;
mod required;
mod touch;

use actions::is_known_type;
pub(crate) use actions::{TYPES, read_action};

use crate::find::{ActionContext, find_surest, mark, nothing};
use crate::grammar;
use crate::lexer::{Escapes, ParseCost, Quotes};
use crate::notes::{Notes, Refusal};
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::value::{List, Object, Value};
use protocol::{Sensitivity, UnclearCode, WarningCode};

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    match read_plain(raw, steps) {
        Err(refusal) if refusal.code == UnclearCode::NoAction => match unwrapped(raw) {
            Some(inner) => {
                let mut reply = read_plain(&inner, steps)?;
                reply.notes.warn(
                    WarningCode::ActionAsText,
                    None,
                    "the reply was JSON written as a JSON string",
                );
                Ok(reply)
            }
            None => Err(refusal),
        },
        reply => reply,
    }
}

fn read_plain(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &is_step,
    };
    let found = find_surest(raw, &wanted, &is_sure, steps)?;
    let mut context: ActionContext = found.context;
    let step = step_of(&found.value).ok_or_else(|| nothing(raw, true))?;
    if step.several {
        context.several();
    }
    let action = read_step(&step, &mut context.notes, steps)?;
    if let Some(thought) = step.thought {
        context.thought = thought;
    }
    context.sensitivity = step.mark;
    context.reply(action)
}

/// The value is, or holds, an action.
pub(crate) fn is_step(value: &Value) -> bool {
    step_of(value).is_some()
}

/// The value can hardly be anything but a step. An object that has nothing of one but a `type`, and none that is known
/// (`{"type": "button"}`), may be a thing the model speaks of before it acts.
fn is_sure(value: &Value) -> bool {
    let first = match value {
        Value::List(list) => list.items.first(),
        value => Some(value),
    };
    let names_step = |object: &Object| {
        ["action", "actions", "thought"]
            .iter()
            .any(|name| object.get(name).is_some())
    };
    let kind = |object: &Object| object.get("type").and_then(Value::as_word).map(is_known_type);
    first
        .and_then(Value::as_object)
        .is_some_and(|object| names_step(object) || kind(object) == Some(true))
}

/// A reply whose whole text is one JSON string: what is in the string.
fn unwrapped(raw: &str) -> Option<String> {
    let text = raw.trim();
    (text.starts_with('"') && text.len() > 2)
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

/// An object that is, or holds, an action.
struct ActionObject<'a> {
    thought: Option<String>,
    mark: Option<Sensitivity>,
    action: ActionForm<'a>,
    /// It is the first of a list.
    several: bool,
}

enum ActionForm<'a> {
    /// The action's own object.
    Object(&'a Object),
    /// An action written as JSON in a text.
    Text(&'a str),
    /// The action's name in the field `action`, its fields beside it.
    Named(&'a Object, &'a str),
    /// A name whose end had to be guessed.
    Unsound,
}

/// What in a value is the action, if anything is.
fn step_of(value: &Value) -> Option<ActionObject<'_>> {
    let mut several = false;
    let object = match value {
        Value::Object(object) => object,
        Value::List(List { items, .. }) => {
            several = items.len() > 1;
            match items.first()? {
                Value::Object(object) => object,
                _ => return None,
            }
        }
        _ => return None,
    };
    let held = match object.get("action").or_else(|| object.get("actions")) {
        Some(Value::Object(action)) => ActionForm::Object(action),
        Some(Value::List(list)) => {
            several |= list.items.len() > 1;
            ActionForm::Object(list.items.first()?.as_object()?)
        }
        _ if object.get("type").is_some() => ActionForm::Object(object),
        Some(Value::Text(text)) if text.value.trim_start().starts_with('{') => ActionForm::Text(&text.value),
        Some(Value::Text(text)) if text.mended => ActionForm::Unsound,
        Some(Value::Text(text)) => ActionForm::Named(object, &text.value),
        Some(Value::Word(word)) => ActionForm::Named(object, word),
        _ => return None,
    };
    let thought = match object.get("thought") {
        Some(Value::Text(text)) => Some(text.value.clone()),
        Some(_) => Some(String::new()),
        None => None,
    };
    let inner = match &held {
        ActionForm::Object(action) => mark(action),
        _ => None,
    };
    Some(ActionObject {
        thought,
        mark: mark(object).or(inner),
        action: held,
        several,
    })
}

fn read_step(
    step: &ActionObject<'_>,
    notes: &mut Notes,
    steps: &mut usize,
) -> Result<protocol::Action, Refusal> {
    match step.action {
        ActionForm::Object(object) => read_action(object, None, notes),
        ActionForm::Named(object, name) => {
            notes.warn(
                WarningCode::ActionAsType,
                Some("type"),
                "the action's type stood in the field `action`",
            );
            read_action(object, Some(name), notes)
        }
        ActionForm::Unsound => Err(Refusal::malformed("`action` is not quoted soundly")),
        ActionForm::Text(text) => {
            notes.warn(
                WarningCode::ActionAsText,
                Some("action"),
                "the action was JSON written as a text",
            );
            let start = text.len() - text.trim_start().len();
            let mut effort = ParseCost::default();
            let inner = grammar::read(text, start, Quotes::First, Escapes::Json, &mut effort);
            *steps += effort.steps;
            match inner {
                Ok(grammar::ParsedValue {
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

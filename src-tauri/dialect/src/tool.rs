//! Native tool calls, in the shapes servers and models write them.
//!
//! `OpenAI`: a message with `tool_calls`, one call, a whole response, the older `function_call`; arguments as text or
//! object. Anthropic: a message or list of blocks with a `tool_use`. Models themselves: `{name, arguments}`, also
//! with `parameters`, `input` or `args`, and with the name in `function`, `tool` or `tool_name`.

use crate::grammar::{self, ParsedValue};
use crate::lexer::{Escapes, ParseCost, Quotes};
use crate::notes::{Notes, Refusal};
use crate::value::{Object, Value};

/// One use of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolUse {
    pub(crate) name: String,
    pub(crate) arguments: Object,
    /// What the model said beside it.
    pub(crate) said: Option<String>,
    /// More uses followed.
    pub(crate) several: bool,
}

/// Where in a value the tool's name, its arguments and the words beside it stand.
struct CallFields<'a> {
    name: &'a str,
    arguments: Option<&'a Value>,
    said: Option<&'a str>,
    several: bool,
}

/// The name of the tool a value uses, if it is a use of a tool.
pub(crate) fn tool_name(value: &Value) -> Option<&str> {
    locate(value, 0).map(|place| place.name)
}

/// The use of a tool a value is; `None` when it is none.
pub(crate) fn tool_use(
    value: &Value,
    notes: &mut Notes,
    steps: &mut usize,
) -> Option<Result<ToolUse, Refusal>> {
    let place = locate(value, 0)?;
    let arguments = match place.arguments {
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(Value::Text(text)) if text.mended => Err(Refusal::malformed(
            "the tool call's arguments are not quoted soundly",
        )),
        Some(Value::Text(text)) if text.value.trim().is_empty() => Ok(none()),
        Some(Value::Text(text)) => arguments_in(&text.value, true, notes, steps),
        None | Some(Value::Null) => Ok(none()),
        Some(_) => Err(Refusal::malformed("the tool call's arguments are no object")),
    };
    Some(arguments.and_then(|arguments| {
        if !arguments.closed {
            return Err(Refusal::malformed("the tool call is cut off"));
        }
        Ok(ToolUse {
            name: place.name.trim().into(),
            arguments,
            said: place.said.map(Into::into),
            several: place.several,
        })
    }))
}

/// The arguments of the use of a tool a value is, for telling whose it is: nothing is said of what had to be mended.
pub(crate) fn arguments(value: &Value, steps: &mut usize) -> Object {
    match tool_use(value, &mut Notes::default(), steps) {
        Some(Ok(used)) => used.arguments,
        _ => none(),
    }
}

fn none() -> Object {
    Object {
        fields: Vec::new(),
        closed: true,
    }
}

fn arguments_in(text: &str, once: bool, notes: &mut Notes, steps: &mut usize) -> Result<Object, Refusal> {
    let start = text.len() - text.trim_start().len();
    let mut effort = ParseCost::default();
    let reading = grammar::read(text, start, Quotes::First, Escapes::Json, &mut effort);
    *steps += effort.steps;
    match reading {
        Ok(ParsedValue {
            value: Value::Object(object),
            repairs,
            ..
        }) => {
            notes.add_repairs(&repairs);
            Ok(object)
        }
        // Some servers encode the arguments twice.
        Ok(ParsedValue {
            value: Value::Text(inner),
            end,
            ..
        }) if once && !inner.mended && text.get(end..).is_some_and(|rest| rest.trim().is_empty()) => {
            arguments_in(&inner.value, false, notes, steps)
        }
        _ => Err(Refusal::malformed("the tool call's arguments cannot be read")),
    }
}

fn locate(value: &Value, depth: usize) -> Option<CallFields<'_>> {
    const DEEPEST: usize = 6;
    if depth > DEEPEST {
        return None;
    }
    match value {
        Value::Object(object) => locate_in(object, depth),
        Value::List(list) => among(&list.items, depth),
        _ => None,
    }
}

fn locate_in(object: &Object, depth: usize) -> Option<CallFields<'_>> {
    let text = |name: &str| {
        object.get(name).and_then(|value| match value {
            Value::Text(text) => Some(text.value.as_str()),
            _ => None,
        })
    };
    for list in ["tool_calls", "content", "output", "choices"] {
        if let Some(Value::List(items)) = object.get(list)
            && let Some(mut place) = among(&items.items, depth + 1)
        {
            place.said = place.said.or(text("content"));
            return Some(place);
        }
    }
    for inner in ["message", "tool_call", "function_call", "function"] {
        if let Some(inner) = object.get(inner).filter(|value| value.as_object().is_some()) {
            let mut place = locate(inner, depth + 1)?;
            place.said = place.said.or(text("content"));
            return Some(place);
        }
    }
    let named = |name: &str| text(name).filter(|name| !name.trim().is_empty());
    let arguments = ["arguments", "parameters", "input", "args", "tool_input"]
        .iter()
        .find_map(|field| object.get(field));
    // The other fields name a tool only where its arguments stand beside them.
    let alike = ["function", "tool", "tool_name", "function_name"];
    let beside = || {
        let sound = matches!(arguments, Some(Value::Object(_) | Value::Text(_)));
        sound.then(|| alike.iter().find_map(|name| named(name))).flatten()
    };
    let name = named("name").or_else(beside)?;
    let is_call =
        arguments.is_some() || matches!(text("type"), Some("tool_use" | "function" | "function_call"));
    is_call.then_some(CallFields {
        name,
        arguments,
        said: None,
        several: false,
    })
}

/// The first use among blocks, and the text of the blocks before it.
fn among(items: &[Value], depth: usize) -> Option<CallFields<'_>> {
    let mut uses = items
        .iter()
        .enumerate()
        .filter_map(|(at, item)| Some((at, locate(item, depth + 1)?)));
    let (at, mut place) = uses.next()?;
    place.several |= uses.next().is_some();
    place.said = place.said.or_else(|| {
        items
            .get(..at)?
            .iter()
            .find_map(|block| match block.as_object()?.get("text")? {
                Value::Text(text) => Some(text.value.as_str()),
                _ => None,
            })
    });
    Some(place)
}

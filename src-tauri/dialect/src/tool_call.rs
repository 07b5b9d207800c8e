//! Native tool calls of the product's own tool, in the shapes `OpenAI`'s and Anthropic's servers give them.
//!
//! The tool is [`TOOL`]: its arguments are an `OpenPocket` action with a `thought` beside it. A tool named like an
//! action is read as that action.

use crate::find::{ActionContext, FoundAction, find, in_markup, mark, nothing, other_tool};
use crate::notes::Refusal;
use crate::openpocket::{TYPES, read_action};
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::tool::{self, ToolUse, tool_use};
use crate::value::Value;
use protocol::Action;
use serde_json::{Value as Json, json};

/// The name of the product's tool.
pub const TOOL: &str = "phone";

/// Reads a whole reply.
///
/// # Errors
/// When no tool call can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &|value| tool::tool_name(value).is_some(),
    };
    let FoundAction {
        value, mut context, ..
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) => {
            return match in_markup(raw, steps) {
                Some((context, used)) => with(&used?, context),
                None => Err(refusal),
            };
        }
    };
    let used = tool_use(&value, &mut context.notes, steps).ok_or_else(|| nothing(raw, true))??;
    with(&used, context)
}

fn with(used: &ToolUse, mut context: ActionContext) -> Result<Reply, Refusal> {
    if used.several {
        context.several();
    }
    let thought = match used.arguments.get("thought") {
        Some(Value::Text(text)) => Some(text.value.clone()),
        _ => used.said.clone(),
    };
    context.thought = thought.unwrap_or(context.thought);
    let inner = || used.arguments.object("action").and_then(mark);
    context.sensitivity = mark(&used.arguments).or_else(inner);
    let action = if used.name == TOOL {
        match used.arguments.object("action") {
            Some(inner) => read_action(inner, None, &mut context.notes)?,
            None => read_action(&used.arguments, None, &mut context.notes)?,
        }
    } else if is_own_name(&used.name) {
        read_action(&used.arguments, Some(&used.name), &mut context.notes)?
    } else {
        return Err(other_tool(&used.name));
    };
    context.reply(action)
}

/// The product's tool, or a tool named like one of its actions.
pub(crate) fn is_own_name(name: &str) -> bool {
    name == TOOL || TYPES.contains(&name)
}

/// The tool as `OpenAI`'s chat completions want it described.
#[must_use]
pub fn openai_tool() -> Json {
    json!({"type": "function", "function": {"name": TOOL, "description": DESCRIPTION, "parameters": schema()}})
}

const DESCRIPTION: &str = "Do one thing on the Android phone.";

/// Names and types alone: every word here is sent, and paid for, with each step. What the fields are for stands in the
/// prompt, once.
fn schema() -> Json {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let one_of = |words: &[&str]| json!({"type": "string", "enum": words});
    let four = json!({"type": "array", "items": number});
    let element = json!({"type": "integer"});
    json!({
        "type": "object",
        "properties": {
            "thought": text,
            "matters": {"type": "boolean"},
            "type": one_of(&TYPES),
            "target": {"type": "object", "properties": {"element": element, "trackId": text, "text": text, "box": four}},
            "toTarget": {"type": "object", "properties": {"element": element, "trackId": text, "text": text}},
            "x": number,
            "y": number,
            "x1": number,
            "y1": number,
            "x2": number,
            "y2": number,
            "durationMs": number,
            "text": text,
            "value": text,
            "keycode": text,
            "keys": {"type": "array", "items": text},
            "packageName": text,
            "app": text,
            "url": text,
            "direction": one_of(&["up", "down", "left", "right"]),
            "amount": number,
            "command": text,
            "script": text,
            "timeoutSec": number,
            "capability": one_of(&["camera", "sms", "2fa", "location", "biometric", "notification", "contacts",
                                   "calendar", "files", "oauth", "payment", "permission", "unknown"]),
            "instruction": text,
            "message": text,
            "note": text,
            "mode": one_of(&["som", "vision", "ax"]),
            "maxElements": element,
            "box": four,
            "output": text,
            "prompt": text,
            "autoScroll": {"type": "boolean"},
            "captureAfter": {"type": "boolean"},
        },
        "required": ["thought", "type"],
    })
}

/// The tool's arguments with its name; every action can be said.
pub(crate) fn write(thought: &str, action: &Action) -> Option<String> {
    let mut arguments = serde_json::to_value(action).ok()?;
    if !thought.is_empty() {
        arguments
            .as_object_mut()?
            .insert("thought".into(), json!(thought));
    }
    serde_json::to_string(&json!({"name": TOOL, "arguments": arguments})).ok()
}

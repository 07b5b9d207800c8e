//! Native tool calls of the product's own tool, in the shapes `OpenAI`'s and Anthropic's servers give them.
//!
//! The tool is [`TOOL`]: its arguments are an `OpenPocket` action with a `thought` beside it. A tool named like an
//! action is read as that action.

use crate::Reply;
use crate::find::{Around, Found, find, in_markup, nothing, other_tool};
use crate::notes::Refusal;
use crate::openpocket::{TYPES, read_action};
use crate::scan::Wanted;
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
    let wanted = Wanted {
        objects: true,
        calls: &|_| false,
        keep: &|value| tool::tool_name(value).is_some(),
    };
    let Found {
        value, mut around, ..
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) => {
            return match in_markup(raw, steps) {
                Some((around, used)) => with(&used?, around),
                None => Err(refusal),
            };
        }
    };
    let used = tool_use(&value, &mut around.notes, steps).ok_or_else(|| nothing(raw, true))??;
    with(&used, around)
}

fn with(used: &ToolUse, mut around: Around) -> Result<Reply, Refusal> {
    if used.several {
        around.several();
    }
    let thought = match used.arguments.get("thought") {
        Some(Value::Text(text)) => Some(text.value.clone()),
        _ => used.said.clone(),
    };
    around.thought = thought.unwrap_or(around.thought);
    let action = if used.name == TOOL {
        match used.arguments.object("action") {
            Some(inner) => read_action(inner, None, &mut around.notes)?,
            None => read_action(&used.arguments, None, &mut around.notes)?,
        }
    } else if is_own_name(&used.name) {
        read_action(&used.arguments, Some(&used.name), &mut around.notes)?
    } else {
        return Err(other_tool(&used.name));
    };
    around.reply(action)
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

/// The tool as Anthropic's messages want it described.
#[must_use]
pub fn anthropic_tool() -> Json {
    json!({"name": TOOL, "description": DESCRIPTION, "input_schema": schema()})
}

const DESCRIPTION: &str = "Do one thing on the Android phone. Call it once; you are shown the screen again.";

fn schema() -> Json {
    let number = |about: &str| json!({"type": "number", "description": about});
    let text = |about: &str| json!({"type": "string", "description": about});
    let target = json!({
        "type": "object",
        "description": "What to point at, instead of coordinates.",
        "properties": {
            "element": {"type": "integer", "minimum": 1, "description": "The element's number in the list."},
            "text": text("Text on the element."),
            "trackId": text("The element's lasting name."),
            "box": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4,
                    "description": "[x1, y1, x2, y2] in thousandths of the screen."},
        },
    });
    json!({
        "type": "object",
        "properties": {
            "thought": text("What you see and why you do this, in a sentence."),
            "type": {"type": "string", "enum": TYPES},
            "target": target,
            "toTarget": target,
            "x": number("Pixels from the left."),
            "y": number("Pixels from the top."),
            "x1": number("Start, pixels from the left."),
            "y1": number("Start, pixels from the top."),
            "x2": number("End, pixels from the left."),
            "y2": number("End, pixels from the top."),
            "durationMs": number("Milliseconds."),
            "text": text("type: the text."),
            "value": text("set_value: the value."),
            "keycode": text("keyevent: Android's name, for example KEYCODE_BACK."),
            "keys": {"type": "array", "items": {"type": "string"}, "description": "key_combination: the held ones first."},
            "packageName": text("launch_app: the package, if you know it."),
            "app": text("launch_app, focus_app: the app's name. Else: the app that must be in front."),
            "url": text("open_url: the link."),
            "direction": {"type": "string", "enum": ["up", "down", "left", "right"],
                          "description": "scroll: the side more is shown from."},
            "amount": number("scroll: eighths of the region."),
            "command": text("shell: one command."),
            "script": text("run_script: the script."),
            "timeoutSec": number("Seconds."),
            "capability": {"type": "string", "enum": ["camera", "sms", "2fa", "location", "biometric", "notification",
                           "contacts", "calendar", "files", "oauth", "payment", "permission", "unknown"]},
            "instruction": text("request_human_auth: what the person should do."),
            "message": text("finish: what was achieved."),
            "mode": {"type": "string", "enum": ["som", "vision", "ax"], "description": "capture: what to return."},
            "maxElements": {"type": "integer", "minimum": 1, "maximum": 1000},
            "box": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4,
                    "description": "read_text: [x1, y1, x2, y2] in thousandths of the screen."},
            "output": text("read_text, read_clipboard, ask_model: the variable, __CogName_x__."),
            "prompt": text("ask_model: the question."),
            "autoScroll": {"type": "boolean"},
            "captureAfter": {"type": "boolean"},
        },
        "required": ["type"],
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

//! Each wire shape as its maker documents it, for the servers of the tests: what was asked, and how it is answered.

#![allow(dead_code, reason = "each test uses its part")]

use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// What a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// OpenAI's chat completions.
    Chat,
    /// The same as many others have it: in one piece, nothing kept.
    Compatible,
    Responses,
    Messages,
    Gemini,
}

/// What one answer is billed as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Read, the kept ones included.
    pub(crate) input: u64,
    /// Of these, kept since an earlier request.
    pub(crate) cached: u64,
    /// Written.
    pub(crate) output: u64,
}

impl Count {
    /// A bill that no other request has.
    pub(crate) fn of_request(number: usize) -> Self {
        let number = number as u64;
        Self {
            input: 1_500 + 17 * number,
            cached: 1_024,
            output: 40 + number,
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            input: self.input + other.input,
            cached: self.cached + other.cached,
            output: self.output + other.output,
        }
    }

    /// In dollars, at so much for a million of each.
    pub(crate) fn dollars(self, fresh: f64, cached: f64, output: f64) -> f64 {
        let sum = |n: u64, price: f64| n as f64 * price;
        (sum(self.input - self.cached, fresh) + sum(self.cached, cached) + sum(self.output, output)) / 1e6
    }
}

impl Shape {
    pub(crate) const ALL: [Self; 5] = [
        Self::Chat,
        Self::Compatible,
        Self::Responses,
        Self::Messages,
        Self::Gemini,
    ];

    /// Whether a request to this path is in this shape.
    pub(crate) fn is_at(self, path: &str) -> bool {
        let path = path.split('?').next().unwrap_or_default();
        match self {
            Self::Chat | Self::Compatible => path.ends_with("/chat/completions"),
            Self::Responses => path.ends_with("/responses"),
            Self::Messages => path.ends_with("/messages"),
            Self::Gemini => path.ends_with("GenerateContent") || path.ends_with("generateContent"),
        }
    }

    /// What its servers bill: one that keeps nothing tells of nothing kept.
    pub(crate) fn bills(self, count: Count) -> Count {
        match self {
            Self::Compatible => Count { cached: 0, ..count },
            _ => count,
        }
    }

    /// All that is said in a request: the system part, then the rest in order.
    pub(crate) fn text(body: &Value) -> String {
        let mut text = String::new();
        for part in [
            "instructions",
            "systemInstruction",
            "system",
            "messages",
            "input",
            "contents",
        ] {
            gather(&body[part], &mut text);
        }
        text
    }

    /// The picture that goes with it, in base64.
    pub(crate) fn picture(body: &Value) -> Option<&str> {
        match body {
            Value::Object(fields) => {
                let inline = fields.get("data").and_then(Value::as_str);
                let url = fields
                    .get("url")
                    .or(fields.get("image_url"))
                    .and_then(Value::as_str);
                let url = url.and_then(|url| Some(url.split_once(";base64,")?.1));
                inline.or(url).or_else(|| fields.values().find_map(Self::picture))
            }
            Value::Array(items) => items.iter().find_map(Self::picture),
            _ => None,
        }
    }

    /// Whether a tool is offered.
    pub(crate) fn offers_tool(body: &Value) -> bool {
        body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// The type and the body of an answer that says this: as a call of the tool where `by_call`, else in words.
    pub(crate) fn answer(self, said: &str, by_call: bool, count: Count) -> (&'static str, String) {
        let call = by_call.then(|| arguments(said)).flatten();
        let call = call.as_deref();
        match self {
            Self::Chat => ("text/event-stream", chat(said, call, count)),
            Self::Compatible => ("application/json", compatible(said, call, count)),
            Self::Responses => ("text/event-stream", responses(said, call, count)),
            Self::Messages => ("text/event-stream", messages(said, call, count)),
            Self::Gemini => ("text/event-stream", gemini(said, call, count)),
        }
    }
}

/// How a server speaks that bills what it says.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) shape: Shape,
    /// It has tools.
    pub(crate) has_tools: bool,
}

impl Manner {
    /// The status and the words for what it does not have: another shape, tools.
    pub(crate) fn refusal(self, head: &str, body: &Value) -> Option<(u16, &'static str)> {
        let path = head.split(' ').nth(1).unwrap_or_default();
        if !self.shape.is_at(path) {
            return Some((404, "404 page not found"));
        }
        (Shape::offers_tool(body) && !self.has_tools).then_some((400, "this model does not support tools"))
    }

    /// The type and the body of an answer to this request, and what it is billed as.
    pub(crate) fn answer(self, said: &str, number: usize) -> (&'static str, String, Count) {
        let count = self.shape.bills(Count::of_request(number));
        let (kind, body) = self.shape.answer(said, self.has_tools, count);
        (kind, body, count)
    }
}

fn gather(value: &Value, text: &mut String) {
    match value {
        Value::String(words) => {
            let _ = writeln!(text, "{words}");
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, text)),
        Value::Object(fields) => {
            for name in ["text", "content", "parts"] {
                gather(fields.get(name).unwrap_or(&Value::Null), text);
            }
        }
        _ => {}
    }
}

/// `{"thought": …, "action": {…}}` or an action alone, as the tool's arguments.
fn arguments(said: &str) -> Option<String> {
    let mut said: Map<String, Value> = serde_json::from_str(said).ok()?;
    let thought = said.shift_remove("thought");
    let mut arguments = match said.shift_remove("action") {
        Some(Value::Object(action)) => action,
        Some(_) => return None,
        None => said,
    };
    arguments.extend(thought.map(|thought| ("thought".to_owned(), thought)));
    Some(Value::Object(arguments).to_string())
}

fn halves(text: &str) -> [&str; 2] {
    let middle = text.char_indices().nth(text.chars().count() / 2);
    let (first, second) = text.split_at(middle.map_or(0, |(at, _)| at));
    [first, second]
}

fn chat(said: &str, call: Option<&str>, count: Count) -> String {
    let mut events = String::new();
    let mut event = |json: Value| {
        let _ = write!(events, "data: {json}\n\n");
    };
    let delta = |delta: Value, finish: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    match call {
        Some(call) => {
            let head = json!({"index": 0, "id": "call_1", "type": "function", "function": {"name": "phone", "arguments": ""}});
            event(delta(
                json!({"role": "assistant", "tool_calls": [head]}),
                Value::Null,
            ));
            for piece in halves(call) {
                let piece = json!({"index": 0, "function": {"arguments": piece}});
                event(delta(json!({"tool_calls": [piece]}), Value::Null));
            }
        }
        None => {
            for piece in halves(said) {
                event(delta(json!({"content": piece}), Value::Null));
            }
        }
    }
    let finish = if call.is_some() { "tool_calls" } else { "stop" };
    event(delta(json!({}), finish.into()));
    event(json!({"choices": [], "usage": {
        "prompt_tokens": count.input, "completion_tokens": count.output,
        "prompt_tokens_details": {"cached_tokens": count.cached},
    }}));
    events.push_str("data: [DONE]\n\n");
    events
}

fn compatible(said: &str, call: Option<&str>, count: Count) -> String {
    let message = match call {
        Some(call) => json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "phone", "arguments": call}},
        ]}),
        None => json!({"role": "assistant", "content": said}),
    };
    json!({
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": count.input, "completion_tokens": count.output},
    })
    .to_string()
}

fn named(events: &[Value]) -> String {
    let mut text = String::new();
    for event in events {
        let name = event["type"].as_str().unwrap_or_default();
        let _ = write!(text, "event: {name}\ndata: {event}\n\n");
    }
    text
}

fn responses(said: &str, call: Option<&str>, count: Count) -> String {
    let mut events =
        vec![json!({"type": "response.created", "response": {"status": "in_progress", "output": []}})];
    let item = match call {
        Some(call) => {
            let item = |arguments: &str| json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "phone", "arguments": arguments});
            events.push(json!({"type": "response.output_item.added", "output_index": 0, "item": item("")}));
            for piece in halves(call) {
                events.push(json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": piece}));
            }
            events.push(json!({"type": "response.function_call_arguments.done", "output_index": 0, "arguments": call}));
            item(call)
        }
        None => {
            for piece in halves(said) {
                events.push(json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": piece}));
            }
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]})
        }
    };
    events.push(json!({"type": "response.completed", "response": {
        "status": "completed", "output": [item], "usage": {
            "input_tokens": count.input, "input_tokens_details": {"cached_tokens": count.cached},
            "output_tokens": count.output,
        },
    }}));
    named(&events)
}

fn messages(said: &str, call: Option<&str>, count: Count) -> String {
    let mut events = vec![json!({"type": "message_start", "message": {
        "type": "message", "role": "assistant", "content": [], "usage": {
            "input_tokens": count.input - count.cached, "cache_read_input_tokens": count.cached,
            "cache_creation_input_tokens": 0, "output_tokens": 1,
        },
    }})];
    let (block, kind, field, pieces) = match call {
        Some(call) => (
            json!({"type": "tool_use", "id": "toolu_1", "name": "phone", "input": {}}),
            "input_json_delta",
            "partial_json",
            halves(call),
        ),
        None => (
            json!({"type": "text", "text": ""}),
            "text_delta",
            "text",
            halves(said),
        ),
    };
    events.push(json!({"type": "content_block_start", "index": 0, "content_block": block}));
    for piece in pieces {
        events
            .push(json!({"type": "content_block_delta", "index": 0, "delta": {"type": kind, field: piece}}));
    }
    let reason = if call.is_some() { "tool_use" } else { "end_turn" };
    events.push(json!({"type": "content_block_stop", "index": 0}));
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": count.output}}));
    events.push(json!({"type": "message_stop"}));
    named(&events)
}

fn gemini(said: &str, call: Option<&str>, count: Count) -> String {
    let parts = match call {
        Some(call) => {
            let arguments: Value = serde_json::from_str(call).unwrap_or_default();
            vec![json!({"functionCall": {"name": "phone", "args": arguments}})]
        }
        None => halves(said)
            .into_iter()
            .map(|piece| json!({"text": piece}))
            .collect(),
    };
    let last = parts.len() - 1;
    let mut events = String::new();
    for (at, part) in parts.into_iter().enumerate() {
        let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": [part]}});
        if at == last {
            candidate["finishReason"] = "STOP".into();
        }
        let usage = json!({
            "promptTokenCount": count.input, "cachedContentTokenCount": count.cached,
            "candidatesTokenCount": count.output,
        });
        let event = json!({"candidates": [candidate], "usageMetadata": usage});
        let _ = write!(events, "data: {event}\n\n");
    }
    events
}

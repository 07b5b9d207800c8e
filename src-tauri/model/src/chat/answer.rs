//! The answer: chunks of a stream folded into one text, or a whole answer where the server does not stream.

use crate::complaint;
use crate::exchange::{Answer, Progress, said};
use crate::sse::{Frames, Sse};
use crate::trouble::Trouble;
use serde_json::{Value, json};

/// Bytes of an answer's text: far more than any action, far less than memory.
const TEXT: usize = 512 * 1024;
/// Bytes of everything that comes, thoughts included.
const STREAM: usize = 32 << 20;

/// An answer as it grows.
#[derive(Default)]
pub(super) struct Growing {
    has_picture: bool,
    mode: Mode,
    bytes: usize,
    text: String,
    refusal: String,
    calls: Vec<Call>,
    finish: Option<String>,
    tokens: Option<Tokens>,
    /// A word came, or a thought.
    is_begun: bool,
    is_closed: bool,
}

/// How it comes.
#[derive(Default)]
enum Mode {
    /// Not a byte of substance yet.
    #[default]
    Unknown,
    /// As events.
    Stream(Box<Frames>),
    /// As one JSON document, read at its end; or as a page, which is no answer.
    Whole(Vec<u8>),
}

/// A call of a tool nobody offered: some models answer so. Passed on as text.
#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

/// Tokens, as the server counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
}

impl Answer for Growing {
    fn feed(&mut self, piece: &[u8]) -> Result<(), Trouble> {
        self.bytes += piece.len();
        if self.bytes > STREAM || self.text.len() > TEXT {
            return Err(Trouble::Length);
        }
        if matches!(self.mode, Mode::Unknown) {
            match piece.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => return Ok(()),
                Some(b'{' | b'[' | b'<') => self.mode = Mode::Whole(Vec::new()),
                Some(_) => self.mode = Mode::Stream(Box::default()),
            }
        }
        let events = match &mut self.mode {
            Mode::Unknown => return Ok(()),
            Mode::Whole(held) => {
                held.extend_from_slice(piece);
                return Ok(());
            }
            Mode::Stream(frames) => frames.feed(piece).map_err(|_| Trouble::Length)?,
        };
        events.into_iter().try_for_each(|event| self.take(&event))
    }

    fn progress(&self) -> Progress {
        if self.is_closed {
            Progress::Closed
        } else if self.finish.is_some() {
            Progress::Finished
        } else if self.is_begun {
            Progress::Begun
        } else {
            Progress::Waiting
        }
    }
}

impl Growing {
    pub(super) fn new(has_picture: bool) -> Self {
        Self {
            has_picture,
            ..Self::default()
        }
    }

    /// What the server counted so far, if it did. Tokens of an answer that failed were paid for too.
    pub(super) fn tokens(&self) -> Option<Tokens> {
        self.tokens
    }

    /// The whole text, once the stream has ended.
    ///
    /// # Errors
    /// When it is not whole, empty, stopped by a limit or a filter, or no answer at all.
    pub(super) fn end(&mut self) -> Result<String, Trouble> {
        match std::mem::take(&mut self.mode) {
            Mode::Unknown => return Err(Trouble::Cut("nothing came".to_owned())),
            Mode::Stream(mut frames) => {
                // Half an event is no event: then the answer is cut, which is found out below.
                if let Some(event) = frames.end()
                    && (event.data.trim() == "[DONE]" || serde_json::from_str::<Value>(&event.data).is_ok())
                {
                    self.take(&event)?;
                }
            }
            Mode::Whole(held) => self.whole(&held)?,
        }
        if self.finish.is_none() && !self.is_closed {
            return Err(Trouble::Cut("the stream ended before the answer".to_owned()));
        }
        match self.finish.as_deref().unwrap_or_default() {
            "length" | "max_tokens" | "model_length" | "max_output_tokens" => return Err(Trouble::Length),
            "content_filter" | "sensitive" | "safety" | "recitation" | "prohibited_content" => {
                return Err(Trouble::Filtered(said(self.refusal.as_str())));
            }
            "error" | "network_error" | "insufficient_system_resource" => {
                return Err(Trouble::Server {
                    said: said("the server gave up in the middle of its answer"),
                    after: None,
                });
            }
            _ => {}
        }
        let mut text = std::mem::take(&mut self.text);
        if !self.calls.is_empty() {
            if !text.trim().is_empty() {
                text.push('\n');
            }
            text.push_str(&self.tool_calls());
        }
        if !text.trim().is_empty() {
            Ok(text)
        } else if self.refusal.trim().is_empty() {
            Err(Trouble::Empty)
        } else {
            Err(Trouble::Declined(said(self.refusal.as_str())))
        }
    }

    fn whole(&mut self, held: &[u8]) -> Result<(), Trouble> {
        let text = String::from_utf8_lossy(held);
        match serde_json::from_str::<Value>(&text) {
            Ok(json) => {
                self.chunk(&json)?;
                // It is whole by being well-formed, finish reason or not.
                self.is_closed = true;
                Ok(())
            }
            Err(_) if text.trim_start().starts_with('<') => Err(complaint::page(&text)),
            Err(_) => Err(Trouble::Cut("half a document".to_owned())),
        }
    }

    fn take(&mut self, event: &Sse) -> Result<(), Trouble> {
        let data = event.data.trim();
        if data.is_empty() || self.is_closed {
            return Ok(());
        }
        if data == "[DONE]" {
            self.is_closed = true;
            return Ok(());
        }
        match serde_json::from_str::<Value>(data) {
            Ok(json) if event.name == "error" => Err(complaint::read_inside(&json, self.has_picture)),
            Ok(json) => self.chunk(&json),
            Err(_) if event.name == "error" => {
                Err(complaint::read_inside(&Value::from(data), self.has_picture))
            }
            Err(e) => Err(Trouble::Garbled(said(format!("not JSON: {e}")))),
        }
    }

    fn chunk(&mut self, json: &Value) -> Result<(), Trouble> {
        let choice = json["choices"].as_array().and_then(|choices| {
            choices
                .iter()
                .find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
        });
        if json.get("error").is_some_and(|error| !error.is_null()) {
            return Err(complaint::read_inside(json, self.has_picture));
        }
        if let Some(tokens) = Tokens::read(&json["usage"]) {
            self.tokens = Some(tokens);
        }
        let Some(choice) = choice else {
            // A stream has chunks without a choice (the token count); a whole answer has not.
            let is_answer = json["choices"].is_array() || json["usage"].is_object();
            return if is_answer || matches!(self.mode, Mode::Stream(_)) {
                Ok(())
            } else {
                Err(complaint::read_inside(json, self.has_picture))
            };
        };
        if choice["delta"].is_object() {
            self.message(&choice["delta"]);
        } else if self.text.is_empty() && self.calls.is_empty() {
            // Whole answers, and servers that say it all again at the end.
            self.message(&choice["message"]);
        }
        if let Some(finish) = choice["finish_reason"]
            .as_str()
            .filter(|finish| !["", "null"].contains(finish))
        {
            self.finish = Some(finish.to_lowercase());
        }
        Ok(())
    }

    /// Adds what a delta or a message holds. Thoughts only show that something is coming.
    fn message(&mut self, message: &Value) {
        let before = self.text.len() + self.refusal.len();
        content(&message["content"], &mut self.text);
        if let Some(refusal) = message["refusal"].as_str() {
            self.refusal.push_str(refusal);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.call(call);
        }
        if message["function_call"].is_object() {
            self.call(&json!({"index": 0, "function": message["function_call"]}));
        }
        let has_thought = ["reasoning_content", "reasoning", "thinking"]
            .iter()
            .any(|name| message[name].as_str().is_some_and(|thought| !thought.is_empty()));
        self.is_begun |=
            has_thought || !self.calls.is_empty() || self.text.len() + self.refusal.len() > before;
    }

    /// Pieces of a call share an index; without one, an id begins a new call.
    fn call(&mut self, piece: &Value) {
        let id = piece["id"].as_str().unwrap_or_default();
        let index = match piece["index"].as_u64() {
            Some(index) => usize::try_from(index).unwrap_or(usize::MAX),
            None if id.is_empty() => self.calls.len().saturating_sub(1),
            None => self.calls.len(),
        };
        // Only the first few: one action is wanted.
        if index >= 16 {
            return;
        }
        if self.calls.len() <= index {
            self.calls.resize_with(index + 1, Call::default);
        }
        let call = &mut self.calls[index];
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        let function = &piece["function"];
        call.name.push_str(function["name"].as_str().unwrap_or_default());
        match &function["arguments"] {
            Value::String(arguments) => call.arguments.push_str(arguments),
            Value::Null => {}
            arguments => call.arguments.push_str(&arguments.to_string()),
        }
    }

    /// As OpenAI writes them in a whole message, so that room `dialect` reads one shape.
    fn tool_calls(&self) -> String {
        let calls: Vec<Value> = self
            .calls
            .iter()
            .filter(|call| !call.name.is_empty() || !call.arguments.is_empty())
            .map(|call| {
                json!({
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                })
            })
            .collect();
        json!({ "tool_calls": calls }).to_string()
    }
}

/// Content is a string, or parts of which the text ones count.
fn content(content: &Value, text: &mut String) {
    match content {
        Value::String(words) => text.push_str(words),
        Value::Array(parts) => {
            for part in parts {
                if matches!(part["type"].as_str(), None | Some("text" | "output_text")) {
                    text.push_str(part["text"].as_str().unwrap_or_default());
                }
            }
        }
        _ => {}
    }
}

impl Tokens {
    fn read(usage: &Value) -> Option<Self> {
        let count = |names: [&str; 2]| names.iter().find_map(|name| usage[name].as_u64());
        let input = count(["prompt_tokens", "input_tokens"]);
        let output = count(["completion_tokens", "output_tokens"]);
        if input.is_none() && output.is_none() {
            return None;
        }
        Some(Self {
            input: input.unwrap_or(0),
            output: output.unwrap_or(0),
        })
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;

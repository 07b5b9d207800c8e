//! One answer, put together from what any shape sends: one text, its end, its tokens.

use crate::error::{ModelError, said};
use crate::error_parse;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Bytes of an answer's text: far more than any action, far less than memory.
pub(super) const TEXT: usize = 512 * 1024;
/// Parts of an answer: one action is wanted.
const PARTS: usize = 64;

/// What all shapes put their answers together with.
#[derive(Default)]
pub(crate) struct AnswerBuilder {
    has_picture: bool,
    /// It comes as one document.
    pub(super) is_whole: bool,
    /// By the index the shape gives them; pieces of several may come interleaved.
    parts: BTreeMap<u64, AnswerPart>,
    refusal: String,
    /// The maker wants a person to see what is called.
    is_flagged: bool,
    /// What it thought, where the server tells: an answer may stand at its end.
    thoughts: String,
    /// Bytes of words and thoughts.
    heard: usize,
    /// Why it ended, in the server's word, in small letters.
    finish: Option<String>,
    tokens: Option<Tokens>,
    held: usize,
    /// A word came, or a thought.
    pub(super) is_begun: bool,
    /// The server said that nothing follows.
    pub(super) is_closed: bool,
}

/// One part of an answer.
enum AnswerPart {
    Text(String),
    Call(Call),
}

/// A call of a tool. Passed on as text, so that room `dialect` reads one shape.
#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

/// Tokens, as the server counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tokens {
    /// All that were read, kept ones included.
    pub(crate) input: u64,
    /// Of these, read from what the maker had kept.
    pub(crate) cached: u64,
    /// Of these, kept by the maker for later.
    pub(crate) kept: u64,
    /// Written, thoughts included.
    pub(crate) output: u64,
    /// What the server says it took for it, in dollars.
    pub(crate) dollars: Option<f64>,
}

impl Tokens {
    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            kept: self.kept.saturating_add(other.kept),
            output: self.output.saturating_add(other.output),
            dollars: match (self.dollars, other.dollars) {
                (Some(a), Some(b)) => Some(a + b),
                (one, another) => one.or(another),
            },
        }
    }
}

impl AnswerBuilder {
    pub(super) fn new(has_picture: bool) -> Self {
        Self {
            has_picture,
            ..Self::default()
        }
    }

    /// Bytes of its text.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// Bytes of words and thoughts.
    pub(super) fn heard(&self) -> usize {
        self.heard
    }

    /// The server told why it ended.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// What the server counted.
    pub(super) fn tokens(&self) -> Option<Tokens> {
        self.tokens
    }

    /// What the server complains of in `json`, as trouble.
    pub(super) fn complain(&self, json: &Value) -> ModelError {
        error_parse::read_inside(json, self.has_picture)
    }

    /// # Errors
    /// When `json` holds an error.
    pub(super) fn complaint(&self, json: &Value) -> Result<(), ModelError> {
        let json = match json {
            Value::Array(items) => items.first().unwrap_or(json),
            json => json,
        };
        match json.get("error") {
            Some(error) if !error.is_null() => Err(self.complain(json)),
            _ => Ok(()),
        }
    }

    /// More words of a part.
    pub(super) fn text(&mut self, index: u64, words: &str) {
        if words.is_empty() || (self.parts.len() >= PARTS && !self.parts.contains_key(&index)) {
            return;
        }
        self.is_begun = true;
        self.held += words.len();
        self.heard += words.len();
        match self
            .parts
            .entry(index)
            .or_insert_with(|| AnswerPart::Text(String::new()))
        {
            AnswerPart::Text(text) => text.push_str(words),
            AnswerPart::Call(call) => call.arguments.push_str(words),
        }
    }

    /// More of a call of a tool: the id where it has none yet, its name and arguments as they come.
    pub(super) fn call(&mut self, index: u64, id: &str, name: &str, arguments: &str) {
        if self.parts.len() >= PARTS && !self.parts.contains_key(&index) {
            return;
        }
        self.is_begun = true;
        self.held += id.len() + name.len() + arguments.len();
        self.heard += id.len() + name.len() + arguments.len();
        let part = self
            .parts
            .entry(index)
            .or_insert_with(|| AnswerPart::Call(Call::default()));
        if let AnswerPart::Call(call) = part {
            if call.id.is_empty() {
                id.clone_into(&mut call.id);
            }
            call.name.push_str(name);
            call.arguments.push_str(arguments);
        }
    }

    /// The arguments of a call as the server gives them whole: what came before in pieces was the same.
    pub(super) fn arguments(&mut self, index: u64, whole: &str) {
        if let Some(AnswerPart::Call(call)) = self.parts.get_mut(&index)
            && !whole.is_empty()
        {
            whole.clone_into(&mut call.arguments);
        }
    }

    /// More of what it thinks. That something is coming is all it shows, unless nothing else does.
    pub(super) fn thought(&mut self, words: &str) {
        self.is_begun |= !words.is_empty();
        self.heard += words.len();
        if self.thoughts.len() + words.len() <= TEXT {
            self.thoughts.push_str(words);
        }
    }

    /// A sign of a thought whose words the server keeps to itself.
    pub(super) fn thinks(&mut self) {
        self.is_begun = true;
        self.heard += 1;
    }

    /// Why the model does not want to answer.
    pub(super) fn refuse(&mut self, words: &str) {
        self.held += words.len();
        self.heard += words.len();
        self.is_begun |= !words.is_empty();
        self.refusal.push_str(words);
    }

    /// The maker's own checks found something about a call: it carries the mark that a model sets itself.
    pub(super) fn flag(&mut self, checks: &Value) {
        self.is_flagged |= checks.as_array().is_some_and(|checks| !checks.is_empty());
    }

    /// Why it ended.
    pub(super) fn finish(&mut self, reason: &str) {
        if !["", "null"].contains(&reason) {
            self.finish = Some(reason.to_lowercase());
        }
    }

    pub(super) fn count(&mut self, tokens: Option<Tokens>) {
        if tokens.is_some() {
            self.tokens = tokens;
        }
    }

    pub(super) fn counted(&self) -> Tokens {
        self.tokens.unwrap_or_default()
    }

    /// Nothing was said yet.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The calls there are, their last index.
    pub(super) fn last_call(&self) -> Option<u64> {
        let calls = self
            .parts
            .iter()
            .filter(|(_, part)| matches!(part, AnswerPart::Call(_)));
        calls.map(|(index, _)| *index).next_back()
    }

    pub(super) fn end(&mut self) -> Result<String, ModelError> {
        if self.finish.is_none() && !self.is_closed {
            return Err(ModelError::Cut("the stream ended before the answer".to_owned()));
        }
        let refused = || said(self.refusal.as_str());
        match self.finish.as_deref().unwrap_or_default() {
            "length" | "max_tokens" | "model_length" | "max_output_tokens" => return Err(ModelError::Length),
            "model_context_window_exceeded" => return Err(ModelError::Context(refused())),
            "content_filter" | "sensitive" | "safety" | "recitation" | "prohibited_content" | "blocklist"
            | "spii" | "image_safety" => return Err(ModelError::Filtered(refused())),
            "refusal" => return Err(ModelError::Declined(refused())),
            "malformed_function_call" | "unexpected_tool_call" | "too_many_tool_calls" => {
                return Err(ModelError::Garbled(said(
                    "the model’s call of the tool was broken",
                )));
            }
            "error" | "network_error" | "insufficient_system_resource" | "failed" | "cancelled" => {
                return Err(ModelError::Server {
                    said: said("the server gave up in the middle of its answer"),
                    after: None,
                });
            }
            _ => {}
        }
        let mut text = String::new();
        let mut calls = Vec::new();
        for part in std::mem::take(&mut self.parts).into_values() {
            match part {
                AnswerPart::Text(words) => text.push_str(&words),
                AnswerPart::Call(call) if call.name.is_empty() && call.arguments.is_empty() => {}
                AnswerPart::Call(call) => {
                    let arguments = match self.is_flagged {
                        true => marked(&call.arguments),
                        false => call.arguments,
                    };
                    calls.push(json!({
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": arguments},
                    }));
                }
            }
        }
        if !calls.is_empty() {
            if !text.trim().is_empty() {
                text.push('\n');
            }
            // As OpenAI writes them in a whole message.
            text.push_str(&json!({ "tool_calls": calls }).to_string());
        }
        if !text.trim().is_empty() {
            Ok(text)
        } else if self.refusal.trim().is_empty() {
            answer_in(&self.thoughts).ok_or(ModelError::Empty)
        } else {
            Err(ModelError::Declined(said(self.refusal.as_str())))
        }
    }
}

/// Arguments with the mark beside them ([`dialect::Parsed::sensitivity`]); what is no object stays as it is.
fn marked(arguments: &str) -> String {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(mut arguments)) => {
            arguments.insert("matters".to_owned(), true.into());
            Value::Object(arguments).to_string()
        }
        _ => arguments.to_owned(),
    }
}

/// A whole call of a tool, or a whole tagged action, that ends a thought: some servers take the models' answer for a part
/// of it. Drafts in its middle are none.
fn answer_in(thoughts: &str) -> Option<String> {
    const TAGS: [(&str, &str); 3] = [
        ("<tool_call>", "</tool_call>"),
        ("<action>", "</action>"),
        ("<answer>", "</answer>"),
    ];
    let thoughts = thoughts.trim_end();
    let (thought, answer) = TAGS.iter().find_map(|(open, close)| {
        let bare = thoughts.strip_suffix(close)?;
        let at = bare.rfind(open)?;
        thoughts.split_at_checked(at)
    })?;
    dialect::parse(answer, None).ok()?;
    let thought = thought
        .trim()
        .trim_start_matches("<think>")
        .trim_end_matches("</think>");
    Some(format!("<think>{}</think>\n{answer}", thought.trim()))
}

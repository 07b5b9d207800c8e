//! OpenAI's chat completions, and everybody who speaks them:
//! <https://platform.openai.com/docs/api-reference/chat>

use super::fold::{Fold, Tokens};
use super::form::{ActionMethod, Form};
use super::question::Question;
use crate::error::ModelError;
use serde_json::{Map, Value, json};

/// Calls of tools stand behind the text.
const CALLS: u64 = 1;
/// Only the first few calls: one action is wanted.
const MOST_CALLS: u64 = 16;

pub(super) fn body(form: &Form, question: &Question<'_>) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), question.model.into());
    let user: Value = match question.picture {
        // A plain string where there is no picture: some servers take nothing else.
        None => format!("{}{}", question.past.concat(), question.now).into(),
        Some(picture) => {
            let text = |text: &str| json!({"type": "text", "text": text});
            let past = question.past().map(|past| text(&past));
            let picture = json!({"type": "image_url", "image_url": {"url": picture.url()}});
            past.into_iter()
                .chain([picture, text(question.now)])
                .collect::<Vec<_>>()
                .into()
        }
    };
    let mut messages = Vec::new();
    // Some were trained on one turn alone.
    if !question.system.is_empty() {
        messages.push(json!({"role": "system", "content": question.system}));
    }
    messages.push(json!({"role": "user", "content": user}));
    body.insert("messages".to_owned(), messages.into());
    if let (Some(tool), Some(forced)) = (question.tool, form.forced_tool()) {
        body.insert(
            "tools".to_owned(),
            json!([{"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }}]),
        );
        let choice = if forced {
            json!({"type": "function", "function": {"name": tool.name}})
        } else {
            json!("auto")
        };
        body.insert("tool_choice".to_owned(), choice);
    }
    body.insert("stream".to_owned(), form.stream.into());
    if form.stream && form.usage {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    if let Some((name, cap)) = form.cap() {
        body.insert(name.to_owned(), cap.into());
    }
    if form.temperature {
        // The same screen deserves the same answer.
        body.insert("temperature".to_owned(), 0.into());
    }
    if let (Some(effort), true) = (question.effort, form.effort) {
        body.insert("reasoning_effort".to_owned(), effort.into());
    }
    Value::Object(body)
}

pub(super) fn chunk(json: &Value, fold: &mut Fold) -> Result<(), ModelError> {
    let choice = json["choices"].as_array().and_then(|choices| {
        choices
            .iter()
            .find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
    });
    fold.count(tokens(&json["usage"]));
    let Some(choice) = choice else {
        // A stream has chunks without a choice (the token count); a whole answer has not.
        let is_answer = json["choices"].is_array() || json["usage"].is_object();
        return if is_answer || !fold.is_whole {
            Ok(())
        } else {
            Err(fold.complain(json))
        };
    };
    if choice["delta"].is_object() {
        message(&choice["delta"], fold);
    } else if fold.is_empty() {
        // Whole answers, and servers that say it all again at the end.
        message(&choice["message"], fold);
    }
    fold.finish(choice["finish_reason"].as_str().unwrap_or_default());
    Ok(())
}

/// Adds what a delta or a message holds.
fn message(message: &Value, fold: &mut Fold) {
    content(&message["content"], fold);
    fold.refuse(message["refusal"].as_str().unwrap_or_default());
    for piece in message["tool_calls"].as_array().into_iter().flatten() {
        call(piece, fold);
    }
    if message["function_call"].is_object() {
        call(&json!({"index": 0, "function": message["function_call"]}), fold);
    }
    // Some say the same under two names.
    let thought = ["reasoning_content", "reasoning", "thinking"]
        .iter()
        .find_map(|name| message[name].as_str().filter(|thought| !thought.is_empty()));
    fold.thought(thought.unwrap_or_default());
}

/// Pieces of a call share an index; without one, an id begins a new call.
fn call(piece: &Value, fold: &mut Fold) {
    let id = piece["id"].as_str().unwrap_or_default();
    let index = match (piece["index"].as_u64(), fold.last_call()) {
        (Some(index), _) => index.saturating_add(CALLS),
        (None, Some(last)) if id.is_empty() => last,
        (None, Some(last)) => last + 1,
        (None, None) => CALLS,
    };
    if index >= CALLS + MOST_CALLS {
        return;
    }
    let function = &piece["function"];
    let arguments = match &function["arguments"] {
        Value::String(arguments) => arguments.clone(),
        Value::Null => String::new(),
        arguments => arguments.to_string(),
    };
    fold.call(
        index,
        id,
        function["name"].as_str().unwrap_or_default(),
        &arguments,
    );
}

/// Content is a string, or parts of which the text ones count.
fn content(content: &Value, fold: &mut Fold) {
    match content {
        Value::String(words) => fold.text(0, words),
        Value::Array(parts) => {
            for part in parts {
                if matches!(part["type"].as_str(), None | Some("text" | "output_text")) {
                    fold.text(0, part["text"].as_str().unwrap_or_default());
                }
            }
        }
        _ => {}
    }
}

/// What all of them call usage: OpenAI's names, those of Responses, and DeepSeek's of what it had kept. OpenRouter
/// says what it took, too: <https://openrouter.ai/docs/use-cases/usage-accounting>
pub(super) fn tokens(usage: &Value) -> Option<Tokens> {
    let count = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| usage.pointer(name).and_then(Value::as_u64))
    };
    let input = count(&["/prompt_tokens", "/input_tokens"]);
    let output = count(&["/completion_tokens", "/output_tokens"]);
    if input.is_none() && output.is_none() {
        return None;
    }
    // xAI, and Google under these names, count thinking in the whole alone, and bill it as output.
    let whole = input.zip(count(&["/total_tokens"]));
    let rest = whole.map_or(0, |(input, all)| all.saturating_sub(input));
    let input = input.unwrap_or(0);
    let cached = count(&[
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/cached_tokens",
    ]);
    Some(Tokens {
        input,
        cached: cached.unwrap_or(0).min(input),
        kept: count(&[
            "/prompt_tokens_details/cache_write_tokens",
            "/input_tokens_details/cache_write_tokens",
        ])
        .unwrap_or(0)
        .min(input),
        output: output.unwrap_or(0).max(rest),
        dollars: usage["cost"]
            .as_f64()
            .filter(|cost| cost.is_finite() && *cost >= 0.0),
    })
}

impl Form {
    /// Whether a tool is offered, and whether it must be called.
    pub(super) fn forced_tool(&self) -> Option<bool> {
        match self.means {
            ActionMethod::ForcedTool => Some(true),
            ActionMethod::OfferedTool => Some(false),
            ActionMethod::Text => None,
        }
    }
}

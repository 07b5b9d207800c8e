//! OpenAI's chat completions, and everybody who speaks them:
//! <https://platform.openai.com/docs/api-reference/chat>

use super::answer_builder::{AnswerBuilder, Tokens};
use super::question::Question;
use super::request_format::{ActionMethod, RequestFormat};
use crate::error::ModelError;
use serde_json::{Map, Value, json};

/// Calls of tools stand behind the text.
const CALLS: u64 = 1;
/// Only the first few calls: one action is wanted.
const MOST_CALLS: u64 = 16;

pub(super) fn body(format: &RequestFormat, question: &Question<'_>) -> Value {
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
    if let (Some(tool), Some(forced)) = (question.tool, format.forced_tool()) {
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
    body.insert("stream".to_owned(), format.stream.into());
    if format.stream && format.usage {
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    if let Some((name, cap)) = format.cap() {
        body.insert(name.to_owned(), cap.into());
    }
    if format.temperature {
        // The same screen deserves the same answer.
        body.insert("temperature".to_owned(), 0.into());
    }
    if let (Some(effort), true) = (question.effort, format.effort) {
        body.insert("reasoning_effort".to_owned(), effort.into());
    }
    Value::Object(body)
}

pub(super) fn chunk(json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    let choice = json["choices"].as_array().and_then(|choices| {
        choices
            .iter()
            .find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
    });
    builder.count(tokens(&json["usage"]));
    let Some(choice) = choice else {
        // A stream has chunks without a choice (the token count); a whole answer has not.
        let is_answer = json["choices"].is_array() || json["usage"].is_object();
        return if is_answer || !builder.is_whole {
            Ok(())
        } else {
            Err(builder.complain(json))
        };
    };
    if choice["delta"].is_object() {
        message(&choice["delta"], builder);
    } else if builder.is_empty() {
        // Whole answers, and servers that say it all again at the end.
        message(&choice["message"], builder);
    }
    builder.finish(choice["finish_reason"].as_str().unwrap_or_default());
    Ok(())
}

/// Adds what a delta or a message holds.
fn message(message: &Value, builder: &mut AnswerBuilder) {
    content(&message["content"], builder);
    builder.refuse(message["refusal"].as_str().unwrap_or_default());
    for piece in message["tool_calls"].as_array().into_iter().flatten() {
        call(piece, builder);
    }
    if message["function_call"].is_object() {
        call(
            &json!({"index": 0, "function": message["function_call"]}),
            builder,
        );
    }
    // Some say the same under two names.
    let thought = ["reasoning_content", "reasoning", "thinking"]
        .iter()
        .find_map(|name| message[name].as_str().filter(|thought| !thought.is_empty()));
    builder.thought(thought.unwrap_or_default());
}

/// Pieces of a call share an index; without one, an id begins a new call.
fn call(piece: &Value, builder: &mut AnswerBuilder) {
    let id = piece["id"].as_str().unwrap_or_default();
    let index = match (piece["index"].as_u64(), builder.last_call()) {
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
    builder.call(
        index,
        id,
        function["name"].as_str().unwrap_or_default(),
        &arguments,
    );
}

/// Content is a string, or parts of which the text ones count.
fn content(content: &Value, builder: &mut AnswerBuilder) {
    match content {
        Value::String(words) => builder.text(0, words),
        Value::Array(parts) => {
            for part in parts {
                if matches!(part["type"].as_str(), None | Some("text" | "output_text")) {
                    builder.text(0, part["text"].as_str().unwrap_or_default());
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

impl RequestFormat {
    /// Whether a tool is offered, and whether it must be called.
    pub(super) fn forced_tool(&self) -> Option<bool> {
        match self.means {
            ActionMethod::ForcedTool => Some(true),
            ActionMethod::OfferedTool => Some(false),
            ActionMethod::Text => None,
        }
    }
}

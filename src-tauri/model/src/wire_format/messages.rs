//! Anthropic's Messages: <https://docs.anthropic.com/en/api/messages> and `…/messages-streaming`

use super::answer_builder::{AnswerBuilder, Tokens};
use super::question::Question;
use super::request_format::RequestFormat;
use crate::error::ModelError;
use crate::sse::Sse;
use serde_json::{Map, Value, json};

/// The version of the interface, which has been the same since 2023.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn body(format: &RequestFormat, question: &Question<'_>) -> Value {
    // A block for each piece: of a request that begins with the same blocks as the one before, what was kept is found
    // by its last block, at most twenty blocks back.
    let text = |text: &str| json!({"type": "text", "text": text});
    let mut content: Vec<Value> = question.past.iter().map(|piece| text(piece)).collect();
    if let Some(last) = content.last_mut().filter(|_| format.usage) {
        last["cache_control"] = json!({"type": "ephemeral"});
    }
    // Pictures stand best before the words about them.
    if let Some(picture) = question.picture {
        content.push(json!({"type": "image", "source": {
            "type": "base64", "media_type": picture.media_type, "data": picture.base64,
        }}));
    }
    content.push(text(question.now));
    let mut body = Map::new();
    body.insert("model".to_owned(), question.model.into());
    // Required; it has no limit of its own.
    body.insert("max_tokens".to_owned(), format.cap_told().into());
    if let (Some(tool), Some(forced)) = (question.tool, format.forced_tool()) {
        body.insert(
            "tools".to_owned(),
            json!([{
                "name": tool.name, "description": tool.description, "input_schema": tool.parameters,
            }]),
        );
        let mut choice = if forced {
            json!({"type": "tool", "name": tool.name})
        } else {
            json!({"type": "auto"})
        };
        choice["disable_parallel_tool_use"] = true.into();
        body.insert("tool_choice".to_owned(), choice);
    }
    // Tools and system stay the same for a whole run: from the second step on they are read from what was kept.
    let mut system = json!({"type": "text", "text": question.system});
    if format.usage {
        system["cache_control"] = json!({"type": "ephemeral"});
    }
    body.insert("system".to_owned(), json!([system]));
    body.insert(
        "messages".to_owned(),
        json!([{"role": "user", "content": content}]),
    );
    body.insert("stream".to_owned(), format.stream.into());
    // No temperature: its newer models have none, and its client's types neither.
    Value::Object(body)
}

pub(super) fn event(sse: &Sse, json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    let kind = json["type"].as_str().unwrap_or(&sse.name);
    let index = json["index"].as_u64().unwrap_or(0);
    match kind {
        "message_start" => {
            builder.count(tokens(&json["message"]["usage"], Tokens::default()));
        }
        "content_block_start" => block(index, &json["content_block"], builder),
        "content_block_delta" => {
            let delta = &json["delta"];
            let text = |name: &str| delta[name].as_str().unwrap_or_default();
            match delta["type"].as_str() {
                Some("text_delta") => builder.text(index, text("text")),
                Some("input_json_delta") => builder.call(index, "", "", text("partial_json")),
                _ => builder.thinks(),
            }
        }
        "message_delta" => {
            let so_far = builder.counted();
            builder.count(tokens(&json["usage"], so_far));
            builder.finish(json["delta"]["stop_reason"].as_str().unwrap_or_default());
        }
        "message_stop" => builder.is_closed = true,
        "error" => return Err(builder.complain(json)),
        _ => {}
    }
    Ok(())
}

pub(super) fn whole(message: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    let Some(content) = message["content"].as_array() else {
        return Err(builder.complain(message));
    };
    for (index, part) in (0_u64..).zip(content) {
        block(index, part, builder);
    }
    builder.count(tokens(&message["usage"], Tokens::default()));
    builder.finish(message["stop_reason"].as_str().unwrap_or_default());
    Ok(())
}

/// A block as it begins, or whole.
fn block(index: u64, block: &Value, builder: &mut AnswerBuilder) {
    let text = |name: &str| block[name].as_str().unwrap_or_default();
    match block["type"].as_str() {
        Some("text") => builder.text(index, text("text")),
        Some("tool_use") => {
            // A stream begins it with an empty object and tells the real one in pieces.
            let input = match &block["input"] {
                Value::Object(input) if input.is_empty() && !builder.is_whole => String::new(),
                Value::Null => String::new(),
                input => input.to_string(),
            };
            builder.call(index, text("id"), text("name"), &input);
        }
        _ => {}
    }
}

/// Its count of what was read leaves out what was kept: <https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching>.
/// A field that is not told again stays as it was.
fn tokens(usage: &Value, so_far: Tokens) -> Option<Tokens> {
    let count = |name: &str| usage[name].as_u64();
    count("input_tokens").or(count("output_tokens"))?;
    let fresh_so_far = so_far.input.saturating_sub(so_far.cached + so_far.kept);
    let cached = count("cache_read_input_tokens").unwrap_or(so_far.cached);
    let kept = count("cache_creation_input_tokens").unwrap_or(so_far.kept);
    let fresh = count("input_tokens").unwrap_or(fresh_so_far);
    Some(Tokens {
        input: fresh.saturating_add(cached).saturating_add(kept),
        cached,
        kept,
        output: count("output_tokens").unwrap_or(so_far.output),
        dollars: None,
    })
}

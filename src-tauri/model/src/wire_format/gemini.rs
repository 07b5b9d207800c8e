//! Google's Gemini: <https://ai.google.dev/api/generate-content>

use super::answer_builder::{AnswerBuilder, Tokens};
use super::question::Question;
use super::request_format::RequestFormat;
use crate::error::ModelError;
use serde_json::{Map, Value, json};

/// Calls of tools stand behind the text.
const CALLS: u64 = 1;

/// `models/` in front is fine: its own list names them so.
pub(super) fn path(model: &str, stream: bool) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    if stream {
        format!("/models/{model}:streamGenerateContent?alt=sse")
    } else {
        format!("/models/{model}:generateContent")
    }
}

pub(super) fn body(format: &RequestFormat, question: &Question<'_>) -> Value {
    let mut parts: Vec<Value> = question
        .past()
        .map(|past| json!({"text": past}))
        .into_iter()
        .collect();
    if let Some(picture) = question.picture {
        parts.push(json!({"inlineData": {"mimeType": picture.media_type, "data": picture.base64}}));
    }
    parts.push(json!({"text": question.now}));
    let mut body = Map::new();
    body.insert(
        "systemInstruction".to_owned(),
        json!({"parts": [{"text": question.system}]}),
    );
    body.insert("contents".to_owned(), json!([{"role": "user", "parts": parts}]));
    if let (Some(tool), Some(forced)) = (question.tool, format.forced_tool()) {
        body.insert(
            "tools".to_owned(),
            json!([{"functionDeclarations": [{
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }]}]),
        );
        let config = if forced {
            json!({"mode": "ANY", "allowedFunctionNames": [tool.name]})
        } else {
            json!({"mode": "AUTO"})
        };
        body.insert("toolConfig".to_owned(), json!({"functionCallingConfig": config}));
    }
    let mut generation = Map::new();
    if let Some((_, cap)) = format.cap() {
        generation.insert("maxOutputTokens".to_owned(), cap.into());
    }
    if format.temperature {
        generation.insert("temperature".to_owned(), 0.into());
    }
    if let (Some(detail), true) = (question.picture.and_then(|picture| picture.detail), format.detail) {
        generation.insert("mediaResolution".to_owned(), detail.into());
    }
    body.insert("generationConfig".to_owned(), Value::Object(generation));
    Value::Object(body)
}

pub(super) fn chunk(json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    builder.count(tokens(&json["usageMetadata"]));
    if let Some(reason) = json["promptFeedback"]["blockReason"].as_str() {
        builder.refuse(reason);
        // Whatever its name for it, it is a filter's.
        builder.finish("safety");
        return Ok(());
    }
    let candidate = json["candidates"].as_array().and_then(|candidates| {
        candidates
            .iter()
            .find(|candidate| candidate["index"].as_u64().unwrap_or(0) == 0)
    });
    let Some(candidate) = candidate else {
        return Ok(());
    };
    for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
        if part["thought"].as_bool() == Some(true) {
            builder.thinks();
            continue;
        }
        builder.text(0, part["text"].as_str().unwrap_or_default());
        let call = &part["functionCall"];
        if call.is_object() {
            // Each comes whole.
            let index = builder.last_call().map_or(CALLS, |last| last + 1);
            let text = |name: &str| call[name].as_str().unwrap_or_default();
            let arguments = match &call["args"] {
                Value::Null => "{}".to_owned(),
                arguments => arguments.to_string(),
            };
            builder.call(index, text("id"), text("name"), &arguments);
        }
    }
    builder.finish(candidate["finishReason"].as_str().unwrap_or_default());
    if let Some(words) = candidate["finishMessage"].as_str() {
        builder.refuse(words);
    }
    Ok(())
}

/// One document, or the stream as a list of them.
pub(super) fn whole(json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    let is_answer = |json: &Value| {
        json["candidates"].is_array()
            || json["promptFeedback"].is_object()
            || json["usageMetadata"].is_object()
    };
    match json {
        Value::Array(chunks) if chunks.iter().all(is_answer) => {
            chunks.iter().try_for_each(|part| chunk(part, builder))
        }
        json if is_answer(json) => chunk(json, builder),
        json => Err(builder.complain(json)),
    }
}

fn tokens(usage: &Value) -> Option<Tokens> {
    let count = |name: &str| usage[name].as_u64().unwrap_or(0);
    usage["promptTokenCount"].as_u64()?;
    let input = count("promptTokenCount").saturating_add(count("toolUsePromptTokenCount"));
    Some(Tokens {
        input,
        cached: count("cachedContentTokenCount").min(input),
        kept: 0,
        // Thoughts are paid for as what is written.
        output: count("candidatesTokenCount").saturating_add(count("thoughtsTokenCount")),
        dollars: None,
    })
}

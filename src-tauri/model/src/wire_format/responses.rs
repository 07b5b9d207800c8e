//! OpenAI's Responses: <https://platform.openai.com/docs/api-reference/responses>

use super::answer_builder::AnswerBuilder;
use super::chat::tokens;
use super::question::Question;
use super::request_format::RequestFormat;
use crate::error::ModelError;
use crate::sse::Sse;
use serde_json::{Map, Value, json};

/// Parts of one item of the output, in the one index of a builder.
const PARTS: u64 = 1_000;

pub(super) fn body(format: &RequestFormat, question: &Question<'_>) -> Value {
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let mut content: Vec<Value> = question.past().map(|past| text(&past)).into_iter().collect();
    if let Some(picture) = question.picture {
        content.push(json!({"type": "input_image", "image_url": picture.url(), "detail": "auto"}));
    }
    content.push(text(question.now));
    let mut body = Map::new();
    body.insert("model".to_owned(), question.model.into());
    body.insert("instructions".to_owned(), question.system.into());
    body.insert("input".to_owned(), json!([{"role": "user", "content": content}]));
    if let (Some(tool), Some(forced)) = (question.tool, format.forced_tool()) {
        body.insert(
            "tools".to_owned(),
            json!([{
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.parameters, "strict": false,
            }]),
        );
        let choice = if forced {
            json!({"type": "function", "name": tool.name})
        } else {
            json!("auto")
        };
        body.insert("tool_choice".to_owned(), choice);
    }
    body.insert("stream".to_owned(), format.stream.into());
    // What a phone shows is kept nowhere it need not be.
    body.insert("store".to_owned(), false.into());
    if let Some((_, cap)) = format.cap() {
        body.insert("max_output_tokens".to_owned(), cap.into());
    }
    if format.temperature {
        body.insert("temperature".to_owned(), 0.into());
    }
    if let (Some(effort), true) = (question.effort, format.effort) {
        body.insert("reasoning".to_owned(), json!({ "effort": effort }));
    }
    Value::Object(body)
}

pub(super) fn event(sse: &Sse, json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    let kind = json["type"].as_str().unwrap_or(&sse.name);
    let number = |name: &str| json[name].as_u64().unwrap_or(0);
    let item = number("output_index").saturating_mul(PARTS);
    let part = item.saturating_add(number("content_index"));
    let delta = json["delta"].as_str().unwrap_or_default();
    builder.flag(&json["item"]["pending_safety_checks"]);
    match kind {
        "response.output_text.delta" => builder.text(part, delta),
        "response.refusal.delta" => builder.refuse(delta),
        "response.output_item.added" if json["item"]["type"] == "function_call" => {
            let text = |name: &str| json["item"][name].as_str().unwrap_or_default();
            builder.call(item, text("call_id"), text("name"), "");
        }
        "response.function_call_arguments.delta" => builder.call(item, "", "", delta),
        "response.function_call_arguments.done" => {
            builder.arguments(item, json["arguments"].as_str().unwrap_or_default());
        }
        "response.completed" | "response.incomplete" | "response.failed" => {
            return whole(&json["response"], builder);
        }
        "error" => return Err(builder.complain(json)),
        _ if kind.contains("reasoning") => builder.thinks(),
        _ => {}
    }
    Ok(())
}

pub(super) fn whole(response: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    builder.count(tokens(&response["usage"]));
    let status = response["status"].as_str().unwrap_or_default();
    if status == "failed" && !response["error"].is_null() {
        return Err(builder.complain(response));
    }
    let Some(output) = response["output"].as_array() else {
        return Err(builder.complain(response));
    };
    output
        .iter()
        .for_each(|item| builder.flag(&item["pending_safety_checks"]));
    if builder.is_empty() {
        for (index, item) in (0_u64..).zip(output) {
            read(index * PARTS, item, builder);
        }
    }
    match status {
        "incomplete" => builder.finish(
            response["incomplete_details"]["reason"]
                .as_str()
                .unwrap_or("max_output_tokens"),
        ),
        status => builder.finish(status),
    }
    builder.is_closed = true;
    Ok(())
}

fn read(index: u64, item: &Value, builder: &mut AnswerBuilder) {
    let text = |name: &str| item[name].as_str().unwrap_or_default();
    match item["type"].as_str() {
        Some("message") => {
            for (part, content) in (0_u64..).zip(item["content"].as_array().into_iter().flatten()) {
                builder.text(index + part, content["text"].as_str().unwrap_or_default());
                builder.refuse(content["refusal"].as_str().unwrap_or_default());
            }
        }
        Some("function_call") => builder.call(index, text("call_id"), text("name"), text("arguments")),
        _ => {}
    }
}

//! OpenAI's older completions, which some servers of one's own speak alone:
//! <https://platform.openai.com/docs/api-reference/completions>
//!
//! One text that goes on: no turns, no pictures, no tools. The answer is a JSON object where an action is asked for.

use super::answer_builder::AnswerBuilder;
use super::chat::tokens;
use super::question::{AnswerFormat, Question};
use super::request_format::RequestFormat;
use crate::error::ModelError;
use serde_json::{Map, Value};

/// What the last line says where an action is wanted.
const JSON_ONLY: &str = "Return JSON only.";

pub(super) fn body(format: &RequestFormat, question: &Question<'_>) -> Value {
    let mut prompt = String::new();
    if !question.system.is_empty() {
        prompt.push_str(question.system);
        prompt.push_str("\n\n");
    }
    prompt.push_str(&question.past.concat());
    prompt.push_str(question.now);
    if question.answer != AnswerFormat::Words {
        prompt.push_str("\n\n");
        prompt.push_str(JSON_ONLY);
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), question.model.into());
    body.insert("prompt".to_owned(), prompt.into());
    body.insert("stream".to_owned(), format.stream.into());
    if format.stream && format.usage {
        body.insert(
            "stream_options".to_owned(),
            serde_json::json!({"include_usage": true}),
        );
    }
    if let Some((name, cap)) = format.cap() {
        body.insert(name.to_owned(), cap.into());
    }
    if format.temperature {
        body.insert("temperature".to_owned(), 0.into());
    }
    Value::Object(body)
}

/// A piece, or the whole answer: both have their words in `text`.
pub(super) fn chunk(json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    builder.count(tokens(&json["usage"]));
    let choice = json["choices"].as_array().and_then(|choices| {
        choices
            .iter()
            .find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
    });
    let Some(choice) = choice else {
        let is_answer = json["choices"].is_array() || json["usage"].is_object();
        return if is_answer || !builder.is_whole {
            Ok(())
        } else {
            Err(builder.complain(json))
        };
    };
    builder.text(0, choice["text"].as_str().unwrap_or_default());
    builder.finish(choice["finish_reason"].as_str().unwrap_or_default());
    Ok(())
}

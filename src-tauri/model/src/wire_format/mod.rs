//! The wire shapes: what a request and its answer look like, one module a shape.
//!
//! Each writes its request (`body`) and folds the events of its stream (`event`) and its whole answer (`whole`) into
//! the same `AnswerBuilder`; `answer_stream` chooses by shape. [`RequestFormat`] says which of the optional fields a server takes, and learns from
//! refusals.

mod answer_builder;
mod answer_stream;
mod chat;
mod completions;
mod gemini;
mod messages;
mod question;
mod request_format;
mod responses;

pub(crate) use answer_builder::Tokens;
pub(crate) use answer_stream::AnswerStream;
pub(crate) use question::{AnswerFormat, Question, Tool};
pub(crate) use request_format::{ActionMethod, RequestFormat};

use crate::error::ModelError;
use protocol::WireShape;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::zeroize::Zeroizing;
use serde_json::Value;

/// What follows a server's address.
pub(crate) fn path(format: &RequestFormat, model: &str) -> String {
    match format.shape {
        WireShape::Chat => "/chat/completions".to_owned(),
        WireShape::Responses => "/responses".to_owned(),
        WireShape::Messages => "/messages".to_owned(),
        WireShape::GenerateContent => gemini::path(model, format.stream),
        WireShape::Completions => "/completions".to_owned(),
    }
}

/// The body of the request.
pub(crate) fn body(format: &RequestFormat, question: &Question<'_>) -> Value {
    match format.shape {
        WireShape::Chat => chat::body(format, question),
        WireShape::Responses => responses::body(format, question),
        WireShape::Messages => messages::body(format, question),
        WireShape::GenerateContent => gemini::body(format, question),
        WireShape::Completions => completions::body(format, question),
    }
}

/// The key's header, and what else the shape wants said. The key is in these only, marked so that no log shows it.
///
/// # Errors
/// [`ModelError::KeyCharacters`] when the key cannot stand in a header.
pub(crate) fn headers(shape: WireShape, host: &str, key: Option<&str>) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    if shape == WireShape::Messages {
        headers.insert(
            HeaderName::from_static("anthropic-version"),
            HeaderValue::from_static(messages::VERSION),
        );
    }
    let Some(key) = key.map(str::trim) else {
        return Ok(headers);
    };
    let name = match shape {
        WireShape::Messages => Some("x-api-key"),
        WireShape::GenerateContent => Some("x-goog-api-key"),
        // Azure's keys go by another header; it takes a bearer for something else.
        _ if host.ends_with(".azure.com") => Some("api-key"),
        _ => None,
    };
    let (name, value) = match name {
        Some(name) => (HeaderName::from_static(name), Zeroizing::new(key.to_owned())),
        None => (AUTHORIZATION, Zeroizing::new(format!("Bearer {key}"))),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| ModelError::KeyCharacters)?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

#[cfg(test)]
mod chat_tests;
#[cfg(test)]
mod streams_tests;

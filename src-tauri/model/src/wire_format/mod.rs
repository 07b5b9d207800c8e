//! The wire shapes: what a request and its answer look like, one module a shape.
//!
//! Each writes its request (`body`) and folds the events of its stream (`event`) and its whole answer (`whole`) into
//! the same `Fold`; `answer_stream` chooses by shape. [`Form`] says which of the optional fields a server takes, and learns from
//! refusals.

mod answer_stream;
mod chat;
mod completions;
mod fold;
mod form;
mod gemini;
mod messages;
mod question;
mod responses;

pub(crate) use answer_stream::AnswerStream;
pub(crate) use fold::Tokens;
pub(crate) use form::{ActionMethod, Form};
pub(crate) use question::{AnswerFormat, Question, Tool};

use crate::error::ModelError;
use protocol::WireShape;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::zeroize::Zeroizing;
use serde_json::Value;

/// What follows a server's address.
pub(crate) fn path(form: &Form, model: &str) -> String {
    match form.shape {
        WireShape::Chat => "/chat/completions".to_owned(),
        WireShape::Responses => "/responses".to_owned(),
        WireShape::Messages => "/messages".to_owned(),
        WireShape::GenerateContent => gemini::path(model, form.stream),
        WireShape::Completions => "/completions".to_owned(),
    }
}

/// The body of the request.
pub(crate) fn body(form: &Form, question: &Question<'_>) -> Value {
    match form.shape {
        WireShape::Chat => chat::body(form, question),
        WireShape::Responses => responses::body(form, question),
        WireShape::Messages => messages::body(form, question),
        WireShape::GenerateContent => gemini::body(form, question),
        WireShape::Completions => completions::body(form, question),
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

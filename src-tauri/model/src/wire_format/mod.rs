//! The wire shapes: what a request and its answer look like, one module a shape.
//!
//! Each writes its request (`body`) and folds the events of its stream (`event`) and its whole answer (`whole`) into
//! the same [`Fold`]. [`Form`] says which of the optional fields a server takes, and learns from refusals.

mod chat;
mod completions;
mod fold;
mod form;
mod gemini;
mod messages;
mod responses;

pub(crate) use fold::{Fold, Growing, Tokens};
pub(crate) use form::{Form, Means};

use crate::picture::Picture;
use crate::sse::Sse;
use crate::trouble::Trouble;
use protocol::WireShape;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::zeroize::Zeroizing;
use serde_json::Value;

/// Tokens one answer may have: a long thought and one action, with room for models that think aloud first.
const CAP: u32 = 8192;
/// The same for servers that refuse [`CAP`] and must be told one.
const SMALL_CAP: u32 = 4096;

/// What is asked, the same for every try.
pub(crate) struct Question<'a> {
    pub(crate) model: &'a str,
    pub(crate) system: &'a str,
    /// What was before, a piece each: the next step's question begins with the same.
    pub(crate) past: &'a [String],
    /// What is asked now.
    pub(crate) now: &'a str,
    pub(crate) picture: Option<&'a Picture>,
    /// How an action is to be answered with.
    pub(crate) answer: In,
    /// The tool, described as the shape wants it; `remote` puts it in where it is to be called.
    pub(crate) tool: Option<&'a Tool>,
    /// How hard a model that thinks first should think, where it takes that.
    pub(crate) effort: Option<&'a str>,
}

impl Question<'_> {
    /// What was before, in one piece; absent where there is nothing.
    fn past(&self) -> Option<String> {
        Some(self.past.concat()).filter(|past| !past.is_empty())
    }
}

/// How an action is to be answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum In {
    /// By a call of the tool, where the server has that; else as a JSON object.
    Call,
    /// As a JSON object.
    Json,
    /// As the question says itself.
    Words,
}

/// The one tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) description: String,
    /// JSON Schema of its arguments.
    pub(crate) parameters: Value,
}

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
/// [`Trouble::KeyCharacters`] when the key cannot stand in a header.
pub(crate) fn headers(shape: WireShape, host: &str, key: Option<&str>) -> Result<HeaderMap, Trouble> {
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
    let mut value = HeaderValue::from_str(&value).map_err(|_| Trouble::KeyCharacters)?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

/// One event of a stream.
fn event(shape: WireShape, event: &Sse, json: &Value, fold: &mut Fold) -> Result<(), Trouble> {
    match shape {
        WireShape::Chat => chat::chunk(json, fold),
        WireShape::Responses => responses::event(event, json, fold),
        WireShape::Messages => messages::event(event, json, fold),
        WireShape::GenerateContent => gemini::chunk(json, fold),
        WireShape::Completions => completions::chunk(json, fold),
    }
}

/// An answer in one piece.
fn whole(shape: WireShape, json: &Value, fold: &mut Fold) -> Result<(), Trouble> {
    match shape {
        WireShape::Chat => chat::chunk(json, fold),
        WireShape::Responses => responses::whole(json, fold),
        WireShape::Messages => messages::whole(json, fold),
        WireShape::GenerateContent => gemini::whole(json, fold),
        WireShape::Completions => completions::chunk(json, fold),
    }
}

#[cfg(test)]
mod chat_tests;
#[cfg(test)]
mod streams_tests;

//! What a server says is wrong, as a [`ModelError`].
//!
//! Everybody who speaks OpenAI's format writes its errors in another one. The codes count first, then the status, then the
//! words: those of OpenAI, Azure, OpenRouter, Google, Mistral, Groq, DeepSeek, Zhipu, DashScope, Ollama, LM Studio, vLLM
//! and llama.cpp, as their documentation and users show them (each has a line in the test below).

use crate::error::{ModelError, ServerMessage, said};
use crate::wait;
use jiff::Timestamp;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// Characters kept of what was said.
const KEPT: usize = 2_000;

/// Reads the answer to a request that was refused. `has_picture` says whether one was sent.
pub(crate) fn read(
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    has_picture: bool,
    now: Timestamp,
) -> ModelError {
    let text = String::from_utf8_lossy(body);
    let said = match serde_json::from_str::<Value>(&text) {
        Ok(json) => ErrorBody::of(&json),
        Err(_) => ErrorBody {
            message: plain(&text),
            ..ErrorBody::default()
        },
    };
    let asked = wait::asked(headers, status, now).or(said.retry_after);
    judge(Some(status), said, asked, has_picture)
}

/// Reads an error in the middle of an answer, or in place of one. A status it names counts as one.
pub(crate) fn read_inside(json: &Value, has_picture: bool) -> ModelError {
    let said = ErrorBody::of(json);
    let status = said.codes.iter().find_map(|code| code.parse().ok());
    let asked = said.retry_after;
    judge(
        status.filter(|code| (400..600).contains(code)),
        said,
        asked,
        has_picture,
    )
}

/// What was said, whatever its shape.
#[derive(Debug, Default)]
struct ErrorBody {
    /// `code`, `type` and `status`, in small letters.
    codes: Vec<String>,
    message: String,
    /// The field that is complained of, where it is named apart.
    param: Option<String>,
    retry_after: Option<Duration>,
}

impl ErrorBody {
    fn of(json: &Value) -> Self {
        let mut said = Self::default();
        said.gather(json, 8);
        said
    }

    /// Collects from `{error: {…}}`, `{error: "…"}`, `{message, code}`, `{detail: [{loc, msg}]}` and `[{error}]`,
    /// and from what a router passes on of the maker's own words.
    fn gather(&mut self, json: &Value, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match json {
            Value::String(text) => match serde_json::from_str::<Value>(text) {
                Ok(inner) if inner.is_object() || inner.is_array() => self.gather(&inner, depth),
                _ => self.say(text),
            },
            Value::Array(items) => items.iter().take(5).for_each(|item| self.gather(item, depth)),
            Value::Object(fields) => {
                for name in ["code", "type", "status"] {
                    match fields.get(name) {
                        Some(Value::String(code)) => self.codes.push(code.to_lowercase()),
                        Some(Value::Number(code)) => self.codes.push(code.to_string()),
                        _ => {}
                    }
                }
                if let Some(param) = fields.get("param").and_then(Value::as_str) {
                    self.param = Some(param.to_owned());
                }
                if let Some(delay) = fields.get("retryDelay").and_then(Value::as_str) {
                    self.retry_after = wait::span(delay);
                }
                // Of a refused field only its name and what is wrong with it: some echo all that was sent.
                if let (Some(place), Some(message)) =
                    (fields.get("loc"), fields.get("msg").and_then(Value::as_str))
                {
                    self.say(&format!("{place}: {message}"));
                    return;
                }
                for name in [
                    "error",
                    "errors",
                    "message",
                    "detail",
                    "details",
                    "metadata",
                    "raw",
                    "innererror",
                ] {
                    if let Some(inner) = fields.get(name) {
                        self.gather(inner, depth);
                    }
                }
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        if !self.message.is_empty() {
            self.message.push_str(" · ");
        }
        self.message.extend(text.chars().take(KEPT));
    }
}

/// The words of a page.
fn plain(text: &str) -> String {
    let mut inside = false;
    let text: String = text
        .chars()
        .take(KEPT * 4)
        .map(|c| match c {
            '<' => {
                inside = true;
                ' '
            }
            '>' if inside => {
                inside = false;
                ' '
            }
            _ if inside => ' ',
            c => c,
        })
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(KEPT).collect()
}

fn judge(status: Option<u16>, said: ErrorBody, after: Option<Duration>, has_picture: bool) -> ModelError {
    let code = |names: &[&str]| said.codes.iter().any(|code| names.contains(&code.as_str()));
    let message = said.message.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
    let mut text: String = said.message.chars().take(KEPT).collect();
    if let Some(param) = said
        .param
        .filter(|param| param.len() < 100 && !text.contains(param.as_str()))
    {
        text = format!("{text} ({param})");
    }
    let said = ServerMessage { status, text };
    let status = status.unwrap_or(0);

    if code(FILTERED) || says(FILTERED_WORDS) {
        return ModelError::Filtered(said);
    }
    // A 402 with a time to wait is a budget that fills again, not an empty purse.
    if code(QUOTA) || says(QUOTA_WORDS) || (status == 402 && after.is_none()) {
        return ModelError::Quota(said);
    }
    if status == 401 || code(KEY) || says(KEY_WORDS) {
        return ModelError::KeyRefused(said);
    }
    if matches!(status, 402 | 429) || code(BUSY) {
        return ModelError::Busy { said, after };
    }
    if status == 413 || code(CONTEXT) || says(CONTEXT_WORDS) {
        return ModelError::Context(said);
    }
    let is_about_picture = says(PICTURE_WORDS) || (status < 500 && says(PICTURE_HINTS));
    if has_picture && status != 403 && is_about_picture {
        return ModelError::Picture(said);
    }
    let is_about_model = message.contains("model") || message.contains("deployment");
    if code(MISSING) || says(MISSING_WORDS) || (status == 404 && is_about_model && !says(PATH_WORDS)) {
        return ModelError::ModelMissing(said);
    }
    match status {
        _ if says(PATH_WORDS) => ModelError::WrongPath(said),
        403 => ModelError::KeyForbidden(said),
        404 | 405 | 410 => ModelError::WrongPath(said),
        // The network itself: it wants a sign-in first (RFC 6585 §6).
        511 => ModelError::Page(said),
        408 | 409 | 425 => ModelError::Server { said, after },
        400..=499 => ModelError::Refused(said),
        _ => ModelError::Server { said, after },
    }
}

/// A page where an answer should be: of a network that wants a sign-in first, of whatever else stands at this address.
pub(crate) fn page(text: &str) -> ModelError {
    ModelError::Page(said(plain(text)))
}

const FILTERED: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "data_inspection_failed",
    "datainspectionfailed",
    "moderation_blocked",
];
const FILTERED_WORDS: &[&str] = &[
    "content management policy",
    "requires moderation and your input was flagged",
    "flagged by moderation",
    "data may contain inappropriate content",
    "unsafe or sensitive content",
    "不安全或敏感内容",
];
const QUOTA: &[&str] = &[
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credits",
    "billing_hard_limit_reached",
    "billing_not_active",
    "exceeded_current_quota_error",
    "credit_balance_exhausted",
    "arrearage",
];
const QUOTA_WORDS: &[&str] = &[
    "insufficient balance",
    "insufficient credit",
    "insufficient funds",
    "not enough credits",
    "requires more credits",
    "credit balance is too low",
    "out of credits",
    "key limit exceeded",
    "overdue-payment",
    "欠费",
];
const KEY: &[&str] = &[
    "invalid_api_key",
    "authentication_error",
    "unauthenticated",
    // LiteLLM's proxy, of a key that is not its own where it keeps no others.
    "no_db_connection",
];
const KEY_WORDS: &[&str] = &[
    "api key not valid",
    "incorrect api key",
    "invalid api key",
    "invalid subscription key",
];
const BUSY: &[&str] = &[
    "rate_limit_exceeded",
    "rate_limit_error",
    "rate_limited",
    "too_many_requests",
];
const CONTEXT: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size_error",
    "string_above_max_length",
    "request_too_large",
    "max_tokens_exceeded",
    "token_limit_exceeded",
];
const CONTEXT_WORDS: &[&str] = &[
    "maximum context length",
    "context length exceeded",
    "exceeds the context window",
    "exceeds the available context size",
    "exceed context window",
    "context length of only",
    "longer than the model's context length",
    "prompt is too long",
    "input is too long",
    "prompt too long",
    "too many tokens",
    "input token count",
];
const PICTURE_WORDS: &[&str] = &[
    "image input",
    "image_url",
    "not support image",
    "multimodal",
    "multi-modal",
    "mmproj",
];
/// Too weak for a server in trouble, which may speak of images of another kind.
const PICTURE_HINTS: &[&str] = &[
    "image",
    " vision",
    "content must be a string",
    "input should be a valid string",
];
const MISSING: &[&str] = &[
    "model_not_found",
    "model_not_exist",
    "invalid_model",
    "deploymentnotfound",
    "modelnotfound",
];
const MISSING_WORDS: &[&str] = &[
    "is not a valid model",
    "invalid model",
    "model not exist",
    "model not found",
    "model does not exist",
    "unknown model",
    "模型不存在",
    "no endpoints found for",
    "try pulling it first",
    "no models loaded",
];
const PATH_WORDS: &[&str] = &["unexpected endpoint", "invalid url", "unknown request url"];

#[cfg(test)]
#[path = "error_parse_tests.rs"]
mod tests;

//! Which models a maker has: its own list, read and completed by what is known.

use crate::address::Address;
use crate::best::mark_best;
use crate::error::{ModelError, Phase};
use crate::error_parse;
use crate::http::Http;
use crate::keys::Keys;
use crate::preset::{maker_at, preset};
use crate::price::{self, short_task, sound};
use crate::profile::Profile;
use crate::remote::address;
use crate::report::Report;
use crate::timeouts::Timeouts;
use crate::transport::{Request, Response, Transport};
use crate::wire_format::headers;
use bytes::Bytes;
use futures::StreamExt;
use jiff::Timestamp;
use protocol::{Acting, ChosenModel, Failure, FailureCode, Maker, OfferedModel, Price, WireShape};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of a list: OpenRouter's, the longest, has one.
const LIST: usize = 16 << 20;
/// Models of a list that are shown.
const MOST: usize = 2_000;
/// For the whole list.
const LIMIT: Duration = Duration::from_secs(20);

/// Names of what does not operate phones: pictures, voices, numbers for words.
const OTHERS: &[&str] = &[
    "embed",
    "whisper",
    "tts",
    "dall-e",
    "gpt-image",
    "chatgpt-image",
    "moderation",
    "davinci",
    "babbage",
    "sora",
    "realtime",
    "transcribe",
    "-audio",
    "imagen",
    "veo-",
    "aqa",
    "-ocr",
    "speech",
    "rerank",
    "-image",
    "lyria",
    "-live-",
    "native-audio",
    "voxtral",
    "guard",
    "music",
];

/// The models a maker offers for this key, newest first where it tells their age. Of `chosen` only maker, address and
/// the word about plain http count.
///
/// # Errors
/// As a request to the model: `model_key`, `model_offline`, `model_address` (with reason `path`, where a server keeps no
/// list: then the name has to be typed), …
pub async fn offered(chosen: &ChosenModel, keys: Arc<dyn Keys>) -> Result<Vec<OfferedModel>, Failure> {
    let failure = |host: &str, key: Option<&SecretString>, trouble: &ModelError| {
        Report { host, model: "", key }.failure(trouble)
    };
    let address = address(chosen).map_err(|bad| failure("", None, &ModelError::Address(bad)))?;
    let host = address.host().to_owned();
    let http = Http::new(&address, Timeouts::REMOTE.connect).map_err(|e| failure(&host, None, &e))?;
    let key = match keys.key().await {
        Err(failure) if address.is_loopback && failure.code == FailureCode::KeychainMissing => None,
        key => key?,
    };
    let maker = match (chosen.maker, &chosen.base_url) {
        (Maker::Custom, Some(base_url)) => maker_at(base_url),
        (maker, _) => maker,
    };
    let shape = chosen.shape.unwrap_or(match chosen.maker {
        Maker::Custom => WireShape::Chat,
        maker => preset(maker).shape,
    });
    let list = list(&http, &address, shape, key.as_ref()).await;
    match list {
        Ok(json) => Ok(read(maker, address.is_loopback, &json)),
        Err(ModelError::KeyRefused(_)) if key.is_none() => Err(failure(&host, None, &ModelError::KeyMissing)),
        Err(trouble) => Err(failure(&host, key.as_ref(), &trouble)),
    }
}

async fn list(
    http: &dyn Transport,
    address: &Address,
    shape: WireShape,
    key: Option<&SecretString>,
) -> Result<Value, ModelError> {
    let key = key
        .map(|key| key.expose_secret().trim())
        .filter(|key| !key.is_empty());
    let path = match shape {
        WireShape::Messages => "/models?limit=1000",
        WireShape::GenerateContent => "/models?pageSize=1000",
        WireShape::Chat | WireShape::Responses | WireShape::Completions => "/models",
    };
    let request = Request {
        url: address.at(path),
        headers: headers(shape, address.host(), key)?,
        body: None,
    };
    fetch(http, request, LIMIT).await
}

/// One JSON document, within `limit`.
///
/// # Errors
/// When there is none.
pub(crate) async fn fetch(
    http: &dyn Transport,
    mut request: Request,
    limit: Duration,
) -> Result<Value, ModelError> {
    if request.body.is_some() {
        request
            .headers
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let whole = async {
        let response = http.send(request).await?;
        let (status, headers) = (response.status, response.headers.clone());
        let body = body(response).await?;
        if (300..400).contains(&status) {
            let to = String::new();
            return Err(ModelError::Redirect { status, to });
        }
        if !(200..300).contains(&status) {
            return Err(error_parse::read(
                status,
                &headers,
                &body,
                false,
                Timestamp::now(),
            ));
        }
        serde_json::from_slice(&body).map_err(|_| error_parse::page(&String::from_utf8_lossy(&body)))
    };
    timeout(limit, whole)
        .await
        .map_err(|_| ModelError::Slow(Phase::Whole))?
}

async fn body(mut response: Response) -> Result<Bytes, ModelError> {
    let mut held = Vec::new();
    while let Some(piece) = response.body.next().await {
        held.extend_from_slice(&piece?);
        if held.len() > LIST {
            return Err(ModelError::Length);
        }
    }
    Ok(held.into())
}

/// A list in any of the shapes makers write it in.
pub(crate) fn read(maker: Maker, is_here: bool, json: &Value) -> Vec<OfferedModel> {
    let entries = ["data", "models"]
        .iter()
        .find_map(|name| json[name].as_array())
        .or_else(|| json.as_array());
    let mut seen = HashSet::new();
    let mut models: Vec<(i64, OfferedModel)> = entries
        .into_iter()
        .flatten()
        .take(MOST)
        .filter_map(|entry| Some((age(entry), one(maker, is_here, entry)?)))
        .filter(|(_, model)| seen.insert(model.id.clone()))
        .collect();
    // Stable: those without an age stay as they came.
    models.sort_by_key(|(age, _)| std::cmp::Reverse(*age));
    let mut models: Vec<_> = models.into_iter().map(|(_, model)| model).collect();
    mark_best(&mut models);
    models
}

fn age(entry: &Value) -> i64 {
    let date = entry["created_at"]
        .as_str()
        .and_then(|date| date.parse::<Timestamp>().ok());
    entry["created"]
        .as_i64()
        .or(date.map(Timestamp::as_second))
        .unwrap_or(0)
}

fn one(maker: Maker, is_here: bool, entry: &Value) -> Option<OfferedModel> {
    let text = |names: &[&str]| names.iter().find_map(|name| entry[name].as_str());
    let id = match entry.as_str() {
        Some(id) => id,
        None => text(&["id", "name", "model"])?,
    };
    let id = id.strip_prefix("models/").unwrap_or(id);
    let lower = id.to_lowercase();
    if id.is_empty() || OTHERS.iter().any(|other| lower.contains(other)) || !acts(entry) {
        return None;
    }
    let known = price::known(maker, id);
    let profile = Profile::of(maker, id);
    let picture = picture(entry)
        .or(known.map(|known| known.picture))
        .or((profile.acting == Acting::Trained).then_some(true));
    let price = if is_here && preset(maker).is_here {
        Some(price::free())
    } else {
        told_price(&entry["pricing"]).or_else(|| known.map(|known| known.price.clone()))
    };
    Some(OfferedModel {
        id: id.to_owned(),
        name: text(&["display_name", "displayName"])
            .or_else(|| entry["id"].as_str().and(entry["name"].as_str()))
            .map(str::to_owned),
        context: [
            "context_length",
            "max_context_length",
            "context_window",
            "inputTokenLimit",
            "max_model_len",
        ]
        .iter()
        .find_map(|name| entry[name].as_u64())
        .or(known.and_then(|known| known.context)),
        picture,
        tool: tool(entry).or(known.map(|known| known.tool)),
        short_task: price.as_ref().map(short_task),
        price,
        best: false,
    })
}

/// It writes text: what a list says of what a model is for.
fn acts(entry: &Value) -> bool {
    let lists = |value: &Value, word: &str| {
        value
            .as_array()
            .is_none_or(|items| items.iter().any(|item| item.as_str() == Some(word)))
    };
    lists(&entry["supportedGenerationMethods"], "generateContent")
        && lists(&entry["architecture"]["output_modalities"], "text")
        && entry["capabilities"]["completion_chat"].as_bool() != Some(false)
        && !matches!(entry["type"].as_str(), Some("embeddings" | "embedding"))
}

fn picture(entry: &Value) -> Option<bool> {
    let has = |value: &Value, word: &str| {
        let items = value.as_array()?;
        Some(items.iter().any(|item| item.as_str() == Some(word)))
    };
    entry["supports_image_in"]
        .as_bool()
        .or(entry["capabilities"]["vision"].as_bool())
        .or_else(|| has(&entry["architecture"]["input_modalities"], "image"))
        .or_else(|| has(&entry["input_modalities"], "image"))
        .or(match entry["type"].as_str() {
            Some("vlm") => Some(true),
            Some("llm") => Some(false),
            _ => None,
        })
        // Ollama's list of what a model can do.
        .or_else(|| has(&entry["capabilities"], "vision"))
}

fn tool(entry: &Value) -> Option<bool> {
    let has = |value: &Value, words: &[&str]| {
        let items = value.as_array()?;
        let has = |item: &Value| item.as_str().is_some_and(|item| words.contains(&item));
        Some(items.iter().any(has))
    };
    entry["capabilities"]["function_calling"]
        .as_bool()
        .or_else(|| has(&entry["supported_parameters"], &["tools"]))
        .or_else(|| has(&entry["capabilities"], &["tools", "tool_use"]))
}

/// OpenRouter's prices: dollars for one token, as text.
fn told_price(pricing: &Value) -> Option<Price> {
    let million = |name: &str| {
        let dollars = match &pricing[name] {
            Value::String(text) => text.parse::<f64>().ok()?,
            number => number.as_f64()?,
        };
        // Rounded: a millionth of a cent is noise of the text's conversion.
        Some((dollars * 1e12).round() / 1e6)
    };
    let price = Price {
        input: million("prompt")?,
        cached_input: million("input_cache_read"),
        kept_input: million("input_cache_write"),
        output: million("completion")?,
        as_of: Some(Timestamp::now().strftime("%Y-%m-%d").to_string()),
        is_estimate: false,
    };
    sound(&price)
}

#[cfg(test)]
#[path = "catalog_tests.rs"]
mod tests;

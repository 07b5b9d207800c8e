//! OpenAI's chat completions, and everybody who speaks them.

mod answer;
mod request;

use crate::address::Address;
use crate::backoff::{Backoff, Dice};
use crate::exchange::exchange;
use crate::http::Http;
use crate::keys::Keys;
use crate::patience::Patience;
use crate::picture;
use crate::report::Report;
use crate::transport::{Post, Transport};
use crate::trouble::Trouble;
use agent::ports::{Model, Reply, Retrying, Taste};
use agent::prompt::Prompt;
use answer::{Growing, Tokens};
use async_trait::async_trait;
use protocol::{Failure, FailureCode, Frame, Usage};
use request::{Form, Question};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tracing::debug;

const PATH: &str = "/chat/completions";

/// Which model, where, and what it costs: the fields of `protocol::Provider::OpenaiCompatible`.
#[derive(Clone, Debug, PartialEq)]
pub struct Endpoint {
    /// As the person typed it, for example `https://api.openai.com/v1`; the full URL of the endpoint is fine too.
    pub base_url: String,
    /// For example `gpt-5.2`.
    pub model: String,
    /// Dollars for a million tokens read.
    pub input_price: Option<f64>,
    /// Dollars for a million tokens written.
    pub output_price: Option<f64>,
}

/// A model behind an OpenAI-compatible server. Keep one for as long as the settings stay the same: it holds the
/// connection, and what it learned of the fields its server takes.
pub struct Chat {
    address: Address,
    endpoint: Endpoint,
    keys: Arc<dyn Keys>,
    transport: Box<dyn Transport>,
    patience: Patience,
    dice: Dice,
    taste: Taste,
    form: Mutex<Form>,
}

impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chat({} at {})", self.endpoint.model, self.address.host())
    }
}

impl Chat {
    /// A model at an address. Opens no connection and reads no key; both happen when it is asked.
    ///
    /// # Errors
    /// `model_address` when the address cannot be used, `model_offline` with reason `roots` when this computer
    /// trusts no certificates.
    pub fn open(endpoint: Endpoint, keys: Arc<dyn Keys>) -> Result<Self, Failure> {
        let failure = |host: &str, trouble: &Trouble| {
            let model = &endpoint.model;
            Report {
                host,
                model,
                key: None,
            }
            .failure(trouble)
        };
        let address =
            Address::read(&endpoint.base_url, PATH).map_err(|bad| failure("", &Trouble::Address(bad)))?;
        let patience = if address.is_loopback {
            Patience::LOCAL
        } else {
            Patience::REMOTE
        };
        let http =
            Http::new(&address, patience.connect).map_err(|trouble| failure(address.host(), &trouble))?;
        Ok(Self::over(address, endpoint, keys, patience, Box::new(http)))
    }

    fn over(
        address: Address,
        endpoint: Endpoint,
        keys: Arc<dyn Keys>,
        patience: Patience,
        transport: Box<dyn Transport>,
    ) -> Self {
        let form = Mutex::new(Form::guess(address.host()));
        Self {
            address,
            endpoint,
            keys,
            transport,
            patience,
            dice: Box::new(fastrand::f64),
            taste: Taste {
                picture: true,
                elements: true,
                // Text of a phone is legible at this height, and makers bill it as a few hundred to 1,500 tokens.
                longest_side: 1280,
            },
            form,
        }
    }

    /// The same model with other time limits. The limit for connecting stays as it was.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// The same model, sent something else with each step.
    #[must_use]
    pub fn with_taste(mut self, taste: Taste) -> Self {
        self.taste = taste;
        self
    }

    /// Asks for one word, with a small picture when pictures are to its taste, once: for "Test connection".
    /// Gives the time until the answer was whole.
    ///
    /// # Errors
    /// As [`Model::think`], at the first trouble. An answer that is empty or too long is an answer here.
    pub async fn try_it(&self) -> Result<Duration, Failure> {
        let grey = Frame {
            width: 64,
            height: 64,
            rgba: vec![128; 64 * 64 * 4].into(),
        };
        let start = Instant::now();
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let mut tokens = Tokens::default();
        let result = async {
            let picture = picture_url(self.taste.picture.then_some(&grey)).await?;
            let question = Question {
                model: &self.endpoint.model,
                system: "This is a test of the connection.",
                user: "Answer with one word: ready",
                picture: picture.as_deref(),
            };
            self.ask(&question, key.as_ref(), &mut tokens).await
        };
        match result.await {
            Ok(_) | Err(Trouble::Empty | Trouble::Length) => Ok(start.elapsed()),
            Err(trouble) => Err(self.failure(&trouble, key.as_ref())),
        }
    }

    /// The key, or none where none is needed.
    async fn key(&self) -> Result<Option<SecretString>, Trouble> {
        let key = match self.keys.key().await {
            // Where there is no keychain none can have been kept in it, and a server on this computer may need none.
            Err(failure) if self.address.is_loopback && failure.code == FailureCode::KeychainMissing => None,
            answer => answer.map_err(Trouble::KeyUnreadable)?,
        };
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        if key.is_none() && !self.address.is_loopback {
            return Err(Trouble::KeyMissing);
        }
        Ok(key)
    }

    /// One answer without another try, but in as many forms as it takes to find one that the server reads.
    async fn ask(
        &self,
        question: &Question<'_>,
        key: Option<&SecretString>,
        tokens: &mut Tokens,
    ) -> Result<String, Trouble> {
        let headers = headers(self.address.host(), key)?;
        let has_picture = question.picture.is_some();
        let mut lessons = 0;
        loop {
            let form = *self.form.lock().unwrap_or_else(PoisonError::into_inner);
            let post = Post {
                url: self.address.url.clone(),
                headers: headers.clone(),
                body: form.body(question).into(),
            };
            let start = Instant::now();
            let mut answer = Growing::new(has_picture);
            let result = exchange(&*self.transport, post, &self.patience, has_picture, &mut answer)
                .await
                .and_then(|()| answer.end());
            let counted = answer.tokens().unwrap_or_default();
            tokens.input += counted.input;
            tokens.output += counted.output;
            debug!(
                host = self.address.host(),
                model = self.endpoint.model,
                ms = start.elapsed().as_millis(),
                input_tokens = counted.input,
                output_tokens = counted.output,
                code = result
                    .as_ref()
                    .err()
                    .map(|trouble| format!("{:?}", self.failure(trouble, key).code)),
                "asked"
            );
            let trouble = match result {
                Ok(text) => return Ok(text),
                // A server on this computer that wants a key after all.
                Err(Trouble::KeyRefused(_)) if key.is_none() => Trouble::KeyMissing,
                Err(trouble) => trouble,
            };
            match form.learn(&trouble) {
                Some(better) if lessons < Form::LESSONS => {
                    lessons += 1;
                    *self.form.lock().unwrap_or_else(PoisonError::into_inner) = better;
                }
                _ => return Err(trouble),
            }
        }
    }

    fn failure(&self, trouble: &Trouble, key: Option<&SecretString>) -> Failure {
        let report = Report {
            host: self.address.host(),
            model: &self.endpoint.model,
            key,
        };
        report.failure(trouble)
    }

    /// What was used, priced where both prices are known and the server counted.
    fn usage(&self, tokens: Tokens) -> Usage {
        let price = |price: Option<f64>| price.filter(|price| price.is_finite() && *price >= 0.0);
        let dollars = match (
            price(self.endpoint.input_price),
            price(self.endpoint.output_price),
        ) {
            (Some(input), Some(output)) if tokens != Tokens::default() => {
                Some((tokens.input as f64 * input + tokens.output as f64 * output) / 1e6)
            }
            _ => None,
        };
        Usage {
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            dollars,
        }
    }
}

#[async_trait]
impl Model for Chat {
    fn name(&self) -> String {
        self.endpoint.model.clone()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn taste(&self) -> Taste {
        self.taste
    }

    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let key = key.as_ref();
        let picture = picture_url(prompt.picture.as_ref())
            .await
            .map_err(|trouble| self.failure(&trouble, key))?;
        let question = Question {
            model: &self.endpoint.model,
            system: &prompt.system,
            user: &prompt.user,
            picture: picture.as_deref(),
        };
        // Tokens of tries that failed were paid for too.
        let mut tokens = Tokens::default();
        let mut backoff = Backoff::new(self.patience.backoff, &self.dice);
        loop {
            let trouble = match self.ask(&question, key, &mut tokens).await {
                Ok(text) => {
                    let usage = self.usage(tokens);
                    return Ok(Reply { text, usage });
                }
                Err(trouble) => trouble,
            };
            let failure = self.failure(&trouble, key);
            let Some(wait) = backoff.next(&trouble) else {
                return Err(failure);
            };
            retrying(&failure, wait);
            sleep(wait).await;
        }
    }
}

async fn picture_url(frame: Option<&Frame>) -> Result<Option<String>, Trouble> {
    match frame {
        Some(frame) => picture::data_url(frame.clone()).await.map(Some),
        None => Ok(None),
    }
}

/// The key is in these only, marked so that no log shows it.
fn headers(host: &str, key: Option<&SecretString>) -> Result<HeaderMap, Trouble> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("text/event-stream, application/json"),
    );
    if let Some(key) = key {
        let key = key.expose_secret().trim();
        // Azure's keys go by another header; it takes a bearer for something else.
        let (name, value) = if host.ends_with(".azure.com") {
            (HeaderName::from_static("api-key"), Zeroizing::new(key.to_owned()))
        } else {
            (AUTHORIZATION, Zeroizing::new(format!("Bearer {key}")))
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| Trouble::KeyCharacters)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;

//! One answer: the key, the headers, and as many forms as it takes to find one that the server reads.

use super::Remote;
use super::usage_meter::UsageMeter;
use crate::backoff::Backoff;
use crate::error::{ModelError, said};
use crate::exchange::{WaitOptions, exchange};
use crate::report::without_key;
use crate::tool;
use crate::transport::Request;
use crate::wire_format::{self, AnswerFormat, AnswerStream, Question, RequestFormat, Tokens};
use agent::ports::Reply;
use agent::prompt::IN_TEXT;
use protocol::{Failure, FailureCode, Frame, Maker};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use std::borrow::Cow;
use std::sync::PoisonError;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tracing::debug;

/// Another try of a short answer that has to wait longer comes too late.
const SOON: Duration = Duration::from_secs(2);

impl Remote {
    /// The key, or none where none is needed.
    pub(super) async fn key(&self) -> Result<Option<SecretString>, ModelError> {
        // A server of one's own, on this computer or in the same house, may want none.
        let is_optional = self.address.is_loopback
            || (!self.preset.needs_key && (self.preset.maker != Maker::Custom || self.address.is_private()));
        let key = match self.keys.key().await {
            // Where there is no keychain none can have been kept in it.
            Err(failure) if is_optional && failure.code == FailureCode::KeychainMissing => None,
            answer => answer.map_err(ModelError::KeyUnreadable)?,
        };
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        if key.is_none() && !is_optional {
            return Err(ModelError::KeyMissing);
        }
        Ok(key)
    }

    pub(super) fn format(&self) -> RequestFormat {
        *self.format.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It is asked where its maker answers, not at an address that was typed.
    fn is_makers_own(&self) -> bool {
        self.chosen.base_url.is_none() && !self.preset.base_url.is_empty()
    }

    fn keep(&self, format: RequestFormat) {
        *self.format.lock().unwrap_or_else(PoisonError::into_inner) = format;
    }

    /// A short answer in words, in a conversation of its own, with one more try where it is soon.
    ///
    /// # Errors
    /// As [`agent::ports::Model::think`].
    pub(crate) async fn answer(
        &self,
        system: &str,
        now: &str,
        picture: Option<&Frame>,
    ) -> Result<Reply, Failure> {
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let key = key.as_ref();
        let picture = self.pack(picture).await;
        let picture = picture.map_err(|trouble| self.failure(&trouble, key))?;
        let question = Question {
            model: &self.chosen.model,
            system,
            past: &[],
            now,
            picture: picture.as_ref(),
            answer: AnswerFormat::Words,
            tool: None,
            effort: self.profile.effort,
        };
        let mut meter = UsageMeter::new(self, 0, None);
        let mut again = Backoff::new(self.timeouts.backoff, &self.jitter);
        let mut is_first = true;
        loop {
            // Nobody is told that it takes long: the person is asked instead.
            let waiting = WaitOptions::quietly(self.timeouts);
            // One that is given up is not guessed at: that happens to many an opinion, at each page that goes before it comes.
            let trouble = match self.ask(&question, key, &mut meter.tokens, &waiting).await {
                Ok(text) => {
                    let usage = meter.told();
                    return Ok(Reply { text, usage });
                }
                Err(trouble) => trouble,
            };
            let wait = again.next(&trouble).filter(|wait| is_first && *wait <= SOON);
            let Some(wait) = wait else {
                return Err(self.failure(&trouble, key));
            };
            is_first = false;
            sleep(wait).await;
        }
    }

    /// One answer without another try, but in as many forms as it takes to find one that the server reads.
    pub(super) async fn ask(
        &self,
        question: &Question<'_>,
        key: Option<&SecretString>,
        tokens: &mut Tokens,
        waiting: &WaitOptions<'_>,
    ) -> Result<String, ModelError> {
        let has_picture = question.picture.is_some();
        let mut lessons = 0;
        // What the first shape said, while others are tried.
        let mut first: Option<ModelError> = None;
        loop {
            let format = self.format();
            let mut answer = AnswerStream::new(format.shape, has_picture);
            let start = Instant::now();
            let result = match self.request(&format, question, key) {
                Ok(request) => exchange(&*self.transport, request, waiting, has_picture, &mut answer)
                    .await
                    .and_then(|()| answer.end()),
                Err(trouble) => Err(trouble),
            };
            let counted = answer.tokens().unwrap_or_default();
            *tokens = tokens.and(counted);
            debug!(
                host = self.address.host(),
                model = self.chosen.model,
                shape = ?format.shape,
                ms = start.elapsed().as_millis(),
                input_tokens = counted.input,
                cached_tokens = counted.cached,
                output_tokens = counted.output,
                code = result
                    .as_ref()
                    .err()
                    .map(|trouble| format!("{:?}", self.failure(trouble, key).code)),
                "asked"
            );
            let trouble = match result {
                Ok(text) => return Ok(without_key(text, key)),
                // A server on this computer that wants a key after all.
                Err(ModelError::KeyRefused(_)) if key.is_none() => ModelError::KeyMissing,
                // A maker's own address leads nowhere else: something between here and there answered.
                Err(ModelError::Redirect { status, to }) if self.is_makers_own() => {
                    let mut said = said(format!("sent on to {to}"));
                    said.status = Some(status);
                    ModelError::Page(said)
                }
                Err(trouble) => trouble,
            };
            match format.learn(&trouble) {
                Some(better) if lessons < RequestFormat::LESSONS => {
                    lessons += 1;
                    if better.shape != format.shape {
                        first.get_or_insert(trouble);
                    }
                    self.keep(better);
                }
                _ => {
                    // The other shapes are not there either: what the first said is what is wrong.
                    let first = first.filter(|_| format.is_swapped() && is_not_there(&trouble));
                    if first.is_some() {
                        self.keep(format.back());
                    }
                    return Err(first.unwrap_or(trouble));
                }
            }
        }
    }

    fn request(
        &self,
        format: &RequestFormat,
        question: &Question<'_>,
        key: Option<&SecretString>,
    ) -> Result<Request, ModelError> {
        let mut headers = wire_format::headers(
            format.shape,
            self.address.host(),
            key.map(|key| key.expose_secret()),
        )?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/event-stream, application/json"),
        );
        let tool =
            (question.answer == AnswerFormat::Call && format.calls_tool()).then(|| tool::tool(format.shape));
        let answer = match question.answer {
            AnswerFormat::Words => "",
            _ if tool.is_some() => tool::BY_CALL,
            AnswerFormat::Call | AnswerFormat::Json => IN_TEXT,
        };
        let system = if answer.is_empty() {
            Cow::Borrowed(question.system)
        } else {
            Cow::Owned(format!("{}\n\n{answer}", question.system.trim_end()))
        };
        let question = Question {
            system: &system,
            tool,
            ..*question
        };
        let body = wire_format::body(format, &question).to_string();
        Ok(Request {
            url: self.address.at(&wire_format::path(format, question.model)),
            headers,
            body: Some(body.into()),
        })
    }
}

/// No such place, or not for this model.
fn is_not_there(trouble: &ModelError) -> bool {
    matches!(
        trouble,
        ModelError::WrongPath(_) | ModelError::Page(_) | ModelError::ModelMissing(_) | ModelError::Refused(_)
    )
}

//! One answer: the key, the headers, and as many forms as it takes to find one that the server reads.

use super::Remote;
use crate::exchange::exchange;
use crate::shape::{self, Form, Growing, Question, Tokens};
use crate::tool;
use crate::transport::Request;
use crate::trouble::Trouble;
use protocol::{FailureCode, Maker, WireShape};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use std::sync::PoisonError;
use tokio::time::Instant;
use tracing::debug;

impl Remote {
    /// The key, or none where none is needed.
    pub(super) async fn key(&self) -> Result<Option<SecretString>, Trouble> {
        // A server of one's own, on this computer or in the same house, may want none.
        let is_optional = self.address.is_loopback
            || (!self.preset.needs_key && (self.preset.maker != Maker::Custom || self.address.is_private()));
        let key = match self.keys.key().await {
            // Where there is no keychain none can have been kept in it.
            Err(failure) if is_optional && failure.code == FailureCode::KeychainMissing => None,
            answer => answer.map_err(Trouble::KeyUnreadable)?,
        };
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        if key.is_none() && !is_optional {
            return Err(Trouble::KeyMissing);
        }
        Ok(key)
    }

    pub(super) fn form(&self) -> Form {
        *self.form.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn shape(&self) -> WireShape {
        self.form().shape
    }

    fn keep(&self, form: Form) {
        *self.form.lock().unwrap_or_else(PoisonError::into_inner) = form;
    }

    /// One answer without another try, but in as many forms as it takes to find one that the server reads.
    pub(super) async fn ask(
        &self,
        question: &Question<'_>,
        key: Option<&SecretString>,
        tokens: &mut Tokens,
    ) -> Result<String, Trouble> {
        let has_picture = question.picture.is_some();
        let mut lessons = 0;
        // What the first of two shapes said, while the other is tried.
        let mut first: Option<Trouble> = None;
        loop {
            let form = self.form();
            let mut answer = Growing::new(form.shape, has_picture);
            let start = Instant::now();
            let result = match self.request(&form, question, key) {
                Ok(request) => exchange(
                    &*self.transport,
                    request,
                    &self.patience,
                    has_picture,
                    &mut answer,
                )
                .await
                .and_then(|()| answer.end()),
                Err(trouble) => Err(trouble),
            };
            let counted = answer.tokens().unwrap_or_default();
            *tokens = tokens.and(counted);
            debug!(
                host = self.address.host(),
                model = self.chosen.model,
                shape = ?form.shape,
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
                Ok(text) => return Ok(text),
                // A server on this computer that wants a key after all.
                Err(Trouble::KeyRefused(_)) if key.is_none() => Trouble::KeyMissing,
                Err(trouble) => trouble,
            };
            if form.is_swapped()
                && let Some(first) = first.take_if(|_| is_not_there(&trouble))
            {
                // The other shape is not there either: what the first said is what is wrong.
                self.keep(form.back());
                return Err(first);
            }
            match form.learn(&trouble) {
                Some(better) if lessons < Form::LESSONS => {
                    lessons += 1;
                    if better.shape != form.shape {
                        first = Some(trouble);
                    }
                    self.keep(better);
                }
                _ => return Err(trouble),
            }
        }
    }

    fn request(
        &self,
        form: &Form,
        question: &Question<'_>,
        key: Option<&SecretString>,
    ) -> Result<Request, Trouble> {
        let mut headers = shape::headers(
            form.shape,
            self.address.host(),
            key.map(|key| key.expose_secret()),
        )?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/event-stream, application/json"),
        );
        let system;
        let question = if question.tool.is_some() && form.calls_tool() {
            system = format!("{}\n\n{}", question.system.trim_end(), tool::INSTEAD);
            &Question {
                system: &system,
                ..*question
            }
        } else {
            question
        };
        let body = shape::body(form, question).to_string();
        Ok(Request {
            url: self.address.at(&shape::path(form, question.model)),
            headers,
            body: Some(body.into()),
        })
    }
}

/// No such place, or not for this model.
fn is_not_there(trouble: &Trouble) -> bool {
    matches!(
        trouble,
        Trouble::WrongPath(_) | Trouble::ModelMissing(_) | Trouble::Refused(_)
    )
}

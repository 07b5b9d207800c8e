//! What the phone has copied: told by the phone where something on it can and the person says yes, else pasted by the
//! person.
//!
//! A copied password looks like any other text, and what scrcpy's server tells says nothing of that: only the person knows.
//! What looks like a one-time code does not go: it is treated as the secret it is, and the person is asked for it where codes
//! are asked for.

use super::halt::Halt;
use super::observation::Observation;
use super::phone_error::phone_trouble;
use super::question::{PersonAnswer, Question};
use super::state::Run;
use crate::evidence;
use crate::plan::PlannedEffect;
use judge::{Input, Judged, Page, mentions_code};
use protocol::{ActMethod, Action, AskKind, Choice, Evidence, RefusalCode, RuleName};
use secrecy::{ExposeSecret as _, SecretString};
use std::sync::Arc;

/// A No to it is a No for the rest of the run.
const KEY: &str = "clipboard";

impl Run {
    /// The text, ready to be kept; nothing where there is none to keep, and the model heard why.
    pub(super) async fn clipboard(
        &mut self,
        action: &Action,
        output: String,
        thought: &str,
        now: &Observation,
    ) -> Result<Option<PlannedEffect>, Halt> {
        let Some(judged) = self.admit(Input::ReadClipboard, now) else {
            self.refuse(action, RefusalCode::NotAllowed, super::outcome::NEVER)
                .await?;
            return Ok(None);
        };
        if self.permissions.was_denied(KEY) {
            self.refuse(action, RefusalCode::DeniedBefore, super::outcome::DENIED)
                .await?;
            return Ok(None);
        }
        let told = self.told_by_the_phone(judged).await?;
        // What is kept back whatever the person says is not asked about.
        if let Some(text) = &told
            && self.keeps_back(action, text).await?
        {
            return Ok(None);
        }
        let via = if told.is_some() {
            ActMethod::Phone
        } else {
            ActMethod::Person
        };
        let Some(text) = self.ask_for_clipboard(action, thought, now, told).await? else {
            return Ok(None);
        };
        if via == ActMethod::Person && self.keeps_back(action, &text).await? {
            return Ok(None);
        }
        Ok(Some(PlannedEffect::Keep {
            output,
            text: text.expose_secret().to_owned(),
            via: Some(via),
        }))
    }

    /// Nothing where this phone does not tell it.
    async fn told_by_the_phone(&mut self, judged: Judged) -> Result<Option<SecretString>, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        let told = self
            .race(async move { phone.clipboard(&judged, &grip).await })
            .await?;
        match told {
            Ok(text) => Ok(Some(SecretString::from(text))),
            Err(trouble) if trouble.is_unreachable() => Err(Halt::Pause(phone_trouble(&trouble))),
            Err(trouble) => {
                tracing::debug!(%trouble, "the phone does not tell its clipboard");
                Ok(None)
            }
        }
    }

    /// Whoever copies something else before saying yes means that: the yes is for what is copied now, and what the question
    /// was about is told only if it is the same.
    async fn as_it_was(
        &mut self,
        action: &Action,
        text: SecretString,
        now: &Observation,
    ) -> Result<Option<SecretString>, Halt> {
        let again = match self.admit(Input::ReadClipboard, now) {
            Some(judged) => self.told_by_the_phone(judged).await?,
            None => None,
        };
        if again.is_some_and(|again| again.expose_secret() == text.expose_secret()) {
            return Ok(Some(text));
        }
        self.void(action).await?;
        Ok(None)
    }

    /// A code is not told: the model hears what to do instead.
    async fn keeps_back(&mut self, action: &Action, text: &SecretString) -> Result<bool, Halt> {
        if !is_secret(text.expose_secret()) && !self.secrets.appear_in(text.expose_secret()) {
            return Ok(false);
        }
        self.remember(text);
        let message = "The clipboard holds what looks like a one-time code. Codes are not told to you: use \
                       request_human_auth with capability \"2fa\" where one is wanted, and the person types it.";
        self.refuse(action, RefusalCode::ClipboardCode, message).await?;
        Ok(true)
    }

    /// Whoever copied it may have copied a password, and nothing that is told says so: a Yes lets go what the phone told. Where it told
    /// nothing, the person pastes.
    async fn ask_for_clipboard(
        &mut self,
        action: &Action,
        thought: &str,
        now: &Observation,
        told: Option<SecretString>,
    ) -> Result<Option<SecretString>, Halt> {
        let told = match told {
            Some(text) if text.expose_secret().trim().is_empty() => return Ok(Some(text)),
            told => told,
        };
        let evidence: Evidence = evidence::gather(
            AskKind::Clipboard,
            &Page::new(&now.shown.screen),
            None,
            Some(action),
        );
        let rule = if told.is_some() {
            RuleName::ClipboardRead
        } else {
            RuleName::Clipboard
        };
        let mut question = Question::by_rule(AskKind::Clipboard, rule, action, None, now, thought, evidence);
        if told.is_some() {
            question.choices = Some(vec![
                Choice::Deny,
                Choice::Approve,
                Choice::TakeOver,
                Choice::MoreTime,
            ]);
        }
        match (self.ask(question).await?, told) {
            (PersonAnswer::Secret(text, _), None) => Ok(Some(text)),
            (PersonAnswer::Yes(_), Some(text)) => self.as_it_was(action, text, now).await,
            _ => {
                self.permissions.deny(KEY);
                let told = "The person did not give it. Read what you need from the screen where it stands, or finish and \
                            say what was left undone.";
                self.note(action, told);
                Ok(None)
            }
        }
    }

    /// A code that was copied is a code: from now on it is replaced in every tree. Where it stands nobody knows.
    fn remember(&mut self, code: &SecretString) {
        self.secrets.expect_code();
        for one in codes(code.expose_secret()) {
            self.secrets.keep_out(SecretString::from(one));
        }
    }
}

/// Nothing but a code, or words that speak of a code and one in them.
fn is_secret(text: &str) -> bool {
    looks_like_code(text) || (mentions_code(text) && !codes(text).is_empty())
}

/// What of a text looks like a code: the whole, or pieces of it.
fn codes(text: &str) -> Vec<String> {
    if looks_like_code(text) {
        return vec![text.trim().to_owned()];
    }
    screen::codes_in(text, mentions_code(text))
        .into_iter()
        .map(|place| text[place].to_owned())
        .collect()
}

/// A person's words without the code in them, where they hold one.
pub(super) fn without_codes(text: &str) -> String {
    let mut out = text.to_owned();
    if is_secret(text) {
        for code in codes(text) {
            out = out.replace(&code, crate::secrets::MASK);
        }
    }
    out
}

fn looks_like_code(text: &str) -> bool {
    text.chars().any(char::is_numeric) && screen::code_like(text)
}

//! What the phone has copied: told by the phone where something on it can, else pasted by the person.
//!
//! Somebody who pastes sees what goes to the AI. What looks like a one-time code does not go: it is treated as the
//! secret it is, and the person is asked for it where codes are asked for.

use super::halt::Halt;
use super::observation::Observation;
use super::phone_error::phone_trouble;
use super::question::{Given, Question};
use super::state::Run;
use crate::evidence;
use crate::plan::Doing;
use judge::{Input, Page, mentions_code};
use protocol::{Action, AskKind, Evidence, RefusalCode, RuleName};
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
    ) -> Result<Option<Doing>, Halt> {
        let Some(judged) = self.admit(Input::ReadClipboard, now) else {
            self.refuse(action, RefusalCode::NotAllowed, super::outcome::NEVER)
                .await?;
            return Ok(None);
        };
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        let told = self
            .race(async move { phone.clipboard(&judged, &grip).await })
            .await?;
        let (text, rung) = match told {
            Ok(text) => (SecretString::from(text), "phone"),
            Err(trouble) if trouble.is_unreachable() => {
                return Err(Halt::Pause(phone_trouble(&trouble)));
            }
            Err(trouble) => {
                tracing::debug!(%trouble, "the phone does not tell its clipboard");
                match self.ask_for_clipboard(action, thought, now).await? {
                    Some(text) => (text, "person"),
                    None => return Ok(None),
                }
            }
        };
        if is_secret(text.expose_secret()) || self.secrets.appear_in(text.expose_secret()) {
            self.remember(&text);
            let message = "The clipboard holds what looks like a one-time code. Codes are not told to you: use \
                           request_human_auth with capability \"2fa\" where one is wanted, and the person types it.";
            self.refuse(action, RefusalCode::ClipboardCode, message).await?;
            return Ok(None);
        }
        Ok(Some(Doing::Keep {
            output,
            text: text.expose_secret().to_owned(),
            rung: Some(rung),
        }))
    }

    async fn ask_for_clipboard(
        &mut self,
        action: &Action,
        thought: &str,
        now: &Observation,
    ) -> Result<Option<SecretString>, Halt> {
        if self.permissions.was_denied(KEY) {
            let message = "The person said no to this already. It is not asked again in this task.";
            self.refuse(action, RefusalCode::DeniedBefore, message).await?;
            return Ok(None);
        }
        let evidence: Evidence = evidence::gather(
            AskKind::Clipboard,
            &Page::new(&now.shown.screen),
            None,
            Some(action),
        );
        let question = Question::by_rule(
            AskKind::Clipboard,
            RuleName::Clipboard,
            action,
            None,
            now,
            thought,
            evidence,
        );
        match self.ask(question).await? {
            Given::Secret(text, _) => Ok(Some(text)),
            Given::No | Given::Yes(_) | Given::File(..) | Given::Readable => {
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

//! A `ModelError` as the rest of the program is told of it. The key is taken out of every word on the way.

use crate::address::is_here;
use crate::backoff::LONGEST;
use crate::error::{ConnectionFailure, ModelError, ServerMessage};
use protocol::{Failure, FailureCode};
use secrecy::{ExposeSecret, SecretString};
use std::collections::BTreeMap;

/// Characters of a failure's detail.
const DETAIL: usize = 600;
/// A piece of the key this long is as good as the key to whoever searches for it.
const PIECE: usize = 6;
/// A key of so many bytes is no word of an answer by chance.
const ECHOED: usize = 12;

/// What every failure of one model names, and the key that none may hold.
pub(crate) struct Report<'a> {
    pub(crate) host: &'a str,
    pub(crate) model: &'a str,
    pub(crate) key: Option<&'a SecretString>,
}

impl Report<'_> {
    /// The failure for `trouble`. What the keychain said is passed on as it is.
    pub(crate) fn failure(&self, trouble: &ModelError) -> Failure {
        use FailureCode as Code;
        let told = match trouble {
            ModelError::KeyUnreadable(failure) => return failure.clone(),
            ModelError::KeyMissing => FailureDraft::new(Code::ModelKeyMissing),
            ModelError::KeyCharacters => FailureDraft::new(Code::ModelKey).reason("characters"),
            ModelError::KeyRefused(said) => FailureDraft::new(Code::ModelKey).reason("refused").said(said),
            ModelError::KeyForbidden(said) => {
                FailureDraft::new(Code::ModelKey).reason("forbidden").said(said)
            }
            ModelError::Quota(said) => FailureDraft::new(Code::ModelQuota).said(said),
            // Nobody waits so long for an answer: a moment is not what it takes.
            ModelError::Busy { said, .. } | ModelError::Server { said, .. }
                if trouble.after().is_some_and(|after| after > LONGEST) =>
            {
                FailureDraft::new(Code::ModelLater).said(said)
            }
            ModelError::Busy { said, .. } => FailureDraft::new(Code::ModelBusy).said(said),
            ModelError::ModelMissing(said) => FailureDraft::new(Code::ModelMissing).said(said),
            ModelError::Picture(said) => FailureDraft::new(Code::ModelPicture).said(said),
            ModelError::Context(said) => FailureDraft::new(Code::ModelContext).said(said),
            ModelError::Refused(said) => FailureDraft::new(Code::ModelServer).reason("refused").said(said),
            ModelError::Server { said, .. } => {
                FailureDraft::new(Code::ModelServer).reason("trouble").said(said)
            }
            ModelError::Garbled(said) => FailureDraft::new(Code::ModelServer).reason("garbled").said(said),
            ModelError::Slow(phase) => FailureDraft::new(Code::ModelSlow).reason(phase.word()),
            ModelError::Offline { why, text } => {
                let is_here = *why == ConnectionFailure::Refused && is_here(self.host);
                let code = if is_here {
                    Code::ModelHere
                } else {
                    Code::ModelOffline
                };
                FailureDraft::new(code).reason(why.word()).text(text)
            }
            ModelError::Cut(text) => FailureDraft::new(Code::ModelCut).text(text),
            ModelError::Empty => FailureDraft::new(Code::ModelEmpty),
            ModelError::Length => FailureDraft::new(Code::ModelLong),
            ModelError::Page(said) => {
                let is_redirect = said.status.is_some_and(|status| (300..400).contains(&status));
                let reason = if is_redirect { "redirect" } else { "page" };
                FailureDraft::new(Code::ModelPage).reason(reason).said(said)
            }
            ModelError::Declined(said) => FailureDraft::new(Code::ModelDeclined).reason("model").said(said),
            ModelError::Filtered(said) => FailureDraft::new(Code::ModelDeclined).reason("filter").said(said),
            ModelError::WrongPath(said) => FailureDraft::new(Code::ModelAddress).reason("path").said(said),
            ModelError::Redirect { status, to } => {
                let mut told = FailureDraft::new(Code::ModelAddress).reason("redirect");
                told.values.insert("to".to_owned(), self.clean(to));
                told.values.insert("status".to_owned(), status.to_string());
                told
            }
            ModelError::Address(bad) => FailureDraft::new(Code::ModelAddress).reason(bad.word()),
            ModelError::Internal(text) => FailureDraft::new(Code::Internal).text(text),
        };
        let FailureDraft {
            code,
            mut values,
            text,
        } = told;
        for (name, value) in [("host", self.host), ("model", self.model)] {
            if !value.is_empty() {
                values.insert(name.to_owned(), value.to_owned());
            }
        }
        if let Some(after) = trouble.after() {
            values.insert("seconds".to_owned(), after.as_secs_f64().ceil().to_string());
        }
        let detail = Some(self.clean(&text)).filter(|text| !text.is_empty());
        Failure { code, values, detail }
    }

    /// `text` without the key, without pictures, without control characters, and no longer than [`DETAIL`].
    pub(crate) fn clean(&self, text: &str) -> String {
        let mut clean = String::new();
        // Servers echo keys masked in the middle, so every word that shares a piece with the key goes.
        for word in text.split_inclusive(|c: char| c.is_whitespace() || "\"'`,;()[]{}<>=".contains(c)) {
            if self.holds_key(word) {
                clean.push_str("[key] ");
            } else if word.starts_with("data:") || word.len() > 400 {
                clean.push_str("[…] ");
            } else {
                clean.extend(word.chars().map(|c| if c.is_control() { ' ' } else { c }));
            }
            if clean.len() > DETAIL * 4 {
                break;
            }
        }
        clean.trim().chars().take(DETAIL).collect()
    }

    fn holds_key(&self, word: &str) -> bool {
        let Some(key) = self.key else { return false };
        let key = key.expose_secret().trim().as_bytes();
        let word = word.as_bytes();
        let has = |piece: &[u8]| word.windows(piece.len()).any(|w| w.eq_ignore_ascii_case(piece));
        match key.len() {
            // `x`, `abc`: typed because something had to be. Taking it out would take the words with it.
            0..=3 => false,
            n if n <= PIECE => has(key),
            _ => key.windows(PIECE).any(has),
        }
    }
}

/// An answer without the key, which a server may have said back: what an AI says is shown, kept and sent again.
pub(crate) fn without_key(text: String, key: Option<&SecretString>) -> String {
    match key.map(|key| key.expose_secret().trim()) {
        // A shorter one was typed because something had to be: it may be a word of the answer.
        Some(key) if key.len() >= ECHOED && text.contains(key) => text.replace(key, "[key]"),
        _ => text,
    }
}

struct FailureDraft {
    code: FailureCode,
    values: BTreeMap<String, String>,
    text: String,
}

impl FailureDraft {
    fn new(code: FailureCode) -> Self {
        Self {
            code,
            values: BTreeMap::new(),
            text: String::new(),
        }
    }

    fn reason(mut self, reason: &str) -> Self {
        self.values.insert("reason".to_owned(), reason.to_owned());
        self
    }

    fn text(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    fn said(mut self, said: &ServerMessage) -> Self {
        if let Some(status) = said.status {
            self.values.insert("status".to_owned(), status.to_string());
        }
        self.text(&said.text)
    }
}

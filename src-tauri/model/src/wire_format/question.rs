//! What is asked, whatever the shape it is written in.

use crate::picture::Picture;
use serde_json::Value;

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
    pub(crate) answer: AnswerFormat,
    /// The tool, described as the shape wants it; `remote` puts it in where it is to be called.
    pub(crate) tool: Option<&'a Tool>,
    /// How hard a model that thinks first should think, where it takes that.
    pub(crate) effort: Option<&'a str>,
}

impl Question<'_> {
    /// What was before, in one piece; absent where there is nothing.
    pub(super) fn past(&self) -> Option<String> {
        Some(self.past.concat()).filter(|past| !past.is_empty())
    }
}

/// How an action is to be answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerFormat {
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

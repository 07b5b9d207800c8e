//! Models that were trained to operate a phone, asked in the words they were trained on.
//!
//! Each module writes one dialect's prompt from the same [`Facts`]; room `dialect` writes the actions done so far in
//! it and reads the answer. What such a model has no word for (asking the person) it says by taking over, and the judge
//! asks for whatever matters all the same.

mod autoglm;
mod cogagent;
mod computer_use;
mod mobile_use;
mod ui_tars;

use crate::profile::Language;
use agent::prompt::{Facts, Line};
use dialect::{Dialect, Size};
use protocol::{Act, Action, Target};
use screen::Space;
use std::fmt::Write as _;

/// Lines of what was done at most.
const LINES: usize = 16;
/// Characters of one result.
const RESULT: usize = 200;

/// What a model was trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Training {
    /// AutoGLM-Phone: `do(action="Tap", element=[x,y])`.
    AutoGlm,
    /// CogAgent: one turn, the operations so far as numbered lines.
    CogAgent,
    /// UI-TARS: `Thought: … Action: click(…)`.
    UiTars,
    /// Qwen-VL, GUI-Owl, MAI: the tool `mobile_use`, called in tags.
    MobileUse,
    /// The tool `computer_use` (Hermes).
    ComputerUse,
}

/// What a trained model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) system: String,
    pub(crate) user: String,
}

impl Training {
    /// The dialect it answers in.
    #[must_use]
    pub fn dialect(self) -> Dialect {
        match self {
            Self::AutoGlm => Dialect::AutoGlm,
            Self::CogAgent => Dialect::CogAgent,
            Self::UiTars => Dialect::UiTars,
            Self::MobileUse => Dialect::Qwen,
            Self::ComputerUse => Dialect::Hermes,
        }
    }

    /// The prompt for one step. `space` is what the model's numbers count; `picture` the size of the picture it sees.
    pub(crate) fn words(
        self,
        facts: &Facts,
        space: Space,
        picture: Option<(u32, u32)>,
        language: Language,
    ) -> Words {
        match self {
            Self::AutoGlm => {
                autoglm::words(facts, language == Language::ChineseOrEnglish && is_chinese(facts))
            }
            Self::CogAgent => cogagent::words(facts),
            Self::UiTars => ui_tars::words(facts, space),
            Self::MobileUse => mobile_use::words(facts, space, picture),
            Self::ComputerUse => computer_use::words(facts, picture),
        }
    }
}

/// The task, and what the person said since.
fn task(facts: &Facts, added: &str) -> String {
    let mut task = facts.goal.clone();
    for words in &facts.said {
        let _ = write!(task, "\n{added}{words}");
    }
    task
}

/// The person writes Chinese.
fn is_chinese(facts: &Facts) -> bool {
    facts.goal.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// The last lines of what was done.
fn lines(facts: &Facts) -> &[Line] {
    &facts.history[facts.history.len().saturating_sub(LINES)..]
}

/// What was done in the model's own dialect where its numbers are thousandths, else in plain words: numbers of an
/// older picture would mean another place on this one.
fn done(line: &Line, dialect: Dialect, space: Space, facts: &Facts) -> Option<String> {
    let action: Action = serde_json::from_str(&line.action).ok()?;
    let size = Size {
        width: facts.screen.width,
        height: facts.screen.height,
    };
    let own = (space == Space::Thousandths)
        .then(|| dialect::write_action(dialect, &action, size))
        .flatten();
    Some(one_line(&own.unwrap_or_else(|| plain(&action))))
}

/// `tap “Send”`, `type “hello”`.
fn plain(action: &Action) -> String {
    let json = serde_json::to_value(action).unwrap_or_default();
    let mut words = json["type"].as_str().unwrap_or("step").replace('_', " ");
    let target = match &action.act {
        Act::Tap { target, .. }
        | Act::DoubleTap { target, .. }
        | Act::LongPress { target, .. }
        | Act::Type { target, .. }
        | Act::Scroll { target, .. } => target.as_ref(),
        Act::SetValue { target, .. } => Some(target),
        _ => None,
    };
    let name = target.and_then(|Target { text, label, .. }| text.as_ref().or(label.as_ref()));
    let told = [
        "text",
        "value",
        "direction",
        "keycode",
        "packageName",
        "app",
        "url",
    ];
    let told = told
        .iter()
        .filter_map(|field| json[field].as_str())
        .filter(|text| !text.is_empty());
    for word in name.map(String::as_str).into_iter().chain(told) {
        let _ = write!(words, " “{word}”");
    }
    words
}

/// What came of it, short.
fn result(line: &Line) -> String {
    let result = one_line(&line.result);
    let mut short: String = result.chars().take(RESULT).collect();
    if short.len() < result.len() {
        short.push('…');
    }
    short
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;

//! Models that were trained to operate a phone, asked in the words they were trained on.
//!
//! Any model may be asked in any of them ([`protocol::TrainedWords`]); the profiles say which were trained on which.
//! Each module writes one dialect's prompt from the same [`Facts`]; room `dialect` writes the actions done so far in
//! it and reads the answer. What such a model has no word for (asking the person) it says by taking over, and the judge
//! asks for whatever matters all the same.

mod autoglm;
mod cogagent;
mod computer_use;
mod mobile_use;
mod omnimcp;
mod step_gui;
mod ui_tars;
mod ui_venus;
mod verbs;

use crate::profile::Language;
use agent::prompt::{Facts, Line};
use dialect::{Dialect, Size};
use protocol::{Act, Action, Element, State, Target, TrainedWords};
use screen::Space;
use std::fmt::Write as _;

/// Lines of what was done at most.
const LINES: usize = 16;
/// Characters of one result.
const RESULT: usize = 200;

/// Elements told of at most.
const ELEMENTS: usize = 100;
/// Characters of one's words.
const LABEL: usize = 120;

/// The dialect these words are answered in.
#[must_use]
pub fn dialect(words: TrainedWords) -> Dialect {
    match words {
        TrainedWords::Autoglm => Dialect::AutoGlm,
        TrainedWords::Cogagent => Dialect::CogAgent,
        TrainedWords::UiTars => Dialect::UiTars,
        TrainedWords::MobileUse => Dialect::Qwen,
        TrainedWords::Hermes => Dialect::Hermes,
        TrainedWords::Omnimcp => Dialect::OmniMcp,
        TrainedWords::UiVenus | TrainedWords::UiVenus2 => Dialect::UiVenus,
        TrainedWords::StepGui => Dialect::StepGui,
        TrainedWords::Verbs => Dialect::Verbs,
    }
}

/// What a trained model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) system: String,
    pub(crate) user: String,
}

/// The prompt for one step. `space` is what the model's numbers count; `picture` the size of the picture it sees.
pub(crate) fn ask(
    words: TrainedWords,
    facts: &Facts,
    space: Space,
    picture: Option<(u32, u32)>,
    language: Language,
) -> Words {
    let chinese = language == Language::ChineseOrEnglish && is_chinese(facts);
    match words {
        TrainedWords::Autoglm => autoglm::words(facts, chinese),
        TrainedWords::Cogagent => cogagent::words(facts),
        TrainedWords::UiTars => ui_tars::words(facts, space),
        TrainedWords::MobileUse => mobile_use::words(facts, space, picture),
        TrainedWords::Hermes => computer_use::words(facts, space, picture),
        TrainedWords::Omnimcp => omnimcp::words(facts),
        TrainedWords::UiVenus => ui_venus::words(facts, space, false),
        TrainedWords::UiVenus2 => ui_venus::words(facts, space, true),
        TrainedWords::StepGui => step_gui::words(facts, chinese),
        TrainedWords::Verbs => verbs::words(facts, space, picture),
    }
}

/// Whether these words tell of what stands on the screen: then the list is wanted, whatever the model sees.
#[must_use]
pub(crate) fn lists(words: TrainedWords) -> bool {
    matches!(words, TrainedWords::Hermes | TrainedWords::Omnimcp)
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
/// older picture would mean another place on this one. A line holds the action in the model's own numbers.
fn done(line: &Line, dialect: Dialect, space: Space) -> Option<String> {
    const THOUSANDTHS: Size = Size {
        width: 1000,
        height: 1000,
    };
    let action: Action = serde_json::from_str(&line.action).ok()?;
    let own = (space == Space::Thousandths)
        .then(|| dialect::write_action(dialect, &action, THOUSANDTHS))
        .flatten();
    Some(one_line(&own.unwrap_or_else(|| plain(&action))))
}

/// The line says that the step was done, and nothing more.
fn is_done(line: &Line) -> bool {
    line.result.trim() == "done"
}

/// What the numbers of a place count, in words.
fn coordinates(facts: &Facts, space: Space, picture: Option<(u32, u32)>) -> String {
    let pixels = |(width, height): (u32, u32)| format!("[x, y] in pixels of a screen of {width}×{height}");
    let screen = (facts.screen.width, facts.screen.height);
    match space {
        Space::Picture => pixels(picture.unwrap_or(screen)),
        Space::Screen => pixels(screen),
        Space::Thousandths => "[x, y] in thousandths of the screen, 0 to 1000".to_owned(),
        Space::ThousandthsYx => "[y, x], y first, in thousandths of the screen, 0 to 1000".to_owned(),
        Space::Unit => "[x, y] in parts of the screen, 0 to 1".to_owned(),
    }
}

/// What stands on the screen, as far as it is told of: what can be acted on, and what says something.
struct Elements<'f> {
    shown: Vec<&'f Element>,
    left_out: usize,
}

impl<'f> Elements<'f> {
    fn of(facts: &'f Facts) -> Self {
        let all = facts.screen.elements.iter();
        let mut shown: Vec<&Element> = all.filter(|element| matters(element)).collect();
        let left_out = shown.len().saturating_sub(ELEMENTS);
        shown.truncate(ELEMENTS);
        Self { shown, left_out }
    }

    fn shown(&self) -> &[&'f Element] {
        &self.shown
    }

    fn left_out(&self) -> usize {
        self.left_out
    }
}

fn matters(element: &Element) -> bool {
    let acts = |state: &State| {
        matches!(
            state,
            State::Clickable
                | State::LongClickable
                | State::Checkable
                | State::Scrollable
                | State::Editable
                | State::Password
        )
    };
    element.states.iter().any(acts) || !element.label.trim().is_empty()
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

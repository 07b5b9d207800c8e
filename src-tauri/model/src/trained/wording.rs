//! What every dialect's prompt tells in the same words: the task, what was done, what stands on the screen.

use agent::prompt::{Facts, HistoryLine};
use dialect::{Dialect, Size};
use protocol::{Act, Action, Element, ElementState, Target};
use screen::Space;
use std::fmt::Write as _;

/// Lines of what was done at most.
pub(super) const LINES: usize = 16;
/// Characters of one result.
pub(super) const RESULT: usize = 200;

/// Elements told of at most.
pub(super) const ELEMENTS: usize = 100;
/// Characters of one's words.
pub(super) const LABEL: usize = 120;

/// What a trained model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrainedPrompt {
    pub(crate) system: String,
    pub(crate) user: String,
}

/// The task, and what the person said since.
pub(super) fn task(facts: &Facts, added: &str) -> String {
    let mut task = facts.goal.clone();
    for words in &facts.said {
        let _ = write!(task, "\n{added}{words}");
    }
    task
}

/// The person writes Chinese.
pub(super) fn is_chinese(facts: &Facts) -> bool {
    facts.goal.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// The last lines of what was done.
pub(super) fn lines(facts: &Facts) -> &[HistoryLine] {
    &facts.history[facts.history.len().saturating_sub(LINES)..]
}

/// What was done in the model's own dialect where its numbers are thousandths, else in plain words: numbers of an
/// older picture would mean another place on this one. A line holds the action in the model's own numbers.
pub(super) fn done(line: &HistoryLine, dialect: Dialect, space: Space) -> Option<String> {
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
pub(super) fn is_done(line: &HistoryLine) -> bool {
    line.result.trim() == "done"
}

/// What the numbers of a place count, in words.
pub(super) fn coordinates(facts: &Facts, space: Space, picture: Option<(u32, u32)>) -> String {
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
pub(super) struct Elements<'f> {
    shown: Vec<&'f Element>,
    left_out: usize,
}

impl<'f> Elements<'f> {
    pub(super) fn of(facts: &'f Facts) -> Self {
        Self::at_most(ELEMENTS, facts)
    }

    /// The first so many; what was left out when the screen was read counts as left out, too.
    pub(super) fn at_most(most: usize, facts: &'f Facts) -> Self {
        let screen = &facts.screen;
        let mut shown: Vec<&Element> = screen.elements.iter().filter(|one| matters(one)).collect();
        let unread = usize::try_from(screen.totals.truncated_elements).unwrap_or(usize::MAX);
        let left_out = shown.len().saturating_sub(most).saturating_add(unread);
        shown.truncate(most);
        Self { shown, left_out }
    }

    pub(super) fn shown(&self) -> &[&'f Element] {
        &self.shown
    }

    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }
}

pub(super) fn matters(element: &Element) -> bool {
    let acts = |state: &ElementState| {
        matches!(
            state,
            ElementState::Clickable
                | ElementState::LongClickable
                | ElementState::Checkable
                | ElementState::Scrollable
                | ElementState::Editable
                | ElementState::Password
        )
    };
    element.states.iter().any(acts) || !element.label.trim().is_empty()
}

/// `tap “Send”`, `type “hello”`.
pub(super) fn plain(action: &Action) -> String {
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
pub(super) fn result(line: &HistoryLine) -> String {
    let result = one_line(&line.result);
    let mut short: String = result.chars().take(RESULT).collect();
    if short.len() < result.len() {
        short.push('…');
    }
    short
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

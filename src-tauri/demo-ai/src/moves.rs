//! What the planner decides: one move, or that a task is over.

use protocol::{Act, Action, Capability, Direction, Element, Target};

/// What comes of looking at one task.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum NextMove {
    /// One more step.
    Do(Move),
    /// It is done: what was achieved.
    Done(String),
    /// It is left undone, and why. What else was asked for goes on.
    Left(String),
    /// Nothing more can be done here, and why.
    Stop(String),
}

/// One step: what is done, why, and what is to be remembered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Move {
    /// Why, in a sentence or two.
    pub(crate) thought: String,
    /// What is to be done.
    pub(crate) act: Act,
    /// The app's name, for opening one.
    pub(crate) app: Option<String>,
    /// What was learned and is needed later; see [`super::memory`].
    pub(crate) notes: Vec<Note>,
}

/// Something to be remembered: it travels in the action's reason, which the history keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// What about: one word.
    pub(crate) about: &'static str,
    /// What. One line.
    pub(crate) says: String,
}

impl Note {
    pub(crate) fn new(about: &'static str, says: impl Into<String>) -> Self {
        Self {
            about,
            says: says.into().replace(['\n', '\r'], " "),
        }
    }
}

impl Move {
    fn of(thought: impl Into<String>, act: Act) -> Self {
        Self {
            thought: thought.into(),
            act,
            app: None,
            notes: Vec::new(),
        }
    }

    pub(crate) fn tap(element: &Element, thought: impl Into<String>) -> Self {
        Self::of(
            thought,
            Act::Tap {
                x: None,
                y: None,
                target: Some(target(element)),
            },
        )
    }

    /// Writes into a field after what stands there.
    pub(crate) fn write(field: &Element, text: &str, thought: impl Into<String>) -> Self {
        Self::of(
            thought,
            Act::Type {
                text: text.to_owned(),
                target: Some(target(field)),
            },
        )
    }

    /// Gives a field, switch or slider a value in place of what it holds.
    pub(crate) fn set(element: &Element, value: &str, thought: impl Into<String>) -> Self {
        Self::of(
            thought,
            Act::SetValue {
                target: target(element),
                value: value.to_owned(),
            },
        )
    }

    pub(crate) fn key(name: &str, thought: impl Into<String>) -> Self {
        Self::of(
            thought,
            Act::Keyevent {
                keycode: format!("KEYCODE_{name}"),
            },
        )
    }

    /// Shows more of a list: three quarters of what it shows now.
    pub(crate) fn scroll(list: &Element, direction: Direction, thought: impl Into<String>) -> Self {
        let target = Some(target(list));
        Self::of(
            thought,
            Act::Scroll {
                direction,
                amount: 5.0,
                x: None,
                y: None,
                target,
            },
        )
    }

    pub(crate) fn launch(app: &str, package: &str, thought: impl Into<String>) -> Self {
        let opened = Self::of(
            thought,
            Act::LaunchApp {
                package_name: package.to_owned(),
            },
        );
        Self {
            app: Some(app.to_owned()),
            ..opened
        }
    }

    /// Asks which apps there are.
    pub(crate) fn list_apps(thought: impl Into<String>) -> Self {
        Self::of(thought, Act::ListApps)
    }

    pub(crate) fn open_url(url: &str, thought: impl Into<String>) -> Self {
        Self::of(thought, Act::OpenUrl { url: url.to_owned() })
    }

    pub(crate) fn wait(ms: u32, thought: impl Into<String>) -> Self {
        Self::of(
            thought,
            Act::Wait {
                duration_ms: f64::from(ms),
            },
        )
    }

    /// Stops and asks the person.
    pub(crate) fn ask(
        capability: Capability,
        instruction: impl Into<String>,
        thought: impl Into<String>,
    ) -> Self {
        let act = Act::RequestHumanAuth {
            capability,
            instruction: instruction.into(),
            timeout_sec: 300.0,
        };
        Self::of(thought, act)
    }

    pub(crate) fn finish(message: impl Into<String>, thought: impl Into<String>) -> Self {
        Self::of(
            thought,
            Act::Finish {
                message: message.into(),
            },
        )
    }

    pub(crate) fn noting(mut self, about: &'static str, says: impl Into<String>) -> Self {
        self.notes.push(Note::new(about, says));
        self
    }

    /// The element's words that this presses or writes into.
    pub(crate) fn label(&self) -> Option<&str> {
        label_of(&self.act)
    }

    /// As the product reads any model: one JSON object. `carried` are the notes of tasks before.
    pub(crate) fn reply(&self, carried: &[Note]) -> String {
        let notes: Vec<String> = carried
            .iter()
            .chain(&self.notes)
            .map(|note| format!("{}: {}", note.about, note.says))
            .collect();
        let action = Action {
            reason: (!notes.is_empty()).then(|| notes.join("\n")),
            app: self.app.clone(),
            ..Action::from(self.act.clone())
        };
        serde_json::json!({"thought": self.thought, "action": action}).to_string()
    }
}

/// The words of the element an action points at, as the planner wrote them down.
pub(crate) fn label_of(act: &Act) -> Option<&str> {
    match act {
        Act::Tap { target, .. }
        | Act::LongPress { target, .. }
        | Act::Type { target, .. }
        | Act::Scroll { target, .. } => target.as_ref()?.label.as_deref(),
        Act::SetValue { target, .. } => target.label.as_deref(),
        _ => None,
    }
}

/// An element by its number; its words go along, so that the history can be read.
fn target(element: &Element) -> Target {
    let label = agent::prompt::cut(&element.label, 80);
    Target {
        element: Some(element.index),
        label: (!label.is_empty()).then_some(label),
        ..Target::default()
    }
}

/// Whatever was asked over the page is left unanswered: Back closes it.
pub(crate) fn close_question() -> NextMove {
    NextMove::Do(Move::key(
        "BACK",
        "A question lies over the page. I’m closing it.",
    ))
}

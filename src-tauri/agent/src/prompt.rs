//! What the model is told. Pure, bounded, snapshot-tested.

use protocol::{Frame, Screen};

/// One request to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// Who it is and how it must answer: the same for every step of a run.
    pub system: String,
    /// The task, what was done, and the screen.
    pub user: String,
    /// The picture, already scaled and blanked; absent when there is none to send.
    pub picture: Option<Frame>,
    /// The same facts as data, for a model that is a program (the demo AI).
    pub facts: Facts,
}

/// What a step is decided on, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The person's words.
    pub goal: String,
    /// The screen as the model may know it: secrets replaced, in real pixels.
    pub screen: Screen,
    /// What happened so far, oldest first.
    pub history: Vec<Line>,
    /// What the person said since the run began, oldest first.
    pub said: Vec<String>,
    /// The apps that can be opened: package and label. Empty when not asked for yet.
    pub apps: Vec<(String, String)>,
}

/// One line of history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The step it belongs to.
    pub step: u32,
    /// The action as JSON, or empty when there was none.
    pub action: String,
    /// What came of it, in the words the model is told: `done`, `denied by the person`, …
    pub result: String,
}

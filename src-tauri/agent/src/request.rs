//! One request to a model, as it goes over the port: what the prompt was made into, and the facts it was made of.

use crate::history::HistoryLine;
use protocol::{CaptureMode, Frame, Screen};

/// One request to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// Who it is, what it can do and by which rules: the same for every step of a run.
    pub system: String,
    /// The task, and what was done and said since, a piece each. The next step's begins with these, until so much was
    /// done that the oldest goes.
    pub past: Vec<String>,
    /// The screen, and what else holds for this step alone.
    pub now: String,
    /// The picture, already scaled and blanked; absent when there is none to send.
    pub picture: Option<Frame>,
    /// Width and height of the picture its points count by, also where that is not sent again; the screen's where there
    /// is none.
    pub size: (u32, u32),
    /// A question beside the task: its answer is no step.
    pub aside: bool,
    /// The same facts as data, for a model that is a program (the demo AI).
    pub facts: Facts,
}

impl Prompt {
    /// A question without a screen, beside a task.
    #[must_use]
    pub fn question(system: &str, question: String, picture: Option<Frame>, facts: Facts) -> Self {
        Self {
            system: system.to_owned(),
            past: Vec::new(),
            now: question,
            size: picture
                .as_ref()
                .map_or((0, 0), |picture| (picture.width, picture.height)),
            picture,
            aside: true,
            facts,
        }
    }

    /// The past and the now in one.
    #[must_use]
    pub fn user(&self) -> String {
        let mut user = self.past.concat();
        user.push_str(&self.now);
        user
    }
}

/// What a step is decided on, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The person's words.
    pub goal: String,
    /// The screen as the model may know it: secrets replaced, in real pixels.
    pub screen: Screen,
    /// What happened so far, oldest first.
    pub history: Vec<HistoryLine>,
    /// What the person said since the run began, oldest first.
    pub said: Vec<String>,
    /// The apps that can be opened: package and label. Empty when not asked for yet.
    pub apps: Vec<(String, String)>,
    /// What the model asked to be shown of this look.
    pub show: Option<CaptureView>,
}

/// What of the next look a capture shows the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureView {
    /// Numbered marks and elements, the picture alone, or the elements alone.
    pub mode: CaptureMode,
    /// Elements listed at most.
    pub max_elements: u32,
}

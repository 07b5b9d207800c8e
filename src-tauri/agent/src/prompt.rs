//! What the model is told. Pure, bounded, snapshot-tested.
//!
//! Three parts, by how long they stay the same, so that makers' prompt caches can keep as much as there is: the
//! [system](Prompt::system) is the same for a whole run; the [past](Prompt::past) is the task and what was done, and
//! each step's begins with the one's before; the [now](Prompt::now) is the screen. A model is asked in one turn: of
//! older screens it has the line that says what was done on them, never their pictures or lists.

mod now;
mod past;
mod shorter;

pub use shorter::shorter;

use crate::history::History;
use crate::plan::Show;
use crate::pointing::Pointing;
use crate::ports::ModelCapabilities;
use protocol::{CaptureMode, Frame, Screen};
use screen::Space;

/// What it can do and by which rules: the same for every step.
const SYSTEM: &str = include_str!("prompt/system.md");
/// How a model answers that calls no tool: goes behind the system part.
pub const IN_TEXT: &str = include_str!("prompt/text.md");

/// Where each model is told how to point, in numbers of its own.
const POINT: &str = "‹point›";
const POINTS: &str = "‹points›";

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
    pub history: Vec<Line>,
    /// What the person said since the run began, oldest first.
    pub said: Vec<String>,
    /// The apps that can be opened: package and label. Empty when not asked for yet.
    pub apps: Vec<(String, String)>,
}

/// One line of history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The step it belongs to.
    pub step: u32,
    /// The action as JSON, or empty when there was none.
    pub action: String,
    /// What stood on the element it touched: a number of an older screen says nothing. Empty when unknown.
    pub label: String,
    /// What came of it, in the words the model is told: `done`, `denied by the person`, …
    pub result: String,
}

/// Something that was added after so many lines of history (those that are gone count too).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added<T> {
    /// Lines of history before it.
    pub after: usize,
    /// What.
    pub what: T,
}

/// Everything a prompt is made of.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The person's words.
    pub goal: &'a str,
    /// What the person said since.
    pub said: &'a [Added<String>],
    /// This step, from 1, and how many there may be.
    pub step: (u32, u32),
    /// What was done.
    pub history: &'a History,
    /// The screen, secrets replaced.
    pub screen: &'a Screen,
    /// The picture, secrets blanked, in real pixels; absent when there is none.
    pub picture: Option<&'a Frame>,
    /// This picture went with the last request: where the elements say what stands on it, it is not sent again.
    pub is_same: bool,
    /// The apps that can be opened, once they were asked for.
    pub apps: Option<Added<&'a [(String, String)]>>,
    /// What the model asked to be shown of this look.
    pub show: Option<Show>,
    /// Programs a script may start, where scripts run on the person's computer; absent where they run on the phone.
    pub scripts_here: Option<&'a [String]>,
    /// Names of saved passwords that may be typed where the phone is now.
    pub saved: &'a [String],
    /// What the model wants to be sent.
    pub capabilities: ModelCapabilities,
    /// How it points.
    pub pointing: Pointing,
}

/// Builds one request.
#[must_use]
pub fn build(parts: &Parts<'_>) -> Prompt {
    let mode = parts.show.map(|show| show.mode);
    let elements = now::listed(parts);
    let is_told = parts.show.is_none() && parts.capabilities.elements && elements.len() >= now::ENOUGH;
    let frame = parts
        .picture
        .filter(|_| parts.capabilities.picture && mode != Some(CaptureMode::Ax));
    let longest = if is_told {
        parts.capabilities.longest_beside
    } else {
        parts.capabilities.longest_side
    };
    let size = frame.map_or((parts.screen.width, parts.screen.height), |frame| {
        parts.pointing.picture_size(frame.width, frame.height, longest)
    });
    let is_left_out = is_told && parts.is_same && frame.is_some();
    let picture = frame
        .filter(|_| !is_left_out)
        .and_then(|frame| screen::picture::scale_to(frame, size.0, size.1).ok());
    let is_marked = mode.map_or(parts.capabilities.marks, |mode| mode == CaptureMode::Som);
    let picture = picture.map(|frame| {
        if !is_marked {
            return frame;
        }
        let scale = screen::picture::Scale::of((parts.screen.width, parts.screen.height), &frame);
        screen::picture::marks(&frame, &elements, scale).unwrap_or(frame)
    });
    let size = if picture.is_some() || is_left_out {
        size
    } else {
        (parts.screen.width, parts.screen.height)
    };
    let told = now::Told {
        elements: &elements,
        has_picture: picture.is_some(),
        has_marks: is_marked && picture.is_some(),
        is_left_out,
        size,
    };
    Prompt {
        system: system(parts.pointing.space.by_name()),
        past: past::pieces(parts),
        now: now::text(parts, &told),
        picture,
        size,
        aside: false,
        facts: Facts {
            goal: parts.goal.to_owned(),
            screen: parts.screen.clone(),
            history: parts.history.lines().to_vec(),
            said: parts.said.iter().map(|said| said.what.clone()).collect(),
            apps: parts
                .apps
                .as_ref()
                .map(|apps| apps.what.to_vec())
                .unwrap_or_default(),
        },
    }
}

/// The same for every step of a run: it depends on the model alone.
fn system(space: Space) -> String {
    let (point, points) = match space {
        Space::Screen => ("x: 540, y: 1200", "Coordinates are pixels of the screen."),
        Space::Picture => (
            "x: 288, y: 640",
            "Coordinates are pixels of the picture you are sent, else of the screen.",
        ),
        Space::Thousandths | Space::ThousandthsYx => (
            "x: 500, y: 500",
            "Coordinates are thousandths of the screen, 0 to 1000.",
        ),
        Space::Unit => (
            "x: 0.5, y: 0.5",
            "Coordinates are parts of the screen, 0 to 1, from its top left corner.",
        ),
    };
    SYSTEM.replace(POINTS, points).replace(POINT, point)
}

/// At most `most` characters; what is left out is marked.
fn cut(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut out: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        out.push('…');
    }
    out
}

/// Words from the phone, on one line, between quotes that cannot be closed from inside.
fn quote(text: &str, most: usize) -> String {
    serde_json::to_string(&cut(text, most)).unwrap_or_else(|_| "\"\"".to_owned())
}

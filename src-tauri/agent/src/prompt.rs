//! What the model is told. Pure, bounded, snapshot-tested.
//!
//! Three parts, by how long they stay the same, so that makers' prompt caches can keep as much as there is: the
//! [system](Prompt::system) is the same for a whole run; the [past](Prompt::past) is the task and what was done, and
//! each step's begins with the one's before; the [now](Prompt::now) is the screen. A model is asked in one turn: of
//! older screens it has the line that says what was done on them, never their pictures or lists.

mod now;
mod parts;
mod past;
mod quote;
mod shorter;

pub use crate::history::HistoryLine;
pub use crate::request::{Facts, Prompt};
pub use parts::{Added, PromptParts};
pub use quote::cut;
pub use shorter::shorter;

use protocol::CaptureMode;
use screen::Space;

/// What it can do and by which rules: the same for every step.
const SYSTEM: &str = include_str!("prompt/system.md");
/// How a model answers that calls no tool: goes behind the system part.
pub const IN_TEXT: &str = include_str!("prompt/text.md");

/// What a model that goes by numbers is told with a picture whose elements are not there yet.
pub const UNLISTED: &str =
    "Its elements are not listed this time: point at what the picture shows, or name it by the text on it.\n";

/// Where each model is told how to point, in numbers of its own.
const POINT: &str = "‹point›";
const POINTS: &str = "‹points›";

/// Builds one request.
#[must_use]
pub fn build(parts: &PromptParts<'_>) -> Prompt {
    let mode = parts.show.map(|show| show.mode);
    let frame = parts
        .picture
        .filter(|_| parts.capabilities.picture && mode != Some(CaptureMode::Ax));
    let elements = now::listed(parts, frame.is_some());
    let is_told = parts.show.is_none() && parts.capabilities.elements && elements.len() >= now::ENOUGH;
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
        screen::picture::marks(&frame, &parts.screen.elements, scale).unwrap_or(frame)
    });
    let size = if picture.is_some() || is_left_out {
        size
    } else {
        (parts.screen.width, parts.screen.height)
    };
    let told = now::ScreenContext {
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
            show: parts.show,
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

//! Why a target was not found.

use super::place::place;
use crate::rect;
use protocol::{Element, Place, Role, Screen};

/// Why a target gives no pixel. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The target names nothing.
    #[error("the target names nothing to find")]
    Nothing,
    /// Elements are asked for, but the screen's could not be read.
    #[error("this screen's elements could not be read; point by coordinates")]
    Unread,
    /// No such track id on this screen.
    #[error("no element with track id {0} on this screen")]
    NoTrackId(String),
    /// No such number on this screen.
    #[error("there is no element {number}: this screen has {count}")]
    NoElement {
        /// The number asked for.
        number: u32,
        /// How many there are.
        count: usize,
    },
    /// The number was good on the screen the model was shown; on the newest one that element is gone or another.
    #[error("element {number} is not what it was: the screen changed; look again")]
    Stale {
        /// The number asked for.
        number: u32,
    },
    /// No such text.
    #[error("no element says {0:?}")]
    NoText(String),
    /// Several elements fit equally well.
    #[error(
        "{count} elements fit equally well: {}; name one by its number",
        named(candidates)
    )]
    Ambiguous {
        /// How many.
        count: usize,
        /// At most 20 of them.
        candidates: Vec<Candidate>,
    },
    /// A box whose numbers are not thousandths of the screen.
    #[error("a box is four numbers from 0 to 1000, in thousandths of the screen")]
    NotThousandths,
    /// A point beside the screen.
    #[error("the point {x}, {y} is not on the screen of {width} × {height}")]
    OffScreen {
        /// From the left, whole pixels.
        x: i64,
        /// From the top, whole pixels.
        y: i64,
        /// The screen's.
        width: u32,
        /// The screen's.
        height: u32,
    },
    /// Not a number, or infinite.
    #[error("a coordinate is not a number")]
    NotANumber,
}

/// One of several elements that fit. What stands on it is left out on purpose: this goes to the model and into the
/// journal, and the screen it was found on is the one where nothing is masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its number on the newest screen.
    pub number: u32,
    /// What it is.
    pub role: Role,
    /// Roughly where it is.
    pub place: Place,
}

impl Candidate {
    pub(super) fn of(element: &Element, screen: &Screen) -> Self {
        let (x, y) = rect::centre(element.bounds);
        Self {
            number: element.index,
            role: element.role,
            place: place(x, y, screen.width, screen.height),
        }
    }
}

/// `4 (button, left), 5 (button, middle)`.
fn named(candidates: &[Candidate]) -> String {
    let name = |one: &Candidate| {
        let place = match one.place {
            Place::TopLeft => "top left",
            Place::Top => "top",
            Place::TopRight => "top right",
            Place::Left => "left",
            Place::Middle => "middle",
            Place::Right => "right",
            Place::BottomLeft => "bottom left",
            Place::Bottom => "bottom",
            Place::BottomRight => "bottom right",
            Place::ThisComputer => "elsewhere",
        };
        format!("{} ({}, {place})", one.number, one.role)
    };
    let names: Vec<String> = candidates.iter().map(name).collect();
    names.join(", ")
}

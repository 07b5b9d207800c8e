//! How a model points: what its numbers count, which picture it takes, and its reply in pixels of the screen.
//!
//! Families of models differ (`screen::FAMILIES`), and one that is read in another's numbers touches the wrong corner.
//! The prompt tells each model to write in its own; what it wrote is turned here into pixels of the screen as it is now,
//! before the judge sees it.

use dialect::{Dialect, Parsed};
use protocol::{Act, Action, Unclear};
use screen::{Family, Fit, Misplaced, Space, View, action_on_screen, family};

/// How a model points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointing {
    /// What the numbers of its points count.
    pub space: Space,
    /// The picture it takes without scaling it again; absent where nobody knows.
    pub fit: Option<Fit>,
    /// It counts so whatever dialect it writes. Else a dialect that has a space of its own keeps it.
    always: bool,
}

impl Pointing {
    /// Pixels of the screen: programs, which are told the screen's own.
    pub const SCREEN: Self = Self::of_space(Space::Screen);
    /// A model nobody knows: pixels of the picture as it is sent, which is what it can be told. Where none is sent, of
    /// the screen.
    pub const UNKNOWN: Self = Self::of_space(Space::Picture);

    const fn of_space(space: Space) -> Self {
        Self {
            space,
            fit: None,
            always: false,
        }
    }

    /// A model that counts so, whatever it is called.
    #[must_use]
    pub const fn in_space(space: Space) -> Self {
        Self {
            always: true,
            ..Self::of_space(space)
        }
    }

    /// As a whole family does.
    #[must_use]
    pub const fn of_family(family: &Family) -> Self {
        Self {
            space: family.space,
            fit: Some(family.fit),
            always: true,
        }
    }

    /// The same, but counting so: what somebody found out goes before what is known of a family.
    #[must_use]
    pub const fn counting(self, space: Space) -> Self {
        Self {
            space,
            fit: self.fit,
            always: true,
        }
    }

    /// By a model's name, as its provider writes it.
    #[must_use]
    pub fn of(model: &str) -> Self {
        family(model).map_or(Self::UNKNOWN, Self::of_family)
    }

    /// The size a picture is sent in: what the model takes as it is, and its longer side at most `longest` (0: as it is).
    #[must_use]
    pub fn picture_size(self, width: u32, height: u32, longest: u32) -> (u32, u32) {
        let longest = if longest == 0 { u32::MAX } else { longest };
        let fit = self.fit.unwrap_or(Fit::whole(longest));
        Fit {
            longest: fit.longest.min(longest),
            ..fit
        }
        .size(width, height)
    }

    /// Reads a reply, in the dialect `told` or the one it shows; its plain coordinates stay as they were written.
    ///
    /// # Errors
    /// As [`dialect::parse`].
    #[expect(
        clippy::result_large_err,
        reason = "the contract between rooms carries the action that was refused"
    )]
    pub fn read(self, raw: &str, told: Option<Dialect>) -> Result<UnscaledReply, Unclear> {
        // Boxes are thousandths in every dialect; where the model counts so too, they are kept as boxes.
        let parsed = if self.always && self.space != Space::Thousandths {
            dialect::parse_in(raw, told, Space::Picture)?
        } else {
            dialect::parse(raw, told)?
        };
        let space = match parsed.space {
            Space::Thousandths => Space::Thousandths,
            _ if parsed.listed => self.space,
            _ => self.space.by_name(),
        };
        Ok(UnscaledReply { parsed, space })
    }
}

/// A reply that was read, its plain coordinates as the model wrote them.
#[derive(Clone, Debug, PartialEq)]
pub struct UnscaledReply {
    /// The reply.
    pub parsed: Parsed,
    /// What its plain coordinates count.
    pub space: Space,
}

/// The action with its plain coordinates in pixels of the screen as it is now. On a screen that was turned since the
/// picture was taken nothing stands where the model saw it: a point is refused, and an end that has a target is left to
/// its target.
///
/// # Errors
/// [`Misplaced`] for a point that lies nowhere.
pub fn on_screen(action: &Action, space: Space, view: &View) -> Result<Action, Misplaced> {
    let taken = (view.taken.width, view.taken.height);
    if view.has_turned() {
        let action = targets_alone(action);
        return if has_point(&action.act) {
            Err(Misplaced::Turned)
        } else {
            Ok(action)
        };
    }
    // Pixels of the screen are looked at where they are resolved.
    if space == Space::Screen || (space == Space::Picture && view.picture == taken) {
        return Ok(action.clone());
    }
    action_on_screen(&with_whole_point(action, space, view), space, view)
}

/// A scroll may name one number of its point alone: the other is the screen's middle.
fn with_whole_point(action: &Action, space: Space, view: &View) -> Action {
    let mut action = action.clone();
    if let Act::Scroll { x, y, .. } = &mut action.act
        && x.is_some() != y.is_some()
    {
        let middle = |size: u32| i32::try_from(size / 2).unwrap_or(i32::MAX);
        let (first, second) = view.to_model(space, middle(view.taken.width), middle(view.taken.height));
        x.get_or_insert(first);
        y.get_or_insert(second);
    }
    action
}

/// Without the points of ends that have a target.
fn targets_alone(action: &Action) -> Action {
    let mut action = action.clone();
    match &mut action.act {
        Act::Tap { x, y, target }
        | Act::DoubleTap { x, y, target }
        | Act::LongPress { x, y, target, .. }
        | Act::Scroll { x, y, target, .. }
        | Act::Hover { x, y, target }
            if target.is_some() =>
        {
            (*x, *y) = (None, None);
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            ..
        } => {
            if target.is_some() {
                (*x1, *y1) = (None, None);
            }
            if to_target.is_some() {
                (*x2, *y2) = (None, None);
            }
        }
        _ => {}
    }
    action
}

/// Whether it points by numbers.
fn has_point(act: &Act) -> bool {
    match act {
        Act::Tap { x, y, .. }
        | Act::DoubleTap { x, y, .. }
        | Act::LongPress { x, y, .. }
        | Act::Scroll { x, y, .. }
        | Act::Hover { x, y, .. } => x.is_some() || y.is_some(),
        Act::Drag { x1, y1, x2, y2, .. } | Act::ReadText { x1, y1, x2, y2, .. } => {
            [x1, y1, x2, y2].iter().any(|n| n.is_some())
        }
        Act::Swipe { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scroll(x: Option<f64>, y: Option<f64>) -> Action {
        let mut action: Action = serde_json::from_str(r#"{"type": "scroll"}"#).unwrap();
        if let Act::Scroll { x: to_x, y: to_y, .. } = &mut action.act {
            (*to_x, *to_y) = (x, y);
        }
        action
    }

    #[test]
    fn half_a_scrolls_point_is_completed_in_its_own_space() {
        let view = View::of((576, 1280), 1080, 2400);
        for (space, x, y, expected) in [
            (Space::Unit, Some(0.25), None, (270.0, 1200.0)),
            (Space::Unit, None, Some(0.25), (540.0, 600.0)),
            (Space::Picture, Some(144.0), None, (270.0, 1200.0)),
            (Space::Thousandths, None, Some(250.0), (540.0, 600.0)),
        ] {
            let done = on_screen(&scroll(x, y), space, &view);
            assert_eq!(done, Ok(scroll(Some(expected.0), Some(expected.1))), "{space:?}");
        }
        // Without any there is none to complete.
        let nowhere = scroll(None, None);
        assert_eq!(on_screen(&nowhere, Space::Unit, &view), Ok(nowhere));
    }

    #[test]
    fn pictures_are_sent_in_the_size_a_family_takes() {
        for (model, longest, expected) in [
            ("nobody-knows", 1280, (576, 1280)),
            ("nobody-knows", 0, (1080, 2400)),
            ("claude-sonnet-4-5", 0, (705, 1568)),
            ("claude-sonnet-4-5", 1280, (576, 1280)),
            ("qwen2.5-vl-7b", 0, (672, 1484)),
            ("qwen2.5-vl-7b", 1280, (560, 1260)),
            ("gpt-5.2", 1280, (576, 1280)),
        ] {
            let size = Pointing::of(model).picture_size(1080, 2400, longest);
            assert_eq!(size, expected, "{model} {longest}");
        }
    }
}

//! The acts of a replay: a step's own on the screen of today, and what mends a step that does not fit, each once.

use crate::interruption::Interruption;
use crate::recording::Step;
use crate::template::{Template, Variables};
use agent::ports::Heal;
use protocol::{Act, Action, Capability, Direction, Element, ElementState, ReplayedBy, Screen, Target};
use screen::rect::area;

/// Pages that are scrolled at most.
const MOST_PAGES: u32 = 3;
/// Eighths of a region: three quarters of it, so that nothing is scrolled past.
const PAGE: f64 = 6.0;

/// What was tried for the step at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HealAttempts {
    pub(crate) closed: bool,
    pub(crate) pages: u32,
    pub(crate) went_back: bool,
}

impl HealAttempts {
    /// Closes what lies over the page.
    pub(crate) fn close(&mut self, known: Interruption<'_>) -> Option<Heal> {
        if std::mem::replace(&mut self.closed, true) {
            return None;
        }
        let act = match known {
            Interruption::Closes(element) => Act::Tap {
                x: None,
                y: None,
                target: Some(numbered(element)),
            },
            Interruption::Permission => ask(Capability::Permission),
        };
        Some(heal(ReplayedBy::ClosedInterruption, act))
    }

    /// Shows the next page of what scrolls; the largest, where there are several.
    pub(crate) fn scroll(&mut self, screen: &Screen) -> Option<Heal> {
        let scrolls = |element: &&Element| element.states.contains(&ElementState::Scrollable);
        let region = screen
            .elements
            .iter()
            .filter(scrolls)
            .max_by_key(|e| area(e.bounds))?;
        if self.pages >= MOST_PAGES {
            return None;
        }
        self.pages += 1;
        let act = Act::Scroll {
            direction: Direction::Down,
            amount: PAGE,
            x: None,
            y: None,
            target: Some(numbered(region)),
        };
        Some(heal(ReplayedBy::Scrolled, act))
    }

    /// Goes back one page.
    pub(crate) fn back(&mut self) -> Option<Heal> {
        if std::mem::replace(&mut self.went_back, true) {
            return None;
        }
        let keycode = "KEYCODE_BACK".to_owned();
        Some(heal(ReplayedBy::WentBack, Act::Keyevent { keycode }))
    }
}

fn heal(by: ReplayedBy, act: Act) -> Heal {
    let action = Action::from(act);
    Heal { by, action }
}

/// By its number on the screen that was seen.
fn numbered(element: &Element) -> Target {
    Target {
        element: Some(element.index),
        ..Target::default()
    }
}

/// The person is asked, in the schema's own words.
pub(crate) fn ask(capability: Capability) -> Act {
    Act::RequestHumanAuth {
        capability,
        instruction: "Human authorization is required to continue.".to_owned(),
        timeout_sec: 300.0,
    }
}

/// A step's action with what it types and points at this time, and the app that must be in front. None: a variable has no value.
pub(crate) fn filled(
    step: &Step,
    action: &Action,
    text: Option<&Template>,
    element: Option<&Element>,
    variables: &Variables,
) -> Option<Action> {
    let mut action = action.clone();
    let words = match text {
        Some(text) => text.fill(variables)?,
        None => String::new(),
    };
    let pointed = element.map(numbered);
    match &mut action.act {
        Act::Type { text, target } => (*text, *target) = (words, pointed),
        Act::SetValue { target, value } => (*target, *value) = (pointed.unwrap_or_default(), words),
        Act::Tap { target, .. }
        | Act::DoubleTap { target, .. }
        | Act::LongPress { target, .. }
        | Act::Scroll { target, .. } => *target = pointed,
        _ => {}
    }
    if let Some(page) = step.page.as_ref().filter(|_| action.app.is_none()) {
        action.app = Some(page.package().to_owned());
    }
    Some(action)
}

//! One input that may be sent: made by the judge alone, for one thing on one screen, for a short time.

use crate::case::Case;
use crate::facts::{area, holds};
use crate::input::Input;
use protocol::{AskKind, Bounds, Screen};
use std::time::{Duration, Instant};

/// How long what was judged may be sent.
const GOOD_FOR: Duration = Duration::from_secs(60);

/// One input that may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    input: Input,
    /// None: it is no matter of a screen.
    on: Option<On>,
    until: Instant,
    deed: Option<AskKind>,
}

/// The screen it was judged on, and what a finger lands on there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct On {
    app: String,
    window: Option<String>,
    /// Pixels.
    size: (u32, u32),
    /// The smallest thing that was read there, by its place.
    target: Option<Bounds>,
}

impl Judged {
    pub(crate) fn new(input: Input, case: &Case<'_>, deed: Option<AskKind>) -> Self {
        let screen = case.screen;
        let on = On {
            app: case.app().to_owned(),
            window: screen.window.clone(),
            size: (screen.width, screen.height),
            target: input.lands().and_then(|at| smallest(screen, at)),
        };
        Self {
            input,
            on: Some(on),
            until: case.at + GOOD_FOR,
            deed,
        }
    }

    /// What is sent.
    #[must_use]
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The app in front when it was judged; empty where that was no matter.
    #[must_use]
    pub fn app(&self) -> &str {
        self.on.as_ref().map_or("", |on| &on.app)
    }

    /// What it is known to do, and is not asked about: by the person's switch, an element they always allow, a mandate.
    #[must_use]
    pub fn deed(&self) -> Option<AskKind> {
        self.deed
    }

    /// Whether it may still be sent at this time.
    #[must_use]
    pub fn is_good(&self, now: Instant) -> bool {
        now <= self.until
    }

    /// Whether it was judged for what is on this screen: the same app and window in the same size, and where a finger lands the
    /// same thing in the same place.
    #[must_use]
    pub fn is_for(&self, screen: &Screen) -> bool {
        self.on.as_ref().is_none_or(|on| {
            on.app == screen.current_app
                && on.window == screen.window
                && on.size == (screen.width, screen.height)
                && self.input.lands().and_then(|at| smallest(screen, at)) == on.target
        })
    }
}

/// Lighting the screen and sweeping away a lock screen that asks for nothing: nothing a person would miss, so no look is
/// needed for it.
#[must_use]
pub fn wake(now: Instant) -> Judged {
    Judged {
        input: Input::Wake,
        on: None,
        until: now + GOOD_FOR,
        deed: None,
    }
}

/// Where the smallest thing lies that holds this point.
fn smallest(screen: &Screen, at: (i32, i32)) -> Option<Bounds> {
    let all = screen.elements.iter().map(|element| element.bounds);
    all.filter(|bounds| holds(*bounds, at))
        .min_by_key(|bounds| area(*bounds))
}

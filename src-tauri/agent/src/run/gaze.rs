//! What the run keeps of its looks: the picture the last action came to rest with, what follows a thing from screen to
//! screen, and whether the last look was harmless.

use crate::ports::RawObservation;
use protocol::Element;
use std::time::Duration;
use tokio::time::Instant;

/// How old the settling's last picture may be to count as a look.
const FRESH: Duration = Duration::from_millis(300);

/// One run's eye.
pub(super) struct Gaze {
    tracker: screen::Tracker,
    /// What the settling after the last action saw.
    fresh: Option<(RawObservation, Instant)>,
    /// The last look was read, and nothing secret was asked for on it.
    harmless: bool,
    /// The app whose screen could not be read, tried twice.
    unread_in: Option<String>,
    /// The phone may have fallen asleep since the run last looked.
    rested: bool,
}

impl Gaze {
    pub(super) fn new() -> Self {
        Self {
            tracker: screen::Tracker::new(),
            fresh: None,
            harmless: false,
            unread_in: None,
            rested: true,
        }
    }

    /// Gives elements their track ids.
    pub(super) fn follow(&mut self, elements: &mut [Element], width: u32, height: u32) {
        self.tracker.follow(elements, width, height);
    }

    /// This is what the screen came to rest with just now; nothing where it did not.
    pub(super) fn settled(&mut self, sight: Option<RawObservation>) {
        self.fresh = sight.map(|sight| (sight, Instant::now()));
    }

    /// That picture, where it is still of now.
    pub(super) fn take_fresh(&mut self) -> Option<RawObservation> {
        let (sight, at) = self.fresh.take()?;
        (at.elapsed() <= FRESH).then_some(sight)
    }

    pub(super) fn was_harmless(&mut self, harmless: bool) {
        self.harmless = harmless;
    }

    pub(super) fn is_harmless(&self) -> bool {
        self.harmless
    }

    /// In this app a screen could not be read, tried twice; or it can be again.
    pub(super) fn unread_in(&mut self, app: Option<&str>) {
        self.unread_in = app.map(str::to_owned);
    }

    pub(super) fn is_unread_in(&self, app: &str) -> bool {
        self.unread_in.as_deref() == Some(app)
    }

    /// Nothing seen before counts any more.
    pub(super) fn rest(&mut self) {
        self.fresh = None;
        self.harmless = false;
    }

    /// It may have fallen asleep meanwhile.
    pub(super) fn go_on(&mut self) {
        self.rested = true;
    }

    /// Whether it may have, once.
    pub(super) fn take_rested(&mut self) -> bool {
        std::mem::take(&mut self.rested)
    }
}

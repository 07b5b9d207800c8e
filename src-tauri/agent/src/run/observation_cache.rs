//! What the run keeps of its looks: the last one as long as nothing was touched since, the picture the last action came to rest
//! with, what follows a thing from screen to screen, and how long this phone's tree takes.

use super::observation::Observation;
use crate::ports::{PictureSource, RawObservation, TreeMark};
use judge::Judged;
use protocol::{Bounds, Element};
use screen::rect::overlap;
use std::time::Duration;
use tokio::time::Instant;

/// How old a picture may be to count as one of now, and be acted by without being held against the phone: what goes by itself
/// is gone within a second.
const FRESH: Duration = Duration::from_millis(300);
/// A tree that takes longer is not waited for where a picture will do.
const SLOW_TREE: Duration = Duration::from_millis(400);

/// Something that goes on changing in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OngoingMotion {
    pub(super) app: String,
    /// Pixels of the screen.
    pub(super) place: Bounds,
}

impl OngoingMotion {
    /// Whether it is the same that goes on: in the same app, and in a place that meets the other.
    fn is(&self, other: &Self) -> bool {
        self.app == other.app && overlap(self.place, other.place)
    }
}

/// What one run keeps of its looks.
pub(super) struct ObservationCache {
    tracker: screen::Tracker,
    /// The last whole look; absent once the phone was touched.
    known: Option<Observation>,
    /// A person had the time to use the phone since the last look, however short that was.
    unsure: bool,
    /// What the settling after the last action saw.
    fresh: Option<(RawObservation, Instant)>,
    /// What goes on moving though it was waited for.
    endless: Option<OngoingMotion>,
    /// How long the last tree took to be read.
    tree_took: Option<Duration>,
    /// Which reader gave it.
    reader: Option<u64>,
    /// The last look was read, and nothing secret was asked for on it.
    harmless: bool,
    /// The app whose screen could not be read, tried twice.
    unread_in: Option<String>,
    /// The phone may have fallen asleep since the run last looked.
    rested: bool,
}

impl ObservationCache {
    /// Nothing was seen yet. `tree_took`: what is known of this phone from before.
    pub(super) fn new(tree_took: Option<Duration>) -> Self {
        Self {
            tracker: screen::Tracker::new(),
            known: None,
            unsure: false,
            fresh: None,
            endless: None,
            tree_took,
            reader: None,
            harmless: false,
            unread_in: None,
            rested: true,
        }
    }

    /// Gives elements their track ids.
    pub(super) fn follow(&mut self, elements: &mut [Element], width: u32, height: u32) {
        self.tracker.follow(elements, width, height);
    }

    /// A whole look. One whose screen could not be read, or said nothing, is not kept: it may be readable next time.
    pub(super) fn know(&mut self, seen: &Observation) {
        let screen = &seen.screen;
        let is_told = screen.tree_read && screen.elements.iter().any(|element| !element.label.is_empty());
        self.known = is_told.then(|| seen.clone());
        self.unsure = false;
    }

    /// The last whole look, where nothing reached the phone since.
    pub(super) fn take_known(&mut self) -> Option<Observation> {
        self.known.take()
    }

    /// A person was asked, and may have used the phone.
    pub(super) fn was_asked(&mut self) {
        self.unsure = true;
    }

    /// Whether the last look is to be held against the phone, however new it is.
    pub(super) fn is_unsure(&self) -> bool {
        self.unsure
    }

    /// Something is about to reach the phone: what was seen is what was there before. Gives the last look.
    pub(super) fn touch(&mut self) -> Option<Observation> {
        self.fresh = None;
        self.known.take()
    }

    /// The same for what was judged. Nothing where it was judged for another screen than the last that was looked at: then
    /// nothing may reach the phone.
    pub(super) fn touch_with<'a>(
        &mut self,
        judged: impl IntoIterator<Item = &'a Judged>,
    ) -> Option<Option<Observation>> {
        let screen = self.known.as_ref().map(|known| &known.screen);
        let fits = screen.is_none_or(|screen| judged.into_iter().all(|one| one.is_for(screen)));
        fits.then(|| self.touch())
    }

    /// Nothing reached it after all.
    pub(super) fn untouched(&mut self, known: Option<Observation>) {
        self.known = known;
    }

    /// This is what the screen came to rest with just now; nothing where it did not.
    pub(super) fn settled(&mut self, sight: Option<RawObservation>) {
        // A stream that tells of nothing that turns: what turned has stopped.
        if let Some(sight) = &sight
            && sight.quiet
            && sight.source == PictureSource::Stream
            && sight.restless.is_none()
        {
            self.endless = None;
        }
        self.fresh = sight.map(|sight| (sight, Instant::now()));
    }

    /// That picture, while it is kept.
    pub(super) fn fresh(&self) -> Option<&RawObservation> {
        self.fresh.as_ref().map(|(sight, _)| sight)
    }

    /// This was waited for in vain.
    pub(super) fn never_ends(&mut self, motion: OngoingMotion) {
        self.endless = Some(motion);
    }

    /// Whether this was waited for before, and goes on.
    pub(super) fn is_endless(&self, motion: &OngoingMotion) -> bool {
        self.endless.as_ref().is_some_and(|endless| endless.is(motion))
    }

    /// That picture, where it is still of now.
    pub(super) fn take_fresh(&mut self) -> Option<RawObservation> {
        let (sight, at) = self.fresh.take()?;
        is_fresh(at).then_some(sight)
    }

    /// A tree was read, and took so long. The first that a reader gives holds its start, which the next do not.
    pub(super) fn tree_took(&mut self, took: Duration, mark: Option<TreeMark>) {
        let reader = mark.map(|mark| mark.reader);
        let is_first = reader.is_some() && reader != self.reader;
        self.reader = reader;
        self.tree_took = (!is_first).then_some(took);
    }

    /// Whether this phone's trees come late. One that never gave any may be quick.
    pub(super) fn is_tree_slow(&self) -> bool {
        self.tree_took.is_some_and(|took| took > SLOW_TREE)
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
        self.known = None;
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

/// Whether a picture taken then is one of now.
pub(super) fn is_fresh(at: Instant) -> bool {
    at.elapsed() <= FRESH
}

//! Looking: the picture, the app in front, and what stands on the screen.

use super::halt::Halt;
use super::likeness::{drawn_since, is_picture, shows_same};
use super::observation::Observation;
use super::phone_error::phone_trouble;
use super::state::Run;
use crate::ports::{KeptScreen, Phone, PhoneError, PictureSource, RawObservation, RawTree};
use crate::secrets::{Masked, shows_code};
use crate::timing::Waited;
use protocol::{CaptureResult, FrameId, PauseReason, Screen, Totals, What};
use screen::Tree;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Elements kept for judging; the prompt shows fewer.
const ELEMENTS: usize = 1000;

impl Run {
    /// Looks, keeps the picture, tells.
    pub(super) async fn look(&mut self) -> Result<Observation, Halt> {
        let seen = self.glance().await?;
        let seen = self.loaded(seen).await?;
        self.tell_look(&seen).await?;
        Ok(seen)
    }

    pub(super) async fn tell_look(&mut self, seen: &Observation) -> Result<(), Halt> {
        let screen = &seen.screen;
        if screen.capture == CaptureResult::Protected && !screen.tree_read {
            return Err(Halt::Pause(PauseReason::Protected));
        }
        let looked = What::Looked {
            step: self.budget.step(),
            frame: seen.frame.clone(),
            app: screen.current_app.clone(),
            width: screen.width,
            height: screen.height,
            capture: screen.capture,
            elements: u32::try_from(screen.elements.len()).unwrap_or(u32::MAX),
        };
        self.record(looked).await
    }

    /// Looks and keeps the picture, and tells nobody.
    pub(super) async fn glance(&mut self) -> Result<Observation, Halt> {
        let (see, read) = (self.seeing(), self.reading());
        let (sight, tree) = if self.observation_cache.is_tree_slow() {
            let phone = Arc::clone(&self.ports.phone);
            let first = async {
                let mut sight = see.await;
                if let Ok(taken) = sight.out {
                    sight.out = Ok(comparable(&*phone, taken).await);
                }
                (sight, read.await)
            };
            self.race(first).await?
        } else {
            self.race(async { tokio::join!(see, read) }).await?
        };
        self.put_together(sight, tree).await
    }

    /// The same where the picture is there already.
    pub(super) async fn glance_with(&mut self, sight: RawObservation) -> Result<Observation, Halt> {
        let sight = TimedResult::now(Ok(sight));
        let read = self.reading();
        let tree = self.race(read).await?;
        self.put_together(sight, tree).await
    }

    /// The picture the settling ended with, where it is still of now; else a new one.
    pub(super) fn seeing(
        &mut self,
    ) -> impl Future<Output = TimedResult<Result<RawObservation, PhoneError>>> + Send + use<> {
        let phone = Arc::clone(&self.ports.phone);
        let fresh = self.observation_cache.take_fresh();
        async move {
            match fresh {
                Some(sight) => TimedResult::now(Ok(sight)),
                None => TimedResult::of(async { phone.see().await }).await,
            }
        }
    }

    /// The tree.
    pub(super) fn reading(
        &self,
    ) -> impl Future<Output = TimedResult<Result<RawTree, PhoneError>>> + Send + use<> {
        let phone = Arc::clone(&self.ports.phone);
        TimedResult::of(async move { phone.read().await })
    }

    /// A picture and a tree, of one moment or nearly, become what was seen; the picture is kept.
    pub(super) async fn put_together(
        &mut self,
        sight: TimedResult<Result<RawObservation, PhoneError>>,
        tree: TimedResult<Result<RawTree, PhoneError>>,
    ) -> Result<Observation, Halt> {
        self.timeline.spent(Waited::Picture, sight.since, sight.took);
        self.timeline.spent(Waited::Tree, tree.since, tree.took);
        if let Ok(read) = &tree.out {
            self.observation_cache.tree_took(tree.took, read.mark);
        }
        let Pair {
            sight,
            tree,
            read,
            at,
            is_first,
            whole,
        } = self.pair(sight, tree.out).await?;
        let sight = sight.map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
        match &tree {
            Err(trouble) if trouble.is_unreachable() => {
                return Err(Halt::Pause(phone_trouble(trouble)));
            }
            Err(trouble) => tracing::info!(%trouble, "no UI tree this time"),
            Ok(_) => {}
        }
        // A mark of after the tree proves nothing of it.
        let restless = sight.restless;
        let (source, mark) = (sight.source, sight.mark.filter(|_| is_first || whole));
        let rotation = read.as_ref().map(|tree| tree.rotation);
        let address = read.as_ref().and_then(screen::address);
        let mut screen = compose(&self.task.phone, sight, read);
        if screen.tree_read {
            self.observation_cache
                .follow(&mut screen.elements, screen.width, screen.height);
        }
        let page = judge::Page::new(&screen);
        if page.code_field().is_some() || shows_code(&screen) {
            self.secrets.expect_code();
        }
        self.observation_cache
            .was_harmless(screen.tree_read && !page.wants_secret());
        self.read.add(&screen, &self.written);
        self.find_fitting(&screen.current_app, address.as_deref()).await?;
        let shown = self.secrets.mask(&screen);
        let frame = self.keep(&shown).await?;
        let seen = Observation {
            number: self.torn_read.next(),
            whole: whole || !screen.tree_read,
            screen,
            shown,
            frame,
            at,
            rotation,
            address,
            opinion: None,
            restless,
            source,
            mark,
            tree_mark: tree.ok().and_then(|tree| tree.mark),
            mask_level: self.secrets.mask_level(),
        };
        if is_first && seen.tree_mark.is_none() && seen.screen.tree_read && seen.screen.frame.is_some() {
            self.torn_read.begin(Arc::clone(&self.ports.phone), &seen);
        }
        self.observation_cache.know(&seen);
        Ok(seen)
    }

    /// A picture and a tree that may be of one screen. The tree takes seconds: when another app came up meanwhile, or the phone was
    /// turned, the picture is of the moment before; and when the app of that picture is in front again, the tree is of what has gone.
    async fn pair(
        &mut self,
        sight: TimedResult<Result<RawObservation, PhoneError>>,
        tree: Result<RawTree, PhoneError>,
    ) -> Result<Pair, Halt> {
        let mut pair = Pair {
            at: sight.since + sight.took,
            sight: sight.out,
            tree,
            read: None,
            is_first: true,
            whole: false,
        };
        pair.read_tree();
        if pair.agrees() {
            return Ok(pair);
        }
        let phone = Arc::clone(&self.ports.phone);
        let now = self.race(async move { phone.see().await }).await?;
        let first = std::mem::replace(&mut pair.sight, now).ok();
        pair.at = Instant::now();
        // Elements are clipped to the screen: on one of another size they are made anew.
        pair.read_tree();
        if let (false, Ok(_), Some(of)) = (pair.agrees(), &pair.sight, &pair.read) {
            let of = of.packages.clone();
            let reading = self.reading();
            let again = self.race(reading).await?.out;
            let before = std::mem::replace(&mut pair.tree, again);
            pair.read_tree();
            if pair.read.as_ref().is_some_and(|now| now.packages != of) {
                return Ok(pair);
            }
            // Some windows are of another package than the app in front, and stay.
            pair.tree = before;
            pair.read_tree();
        }
        pair.is_first = false;
        if let (Some(first), Ok(after)) = (first, &pair.sight) {
            let (source, half) = (first.source, compose(&self.task.phone, first, None));
            pair.whole = shows_same(&half, source, after);
        }
        Ok(pair)
    }

    pub(super) async fn keep(&mut self, shown: &Masked) -> Result<Option<FrameId>, Halt> {
        let Some(picture) = shown.picture.clone() else {
            return Ok(None);
        };
        let journal = Arc::clone(&self.ports.journal);
        let run = self.task.run.clone();
        let (width, height) = (shown.screen.width, shown.screen.height);
        let elements = shown.screen.elements.clone();
        let keeping = async move {
            let screen = KeptScreen {
                picture: &picture,
                width,
                height,
                elements: &elements,
            };
            journal.keep(&run, screen).await
        };
        let kept = self.race(keeping).await?;
        kept.map(Some)
            .map_err(|failure| Halt::Pause(PauseReason::Journal { failure }))
    }
}

/// A picture, and a tree read beside it.
struct Pair {
    sight: Result<RawObservation, PhoneError>,
    tree: Result<RawTree, PhoneError>,
    /// The tree, for a screen of the picture's size.
    read: Option<Tree>,
    /// When the picture was taken.
    at: Instant,
    /// The picture was taken before the tree was read.
    is_first: bool,
    /// One before it showed the same as one after it.
    whole: bool,
}

impl Pair {
    fn read_tree(&mut self) {
        self.read = match (&self.sight, &self.tree) {
            (Ok(sight), Ok(tree)) => tree_of(&tree.xml, sight),
            _ => None,
        };
    }

    /// Nothing speaks against it that both are of one screen.
    fn agrees(&self) -> bool {
        let (Ok(sight), Some(tree)) = (&self.sight, &self.read) else {
            return true;
        };
        (tree.packages.contains(&sight.app) || tree.packages.is_empty()) && !is_turned(tree, sight)
    }
}

/// A picture that those of after the tree can be held against. A stream that cannot prove that nothing was drawn gives way to a
/// capture: coded letters beside sharp ones prove nothing.
pub(super) async fn comparable(phone: &dyn Phone, sight: RawObservation) -> RawObservation {
    if sight.source == PictureSource::Capture || drawn_since(phone, &sight).await.is_some() {
        return sight;
    }
    match phone.see_again(&sight).await {
        Ok(capture) if is_picture(&capture) => capture,
        _ => sight,
    }
}

/// What stands on the screen a sight shows; none where that cannot be read.
fn tree_of(xml: &str, sight: &RawObservation) -> Option<Tree> {
    Tree::read(xml, sight.width, sight.height, ELEMENTS)
        .inspect_err(|error| tracing::warn!(%error, "the UI tree could not be read"))
        .ok()
}

/// Whether a tree is of a screen that lies where the picture's stands, or the other way round: it reaches beyond the
/// picture. Half of a screen, wider than it is high, does not.
fn is_turned(tree: &Tree, sight: &RawObservation) -> bool {
    let ((across, down), (width, height)) = (tree.extent, (sight.width, sight.height));
    let beyond = across > width || down > height;
    beyond && across != down && width != height && across.min(down) > 0 && (across > down) != (width > height)
}

/// Whether a tree is one, for a screen of this size.
pub(super) fn can_be_read(xml: &str, (width, height): (u32, u32)) -> bool {
    Tree::read(xml, width, height, ELEMENTS).is_ok()
}

/// Picture and tree become one screen.
pub(super) fn compose(phone: &protocol::PhoneId, sight: RawObservation, read: Option<Tree>) -> Screen {
    let tree_read = read.is_some();
    let tree_bounds = read.as_ref().and_then(Tree::bounds);
    let (elements, totals) = read.map_or_else(
        || (Vec::new(), Totals::default()),
        |tree| (tree.elements, tree.totals),
    );
    Screen {
        phone: phone.clone(),
        current_app: sight.app,
        window: sight.window,
        width: sight.width,
        height: sight.height,
        captured_at: sight.at,
        capture: sight.capture,
        frame: sight.frame,
        elements,
        tree_read,
        tree_bounds,
        totals,
        keyboard_shown: sight.keyboard_shown,
    }
}

/// What came of a wait, when it began and how long it took.
pub(super) struct TimedResult<T> {
    pub(super) out: T,
    pub(super) since: Instant,
    pub(super) took: Duration,
}

impl<T> TimedResult<T> {
    async fn of(work: impl Future<Output = T>) -> Self {
        let since = Instant::now();
        let out = work.await;
        Self {
            out,
            since,
            took: since.elapsed(),
        }
    }

    /// It was there already.
    pub(super) fn now(out: T) -> Self {
        Self {
            out,
            since: Instant::now(),
            took: Duration::ZERO,
        }
    }
}

//! Looking: the picture, the app in front, and what stands on the screen.

use super::halt::Halt;
use super::phone_error::phone_trouble;
use super::state::Run;
use crate::ports::{PhoneError, RawObservation};
use crate::secrets::Masked;
use protocol::{CaptureResult, Frame, FrameId, PauseReason, Screen, Totals, What};
use screen::Tree;
use std::sync::Arc;
use tokio::time::Instant;

/// Elements kept for judging; the prompt shows fewer.
const ELEMENTS: usize = 1000;

/// One look: what is there, and what of it may be told.
pub(super) struct Observation {
    /// As it is, for judging and acting.
    pub screen: Screen,
    /// As it may be told, stored and sent.
    pub shown: Masked,
    /// The stored picture.
    pub frame: Option<FrameId>,
    pub at: Instant,
    /// How the phone was turned, in quarter turns; absent where nothing said so.
    pub rotation: Option<u8>,
    /// The site in front, where it is a browser's and can be read.
    pub address: Option<String>,
    /// What somebody else thinks of this page; absent until it was heard.
    pub opinion: Option<judge::guard::Opinion>,
}

impl Observation {
    /// The same look again: pictures are shared, not copied.
    pub(super) fn copy(&self) -> Self {
        Self {
            screen: self.screen.clone(),
            shown: self.shown.clone(),
            frame: self.frame.clone(),
            at: self.at,
            rotation: self.rotation,
            address: self.address.clone(),
            opinion: self.opinion.clone(),
        }
    }
}

impl Run {
    /// Looks, keeps the picture, tells.
    pub(super) async fn look(&mut self) -> Result<Observation, Halt> {
        let seen = self.glance().await?;
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
        let phone = Arc::clone(&self.ports.phone);
        let see = self.seeing();
        let (sight, tree) = self.race(async { tokio::join!(see, phone.read()) }).await?;
        self.put_together(sight, tree).await
    }

    /// The picture the settling ended with, where it is still of now; else a new one.
    pub(super) fn seeing(
        &mut self,
    ) -> impl Future<Output = Result<RawObservation, PhoneError>> + Send + use<> {
        let phone = Arc::clone(&self.ports.phone);
        let fresh = self.gaze.take_fresh();
        async move {
            match fresh {
                Some(sight) => Ok(sight),
                None => phone.see().await,
            }
        }
    }

    /// A picture and a tree, of one moment or nearly, become what was seen; the picture is kept.
    pub(super) async fn put_together(
        &mut self,
        mut sight: Result<RawObservation, PhoneError>,
        tree: Result<String, PhoneError>,
    ) -> Result<Observation, Halt> {
        let mut read = match (&sight, &tree) {
            (Ok(sight), Ok(xml)) => tree_of(xml, sight),
            _ => None,
        };
        // The tree takes seconds: when another app came up meanwhile, or the phone was turned, the picture is of the moment
        // before.
        if let (Ok(before), Some(of)) = (&sight, &read)
            && (!of.packages.contains(&before.app) && !of.packages.is_empty() || is_turned(of, before))
        {
            let size = (before.width, before.height);
            let phone = Arc::clone(&self.ports.phone);
            sight = self.race(async move { phone.see().await }).await?;
            // Elements are clipped to the screen: on one of another size they are made anew.
            if let (Ok(after), Ok(xml)) = (&sight, &tree)
                && (after.width, after.height) != size
            {
                read = tree_of(xml, after);
            }
        }
        let sight = sight.map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
        match &tree {
            Err(trouble) if trouble.is_unreachable() => {
                return Err(Halt::Pause(phone_trouble(trouble)));
            }
            Err(trouble) => tracing::info!(%trouble, "no UI tree this time"),
            Ok(_) => {}
        }
        let at = Instant::now();
        let rotation = read.as_ref().map(|tree| tree.rotation);
        let address = read.as_ref().and_then(screen::address);
        let mut screen = compose(&self.task.phone, sight, read);
        if screen.tree_read {
            self.gaze
                .follow(&mut screen.elements, screen.width, screen.height);
        }
        if judge::Page::new(&screen).code_field().is_some() {
            self.secrets.expect_code();
        }
        self.gaze
            .was_harmless(screen.tree_read && !judge::Page::new(&screen).wants_secret());
        self.read.add(&screen);
        self.find_fitting(&screen.current_app, address.as_deref()).await?;
        let shown = self.secrets.mask(&screen);
        let frame = self.keep(&shown).await?;
        Ok(Observation {
            screen,
            shown,
            frame,
            at,
            rotation,
            address,
            opinion: None,
        })
    }

    /// A question shows its screen in full: a stream's smaller picture gives way to a capture of the same screen. None: by
    /// now it is another.
    pub(super) async fn in_full(&mut self, seen: Observation) -> Result<Option<Observation>, Halt> {
        let whole = (seen.screen.width, seen.screen.height);
        let small = |frame: &Frame| frame.width < whole.0 && frame.height < whole.1;
        if !seen.screen.frame.as_ref().is_some_and(small) {
            return Ok(Some(seen));
        }
        let phone = Arc::clone(&self.ports.phone);
        let sight = self.race(async move { phone.see().await }).await?;
        let sight = sight.map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
        if !same_picture(&seen.screen, &sight) {
            return Ok(None);
        }
        let mut screen = seen.screen;
        screen.frame = sight.frame;
        let shown = self.secrets.mask(&screen);
        let frame = self.keep(&shown).await?;
        Ok(Some(Observation {
            screen,
            shown,
            frame,
            at: Instant::now(),
            rotation: seen.rotation,
            address: seen.address,
            opinion: seen.opinion,
        }))
    }

    async fn keep(&mut self, shown: &Masked) -> Result<Option<FrameId>, Halt> {
        let Some(picture) = shown.picture.clone() else {
            return Ok(None);
        };
        let journal = Arc::clone(&self.ports.journal);
        let run = self.task.run.clone();
        let elements = shown.screen.elements.clone();
        let kept = self
            .race(async move { journal.keep_screen(&run, &picture, &elements).await })
            .await?;
        kept.map(Some)
            .map_err(|failure| Halt::Pause(PauseReason::Journal { failure }))
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

/// Whether two pictures show the same, the status bar and a caret aside.
pub(super) fn same_frame(a: &Frame, b: &Frame) -> bool {
    if (a.width, a.height) != (b.width, b.height) {
        return alike(a, b);
    }
    let bar = screen::picture::status_bar(a.width, a.height);
    let difference = screen::picture::difference(a, b, &[bar]);
    difference.is_none() || difference.is_caret()
}

/// Whether a sight shows what a screen showed, the status bar aside.
pub(super) fn same_picture(screen: &Screen, sight: &RawObservation) -> bool {
    if screen.current_app != sight.app || (screen.width, screen.height) != (sight.width, sight.height) {
        return false;
    }
    match (&screen.frame, &sight.frame) {
        (Some(a), Some(b)) => same_frame(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// The same of a capture and a stream's smaller picture: the larger is made as small, and what scaling and coding make of
/// an edge does not count.
fn alike(a: &Frame, b: &Frame) -> bool {
    let (large, small) = if a.width > b.width { (a, b) } else { (b, a) };
    let Ok(scaled) = screen::picture::scale_to(large, small.width, small.height) else {
        return false;
    };
    let bar = screen::picture::status_bar(small.width, small.height);
    screen::picture::difference_beyond(&scaled, small, &[bar], screen::picture::CODING_NOISE).is_none()
}

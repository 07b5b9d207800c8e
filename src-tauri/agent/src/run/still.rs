//! What has become of a look: whether the screen still shows it, known from the phone's stream or from one picture, so that
//! nothing is read twice.

use super::gaze::is_fresh;
use super::halt::Halt;
use super::likeness::{self, Likeness};
use super::observation::{Now, Observation};
use super::phone_error::phone_trouble;
use super::state::Run;
use crate::ports::{PhoneError, PictureSource, RawObservation};
use crate::timing::Waited;
use judge::Input;
use protocol::CaptureResult;
use std::sync::Arc;
use tokio::time::Instant;

impl Run {
    /// The last look, where nothing reached the phone since and its screen still shows the same: it keeps its tree, the app in
    /// front, its picture and its numbers.
    pub(super) async fn unchanged(&mut self) -> Result<Option<Observation>, Halt> {
        let Some(known) = self.gaze.take_known() else {
            return Ok(None);
        };
        // What must be kept secret now was not masked then.
        if known.guarded != self.secrets.guarded() {
            return Ok(None);
        }
        let seen = if is_fresh(known.at) && !self.gaze.is_unsure() {
            known
        } else {
            match self.since(known).await? {
                Now::Same(seen) => *seen,
                Now::Other(sight) => {
                    self.gaze.settled(Some(*sight));
                    return Ok(None);
                }
            }
        };
        self.find_fitting(&seen.screen.current_app, seen.address.as_deref())
            .await?;
        self.gaze.know(&seen);
        Ok(Some(seen))
    }

    /// Whether a look still shows what is there: nothing was drawn since, or its picture is the same.
    pub(super) async fn since(&mut self, seen: Observation) -> Result<Now, Halt> {
        let began = Instant::now();
        let phone = Arc::clone(&self.ports.phone);
        let before = seen.raw();
        let (drawn, sight) = self
            .race(async move {
                match drawn_since(&*phone, &before).await {
                    Some(false) => (Some(false), Ok(None)),
                    drawn => (drawn, phone.see_again(&before).await.map(Some)),
                }
            })
            .await?;
        self.timeline.waited(Waited::Check, began);
        compared(seen, drawn, sight, |seen, sight| {
            if [seen.source, sight.source] == [PictureSource::Capture; 2] {
                return likeness::is_identical(&seen.screen, seen.source, sight, true);
            }
            likeness::of_sight(&seen.screen, seen.source, sight).is_same()
        })
    }

    /// The same after a person's Yes, where it must be certain: nothing was drawn since, or two captures are the same to the pixel with
    /// the same app and window in front, which are asked for anew.
    async fn certainly_since(&mut self, seen: Observation) -> Result<Now, Halt> {
        let began = Instant::now();
        let phone = Arc::clone(&self.ports.phone);
        let before = seen.raw();
        let (drawn, sight) = self
            .race(async move {
                match drawn_since(&*phone, &before).await {
                    Some(false) => (Some(false), Ok(None)),
                    drawn => (drawn, phone.see().await.map(Some)),
                }
            })
            .await?;
        self.timeline.waited(Waited::Check, began);
        compared(seen, drawn, sight, |seen, sight| {
            sight.window == seen.screen.window
                && likeness::is_identical(&seen.screen, seen.source, sight, false)
        })
    }

    /// The screen after a Yes, with what is thought of the page that is there now: the one that was asked about where it is
    /// certain that nothing changed, else one newly read.
    pub(super) async fn look_after_yes(
        &mut self,
        asked: &Observation,
        inputs: &[Input],
    ) -> Result<Observation, Halt> {
        let is_whole = asked.screen.tree_read && asked.guarded == self.secrets.guarded();
        let mut now = if is_whole {
            match self.certainly_since(asked.clone()).await? {
                Now::Same(seen) => *seen,
                Now::Other(sight) => self.glance_with(*sight).await?,
            }
        } else {
            self.glance().await?
        };
        self.hear_opinion(&mut now, inputs).await?;
        Ok(now)
    }

    /// A newer look, because thinking took long.
    pub(super) async fn refresh(&mut self, seen: &Observation) -> Result<Observation, Halt> {
        match self.since(seen.clone()).await? {
            Now::Same(same) => {
                self.gaze.know(&same);
                Ok(*same)
            }
            Now::Other(sight) => self.glance_with(*sight).await,
        }
    }

    /// A question shows its screen in full: a stream's smaller picture gives way to a capture of the same screen. None: by
    /// now it is another.
    pub(super) async fn in_full(&mut self, seen: Observation) -> Result<Option<Observation>, Halt> {
        let whole = (seen.screen.width, seen.screen.height);
        let small = |frame: &protocol::Frame| frame.width < whole.0 && frame.height < whole.1;
        if !seen.screen.frame.as_ref().is_some_and(small) {
            return Ok(Some(seen));
        }
        let phone = Arc::clone(&self.ports.phone);
        let before = seen.raw();
        let taken = self
            .race(async move {
                let sight = phone.capture().await?;
                // Nothing drawn from before the look until after the capture: it is of the same screen.
                let is_same = drawn_since(&*phone, &before).await == Some(false);
                Ok::<_, PhoneError>((sight, is_same))
            })
            .await?;
        let (sight, is_same) = taken.map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
        let like = if is_same {
            Likeness::Same
        } else {
            likeness::of_sight(&seen.screen, seen.source, &sight)
        };
        match like {
            Likeness::Same => {}
            Likeness::Differs => return Ok(None),
            // What coding does to small letters looks like a change: what stands there decides.
            Likeness::Unsure => {
                let read = self.glance_with(sight).await?;
                let same =
                    read.screen.tree_read && screen::changed(&seen.screen, &read.screen, None).is_none();
                let said = same && read.shown.screen.elements == seen.shown.screen.elements;
                return Ok(said.then_some(Observation {
                    opinion: seen.opinion,
                    ..read
                }));
            }
        }
        let mut screen = seen.screen;
        screen.frame = sight.frame;
        let shown = self.secrets.mask(&screen);
        let frame = self.keep(&shown).await?;
        let full = Observation {
            screen,
            shown,
            frame,
            at: Instant::now(),
            source: sight.source,
            mark: sight.mark,
            guarded: self.secrets.guarded(),
            ..seen
        };
        self.gaze.know(&full);
        Ok(Some(full))
    }
}

/// Whether anything was drawn since a look; nothing where no stream can tell.
async fn drawn_since(phone: &dyn crate::ports::Phone, before: &RawObservation) -> Option<bool> {
    phone.changed_since(before.mark?).await
}

/// A look beside what is there now: nothing where nothing was drawn. A screen that gives no picture cannot be compared.
///
/// What was surely drawn is another screen, however alike the pictures are: a look's tree is read after its picture, and may be
/// of what came in between and has gone.
fn compared(
    mut seen: Observation,
    drawn: Option<bool>,
    sight: Result<Option<RawObservation>, PhoneError>,
    is_same: impl FnOnce(&Observation, &RawObservation) -> bool,
) -> Result<Now, Halt> {
    let sight = sight.map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
    if let Some(sight) = sight {
        if drawn == Some(true)
            || sight.frame.is_none()
            || sight.capture != CaptureResult::Ok
            || !is_same(&seen, &sight)
        {
            return Ok(Now::Other(Box::new(sight)));
        }
        // What was drawn until now came to the same.
        seen.mark = sight.mark;
    }
    seen.at = Instant::now();
    Ok(Now::Same(Box::new(seen)))
}

//! What has become of a look: whether the screen still shows it, known from the phone's stream or from one picture, so that
//! nothing is read twice.

use super::halt::Halt;
use super::likeness::{self, Likeness, drawn_since, is_picture, shows_same};
use super::observation::{LookCheck, Observation};
use super::observation_cache::is_fresh;
use super::phone_error::phone_trouble;
use super::state::Run;
use crate::ports::PhoneError;
use crate::timing::Waited;
use judge::Input;
use std::sync::Arc;
use tokio::time::Instant;

/// What of a look must still be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LookRequirement {
    /// What is judged and touched: its tree; where nothing tells of that, its picture.
    Tree,
    /// What a model is shown: its picture too.
    Picture,
    /// What a person said Yes to: its picture to the pixel, the app and the window in front, asked for anew where nothing was
    /// proven.
    Certainty,
}

impl Run {
    /// The last look, where nothing reached the phone since and its screen still shows the same: it keeps its tree, the app in
    /// front, its picture and its numbers.
    pub(super) async fn unchanged(&mut self) -> Result<Option<Observation>, Halt> {
        let Some(known) = self.observation_cache.take_known() else {
            return Ok(None);
        };
        // What must be kept secret now was not masked then.
        if known.mask_level != self.secrets.mask_level() {
            return Ok(None);
        }
        let seen = if is_fresh(known.at) && !self.observation_cache.is_unsure() {
            known
        } else {
            match self.held(known, LookRequirement::Picture).await? {
                LookCheck::Same(seen) => *seen,
                LookCheck::Other(sight) => {
                    self.observation_cache.settled(Some(*sight));
                    return Ok(None);
                }
            }
        };
        self.find_fitting(&seen.screen.current_app, seen.address.as_deref())
            .await?;
        self.observation_cache.know(&seen);
        Ok(Some(seen))
    }

    /// Holds a look against the phone as it is now.
    pub(super) async fn held(
        &mut self,
        seen: Observation,
        wants: LookRequirement,
    ) -> Result<LookCheck, Halt> {
        let began = Instant::now();
        let now = self.held_against_now(seen, wants).await;
        self.timeline.waited(Waited::Check, began);
        now
    }

    /// What was surely drawn is another screen, however alike the pictures are, and so is a look that may be torn.
    async fn held_against_now(
        &mut self,
        mut seen: Observation,
        wants: LookRequirement,
    ) -> Result<LookCheck, Halt> {
        let holds = self.tree_holds(&seen).await?;
        if holds == Some(true) && wants == LookRequirement::Tree {
            seen.at = Instant::now();
            return Ok(LookCheck::Same(Box::new(seen)));
        }
        let certainly = wants == LookRequirement::Certainty;
        let phone = Arc::clone(&self.ports.phone);
        let before = seen.raw();
        let drawn = self
            .race(async move { drawn_since(&*phone, &before).await })
            .await?;
        if drawn == Some(false) {
            seen.at = Instant::now();
            seen.whole = true;
            return Ok(LookCheck::Same(Box::new(seen)));
        }
        if drawn.is_none() && holds.is_none() && !seen.whole {
            let until = self.untorn(&mut seen).await?;
            if !certainly && until.is_some_and(is_fresh) {
                return Ok(LookCheck::Same(Box::new(seen)));
            }
        }
        let phone = Arc::clone(&self.ports.phone);
        let before = seen.raw();
        let sight = self
            .race(async move {
                match certainly {
                    true => phone.see().await,
                    false => phone.see_again(&before).await,
                }
            })
            .await?
            .map_err(|trouble| Halt::Pause(phone_trouble(&trouble)))?;
        let is_same = drawn.is_none()
            && (seen.whole || holds == Some(true))
            && is_picture(&sight)
            && match certainly {
                true => {
                    sight.window == seen.screen.window
                        && likeness::is_identical(&seen.screen, seen.source, &sight, false)
                }
                false => shows_same(&seen.screen, seen.source, &sight),
            };
        if !is_same {
            return Ok(LookCheck::Other(Box::new(sight)));
        }
        // What was drawn until now came to the same.
        seen.whole = true;
        seen.mark = sight.mark;
        seen.at = Instant::now();
        Ok(LookCheck::Same(Box::new(seen)))
    }

    /// Whether the tree of a look is still what is there; nothing where nobody can say.
    async fn tree_holds(&mut self, seen: &Observation) -> Result<Option<bool>, Halt> {
        let Some(mark) = seen.tree_mark else {
            return Ok(None);
        };
        let phone = Arc::clone(&self.ports.phone);
        self.race(async move { phone.tree_holds(mark).await }).await
    }

    /// Whether a look's picture and tree are of one screen; until when it was there.
    async fn untorn(&mut self, seen: &mut Observation) -> Result<Option<Instant>, Halt> {
        let mut check = std::mem::take(&mut self.torn_read);
        let look = seen.number;
        let (proof, check) = self.race(async move { (check.proof(look).await, check) }).await?;
        self.torn_read = check;
        let Some(proof) = proof else {
            return Ok(None);
        };
        seen.whole = true;
        seen.mark = proof.mark;
        seen.at = proof.at;
        Ok(Some(proof.at))
    }

    /// The screen after a Yes, with what is thought of the page that is there now: the one that was asked about where it is
    /// certain that nothing changed, else one newly read.
    pub(super) async fn look_after_yes(
        &mut self,
        asked: &Observation,
        inputs: &[Input],
    ) -> Result<Observation, Halt> {
        let is_whole = asked.screen.tree_read && asked.mask_level == self.secrets.mask_level();
        let mut now = if is_whole {
            match self.held(asked.clone(), LookRequirement::Certainty).await? {
                LookCheck::Same(seen) => *seen,
                LookCheck::Other(sight) => self.glance_with(*sight).await?,
            }
        } else {
            self.glance().await?
        };
        self.hear_opinion_of_now(&mut now, inputs, LookRequirement::Certainty)
            .await?;
        Ok(now)
    }

    /// A newer look, because thinking took long.
    pub(super) async fn refresh(&mut self, seen: &Observation) -> Result<Observation, Halt> {
        let mut now = seen.clone();
        let other = self.changed_since(&mut now, LookRequirement::Tree).await?;
        Ok(other.unwrap_or(now))
    }

    /// The screen that took the place of one; none where that is still there, which is of now then.
    pub(super) async fn changed_since(
        &mut self,
        seen: &mut Observation,
        wants: LookRequirement,
    ) -> Result<Option<Observation>, Halt> {
        match self.held(seen.clone(), wants).await? {
            LookCheck::Same(same) => {
                self.observation_cache.know(&same);
                *seen = *same;
                Ok(None)
            }
            LookCheck::Other(sight) => self.glance_with(*sight).await.map(Some),
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
        let tree_mark = seen.tree_mark;
        let taken = self
            .race(async move {
                let sight = phone.capture().await?;
                // Nothing drawn, or nothing of the tree changed, from before the look until after the capture: it is of the same
                // screen, whatever moves on it.
                let holds = match tree_mark {
                    Some(mark) => phone.tree_holds(mark).await == Some(true),
                    None => false,
                };
                let is_same = holds || drawn_since(&*phone, &before).await == Some(false);
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
            mask_level: self.secrets.mask_level(),
            ..seen
        };
        self.observation_cache.know(&full);
        Ok(Some(full))
    }
}

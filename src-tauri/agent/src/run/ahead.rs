//! A step whose model is asked as soon as the picture is there, while the tree – seconds, on a real phone – is read. The judge
//! waits for the tree all the same, and element numbers in the answer are those of the tree that was read meanwhile.
//!
//! This is done for a model that goes by pictures alone, and on a phone whose trees come late for any model that looks at
//! pictures; where the tree is quick, or the screen is one that was read before, the list of elements goes along.
//!
//! **Where a secret may be on the screen the tree comes first.** A picture whose tree was not read cannot be blanked where it must
//! be. So this is done only after a look that was read and asked for nothing secret, in an app where no money moves, and
//! never again in a run once a code or password was supplied or expected: [`Run::may_think_ahead`] and
//! [`Run::sight_to_think_on`] say it, and nothing else does.

use super::halt::Halt;
use super::look::{TimedResult, comparable, compose};
use super::observation::Observation;
use super::state::Run;
use crate::ports::{PhoneError, RawObservation, RawTree};
use futures::future::{BoxFuture, FutureExt};
use judge::Page;
use protocol::{CaptureResult, RefusalCode, What};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A tree on its way, and what became of it.
pub(super) struct PendingTree {
    sight: RawObservation,
    /// When the picture was there, and how long it was waited for.
    seen: (Instant, Duration),
    tree: TreeProgress,
}

/// The picture that later ones are held against, taken before the tree was read, and the tree.
pub(super) struct TreeBesidePicture {
    sight: RawObservation,
    tree: TimedResult<Result<RawTree, PhoneError>>,
}

enum TreeProgress {
    Reading(BoxFuture<'static, TreeBesidePicture>),
    Observation(Box<Observation>),
}

/// The tree, once it is there; for ever waiting where none is awaited.
pub(super) async fn tree_of(ahead: Option<&mut PendingTree>) -> TreeBesidePicture {
    match ahead {
        Some(PendingTree {
            tree: TreeProgress::Reading(reading),
            ..
        }) => reading.await,
        _ => pending().await,
    }
}

impl Run {
    /// Whether the next step may be thought about before its screen was read.
    pub(super) fn may_think_ahead(&self) -> bool {
        let capabilities = self.ports.model.capabilities();
        let is_listed_in_time = capabilities.elements && !self.observation_cache.is_tree_slow();
        capabilities.picture
            && !capabilities.marks
            && !is_listed_in_time
            && self.observation_cache.is_harmless()
            && !self.secrets.on_guard()
            && self.conversation.show().is_none()
            && self.follow.is_none()
            && !self.questions.has_again()
    }

    /// A picture that may go to the model as it is; none where the screen must be read first.
    pub(super) async fn sight_to_think_on(&mut self) -> Result<Option<PendingTree>, Halt> {
        let see = self.seeing();
        let taken = self.race(see).await?;
        let seen = (taken.since, taken.took);
        let sight = match taken.out {
            Ok(sight) => sight,
            Err(trouble) => {
                tracing::info!(%trouble, "no picture to think on");
                return Ok(None);
            }
        };
        let half = compose(&self.task.phone, sight.clone(), None);
        if sight.capture == CaptureResult::Ok && sight.frame.is_some() && !Page::new(&half).is_risky() {
            let (phone, before, read) = (Arc::clone(&self.ports.phone), sight.clone(), self.reading());
            let reading = async move {
                let sight = comparable(&*phone, before).await;
                let tree = read.await;
                TreeBesidePicture { sight, tree }
            };
            let tree = TreeProgress::Reading(reading.boxed());
            return Ok(Some(PendingTree { sight, seen, tree }));
        }
        self.observation_cache.settled(Some(sight));
        Ok(None)
    }

    /// A step whose picture is there already.
    pub(super) async fn step_ahead(&mut self, mut ahead: PendingTree) -> Result<(), Halt> {
        let half = compose(&self.task.phone, ahead.sight.clone(), None);
        self.find_fitting(&half.current_app, None).await?;
        let shown = self.secrets.mask(&half);
        self.record(What::Thinking {
            step: self.budget.step(),
        })
        .await?;
        let (reply, picture) = self.reply(&shown, ahead.sight.source, Some(&mut ahead)).await?;
        let seen = self.read_to_end(ahead).await?;
        self.notice_deed(&seen)?;
        let wanted = self.understand(reply, picture).await;
        if matches!(wanted, Err(Halt::End(_))) {
            self.keep_screen(None, &seen);
        }
        let Some(wanted) = wanted? else {
            return Ok(());
        };
        if seen.screen.current_app != half.current_app {
            let action = crate::plan::canonical(wanted.action);
            let message = "Another app came to the front meanwhile, so nothing was done. Look at the screen as it is now.";
            return self.refuse(&action, RefusalCode::ScreenChanged, message).await;
        }
        self.carry_out(wanted, seen).await
    }

    /// The tree is there: what was seen is whole, and told.
    pub(super) async fn take_in(
        &mut self,
        ahead: &mut PendingTree,
        tree: TreeBesidePicture,
    ) -> Result<(), Halt> {
        let (since, took) = ahead.seen;
        let out = Ok(tree.sight);
        let seen = self
            .put_together(TimedResult { out, since, took }, tree.tree)
            .await?;
        self.tell_look(&seen).await?;
        self.notice_deed(&seen)?;
        self.ask_opinion(&seen);
        ahead.tree = TreeProgress::Observation(Box::new(seen));
        Ok(())
    }

    /// Waits for the tree where the model was faster.
    async fn read_to_end(&mut self, mut ahead: PendingTree) -> Result<Observation, Halt> {
        loop {
            match ahead.tree {
                TreeProgress::Observation(seen) => return Ok(*seen),
                TreeProgress::Reading(ref mut reading) => {
                    let tree = self.race(reading).await?;
                    self.take_in(&mut ahead, tree).await?;
                }
            }
        }
    }
}

//! Whether a look is torn: its tree takes up to seconds to be read, and may be of something that came after the picture and has
//! gone again by the time anybody compares pictures – a snack bar with its *Undo*, a dialog of the system. Whoever acted by it
//! would touch what lies underneath.
//!
//! So each look is held against the phone once more when its tree is there, while the model thinks: nothing was drawn since its
//! picture, or a second picture shows the same. What is the same on both sides of the tree was there in between. A reader that tells
//! of every change makes that needless: by what it told the tree itself is held against the phone.

use super::likeness::{drawn_since, is_picture, shows_same};
use super::observation::{LookNumber, Observation};
use crate::ports::{Phone, ScreenMark};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How old its picture is by then: a model that answers sooner has its answer held against the phone by itself.
const AFTER: Duration = Duration::from_millis(500);

/// A look's picture and tree are of one screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConsistencyProof {
    /// Until then it was there.
    pub(super) at: Instant,
    /// Where the screen stood then.
    pub(super) mark: Option<ScreenMark>,
}

/// The newest look, held against the phone.
#[derive(Default)]
pub(super) struct TornReadCheck {
    looks: u64,
    state: CheckState,
}

#[derive(Default)]
enum CheckState {
    #[default]
    Nothing,
    Pending(Arc<dyn Phone>, Box<Observation>),
    Checked(LookNumber, Option<ConsistencyProof>),
}

impl TornReadCheck {
    /// The number of a new look: what was asked about the one before is given up.
    pub(super) fn next(&mut self) -> LookNumber {
        self.looks += 1;
        self.state = CheckState::Nothing;
        LookNumber(self.looks)
    }

    /// This look will be held against the phone.
    pub(super) fn begin(&mut self, phone: Arc<dyn Phone>, seen: &Observation) {
        self.state = CheckState::Pending(phone, Box::new(seen.clone()));
    }

    /// Does so when it is time; then, and where there is nothing to do, it waits for ever. It may be dropped at any time.
    pub(super) async fn progress(&mut self) {
        if let CheckState::Pending(_, seen) = &self.state {
            sleep_until(seen.at + AFTER).await;
        }
        self.ask().await;
        pending().await
    }

    /// What came of this look, waited for; nothing where it is torn, where nobody can say, and of any other look.
    pub(super) async fn proof(&mut self, look: LookNumber) -> Option<ConsistencyProof> {
        self.ask().await;
        match self.state {
            CheckState::Checked(of, proof) if of == look => proof,
            _ => None,
        }
    }

    /// Broken off it begins anew: what is half asked would hold what other questions to the phone wait for.
    async fn ask(&mut self) {
        if let CheckState::Pending(phone, seen) = &self.state {
            let proof = ask(&**phone, seen).await;
            self.state = CheckState::Checked(seen.number, proof);
        }
    }
}

async fn ask(phone: &dyn Phone, seen: &Observation) -> Option<ConsistencyProof> {
    let before = seen.raw();
    let mark = match drawn_since(phone, &before).await {
        Some(false) => before.mark,
        Some(true) => return None,
        None => {
            let sight = phone.see_again(&before).await.ok()?;
            let is_same = is_picture(&sight) && shows_same(&seen.screen, seen.source, &sight);
            is_same.then_some(sight.mark)?
        }
    };
    let at = Instant::now();
    Some(ConsistencyProof { at, mark })
}

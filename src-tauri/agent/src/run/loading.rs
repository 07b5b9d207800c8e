//! A page that is still loading: something turns in its place, and the page says that it is the ring of one who waits. It has come
//! to rest but for that, and is waited for all the same, a while: what it is waiting for is what the model would be asked about.
//!
//! A ring that never stops is waited for once, and not again as long as it turns.

use super::halt::Halt;
use super::observation::Observation;
use super::observation_cache::OngoingMotion;
use super::state::Run;
use crate::ports::RawObservation;
use crate::timing::Waited;
use protocol::{Bounds, Role, Screen};
use screen::rect::area;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long a page may go on loading.
const LOADING: Duration = Duration::from_secs(5);
/// How long whatever turns may do so where the tree that says what it is takes longer than that.
const TURNING: Duration = Duration::from_millis(2500);
/// A ring's changes spill over its edges, and are coded in squares: their place is at most so many times as large.
const SPILLS: i64 = 4;

impl Run {
    /// A look at a page that has loaded, or was given up waiting for.
    pub(super) async fn loaded(&mut self, seen: Observation) -> Result<Observation, Halt> {
        let Some(place) = seen.restless.filter(|place| is_ring(&seen.screen, *place)) else {
            return Ok(seen);
        };
        let app = seen.screen.current_app.clone();
        match self.outwait(OngoingMotion { app, place }, LOADING).await? {
            Some(sight) => self.glance_with(sight).await,
            None => Ok(seen),
        }
    }

    /// Where the tree comes late, whatever turned when the last action came to rest is waited for before anything is asked.
    pub(super) async fn wait_for_turning(&mut self) -> Result<(), Halt> {
        let motion = self.observation_cache.fresh().and_then(|sight| {
            let app = sight.app.clone();
            sight.restless.map(|place| OngoingMotion { app, place })
        });
        if let Some(motion) = motion.filter(|_| self.observation_cache.is_tree_slow()) {
            self.outwait(motion, TURNING).await?;
        }
        Ok(())
    }

    /// What the screen shows once this motion has stopped, or at the bound; nothing where it has been waited for in vain.
    async fn outwait(
        &mut self,
        motion: OngoingMotion,
        bound: Duration,
    ) -> Result<Option<RawObservation>, Halt> {
        if self.observation_cache.is_endless(&motion) {
            return Ok(None);
        }
        let (phone, since) = (Arc::clone(&self.ports.phone), Instant::now());
        let settled = self.race(async move { phone.settle_wholly(bound).await }).await?;
        self.timeline.waited(Waited::Rest, since);
        let Ok(sight) = settled.inspect_err(|trouble| tracing::info!(%trouble, "could not watch what turns"))
        else {
            return Ok(None);
        };
        if !sight.quiet {
            self.observation_cache.never_ends(motion);
        }
        self.observation_cache.settled(Some(sight.clone()));
        Ok(Some(sight))
    }
}

/// Whether what changes in a place may be a ring, or a bar, of one who waits. It need not stand where it did: a ring moves on as its
/// list grows.
fn is_ring(screen: &Screen, place: Bounds) -> bool {
    screen
        .elements
        .iter()
        .filter(|element| element.role == Role::Progress)
        .any(|element| area(place) <= area(element.bounds).saturating_mul(SPILLS))
}

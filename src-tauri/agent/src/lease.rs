//! The right to touch a phone.
//!
//! One lease per phone. Whoever holds it has a [`Grip`]; taking the lease away voids the grip at once, and
//! [`Lease::drained`] waits until what was already on its way is over. So "nothing more reaches the phone after Stop"
//! does not depend on how fast a future is cancelled: Stop revokes first and tells the run second.
//!
//! The lock shared by every process of the product is taken by whoever makes a `Lease` (room `engine`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The lease of one phone. Clones are the same lease.
#[derive(Clone, Debug)]
pub struct Lease {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    /// Grips of another epoch are void.
    epoch: u64,
    held: bool,
    /// Passes not given back yet.
    under_way: usize,
}

impl Shared {
    /// A panic elsewhere while the lock was held leaves plain numbers behind: they are still true.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.changed.send_modify(|n| *n = n.wrapping_add(1));
    }
}

impl Default for Lease {
    fn default() -> Self {
        Self::new()
    }
}

impl Lease {
    /// A lease nobody holds.
    #[must_use]
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                changed: watch::Sender::new(0),
            }),
        }
    }

    /// Takes the lease from whoever holds it: every earlier grip is void from now on.
    #[must_use]
    pub fn take(&self) -> Grip {
        let epoch = {
            let mut state = self.shared.state();
            state.epoch += 1;
            state.held = true;
            state.epoch
        };
        self.shared.tell();
        Grip {
            shared: Arc::clone(&self.shared),
            epoch,
        }
    }

    /// Takes the lease away from everybody.
    pub fn revoke(&self) {
        {
            let mut state = self.shared.state();
            state.epoch += 1;
            state.held = false;
        }
        self.shared.tell();
    }

    /// Whether anybody holds it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.shared.state().held
    }

    /// Waits until nothing is under way, at most `bound`. False: something may still be.
    pub async fn drained(&self, bound: Duration) -> bool {
        let mut changed = self.shared.changed.subscribe();
        let empty = async {
            loop {
                changed.mark_unchanged();
                if self.shared.state().under_way == 0 {
                    return;
                }
                if changed.changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::time::timeout(bound, empty).await.is_ok()
    }
}

/// The lease, held. Void as soon as somebody else takes it or it is revoked.
#[derive(Clone, Debug)]
pub struct Grip {
    shared: Arc<Shared>,
    epoch: u64,
}

impl Grip {
    /// The last check before the wire. Keep the pass until what was sent is over on the phone, or surely ended there.
    ///
    /// # Errors
    /// [`LeaseLost`] when this grip is void.
    pub fn pass(&self) -> Result<Pass, LeaseLost> {
        let mut state = self.shared.state();
        if state.epoch != self.epoch {
            return Err(LeaseLost);
        }
        state.under_way += 1;
        Ok(Pass {
            shared: Arc::clone(&self.shared),
        })
    }

    /// Whether this grip still holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.shared.state().epoch == self.epoch
    }

    /// Whether both are one: taken at once, and lost at once.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.epoch == other.epoch && Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Returns once this grip is void.
    pub async fn lost(&self) {
        let mut changed = self.shared.changed.subscribe();
        loop {
            changed.mark_unchanged();
            if !self.holds() {
                return;
            }
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// Gives the lease back, if it is still ours.
    pub fn release(&self) {
        {
            let mut state = self.shared.state();
            if state.epoch != self.epoch {
                return;
            }
            state.epoch += 1;
            state.held = false;
        }
        self.shared.tell();
    }
}

/// Something is on its way to the phone. Dropping it says it is over.
#[derive(Debug)]
pub struct Pass {
    shared: Arc<Shared>,
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.shared.state().under_way -= 1;
        self.shared.tell();
    }
}

/// The lease is somebody else's now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the lease was lost")]
pub struct LeaseLost;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grip_is_void_once_another_is_taken() {
        let lease = Lease::new();
        let run = lease.take();
        assert!(run.pass().is_ok());
        let person = lease.take();
        assert_eq!(run.pass().map(drop), Err(LeaseLost));
        assert!(person.pass().is_ok());
        run.release();
        assert!(person.holds(), "a void grip gives nothing back");
        person.release();
        assert!(!lease.is_held());
    }

    #[tokio::test(start_paused = true)]
    async fn drained_waits_for_what_is_under_way_and_no_longer_than_its_bound() {
        let lease = Lease::new();
        let grip = lease.take();
        let pass = grip.pass().unwrap();
        lease.revoke();
        assert!(!lease.drained(Duration::from_secs(2)).await, "still under way");
        let waiting = tokio::spawn({
            let lease = lease.clone();
            async move { lease.drained(Duration::from_secs(2)).await }
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(pass);
        assert!(waiting.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn lost_returns_when_the_lease_goes() {
        let lease = Lease::new();
        let grip = lease.take();
        let waiting = tokio::spawn({
            let grip = grip.clone();
            async move { grip.lost().await }
        });
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert!(!waiting.is_finished());
        lease.revoke();
        waiting.await.unwrap();
    }
}

//! The server going down and coming up.

use super::shared::Shared;
use crate::fault::Fault;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// `server_restarts`: gone so long.
const AWAY: Duration = Duration::from_secs(1);

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestFate {
    Answer,
    Wedged,
    Restarts,
}

impl Shared {
    /// Cancelled when the server goes down; none while it is down.
    pub(crate) fn running(&self) -> Option<CancellationToken> {
        self.running.borrow().clone()
    }

    pub(super) fn go_down(&self) {
        if let Some(running) = self.running.send_replace(None) {
            running.cancel();
        }
    }

    pub(super) fn come_up(&self) {
        if self.running().is_some() {
            return;
        }
        for slot in self.slots() {
            slot.link.reset();
        }
        self.running.send_replace(Some(self.stopped.child_token()));
    }

    /// Counts a request, and says what becomes of it.
    pub(crate) fn admit_request(self: &Arc<Self>) -> RequestFate {
        if self.has(Fault::ServerWedged) {
            return RequestFate::Wedged;
        }
        let count = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let restarting = self.slots().into_iter().find_map(|slot| {
            let fault = slot.phone.all_faults().into_iter().find_map(|fault| match fault {
                Fault::ServerRestarts(requests) => Some(requests),
                _ => None,
            });
            fault.map(|requests| (slot, requests))
        });
        let Some((slot, requests)) = restarting else {
            self.requests.store(0, Ordering::Relaxed);
            return RequestFate::Answer;
        };
        if count <= requests {
            return RequestFate::Answer;
        }
        // Once: the fault is over with it.
        slot.phone.meets(Fault::ServerRestarts(requests));
        slot.phone.clear_fault(Fault::ServerRestarts(requests));
        self.requests.store(0, Ordering::Relaxed);
        self.restart();
        RequestFate::Restarts
    }

    /// The server is gone for a while, and every connection with it.
    pub(crate) fn restart(self: &Arc<Self>) {
        self.go_down();
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            let stopped = shared.stopped.clone();
            tokio::select! {
                () = stopped.cancelled() => {}
                () = tokio::time::sleep(AWAY) => shared.come_up(),
            }
        });
    }

    /// Waits until the server is up.
    pub(super) async fn up(&self) {
        let mut running = self.running.subscribe();
        // The sender lives as long as this.
        let _ = running.wait_for(Option::is_some).await;
    }
}

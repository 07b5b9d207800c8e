//! Over which server and serial a phone is reached just now.

use crate::connect::server::Device;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The way to one phone; it changes when a cable is pulled and the phone is still there over Wi-Fi.
///
/// A way is the phone's only for as long as the phone itself is known to answer there: an address on a network may be
/// another phone's a moment later, and what is asked over it would be done by that one. Then it leads nowhere, for what
/// was begun over it too, until the phone answers there again.
#[derive(Debug)]
pub(crate) struct Route(Mutex<RouteState>);

#[derive(Debug)]
struct RouteState {
    now: Device,
    /// Those before it that somebody still holds.
    earlier: Vec<Device>,
}

impl Route {
    pub(crate) fn new(device: Device) -> Self {
        Self(Mutex::new(RouteState {
            now: device.apart(),
            earlier: Vec::new(),
        }))
    }

    /// The way as it is now. A thing that was begun is ended the same way.
    pub(crate) fn device(&self) -> Device {
        self.lock().now.clone()
    }

    /// The ways over which this phone itself is known to be reached now, and the best that can be used; with none the last
    /// one stays, and leads nowhere.
    pub(crate) fn set(&self, best: Option<&Device>, own: &[&Device]) {
        let mut state = self.lock();
        if let Some(best) = best {
            if state.now.is_same_way(best) {
                state.now = best.marked_as(&state.now);
            } else {
                let left = std::mem::replace(&mut state.now, best.apart());
                state.earlier.push(left);
            }
        }
        state.earlier.retain(Device::is_held_elsewhere);
        for way in std::iter::once(&state.now).chain(&state.earlier) {
            way.mark_lost(!own.iter().any(|one| one.is_same_way(way)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, RouteState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

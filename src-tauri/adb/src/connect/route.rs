//! Over which server and serial a phone is reached just now.

use crate::connect::server::Device;
use std::sync::{PoisonError, RwLock};

/// The way to one phone; it changes when a cable is pulled and the phone is still there over Wi-Fi.
#[derive(Debug)]
pub(crate) struct Route(RwLock<Device>);

impl Route {
    pub(crate) fn new(device: Device) -> Self {
        Self(RwLock::new(device))
    }

    /// The way as it is now. A thing that was begun is ended the same way.
    pub(crate) fn device(&self) -> Device {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, device: Device) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = device;
    }
}

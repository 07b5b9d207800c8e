//! What must not go on running on the phone once nobody looks.

use crate::connect::server::Device;
use std::time::Duration;

/// How long the phone has for ending it.
const LIMIT: Duration = Duration::from_secs(3);

/// Something that runs on a phone. A closed connection ends it sooner or later, most of the time; dropping this ends it.
#[derive(Debug)]
pub(crate) struct Leftover {
    device: Device,
    ending: String,
}

impl Leftover {
    /// Something that this line of the phone's shell ends.
    pub(crate) fn new(device: &Device, ending: String) -> Self {
        Self {
            device: device.clone(),
            ending,
        }
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (device, ending) = (self.device.clone(), std::mem::take(&mut self.ending));
        // In a task of its own, and bounded: whoever dropped it does not wait.
        runtime.spawn(async move {
            if let Err(error) = device.look(&ending, LIMIT).await {
                tracing::debug!(%error, "what ran on the phone could not be ended");
            }
        });
    }
}

//! Whether a phone that sends nothing is still there.

use crate::connect::server::Device;
use crate::error::AdbError;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tokio_util::task::AbortOnDropHandle;

/// After so much silence the phone is asked.
const EVERY: Duration = Duration::from_secs(5);
/// How long it may take for the shortest answer.
const ANSWERS: Duration = Duration::from_secs(3);

/// Asks a phone that has gone silent for a sign of life.
pub(super) struct Heartbeat {
    device: Device,
    heard: Instant,
    asking: Option<AbortOnDropHandle<Result<(), AdbError>>>,
}

impl Heartbeat {
    pub(super) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            heard: Instant::now(),
            asking: None,
        }
    }

    /// Bytes of the stream came: its silence is counted from now on.
    pub(super) fn beat(&mut self) {
        self.heard = Instant::now();
        self.asking = None;
    }

    /// How long nothing came from the stream itself is for the caller to know; this returns when the phone gives no sign
    /// of life. May be dropped and called again.
    pub(super) async fn lost(&mut self) -> AdbError {
        loop {
            if let Some(asking) = &mut self.asking {
                let answer = asking.await;
                self.asking = None;
                match answer {
                    Ok(Ok(())) => self.heard = Instant::now(),
                    Ok(Err(error)) => return error,
                    Err(error) => return AdbError::Internal(error.to_string()),
                }
            }
            sleep_until(self.heard + EVERY).await;
            let device = self.device.clone();
            self.asking = Some(AbortOnDropHandle::new(tokio::spawn(async move {
                device.look(":", ANSWERS).await.map(drop)
            })));
        }
    }
}

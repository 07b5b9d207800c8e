//! A phone that fell asleep or locked itself, made ready before it is looked at.
//!
//! Lighting a screen and sweeping away a lock screen that asks for nothing change nothing a person would miss and may be
//! done twice: they are no acts of the run, and stand in no journal. Where a PIN is asked for, the run waits for the person
//! and goes on by itself.

use super::halt::Halt;
use super::phone_error::phone_trouble;
use super::state::Run;
use crate::lease::Grip;
use crate::ports::{Phone, PhoneError};
use judge::wake;
use protocol::{CaptureResult, Screen};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How often it is asked whether the person unlocked it.
const ASK_EVERY: Duration = Duration::from_secs(3);
/// What draws the lock screen (`com.android.keyguard` before Android 5).
const LOCK_SCREEN: [&str; 2] = ["com.android.systemui", "com.android.keyguard"];

impl Run {
    /// Wakes the phone where it sleeps; whether it did.
    pub(super) async fn wake(&mut self) -> Result<bool, Halt> {
        let phone = Arc::clone(&self.ports.phone);
        let grip = self.grip.clone();
        let judged = wake(Instant::now().into_std());
        match self.race(async move { phone.wake(&judged, &grip).await }).await? {
            Ok(woke) => {
                if woke {
                    self.observation_cache.touch();
                }
                Ok(woke)
            }
            Err(trouble @ (PhoneError::Locked | PhoneError::TouchForbidden(_))) => {
                Err(Halt::Pause(phone_trouble(&trouble)))
            }
            Err(trouble) if trouble.is_unreachable() => Err(Halt::Pause(phone_trouble(&trouble))),
            // The look that comes next meets the same trouble, or none.
            Err(trouble) => {
                tracing::info!(%trouble, "it could not be asked whether the phone is awake");
                Ok(false)
            }
        }
    }
}

/// Whether a screen looks like one of a phone that sleeps or is locked.
pub(super) fn is_dark(screen: &Screen) -> bool {
    screen.capture == CaptureResult::Black || LOCK_SCREEN.contains(&screen.current_app.as_str())
}

/// Returns when the phone is awake and unlocked. The grip is a released one: asking is all it allows.
pub(super) async fn unlocked(phone: Arc<dyn Phone>, grip: Grip) {
    loop {
        tokio::time::sleep(ASK_EVERY).await;
        if matches!(
            phone.wake(&wake(Instant::now().into_std()), &grip).await,
            Ok(false)
        ) {
            return;
        }
    }
}

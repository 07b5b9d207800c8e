//! A finger that an earlier program left on the phone: killed, or cut off, before it could lift it.
//!
//! Looked for before the first touch, and again when nobody of ours touched for a while: somebody else may have run
//! meanwhile. What is put down today lifts itself ([`crate::guarded`]); what an older version put down, scrcpy's session, or
//! a daemon that was restarted under a gesture, does not.

use crate::cancel_guard::{self, CancelGuard};
use crate::device_control::DeviceControl;
use crate::dumpsys::touches;
use crate::error::AdbError;
use crate::phone::AdbPhone;
use crate::touch;
use agent::lease::Grip;
use agent::ports::PhoneError;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long the phone may take to tell.
const DUMP: Duration = Duration::from_secs(2);
/// After so long without a touch of ours it is looked for again.
const WHILE: Duration = Duration::from_secs(60);
/// Since then `input` has single events; before, nothing of ours is left down, and nothing could lift it.
const ANDROID_10: u32 = 29;

/// When it was last known that no finger is left, if that is known.
#[derive(Debug, Default)]
pub(crate) struct Leftover(Mutex<Option<Instant>>);

impl Leftover {
    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something may have been left.
    pub(crate) fn suspect(&self) {
        *self.lock() = None;
    }

    /// Whether it is to be looked for; from now on it was.
    fn take(&self) -> bool {
        let now = Instant::now();
        let last = self.lock().replace(now);
        last.is_none_or(|last| now.duration_since(last) >= WHILE)
    }
}

impl AdbPhone {
    /// Lifts a finger that was left on the screen; whether there was one. Every touch begins so by itself: this is for whoever
    /// takes the phone and does not touch it yet.
    ///
    /// # Errors
    /// As [`agent::ports::Phone::perform`].
    pub async fn lift_leftovers(&self, grip: &Grip) -> Result<bool, PhoneError> {
        let control = self.control();
        let lifting = cancel_guard::held(grip, move |guard| async move {
            control.capabilities.leftover.suspect();
            lift(&control, &guard).await
        });
        Ok(lifting.await?)
    }
}

/// Lifts what may have been left, where that is not known; whether there was something. A phone that does not tell in time is
/// touched all the same.
///
/// # Errors
/// [`AdbError::LeaseLost`], or why the phone could not be asked at all.
pub(crate) async fn lift(control: &DeviceControl, guard: &CancelGuard) -> Result<bool, AdbError> {
    if control.capabilities.motion_events.is_missing() || !control.capabilities.leftover.take() {
        return Ok(false);
    }
    let asking = async {
        if control.device.sdk().await.is_none_or(|sdk| sdk < ANDROID_10) {
            return Ok(None);
        }
        Ok(Some(control.device.look("dumpsys input", DUMP).await?.text()))
    };
    let told = match guard.unless_lost(asking).await {
        Ok(told) => told,
        Err(error) => {
            control.capabilities.leftover.suspect();
            if error == AdbError::LeaseLost || error.is_unreachable() {
                return Err(error);
            }
            tracing::debug!(%error, "whether a finger is down was not told");
            return Ok(false);
        }
    };
    let Some(told) = told else { return Ok(false) };
    if touches::is_touched(&told) == Some(false) {
        return Ok(false);
    }
    let _pass = guard.pass()?;
    let lifted = touch::lift(control, (0, 0), touch::UNHURRIED).await;
    tracing::info!(lifted, "a finger was left on the screen");
    if !lifted {
        control.capabilities.leftover.suspect();
    }
    Ok(lifted)
}

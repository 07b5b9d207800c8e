//! A finger that an earlier program left on the phone: killed, or cut off, before it could lift it.
//!
//! Looked for when a run begins, before the first touch, and again when nobody of ours touched for a while: somebody else may have
//! run meanwhile. What is put down today lifts itself ([`crate::input::watchdog_shell`]); what an older version put down, scrcpy's session, or
//! a daemon that was restarted under a gesture, does not.

use crate::dumpsys::touches;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::input::capabilities::ANDROID_10;
use crate::input::injector::Injector;
use crate::input::touch;
use std::time::Duration;

/// How long the phone may take to tell.
const DUMP: Duration = Duration::from_secs(2);
/// Lifts what may have been left, where that is not known; whether there was something. A phone that does not tell in time is
/// touched all the same.
///
/// # Errors
/// [`AdbError::LeaseLost`], or why the phone could not be asked at all.
pub(crate) async fn lift(input: &Injector, guard: &CancelGuard) -> Result<bool, AdbError> {
    if input.capabilities.motion_events.is_missing() || !input.capabilities.leftover.take() {
        return Ok(false);
    }
    let asking = async {
        if input.device.sdk().await.is_none_or(|sdk| sdk < ANDROID_10) {
            return Ok(None);
        }
        Ok(Some(input.device.look("dumpsys input", DUMP).await?.text()))
    };
    let told = match guard.unless_lost(asking).await {
        Ok(told) => told,
        Err(error) => {
            input.capabilities.leftover.suspect();
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
    let lifted = touch::lift(input, (0, 0), touch::UNHURRIED).await;
    tracing::info!(lifted, "a finger was left on the screen");
    if !lifted {
        input.capabilities.leftover.suspect();
    }
    Ok(lifted)
}

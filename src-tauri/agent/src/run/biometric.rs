//! A finger or a face: the person touches the sensor, and the phone's own prompt is watched until it leaves the screen.

use super::halt::Halt;
use super::observation::Observation;
use super::state::Run;
use protocol::Screen;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long the prompt may stay after the person said it is done.
const WATCHED: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_millis(500);
/// AOSP's prompt is a window of the system's (`AuthContainerView`) with this title.
const TITLE: &str = "BiometricPrompt";
const SYSTEM: &str = "com.android.systemui";

/// What the model hears.
pub(super) enum BiometricPrompt {
    /// There was none to watch.
    None,
    Gone,
    Stays,
}

impl Run {
    /// Watches the prompt of the question's screen until it is gone, or for half a minute.
    pub(super) async fn watch_prompt(&mut self, asked: &Observation) -> Result<BiometricPrompt, Halt> {
        if !is_prompt(asked.screen.window.as_deref(), Some(&asked.screen)) {
            return Ok(BiometricPrompt::None);
        }
        let until = Instant::now() + WATCHED;
        loop {
            let phone = Arc::clone(&self.ports.phone);
            let sight = self.race(async move { phone.see().await }).await?;
            match sight {
                Ok(sight) if !is_prompt(sight.window.as_deref(), None) => return Ok(BiometricPrompt::Gone),
                Ok(_) => {}
                // Whether it is there nobody knows; the next look meets the same trouble and says so.
                Err(trouble) => {
                    tracing::info!(%trouble, "the prompt could not be watched");
                    return Ok(BiometricPrompt::None);
                }
            }
            if Instant::now() >= until {
                return Ok(BiometricPrompt::Stays);
            }
            self.race(tokio::time::sleep(AGAIN)).await?;
        }
    }
}

fn is_prompt(window: Option<&str>, screen: Option<&Screen>) -> bool {
    window.is_some_and(|window| window.contains(TITLE))
        || screen.is_some_and(|screen| {
            let of_prompt = |id: &str| id.starts_with(SYSTEM) && id.contains("biometric");
            screen
                .elements
                .iter()
                .any(|element| of_prompt(&element.resource_id))
        })
}

//! Whether a text can be typed on a phone.

use super::AdbPhone;
use crate::error::AdbError;
use crate::exec::cancel_guard;
use crate::input::typable;
use crate::input::writable::{self, Typist};
use agent::lease::Grip;
use agent::ports::PhoneError;

impl AdbPhone {
    /// The characters of a text that cannot be typed on it, each once, in order: none where scrcpy's server, ADBKeyboard or the
    /// reader that stays types them. Whether a phone has use for the reader its first tree tells: where none was read yet, one
    /// is.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn untypable(&self, text: &str) -> Result<Vec<char>, AdbError> {
        let device = self.device();
        let beyond = typable::untypable(&self.scrcpy, &self.keyboard, &device, text).await?;
        if beyond.is_empty() {
            return Ok(beyond);
        }
        let is_wanted = self.tree.resident().await.is_wanted();
        if !is_wanted && let Err(error) = self.tree.read(&device).await {
            tracing::debug!(%error, "whether the reader is of use is not known");
        }
        let has_reader = self.tree.resident().await.is_ready(&device).await;
        Ok(if has_reader { Vec::new() } else { beyond })
    }

    /// What would type this text on it now. Nothing is typed.
    ///
    /// # Errors
    /// [`PhoneError::CannotType`] when nothing here would; else as [`agent::ports::Phone::perform`].
    pub async fn typist(&self, text: &str, grip: &Grip) -> Result<Typist, PhoneError> {
        let (to, text) = (self.control().text, text.to_owned());
        let asking = cancel_guard::held(grip, move |guard| async move {
            writable::check(&to, &guard, &text).await
        });
        Ok(asking.await?)
    }
}

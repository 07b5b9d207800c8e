//! Whether a text can be typed on a phone.

use super::AdbPhone;
use crate::error::AdbError;
use crate::exec::cancel_guard;
use crate::input::typable;
use crate::input::writable::{self, Typist};
use agent::lease::Grip;
use agent::ports::PhoneError;

impl AdbPhone {
    /// The characters of a text that cannot be typed on it, each once, in order: none where scrcpy's server or ADBKeyboard
    /// types them.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn untypable(&self, text: &str) -> Result<Vec<char>, AdbError> {
        typable::untypable(&self.scrcpy, &self.keyboard, &self.device(), text).await
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

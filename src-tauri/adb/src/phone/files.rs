//! What a person hands to a phone.

use super::AdbPhone;
use crate::error::AdbError;
use crate::exec::cancel_guard;
use crate::files::delivery;
use agent::lease::Grip;
use std::path::Path;

impl AdbPhone {
    /// Carries a file to the phone's downloads, and says what it is called there: a file of that name stays as it is.
    /// `told` hears how many bytes went.
    ///
    /// # Errors
    /// [`AdbError::Unreadable`], [`AdbError::Full`], [`AdbError::LeaseLost`], or what the phone said; what came of it
    /// until then is gone from the phone.
    pub async fn send(
        &self,
        file: &Path,
        grip: &Grip,
        told: impl FnMut(u64) + Send + 'static,
    ) -> Result<String, AdbError> {
        let (device, file) = (self.device(), file.to_owned());
        cancel_guard::held(grip, move |guard| async move {
            delivery::send(&device, &guard, &file, told).await
        })
        .await
    }

    /// Installs an app, over an older one of its maker where that is there. `told` hears how many bytes went.
    ///
    /// # Errors
    /// As [`AdbPhone::send`]; [`AdbError::NotInstalled`].
    pub async fn install(
        &self,
        file: &Path,
        grip: &Grip,
        told: impl FnMut(u64) + Send + 'static,
    ) -> Result<(), AdbError> {
        let (device, file) = (self.device(), file.to_owned());
        cancel_guard::held(grip, move |guard| async move {
            delivery::install(&device, &guard, &file, told).await
        })
        .await
    }
}

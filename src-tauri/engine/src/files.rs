//! Files from this computer to a phone.

use crate::{Engine, EngineError};
use protocol::{Failure, PhoneId};
use std::path::Path;

impl Engine {
    /// Carries a file to the phone's downloads, and says what it is called there. `told` hears how many bytes went.
    ///
    /// # Errors
    /// While a run holds the phone; when the file cannot be read; when the phone will not have it.
    pub async fn send(
        &self,
        phone: &PhoneId,
        file: &Path,
        told: impl FnMut(u64) + Send + 'static,
    ) -> Result<String, Failure> {
        let device = self.phone(phone)?;
        let hold = self.inner.sessions.at(phone).person(&self.known(phone)?)?;
        let sent = device.send(file, &hold.grip, told).await;
        sent.map_err(|error| EngineError::from(error).into())
    }

    /// Installs an app from its file.
    ///
    /// # Errors
    /// As [`Engine::send`]; why the phone did not install it.
    pub async fn install(
        &self,
        phone: &PhoneId,
        file: &Path,
        told: impl FnMut(u64) + Send + 'static,
    ) -> Result<(), Failure> {
        let device = self.phone(phone)?;
        let hold = self.inner.sessions.at(phone).person(&self.known(phone)?)?;
        let installed = device.install(file, &hold.grip, told).await;
        installed.map_err(|error| EngineError::from(error).into())
    }
}

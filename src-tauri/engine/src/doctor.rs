//! Examining a phone: what works on it, and what to do about what does not.

use crate::{Engine, EngineError};
use adb::doctor;
use protocol::{Examining, Failure, PhoneId};
use std::ops::ControlFlow;

impl Engine {
    /// Looks at everything a task needs, presses a key that means nothing, types into a search field of the phone's own
    /// settings and takes it away again. Each finding is told as it is known, until `tell` breaks.
    ///
    /// # Errors
    /// While a run holds the phone; when the phone cannot be asked.
    pub async fn examine(
        &self,
        phone: &PhoneId,
        tell: impl FnMut(Examining) -> ControlFlow<()> + Send,
    ) -> Result<(), Failure> {
        let device = self.phone(phone)?;
        let session = self.inner.sessions.at(phone);
        let _turn = session.turns.lock().await;
        let hold = session.person(&self.known(phone)?)?;
        let done = doctor::examine(&device, &hold.grip, tell).await;
        done.map_err(|error| EngineError::from(error).into())
    }
}

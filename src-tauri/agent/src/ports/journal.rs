//! Where a run is written down, and the time of day. Implemented by rooms `store` and `engine`.

use async_trait::async_trait;
use protocol::{
    Element, ElementBinding, Event, Failure, Frame, FrameId, LastTime, Millis, PhoneId, RunId, Usage,
};

/// Where a run is written down. Implemented by room `store`.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Writes one event. When this returns, it is on the disk.
    ///
    /// # Errors
    /// When it is not; the run must not go on.
    async fn append(&self, event: &Event) -> Result<(), Failure>;

    /// Keeps a picture and what stands on it.
    ///
    /// # Errors
    /// When it could not be kept.
    async fn keep(&self, run: &RunId, screen: KeptScreen<'_>) -> Result<FrameId, Failure>;

    /// The last payment the person approved in this app on this phone.
    ///
    /// # Errors
    /// When the journal cannot be read.
    async fn last_payment(&self, phone: &PhoneId, app: &str) -> Result<Option<LastTime>, Failure>;

    /// How often the person said Yes to this very thing on this phone; when it was is no part of it.
    ///
    /// # Errors
    /// When the journal cannot be read.
    async fn approved_before(&self, phone: &PhoneId, element: &ElementBinding) -> Result<u32, Failure> {
        let _ = (phone, element);
        Ok(0)
    }

    /// Counts what was paid for and is told with no event: what a run spent beside its steps before it rests or ends.
    ///
    /// # Errors
    /// When it could not be written.
    async fn spend(&self, usage: Usage) -> Result<(), Failure>;

    /// Dollars spent since midnight, all runs together.
    ///
    /// # Errors
    /// When the journal cannot be read.
    async fn spent_today(&self) -> Result<f64, Failure>;
}

/// What is kept of a screen: its picture, already blanked where it must be, and what stands on it, masked likewise.
#[derive(Clone, Copy, Debug)]
pub struct KeptScreen<'a> {
    /// Of any size: that of a stream has fewer pixels than its screen.
    pub picture: &'a Frame,
    /// Pixels of the screen, which bounds of elements and evidence are told in.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// In pixels of the screen.
    pub elements: &'a [Element],
}

/// The time of day. Durations are tokio's, so that tests run in virtual time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Millis;
}

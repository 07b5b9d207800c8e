//! A phone under a person's own hand.

use super::AdbPhone;
use crate::input::pointer_input::{self, Gesture};
use agent::lease::Grip;
use agent::ports::PhoneError;
use std::time::Duration;
use tokio::sync::mpsc;

/// A screen may have been turned since a capture that is older.
const FRESH: Duration = Duration::from_secs(3);

impl AdbPhone {
    /// Makes ready for a person's fingers: they can be followed from then on. False where this computer has nothing
    /// that follows them.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    pub async fn get_ready(&self, grip: &Grip) -> Result<bool, PhoneError> {
        self.act(grip, |control, guard| async move {
            pointer_input::get_ready(&control.pointer, &guard).await
        })
        .await
    }

    /// A person's gesture, played by what was made ready. False: nothing is, and nothing was done.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    pub async fn play(&self, gesture: Gesture, grip: &Grip) -> Result<bool, PhoneError> {
        self.act(grip, move |control, guard| async move {
            pointer_input::play(&control.pointer, &guard, gesture).await
        })
        .await
    }

    /// A person's finger, down at `from` and then where `way` says, until that ends. False: nothing was made ready, and
    /// nothing was done.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    pub async fn follow(
        &self,
        from: (i32, i32),
        way: mpsc::UnboundedReceiver<(i32, i32)>,
        grip: &Grip,
    ) -> Result<bool, PhoneError> {
        self.act(grip, move |control, guard| async move {
            pointer_input::follow(&control.pointer, &guard, from, way).await
        })
        .await
    }

    /// Whether fingers can be followed now.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.control().pointer.is_ready()
    }

    /// Pixels of its screen as it is turned now, where a picture that is not old tells.
    #[must_use]
    pub fn screen(&self) -> Option<(u16, u16)> {
        let streamed = self
            .feed()
            .screen()
            .filter(|_| self.observer.captures.other_display().is_none());
        streamed.or_else(|| self.observer.captures.size(FRESH))
    }
}

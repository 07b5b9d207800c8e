//! A phone under a person's own hand.

use crate::AdbPhone;
use crate::fingers::{self, Gesture};
use agent::lease::Grip;
use agent::ports::PhoneTrouble;
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
    pub async fn get_ready(&self, grip: &Grip) -> Result<bool, PhoneTrouble> {
        self.act(grip, |hands, leash| async move {
            fingers::get_ready(&hands, &leash).await
        })
        .await
    }

    /// A person's gesture, played by what was made ready. False: nothing is, and nothing was done.
    ///
    /// # Errors
    /// As [`Phone::perform`].
    pub async fn play(&self, gesture: Gesture, grip: &Grip) -> Result<bool, PhoneTrouble> {
        self.act(grip, move |hands, leash| async move {
            fingers::play(&hands, &leash, gesture).await
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
    ) -> Result<bool, PhoneTrouble> {
        self.act(grip, move |hands, leash| async move {
            fingers::follow(&hands, &leash, from, way).await
        })
        .await
    }

    /// Whether fingers can be followed now.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let hands = self.hands();
        let device = &hands.device;
        hands.display.is_none() && (hands.scrcpy.running(device).is_some() || hands.kept.is_open(device))
    }

    /// Pixels of its screen as it is turned now, where a picture that is not old tells.
    #[must_use]
    pub fn screen(&self) -> Option<(u16, u16)> {
        let streamed = self
            .feed()
            .screen()
            .filter(|_| self.camera.other_display().is_none());
        streamed.or_else(|| self.camera.size(FRESH))
    }
}

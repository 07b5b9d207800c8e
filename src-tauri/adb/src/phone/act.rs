//! Doing something on a phone under the lease.

use super::AdbPhone;
use crate::error::AdbError;
use crate::exec::cancel_guard::{self, CancelGuard};
use crate::input::command::Command;
use crate::input::device_control::DeviceControl;
use crate::input::leftover;
use agent::lease::Grip;
use agent::ports::{Effect, PhoneError};
use std::sync::Arc;

impl AdbPhone {
    /// Does what the person's own hand did, or the doctor at the press of its button. A run has no way here: it sends what
    /// was judged ([`agent::ports::Phone::perform`]).
    ///
    /// # Errors
    /// As [`agent::ports::Phone::perform`].
    pub async fn by_hand(&self, command: &Command, grip: &Grip) -> Result<Effect, PhoneError> {
        let command = command.clone();
        self.act(grip, |control, guard| async move {
            control.perform(&guard, &command).await
        })
        .await
    }

    /// Lifts a finger that an earlier run left on the screen; whether there was one. Every touch begins so by itself: this is
    /// for whoever takes the phone and does not touch it yet. Without the lease nothing is lifted.
    ///
    /// # Errors
    /// As [`agent::ports::Phone::perform`].
    pub(super) async fn lift_leftover(&self, grip: &Grip) -> Result<bool, PhoneError> {
        let input = self.control().input;
        let lifting = cancel_guard::held(grip, move |guard| async move {
            input.capabilities.leftover.suspect();
            leftover::lift(&input, &guard).await
        });
        let lifted = match lifting.await {
            // Who waits for the person's phone asks without it.
            Err(AdbError::LeaseLost) => false,
            told => told?,
        };
        if lifted {
            self.observer.captures.touch();
        }
        Ok(lifted)
    }

    /// Does something under the lease, in a task of its own, and tells the captures when.
    pub(super) async fn act<T, Work>(
        &self,
        grip: &Grip,
        work: impl FnOnce(DeviceControl, CancelGuard) -> Work + Send,
    ) -> Result<T, PhoneError>
    where
        T: Send + 'static,
        Work: Future<Output = Result<T, AdbError>> + Send + 'static,
    {
        let control = self.control();
        let device = control.device().clone();
        let captures = Arc::clone(&self.observer.captures);
        captures.touch();
        let done = cancel_guard::held(grip, move |guard| {
            let first = (control.input.clone(), guard.clone());
            let keyboard = Arc::clone(&control.text.keyboard);
            let work = work(control, guard);
            async move {
                let (lifted, ()) = tokio::join!(
                    leftover::lift(&first.0, &first.1),
                    keyboard.put_back_left(&first.0.device)
                );
                lifted?;
                let done = work.await;
                captures.touch();
                done
            }
        });
        match done.await {
            Ok(done) => Ok(done),
            Err(error) => Err(device.explained(error).await.into()),
        }
    }
}

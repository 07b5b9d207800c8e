//! A phone's port that does things twice, as a well-meant retry would: what the product must notice.

use adb::AdbPhone;
use agent::Grip;
use agent::ports::{App, Effect, Phone, PhoneError, RawObservation, RawTree};
use async_trait::async_trait;
use judge::{Input, Judged};
use protocol::PhoneId;
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;

/// What is done again, and when.
#[derive(Clone, Copy)]
pub(super) enum Again {
    /// A tap.
    Tap,
    /// A text.
    Text,
    /// A swipe.
    Swipe,
    /// Whatever brought trouble.
    OnTrouble,
}

impl Again {
    fn is_meant(self, judged: &Judged, done: &Result<Effect, PhoneError>) -> bool {
        match self {
            Self::Tap => matches!(judged.input(), Input::Tap { .. }),
            Self::Text => matches!(judged.input(), Input::Text(_) | Input::Replace(_)),
            Self::Swipe => matches!(judged.input(), Input::Swipe { .. }),
            Self::OnTrouble => done.is_err(),
        }
    }
}

pub(super) struct Repeats {
    pub(super) phone: Arc<AdbPhone>,
    pub(super) again: Again,
}

#[async_trait]
impl Phone for Repeats {
    fn id(&self) -> PhoneId {
        self.phone.id()
    }

    async fn see(&self) -> Result<RawObservation, PhoneError> {
        self.phone.see().await
    }

    async fn read(&self) -> Result<RawTree, PhoneError> {
        self.phone.read().await
    }

    async fn settle(&self, bound: Duration) -> Result<RawObservation, PhoneError> {
        self.phone.settle(bound).await
    }

    async fn perform(&self, judged: &Judged, grip: &Grip) -> Result<Effect, PhoneError> {
        let done = self.phone.perform(judged, grip).await;
        if self.again.is_meant(judged, &done) {
            return self.phone.perform(judged, grip).await;
        }
        done
    }

    async fn type_secret(
        &self,
        secret: &SecretString,
        judged: &Judged,
        grip: &Grip,
    ) -> Result<Effect, PhoneError> {
        self.phone.type_secret(secret, judged, grip).await
    }

    async fn apps(&self) -> Result<Vec<App>, PhoneError> {
        self.phone.apps().await
    }
}

//! The lease and the caller together: what is done on a phone ends when either is gone.

use crate::error::AdbError;
use agent::lease::{Grip, Pass};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The right to go on. Lost when the lease is, or when nobody waits for the outcome any more.
#[derive(Clone, Debug)]
pub(crate) struct CancelGuard {
    grip: Grip,
    given_up: CancellationToken,
}

impl CancelGuard {
    /// The last check before the wire.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`].
    pub(crate) fn pass(&self) -> Result<Pass, AdbError> {
        if self.given_up.is_cancelled() {
            return Err(AdbError::LeaseLost);
        }
        Ok(self.grip.pass()?)
    }

    /// The grip alone, for what outlives the call that began it.
    pub(crate) fn grip(&self) -> Grip {
        self.grip.clone()
    }

    /// Returns once it is lost.
    pub(crate) async fn lost(&self) {
        tokio::select! {
            () = self.grip.lost() => {}
            () = self.given_up.cancelled() => {}
        }
    }

    /// Waits, at most until the lease is lost.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`].
    pub(crate) async fn pause(&self, time: Duration) -> Result<(), AdbError> {
        self.unless_lost(async {
            tokio::time::sleep(time).await;
            Ok(())
        })
        .await
    }

    /// Does what is dropped where it stands once the lease is lost.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`], or what the work says.
    pub(crate) async fn unless_lost<T>(
        &self,
        work: impl Future<Output = Result<T, AdbError>>,
    ) -> Result<T, AdbError> {
        tokio::select! {
            biased;
            () = self.lost() => Err(AdbError::LeaseLost),
            done = work => done,
        }
    }
}

/// Does a thing under a grip, in a task of its own: a caller that stops waiting does not leave half a gesture on the
/// phone, nor a pass given back while its command still runs there. The task notices and ends what it began.
///
/// # Errors
/// What the work says; [`AdbError::Internal`] when it panicked.
pub(crate) async fn held<T, Work>(grip: &Grip, work: impl FnOnce(CancelGuard) -> Work) -> Result<T, AdbError>
where
    T: Send + 'static,
    Work: Future<Output = Result<T, AdbError>> + Send + 'static,
{
    let grip = grip.clone();
    apart(|given_up| work(CancelGuard { grip, given_up })).await
}

/// The same without a lease: the work is told by the token when its caller is gone.
///
/// # Errors
/// As [`held`].
pub(crate) async fn apart<T, Work>(work: impl FnOnce(CancellationToken) -> Work) -> Result<T, AdbError>
where
    T: Send + 'static,
    Work: Future<Output = Result<T, AdbError>> + Send + 'static,
{
    let given_up = CancellationToken::new();
    let task = tokio::spawn(work(given_up.clone()));
    let guard = given_up.drop_guard();
    let done = task.await;
    guard.disarm();
    done.unwrap_or_else(|error| Err(AdbError::Internal(error.to_string())))
}

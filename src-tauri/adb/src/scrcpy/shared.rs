//! The one session of a phone, opened when it is first needed and kept.

use super::{Jar, Session};
use crate::error::AdbError;
use crate::leash::Leash;
use crate::server::Device;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{MappedMutexGuard, MutexGuard};
use tokio::time::Instant;

/// How long a phone on which it would not start is left alone.
const LEFT_ALONE: Duration = Duration::from_secs(60);

/// How long a jar that was not found is not looked for.
const LOOKED_FOR_AGAIN: Duration = Duration::from_secs(30);

/// Where the jar comes from.
#[derive(Clone, Debug, Default)]
enum Source {
    /// Not looked for yet.
    #[default]
    Unknown,
    /// Looked for then, and not there: a person may put one there.
    Missing(Instant),
    /// What was found, or given.
    Known(Option<Arc<Jar>>),
}

/// The session of a phone, or the lack of one.
#[derive(Default)]
pub(crate) struct Shared {
    source: Mutex<Source>,
    slot: tokio::sync::Mutex<Slot>,
}

#[derive(Default)]
struct Slot {
    /// With the serial it was opened over: another way to the phone needs another.
    session: Option<(String, Session)>,
    failed: Option<(Instant, String, AdbError)>,
}

/// The session, for one user at a time.
pub(crate) type Open<'a> = MappedMutexGuard<'a, Session>;

fn hand_out(slot: MutexGuard<'_, Slot>) -> Result<Option<Open<'_>>, AdbError> {
    MutexGuard::try_map(slot, |slot| slot.session.as_mut().map(|(_, session)| session))
        .map(Some)
        .map_err(|_| AdbError::Internal("a session is gone the moment it is there".to_owned()))
}

impl Shared {
    /// Uses this jar, or none, instead of what this computer has.
    pub(crate) fn give(&self, jar: Option<Jar>) {
        *self.source.lock().unwrap_or_else(PoisonError::into_inner) = Source::Known(jar.map(Arc::new));
    }

    /// The jar, if there is one; looked for again after a while where there was none.
    pub(crate) async fn jar(&self) -> Option<Arc<Jar>> {
        let known = self.source.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Source::Known(jar) => return jar,
            Source::Missing(when) if when.elapsed() < LOOKED_FOR_AGAIN => return None,
            Source::Missing(_) | Source::Unknown => {}
        }
        let found = tokio::task::spawn_blocking(|| Jar::find_here(None)).await.ok()?;
        let found = found.map(Arc::new);
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        *source = match &found {
            Some(jar) => Source::Known(Some(Arc::clone(jar))),
            None => Source::Missing(Instant::now()),
        };
        found
    }

    /// The release that would be used.
    pub(crate) async fn version(&self) -> Option<String> {
        self.jar().await.map(|jar| jar.version.clone())
    }

    /// The session, where one is open and nobody uses it just now.
    pub(crate) fn running(&self, device: &Device) -> Option<Open<'_>> {
        let slot = self.slot.try_lock().ok()?;
        let usable = slot
            .session
            .as_ref()
            .is_some_and(|(over, session)| over == device.serial() && !session.is_over());
        if !usable {
            return None;
        }
        hand_out(slot).ok().flatten()
    }

    /// The session, opened now if it is not open. Nothing when this computer has no jar.
    ///
    /// # Errors
    /// [`AdbError::LeaseLost`]; [`AdbError::NotSupported`] when it does not start on this phone, also when it did not a
    /// moment ago; else why the phone could not be asked.
    pub(crate) async fn open(&self, device: &Device, leash: &Leash) -> Result<Option<Open<'_>>, AdbError> {
        let Some(jar) = self.jar().await else {
            return Ok(None);
        };
        let mut slot = tokio::select! {
            biased;
            () = leash.lost() => return Err(AdbError::LeaseLost),
            slot = self.slot.lock() => slot,
        };
        let serial = device.serial();
        let usable = slot
            .session
            .as_ref()
            .is_some_and(|(over, session)| over == serial && !session.is_over());
        if usable {
            return hand_out(slot);
        }
        slot.session = None;
        if let Some((when, over, error)) = &slot.failed
            && over == serial
            && when.elapsed() < LEFT_ALONE
        {
            return Err(error.clone());
        }
        match Session::start(device, &jar, leash).await {
            Ok(session) => {
                slot.failed = None;
                slot.session = Some((serial.to_owned(), session));
                hand_out(slot)
            }
            Err(error) => {
                tracing::info!(%error, "scrcpy's server does not start on this phone");
                if let AdbError::NotSupported(_) | AdbError::Refused(_) = &error {
                    slot.failed = Some((Instant::now(), serial.to_owned(), error.clone()));
                }
                Err(error)
            }
        }
    }
}

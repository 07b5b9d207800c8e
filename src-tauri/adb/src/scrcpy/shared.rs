//! The one session of a phone, opened when it is first needed and kept.

use super::jar::Jar;
use super::session::Session;
use crate::connect::server::Device;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{MappedMutexGuard, MutexGuard as SlotGuard};
use tokio::time::Instant;

/// How long a phone on which it would not start is left alone.
const LEFT_ALONE: Duration = Duration::from_secs(60);

/// How long a jar that was not found is not looked for.
const LOOKED_FOR_AGAIN: Duration = Duration::from_secs(30);

/// Where a fetched server lies, for all phones that share it: looked into after the usual places, and at once when
/// something came there.
#[derive(Clone, Debug, Default)]
pub struct FetchedServer(Arc<Mutex<(Option<PathBuf>, u64)>>);

impl FetchedServer {
    /// The file it has, or will have.
    pub fn lies_at(&self, file: &Path) {
        self.held().0 = Some(file.to_owned());
    }

    /// It is there now: who found none looks again.
    pub fn came(&self) {
        self.held().1 += 1;
    }

    fn held(&self) -> MutexGuard<'_, (Option<PathBuf>, u64)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the jar comes from.
#[derive(Clone, Debug, Default)]
enum Source {
    /// Not looked for yet.
    #[default]
    Unknown,
    /// Looked for then, and not there: a person may put one there. So many had been fetched.
    Missing(Instant, u64),
    /// What was found, or given.
    Known(Option<Arc<Jar>>),
}

/// The session of a phone, or the lack of one.
#[derive(Default)]
pub(crate) struct SharedSession {
    fetched: FetchedServer,
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
pub(crate) type OpenSession<'a> = MappedMutexGuard<'a, Session>;

fn hand_out(slot: SlotGuard<'_, Slot>) -> Result<Option<OpenSession<'_>>, AdbError> {
    SlotGuard::try_map(slot, |slot| slot.session.as_mut().map(|(_, session)| session))
        .map(Some)
        .map_err(|_| AdbError::Internal("a session is gone the moment it is there".to_owned()))
}

impl SharedSession {
    /// One that looks where a server was fetched to.
    pub(crate) fn new(fetched: FetchedServer) -> Self {
        Self {
            fetched,
            ..Self::default()
        }
    }

    /// Uses this jar, or none, instead of what this computer has.
    pub(crate) fn give(&self, jar: Option<Jar>) {
        *self.source.lock().unwrap_or_else(PoisonError::into_inner) = Source::Known(jar.map(Arc::new));
    }

    /// The jar, if there is one; looked for again after a while where there was none.
    pub(crate) async fn jar(&self) -> Option<Arc<Jar>> {
        let known = self.source.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Source::Known(jar) => return jar,
            Source::Missing(when, count)
                if when.elapsed() < LOOKED_FOR_AGAIN && count == self.fetched.held().1 =>
            {
                return None;
            }
            Source::Missing(..) | Source::Unknown => {}
        }
        let (file, count) = self.fetched.held().clone();
        let find = move || Jar::find_here(file.as_deref());
        let found = tokio::task::spawn_blocking(find).await.ok()?;
        let found = found.map(Arc::new);
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        *source = match &found {
            Some(jar) => Source::Known(Some(Arc::clone(jar))),
            None => Source::Missing(Instant::now(), count),
        };
        found
    }

    /// The release that would be used.
    pub(crate) async fn version(&self) -> Option<String> {
        self.jar().await.map(|jar| jar.version.clone())
    }

    /// The session, where one is open and nobody uses it just now.
    pub(crate) fn running(&self, device: &Device) -> Option<OpenSession<'_>> {
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
    pub(crate) async fn open(
        &self,
        device: &Device,
        guard: &CancelGuard,
    ) -> Result<Option<OpenSession<'_>>, AdbError> {
        let Some(jar) = self.jar().await else {
            return Ok(None);
        };
        let mut slot = tokio::select! {
            biased;
            () = guard.lost() => return Err(AdbError::LeaseLost),
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
        match Session::start(device, &jar, guard).await {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A phone that had none finds one the moment it was fetched, not half a minute later.
    #[tokio::test]
    async fn what_was_fetched_is_looked_for_at_once() {
        let fetched = FetchedServer::default();
        let shared = SharedSession::new(fetched.clone());
        let source = || shared.source.lock().unwrap().clone();
        let folder = tempfile::tempdir().unwrap();
        fetched.lies_at(&folder.path().join("scrcpy-server"));
        if shared.jar().await.is_some() {
            // This computer has one of its own.
            return;
        }
        let Source::Missing(first, 0) = source() else {
            panic!("{:?}", source());
        };
        assert_eq!(shared.jar().await, None);
        assert!(
            matches!(source(), Source::Missing(again, 0) if again == first),
            "not looked for again"
        );
        fetched.came();
        assert_eq!(shared.jar().await, None);
        assert!(
            matches!(source(), Source::Missing(_, 1)),
            "looked for again: {:?}",
            source()
        );
    }
}

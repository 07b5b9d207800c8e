//! One shell that is kept open on the phone for a person's own hand: a line to it costs neither a connection nor a shell.
//!
//! Only a finger's events go through it ([`crate::input::watchdog_shell`]), one after another, by whoever holds a pass. Its end is the
//! connection's: the shell reads the end of its input, lifts what is down, and goes.

use crate::connect::server::Device;
use crate::error::AdbError;
use crate::input::capabilities::ANDROID_12;
use crate::input::watchdog_shell::{Touch, WatchdogShell};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

/// How long a line may take. `input` answers in some 20 to 80 ms.
const ANSWERS: Duration = Duration::from_secs(2);
/// A shell nobody uses is let go.
const IDLE: Duration = Duration::from_secs(60);

/// The kept shell of a phone, or the lack of one.
#[derive(Default)]
pub(crate) struct PersistentShell {
    slot: Mutex<Option<Shell>>,
}

struct Shell {
    /// The serial it was opened over: another way to the phone needs another.
    over: String,
    watchdog: WatchdogShell,
    used: Instant,
}

impl PersistentShell {
    /// Opens it, where lines through it are fast enough for a finger: since Android 12 `input` starts no Java machine.
    /// Whether it is open.
    ///
    /// # Errors
    /// Why the phone could not be asked.
    pub(crate) async fn open(self: &Arc<Self>, device: &Device) -> Result<bool, AdbError> {
        if device.sdk().await.is_none_or(|sdk| sdk < ANDROID_12) {
            return Ok(false);
        }
        let mut slot = self.slot.lock().await;
        if slot.as_ref().is_some_and(|shell| shell.over == device.serial()) {
            return Ok(true);
        }
        *slot = None;
        match WatchdogShell::open(device, "input", ANSWERS).await {
            Ok(watchdog) => {
                *slot = Some(Shell {
                    over: device.serial().to_owned(),
                    watchdog,
                    used: Instant::now(),
                });
                tokio::spawn(let_go_when_idle(Arc::downgrade(self)));
                Ok(true)
            }
            Err(AdbError::NotSupported(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether it is open over this way to the phone. While somebody uses it, it counts as taken.
    pub(crate) fn is_open(&self, device: &Device) -> bool {
        let slot = self.slot.try_lock();
        slot.is_ok_and(|slot| slot.as_ref().is_some_and(|shell| shell.over == device.serial()))
    }

    /// Does one thing with the finger. The caller holds a pass.
    ///
    /// # Errors
    /// [`AdbError::MaybeRunning`] when no answer came in time, [`AdbError::Cut`] where it is not open (any more): then it
    /// is gone, and lifts a finger that is down; what `input` complained of.
    pub(crate) async fn touch(&self, device: &Device, touch: Touch, at: (i32, i32)) -> Result<(), AdbError> {
        let mut slot = self.slot.lock().await;
        let shell = Self::here(&mut slot, device)?;
        let done = shell.watchdog.touch(touch, at, ANSWERS).await;
        Self::used(&mut slot, done)
    }

    /// Says that the finger is to stay where it is.
    ///
    /// # Errors
    /// As [`PersistentShell::touch`].
    pub(crate) async fn keep(&self, device: &Device) -> Result<(), AdbError> {
        let mut slot = self.slot.lock().await;
        let shell = Self::here(&mut slot, device)?;
        let done = shell.watchdog.keep(ANSWERS).await;
        Self::used(&mut slot, done)
    }

    fn here<'a>(slot: &'a mut Option<Shell>, device: &Device) -> Result<&'a mut Shell, AdbError> {
        let shell = slot.as_mut().filter(|shell| shell.over == device.serial());
        let shell = shell.ok_or_else(|| AdbError::Cut("the kept shell is gone".to_owned()))?;
        shell.used = Instant::now();
        Ok(shell)
    }

    /// A shell that did not answer is of no more use.
    fn used(slot: &mut Option<Shell>, done: Result<(), AdbError>) -> Result<(), AdbError> {
        match done {
            Err(AdbError::Slow(what)) => {
                *slot = None;
                Err(AdbError::MaybeRunning(what))
            }
            Err(error @ (AdbError::Cut(_) | AdbError::Garbled(_))) => {
                *slot = None;
                Err(error)
            }
            done => done,
        }
    }
}

async fn let_go_when_idle(kept: Weak<PersistentShell>) {
    loop {
        sleep(IDLE).await;
        let Some(kept) = kept.upgrade() else { return };
        let mut slot = kept.slot.lock().await;
        match slot.as_ref() {
            Some(shell) if shell.used.elapsed() < IDLE => {}
            _ => {
                *slot = None;
                return;
            }
        }
    }
}

//! A phone examined while its sheet is open: one at a time, told finding by finding.

use engine::Engine;
use protocol::{Examining, Failure, PhoneId};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use tauri::State;
use tauri::ipc::Channel;
use tokio_util::sync::CancellationToken;

/// The examination that is open, if one is.
#[derive(Default)]
pub struct Examinations {
    open: Mutex<CancellationToken>,
}

impl Examinations {
    /// The one that is open ends after the check it is at.
    pub fn stop(&self) {
        self.begin();
    }

    /// Ends an earlier one; gives what will end the one that begins now.
    fn begin(&self) -> CancellationToken {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = CancellationToken::new();
        std::mem::replace(&mut *open, fresh.clone()).cancel();
        fresh
    }
}

/// Looks at everything a task needs of a phone, and tells each finding as it is known; `done` or `failed` comes last. An
/// earlier examination ends.
///
/// # Errors
/// None: that a run holds the phone, or that it is gone, is told as `failed`.
#[tauri::command]
pub async fn examine(
    engine: State<'_, Engine>,
    examinations: State<'_, Examinations>,
    phone: PhoneId,
    channel: Channel<Examining>,
) -> Result<(), Failure> {
    let over = examinations.begin();
    let engine = engine.inner().clone();
    tokio::spawn(async move {
        let tell = |now| {
            let heard = !over.is_cancelled() && channel.send(now).is_ok();
            if heard {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let last = match engine.examine(&phone, tell).await {
            Ok(()) => Examining::Done,
            Err(failure) => Examining::Failed { failure },
        };
        let _ = tell(last);
    });
    Ok(())
}

/// Nobody looks any more.
///
/// # Errors
/// None.
#[tauri::command]
pub async fn examine_stop(examinations: State<'_, Examinations>) -> Result<(), Failure> {
    examinations.stop();
    Ok(())
}

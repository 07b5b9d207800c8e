//! Any text at all, by scrcpy's clipboard message and the paste key.
//!
//! What the clipboard held is put back afterwards, however the lease stands. The app reads the clipboard a moment after
//! the key: so it is not put back before the field shows the text, or, where nothing tells, before that moment is over.
//! Never used for secrets: other apps may read a clipboard.

use crate::connect::server::Device;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::input::field::{self, Arrival, Field, FieldReader};
use crate::scrcpy::{self, META_NONE, Session};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long an app may take to read the clipboard, where its field does not tell.
const READS: Duration = Duration::from_millis(800);
/// The pause between two looks at the field meanwhile.
const AGAIN: Duration = Duration::from_millis(100);
/// `KEYCODE_ENTER`.
const ENTER: u32 = 66;

/// Pastes a text into the field that has the focus. A newline at its very end is the Enter key; the others are pasted.
/// Nothing when this way is not there, or when the field shows that nothing came of it.
///
/// # Errors
/// [`AdbError::LeaseLost`]; or what went wrong, when the text may have arrived.
pub(crate) async fn paste(
    sessions: &scrcpy::SharedSession,
    field: &FieldReader,
    guard: &CancelGuard,
    text: &str,
) -> Result<Option<Arrival>, AdbError> {
    let body = text.trim_end_matches('\n');
    let enters = text.len() - body.len();
    // A session may have died unseen since it was used: then, and only where the field shows that nothing came, a new one.
    for _ in 0..2 {
        let mut session = match sessions.open(&field.device, guard).await {
            Ok(Some(session)) => session,
            Ok(None) => return Ok(None),
            Err(AdbError::NotSupported(_) | AdbError::Refused(_) | AdbError::Slow(_) | AdbError::Cut(_)) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let pasted = if body.is_empty() {
            Arrival::Unknown
        } else {
            paste_body(field, guard, &mut session, body).await?
        };
        if pasted == Arrival::Missing {
            if session.is_forbidden() {
                return Err(AdbError::TouchForbidden("the paste key was refused".to_owned()));
            }
            if session.is_over() {
                continue;
            }
            return Ok(None);
        }
        for _ in 0..enters {
            let _pass = guard.pass()?;
            enter(&mut session).await?;
        }
        return Ok(Some(pasted));
    }
    Ok(None)
}

/// What the phone has copied, by scrcpy's session: the only thing that can tell. An empty clipboard keeps silent there, so
/// that silence is no answer.
///
/// # Errors
/// [`AdbError::NotSupported`] when nothing here can tell; [`AdbError::LeaseLost`]; else why the phone could not be asked.
pub(crate) async fn copied(
    sessions: &scrcpy::SharedSession,
    device: &Device,
    guard: &CancelGuard,
) -> Result<String, AdbError> {
    let untold = || AdbError::NotSupported("the clipboard is not told".to_owned());
    let Some(mut session) = sessions.open(device, guard).await? else {
        return Err(untold());
    };
    let _pass = guard.pass()?;
    session
        .clipboard()
        .await?
        .filter(|text| !text.is_empty())
        .ok_or_else(untold)
}

async fn paste_body(
    field: &FieldReader,
    guard: &CancelGuard,
    session: &mut Session,
    body: &str,
) -> Result<Arrival, AdbError> {
    let before = field.before(guard).await;
    let saved = session.clipboard().await.unwrap_or_default();
    // Held until the clipboard is as it was: the lease does not drain in between.
    let _whole = guard.pass()?;
    let sent = session.set_clipboard(body, true).await;
    let arrival = arrives(field, guard, before.as_ref(), body).await;
    // An empty one is not told apart from one that keeps silent: either way nothing of ours is left in it.
    if let Err(error) = session.set_clipboard(saved.as_deref().unwrap_or(""), false).await {
        tracing::warn!(%error, "the clipboard could not be put back");
    }
    match (sent, arrival) {
        (Ok(()), arrival) => Ok(arrival),
        (Err(_), Arrival::Seen) => Ok(Arrival::Seen),
        (Err(_), Arrival::Missing) => Ok(Arrival::Missing),
        (Err(error), _) => Err(error),
    }
}

async fn enter(session: &mut Session) -> Result<(), AdbError> {
    session.key(ENTER, META_NONE).await
}

/// Looks for the text in the field.
async fn arrives(field: &FieldReader, guard: &CancelGuard, before: Option<&Field>, body: &str) -> Arrival {
    let until = Instant::now() + READS;
    if before.is_some_and(|field| field.password) || before.is_none() {
        // Nothing to compare with: the moment must do, and the look after it tells what it can.
        let _ = guard.pause(READS).await;
    }
    loop {
        // Only a look that begins when the app has had its time can tell that it did nothing.
        let is_last = Instant::now() >= until;
        let after = field.read(guard).await;
        let arrival = field::compare(before, after.as_ref(), body);
        if is_last || matches!(arrival, Arrival::Seen | Arrival::Different) || guard.pass().is_err() {
            return arrival;
        }
        if after.is_none() {
            sleep(READS).await;
            return arrival;
        }
        sleep(AGAIN).await;
    }
}

//! Text of any script by the reader: an input like any other, under the lease, of what was judged.

use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::remote_command::LEASE_LOST_TIMEOUT;
use crate::input::field::Arrival;
use crate::input::keys::send;
use crate::input::text_chunking::Piece;
use crate::input::text_input::TextInput;
use crate::reader::TextResult;
use agent::lease::Pass;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::sleep;

/// What was begun when the lease went may go on for so long inside the app.
const OVER: Duration = Duration::from_secs(6);

/// Types pieces until the reader cannot; what was not typed, and what became of the last that was.
///
/// # Errors
/// [`AdbError::LeaseLost`]; [`AdbError::MaybeRunning`] when the lease went meanwhile; [`AdbError::Slow`] when one may have been
/// typed; how a key went.
pub(crate) async fn types(
    to: &TextInput,
    guard: &CancelGuard,
    pieces: Vec<Piece>,
) -> Result<(Vec<Piece>, Option<Arrival>), AdbError> {
    let mut rest = VecDeque::from(pieces);
    let mut arrival = None;
    while let Some(piece) = rest.front() {
        match piece {
            Piece::Characters(characters) => match put(to, guard, characters).await? {
                Some(seen) => arrival = Some(seen),
                None => break,
            },
            // A key alone is no reason to start a reader: whoever types the rest presses it.
            Piece::Key(_) if arrival.is_none() => break,
            key @ Piece::Key(_) => send(&to.input, guard, key).await?,
        }
        rest.pop_front();
    }
    Ok((rest.into(), arrival))
}

async fn put(to: &TextInput, guard: &CancelGuard, text: &str) -> Result<Option<Arrival>, AdbError> {
    let device = to.device();
    let ready = async {
        let mut resident = to.field.tree.resident().await;
        let is_ready = resident.is_ready(device).await;
        Ok(is_ready.then_some(resident))
    };
    let Some(mut resident) = guard.unless_lost(ready).await? else {
        return Ok(None);
    };
    let pass = guard.pass()?;
    let too_late = async {
        guard.lost().await;
        sleep(LEASE_LOST_TIMEOUT).await;
    };
    tokio::select! {
        biased;
        done = resident.put(device, text) => Ok(done?.map(|put| match put {
            TextResult::Shown => Arrival::Seen,
            TextResult::Otherwise => Arrival::Different,
        })),
        () = too_late => {
            keep(pass);
            Err(AdbError::MaybeRunning("a text by the reader".to_owned()))
        }
    }
}

/// Keeps the pass for as long as an app may take to do what it was asked.
fn keep(pass: Pass) {
    tokio::spawn(async move {
        sleep(OVER).await;
        drop(pass);
    });
}

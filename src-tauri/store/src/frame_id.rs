//! What a stored picture is called: its run, and its number there.

use protocol::{FrameId, RunId};

/// The name of a run's picture.
pub(crate) fn of(run: &RunId, n: u32) -> FrameId {
    FrameId(format!("{run}/{n}"))
}

/// The run of a picture, and its number there.
pub(crate) fn run_and_number(frame: &FrameId) -> Option<(&str, u32)> {
    let (run, n) = frame.0.rsplit_once('/')?;
    Some((run, n.parse().ok()?))
}

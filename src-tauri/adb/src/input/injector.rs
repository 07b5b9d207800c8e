//! The phone's own `input` program, and the display its fingers go to.

use crate::connect::command_line::CommandLine;
use crate::connect::server::Device;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::output_parse;
use crate::exec::remote_command::{self, LEASE_LOST_TIMEOUT, MOMENT};
use crate::exec::termination::Termination;
use crate::input::capabilities::InputCapabilities;
use std::sync::Arc;
use std::time::Duration;

/// Pixels from the left and from the top.
pub(crate) type Point = (i32, i32);

/// What sends events to one phone.
#[derive(Clone)]
pub(crate) struct Injector {
    pub(crate) device: Device,
    /// What was learnt of its `input`.
    pub(crate) capabilities: Arc<InputCapabilities>,
    /// The display a finger goes to, where it is not the phone's own.
    pub(crate) display: Option<u32>,
}

impl Injector {
    /// `input` as a finger uses it: on the display that is looked at (`-d`: Android 10 and newer).
    pub(crate) fn finger(&self) -> String {
        self.display
            .map_or_else(|| "input".to_owned(), |display| format!("input -d {display}"))
    }

    /// One `input` line, over in a moment.
    ///
    /// # Errors
    /// What `input` complained of, or how the command went.
    pub(crate) async fn input(&self, guard: &CancelGuard, arguments: &str) -> Result<(), AdbError> {
        self.line(guard, CommandLine::plain(&format!("input {arguments}")), MOMENT)
            .await
    }

    /// The same for a line made elsewhere, that may take so long.
    ///
    /// # Errors
    /// As [`Injector::input`].
    pub(crate) async fn line(
        &self,
        guard: &CancelGuard,
        line: CommandLine,
        limit: Duration,
    ) -> Result<(), AdbError> {
        let output = remote_command::run(
            &self.device,
            guard,
            line,
            limit,
            Termination::Wait(LEASE_LOST_TIMEOUT),
        )
        .await?;
        output_parse::input(&output)
    }
}

/// A point as `input` takes it. No coordinate is negative: a sign would be read as an option.
pub(crate) fn spot((x, y): Point) -> String {
    format!("{} {}", x.max(0), y.max(0))
}

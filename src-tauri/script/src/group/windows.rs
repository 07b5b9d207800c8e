//! A job object: what a process in it starts is in it too, and cannot leave.

use super::command::{GONE, command};
use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

/// The processes of one script. The job dies with its last handle, so also with this program.
#[derive(Debug)]
pub(crate) struct Group {
    job: Box<dyn ChildWrapper>,
}

impl Group {
    /// Starts bash in a new job, without a console window.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn spawn(
        bash: &Path,
        folder: &Path,
        environment: Vec<(OsString, OsString)>,
        _mark: String,
    ) -> io::Result<Self> {
        let job = CommandWrap::from(command(bash, folder, environment))
            .wrap(CreationFlags(CREATE_NO_WINDOW))
            .wrap(KillOnDrop)
            .wrap(JobObject)
            .spawn()?;
        Ok(Self { job })
    }

    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.job.stdin().take()
    }

    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.job.stdout().take()
    }

    pub(crate) fn stderr(&mut self) -> Option<ChildStderr> {
        self.job.stderr().take()
    }

    /// Returns once bash has ended, whatever else of the job goes on. May be dropped and called again.
    pub(crate) async fn leader_ended(&mut self) {
        let _status = self.job.inner_mut().wait().await;
    }

    /// Windows has no such request: what does not end by itself is ended by [`Group::end`].
    pub(crate) fn ask_to_end(&self) {}

    /// Ends all, and waits, bounded, until all are gone. Gives bash's exit code, if it had come to one.
    pub(crate) async fn end(mut self) -> Option<i32> {
        if let Err(error) = self.job.start_kill() {
            tracing::warn!(%error, "the script's job could not be ended");
        }
        let status = tokio::time::timeout(GONE, self.job.wait()).await;
        status.ok()?.ok()?.code()
    }
}

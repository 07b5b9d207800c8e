//! A process group.
//!
//! Its leader is not reaped before the group was killed: a dead but unreaped leader keeps the group's number from
//! being given to anybody else.

use super::command::{GONE, command};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

/// The processes of one script.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Child,
    id: Pid,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux shows a process's mark")
    )]
    mark: String,
    watch: JoinHandle<()>,
    leader_ended: bool,
    ended: bool,
}

impl Group {
    /// Starts bash at the head of a new group.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn spawn(
        bash: &Path,
        folder: &Path,
        environment: Vec<(OsString, OsString)>,
        mark: String,
    ) -> io::Result<Self> {
        let leader = command(bash, folder, environment).process_group(0).spawn()?;
        let id = leader.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let Some(id) = id else {
            return Err(io::Error::other("the script has no process"));
        };
        Ok(Self {
            leader,
            id,
            mark,
            watch: tokio::task::spawn_blocking(move || wait_unreaped(id)),
            leader_ended: false,
            ended: false,
        })
    }

    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.leader.stdin.take()
    }

    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.leader.stdout.take()
    }

    pub(crate) fn stderr(&mut self) -> Option<ChildStderr> {
        self.leader.stderr.take()
    }

    /// Returns once bash has ended, whatever else of the group goes on. May be dropped and called again.
    pub(crate) async fn leader_ended(&mut self) {
        if !self.leader_ended {
            let _told = (&mut self.watch).await;
            self.leader_ended = true;
        }
    }

    /// SIGTERM to all.
    pub(crate) fn ask_to_end(&self) {
        self.signal(Signal::TERM);
    }

    /// SIGKILL to all, and waits, bounded, until all are gone. Gives bash's exit code, if it had come to one.
    pub(crate) async fn end(mut self) -> Option<i32> {
        self.signal(Signal::KILL);
        #[cfg(target_os = "linux")]
        {
            let (id, mark) = (self.id, self.mark.clone());
            let swept = tokio::task::spawn_blocking(move || super::strays::end(id, &mark, GONE)).await;
            if !matches!(swept, Ok(true)) {
                tracing::warn!("a process of the script is still there");
            }
        }
        // Last, because the group's number is free afterwards.
        let status = tokio::time::timeout(GONE, self.leader.wait()).await;
        self.ended = true;
        status.ok()?.ok()?.code()
    }

    fn signal(&self, signal: Signal) {
        // No such group: all are dead. Not permitted (macOS): only dead ones are left.
        match kill_process_group(self.id, signal) {
            Ok(()) | Err(Errno::SRCH | Errno::PERM) => {}
            Err(error) => tracing::warn!(%error, "the script's group could not be signalled"),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended {
            self.signal(Signal::KILL);
            #[cfg(target_os = "linux")]
            super::strays::kill(self.id, &self.mark);
        }
    }
}

/// Blocks until the child has ended, and leaves it to be reaped by its owner.
fn wait_unreaped(id: Pid) {
    while let Err(Errno::INTR) = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {}
}

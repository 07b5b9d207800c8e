//! Scripts on this computer: `run_script`, once the person has allowed it.
//!
//! One door: [`Bash`], which implements [`agent::ports::Scripts`]. A script runs in `bash`, in its own process group
//! and an empty folder of its own, with a short environment and no input. Its group ends with it: after its exit,
//! its time limit, the loss of the lease, a dropped future, or the death of this program.
//!
//! Absent on purpose: judging (room `agent` asked the person before), remembering (room `store`), other shells. On
//! Windows the `bash` of Git for Windows is used; a script written for bash is never given to `PowerShell`, which
//! would do half of it. Nothing of the script is written to the disk: bash reads it from a pipe.
//!
//! Start reading at `Bash::start`, then `group/` (one file for Unix, one for Windows).

mod capture;
mod environment;
mod error;
mod group;
mod program;

pub use error::ScriptError;

use agent::lease::Grip;
use agent::ports::{ScriptEnd, Scripts};
use async_trait::async_trait;
use capture::Capture;
use group::Group;
use protocol::Failure;
use std::convert::Infallible;
use std::io;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::task::JoinSet;

/// The longest script, in characters.
pub const LONGEST: usize = 12_000;

/// The shortest and the longest time a script may be given.
pub const LIMITS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(600));

/// How long a script that was told to end (SIGTERM) may tidy up before it is killed. Stop promises its answer
/// within two seconds, so this and what follows stays well below.
const GRACE: Duration = Duration::from_millis(500);

/// How long to wait for the last output once the whole group is dead. The pipes are closed by then, unless a
/// process that left the group holds one.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Scripts in `bash`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bash;

impl Bash {
    /// Checks, then runs `script` to its end.
    ///
    /// # Errors
    /// [`ScriptError`] when it could not be started.
    async fn start(script: &str, limit: Duration, grip: &Grip) -> Result<ScriptEnd, ScriptError> {
        check(script)?;
        let bash = program::find()?;
        let folder = private_folder().map_err(ScriptError::Start)?;
        let mark = environment::mark();
        let environment = environment::build(std::env::vars_os(), folder.path(), &mark);

        // From here until the group is gone something may reach the phone.
        let pass = grip.pass().map_err(|_| ScriptError::LeaseLost)?;
        let mut group = Group::spawn(&bash, folder.path(), environment, mark).map_err(ScriptError::Start)?;
        let mut readers = JoinSet::new();
        let stdout = read(&mut readers, group.stdout());
        let stderr = read(&mut readers, group.stderr());
        let mut stdin = group.stdin();

        let why = tokio::select! {
            biased;
            () = grip.lost() => Why::Lost,
            () = group.leader_ended() => Why::Ended,
            never = feed(stdin.as_mut(), script) => match never {},
            () = tokio::time::sleep(within_bounds(limit)) => Why::Time,
        };
        if why != Why::Ended {
            group.ask_to_end();
            let _late = tokio::time::timeout(GRACE, group.leader_ended()).await;
        }
        let exit = group.end().await;
        drop(pass);
        drop(stdin);
        if tokio::time::timeout(LAST_WORDS, async { while readers.join_next().await.is_some() {} })
            .await
            .is_err()
        {
            tracing::debug!("a process outside the script's group still holds its output");
        }
        readers.abort_all();
        // The folder may hold thousands of files by now.
        let removal = tokio::task::spawn_blocking(move || folder.close());
        if let Ok(Err(error)) = removal.await {
            tracing::warn!(%error, "the script's folder could not be removed");
        }
        Ok(ScriptEnd {
            exit: exit.filter(|_| why == Why::Ended),
            timed_out: why == Why::Time,
            stdout: stdout.text(),
            stderr: stderr.text(),
        })
    }
}

#[async_trait]
impl Scripts for Bash {
    async fn run(&self, script: &str, limit: Duration, grip: &Grip) -> Result<ScriptEnd, Failure> {
        Self::start(script, limit, grip).await.map_err(Failure::from)
    }
}

/// Why the script is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    Ended,
    Time,
    Lost,
}

fn check(script: &str) -> Result<(), ScriptError> {
    if script.trim().is_empty() {
        return Err(ScriptError::Empty);
    }
    let length = script.chars().count();
    if length > LONGEST {
        return Err(ScriptError::TooLong { length });
    }
    if script.contains('\0') {
        return Err(ScriptError::Unreadable);
    }
    Ok(())
}

fn within_bounds(limit: Duration) -> Duration {
    limit.clamp(LIMITS.0, LIMITS.1)
}

/// A new folder that nobody else may look into (on Windows the temporary folder is the person's own).
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("pocketdeck-script-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Hands the script over, up to the NUL that ends it, and never returns: the pipe stays open, because its end is how
/// the script's group learns that this program died.
async fn feed(stdin: Option<&mut ChildStdin>, script: &str) -> Infallible {
    if let Some(stdin) = stdin {
        let text = [script.as_bytes(), b"\0"].concat();
        if let Err(error) = stdin.write_all(&text).await {
            // Bash died before it had read everything; that it ended is noticed elsewhere.
            tracing::debug!(%error, "the script was not read to its end");
        }
    }
    std::future::pending().await
}

fn read<R>(readers: &mut JoinSet<()>, from: Option<R>) -> Capture
where
    R: AsyncRead + Unpin + Send + 'static,
{
    let capture = Capture::default();
    if let Some(from) = from {
        let capture = capture.clone();
        readers.spawn(async move { capture.drain(from).await });
    }
    capture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_limit_is_held_within_its_bounds() {
        let seconds = |given| within_bounds(Duration::from_secs(given)).as_secs();
        assert_eq!(
            [0, 1, 60, 600, 601, u64::MAX].map(seconds),
            [1, 1, 60, 600, 600, 600]
        );
    }
}

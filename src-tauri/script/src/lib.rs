//! Scripts on this computer: `run_script`, once the person has allowed it.
//!
//! One door: [`Bash`], which implements [`agent::ports::Scripts`]. What a script may do is read from bash's own grammar
//! before anybody is asked (`check`), against the person's list of programs (`programs`). Then it runs in `bash`, in its
//! own process group and a folder of its own, with a short environment and no input. Its group ends with it: after its
//! exit, its time limit, the loss of the lease, a dropped future, or the death of this program. The folder stays, with
//! the text and what came of it.
//!
//! Absent on purpose: asking (room `agent` asked the person before), remembering (room `store`), other shells. On
//! Windows the `bash` of Git for Windows is used; a script written for bash is never given to `PowerShell`, which
//! would do half of it.
//!
//! Start reading at `Bash::start`, then `check/` and `group/` (one file for Unix, one for Windows).

mod capture;
mod check;
mod environment;
mod error;
mod folder;
mod group;
mod limits;
mod program;
pub mod programs;
#[cfg(all(test, unix))]
mod running_tests;
pub mod script_folders;

pub use error::ScriptError;
pub use limits::{LIMITS, LONGEST};

use agent::lease::Grip;
use agent::ports::{Job, Objection, Printed, ScriptEnd, Scripts};
use async_trait::async_trait;
use capture::Capture;
use folder::Folder;
use group::Group;
use protocol::{Failure, RefusalCode, Stream};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::task::JoinSet;

/// How long a script that was told to end (SIGTERM) may tidy up before it is killed. Stop promises its answer
/// within two seconds, so this and what follows stays well below.
const GRACE: Duration = Duration::from_millis(500);

/// How long to wait for the last output once the whole group is dead. The pipes are closed by then, unless a
/// process that left the group holds one.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Scripts in `bash`.
#[derive(Clone, Debug)]
pub struct Bash {
    /// Where each script has its folder.
    folder: PathBuf,
}

impl Bash {
    /// Scripts whose folders are kept in `folder`.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Reads the script once more, then runs it to its end.
    ///
    /// # Errors
    /// [`ScriptError`] when it could not be started.
    async fn start(&self, job: &Job, grip: &Grip) -> Result<ScriptEnd, ScriptError> {
        let judged = job.script().filter(|_| job.judged.is_good(Instant::now()));
        let Some(said) = judged else {
            return Err(ScriptError::NotAllowed("it was not judged just now".to_owned()));
        };
        text(said)?;
        let (script, list) = (said.to_owned(), job.programs.clone());
        // The list and its links may have changed since the person was asked.
        let read = tokio::task::spawn_blocking(move || {
            check::check(&script, &list).map(|()| check::Allowed::new(&list))
        });
        let allowed = match read.await {
            Ok(Ok(allowed)) => allowed,
            Ok(Err(objection)) => return Err(ScriptError::NotAllowed(objection.message)),
            Err(_) => return Err(ScriptError::NotAllowed("it could not be checked".to_owned())),
        };
        let folder =
            Folder::new(&self.folder, &job.run, said, &allowed.by_name()).map_err(ScriptError::Start)?;
        let began = Instant::now();
        let end = execute(job, folder.files(), Some(folder.programs()), grip).await;
        let end = end.map(|end| ScriptEnd {
            folder: Some(folder.path().to_string_lossy().into_owned()),
            ..end
        });
        let kept = end.as_ref().ok().cloned();
        let keeping = tokio::task::spawn_blocking(move || folder.keep(kept.as_ref(), began.elapsed()));
        if let Ok(Err(error)) = keeping.await {
            tracing::warn!(%error, "what came of the script could not be kept");
        }
        end
    }
}

/// Runs a script that was checked: its folder, and the folder its `PATH` is (what this program has, when absent).
///
/// # Errors
/// [`ScriptError`] when it could not be started.
async fn execute(
    job: &Job,
    folder: &Path,
    path: Option<&Path>,
    grip: &Grip,
) -> Result<ScriptEnd, ScriptError> {
    let bash = program::find()?;
    let mark = environment::mark();
    let environment = environment::build(std::env::vars_os(), folder, path, &mark);

    // From here until the group is gone something may go on.
    let pass = grip.pass().map_err(|_| ScriptError::LeaseLost)?;
    let mut group = Group::spawn(&bash, folder, environment, mark).map_err(ScriptError::Start)?;
    let mut readers = JoinSet::new();
    let stdout = read(&mut readers, group.stdout(), job, Stream::Stdout);
    let stderr = read(&mut readers, group.stderr(), job, Stream::Stderr);
    let mut stdin = group.stdin();

    let reason = tokio::select! {
        biased;
        () = grip.lost() => EndReason::LeaseLost,
        () = group.leader_ended() => EndReason::Exited,
        never = feed(stdin.as_mut(), job.script().unwrap_or_default()) => match never {},
        () = tokio::time::sleep(within_bounds(job.limit)) => EndReason::TimedOut,
    };
    if reason != EndReason::Exited {
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
    Ok(ScriptEnd {
        exit: exit.filter(|_| reason == EndReason::Exited),
        timed_out: reason == EndReason::TimedOut,
        stdout: (job.hide)(&stdout.text()),
        stderr: (job.hide)(&stderr.text()),
        folder: None,
    })
}

#[async_trait]
impl Scripts for Bash {
    async fn check(&self, script: &str, programs: &[String]) -> Result<(), Objection> {
        text(script).map_err(|error| Objection {
            code: RefusalCode::ScriptUnreadable,
            message: error.to_string(),
        })?;
        let (script, list) = (script.to_owned(), programs.to_vec());
        let read = tokio::task::spawn_blocking(move || check::check(&script, &list));
        read.await.unwrap_or_else(|_| {
            Err(Objection {
                code: RefusalCode::ScriptUnreadable,
                message: "the script could not be checked".to_owned(),
            })
        })
    }

    async fn run(&self, job: &Job, grip: &Grip) -> Result<ScriptEnd, Failure> {
        self.start(job, grip).await.map_err(Failure::from)
    }
}

/// Why the script is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndReason {
    Exited,
    TimedOut,
    LeaseLost,
}

fn text(script: &str) -> Result<(), ScriptError> {
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

fn read<R>(readers: &mut JoinSet<()>, from: Option<R>, job: &Job, stream: Stream) -> Capture
where
    R: AsyncRead + Unpin + Send + 'static,
{
    let capture = Capture::default();
    if let Some(from) = from {
        let (capture, hide, printed) = (capture.clone(), job.hide.clone(), job.printed.clone());
        readers.spawn(async move {
            let tell = |text: String| {
                // Whoever listened may be gone already.
                let _late = printed.send(Printed {
                    stream,
                    text: hide(&text),
                });
            };
            capture.drain(from, tell).await;
        });
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

//! Scripts on this computer. Implemented by room `script`.

use crate::lease::Grip;
use async_trait::async_trait;
use judge::{Input, Judged};
use protocol::{Failure, RefusalCode, RunId, Stream};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Scripts on this computer. Implemented by room `script`; `run_script` comes here where the person switched that on.
#[async_trait]
pub trait Scripts: Send + Sync {
    /// Whether the script does nothing but what this list of programs allows. Runs nothing.
    ///
    /// # Errors
    /// [`Objection`] at the first thing that is not allowed.
    async fn check(&self, script: &str, programs: &[String]) -> Result<(), Objection>;

    /// Checks once more, then runs one script to its end, its time limit, or the loss of the lease, whichever is first;
    /// then its whole process group is gone.
    ///
    /// # Errors
    /// When it could not be started.
    async fn run(&self, job: &Job, grip: &Grip) -> Result<ScriptEnd, Failure>;
}

/// Why a script may not run on this computer. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Objection {
    /// Its kind: one of those that begin with `Script`.
    pub code: RefusalCode,
    /// The reason, in a short English line.
    pub message: String,
}

/// A script to be run on this computer.
#[derive(Clone)]
pub struct Job {
    /// For which run.
    pub run: RunId,
    /// It, judged.
    pub judged: Judged,
    /// Programs it may start, by their absolute paths.
    pub programs: Vec<String>,
    /// How long it may take.
    pub limit: Duration,
    /// Takes out of a text what may not be written down or told.
    pub hide: Hide,
    /// Told what it prints, as it comes.
    pub printed: mpsc::UnboundedSender<Printed>,
}

impl Job {
    /// Its text; nothing where something else than a script for this computer was judged.
    #[must_use]
    pub fn script(&self) -> Option<&str> {
        match self.judged.input() {
            Input::ComputerScript(script) => Some(script),
            _ => None,
        }
    }
}

/// Takes out of a text what may not be written down or told.
pub type Hide = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Lines a script printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Where it printed them.
    pub stream: Stream,
    /// The lines.
    pub text: String,
}

/// How a script ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptEnd {
    /// Absent when it was killed.
    pub exit: Option<i32>,
    /// It was killed for time.
    pub timed_out: bool,
    /// Cut to 6,000 characters.
    pub stdout: String,
    /// Cut to 6,000 characters.
    pub stderr: String,
    /// Where a script on this computer left its files.
    pub folder: Option<String>,
}

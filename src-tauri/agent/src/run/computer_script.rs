//! Scripts on this computer: checked before anybody is asked, and told while they run.

use super::halt::Halt;
use super::outcome::{StepResult, failed};
use super::state::Run;
use crate::ports::{Hide, Job, Objection, Printed};
use judge::Judged;
use protocol::{Act, ActMethod, Action, FailureCode, OutcomeCode, Stream, What};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What is printed in this time is told together: a script may print faster than a person reads.
const TOGETHER: Duration = Duration::from_millis(250);

/// What a script printed and nobody was told yet.
pub(super) struct ScriptOutput {
    printed: mpsc::UnboundedReceiver<Printed>,
    stdout: String,
    stderr: String,
    /// When it is told; absent when there is nothing.
    due: Option<Instant>,
}

impl ScriptOutput {
    /// Returns when something is to be told.
    pub(super) async fn due(&mut self) {
        loop {
            let due = self.due;
            let told = async move {
                match due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = told => return,
                one = self.printed.recv() => match one {
                    Some(one) => self.add(one),
                    // Nothing more will come; what there is comes with the end.
                    None => std::future::pending().await,
                },
            }
        }
    }

    fn add(&mut self, one: Printed) {
        match one.stream {
            Stream::Stdout => self.stdout.push_str(&one.text),
            Stream::Stderr => self.stderr.push_str(&one.text),
        }
        self.due.get_or_insert_with(|| Instant::now() + TOGETHER);
    }

    fn take(&mut self) -> [(Stream, String); 2] {
        self.due = None;
        [
            (Stream::Stdout, std::mem::take(&mut self.stdout)),
            (Stream::Stderr, std::mem::take(&mut self.stderr)),
        ]
    }

    fn drain(&mut self) {
        while let Ok(one) = self.printed.try_recv() {
            self.add(one);
        }
    }
}

impl Run {
    /// What of a script the person's list of programs does not allow.
    pub(super) async fn object(&mut self, action: &Action) -> Result<Option<Objection>, Halt> {
        let Act::RunScript { script, .. } = &action.act else {
            return Ok(None);
        };
        let scripts = Arc::clone(&self.ports.scripts);
        let (script, programs) = (script.clone(), self.task.settings.scripts.programs.clone());
        let checked = self
            .race(async move { scripts.check(&script, &programs).await })
            .await?;
        Ok(checked.err())
    }

    /// Runs a script the person said Yes to.
    pub(super) async fn script_here(
        &mut self,
        judged: Judged,
        limit: Duration,
        began: Instant,
    ) -> Result<StepResult, Halt> {
        let scripts = Arc::clone(&self.ports.scripts);
        let secrets = self.secrets.clone();
        let hide: Hide = Arc::new(move |text: &str| secrets.hide_read(text));
        let (sender, printed) = mpsc::unbounded_channel();
        let job = Job {
            run: self.task.run.clone(),
            judged,
            programs: self.task.settings.scripts.programs.clone(),
            limit,
            hide,
            printed: sender,
        };
        let grip = self.grip.clone();
        let telling = ScriptOutput {
            printed,
            stdout: String::new(),
            stderr: String::new(),
            due: None,
        };
        let ran = self
            .finish_telling(
                async move { scripts.run(&job, &grip).await },
                began,
                Some(telling),
            )
            .await?;
        let (mut outcome, told) = match ran {
            Ok(end) => self.script_told(end),
            Err(failure) => {
                let code = match failure.code {
                    FailureCode::LeaseLost => OutcomeCode::LeaseLost,
                    _ => OutcomeCode::ScriptFailed,
                };
                let detail = self.secrets.hide(&failure.detail.unwrap_or_default());
                (failed(code, &detail), format!("failed: {detail}"))
            }
        };
        outcome.via = Some(ActMethod::ThisComputer.into());
        Ok((outcome, told))
    }

    /// Writes down what was printed so far.
    pub(super) async fn tell_printed(&mut self, telling: &mut ScriptOutput, all: bool) -> Result<(), Halt> {
        if all {
            telling.drain();
        }
        for (stream, text) in telling.take() {
            if !text.is_empty() {
                let step = self.budget.step();
                self.record(What::Printed { step, stream, text }).await?;
            }
        }
        Ok(())
    }
}

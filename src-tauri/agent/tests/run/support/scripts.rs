//! A computer that runs scripts as it is told to, in virtual time.

use agent::Grip;
use agent::ports::{Job, Objection, Printed, ScriptEnd, Scripts};
use async_trait::async_trait;
use protocol::{Failure, FailureCode, RefusalCode, Stream};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// What a script prints, and when it ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Play {
    /// After how long, where, what.
    pub(crate) lines: Vec<(Duration, Stream, &'static str)>,
    pub(crate) exit: i32,
    /// Begins, but is not known to end in time when the lease is lost.
    pub(crate) hangs: bool,
}

/// A port that allows every script but those that name `forbidden`.
#[derive(Default)]
pub(crate) struct FakeScripts {
    play: Mutex<Play>,
    ran: Mutex<Vec<String>>,
}

impl FakeScripts {
    pub(crate) fn play(&self, play: Play) {
        *self.play.lock().unwrap() = play;
    }

    /// What was run, with the programs it was run with and its limit.
    pub(crate) fn ran(&self) -> Vec<String> {
        self.ran.lock().unwrap().clone()
    }
}

#[async_trait]
impl Scripts for FakeScripts {
    async fn check(&self, script: &str, programs: &[String]) -> Result<(), Objection> {
        if script.contains("forbidden") {
            return Err(Objection {
                code: RefusalCode::ScriptProgram,
                message: format!(
                    "forbidden is not on the person's list, which allows {}",
                    programs.join(", ")
                ),
            });
        }
        Ok(())
    }

    async fn run(&self, job: &Job, grip: &Grip) -> Result<ScriptEnd, Failure> {
        let _pass = grip.pass().map_err(|_| Failure {
            code: FailureCode::LeaseLost,
            values: BTreeMap::new(),
            detail: None,
        })?;
        let line = format!(
            "{:?} with {:?} for {:?}",
            job.script().unwrap_or_default(),
            job.programs,
            job.limit
        );
        self.ran.lock().unwrap().push(line);
        let play = self.play.lock().unwrap().clone();
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let acting = async {
            for (after, stream, text) in play.lines {
                tokio::time::sleep(after).await;
                let text = (job.hide)(text);
                match stream {
                    Stream::Stdout => stdout.push_str(&text),
                    Stream::Stderr => stderr.push_str(&text),
                }
                let _ = job.printed.send(Printed { stream, text });
            }
        };
        let why = tokio::select! {
            biased;
            () = grip.lost() => "lost",
            () = acting => "ended",
            () = tokio::time::sleep(job.limit) => "time",
        };
        if play.hangs {
            std::future::pending::<()>().await;
        }
        Ok(ScriptEnd {
            exit: (why == "ended").then_some(play.exit),
            timed_out: why == "time",
            stdout,
            stderr,
            folder: Some("/data/scripts/run-1".to_owned()),
        })
    }
}

//! `/system/bin/sh`: mksh's manners over the grammar of `brush-parser`.
//!
//! A command exists only if the phone has it: names lead to builtins, functions, or nodes of the phone's own file
//! system, and nowhere else. Every loop is bounded by [`STEPS`].
//!
//! Start reading at [`evaluate`]. Not there on purpose: arrays, aliases, history, job control (`fg`, `bg`, `^Z`).

mod arithmetic;
mod builtin;
mod compound;
mod condition;
pub(crate) mod escape;
mod evaluate;
pub(crate) mod exec;
mod expand;
mod glob;
mod interactive;
mod jobs;
mod parameter;
mod parse;
mod pattern;
mod redirect;
mod simple;
mod start;
mod variables;

pub(crate) use condition::test as evaluate_test;
pub(crate) use pattern::Pattern;
pub(crate) use start::main;

use crate::process::{Call, Child, ProgramResult, Signal};
use brush_parser::ast;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use variables::Variables;

/// What mksh calls itself in its messages, started as adbd starts it (`_PATH_BSHELL`).
pub(crate) const NAME: &str = "/system/bin/sh";

/// A shell and all it forks run so many commands (turns of a loop included), then it is ended.
const STEPS: u32 = 200_000;

/// Functions, `eval` and substitutions may lie so deep in each other.
const DEPTH: u32 = 48;

/// What leaves the ordinary course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Break(u32),
    Continue(u32),
    Return(i32),
    Exit(i32),
    Signal(Signal),
}

/// What a command comes to: its status, or another way out.
type CommandResult = Result<i32, Flow>;

impl From<Signal> for Flow {
    fn from(signal: Signal) -> Self {
        Self::Signal(signal)
    }
}

/// One shell process.
#[derive(Clone)]
struct Shell {
    call: Call,
    name: String,
    variables: Variables,
    positional: Vec<String>,
    status: i32,
    /// Status of the last command substitution, for `x=$(false)`.
    substituted: Option<i32>,
    background: Option<u32>,
    jobs: Vec<Child>,
    functions: BTreeMap<String, Arc<ast::FunctionBody>>,
    traps: BTreeMap<u8, String>,
    options: Options,
    /// Loops around the present command.
    loops: u32,
    /// Functions around the present command.
    calls: u32,
    /// Conditions around the present command: a failure there does not end the shell under `set -e`.
    tested: u32,
    depth: u32,
    /// What `$$` tells, in subshells too.
    own_pid: u32,
    steps: Arc<AtomicU32>,
    interactive: bool,
}

/// `set -e`, `-u`, `-x`, `-f`.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the flags of `set`")]
struct Options {
    errexit: bool,
    nounset: bool,
    xtrace: bool,
    noglob: bool,
}

/// The number traps keep `EXIT` under.
const EXIT: u8 = 0;

impl Shell {
    fn new(call: Call, name: String, positional: Vec<String>) -> Self {
        let variables = Variables::new(&call);
        let own_pid = call.process.pid;
        Self {
            call,
            name,
            variables,
            positional,
            status: 0,
            substituted: None,
            background: None,
            jobs: Vec::new(),
            functions: BTreeMap::new(),
            traps: BTreeMap::new(),
            options: Options::default(),
            loops: 0,
            calls: 0,
            tested: 0,
            depth: 0,
            own_pid,
            steps: Arc::new(AtomicU32::new(0)),
            interactive: false,
        }
    }

    /// Counts a step; lets others run now and then.
    async fn step(&self) -> Result<(), Flow> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed);
        if steps >= STEPS {
            self.complain("too many steps (this phone's own bound)").await?;
            return Err(Flow::Exit(1));
        }
        if steps.is_multiple_of(16) {
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Says something on standard error after the shell's name.
    async fn complain(&self, text: impl std::fmt::Display + Send) -> Result<(), Flow> {
        let line = format!("{}: {text}\n", self.name);
        Ok(self.call.err(line).await?)
    }

    /// Runs the text of a `-c` command or script, then the `EXIT` trap, and comes to the shell's end.
    async fn run_to_end(mut self, text: &str, may_become: bool) -> ProgramResult {
        let step = self.run_text(text, may_become).await;
        self.finish(step).await
    }

    /// Takes the way out of a whole shell: `EXIT` trap, last status.
    async fn finish(mut self, step: CommandResult) -> ProgramResult {
        let status = match step {
            Ok(status) | Err(Flow::Exit(status) | Flow::Return(status)) => status,
            Err(Flow::Break(_) | Flow::Continue(_)) => self.status,
            Err(Flow::Signal(signal)) => return Err(signal),
        };
        if let Some(trap) = self.traps.remove(&EXIT) {
            self.status = status;
            match self.run_text(&trap, false).await {
                Err(Flow::Exit(status)) => return Ok(status),
                Err(Flow::Signal(signal)) => return Err(signal),
                _ => {}
            }
        }
        Ok(status)
    }
}

#[cfg(test)]
mod tests;

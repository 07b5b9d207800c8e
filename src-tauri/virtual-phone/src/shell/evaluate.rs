//! Running a program's tree: lists, `&&`, `|`, `&`, and forking.

use super::parse::parse;
use super::{CommandResult, DEPTH, Flow, Shell};
use crate::process::{Child, Descriptor, Descriptors, Exit, Origin, ProgramResult, Spawn, pipe, spawn};
use brush_parser::ast::{
    AndOr, AndOrList, Command, CompoundList, CompoundListItem, Pipeline, Program, SeparatorOperator,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::sync::Arc;

impl Shell {
    /// Parses and runs a text. With `may_become`, a text that is one plain command turns this very process into it
    /// (mksh does so for `sh -c COMMAND`).
    pub(super) fn run_text<'a>(
        &'a mut self,
        text: &'a str,
        may_become: bool,
    ) -> BoxFuture<'a, CommandResult> {
        async move {
            match parse(text) {
                Ok(program) => self.run_program(&program, may_become).await,
                Err(syntax) => {
                    self.complain(syntax.text()).await?;
                    if self.interactive {
                        Ok(1)
                    } else {
                        Err(Flow::Exit(1))
                    }
                }
            }
        }
        .boxed()
    }

    pub(super) async fn run_program(&mut self, program: &Program, may_become: bool) -> CommandResult {
        if self.depth > DEPTH {
            self.complain("recursion too deep").await?;
            return Err(Flow::Exit(1));
        }
        self.depth += 1;
        let alone = program.complete_commands.len() == 1;
        let mut result = Ok(self.status);
        for list in &program.complete_commands {
            result = self.list(list, may_become && alone && list.0.len() == 1).await;
            if result.is_err() {
                break;
            }
        }
        self.depth -= 1;
        result
    }

    pub(super) fn list<'a>(
        &'a mut self,
        list: &'a CompoundList,
        may_become: bool,
    ) -> BoxFuture<'a, CommandResult> {
        async move {
            let mut status = 0;
            for CompoundListItem(and_or, separator) in &list.0 {
                status = match separator {
                    SeparatorOperator::Async => self.in_background(and_or).await?,
                    SeparatorOperator::Sequence => self.and_or(and_or, may_become).await?,
                };
                self.status = status;
                self.take_traps().await?;
            }
            Ok(status)
        }
        .boxed()
    }

    async fn and_or(&mut self, list: &AndOrList, may_become: bool) -> CommandResult {
        let alone = list.additional.is_empty();
        let mut status = self
            .tested_pipeline(&list.first, !alone, may_become && alone)
            .await?;
        let last = list.additional.len();
        for (at, next) in list.additional.iter().enumerate() {
            let (pipeline, runs) = match next {
                AndOr::And(pipeline) => (pipeline, status == 0),
                AndOr::Or(pipeline) => (pipeline, status != 0),
            };
            if runs {
                self.status = status;
                status = self.tested_pipeline(pipeline, at + 1 < last, false).await?;
            }
        }
        Ok(status)
    }

    /// With `tested`, a failure is somebody's condition: `set -e` leaves it alone.
    async fn tested_pipeline(
        &mut self,
        pipeline: &Pipeline,
        tested: bool,
        may_become: bool,
    ) -> CommandResult {
        self.tested += u32::from(tested || pipeline.bang);
        let result = self.pipeline(pipeline, may_become && !pipeline.bang).await;
        self.tested -= u32::from(tested || pipeline.bang);
        let status = result?;
        if status != 0 && self.options.errexit && self.tested == 0 && !tested && !pipeline.bang {
            return Err(Flow::Exit(status));
        }
        Ok(status)
    }

    async fn pipeline(&mut self, pipeline: &Pipeline, may_become: bool) -> CommandResult {
        let started = self.call.phone.clock.now();
        let status = match pipeline.seq.as_slice() {
            [command] => self.command(command, may_become).await?,
            commands => self.piped(commands).await?,
        };
        self.status = status;
        if pipeline.timed.is_some() {
            let took = self.call.phone.clock.now().saturating_sub(started).as_secs_f64();
            let minutes = (took / 60.0).floor();
            let text = format!(
                "    {minutes:.0}m{:05.2}s real     0m00.00s user     0m00.00s system\n",
                took % 60.0
            );
            self.call.err(text).await?;
        }
        Ok(if pipeline.bang {
            i32::from(status == 0)
        } else {
            status
        })
    }

    async fn piped(&mut self, commands: &[Command]) -> CommandResult {
        let mut children = Vec::new();
        let mut input: Option<Arc<Descriptor>> = None;
        for (at, command) in commands.iter().enumerate() {
            let mut descriptors = self.call.descriptors.clone();
            if let Some(input) = input.take() {
                descriptors.set(0, input);
            }
            if at + 1 < commands.len() {
                let (reader, writer) = pipe();
                descriptors.set(
                    1,
                    Arc::new(Descriptor::Writer {
                        pipe: writer,
                        terminal: false,
                        cooked: false,
                        socket: false,
                    }),
                );
                input = Some(Arc::new(Descriptor::Reader {
                    pipe: reader,
                    terminal: false,
                }));
            }
            children.push(self.fork_command(command.clone(), descriptors).await?);
        }
        let mut status = 0;
        for child in children {
            status = self.wait_for(&child).await?;
        }
        Ok(status)
    }

    async fn in_background(&mut self, list: &AndOrList) -> CommandResult {
        let mut descriptors = self.call.descriptors.clone();
        // Without job control, a background command reads nothing of the shell's input (POSIX 2.11).
        descriptors.set(0, Arc::new(Descriptor::Null));
        let list = list.clone();
        let body = move |mut shell: Self| {
            async move {
                let step = shell.and_or(&list, true).await;
                shell.finish(step).await
            }
            .boxed()
        };
        let child = self.fork(descriptors, body).await?;
        self.background = Some(child.pid());
        if self.interactive {
            self.call
                .err(format!("[{}] {}\n", self.jobs.len() + 1, child.pid()))
                .await?;
        }
        self.jobs.push(child);
        Ok(0)
    }

    async fn fork_command(&mut self, command: Command, descriptors: Descriptors) -> Result<Child, Flow> {
        let body = move |mut shell: Self| {
            async move {
                let step = shell.command(&command, true).await;
                shell.finish(step).await
            }
            .boxed()
        };
        self.fork(descriptors, body).await
    }

    /// A copy of this shell in a process of its own.
    pub(super) async fn fork<F>(&mut self, descriptors: Descriptors, body: F) -> Result<Child, Flow>
    where
        F: FnOnce(Self) -> BoxFuture<'static, ProgramResult> + Send + 'static,
    {
        let mut copy = self.clone();
        copy.traps.retain(|_, action| action.is_empty());
        copy.jobs.clear();
        copy.loops = 0;
        copy.interactive = false;
        let request = Spawn {
            origin: Origin::Child(Arc::clone(&self.call.process)),
            words: self.call.words.clone(),
            environment: self.variables.environment(),
            directory: self.call.directory.clone(),
            descriptors,
        };
        let start = move |call| {
            copy.call = call;
            body(copy)
        };
        match spawn(&self.call.phone, request, Box::new(start)) {
            Ok(child) => Ok(child),
            Err(problem) => {
                self.complain(problem).await?;
                Err(Flow::Exit(1))
            }
        }
    }

    /// Waits for a child in the foreground.
    pub(super) async fn wait_for(&mut self, child: &Child) -> CommandResult {
        let exit = child.wait().await;
        if let Exit::Signal(signal) = exit
            && !matches!(signal.0, 2 | 13)
        {
            self.call.err(format!("{}\n", signal.describe())).await?;
        }
        Ok(exit.status())
    }

    /// Runs what `trap` set for the signals that came meanwhile.
    pub(super) async fn take_traps(&mut self) -> Result<(), Flow> {
        while let Some(signal) = self.call.process.next_trapped() {
            if let Some(action) = self.traps.get(&signal.0).cloned() {
                let status = self.status;
                self.run_text(&action, false).await?;
                self.status = status;
            }
        }
        Ok(())
    }
}

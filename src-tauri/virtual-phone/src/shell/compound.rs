//! `if`, `for`, `while`, `case`, `{ }`, `( )`, `(( ))`, `[[ ]]`, functions.

use super::{CommandResult, DEPTH, Flow, Shell};
use brush_parser::ast::{
    CaseClauseCommand, CaseItemPostAction, Command, CompoundCommand, CompoundList, ForClauseCommand,
    FunctionBody, IfClauseCommand, RedirectList,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::sync::Arc;

/// What a turn of a loop does to the loop.
enum Turn {
    Next(i32),
    Stop(i32),
}

impl Shell {
    pub(super) fn command<'a>(
        &'a mut self,
        command: &'a Command,
        may_become: bool,
    ) -> BoxFuture<'a, CommandResult> {
        async move {
            match command {
                Command::Simple(simple) => self.simple(simple, may_become).await,
                Command::Compound(compound, redirects) => {
                    self.redirected_compound(compound, redirects.as_ref()).await
                }
                Command::Function(function) => {
                    self.functions
                        .insert(function.fname.value.clone(), Arc::new(function.body.clone()));
                    Ok(0)
                }
                Command::ExtendedTest(test, redirects) => {
                    let saved = match self.redirect_for_now(redirects.as_ref()).await? {
                        Ok(saved) => saved,
                        Err(status) => return Ok(status),
                    };
                    let result = self.extended_test(&test.expr).await;
                    self.call.descriptors = saved;
                    Ok(i32::from(!result?))
                }
            }
        }
        .boxed()
    }

    /// Puts redirections in place; gives back what stood there before, or the status of their failure.
    pub(super) async fn redirect_for_now(
        &mut self,
        redirects: Option<&RedirectList>,
    ) -> Result<Result<crate::process::Descriptors, i32>, Flow> {
        let none = Vec::new();
        let list = redirects.map_or(&none, |list| &list.0);
        match self.redirected(list).await? {
            Some(new) => Ok(Ok(std::mem::replace(&mut self.call.descriptors, new))),
            None => Ok(Err(1)),
        }
    }

    async fn redirected_compound(
        &mut self,
        compound: &CompoundCommand,
        redirects: Option<&RedirectList>,
    ) -> CommandResult {
        let saved = match self.redirect_for_now(redirects).await? {
            Ok(saved) => saved,
            Err(status) => return Ok(status),
        };
        let result = self.compound(compound).await;
        self.call.descriptors = saved;
        result
    }

    async fn compound(&mut self, compound: &CompoundCommand) -> CommandResult {
        match compound {
            CompoundCommand::BraceGroup(group) => self.list(&group.list, false).await,
            CompoundCommand::Subshell(subshell) => {
                let list = subshell.list.clone();
                let body = move |mut shell: Self| {
                    async move {
                        let step = shell.list(&list, list.0.len() == 1).await;
                        shell.finish(step).await
                    }
                    .boxed()
                };
                let child = self.fork(self.call.descriptors.clone(), body).await?;
                self.wait_for(&child).await
            }
            CompoundCommand::IfClause(clause) => self.if_clause(clause).await,
            CompoundCommand::WhileClause(clause) => self.while_loop(&clause.0, &clause.1.list, true).await,
            CompoundCommand::UntilClause(clause) => self.while_loop(&clause.0, &clause.1.list, false).await,
            CompoundCommand::ForClause(clause) => self.for_loop(clause).await,
            CompoundCommand::CaseClause(clause) => self.case(clause).await,
            CompoundCommand::Arithmetic(arithmetic) => {
                let text = self.single(&arithmetic.expr.value).await?;
                Ok(i32::from(self.calculate(&text).await? == 0))
            }
            CompoundCommand::ArithmeticForClause(_) | CompoundCommand::Coprocess(_) => {
                self.complain("syntax error: not a command of this shell").await?;
                Err(Flow::Exit(1))
            }
        }
    }

    /// A list that is somebody's condition.
    async fn condition(&mut self, list: &CompoundList) -> CommandResult {
        self.tested += 1;
        let result = self.list(list, false).await;
        self.tested -= 1;
        result
    }

    async fn if_clause(&mut self, clause: &IfClauseCommand) -> CommandResult {
        if self.condition(&clause.condition).await? == 0 {
            return self.list(&clause.then, false).await;
        }
        for branch in clause.elses.iter().flatten() {
            let taken = match &branch.condition {
                Some(condition) => self.condition(condition).await? == 0,
                None => true,
            };
            if taken {
                return self.list(&branch.body, false).await;
            }
        }
        Ok(0)
    }

    async fn while_loop(
        &mut self,
        condition: &CompoundList,
        body: &CompoundList,
        wanted: bool,
    ) -> CommandResult {
        let mut status = 0;
        loop {
            self.step().await?;
            self.loops += 1;
            let answer = self.condition(condition).await;
            self.loops -= 1;
            match turn(answer)? {
                Turn::Next(answer) if (answer == 0) == wanted => {}
                Turn::Next(_) => return Ok(status),
                Turn::Stop(stopped) => return Ok(stopped),
            }
            match self.turn(body).await? {
                Turn::Next(next) => status = next,
                Turn::Stop(stopped) => return Ok(stopped),
            }
        }
    }

    async fn for_loop(&mut self, clause: &ForClauseCommand) -> CommandResult {
        let mut values = Vec::new();
        match &clause.values {
            Some(words) => {
                for word in words {
                    values.extend(self.fields(&word.value).await?);
                }
            }
            None => values.clone_from(&self.positional),
        }
        let mut status = 0;
        for value in values {
            self.step().await?;
            if let Err(readonly) = self.variables.set(&clause.variable_name, value) {
                self.complain(readonly).await?;
                return Err(Flow::Exit(2));
            }
            match self.turn(&clause.body.list).await? {
                Turn::Next(next) => status = next,
                Turn::Stop(stopped) => return Ok(stopped),
            }
        }
        Ok(status)
    }

    async fn turn(&mut self, body: &CompoundList) -> Result<Turn, Flow> {
        self.loops += 1;
        let step = self.list(body, false).await;
        self.loops -= 1;
        turn(step)
    }

    async fn case(&mut self, clause: &CaseClauseCommand) -> CommandResult {
        let value = self.single(&clause.value.value).await?;
        let mut falls_through = false;
        let mut status = 0;
        for item in &clause.cases {
            let mut fits = falls_through;
            for pattern in &item.patterns {
                fits = fits || self.pattern(&pattern.value).await?.matches(&value);
            }
            if !fits {
                continue;
            }
            if let Some(list) = &item.cmd {
                status = self.list(list, false).await?;
            }
            match item.post_action {
                CaseItemPostAction::ExitCase => return Ok(status),
                CaseItemPostAction::UnconditionallyExecuteNextCaseItem => falls_through = true,
                CaseItemPostAction::ContinueEvaluatingCases => falls_through = false,
            }
        }
        Ok(status)
    }

    /// Calls a function with `arguments` as its positional parameters.
    pub(super) async fn call_function(
        &mut self,
        body: &FunctionBody,
        arguments: Vec<String>,
    ) -> CommandResult {
        if self.calls + self.depth > DEPTH {
            self.complain("recursion too deep").await?;
            return Err(Flow::Exit(1));
        }
        let outer = std::mem::replace(&mut self.positional, arguments);
        let loops = std::mem::take(&mut self.loops);
        self.variables.enter_function();
        self.calls += 1;
        let result = self.redirected_compound(&body.0, body.1.as_ref()).await;
        self.calls -= 1;
        self.variables.leave_function();
        self.loops = loops;
        self.positional = outer;
        match result {
            Err(Flow::Return(status)) => Ok(status),
            other => other,
        }
    }
}

fn turn(step: CommandResult) -> Result<Turn, Flow> {
    match step {
        Ok(status) => Ok(Turn::Next(status)),
        Err(Flow::Break(0 | 1)) => Ok(Turn::Stop(0)),
        Err(Flow::Break(levels)) => Err(Flow::Break(levels - 1)),
        Err(Flow::Continue(0 | 1)) => Ok(Turn::Next(0)),
        Err(Flow::Continue(levels)) => Err(Flow::Continue(levels - 1)),
        Err(other) => Err(other),
    }
}

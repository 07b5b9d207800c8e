//! A plain command: assignments, words, redirections; then a function, a builtin, or a program.

use super::exec::{DEFAULT_PATH, begin, find};
use super::{CommandResult, Flow, Shell, builtin};
use crate::process::{Call, Descriptors, Environment, Origin, Spawn, spawn};
use crate::record::Received;
use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem as Item, IoRedirect, SimpleCommand,
};
use std::sync::Arc;

/// Builtins whose assignments stay one word each.
const DECLARING: [&str; 6] = ["export", "readonly", "local", "typeset", "declare", "alias"];

impl Shell {
    pub(super) async fn simple(&mut self, command: &SimpleCommand, may_become: bool) -> CommandResult {
        self.step().await?;
        self.substituted = None;
        let mut redirects: Vec<IoRedirect> = Vec::new();
        let mut assignments: Vec<&Assignment> = Vec::new();
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                Item::IoRedirect(redirect) => redirects.push(redirect.clone()),
                Item::AssignmentWord(assignment, _) => assignments.push(assignment),
                Item::Word(_) | Item::ProcessSubstitution(..) => {}
            }
        }
        let mut words = Vec::new();
        if let Some(name) = &command.word_or_name {
            words.extend(self.fields(&name.value).await?);
        }
        let declaring = words
            .first()
            .is_some_and(|name| DECLARING.contains(&name.as_str()));
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            match item {
                Item::IoRedirect(redirect) => redirects.push(redirect.clone()),
                Item::AssignmentWord(_, word) if declaring => words.push(self.single(&word.value).await?),
                Item::Word(word) | Item::AssignmentWord(_, word) => {
                    words.extend(self.fields(&word.value).await?)
                }
                Item::ProcessSubstitution(..) => {
                    self.complain("syntax error: unexpected '('").await?;
                    return Err(Flow::Exit(1));
                }
            }
        }
        let mut values = Vec::new();
        for assignment in assignments {
            values.push(self.assignment(assignment).await?);
        }
        if self.options.xtrace {
            let traced: Vec<String> = values
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let line = traced.iter().chain(&words).cloned().collect::<Vec<_>>().join(" ");
            self.call.err(format!("+ {line}\n")).await?;
        }
        let Some(descriptors) = self.redirected(&redirects).await? else {
            return Ok(1);
        };
        if words.is_empty() {
            self.assign_all(&values).await?;
            return Ok(self.substituted.unwrap_or(0));
        }
        self.dispatch(words, &values, descriptors, may_become).await
    }

    async fn assignment(&mut self, assignment: &Assignment) -> Result<(String, String), Flow> {
        let (AssignmentName::VariableName(name), AssignmentValue::Scalar(word)) =
            (&assignment.name, &assignment.value)
        else {
            self.complain("syntax error: unexpected '('").await?;
            return Err(Flow::Exit(1));
        };
        let mut value = self.single(&word.value).await?;
        if assignment.append {
            value = self.variable(name).unwrap_or_default() + &value;
        }
        Ok((name.clone(), value))
    }

    async fn assign_all(&mut self, values: &[(String, String)]) -> Result<(), Flow> {
        for (name, value) in values {
            if let Err(readonly) = self.variables.set(name, value.clone()) {
                self.complain(readonly).await?;
                return Err(Flow::Exit(2));
            }
        }
        Ok(())
    }

    async fn dispatch(
        &mut self,
        words: Vec<String>,
        values: &[(String, String)],
        descriptors: Descriptors,
        may_become: bool,
    ) -> CommandResult {
        let name = words.first().cloned().unwrap_or_default();
        if let Some(body) = self.functions.get(&name).cloned() {
            self.assign_all(values).await?;
            let arguments = words.get(1..).unwrap_or_default().to_vec();
            let saved = std::mem::replace(&mut self.call.descriptors, descriptors);
            let result = self.call_function(&body, arguments).await;
            self.call.descriptors = saved;
            return result;
        }
        if builtin::NAMES.contains(&name.as_str()) {
            if builtin::SPECIAL.contains(&name.as_str()) {
                self.assign_all(values).await?;
            }
            // `exec` without a command: the redirections stay.
            if name == "exec" && words.len() == 1 {
                self.call.descriptors = descriptors;
                return Ok(0);
            }
            let saved = std::mem::replace(&mut self.call.descriptors, descriptors);
            let result = self.builtin(&name, &words).await;
            self.call.descriptors = saved;
            return result;
        }
        let mut environment = self.variables.environment();
        environment.extend(values.iter().cloned());
        self.run_program_named(
            words,
            environment,
            descriptors,
            may_become && self.traps.is_empty(),
        )
        .await
    }

    /// Runs a program, in a process of its own or (with `becoming`) in this one.
    pub(super) async fn run_program_named(
        &mut self,
        words: Vec<String>,
        environment: Environment,
        descriptors: Descriptors,
        becoming: bool,
    ) -> CommandResult {
        let name = words.first().cloned().unwrap_or_default();
        let path = self.variables.get("PATH").unwrap_or(DEFAULT_PATH);
        let found = match find(&self.call, path, &name) {
            Ok(found) => found,
            Err((status, text)) => {
                // The complaint goes where the command's own words would have gone.
                let saved = std::mem::replace(&mut self.call.descriptors, descriptors);
                let complained = self.complain(format!("{name}: {text}")).await;
                self.call.descriptors = saved;
                complained?;
                return Ok(status);
            }
        };
        if becoming {
            let call = Call {
                words: words.clone(),
                environment: environment.clone(),
                descriptors,
                ..self.call.clone()
            };
            self.call.descriptors = Descriptors::default();
            self.call.process.become_program(&words, &environment);
            let row = self.call.process.row();
            self.call.phone.record(Received::Program {
                pid: row.pid,
                ppid: row.parent,
                words,
            });
            return match begin(found, call).await {
                Ok(code) => Err(Flow::Exit(code)),
                Err(signal) => Err(Flow::Signal(signal)),
            };
        }
        let request = Spawn {
            origin: Origin::Child(Arc::clone(&self.call.process)),
            words: words.clone(),
            environment,
            directory: self.call.directory.clone(),
            descriptors,
        };
        let parent = self.call.process.pid;
        match spawn(
            &self.call.phone,
            request,
            Box::new(move |call| Box::pin(begin(found, call))),
        ) {
            Ok(child) => {
                self.call.phone.record(Received::Program {
                    pid: child.pid(),
                    ppid: parent,
                    words,
                });
                self.wait_for(&child).await
            }
            Err(problem) => {
                self.complain(problem).await?;
                Ok(1)
            }
        }
    }
}

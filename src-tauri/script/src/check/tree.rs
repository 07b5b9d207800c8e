//! Down the syntax tree: every command, wherever it stands.

use super::allowed::Allowed;
use super::builtins;
use super::objection::{construct, objection};
use super::parse::parse;
use super::words::{self, Nesting};
use agent::ports::Objection;
use brush_parser::ast::{
    AndOr, Assignment, AssignmentName, AssignmentValue, BinaryPredicate, Command, CommandPrefixOrSuffixItem,
    CompoundCommand, CompoundList, ExtendedTestExpr, IoFileRedirectKind, IoFileRedirectTarget,
    IoHereDocument, IoRedirect, Pipeline, RedirectList, SimpleCommand, UnaryPredicate, Word,
};
use protocol::RefusalCode;
use std::collections::BTreeSet;

type CheckResult = Result<(), Objection>;

/// The functions a script defines: their names stand for commands.
type Functions = BTreeSet<String>;

/// Reads one script.
pub(super) struct Reader<'a> {
    allowed: &'a Allowed,
    functions: Functions,
    nesting: Nesting,
}

impl<'a> Reader<'a> {
    pub(super) fn new(allowed: &'a Allowed) -> Self {
        Self {
            allowed,
            functions: Functions::new(),
            nesting: Nesting::Script,
        }
    }

    /// The whole text.
    pub(super) fn script(&mut self, text: &str) -> CheckResult {
        let program = parse(text)?;
        for list in &program.complete_commands {
            self.name_functions(list)?;
        }
        program
            .complete_commands
            .iter()
            .try_for_each(|list| self.list(list))
    }

    /// A substitution's text: a script of its own, on one line.
    fn substituted(&self, text: &str) -> CheckResult {
        if text.contains(['\n', '#', '`']) || text.contains("<<") || text.contains("case") {
            return Err(construct(
                "a substitution of several lines, or with a comment, a case or a here-document in it",
            ));
        }
        let inner = Reader {
            allowed: self.allowed,
            functions: self.functions.clone(),
            nesting: self.nesting.deeper()?,
        };
        parse(text)?
            .complete_commands
            .iter()
            .try_for_each(|list| inner.list(list))
    }

    /// A word, and every command in it.
    fn word(&self, word: &Word) -> CheckResult {
        words::read(&word.value, &mut |text| self.substituted(text))
    }

    /// Names of functions, before the first command: a call may stand above its function.
    fn name_functions(&mut self, list: &CompoundList) -> CheckResult {
        for item in &list.0 {
            let rest = item.0.additional.iter().map(|next| match next {
                AndOr::And(pipeline) | AndOr::Or(pipeline) => pipeline,
            });
            for command in std::iter::once(&item.0.first)
                .chain(rest)
                .flat_map(|pipeline| &pipeline.seq)
            {
                if let Command::Function(function) = command {
                    let name = &function.fname.value;
                    if !words::is_name(name) || builtins::is_reserved(name) {
                        let what = format!("a function named {name}");
                        return Err(construct(&what));
                    }
                    self.functions.insert(name.clone());
                }
            }
        }
        Ok(())
    }

    fn list(&self, list: &CompoundList) -> CheckResult {
        for item in &list.0 {
            self.pipeline(&item.0.first)?;
            for next in &item.0.additional {
                match next {
                    AndOr::And(pipeline) | AndOr::Or(pipeline) => self.pipeline(pipeline)?,
                }
            }
        }
        Ok(())
    }

    fn pipeline(&self, pipeline: &Pipeline) -> CheckResult {
        pipeline.seq.iter().try_for_each(|command| self.command(command))
    }

    fn command(&self, command: &Command) -> CheckResult {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.redirects(redirects.as_ref())?;
                self.compound(compound)
            }
            Command::Function(function) => {
                // One that was not named at first stands inside another command: it may never be defined.
                if !self.functions.contains(&function.fname.value) {
                    return Err(construct("a function inside another command"));
                }
                self.redirects(function.body.1.as_ref())?;
                self.compound(&function.body.0)
            }
            Command::ExtendedTest(test, redirects) => {
                self.redirects(redirects.as_ref())?;
                self.test(&test.expr)
            }
        }
    }

    fn compound(&self, compound: &CompoundCommand) -> CheckResult {
        match compound {
            CompoundCommand::Arithmetic(_) | CompoundCommand::ArithmeticForClause(_) => {
                Err(construct("arithmetic (( … ))"))
            }
            CompoundCommand::Coprocess(_) => Err(construct("coproc")),
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(shell) => self.list(&shell.list),
            CompoundCommand::ForClause(clause) => {
                words::variable(&clause.variable_name)?;
                clause
                    .values
                    .iter()
                    .flatten()
                    .try_for_each(|word| self.word(word))?;
                self.list(&clause.body.list)
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value)?;
                for case in &clause.cases {
                    case.patterns.iter().try_for_each(|word| self.word(word))?;
                    case.cmd.iter().try_for_each(|list| self.list(list))?;
                }
                Ok(())
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition)?;
                self.list(&clause.then)?;
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().try_for_each(|list| self.list(list))?;
                    self.list(&other.body)?;
                }
                Ok(())
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0)?;
                self.list(&clause.1.list)
            }
        }
    }

    fn simple(&self, simple: &SimpleCommand) -> CheckResult {
        let mut assigned = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect)?,
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                    assigned.push((assignment, word))
                }
                CommandPrefixOrSuffixItem::Word(word) => self.word(word)?,
                CommandPrefixOrSuffixItem::ProcessSubstitution(..) => {
                    return Err(construct("process substitution"));
                }
            }
        }
        let mut arguments: Vec<&Word> = Vec::new();
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            match item {
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect)?,
                CommandPrefixOrSuffixItem::Word(word) => arguments.push(word),
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                    if matches!(assignment.value, AssignmentValue::Array(_)) {
                        return Err(construct("an array as an argument"));
                    }
                    arguments.push(word);
                }
                CommandPrefixOrSuffixItem::ProcessSubstitution(..) => {
                    return Err(construct("process substitution"));
                }
            }
        }
        arguments.iter().try_for_each(|word| self.word(word))?;
        let Some(name) = &simple.word_or_name else {
            return assigned
                .iter()
                .try_for_each(|(assignment, _)| self.assignment(assignment));
        };
        let name = words::command_name(&name.value)?;
        let separator = |word: &Word| word.value == "IFS=";
        if !(assigned.is_empty() || (name == "read" && assigned.iter().all(|(_, word)| separator(word)))) {
            return Err(objection(
                RefusalCode::ScriptVariable,
                "variables cannot be set for one command; set them in a line of their own".to_owned(),
            ));
        }
        let arguments: Vec<&str> = arguments.iter().map(|word| word.value.as_str()).collect();
        if self.functions.contains(&name) {
            return Ok(());
        }
        if builtins::is_reserved(&name) {
            return builtins::check(&name, &arguments);
        }
        self.allowed.program(&name)
    }

    fn assignment(&self, assignment: &Assignment) -> CheckResult {
        match &assignment.name {
            AssignmentName::VariableName(name) => words::variable(name)?,
            AssignmentName::ArrayElementName(..) => return Err(construct("an array's element")),
        }
        match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(word),
            AssignmentValue::Array(elements) => elements.iter().try_for_each(|(key, word)| {
                if key.is_some() || word.value.starts_with('[') {
                    return Err(construct("an array's element"));
                }
                self.word(word)
            }),
        }
    }

    fn test(&self, expression: &ExtendedTestExpr) -> CheckResult {
        match expression {
            ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => {
                self.test(a)?;
                self.test(b)
            }
            ExtendedTestExpr::Not(one) | ExtendedTestExpr::Parenthesized(one) => self.test(one),
            ExtendedTestExpr::UnaryTest(predicate, word) => {
                let evaluates = matches!(
                    predicate,
                    UnaryPredicate::ShellVariableIsSetAndAssigned
                        | UnaryPredicate::ShellVariableIsSetAndNameRef
                        | UnaryPredicate::FdIsOpenTerminal
                );
                if evaluates {
                    return Err(construct("a test of a variable by its name"));
                }
                self.word(word)
            }
            ExtendedTestExpr::BinaryTest(predicate, a, b) => {
                let evaluates = matches!(
                    predicate,
                    BinaryPredicate::ArithmeticEqualTo
                        | BinaryPredicate::ArithmeticNotEqualTo
                        | BinaryPredicate::ArithmeticLessThan
                        | BinaryPredicate::ArithmeticLessThanOrEqualTo
                        | BinaryPredicate::ArithmeticGreaterThan
                        | BinaryPredicate::ArithmeticGreaterThanOrEqualTo
                );
                if evaluates {
                    return Err(construct(
                        "a comparison of numbers in [[ … ]] (in [ … ] it is fine)",
                    ));
                }
                self.word(a)?;
                self.word(b)
            }
        }
    }

    fn redirects(&self, list: Option<&RedirectList>) -> CheckResult {
        list.iter()
            .flat_map(|list| &list.0)
            .try_for_each(|redirect| self.redirect(redirect))
    }

    fn redirect(&self, redirect: &IoRedirect) -> CheckResult {
        let (fd, checked) = match redirect {
            IoRedirect::File(fd, kind, target) => (fd, self.target(kind, target)),
            IoRedirect::HereDocument(fd, document) => (fd, self.here_document(document)),
            IoRedirect::HereString(fd, word) => (fd, self.word(word)),
            IoRedirect::OutputAndError(word, _) => (&None, words::file(&word.value)),
        };
        if fd.is_some_and(|fd| !(0..=2).contains(&fd)) {
            return Err(objection(
                RefusalCode::ScriptRedirect,
                "only input, output and errors (0, 1 and 2) can be led elsewhere".to_owned(),
            ));
        }
        checked
    }

    fn target(&self, kind: &IoFileRedirectKind, target: &IoFileRedirectTarget) -> CheckResult {
        let copies = matches!(
            kind,
            IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::DuplicateOutput
        );
        match target {
            IoFileRedirectTarget::Fd(fd) if (0..=2).contains(fd) => Ok(()),
            IoFileRedirectTarget::Duplicate(word) if ["0", "1", "2"].contains(&word.value.as_str()) => Ok(()),
            IoFileRedirectTarget::Filename(word) if !copies => words::file(&word.value),
            IoFileRedirectTarget::ProcessSubstitution(..) => Err(construct("process substitution")),
            IoFileRedirectTarget::Fd(_)
            | IoFileRedirectTarget::Duplicate(_)
            | IoFileRedirectTarget::Filename(_) => Err(objection(
                RefusalCode::ScriptRedirect,
                "output and input can be led to 0, 1, 2, /dev/null, or a file in the script's own folder"
                    .to_owned(),
            )),
        }
    }

    fn here_document(&self, document: &IoHereDocument) -> CheckResult {
        if self.nesting != Nesting::Script {
            return Err(construct("a here-document inside a substitution"));
        }
        let end = document.here_end.value.as_str();
        let bare = words::unquoted(end).unwrap_or(end);
        let doc = document.doc.value.as_str();
        // Where another reader would see the end earlier, this one does not go on.
        if !words::is_name(bare) || doc.lines().any(|line| line.trim() == bare) {
            return Err(construct("a here-document whose end can be mistaken"));
        }
        if document.requires_expansion {
            words::read_document(doc, &mut |text| self.substituted(text))
        } else {
            Ok(())
        }
    }
}

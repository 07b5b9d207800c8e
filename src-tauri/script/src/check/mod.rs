//! Whether a script does nothing but what the person's list of programs allows, read from bash's own grammar.
//!
//! The reading is strict on purpose: what is not understood is refused, and what bash would only decide while the
//! script runs – which program a variable names, what an arithmetic variable holds, where a file name leads – is
//! refused too, because bash evaluates such values as code (`x='a[$(…)]'; (( x ))` runs a command). A command is a
//! program of the list, a function of the script, or one of the few built-ins that only compute, print or test.
//! Words handed to a program may hold variables and substitutions; those substitutions are read like the rest.
//!
//! Where two readers of one text could differ – here-documents that end early, back-quotes, blanks that are no blanks
//! – the text is refused rather than guessed at. Beside this reading stands the second lock: the script's `PATH` holds
//! the allowed programs and nothing else.

mod builtins;
#[cfg(all(test, unix))]
mod table_tests;
mod tree;
mod words;

use crate::programs;
use agent::ports::Objection;
use brush_parser::{Parser, ParserOptions};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tree::Reader;

/// Brackets, quotes and compound commands in one script at most: the parser goes down with them.
const OPENERS: usize = 400;
/// How deep they may lie in each other.
const DEEPEST: usize = 20;
/// How long the reading may take; its stack in bytes.
const BOUND: Duration = Duration::from_secs(5);
const STACK: usize = 64 * 1024 * 1024;

/// The person's list, and where each program's links lead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    programs: Vec<(String, PathBuf)>,
    /// What stands on the list and may not, with why.
    unfit: Vec<(String, programs::Unfit)>,
}

impl Allowed {
    /// The list as the file system stands now.
    pub(crate) fn new(list: &[String]) -> Self {
        let mut allowed = Self::default();
        for path in list {
            match programs::judge(path) {
                Ok(real) => allowed.programs.push((path.clone(), real)),
                Err(unfit) => allowed.unfit.push((path.clone(), unfit)),
            }
        }
        allowed
    }

    /// The programs that may be called by their bare name, and the files behind them: two of one name have none.
    pub(crate) fn by_name(&self) -> Vec<(String, &Path)> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let same = |wanted: &str| {
            self.programs
                .iter()
                .filter(|(path, _)| name(path) == wanted)
                .count()
        };
        let named = self
            .programs
            .iter()
            .map(|(path, real)| (name(path), real.as_path()));
        named.filter(|(name, _)| same(name) == 1).collect()
    }

    /// A command's name, as it stands in the script, is a program of the list.
    fn program(&self, name: &str) -> Result<(), Objection> {
        if self.programs.iter().any(|(path, _)| path == name) {
            return Ok(());
        }
        if let Some((_, unfit)) = self.unfit.iter().find(|(path, _)| path == name) {
            return Err(objection(
                "script_program_unfit",
                format!("{name} is never run: {unfit}"),
            ));
        }
        if !name.contains('/') && cfg!(unix) {
            let listed = self.by_name();
            if listed.iter().any(|(listed, _)| listed == name) {
                return Ok(());
            }
        }
        let list: Vec<&str> = self.programs.iter().map(|(path, _)| path.as_str()).collect();
        let list = if list.is_empty() {
            "no program at all".to_owned()
        } else {
            list.join(", ")
        };
        Err(objection(
            "script_program",
            format!(
                "{name} is not on the person's list, which allows {list}. Do it without, or on the phone by touches"
            ),
        ))
    }
}

/// Reads the script.
///
/// # Errors
/// [`Objection`] at the first thing in it that is not allowed.
pub(crate) fn check(script: &str, list: &[String]) -> Result<(), Objection> {
    plain_text(script)?;
    let (script, allowed) = (script.to_owned(), Allowed::new(list));
    let (done, read) = std::sync::mpsc::channel();
    let reading = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody waits any more: that was told already.
        let _late = done.send(Reader::new(&allowed).script(&script));
    });
    if reading.is_err() {
        return Err(too_complex());
    }
    read.recv_timeout(BOUND).unwrap_or_else(|_| Err(too_complex()))
}

/// What no reader could read in two ways.
fn plain_text(script: &str) -> Result<(), Objection> {
    let odd =
        |c: char| (c.is_control() && c != '\n' && c != '\t') || (c.is_whitespace() && !" \n\t".contains(c));
    if let Some(odd) = script.chars().find(|c| odd(*c) || *c == '\u{feff}') {
        let code = u32::from(odd);
        return Err(objection(
            "script_unreadable",
            format!("the character U+{code:04X} has no place in a script"),
        ));
    }
    if script.contains("<<") && script.contains("\\\n") {
        let why = "a line that ends in a backslash has no place in a script with a here-document";
        return Err(objection("script_unreadable", why.to_owned()));
    }
    // The parser never comes back from a here-document inside an expansion that is not closed.
    let count = |bracket: char| script.matches(bracket).count();
    let unclosed = count('(') > count(')') || count('{') > count('}') || count('`') % 2 == 1;
    if script.contains("<<") && unclosed {
        return Err(too_complex());
    }
    let openers = script.matches(['(', '{', '[', '"']).count()
        + script.matches("if ").count()
        + script.matches("do").count()
        + script.matches("case ").count()
        + script.matches("! ").count();
    if openers > OPENERS || depth(script) > DEEPEST {
        return Err(too_complex());
    }
    Ok(())
}

/// How deep brackets and compound commands lie in each other, near enough.
fn depth(script: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for word in script.split_inclusive(|c: char| c.is_whitespace() || "(){}[];".contains(c)) {
        match word.trim_end_matches(|c: char| c.is_whitespace() || c == ';') {
            "if" | "while" | "until" | "for" | "case" => open += 1,
            "fi" | "done" | "esac" => open = open.saturating_sub(1),
            other if other.ends_with(['(', '{', '[']) => open += 1,
            other if other.ends_with([')', '}', ']']) => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

fn too_complex() -> Objection {
    objection(
        "script_unreadable",
        "the script is too tangled to be checked".to_owned(),
    )
}

fn options() -> ParserOptions {
    ParserOptions {
        enable_extended_globbing: false,
        ..ParserOptions::default()
    }
}

/// The syntax tree.
fn parse(script: &str) -> Result<brush_parser::ast::Program, Objection> {
    Parser::new(script.as_bytes(), &options())
        .parse_program()
        .map_err(|error| objection("script_unreadable", format!("this is no bash script: {error}")))
}

fn objection(code: &'static str, message: String) -> Objection {
    Objection { code, message }
}

/// A kind of thing that is never in a script here.
fn construct(what: &str) -> Objection {
    objection(
        "script_construct",
        format!(
            "{what} has no place in a script on the person's computer: bash could run anything through it"
        ),
    )
}

/// The functions a script defines: their names stand for commands.
type Functions = BTreeSet<String>;

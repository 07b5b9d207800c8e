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

mod allowed;
mod builtins;
mod objection;
mod parse;
#[cfg(all(test, unix))]
mod table_tests;
mod tree;
mod words;

pub(crate) use allowed::Allowed;

use agent::ports::Objection;
use objection::{objection, too_complex};
use parse::DEEPEST;
use protocol::RefusalCode;
use std::time::Duration;
use tree::Reader;

/// Brackets, quotes and compound commands in one script at most: the parser goes down with them.
const OPENERS: usize = 400;
/// How long the reading may take; its stack in bytes.
const BOUND: Duration = Duration::from_secs(5);
const STACK: usize = 64 * 1024 * 1024;

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
            RefusalCode::ScriptUnreadable,
            format!("the character U+{code:04X} has no place in a script"),
        ));
    }
    if script.contains("<<") && script.contains("\\\n") {
        let why = "a line that ends in a backslash has no place in a script with a here-document";
        return Err(objection(RefusalCode::ScriptUnreadable, why.to_owned()));
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

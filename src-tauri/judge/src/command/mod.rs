//! Commands and scripts of the phone: which programs would run, and what they may do.
//!
//! A command's words are what its program gets: nothing in them is worked out. What a shell would work out – a script, an
//! argument that is one, a text decoded into one – is read too (`shell.rs`), but for the hard rules and the kinds of
//! questions alone: it always asks. `table.rs` says what only reads and what is never run, `touch.rs` what is a touch.

pub(crate) mod decode;
mod reading;
mod shell;
pub(crate) mod table;
mod touch;

pub use reading::{Reading, Risk};

use protocol::{AskKind, RuleName};

/// Reads one command: the program and its arguments, as the phone gets them.
#[must_use]
pub fn command(words: &[String]) -> Reading {
    let mut reader = shell::Reader::default();
    let reading = reader.run(words, 0);
    reader.read_literals();
    if let Some(rule) = reader.never {
        return Reading::Never(rule);
    }
    let mut risks = reader.risks;
    let rule = if reader.opaque {
        RuleName::ShellOpaque
    } else {
        RuleName::Shell
    };
    if risks.iter().all(|risk| risk.0 != AskKind::Shell) {
        risks.push((AskKind::Shell, rule));
    }
    match reading {
        Reading::Asks(_) => Reading::Asks(risks),
        Reading::Always(_) => Reading::Always(risks),
        reading => reading,
    }
}

/// Reads a script for the phone's shell.
#[must_use]
pub fn script(text: &str) -> Reading {
    let mut reader = shell::Reader::default();
    reader.script(text, 0);
    reader.read_literals();
    let mut risks = vec![(AskKind::Script, RuleName::Script)];
    risks.extend(reader.risks);
    reader.never.map_or(Reading::Always(risks), Reading::Never)
}

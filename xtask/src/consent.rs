//! What is installed on this computer outside the project's folder is installed with the person's consent.

use crate::process::Done;
use std::io::{BufRead, IsTerminal, Write};

/// Whether the person agreed beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consent {
    /// `--yes`: nothing is asked.
    Given,
    /// Each installation is asked about at the terminal.
    Ask,
}

impl Consent {
    /// Takes `--yes` out of the arguments of a command; what follows `--` is not ours.
    pub(crate) fn from_args(args: &mut Vec<String>) -> Self {
        let own = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
        let Some(yes) = args.iter().take(own).position(|arg| arg == "--yes") else {
            return Self::Ask;
        };
        args.remove(yes);
        Self::Given
    }

    /// Says what will be installed and how, and waits for a yes. An error where the answer is no, or nobody can be asked.
    pub(crate) fn obtain(self, what: &str, command: &str) -> Done {
        println!("{what}\n  {command}");
        let input = std::io::stdin();
        if self == Self::Given {
            return Ok(());
        }
        if !input.is_terminal() {
            return Err(format!(
                "{what}\nThere is no terminal to ask at. Install with:\n  {command}\nor run this again with --yes."
            ));
        }
        print!("Install? [y/N] ");
        let mut answer = String::new();
        let read = std::io::stdout()
            .flush()
            .and_then(|()| input.lock().read_line(&mut answer));
        read.map_err(|error| format!("the terminal: {error}"))?;
        if is_yes(&answer) {
            return Ok(());
        }
        Err(format!(
            "Nothing was installed. To install it yourself:\n  {command}"
        ))
    }
}

/// Anything but a yes is a no; an empty line and the end of input are.
fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::{Consent, is_yes};

    #[test]
    fn yes_is_ours_before_the_dashes_only() {
        let check = |input: &[&str], consent: Consent, left: &[&str]| {
            let mut args: Vec<String> = input.iter().map(ToString::to_string).collect();
            assert_eq!(Consent::from_args(&mut args), consent, "{input:?}");
            assert_eq!(args, left, "{input:?}");
        };
        check(&["test"], Consent::Ask, &["test"]);
        check(&["test", "--yes", "ui"], Consent::Given, &["test", "ui"]);
        check(&["run", "--yes"], Consent::Given, &["run"]);
        check(&["run", "--", "--yes"], Consent::Ask, &["run", "--", "--yes"]);
    }

    #[test]
    fn only_yes_is_yes() {
        let check = |answer, expected| assert_eq!(is_yes(answer), expected, "{answer:?}");
        check("y\n", true);
        check("Yes\n", true);
        check("\n", false);
        check("", false);
        check("yet\n", false);
        check("no\n", false);
    }
}

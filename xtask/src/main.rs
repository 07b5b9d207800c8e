//! `cargo xtask run | test | check-targets | installer | weight`
//!
//! Everything a fresh machine needs to see, test or package the product, in one command each. Standard library only:
//! this is the first thing that is compiled.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool speaks to its terminal"
)]

mod compile;
mod compiler;
mod consent;
mod installer;
mod packages;
mod process;
mod skipped;
mod steps;
mod targets;
mod test;
mod weight;

use consent::Consent;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [--yes] [--check] [-- ARGS]
                              name the system packages that are missing, ask, install them, build, start the app
                              --check only names them, --yes does not ask
cargo xtask test [--yes] [PART…]
                              the same set-up, then the tests of every run; PART: ui build tests package,
                              and the halves of tests, rust window
cargo xtask test [--yes] long what takes hours, in parts that can be named too:
                              benches properties ignored mirrors scenes installer targets litellm
cargo xtask check-targets     type-check the whole workspace for Windows and macOS
cargo xtask installer         build the installer for this system and, on Debian, install and start it
cargo xtask weight            build what a person gets, and print how heavy it is and where each megabyte lies";

fn main() -> ExitCode {
    if let Some(code) = compiler::compiles() {
        return code;
    }
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let consent = Consent::from_args(&mut args);
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["run", "--check"] => packages::check(packages::For::Running),
        ["run", rest @ ..] => steps::run(rest, consent),
        ["test", parts @ ..] => test::run(parts, consent),
        ["check-targets"] => targets::check(consent),
        ["weight"] => weight::weigh(),
        ["installer"] => installer::build().and_then(|package| installer::try_it(&package, consent)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("\n{trouble}");
            ExitCode::FAILURE
        }
    }
}

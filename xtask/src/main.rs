//! `cargo xtask run | test | check-targets`
//!
//! Everything a fresh machine needs to see, test or package the product, in one command each. Standard library only:
//! this is the first thing that is compiled.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool speaks to its terminal"
)]

mod installer;
mod packages;
mod steps;
mod targets;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask run [--check] [-- ARGS]   install what is missing, build the window's pages, start the app
                                      --check only tells what is missing
cargo xtask test [PART…]              the same set-up, then the tests of every run; PART: ui lint rust window
                                      long: installer targets mirrors (what builds all once more, or measures)
                                      when named: litellm (each wire shape to LiteLLM's proxy)
cargo xtask check-targets             type-check the whole workspace for Windows and macOS
cargo xtask installer                 build the installer for this system and, on Debian, install and start it";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["run", "--check"] => packages::check(packages::For::Running),
        ["run", rest @ ..] => steps::run(rest),
        ["test", parts @ ..] => test::run(parts),
        ["check-targets"] => targets::check(),
        ["installer"] => {
            installer::build(installer::Profile::Release).and_then(|deb| installer::try_it(&deb))
        }
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

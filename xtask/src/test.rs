//! `cargo xtask test`: every test of the project, part by part, with the minutes each took.

use crate::packages::{self, For};
use crate::steps::{Done, build_pages, cargo, check_node, finish, install_pages, npm, output};
use crate::{installer, targets};
use std::time::{Duration, Instant};

/// A part: its name, and what it does; what fails fastest comes first.
type Part = (&'static str, fn() -> Done);

const PARTS: &[Part] = &[
    ("ui", pages),
    ("lint", lint),
    ("rust", rust),
    ("window", window),
    ("installer", || {
        installer::build(installer::Profile::Quick).and_then(|deb| installer::try_it(&deb))
    }),
    ("targets", targets::check),
];

/// Only when named: it installs a server of somebody else, which takes minutes.
const WHEN_NAMED: &[Part] = &[("litellm", litellm)];

/// Runs all parts, or those named.
pub(crate) fn run(wanted: &[&str]) -> Done {
    if let Some(unknown) = wanted
        .iter()
        .find(|name| !PARTS.iter().chain(WHEN_NAMED).any(|(part, _)| part == *name))
    {
        return Err(format!("There is no part {unknown:?}."));
    }
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let began = Instant::now();
    packages::install(For::Testing)?;
    check_node()?;
    times.push(("set-up", began.elapsed()));
    let mut result = Ok(());
    let usual = PARTS.iter().filter(|_| wanted.is_empty());
    let named = PARTS.iter().chain(WHEN_NAMED);
    for (name, part) in usual.chain(named.filter(|(name, _)| wanted.contains(name))) {
        println!("\n== {name}");
        let began = Instant::now();
        result = part();
        times.push((name, began.elapsed()));
        if let Err(trouble) = &result {
            result = Err(format!("{name}: {trouble}"));
            break;
        }
    }
    println!();
    for (name, time) in &times {
        println!("{name:>10}  {:5.1} min", time.as_secs_f64() / 60.0);
    }
    println!("{:>10}  {:5.1} min", "all", began.elapsed().as_secs_f64() / 60.0);
    result
}

/// The window's pages: types, tests, the built files.
fn pages() -> Done {
    install_pages()?;
    finish(npm().args(["run", "check"]))?;
    finish(npm().args(["test"]))?;
    build_pages()
}

/// Form and lints.
fn lint() -> Done {
    if output(cargo().args(["fmt", "--version"])).is_none()
        || output(cargo().args(["clippy", "--version"])).is_none()
    {
        return Err(
            "rustfmt or clippy is missing. Install them with: rustup component add rustfmt clippy".into(),
        );
    }
    finish(cargo().args(["fmt", "--all", "--check"]))?;
    finish(cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "--deny",
        "warnings",
    ]))
}

/// Every test but those in the real window. What they need (a session bus, a keychain) they start themselves.
fn rust() -> Done {
    finish(cargo().args(["build", "--workspace", "--all-targets", "--locked"]))?;
    finish(cargo().args(["test", "--workspace", "--locked"]))
}

/// Each wire shape spoken to LiteLLM's proxy, which is installed into `target/litellm`.
fn litellm() -> Done {
    finish(cargo().args([
        "test",
        "--workspace",
        "--test",
        "contract",
        "--locked",
        "--",
        "--ignored",
        "--nocapture",
        "a_server_of_somebody_else",
    ]))
}

/// The real window under a virtual display. It takes pictures, so it is by itself and one at a time.
fn window() -> Done {
    build_pages()?;
    let mut command = cargo();
    command.args([
        "test",
        "--package",
        "pocketdeck",
        "--test",
        "window",
        "--locked",
        "--",
        "--ignored",
        "--test-threads",
        "1",
        // That one comes with the installer.
        "--skip",
        "installed::",
    ]);
    finish(&mut command)
}

//! `cargo xtask test`: every test of the project, part by part, with the minutes each took.

use crate::packages::{self, For};
use crate::steps::{Done, build_pages, cargo, check_node, finish, install_pages, npm, output};
use crate::{installer, targets};
use std::time::{Duration, Instant};

/// A part: its name, and what it does; what fails fastest comes first.
type Part = (&'static str, fn() -> Done);

const PARTS: &[Part] = &[("ui", pages), ("lint", lint), ("rust", rust), ("window", window)];

/// What builds the workspace once more, or only measures: together by this name, or each by its own.
const LONG: &str = "long";
const LONG_PARTS: &[Part] = &[
    ("installer", || {
        installer::build(installer::Profile::Quick).and_then(|deb| installer::try_it(&deb))
    }),
    ("targets", targets::check),
    ("mirrors", mirrors),
];

/// Only when named: it installs a server of somebody else, which takes minutes.
const WHEN_NAMED: &[Part] = &[("litellm", litellm)];

/// Every part there is.
fn all_parts() -> impl Iterator<Item = &'static Part> {
    PARTS.iter().chain(LONG_PARTS).chain(WHEN_NAMED)
}

/// The parts of these names, in the order they are run; the usual ones where none is named.
fn chosen(wanted: &[&str]) -> Done<Vec<Part>> {
    if let Some(unknown) = wanted
        .iter()
        .find(|name| **name != LONG && !all_parts().any(|(part, _)| part == *name))
    {
        return Err(format!("There is no part {unknown:?}."));
    }
    let is_long = |name: &str| LONG_PARTS.iter().any(|(part, _)| *part == name);
    let is_usual = |name: &str| PARTS.iter().any(|(part, _)| *part == name);
    let fits = |name: &str| {
        (wanted.is_empty() && is_usual(name))
            || wanted.contains(&name)
            || (wanted.contains(&LONG) && is_long(name))
    };
    Ok(all_parts().filter(|(name, _)| fits(name)).copied().collect())
}

/// Runs all parts, or those named.
pub(crate) fn run(wanted: &[&str]) -> Done {
    let parts = chosen(wanted)?;
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let began = Instant::now();
    packages::install(For::Testing)?;
    check_node()?;
    times.push(("set-up", began.elapsed()));
    let mut result = Ok(());
    for (name, part) in parts {
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
    // Benches are never run here: they are linted, not built.
    finish(cargo().args([
        "build",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
        "--examples",
        "--locked",
    ]))?;
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
    // The installed one comes with the installer, what only measures with the mirrors.
    in_window(&[
        "--skip",
        "installed::",
        "--skip",
        "timed",
        "--skip",
        "leave_memory",
    ])
}

/// Mirrors timed, and what they leave in memory: printed, not judged.
fn mirrors() -> Done {
    in_window(&["--nocapture", "timed", "leave_memory"])
}

fn in_window(which: &[&str]) -> Done {
    build_pages()?;
    let mut command = cargo();
    // The whole workspace, as everywhere: with one package alone the features of shared crates are others, and eighty of
    // them would be built again.
    command.args(["test", "--workspace", "--test", "window", "--locked", "--"]);
    command.args(["--ignored", "--test-threads", "1"]).args(which);
    finish(&mut command)
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn parts_are_run_in_their_order() {
        let check = |wanted: &[&str], expected: Result<&[&str], &str>| {
            let found = chosen(wanted).map(|parts| parts.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            assert_eq!(
                found.as_deref().map_err(String::as_str),
                expected.map(|names| names as &[_]),
                "{wanted:?}"
            );
        };
        check(&[], Ok(&["ui", "lint", "rust", "window"]));
        check(&["window", "ui"], Ok(&["ui", "window"]));
        check(&["long"], Ok(&["installer", "targets", "mirrors"]));
        check(
            &["litellm", "long"],
            Ok(&["installer", "targets", "mirrors", "litellm"]),
        );
        check(&["speed"], Err("There is no part \"speed\"."));
    }
}

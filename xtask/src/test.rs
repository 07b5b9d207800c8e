//! `cargo xtask test`: the tests of every run, or the long ones, part by part, with the minutes each took.

use crate::compile::{
    TestSelection, begin_fetching, benches, everything, has_nextest, run_tests, test_cargo,
};
use crate::consent::Consent;
use crate::packages::{self, For};
use crate::process::{Done, cargo, finish, npm, target};
use crate::steps::{build_pages, check_node, install_pages};
use crate::{installer, skipped, targets};
use std::process::Command;
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A part: its name, and what it does.
type Part = (&'static str, fn(Consent) -> Done);

/// What suits every run; what fails fastest comes first. The pages are built before the program that holds them.
const USUAL: &[Part] = &[
    (PAGES, |_| pages()),
    ("build", |_| everything()),
    ("tests", |_| tests()),
    ("package", |consent| {
        installer::package_built().and_then(|package| installer::try_it(&package, consent))
    }),
];

/// The two halves of `tests`, by name.
const HALVES: &[Part] = &[("rust", |_| rust()), ("window", |_| window())];

/// What takes hours, installs servers of somebody else, or measures and judges nothing: `cargo xtask test long`, or by name.
const LONG: &[Part] = &[
    ("benches", |_| benches()),
    ("properties", |_| properties()),
    ("ignored", |_| ignored()),
    ("mirrors", |_| mirrors()),
    ("released", |_| released()),
    ("scenes", |_| scenes()),
    ("installer", |consent| {
        installer::build().and_then(|package| installer::try_it(&package, consent))
    }),
    ("targets", targets::check),
    ("litellm", |_| litellm()),
];

/// The part that is the window's pages.
const PAGES: &str = "ui";
/// The name of all long parts together.
const ALL_LONG: &str = "long";

/// How many times the usual number of cases a property is given in the long run.
const TIMES: u32 = 100;
/// Proptest's own usual number, for properties that name none.
const CASES: u32 = 256;

/// What properties draw their cases from in the usual run: the same each time, so that no landing fails by luck. The long run
/// draws anew.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// Runs the usual parts, or those named.
pub(crate) fn run(wanted: &[&str], consent: Consent) -> Done {
    let parts = chosen(wanted)?;
    skipped::begin()?;
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let began = Instant::now();
    check_node()?;
    begin_fetching();
    // The pages need none of the system's packages. Where those are asked about, nothing is printed into the question.
    if consent == Consent::Given && parts.iter().any(|(name, _)| *name == PAGES) {
        begin_pages()?;
    }
    packages::install(For::Testing, consent)?;
    times.push(("set-up", began.elapsed()));
    let mut result = Ok(());
    for (name, part) in &parts {
        println!("\n== {name}");
        let began = Instant::now();
        result = part(consent).map_err(|trouble| format!("{name}: {trouble}"));
        // The pages are checked beside whatever comes after they were built.
        if *name != PAGES {
            result = result.and(pages_checked());
        }
        let took = began.elapsed();
        println!("== {name}: {:.1} min", minutes(took));
        times.push((*name, took));
        if result.is_err() {
            break;
        }
    }
    result = result.and(pages_checked());
    println!();
    for (name, time) in &times {
        println!("{name:>10}  {:5.1} min", minutes(*time));
    }
    println!("{:>10}  {:5.1} min", "all", minutes(began.elapsed()));
    println!("{}", skipped::report());
    result
}

fn minutes(time: Duration) -> f64 {
    time.as_secs_f64() / 60.0
}

/// The parts of these names, in the order they are run; the usual ones where none is named.
fn chosen(wanted: &[&str]) -> Done<Vec<Part>> {
    let known = || USUAL.iter().chain(HALVES).chain(LONG);
    let is_part = |name: &&str| *name == ALL_LONG || known().any(|(part, _)| part == name);
    if let Some(unknown) = wanted.iter().find(|name| !is_part(name)) {
        return Err(format!("There is no part {unknown:?}."));
    }
    let usual = USUAL
        .iter()
        .filter(|(name, _)| wanted.is_empty() || wanted.contains(name));
    let halves = HALVES.iter().filter(|(name, _)| wanted.contains(name));
    let long = LONG
        .iter()
        .filter(|(name, _)| wanted.contains(&ALL_LONG) || wanted.contains(name));
    Ok(usual.chain(halves).chain(long).copied().collect())
}

/// The pages' types and tests, on their way: they use the processors' gaps while Rust is compiled and linked.
static CHECKS: Mutex<Option<JoinHandle<Result<String, String>>>> = Mutex::new(None);

/// The window's pages, built; their types and tests are begun ([`pages_checked`] tells how they ended).
fn pages() -> Done {
    begin_pages()?;
    build_pages()
}

/// Begins to build the window's pages, and then to check their types and to run their tests.
fn begin_pages() -> Done {
    let mut begun = CHECKS.lock().map_err(|error| error.to_string())?;
    if begun.is_some() {
        return Ok(());
    }
    *begun = Some(std::thread::spawn(|| {
        build_pages()?;
        let mut printed = String::new();
        for (args, name) in [(["run", "check"], "check"), (["run", "test"], "test")] {
            let done = npm()
                .args(args)
                .output()
                .map_err(|error| format!("npm run {name}: {error}"))?;
            printed.push_str(&String::from_utf8_lossy(&done.stdout));
            printed.push_str(&String::from_utf8_lossy(&done.stderr));
            if !done.status.success() {
                return Err(format!("{printed}\nnpm run {name}: {}", done.status));
            }
        }
        Ok(printed)
    }));
    Ok(())
}

/// Waits for the pages' types and tests, where they were begun, and prints what they said.
fn pages_checked() -> Done {
    let begun = CHECKS.lock().map_err(|error| error.to_string())?.take();
    let Some(checks) = begun else { return Ok(()) };
    let printed = checks
        .join()
        .map_err(|_| "ui: the checks ended by themselves".to_owned())??;
    println!("\n== {PAGES}, types and tests\n{printed}");
    Ok(())
}

/// Every test of the usual run, the real window's among them: what waits in one leaves its processor to another
/// (`.config/nextest.toml` says which is alone). One half after the other where there is no nextest.
fn tests() -> Done {
    if !has_nextest() {
        return rust().and_then(|()| window());
    }
    build_pages()?;
    run_tests(TestSelection::WithWindow, seeded)
}

/// Every test but those in the real window. What they need (a session bus, a keychain) they start themselves.
fn rust() -> Done {
    run_tests(TestSelection::WithoutWindow, seeded)
}

fn seeded(command: &mut Command) {
    if std::env::var_os(SEED.0).is_none() {
        command.env(SEED.0, SEED.1);
    }
}

/// The same with many more cases for each property.
fn properties() -> Done {
    run_tests(TestSelection::WithoutWindow, |command| {
        command
            .env("POCKETDECK_LONG", TIMES.to_string())
            .env("PROPTEST_CASES", (CASES * TIMES).to_string());
    })
}

/// Tests in modules named `long`, in any room and in the window: whole labelled sets, millions of inputs. Mirrors are another part.
fn ignored() -> Done {
    build_pages()?;
    let mut command = test_cargo()?;
    command.args(["test", "--workspace", "--locked", "--lib", "--bins", "--tests"]);
    command.args(["--", "--ignored", "--nocapture", "long::"]);
    command.args(["--skip", "mirrors::"]);
    finish(&mut command)
}

/// Each wire shape spoken to LiteLLM's proxy, which is installed into `target/litellm`.
fn litellm() -> Done {
    let mut command = test_cargo()?;
    command.args(["test", "--workspace", "--locked", "--test", "contract"]);
    command.args(["--", "--ignored", "--nocapture", "a_server_of_somebody_else"]);
    finish(&mut command)
}

/// The real window under a virtual display: each test has a desktop of its own, so two are done at once; those whose
/// pictures move are alone.
fn window() -> Done {
    window_of(&[])
}

/// The same of the optimised program, as a person gets it.
fn released() -> Done {
    build_pages()?;
    finish(cargo().args(["build", "--release", "--locked", "-p", "pocketdeck"]))?;
    let program = target().join("release/pocketdeck").to_string_lossy().into_owned();
    window_of(&[("POCKETDECK_PROGRAM", &program)])
}

fn window_of(variables: &[(&str, &str)]) -> Done {
    let [mirrors, hands] = ["mirrors::", "hands::"];
    let others = [
        "--skip",
        "long::",
        "--skip",
        "installed::",
        "--skip",
        mirrors,
        "--skip",
        hands,
    ];
    window_tests(2, &others, variables)?;
    window_tests(1, &[mirrors, hands, "--skip", "long::"], variables)
}

/// Every page in every state, in each language and both themes: pictured, and searched by axe. In Chromium, where there is one.
fn scenes() -> Done {
    install_pages()?;
    finish(npm().args(["run", "scenes"]))?;
    finish(npm().args(["run", "walk"]))
}

/// Mirrors timed, and an hour of eight of them.
fn mirrors() -> Done {
    window_tests(
        1,
        &["mirrors::", "--nocapture"],
        &[("POCKETDECK_STREAM_MINUTES", "60")],
    )
}

/// The window's tests that are named so, so many at once, with nothing beside them.
fn window_tests(at_once: u32, which: &[&str], variables: &[(&str, &str)]) -> Done {
    build_pages()?;
    let mut command = test_cargo()?;
    command.args(["test", "--workspace", "--locked", "--test", "window"]);
    command.args(["--", "--ignored", "--test-threads", &at_once.to_string()]);
    command.args(which).envs(variables.iter().copied());
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
        let long = [
            "benches",
            "properties",
            "ignored",
            "mirrors",
            "released",
            "scenes",
            "installer",
            "targets",
            "litellm",
        ];
        check(&[], Ok(&["ui", "build", "tests", "package"]));
        check(&["window", "rust"], Ok(&["rust", "window"]));
        check(&["window", "ui"], Ok(&["ui", "window"]));
        check(&["long"], Ok(&long));
        check(&["targets"], Ok(&["targets"]));
        check(&["lint"], Err("There is no part \"lint\"."));
    }
}

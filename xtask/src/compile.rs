//! One build for lints and tests: [`compiler`] lints while it compiles, so nothing is compiled once to be linted and once more to
//! be run. Every part names the whole workspace: with one package alone the features of shared
//! dependencies would be others, and half of them would be built again.

use crate::process::{Done, cargo, finish, output, program};
use crate::{compiler, skipped};
use std::path::Path;
use std::process::{Command, Stdio};

/// Cargo as every part of the test run starts it. Dependencies are shared with a plain `cargo build`.
pub(crate) fn test_cargo() -> Done<Command> {
    let mut command = cargo();
    compiler::is_this(&mut command, &clippy_driver())?;
    command
        // Nobody debugs these programs, and they are built once.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        // The compiler's own memory in large pages: 3 % less work (its allocator is jemalloc, on Linux).
        .env("MALLOC_CONF", "thp:always,metadata_thp:always")
        // Pictures come and go by the thousand: glibc would ask the system for each one's pages and give them back.
        .env("MALLOC_MMAP_THRESHOLD_", "268435456")
        .env("MALLOC_TRIM_THRESHOLD_", "268435456")
        // Unoptimised, a phone's shell that calls itself takes more of a stack than a test's thread has. In bytes.
        .env("RUST_MIN_STACK", "16777216")
        .env(skipped::VARIABLE, skipped::file());
    Ok(command)
}

/// Beside the compiler; where a distribution has put it elsewhere, by its name.
fn clippy_driver() -> String {
    let beside = output(program("rustc").args(["--print", "sysroot"])).map(|sysroot| {
        Path::new(sysroot.trim())
            .join("bin")
            .join(format!("clippy-driver{}", std::env::consts::EXE_SUFFIX))
    });
    match beside {
        Some(driver) if driver.is_file() => driver.to_string_lossy().into_owned(),
        _ => "clippy-driver".to_owned(),
    }
}

/// Begins to fetch the crates of this system, while the pages are built. A build waits for what is still on its way, and
/// fetches what did not come.
pub(crate) fn begin_fetching() {
    let Some(version) = output(program("rustc").arg("-vV")) else {
        return;
    };
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let mut fetch = cargo();
    fetch.args(["fetch", "--locked", "--quiet"]);
    fetch.args(host.iter().flat_map(|host| ["--target", host]));
    let quiet = fetch
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Ok(mut child) = quiet.spawn() {
        std::thread::spawn(move || child.wait());
    }
}

/// Form, lints, and every program and test, ready to run. Benches are linted in the long run.
pub(crate) fn everything() -> Done {
    if output(cargo().args(["fmt", "--version"])).is_none()
        || output(program(&clippy_driver()).arg("--version")).is_none()
    {
        return Err(
            "rustfmt or clippy is missing. Install them with: rustup component add rustfmt clippy".into(),
        );
    }
    finish(cargo().args(["fmt", "--all", "--check"]))?;
    programs()
}

/// Every program and test of the workspace, linted by the compiler that builds it.
pub(crate) fn programs() -> Done {
    let mut command = test_cargo()?;
    command.args(["build", "--workspace", "--locked"]);
    command.args(["--lib", "--bins", "--tests", "--examples"]);
    if cfg!(windows) {
        // A program that runs cannot be replaced there, and this is it.
        command.args(["--exclude", "xtask"]);
    }
    finish(&mut command)
}

/// What only benches need, linted and built.
pub(crate) fn benches() -> Done {
    finish(test_cargo()?.args(["build", "--workspace", "--locked", "--benches"]))
}

/// Which tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestSelection {
    /// All but those that are ignored, which the window's are in a plain `cargo test`.
    WithoutWindow,
    /// With those in the real window; by nextest alone.
    WithWindow,
}

/// Modules of tests that are ignored and are not the window's: of the long run, other processes of a test that starts them,
/// of the installed package, and what somebody asks for. No other test may be ignored: here it would be run.
const ELSEWHERE: &str = "not test(/(^|::)(long|child|installed|by_hand)::/)";

/// Whether this computer has nextest.
pub(crate) fn has_nextest() -> bool {
    output(cargo().args(["nextest", "--version"])).is_some()
}

/// The workspace's tests, through nextest where this computer has it. Doc tests are cargo's own affair.
pub(crate) fn run_tests(selection: TestSelection, change: impl Fn(&mut Command)) -> Done {
    let has_nextest = has_nextest();
    let mut command = test_cargo()?;
    if has_nextest {
        command.args(["nextest", "run"]);
    } else {
        command.args(["test", "--lib", "--bins", "--tests", "--examples"]);
    }
    command.args(["--workspace", "--locked", "--no-fail-fast"]);
    if has_nextest {
        // Half of the tests wait for a phone's or a server's time: some for each processor keep it at work.
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let at_once = match selection {
            TestSelection::WithoutWindow => 2 * processors,
            TestSelection::WithWindow => 3 * processors,
        };
        command.arg("--test-threads").arg(at_once.to_string());
    }
    if selection == TestSelection::WithWindow {
        command.args(["--run-ignored", "all", "--filterset", ELSEWHERE]);
    }
    change(&mut command);
    finish(&mut command)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// `workspace-hack` names what a dependency's features differ in between the program and build scripts or macros.
    #[test]
    fn no_dependency_is_compiled_twice_for_its_features() {
        let mut tree = cargo();
        tree.args(["tree", "--workspace", "--locked", "--offline", "--duplicates"]);
        tree.args(["--edges", "normal,build", "--depth", "0"]);
        let listed = output(&mut tree).expect("cargo tree lists what is there in several versions");
        let mut crates: Vec<&str> = listed
            .lines()
            .filter(|line| line.contains(" v"))
            .map(|line| line.trim_end_matches(" (*)"))
            .collect();
        crates.sort_unstable();
        let twice: Vec<_> = crates
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        assert_eq!(
            twice,
            Vec::<&str>::new(),
            "name their features in src-tauri/workspace-hack/Cargo.toml"
        );
        assert!(!crates.is_empty());
    }
}

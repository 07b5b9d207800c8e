//! The compiler of the workspace's own crates in a test run: cargo starts this program for each of them, and it starts the real
//! one. What every run builds twice is made cheap once.
//!
//! - A library is linted where it is compiled with its tests, all of it and once: alone it goes to rustc. Clippy also switches
//!   off what rustc makes of functions before LLVM sees them, so libraries are compiled faster without it, and run faster.
//! - Tests are not optimised, whatever their room's library is: they are run once, and what they call many times lies in libraries.

use crate::process::{Done, root};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// Clippy's own way to be told its arguments: what `cargo clippy -- --deny warnings` sets.
const DENY_WARNINGS: &str = "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";
/// Names clippy's driver to this program where cargo starts it as a compiler.
const DRIVER: &str = "POCKETDECK_CLIPPY_DRIVER";

/// Rooms whose unit tests, compiled with the room itself, draw and compare pictures: unoptimised that takes as long as it
/// saves, and one waits for it.
const DRAW: [&str; 1] = ["screen"];

/// Tells cargo to compile the workspace's own crates by a copy of this program, which lints by `driver`. A copy, and made once:
/// this program is compiled anew beside, and is not where it was from then on.
pub(crate) fn is_this(command: &mut Command, driver: &str) -> Done {
    static COPY: OnceLock<Done<PathBuf>> = OnceLock::new();
    command.env("RUSTC_WORKSPACE_WRAPPER", COPY.get_or_init(copied).clone()?);
    command.env(DRIVER, driver);
    // Here and not where clippy is started: cargo compiles again what was compiled with another value than it sees.
    command.env("CLIPPY_ARGS", DENY_WARNINGS);
    Ok(())
}

fn copied() -> Done<PathBuf> {
    let trouble = |error: std::io::Error| format!("the test run's compiler: {error}");
    let this = std::env::current_exe().map_err(trouble)?;
    let folder = root().join("target/compiler");
    let copy = folder.join(format!("compiler{}", std::env::consts::EXE_SUFFIX));
    let program = std::fs::read(&this).map_err(trouble)?;
    if std::fs::read(&copy).is_ok_and(|before| before == program) {
        return Ok(copy);
    }
    std::fs::create_dir_all(&folder).map_err(trouble)?;
    // What runs cannot be written to, but moved over.
    let fresh = folder.join("fresh");
    std::fs::copy(&this, &fresh).map_err(trouble)?;
    std::fs::rename(&fresh, &copy).map_err(trouble)?;
    Ok(copy)
}

/// What cargo started this program to do, where it did: its words are the compiler and the compiler's words.
pub(crate) fn compiles() -> Option<ExitCode> {
    let driver = std::env::var_os(DRIVER)?;
    let mut words = std::env::args_os().skip(1);
    let rustc = words.next()?;
    if Path::new(&rustc).file_stem() != Some(OsStr::new("rustc")) {
        return None;
    }
    let words: Vec<OsString> = words.collect();
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .and_then(|folder| std::fs::read_to_string(Path::new(&folder).join("Cargo.toml")).ok())
        .unwrap_or_default();
    let room = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let (is_linted, more) = compiled(&words, &room, &manifest);
    let mut command = start(if is_linted { &driver } else { &rustc });
    if is_linted {
        command.arg(&rustc);
    }
    let status = command.args(words).args(more).status();
    let code = status.ok().and_then(|status| status.code());
    let code = code.and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

/// In the folder cargo starts compilers in.
#[expect(clippy::disallowed_methods, reason = "xtask is what starts programs")]
fn start(program: &OsStr) -> Command {
    Command::new(program)
}

/// Whether what these words name is linted while it is compiled, and the words that come after them.
fn compiled(words: &[OsString], room: &str, manifest: &str) -> (bool, &'static [&'static str]) {
    let has = |word: &str| words.iter().any(|one| one == word);
    let is_test = has("--test");
    if has("lib") && !is_test && !manifest.contains("test = false") {
        return (false, &["-D", "warnings"]);
    }
    let is_of_the_room = words.iter().any(|word| Path::new(word).ends_with("src/lib.rs"));
    let draws = DRAW.contains(&room) && is_of_the_room;
    let more: &[_] = if is_test && !draws {
        &["-C", "opt-level=0"]
    } else {
        &[]
    };
    (true, more)
}

#[cfg(test)]
mod tests {
    use super::compiled;

    #[test]
    fn a_library_is_linted_with_its_tests_and_tests_are_not_optimised() {
        let check = |words: &str, room: &str, manifest: &str, expected: (bool, &[&str])| {
            let list: Vec<_> = words.split_whitespace().map(Into::into).collect();
            assert_eq!(compiled(&list, room, manifest), expected, "{words} of {room}");
        };
        let library = "--crate-name judge src/lib.rs --crate-type lib";
        check(library, "agent", "[lib]", (false, &["-D", "warnings"]));
        check(library, "judge", "[lib]\ntest = false", (true, &[]));
        check("--crate-name deck --crate-type bin", "cli", "", (true, &[]));
        let test = "--crate-name judge src-tauri/judge/src/lib.rs --test -C opt-level=2";
        check(test, "agent", "", (true, &["-C", "opt-level=0"]));
        check(test, "screen", "", (true, &[]));
        let integration = "--crate-name it tests/it/main.rs --test -C opt-level=2";
        check(integration, "screen", "", (true, &["-C", "opt-level=0"]));
    }
}

//! The steps both commands share: programs, the window's pages, the app.

use crate::consent::Consent;
use crate::packages::{self, For};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// What a step gives: nothing, or a sentence about what went wrong.
pub(crate) type Done<T = ()> = Result<T, String>;

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A program, started in the repository's top folder.
#[expect(clippy::disallowed_methods, reason = "xtask is what starts programs")]
pub(crate) fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Cargo, the one that runs us.
pub(crate) fn cargo() -> Command {
    let mut command = program(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    // Variables of this build must not steer the one we start.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" || name == "CARGO_MANIFEST_PATH" {
            command.env_remove(name);
        }
    }
    command
}

/// npm, in the folder of the window's pages.
pub(crate) fn npm() -> Command {
    let mut command = program(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(root().join("ui"));
    command
}

/// Runs a command to its end; a failure names it.
pub(crate) fn finish(command: &mut Command) -> Done {
    let line = line_of(command);
    println!("$ {line}");
    let status = command.status().map_err(|error| format!("{line}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{line}: {status}"))
    }
}

/// What a command prints; `None` when it cannot be started or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A command as a person would type it.
pub(crate) fn line_of(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
    words.join(" ")
}

/// `cargo xtask run`
pub(crate) fn run(rest: &[&str], consent: Consent) -> Done {
    packages::install(For::Running, consent)?;
    check_node()?;
    build_pages()?;
    let rest = rest.strip_prefix(&["--"]).unwrap_or(rest);
    finish(
        cargo()
            .args(["run", "--bin", "pocketdeck", "--locked", "--"])
            .args(rest),
    )
}

/// Node is there and new enough.
pub(crate) fn check_node() -> Done {
    let Some(version) = output(program("node").arg("--version")) else {
        return Err(
            "Node is missing. Install Node 20.19 or newer from https://nodejs.org, then try again.".into(),
        );
    };
    let mut numbers = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if (major, minor) >= (20, 19) {
        return Ok(());
    }
    Err(format!(
        "Node {} is too old. Install Node 20.19 or newer from https://nodejs.org, then try again.",
        version.trim()
    ))
}

/// The packages of the window's pages, as the lock file names them; nothing is fetched when they are there.
pub(crate) fn install_pages() -> Done {
    let ui = root().join("ui");
    let (lock, stamp) = (
        ui.join("package-lock.json"),
        ui.join("node_modules/.lock-as-installed"),
    );
    let wanted = std::fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    if std::fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    finish(npm().args(["ci", "--no-audit", "--no-fund"]))?;
    std::fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// The window's pages, built into `ui/dist`, once for each time xtask is started: building them again would only have the
/// program that holds them compiled again.
pub(crate) fn build_pages() -> Done {
    static BUILT: Mutex<bool> = Mutex::new(false);
    let mut built = BUILT.lock().map_err(|error| error.to_string())?;
    if !*built {
        install_pages()?;
        finish(npm().args(["run", "build"]))?;
        *built = true;
    }
    Ok(())
}

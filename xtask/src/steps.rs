//! The steps both commands share: Node, the window's pages, the app.

use crate::consent::Consent;
use crate::packages::{self, For};
use crate::process::{Done, cargo, finish, npm, output, program, root};
use std::sync::Mutex;

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

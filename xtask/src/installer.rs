//! The installer: built, installed, started, its first window awaited.

use crate::steps::{Done, build_pages, finish, npm, output, program, root};
use std::path::{Path, PathBuf};

/// The bundler that goes with the Tauri the workspace locks.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";

/// How much is optimised.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// All of it, over all crates: what a person gets.
    Release,
    /// Enough to start it and look: what the tests build, in a third of the time.
    Quick,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Quick => "installer",
        }
    }
}

/// Builds the Debian package (other systems: whatever Tauri bundles there).
pub(crate) fn build(profile: Profile) -> Done<PathBuf> {
    build_pages()?;
    let tauri = bundler()?;
    let mut command = program(&tauri.to_string_lossy());
    command.args([
        "build",
        "--no-sign",
        "--bundles",
        "deb",
        "--",
        "--profile",
        profile.name(),
        "--locked",
    ]);
    finish(&mut command)?;
    let folder = root().join("target").join(profile.name()).join("bundle/deb");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut packages: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .collect();
    packages.sort();
    packages
        .pop()
        .ok_or_else(|| format!("no package was written to {}", folder.display()))
}

/// Tauri's bundler, in a folder of its own: it is a program for each system, and the pages' lock file names none of them.
fn bundler() -> Done<PathBuf> {
    let folder = root().join("target/tauri-cli");
    let program = folder
        .join("node_modules/.bin")
        .join(if cfg!(windows) { "tauri.cmd" } else { "tauri" });
    if !program.exists() {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        finish(
            npm()
                .args(["install", "--no-audit", "--no-fund", "--prefix"])
                .arg(&folder)
                .arg(BUNDLER),
        )?;
    }
    Ok(program)
}

/// Installs the package and starts what it installed, under a virtual display, through the same test door as the window
/// tests; prints start to first paint, memory and size.
pub(crate) fn try_it(package: &Path) -> Done {
    let Some(id) = output(program("id").arg("-u")) else {
        return Err("this system has no `id`: the package was built, not tried".into());
    };
    if id.trim() != "0" {
        println!(
            "Built {}. Installing it needs the administrator; it was not tried.",
            package.display()
        );
        return Ok(());
    }
    finish(
        program("apt-get")
            .args(["install", "--yes", "--no-install-recommends", "--reinstall"])
            .arg(package),
    )?;
    let size = std::fs::metadata(package).map_or(0, |data| data.len());
    println!("package: {:.2} MB", megabytes(size));
    if let Ok(data) = std::fs::metadata("/usr/bin/pocketdeck") {
        println!("program: {:.2} MB", megabytes(data.len()));
    }
    let mut command = crate::steps::cargo();
    command
        .args([
            "test",
            "--package",
            "pocketdeck",
            "--test",
            "window",
            "--locked",
            "--",
            "installed::",
            "--ignored",
            "--nocapture",
        ])
        .env("POCKETDECK_INSTALLED", "/usr/bin/pocketdeck");
    finish(&mut command)
}

#[expect(clippy::cast_precision_loss, reason = "printed with two decimals")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

//! The installer: built, installed, started, its first window awaited.

use crate::compile::{programs, test_cargo};
use crate::consent::Consent;
use crate::process::{Done, finish, line_of, npm, output, program, root, target};
use crate::steps::build_pages;
use std::path::{Path, PathBuf};

/// The bundler that goes with the Tauri the workspace locks.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";

/// Builds the Debian package a person gets (other systems: whatever Tauri bundles there).
pub(crate) fn build() -> Done<PathBuf> {
    // Tauri's own first step builds the pages.
    crate::steps::install_pages()?;
    let mut command = program(&bundler()?.to_string_lossy());
    command.args(["build", "--no-sign", "--bundles", "deb", "--", "--locked"]);
    finish(&mut command)?;
    packed_tighter(newest_package("release")?)
}

/// Packages the program the tests were run with, which takes seconds: everything of the package is shown but how the
/// program was optimised.
pub(crate) fn package_built() -> Done<PathBuf> {
    build_pages()?;
    programs()?;
    bundle(&["--debug"])?;
    newest_package("debug")
}

/// Packages the optimised program as it lies there.
pub(crate) fn package_released() -> Done<PathBuf> {
    bundle(&[])?;
    packed_tighter(newest_package("release")?)
}

/// The bundler packs by gzip alone; by xz, which every Debian reads, a package is a quarter smaller. It stays as it is where there is
/// no `dpkg-deb`.
fn packed_tighter(package: PathBuf) -> Done<PathBuf> {
    if output(program("dpkg-deb").arg("--version")).is_none() {
        return Ok(package);
    }
    let contents = package.with_extension("contents");
    if contents.exists() {
        std::fs::remove_dir_all(&contents).map_err(|error| format!("{}: {error}", contents.display()))?;
    }
    finish(program("dpkg-deb").arg("-R").arg(&package).arg(&contents))?;
    finish(
        program("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "-z9", "-b"])
            .arg(&contents)
            .arg(&package),
    )?;
    std::fs::remove_dir_all(&contents).map_err(|error| format!("{}: {error}", contents.display()))?;
    Ok(package)
}

fn bundle(profile: &[&str]) -> Done {
    let mut command = program(&bundler()?.to_string_lossy());
    command.arg("bundle").args(profile);
    command.args(["--no-sign", "--no-binary-patching", "--bundles", "deb"]);
    finish(&mut command)
}

/// The package in the folder of a profile.
fn newest_package(profile: &str) -> Done<PathBuf> {
    let folder = target().join(profile).join("bundle/deb");
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
pub(crate) fn try_it(package: &Path, consent: Consent) -> Done {
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
    let mut install = program("apt-get");
    install
        .args(["install", "--yes", "--no-install-recommends", "--reinstall"])
        .arg(package);
    consent.obtain(
        "The package is installed on this computer to be tried.",
        &line_of(&install),
    )?;
    finish(&mut install)?;
    let size = std::fs::metadata(package).map_or(0, |data| data.len());
    println!("package: {:.2} MB", megabytes(size));
    if let Ok(data) = std::fs::metadata("/usr/bin/pocketdeck") {
        println!("program: {:.2} MB", megabytes(data.len()));
    }
    let mut command = test_cargo()?;
    command.args(["test", "--workspace", "--locked", "--test", "window"]);
    command.args(["--", "--ignored", "--nocapture", "installed::"]);
    command.env("POCKETDECK_INSTALLED", "/usr/bin/pocketdeck");
    finish(&mut command)
}

#[expect(clippy::cast_precision_loss, reason = "printed with two decimals")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}

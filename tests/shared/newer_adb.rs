//! Google's adb 36, out of a package of Python's index: Debian's is too old to pair, and words some answers otherwise.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// What holds it, at the version that was tried.
pub(crate) const PACKAGE: &str = "adbutils==2.12.0";

/// adb 36 in `target`, fetched once. Nothing where it cannot be fetched.
#[allow(clippy::disallowed_methods, reason = "a test's tool")]
pub(crate) fn newer_adb() -> Option<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().ok()?;
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let folder = target.join("adb-36");
    let program = folder.join("adbutils/binaries/adb");
    if !program.is_file() {
        // Other test programs may want it at the same moment: each fetches its own, and the first one's stays.
        let own = target.join(format!("adb-36-{}", std::process::id()));
        let fetched = Command::new("pip")
            .args(["install", "--quiet", "--no-compile", "--no-deps", "--target"])
            .arg(&own)
            .arg(PACKAGE)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if fetched.is_ok_and(|status| status.success()) {
            let _ = std::fs::rename(&own, &folder);
        }
        let _ = std::fs::remove_dir_all(&own);
    }
    program.is_file().then_some(program)
}

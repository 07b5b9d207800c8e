//! Where `bash` is.

use crate::ScriptError;
use std::path::{Path, PathBuf};

/// Places where `bash` is when the PATH does not say: a program started from a desktop often has a short one.
#[cfg(unix)]
const USUAL: &[&str] = &[
    "/bin/bash",
    "/usr/bin/bash",
    "/usr/local/bin/bash",
    "/opt/homebrew/bin/bash",
    "/run/current-system/sw/bin/bash",
];

/// The `bash` to use.
///
/// # Errors
/// [`ScriptError::NoBash`] when there is none.
pub(crate) fn find() -> Result<PathBuf, ScriptError> {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&on_path)
        .filter(|folder| folder.is_absolute() && is_trusted(folder))
        .map(|folder| folder.join(NAME))
        .chain(usual())
        .find(|candidate| candidate.is_file())
        .ok_or(ScriptError::NoBash)
}

#[cfg(unix)]
const NAME: &str = "bash";
#[cfg(windows)]
const NAME: &str = "bash.exe";

#[cfg(unix)]
fn usual() -> impl Iterator<Item = PathBuf> {
    USUAL.iter().map(PathBuf::from)
}

/// Git for Windows, where its installer puts it.
#[cfg(windows)]
fn usual() -> impl Iterator<Item = PathBuf> {
    let roots = ["ProgramFiles", "ProgramW6432", "LocalAppData"];
    roots.into_iter().filter_map(std::env::var_os).flat_map(|root| {
        let root = PathBuf::from(root);
        [
            root.join(r"Git\bin\bash.exe"),
            root.join(r"Programs\Git\bin\bash.exe"),
        ]
    })
}

#[cfg(unix)]
fn is_trusted(_folder: &Path) -> bool {
    true
}

/// The `bash.exe` in the system's folder and among the app aliases is the door to another machine (WSL): killing it
/// here does not end what it started there.
#[cfg(windows)]
fn is_trusted(folder: &Path) -> bool {
    let folder = folder.to_string_lossy().to_ascii_lowercase();
    !folder.contains("system32") && !folder.contains("sysnative") && !folder.contains("windowsapps")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn bash_is_found() {
        let bash = find().unwrap();
        assert!(bash.is_absolute() && bash.ends_with("bash"), "{}", bash.display());
    }
}

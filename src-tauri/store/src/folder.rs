//! Folders and files that nobody else may look into.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder and those above it, for this person only (Unix: mode 0700). One that exists is left as it is.
///
/// # Errors
/// What the system says.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a file for this person only (Unix: mode 0600), unless there is one. Whether there was none, or an empty one.
///
/// SQLite gives the files beside the database the same mode.
///
/// # Errors
/// What the system says.
pub(crate) fn make_private_file(file: &Path) -> io::Result<bool> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    Ok(options.open(file)?.metadata()?.len() == 0)
}

//! A script's folder: its text, what it printed, how it ended, and the files it left.

use agent::ports::ScriptEnd;
use protocol::RunId;
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `RUN-random/` with `script.sh`, `files/` (where the script stands) and, afterwards, `stdout.log`, `stderr.log` and
/// `result.json`. Nobody else may look into it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    files: PathBuf,
    programs: PathBuf,
}

impl Folder {
    /// Makes one, and puts links to `programs` where the script's `PATH` will be.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn new(
        all: &Path,
        run: &RunId,
        script: &str,
        programs: &[(String, &Path)],
    ) -> io::Result<Self> {
        fs::create_dir_all(all)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let run: String = run.0.chars().filter(|c| plain(*c)).take(64).collect();
        let mut builder = tempfile::Builder::new();
        let prefix = format!("{run}-");
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let path = fs::canonicalize(builder.tempdir_in(all)?.keep())?;
        let folder = Self {
            files: path.join("files"),
            programs: path.join("programs"),
            path,
        };
        fs::create_dir(&folder.files)?;
        fs::create_dir(&folder.programs)?;
        for (name, real) in programs {
            link(real, &folder.programs.join(name))?;
        }
        fs::write(folder.path.join("script.sh"), script)?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the script stands, empty at first.
    pub(crate) fn files(&self) -> &Path {
        &self.files
    }

    /// Its `PATH`.
    pub(crate) fn programs(&self) -> &Path {
        &self.programs
    }

    /// Writes down what came of it; what was only needed meanwhile goes.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn keep(&self, end: Option<&ScriptEnd>, took: Duration) -> io::Result<()> {
        fs::remove_dir_all(&self.programs)?;
        // Empty: the script left nothing.
        let _full = fs::remove_dir(&self.files);
        let result = match end {
            Some(end) => json!({
                "started": true,
                "exit": end.exit,
                "timedOut": end.timed_out,
                "tookMs": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            }),
            None => json!({"started": false}),
        };
        if let Some(end) = end {
            fs::write(self.path.join("stdout.log"), &end.stdout)?;
            fs::write(self.path.join("stderr.log"), &end.stderr)?;
        }
        fs::write(self.path.join("result.json"), format!("{result:#}\n"))
    }
}

#[cfg(unix)]
fn link(real: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(real, at)
}

/// Where links need rights most people have not, a program is called by its whole path.
#[cfg(not(unix))]
fn link(_real: &Path, _at: &Path) -> io::Result<()> {
    Ok(())
}

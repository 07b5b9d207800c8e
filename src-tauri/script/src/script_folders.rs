//! The folders of scripts that ran: how many are kept, and whose.

use protocol::RunId;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// So many folders are kept at most, the newest.
pub const MOST: usize = 200;
/// So many bytes in all of them at most.
pub const MOST_BYTES: u64 = 1 << 30;
/// Files looked at in one folder; one with more counts as if it held [`MOST_BYTES`].
const FILES: usize = 20_000;

/// How the run stands that a folder belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunLiveness {
    /// It goes on, here or in another process: its folders stay.
    Living,
    /// It is over.
    Over,
    /// Nobody knows it any more: its folders go.
    Unknown,
}

/// One script's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFolder {
    /// The run it belongs to.
    pub run: RunId,
    /// Where it lies.
    pub path: PathBuf,
    /// So many bytes.
    pub bytes: u64,
}

/// Every script's folder in `all`, the newest run's first; what is no script's folder is left out. None where there never
/// was a script.
///
/// # Errors
/// What the system says.
pub fn kept(all: &Path) -> io::Result<Vec<ScriptFolder>> {
    let entries = match fs::read_dir(all) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let Some(run) = name.to_str().and_then(run_of) else {
            continue;
        };
        let path = entry.path();
        // A link in its place is nobody's folder.
        if !entry.file_type()?.is_dir() || !path.join("script.sh").is_file() {
            continue;
        }
        let bytes = size(&path);
        found.push(ScriptFolder { run, path, bytes });
    }
    // A run's name begins with its time.
    found.sort_by(|a, b| (&b.run.0, &b.path).cmp(&(&a.run.0, &a.path)));
    Ok(found)
}

/// Those of `kept` (the newest first) that go: of runs nobody knows, and beyond what is kept.
pub fn surplus(kept: &[ScriptFolder], standing: impl Fn(&RunId) -> RunLiveness) -> Vec<&ScriptFolder> {
    let (mut count, mut bytes) = (0, 0_u64);
    let goes = |one: &&ScriptFolder| match standing(&one.run) {
        RunLiveness::Unknown => true,
        RunLiveness::Living => {
            count += 1;
            bytes = bytes.saturating_add(one.bytes);
            false
        }
        RunLiveness::Over => {
            let fits = count < MOST && bytes.saturating_add(one.bytes) <= MOST_BYTES;
            if fits {
                count += 1;
                bytes += one.bytes;
            }
            !fits
        }
    };
    kept.iter().filter(goes).collect()
}

/// The runs of these folders, each once.
#[must_use]
pub fn runs(kept: &[ScriptFolder]) -> Vec<RunId> {
    let once: BTreeMap<&str, &RunId> = kept.iter().map(|one| (one.run.0.as_str(), &one.run)).collect();
    once.into_values().cloned().collect()
}

/// Takes a folder away, links in it as links.
///
/// # Errors
/// What the system says.
pub fn remove(one: &ScriptFolder) -> io::Result<()> {
    fs::remove_dir_all(&one.path)
}

/// `018f…-5e8a….Ab3dE9` without what makes two folders of one run differ.
fn run_of(name: &str) -> Option<RunId> {
    let (run, rest) = name.rsplit_once('-')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let fits = !run.is_empty()
        && run.chars().all(plain)
        && !rest.is_empty()
        && rest.chars().all(char::is_alphanumeric);
    fits.then(|| RunId(run.to_owned()))
}

fn size(folder: &Path) -> u64 {
    let (mut open, mut bytes, mut files) = (vec![folder.to_path_buf()], 0_u64, 0);
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            files += 1;
            if files > FILES {
                return MOST_BYTES;
            }
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                open.push(entry.path());
            } else {
                bytes = bytes.saturating_add(about.len());
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    fn one(run: &str, bytes: u64) -> ScriptFolder {
        ScriptFolder {
            run: RunId(run.to_owned()),
            path: PathBuf::from(run),
            bytes,
        }
    }

    fn gone(kept: &[ScriptFolder], standing: impl Fn(&str) -> RunLiveness) -> Vec<String> {
        let all = surplus(kept, |run| standing(&run.0));
        all.into_iter().map(|one| one.run.0.clone()).collect()
    }

    #[test]
    fn what_goes_is_of_no_run_or_too_much() {
        let half = MOST_BYTES / 2;
        let over = |_: &str| RunLiveness::Over;
        assert_eq!(gone(&[], over), [""; 0]);
        // The newest fit; an older one that is small still does.
        let all = [one("d", half), one("c", half), one("b", 1), one("a", 0)];
        assert_eq!(gone(&all, over), ["b"]);
        assert_eq!(gone(&[one("huge", MOST_BYTES + 1), one("a", 1)], over), ["huge"]);
        assert_eq!(
            gone(&all, |run| if run == "d" {
                RunLiveness::Unknown
            } else {
                RunLiveness::Over
            }),
            ["d"]
        );
        // A run that goes on keeps what it has, whatever its size.
        let living = |run: &str| {
            if run == "a" {
                RunLiveness::Living
            } else {
                RunLiveness::Over
            }
        };
        assert_eq!(gone(&[one("b", 1), one("a", MOST_BYTES * 2)], living), [""; 0]);
        let many: Vec<ScriptFolder> = (0..MOST + 3).rev().map(|n| one(&format!("{n:04}"), 1)).collect();
        assert_eq!(gone(&many, over), ["0002", "0001", "0000"]);
    }

    #[test]
    fn folders_are_found_by_their_runs_and_nothing_else_is_touched() {
        let all = tempfile::tempdir().unwrap();
        assert_eq!(kept(&all.path().join("never")).unwrap(), []);
        for run in ["0001-aa", "0002-bb", "0002-bb"] {
            Folder::new(all.path(), &RunId(run.to_owned()), "echo hello", &[]).unwrap();
        }
        fs::create_dir(all.path().join("mine")).unwrap();
        fs::create_dir(all.path().join("my-own")).unwrap();
        fs::write(all.path().join("0003-cc-notes"), "kept").unwrap();
        let found = kept(all.path()).unwrap();
        let names: Vec<&str> = found.iter().map(|one| one.run.0.as_str()).collect();
        assert_eq!(names, ["0002-bb", "0002-bb", "0001-aa"]);
        assert_eq!(found[0].bytes, "echo hello".len() as u64);
        assert_eq!(runs(&found).len(), 2);
        for one in &found {
            remove(one).unwrap();
        }
        assert_eq!(kept(all.path()).unwrap(), []);
        assert!(all.path().join("mine").is_dir() && all.path().join("my-own").is_dir());
        assert!(all.path().join("0003-cc-notes").is_file());
    }
}

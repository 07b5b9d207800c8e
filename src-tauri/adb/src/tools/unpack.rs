//! The archive, unpacked beside the place it will have, then moved there in one step.

use crate::error::ToolsError;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};
use zip::ZipArchive;
use zip::result::ZipError;

/// The folder inside ours, and inside the archive.
pub(super) const FOLDER: &str = "platform-tools";

/// The adb program in it.
pub(super) fn adb() -> &'static str {
    if cfg!(windows) { "adb.exe" } else { "adb" }
}

/// Files in it, at most: there are some twenty.
const MOST: usize = 2_000;
/// Their bytes together, at most: there are some 30 MB.
const LARGEST: u64 = 512 * 1024 * 1024;

/// Unpacks into `work`. Every file lies in the one folder there should be, is a plain file, and is whole.
///
/// # Errors
/// [`ToolsError::Wrong`] when the archive is not such a one.
pub(super) fn unpack(archive: &Path, work: &Path) -> Result<(), ToolsError> {
    let mut archive = ZipArchive::new(File::open(archive)?).map_err(wrong)?;
    if archive.len() > MOST {
        return Err(ToolsError::Wrong(format!("{} files", archive.len())));
    }
    let mut room = LARGEST;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(wrong)?;
        let name = entry.name().map_err(wrong)?.into_owned();
        let outside = || ToolsError::Wrong(format!("{name:?} is in it"));
        let inside = entry.enclosed_name().ok_or_else(outside)?;
        // `enclosed_name` lets `a/../b` through: here nothing of the kind has a reason.
        let plain = inside
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !plain || !inside.starts_with(FOLDER) || name.contains('\\') || entry.is_symlink() {
            return Err(outside());
        }
        let target = work.join(&inside);
        if entry.is_dir() {
            std::fs::create_dir_all(&target)?;
            continue;
        }
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let runs = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0) || is_adb(&inside);
        // A name that stands in it twice is nobody's honest archive.
        let mut file = File::create_new(&target).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => outside(),
            _ => error.into(),
        })?;
        let written = copy(&mut entry.by_ref().take(room.saturating_add(1)), &mut file)?;
        if written > room {
            return Err(ToolsError::Wrong("it unpacks to more than it should".to_owned()));
        }
        room -= written;
        file.sync_all()?;
        make_runnable(&file, runs)?;
    }
    if work.join(FOLDER).join(adb()).is_file() {
        Ok(())
    } else {
        Err(ToolsError::Wrong("the adb program is not in it".to_owned()))
    }
}

/// Moves what was unpacked to its place; what was there goes with the work folder.
pub(super) fn put(work: &Path, folder: &Path) -> Result<(), ToolsError> {
    let place = folder.join(FOLDER);
    let before = work.join("before");
    let had = place.exists();
    if had {
        std::fs::rename(&place, &before)?;
    }
    if let Err(error) = std::fs::rename(work.join(FOLDER), &place) {
        if had {
            std::fs::rename(&before, &place)?;
        }
        return Err(error.into());
    }
    Ok(())
}

fn is_adb(path: &Path) -> bool {
    path == Path::new(FOLDER).join(adb())
}

/// Reading fails when the archive is bad, writing when the disk is.
fn copy(from: &mut impl Read, to: &mut impl io::Write) -> Result<u64, ToolsError> {
    let mut buffer = vec![0; 64 * 1024];
    let mut written = 0;
    loop {
        let got = from
            .read(&mut buffer)
            .map_err(|error| ToolsError::Wrong(error.to_string()))?;
        if got == 0 {
            return Ok(written);
        }
        to.write_all(&buffer[..got])?;
        written += got as u64;
    }
}

#[cfg(unix)]
fn make_runnable(file: &File, runs: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(if runs { 0o755 } else { 0o644 }))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on the other systems")]
fn make_runnable(_: &File, _: bool) -> io::Result<()> {
    Ok(())
}

fn wrong(error: ZipError) -> ToolsError {
    match error {
        ZipError::Io(error) => error.into(),
        other => ToolsError::Wrong(other.to_string()),
    }
}

//! Google's platform tools and scrcpy's server, each fetched when a person presses its button: one file of a known digest
//! from its maker, put beside our data. It appears whole or not at all, and nothing else is ever fetched here.

mod download;
mod pins;
mod unpack;

pub use pins::{MAKERS_PAGE, Release, release, scrcpy_release};

pub use crate::error::ToolsError;
use protocol::{Failure, Fetching};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Where the archive is written while it comes; a test's own runs full.
pub type Create<'a> = &'a (dyn Fn(&Path) -> io::Result<File> + Send + Sync);

/// The adb program in `folder`, once it was fetched there.
#[must_use]
pub fn program(folder: &Path) -> PathBuf {
    folder.join(unpack::FOLDER).join(unpack::adb())
}

/// Fetches a release into `folder` and gives the adb program in it. Whatever was there before stays until the new one
/// is whole; a call that is dropped leaves nothing behind.
///
/// # Errors
/// Which step failed.
pub async fn fetch(
    release: &Release,
    folder: &Path,
    tell: &(dyn Fn(Fetching) + Send + Sync),
) -> Result<PathBuf, ToolsError> {
    fetch_with(release, folder, &|path| File::create(path), tell).await
}

/// [`fetch`], with the archive's file made by `create`.
///
/// # Errors
/// As [`fetch`].
pub async fn fetch_with(
    release: &Release,
    folder: &Path,
    create: Create<'_>,
    tell: &(dyn Fn(Fetching) + Send + Sync),
) -> Result<PathBuf, ToolsError> {
    std::fs::create_dir_all(folder)?;
    // In the same folder: what is done is moved, never copied.
    let work = tempfile::Builder::new().prefix(".fetching-").tempdir_in(folder)?;
    let archive = work.path().join("archive.zip");
    download::download(release, create(&archive)?, tell).await?;
    tell(Fetching::Unpacking);
    let folder = folder.to_owned();
    let unpacked = tokio::task::spawn_blocking(move || {
        unpack::unpack(&archive, work.path())?;
        unpack::put(work.path(), &folder)?;
        Ok::<PathBuf, ToolsError>(program(&folder))
    });
    let program = unpacked
        .await
        .map_err(|error| ToolsError::Disk(error.to_string()))??;
    tell(Fetching::Done);
    Ok(program)
}

/// The scrcpy server in `folder`, once it was fetched there.
#[must_use]
pub fn scrcpy_server(folder: &Path) -> PathBuf {
    folder.join("scrcpy-server")
}

/// Fetches scrcpy's server into `folder`, as [`fetch`] does the tools.
///
/// # Errors
/// Which step failed.
pub async fn fetch_scrcpy(
    release: &Release,
    folder: &Path,
    tell: &(dyn Fn(Fetching) + Send + Sync),
) -> Result<PathBuf, ToolsError> {
    std::fs::create_dir_all(folder)?;
    let work = tempfile::Builder::new().prefix(".fetching-").tempdir_in(folder)?;
    let file = work.path().join("server");
    download::download(release, File::create(&file)?, tell).await?;
    let place = scrcpy_server(folder);
    std::fs::rename(&file, &place)?;
    tell(Fetching::Done);
    Ok(place)
}

/// The last word to whoever watches.
#[must_use]
pub fn failed(error: &ToolsError) -> Fetching {
    Fetching::Failed {
        failure: Failure::from(crate::error::AdbError::from(error.clone())),
    }
}

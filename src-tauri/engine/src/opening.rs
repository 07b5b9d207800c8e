//! When what is kept cannot be opened: what may help, and how the old is set aside so that nothing of it is lost.

use crate::EngineError;
use crate::pictures::stamp;
use crate::scripts;
use protocol::{Failure, FailureCode, Remedy};
use std::path::{Path, PathBuf};

/// What a person can do about data that cannot be opened, in the order to offer it.
#[must_use]
pub fn remedies(failure: &Failure) -> Vec<Remedy> {
    use FailureCode as C;
    match failure.code {
        // Another file is what helps; the same one may have been put right meanwhile.
        C::StoreBroken | C::StoreNewer => vec![Remedy::Again, Remedy::Fresh, Remedy::Folder],
        C::AdbAddress => vec![Remedy::OwnServer],
        C::StoreFolder | C::DiskFull | C::StoreGone => vec![Remedy::Again, Remedy::Folder],
        _ => vec![Remedy::Again],
    }
}

/// Sets what is kept in `folder` aside, under names with this moment in them; an engine opened then begins with nothing. Says
/// what the file is called now.
///
/// # Errors
/// When it cannot be renamed; then it is as it was.
pub async fn set_aside(folder: PathBuf) -> Result<PathBuf, Failure> {
    let work = tokio::task::spawn_blocking(move || both_aside(&folder, &stamp()));
    Ok(work.await.map_err(EngineError::Broken)??)
}

fn both_aside(folder: &Path, stamp: &str) -> Result<PathBuf, EngineError> {
    let aside = store::set_aside(folder, stamp)?;
    // A new store knows none of their runs, and would have them taken away.
    let scripts = folder.join(scripts::SCRIPTS);
    if scripts.is_dir() {
        let name = aside
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        std::fs::rename(&scripts, folder.join(format!("{name} {}", scripts::SCRIPTS)))?;
    }
    Ok(aside)
}

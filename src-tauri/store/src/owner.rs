//! Whose run is it, and does its process still live?
//!
//! Every opened store holds an OS lock on a file of its own, `owners/<name>`, and writes that name into the runs it
//! begins. The system lets go of the lock when the process dies, however it dies. So a run whose owner's file can be
//! locked, or is gone, has nobody any more; one whose owner's file is locked is left alone. Process numbers are not
//! asked: they are given again.
//!
//! Files are made and judged only inside a writing transaction of the database, so no process ever sees the file of
//! another between its making and its locking.

use crate::StoreError;
use crate::{clock, folder};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// This store's mark of life. Dropping it lets go of the lock.
#[derive(Debug)]
pub(crate) struct Owner {
    name: String,
    file: PathBuf,
    _lock: File,
}

impl Owner {
    /// Makes and locks the file of a new owner.
    ///
    /// # Errors
    /// When the folder takes no file, or its file system no locks.
    pub(crate) fn register(data: &Path) -> Result<Self, StoreError> {
        let folder = folder_of(data);
        folder::make_private(&folder)?;
        let (process, now) = (std::process::id(), clock::now());
        for attempt in 0..1_000 {
            let name = format!("{process}-{now}-{attempt}");
            let file = folder.join(&name);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            match options.open(&file) {
                Ok(lock) => {
                    lock.try_lock().map_err(io::Error::from)?;
                    return Ok(Self {
                        name,
                        file,
                        _lock: lock,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::Folder("no name is free for this process".to_owned()))
    }

    /// The name written into runs.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // While it is still locked: nobody can take it for dead in between.
        let _left_for_the_next_to_clear = fs::remove_file(&self.file);
    }
}

/// Whether the process that began a run lives. What cannot be found out counts as alive: nothing is taken from it.
pub(crate) fn lives(data: &Path, name: &str) -> bool {
    match File::open(folder_of(data).join(name)) {
        Ok(file) => match file.try_lock() {
            Ok(()) => false,
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "whether another process lives cannot be found out");
                true
            }
        },
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Removes the files of the dead.
pub(crate) fn clear(data: &Path) {
    let Ok(entries) = fs::read_dir(folder_of(data)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| !lives(data, name)) {
            let _left_for_the_next = fs::remove_file(entry.path());
        }
    }
}

fn folder_of(data: &Path) -> PathBuf {
    data.join("owners")
}

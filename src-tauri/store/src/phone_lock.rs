//! One phone, one process: the lock that every process of the product asks for before it touches a phone.
//!
//! It lies in the person's runtime folder, not in the data folder, so that two processes with different data folders
//! still meet. The system lets go of it when the process dies. Within one process the lease does the rest.

use protocol::{Failure, FailureCode, PhoneId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The lock, held. Dropping it lets go.
#[derive(Debug)]
pub struct PhoneLock {
    card: PathBuf,
    _lock: File,
}

/// Why the lock was not given.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process (or another part of this one) has it.
    #[error("the phone is held by {0}")]
    Busy(Holder),
    /// The runtime folder cannot be used, so nobody can say who has the phone.
    #[error("the lock of the phone cannot be taken: {0}")]
    Folder(#[from] io::Error),
}

/// Who has a phone, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub pid: Option<u32>,
    /// Its program: `pocketdeck`, `deck`.
    pub program: Option<String>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.program.as_deref().unwrap_or("another program"))?;
        match self.pid {
            Some(pid) => write!(f, " (process {pid})"),
            None => Ok(()),
        }
    }
}

impl From<LockError> for Failure {
    /// `phone_busy` (`values.program`, `values.pid` where known) or `internal`.
    fn from(error: LockError) -> Self {
        let detail = Some(error.to_string());
        let mut values = BTreeMap::new();
        let code = match error {
            LockError::Busy(holder) => {
                values.extend(holder.program.map(|program| ("program".to_owned(), program)));
                values.extend(holder.pid.map(|pid| ("pid".to_owned(), pid.to_string())));
                FailureCode::PhoneBusy
            }
            LockError::Folder(_) => FailureCode::Internal,
        };
        Self { code, values, detail }
    }
}

/// Takes the lock of a phone, or says who has it. Never waits.
///
/// # Errors
/// [`LockError::Busy`], or [`LockError::Folder`] when the lock cannot be asked for; then the phone must not be
/// touched either.
pub fn try_lock(phone: &PhoneId) -> Result<PhoneLock, LockError> {
    try_lock_in(&runtime_folder()?, phone)
}

fn try_lock_in(folder: &Path, phone: &PhoneId) -> Result<PhoneLock, LockError> {
    // A phone's name may hold anything; a file's may not.
    let name: String = Sha256::digest(phone.0.as_bytes())
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let (file, card) = (
        folder.join(format!("{name}.lock")),
        folder.join(format!("{name}.holder")),
    );
    // A cleaner of temporary files may remove the file between its opening and its locking.
    for _ in 0..3 {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(&file)?;
        match lock.try_lock() {
            Ok(()) if is_still(&lock, &file) => {
                // Beside the lock, not in it: on Windows nobody else can read a locked file.
                if let Ok(json) = serde_json::to_string(&ourselves()) {
                    fs::write(&card, json)?;
                }
                return Ok(PhoneLock { card, _lock: lock });
            }
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Busy(holder(&card))),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    Err(io::Error::other("the lock file is removed again and again").into())
}

impl Drop for PhoneLock {
    fn drop(&mut self) {
        // While the lock is held: afterwards the card may be another's.
        let _stale_cards_harm_nobody = fs::remove_file(&self.card);
    }
}

fn ourselves() -> Holder {
    let program = std::env::current_exe().ok();
    Holder {
        pid: Some(std::process::id()),
        program: program.and_then(|program| Some(program.file_stem()?.to_string_lossy().into_owned())),
    }
}

fn holder(card: &Path) -> Holder {
    let json = fs::read_to_string(card).unwrap_or_default();
    serde_json::from_str(&json).unwrap_or_default()
}

/// Whether a path still names the file that was opened.
#[cfg(unix)]
fn is_still(opened: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    opened
        .metadata()
        .and_then(|opened| Ok(same(opened, fs::metadata(path)?)))
        .unwrap_or(false)
}

/// On Windows an open file keeps its name.
#[cfg(windows)]
fn is_still(_opened: &File, _path: &Path) -> bool {
    true
}

/// The folder of locks: one for all processes of this person.
#[cfg(unix)]
fn runtime_folder() -> io::Result<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};

    let person = rustix::process::getuid().as_raw();
    let is_ours = |folder: &Path| {
        folder.is_absolute() && fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir() && it.uid() == person)
    };
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let usual = if cfg!(target_os = "macos") {
        // macOS sweeps /tmp, held locks and all.
        std::env::var_os("HOME").map(|home| PathBuf::from(home).join("Library/Caches"))
    } else {
        // The same as the first, for a login that was not told, as over SSH.
        Some(PathBuf::from(format!("/run/user/{person}")))
    };
    let folder = match given.into_iter().chain(usual).find(|folder| is_ours(folder)) {
        Some(folder) => folder.join("pocketdeck"),
        // A fixed place rather than `TMPDIR`, which differs from shell to shell.
        None => PathBuf::from(format!("/tmp/pocketdeck-{person}")),
    };
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    if !is_ours(&folder) {
        // Somebody else made it, or a link in its place.
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{} is not ours", folder.display()),
        ));
    }
    if fs::symlink_metadata(&folder)?.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(folder)
}

/// The folder of locks: the person's own.
#[cfg(windows)]
fn runtime_folder() -> io::Result<PathBuf> {
    let local = std::env::var_os("LOCALAPPDATA")
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "LOCALAPPDATA is not set"))?;
    let folder = PathBuf::from(local).join("PocketDeck").join("locks");
    crate::folder::make_private(&folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_is_held_once_and_another_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let (moto, nexus) = (PhoneId::from("Spare Moto/../ü"), PhoneId::from("Old Nexus"));
        let guard = try_lock_in(folder.path(), &moto).unwrap();
        let Err(LockError::Busy(holder)) = try_lock_in(folder.path(), &moto) else {
            panic!("given twice");
        };
        assert_eq!(holder, ourselves());
        let failure = Failure::from(LockError::Busy(holder));
        assert_eq!(failure.code, FailureCode::PhoneBusy);
        assert_eq!(failure.values["pid"], std::process::id().to_string());
        let _other = try_lock_in(folder.path(), &nexus).unwrap();
        drop(guard);
        let _again = try_lock_in(folder.path(), &moto).unwrap();
    }

    #[test]
    fn a_card_left_by_the_dead_locks_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let phone = PhoneId::from("Old Nexus");
        let guard = try_lock_in(folder.path(), &phone).unwrap();
        let (card, text) = (guard.card.clone(), fs::read(&guard.card).unwrap());
        drop(guard);
        fs::write(&card, text).unwrap();
        let _guard = try_lock_in(folder.path(), &phone).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_removed_lock_file_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let file = File::create(&path).unwrap();
        assert!(is_still(&file, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_still(&file, &path));
        File::create(&path).unwrap();
        assert!(!is_still(&file, &path));
    }
}

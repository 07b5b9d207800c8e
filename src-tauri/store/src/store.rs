//! The store: one file in one folder, opened by whoever wants it.

use crate::database::Database;
use crate::event_log::Origin;
use crate::full_size_frames::FullSizeFrames;
use crate::owner::Owner;
use crate::{Interrupted, StoreError, event_log, folder, interruption, owner};
use protocol::{PhoneId, RunId};
use rusqlite::Transaction;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The database's name in the data folder.
const FILE: &str = "pocketdeck.db";

/// Everything that is remembered. Clones are the same store; it is closed with the last of them.
#[derive(Clone, Debug)]
pub struct Store {
    shared: Arc<Shared>,
}

/// The fields are dropped in this order: the mark of life goes last.
#[derive(Debug)]
struct Shared {
    database: Database,
    full_size_frames: FullSizeFrames,
    /// What each phone is called, as far as somebody said so.
    names: Mutex<BTreeMap<PhoneId, String>>,
    folder: PathBuf,
    interrupted: Vec<Interrupted>,
    owner: Owner,
}

/// Whether there is a store in `folder`.
#[must_use]
pub fn exists(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// Puts the store of `folder` aside: its file, and what lies beside it, bear `stamp` in their names from then on. Nothing is
/// lost, and [`Store::open`] begins a new one. Says what the file is called now.
///
/// # Errors
/// When it cannot be renamed; then it is as it was.
pub fn set_aside(folder: &Path, stamp: &str) -> Result<PathBuf, StoreError> {
    let free = |n: u32| {
        let number = if n < 2 { String::new() } else { format!(" {n}") };
        folder.join(format!("pocketdeck {stamp}{number}.db"))
    };
    let aside = (1..1_000)
        .map(free)
        .find(|file| !file.exists())
        .ok_or_else(|| StoreError::Folder("no name is free for the file".to_owned()))?;
    let beside = |file: &Path, ending: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let file = folder.join(FILE);
    // The log first: a database without its log lacks its last writings, and a log without its database is thrown away by
    // whoever makes a new one.
    let (log, log_aside) = (beside(&file, "-wal"), beside(&aside, "-wal"));
    let has_log = log.exists();
    if has_log {
        std::fs::rename(&log, &log_aside)?;
    }
    if let Err(error) = std::fs::rename(&file, &aside) {
        if has_log {
            std::fs::rename(&log_aside, &log)?;
        }
        return Err(error.into());
    }
    // Every reader makes it anew.
    let _not_there = std::fs::remove_file(beside(&file, "-shm"));
    Ok(aside)
}

impl Store {
    /// Opens the store in `folder`, making both where they are missing (Unix: for this person only).
    ///
    /// Runs whose process died without ending them are closed now ([`Store::interrupted`]). Another process may have
    /// the same folder open; its runs are left alone. Blocks: usually for milliseconds, for a few seconds where
    /// another program holds the database.
    ///
    /// # Errors
    /// [`StoreError::Newer`], [`StoreError::Foreign`] and [`StoreError::Corrupt`] leave the file as it is;
    /// [`StoreError::Locked`] and [`StoreError::DiskFull`] may be over when tried again.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        folder::make_private(folder)?;
        let database = Database::open(&folder.join(FILE))?;
        let (owner, interrupted) = database.write_here(|transaction| {
            let owner = Owner::register(folder)?;
            let interrupted = close_the_dead(transaction, folder)?;
            Ok((owner, interrupted))
        })?;
        Ok(Self {
            shared: Arc::new(Shared {
                database,
                full_size_frames: FullSizeFrames::default(),
                names: Mutex::default(),
                folder: folder.to_owned(),
                interrupted,
                owner,
            }),
        })
    }

    /// The runs that were found interrupted when this store was opened, oldest first.
    #[must_use]
    pub fn interrupted(&self) -> &[Interrupted] {
        &self.shared.interrupted
    }

    /// Looks again for runs whose process died, closes them, and gives those it closed.
    ///
    /// # Errors
    /// When the database cannot be written; then nothing was closed.
    pub async fn close_interrupted(&self) -> Result<Vec<Interrupted>, StoreError> {
        let folder = self.shared.folder.clone();
        self.database()
            .write(move |transaction| close_the_dead(transaction, &folder))
            .await
    }

    /// Ends a run that is over without an end, as one whose process died: what it could not write is lost. One that has its end
    /// is left as it is.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where it never began here; when the database cannot be written.
    pub async fn close_run(&self, run: &RunId) -> Result<(), StoreError> {
        if self.run(run).await?.end.is_some() {
            return Ok(());
        }
        let closed = run.clone();
        self.database()
            .write(move |transaction| {
                if !event_log::run_state(transaction, &closed)?.ended {
                    interruption::close_one(transaction, closed)?;
                }
                Ok(())
            })
            .await?;
        self.full_size_frames().forget(run);
        Ok(())
    }

    pub(crate) fn database(&self) -> &Database {
        &self.shared.database
    }

    pub(crate) fn full_size_frames(&self) -> &FullSizeFrames {
        &self.shared.full_size_frames
    }

    /// What a phone is called: the runs that begin on it from now on say so.
    pub fn call_phone(&self, phone: &PhoneId, name: &str) {
        let mut names = self.shared.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(phone.clone(), name.to_owned());
    }

    /// What is written into a run that this store begins on a phone.
    pub(crate) fn origin(&self, phone: &PhoneId) -> Origin {
        let names = self.shared.names.lock().unwrap_or_else(PoisonError::into_inner);
        Origin {
            owner: self.shared.owner.name().to_owned(),
            phone_name: names.get(phone).cloned().unwrap_or_default(),
        }
    }

    /// The database and its log.
    pub(crate) fn files(&self) -> [PathBuf; 2] {
        ["", "-wal"].map(|ending| self.shared.folder.join(format!("{FILE}{ending}")))
    }
}

fn close_the_dead(transaction: &Transaction<'_>, folder: &Path) -> Result<Vec<Interrupted>, StoreError> {
    let closed = interruption::close(transaction, |name| owner::lives(folder, name))?;
    owner::clear(folder);
    Ok(closed)
}

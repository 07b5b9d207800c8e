//! The connection: opened with care, used by one thread at a time, never by an async one.

use crate::{StoreError, folder, schema};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long another program's lock is waited for. Short: a run must say that it cannot be written down, not hang.
pub(crate) const WAIT: Duration = Duration::from_secs(2);

/// One connection to the database. Clones are the same connection.
///
/// Its work is done on tokio's blocking threads. A mutex in front of it rather than a thread of its own: so tests in
/// virtual time stand still while it works, as tokio's clock waits for blocking threads only.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    connection: Arc<Mutex<Connection>>,
}

impl Database {
    /// Opens the file, or makes it, and brings it to the newest version.
    ///
    /// # Errors
    /// See [`crate::Store::open`].
    pub(crate) fn open(file: &Path) -> Result<Self, StoreError> {
        let start = Instant::now();
        loop {
            match connect(file) {
                // Switching a new file to its log does not wait for others as everything else does.
                Err(StoreError::Locked) if start.elapsed() < WAIT => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                other => {
                    return Ok(Self {
                        connection: Arc::new(Mutex::new(other?)),
                    });
                }
            }
        }
    }

    /// Reads, on a blocking thread.
    ///
    /// # Errors
    /// What `work` says.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.on_a_blocking_thread(|connection| work(connection)).await
    }

    /// Writes, on a blocking thread, all of it or nothing. When this returns `Ok` it is on the disk.
    ///
    /// The work is done to its end even if the returned future is dropped.
    ///
    /// # Errors
    /// What `work` or the commit says; then nothing was written.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.on_a_blocking_thread(|connection| in_transaction(connection, work))
            .await
    }

    /// Writes as [`Database::write`] does, on this thread.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn write_here<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        in_transaction(
            &mut self.connection.lock().unwrap_or_else(PoisonError::into_inner),
            work,
        )
    }

    /// Takes what was deleted out of the log and gives its room back to the system.
    ///
    /// # Errors
    /// What SQLite says. What another process still reads stays in the log until it or a later call clears it.
    pub(crate) async fn wipe(&self) -> Result<(), StoreError> {
        self.on_a_blocking_thread(|connection| {
            // One step frees one page.
            let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
            let mut freed = vacuum.query(())?;
            while freed.next()?.is_some() {}
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))?;
            Ok(())
        })
        .await
    }

    async fn on_a_blocking_thread<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let connection = Arc::clone(&self.connection);
        tokio::task::spawn_blocking(move || {
            // A transaction that a panic cut short was rolled back: the connection is as good as before.
            work(&mut connection.lock().unwrap_or_else(PoisonError::into_inner))
        })
        .await
        .map_err(|_| StoreError::Broken)?
    }
}

fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    // Immediate: the wait for other programs is here, before anything was read that could be stale by then.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let result = work(&transaction)?;
    transaction.commit()?;
    Ok(result)
}

fn connect(file: &Path) -> Result<Connection, StoreError> {
    let is_new = folder::make_private_file(file)?;
    if !is_new {
        schema::look(file, WAIT)?;
    }
    let mut connection = Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(WAIT)?;
    // Only a database without tables takes this; it lets erased pages go back to the system.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Database(format!("journal mode {mode}")));
    }
    // FULL: a commit returns when the log is on the disk. On macOS a plain flush stops at the drive's cache.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is erased is overwritten, and nothing private goes to temporary files.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    schema::migrate(&mut connection, schema::STEPS)?;
    Ok(connection)
}

//! The connection: opened with care, used by one thread at a time, never by an async one.

use crate::{StoreError, folder, schema, search};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long another program's lock is waited for. Short: a run must say that it cannot be written down, not hang. Who asked
/// for it is told and tries again.
pub(crate) const WAIT: Duration = Duration::from_secs(2);
/// How long a wait for a lock sleeps between two questions at first and at last, at most.
const SELDOM: Duration = Duration::from_millis(10);
const OFTEN: Duration = Duration::from_micros(200);
/// Pages given back to the system in one transaction.
const AT_ONCE: u32 = 1_000;

/// One connection to the database. Clones are the same connection.
///
/// Its work is done on tokio's blocking threads. A mutex in front of it rather than a thread of its own: so tests in
/// virtual time stand still while it works, as tokio's clock waits for blocking threads only.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    connection: Arc<Mutex<Connection>>,
    file: Arc<OpenFile>,
    /// Something was erased, and the log may still hold it.
    unwiped: Arc<AtomicBool>,
}

/// The file that was opened, by its name and by what it is.
#[derive(Debug)]
struct OpenFile {
    name: PathBuf,
    identity: Option<(u64, u64)>,
}

impl OpenFile {
    /// A system that lets an open file be deleted lets its program write on into nothing: nobody would ever read it.
    fn is_there(&self) -> bool {
        self.identity == identity(&self.name)
    }
}

/// What a name leads to: the device and the number of a file there. Windows keeps an open file where it is.
fn identity(name: &Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let file = std::fs::metadata(name).ok()?;
        Some((file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = name;
        None
    }
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
                    let connection = other?;
                    return Ok(Self {
                        connection: Arc::new(Mutex::new(connection)),
                        file: Arc::new(OpenFile {
                            name: file.to_owned(),
                            identity: identity(file),
                        }),
                        unwiped: Arc::default(),
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
    /// What `work` or the commit says; then nothing was written. [`StoreError::Gone`] where the file is not there any more.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let file = Arc::clone(&self.file);
        self.on_a_blocking_thread(move |connection| {
            if !file.is_there() {
                return Err(StoreError::Gone);
            }
            in_transaction(connection, work)
        })
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

    /// Takes what was deleted out of the log and gives its room back to the system, a little at a time: others write in
    /// between.
    ///
    /// # Errors
    /// What SQLite says; [`StoreError::Locked`] where another process reads. Then it stays in the log until a later call
    /// clears it.
    pub(crate) async fn wipe(&self) -> Result<(), StoreError> {
        self.mark_unwiped();
        loop {
            let left = self.on_a_blocking_thread(|connection| {
                // One step frees one page.
                let mut vacuum = connection.prepare(&format!("PRAGMA incremental_vacuum({AT_ONCE})"))?;
                let mut freed = vacuum.query(())?;
                while freed.next()?.is_some() {}
                Ok(connection.query_row("PRAGMA freelist_count", (), |row| row.get::<_, u32>(0))?)
            });
            if left.await? == 0 {
                break;
            }
        }
        let busy = self.on_a_blocking_thread(|connection| {
            Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, bool>(0))?)
        });
        if busy.await? {
            return Err(StoreError::Locked);
        }
        self.unwiped.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// From now on something that was erased may stand in the log.
    pub(crate) fn mark_unwiped(&self) {
        self.unwiped.store(true, Ordering::Relaxed);
    }

    /// Whether something that was erased may still stand in the log.
    pub(crate) fn is_unwiped(&self) -> bool {
        self.unwiped.load(Ordering::Relaxed)
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
        schema::look(file, wait_for_others)?;
    }
    let mut connection = Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_handler(Some(wait_for_others))?;
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
    search::catch_up(&mut connection)?;
    Ok(connection)
}

thread_local! {
    /// When this thread began to wait for a lock.
    static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Waits a moment for other programs' locks; whether to ask for the lock again.
///
/// Whoever has waited longer asks more often: of many programs that write at once, the next is nearly always the one that has
/// waited longest. SQLite's own waiting asks ever more rarely, and where all ask equally often it is a lottery; both leave one
/// of many without a turn.
fn wait_for_others(asked: i32) -> bool {
    let now = Instant::now();
    let began = BEGAN.get().filter(|_| asked > 0).unwrap_or(now);
    BEGAN.set(Some(began));
    let left = WAIT.saturating_sub(now.duration_since(began));
    if left.is_zero() {
        return false;
    }
    let longest = SELDOM.mul_f64(left.div_duration_f64(WAIT).powi(3)).max(OFTEN);
    std::thread::sleep(longest.mul_f64(fastrand::f64()));
    true
}

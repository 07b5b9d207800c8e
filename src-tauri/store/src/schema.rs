//! The database's versions, and the way from each to the next.

use crate::StoreError;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::Path;

/// Step `n` makes version `n + 1` out of version `n`. A step that was ever released is never changed.
pub(crate) const STEPS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
];

/// The mark of our files (`PRAGMA application_id`), `PkDk`.
const MARK: i64 = 0x506b_446b;

/// The bytes every database begins with.
const HEADER: u64 = 100;

/// Looks at an existing file without changing a byte of it; `wait` is asked, with how often it was, whether to wait for another
/// program's lock.
///
/// # Errors
/// [`StoreError::Newer`], [`StoreError::Foreign`] or [`StoreError::Corrupt`] when it is not ours to write.
pub(crate) fn look(file: &Path, wait: fn(i32) -> bool) -> Result<(), StoreError> {
    if std::fs::metadata(file)?.len() < HEADER {
        // SQLite would take it for an empty database and write over it.
        return Err(StoreError::Corrupt("the file is too short".to_owned()));
    }
    let mut connection = Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_handler(Some(wait))?;
    let mark: i64 = connection.query_row("PRAGMA application_id", (), |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    if mark != MARK && (mark != 0 || tables > 0) {
        return Err(StoreError::Foreign);
    }
    known(version(&connection)?, STEPS).map(drop)
}

/// Brings the database to the newest version, all steps or none.
///
/// # Errors
/// What went wrong; then the database is as it was.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), StoreError> {
    if known(version(connection)?, steps)? == steps.len() {
        return Ok(());
    }
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited for the lock.
    let done = known(version(&transaction)?, steps)?;
    for step in steps.iter().skip(done) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", number(steps))?;
    transaction.commit()?;
    Ok(())
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", (), |row| row.get(0))?)
}

/// How many steps lead to a version.
fn known(version: i64, steps: &[&str]) -> Result<usize, StoreError> {
    usize::try_from(version)
        .ok()
        .filter(|version| *version <= steps.len())
        .ok_or(StoreError::Newer {
            found: version,
            known: number(steps),
        })
}

/// The version that steps lead to.
fn number(steps: &[&str]) -> i64 {
    i64::try_from(steps.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);";
    const SECOND: &str = "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;";
    const THIRD_FAILS: &str = "CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1);";

    fn has(connection: &Connection, query: &str) -> Option<i64> {
        connection.query_row(query, (), |row| row.get(0)).ok()
    }

    #[test]
    fn each_version_leads_to_the_newest() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST]).unwrap();
        assert_eq!(version(&connection).unwrap(), 1);
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        assert_eq!(has(&connection, "SELECT y FROM a"), Some(2));
        migrate(&mut connection, &[FIRST, SECOND]).unwrap();
        assert_eq!(has(&connection, "SELECT count(*) FROM a"), Some(1));
    }

    #[test]
    fn a_step_that_fails_leaves_everything_as_it_was() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST]).unwrap();
        migrate(&mut connection, &[FIRST, SECOND, THIRD_FAILS]).unwrap_err();
        assert_eq!(version(&connection).unwrap(), 1);
        assert_eq!(has(&connection, "SELECT y FROM a"), None);
        assert_eq!(has(&connection, "SELECT count(*) FROM b"), None);
    }

    #[test]
    fn a_version_nobody_knows_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        for version in [2, 1_000, -1] {
            connection.pragma_update(None, "user_version", version).unwrap();
            let refused = migrate(&mut connection, &[FIRST]);
            assert!(
                matches!(refused, Err(StoreError::Newer { found, known: 1 }) if found == i64::from(version)),
                "{refused:?}"
            );
        }
    }
}

//! Automations, and each time one was due: written down before a phone is touched, so that none runs twice.
//!
//! Whoever begins an occurrence first moves it from waiting to running; of two that try, one does. What follows for the
//! automation itself (up to when its schedule was looked at, its failures in a row) is written in the same transaction.

use crate::{Store, StoreError, row};
use protocol::{Automation, AutomationId, Millis, Occurrence, OccurrenceState};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The most occurrences one call gives.
const MOST: u32 = 1_000;

/// An automation, and what is counted of it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptAutomation {
    /// What the person says of it.
    pub automation: Automation,
    /// Up to which moment its schedule was looked at, or what room `schedule` says in its place.
    pub since: Millis,
    /// Failures in a row.
    pub failures: u32,
}

const KEPT: &str = "SELECT json, since, failures FROM automations";

impl Store {
    /// Every automation, in the order they were first written. One that this version cannot read is left out, and stays as
    /// it is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn automations(&self) -> Result<Vec<KeptAutomation>, StoreError> {
        self.database()
            .read(|connection| {
                let mut statement = connection.prepare_cached(&format!("{KEPT} ORDER BY rowid"))?;
                let rows = statement.query_map((), kept)?;
                let rows = rows.collect::<Result<Vec<_>, _>>()?;
                Ok(rows.into_iter().flatten().collect())
            })
            .await
    }

    /// Writes automations down, each in the place of the one with its id where there is one: all of them or none.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn save_automations(&self, kept: &[KeptAutomation]) -> Result<(), StoreError> {
        let kept = kept.to_vec();
        self.database()
            .write(move |transaction| kept.iter().try_for_each(|one| write(transaction, one)))
            .await
    }

    /// Changes an automation by what it is at this very moment.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none of this id; then nothing changed.
    pub async fn change_automation(
        &self,
        id: &AutomationId,
        change: impl FnOnce(&mut KeptAutomation) + Send + 'static,
    ) -> Result<KeptAutomation, StoreError> {
        let id = id.clone();
        self.database()
            .write(move |transaction| changed(transaction, &id, change))
            .await
    }

    /// Deletes an automation with every time it was due, on the disk too. Its runs stay.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none of this id.
    pub async fn delete_automation(&self, id: &AutomationId) -> Result<(), StoreError> {
        let name = id.clone();
        self.database()
            .write(move |transaction| {
                match transaction.execute("DELETE FROM automations WHERE id = ?1", [&name.0])? {
                    0 => Err(none(&name)),
                    _ => Ok(()),
                }
            })
            .await?;
        if let Err(error) = self.database().wipe().await {
            tracing::warn!(%error, "the log could not be cleared of an automation that was deleted");
        }
        Ok(())
    }

    /// Writes occurrences down where nothing of their identity is, together with what becomes of their automation. Gives
    /// those that were written.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such automation; nothing is written then, or when it cannot be.
    pub async fn write_occurrences(
        &self,
        id: &AutomationId,
        occurrences: &[Occurrence],
        change: impl FnOnce(&mut KeptAutomation) + Send + 'static,
    ) -> Result<Vec<Occurrence>, StoreError> {
        let (id, occurrences) = (id.clone(), occurrences.to_vec());
        self.database()
            .write(move |transaction| {
                changed(transaction, &id, change)?;
                let mut written = Vec::new();
                for one in occurrences {
                    if insert(transaction, &one)? {
                        written.push(one);
                    }
                }
                Ok(written)
            })
            .await
    }

    /// Moves an occurrence on where it still is as it was known, together with what becomes of its automation; whether it
    /// was. An automation that this version cannot read stays as it is.
    ///
    /// # Errors
    /// When the database cannot be written; then it is as it was.
    pub async fn advance_occurrence(
        &self,
        from: &Occurrence,
        to: &Occurrence,
        change: impl FnOnce(&mut KeptAutomation) + Send + 'static,
    ) -> Result<bool, StoreError> {
        let (from, to) = (from.clone(), to.clone());
        self.database()
            .write(move |transaction| {
                if !is_still(transaction, &from)? {
                    return Ok(false);
                }
                let (run, open) = columns(&to.state);
                transaction
                    .prepare_cached(
                        "UPDATE occurrences SET run = ?4, open = ?5, json = ?6
                         WHERE automation = ?1 AND phone = ?2 AND due = ?3",
                    )?
                    .execute(params![
                        from.automation.0,
                        from.phone.0,
                        row::number(from.due),
                        run,
                        open,
                        to_json(&to)?
                    ])?;
                match changed(transaction, &from.automation, change) {
                    Ok(_) | Err(StoreError::NotFound(_)) => Ok(true),
                    Err(error) => Err(error),
                }
            })
            .await
    }

    /// Takes an occurrence that waits away, where it still does; whether it did.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn withdraw_occurrence(&self, one: &Occurrence) -> Result<bool, StoreError> {
        let one = one.clone();
        self.database()
            .write(move |transaction| {
                if !is_still(transaction, &one)? {
                    return Ok(false);
                }
                transaction.execute(
                    "DELETE FROM occurrences WHERE automation = ?1 AND phone = ?2 AND due = ?3",
                    params![one.automation.0, one.phone.0, row::number(one.due)],
                )?;
                Ok(true)
            })
            .await
    }

    /// The times an automation was due, newest first, at most `limit` (1…1,000).
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn occurrences(&self, id: &AutomationId, limit: u32) -> Result<Vec<Occurrence>, StoreError> {
        let id = id.clone();
        self.database()
            .read(move |connection| {
                let limit = limit.clamp(1, MOST);
                let filter = "WHERE automation = ?1 ORDER BY due DESC, phone LIMIT ?2";
                occurrences(connection, filter, params![id.0, limit])
            })
            .await
    }

    /// Those that wait or run, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open_occurrences(&self) -> Result<Vec<Occurrence>, StoreError> {
        self.database()
            .read(|connection| occurrences(connection, "WHERE open ORDER BY due", &[]))
            .await
    }

    /// The newest of each automation on each phone, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn latest_occurrences(&self) -> Result<Vec<Occurrence>, StoreError> {
        self.database()
            .read(|connection| {
                let filter =
                    "JOIN (SELECT automation AS a, phone AS p, max(due) AS d FROM occurrences GROUP BY a, p)
                    ON automation = a AND phone = p AND due = d ORDER BY due DESC, phone";
                occurrences(connection, filter, &[])
            })
            .await
    }
}

impl Store {
    /// Takes away the times that are over and older than `before`; the newest of each automation on each phone stays. How many
    /// went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn prune_occurrences(&self, before: Millis) -> Result<usize, StoreError> {
        self.database()
            .write(move |transaction| {
                let gone = transaction.execute(
                    "DELETE FROM occurrences WHERE NOT open AND due < ?1 AND EXISTS (
                         SELECT 1 FROM occurrences AS later
                         WHERE later.automation = occurrences.automation AND later.phone = occurrences.phone
                             AND later.due > occurrences.due)",
                    [row::number(before)],
                )?;
                Ok(gone)
            })
            .await
    }
}

/// What an erased run said at its end goes from its occurrence too; its code stays.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn forget_endings(transaction: &Transaction<'_>, run: &str) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE occurrences SET json = CASE WHEN json_valid(json) THEN json_remove(json, '$.state.ending') ELSE '' END
         WHERE run = ?1",
        [run],
    )?;
    Ok(())
}

/// Every automation and every time goes, but for those of which a run goes on.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn erase_all(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let lives = "open AND run IN (SELECT id FROM runs WHERE ended_at IS NULL)";
    transaction.execute_batch(&format!(
        "DELETE FROM automations WHERE id NOT IN (SELECT automation FROM occurrences WHERE {lives});
         DELETE FROM occurrences WHERE NOT coalesce({lives}, 0);"
    ))?;
    Ok(())
}

fn none(id: &AutomationId) -> StoreError {
    StoreError::NotFound(format!("automation {id}"))
}

fn write(transaction: &Transaction<'_>, one: &KeptAutomation) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "INSERT INTO automations (id, json, since, failures) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET json = ?2, since = ?3, failures = ?4",
        )?
        .execute(params![
            one.automation.id.0,
            to_json(&one.automation)?,
            row::number(one.since),
            one.failures
        ])?;
    Ok(())
}

fn changed(
    transaction: &Transaction<'_>,
    id: &AutomationId,
    change: impl FnOnce(&mut KeptAutomation),
) -> Result<KeptAutomation, StoreError> {
    let found = transaction
        .query_row(&format!("{KEPT} WHERE id = ?1"), [&id.0], kept)
        .optional()?;
    let before = found.flatten().ok_or_else(|| none(id))?;
    let mut now = before.clone();
    change(&mut now);
    if now != before {
        write(transaction, &now)?;
    }
    Ok(now)
}

fn insert(transaction: &Transaction<'_>, one: &Occurrence) -> Result<bool, StoreError> {
    let (run, open) = columns(&one.state);
    let written = transaction
        .prepare_cached(
            "INSERT INTO occurrences (automation, phone, due, run, open, json) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            one.automation.0,
            one.phone.0,
            row::number(one.due),
            run,
            open,
            to_json(one)?
        ])?;
    Ok(written > 0)
}

/// What of a state stands in columns of its own: its run, and whether it is open.
fn columns(state: &OccurrenceState) -> (Option<&str>, bool) {
    match state {
        OccurrenceState::Waiting { .. } => (None, true),
        OccurrenceState::Running { run } => (Some(&run.0), true),
        OccurrenceState::Ended { run, .. } => (Some(&run.0), false),
        OccurrenceState::Skipped { .. } => (None, false),
    }
}

fn is_still(connection: &Connection, known: &Occurrence) -> Result<bool, StoreError> {
    let filter = "WHERE automation = ?1 AND phone = ?2 AND due = ?3";
    let due = row::number(known.due);
    let found = occurrences(
        connection,
        filter,
        params![known.automation.0, known.phone.0, due],
    )?;
    Ok(found.first().is_some_and(|one| one.state == known.state))
}

fn occurrences(
    connection: &Connection,
    filter: &str,
    values: &[&dyn rusqlite::types::ToSql],
) -> Result<Vec<Occurrence>, StoreError> {
    let mut statement = connection.prepare_cached(&format!("SELECT json FROM occurrences {filter}"))?;
    let rows = statement.query_map(values, read::<Occurrence>)?;
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}

fn kept(row: &Row<'_>) -> rusqlite::Result<Option<KeptAutomation>> {
    let (since, failures) = (row.get::<_, i64>(1)?.cast_unsigned(), row.get(2)?);
    Ok(read(row)?.map(|automation| KeptAutomation {
        automation,
        since,
        failures,
    }))
}

/// The first column's JSON; nothing where this version cannot read it.
fn read<T: DeserializeOwned>(row: &Row<'_>) -> rusqlite::Result<Option<T>> {
    let read = serde_json::from_str(&row::text(row, 0)?);
    if let Err(error) = &read {
        tracing::warn!(%error, "an automation cannot be read; it stays as it is");
    }
    Ok(read.ok())
}

fn to_json(what: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(what).map_err(|error| StoreError::Unwritable(error.to_string()))
}

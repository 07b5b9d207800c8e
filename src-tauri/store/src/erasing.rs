//! Erasing what is over: by age, by room, by the person's will. On the disk too.

use crate::{Store, StoreError, automations, clock, event_log, row, search};
use protocol::{Millis, RunId};
use rusqlite::{Connection, params};

/// Pictures erased in one transaction: what is erased is overwritten, and nobody may wait long for that.
const AT_ONCE: u32 = 16;

/// Runs erased in one transaction where all of them are.
const RUNS_AT_ONCE: u32 = 8;

/// A run that is over, and the room it takes.
struct EndedRun {
    run: RunId,
    ended_at: Millis,
    bytes: u64,
    /// The newest of its phone: the window shows it.
    latest: bool,
    /// An automation repeats it: it goes by the person's will alone.
    repeated: bool,
}

impl Store {
    /// The runs that are to go, oldest first: those that ended before `before`, then as many as it takes for the rest to
    /// fit into `room` bytes. A phone's latest run goes by age alone; one that has not ended, or that an automation repeats, never
    /// does.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn surplus(&self, before: Millis, room: u64) -> Result<Vec<RunId>, StoreError> {
        self.database()
            .read(move |connection| {
                let runs = ended_runs(connection)?;
                let mut all: u64 = runs.iter().map(|one| one.bytes).sum();
                let mut surplus = Vec::new();
                for one in runs {
                    let is_surplus = one.ended_at < before || (all > room && !one.latest);
                    if is_surplus && !one.repeated {
                        all = all.saturating_sub(one.bytes);
                        surplus.push(one.run);
                    }
                }
                Ok(surplus)
            })
            .await
    }

    /// When a run last began or ended; none where there is none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn newest(&self) -> Result<Option<Millis>, StoreError> {
        self.database()
            .read(|connection| {
                let sql = "SELECT max(max(started_at, coalesce(ended_at, 0))) FROM runs";
                let newest = connection.query_row(sql, (), |row| row.get::<_, Option<i64>>(0))?;
                Ok(newest.map(i64::cast_unsigned))
            })
            .await
    }

    /// Erases ended runs with their events and pictures, on the disk too. What they cost stays in the day's spending. One
    /// that is gone already is no failure.
    ///
    /// # Errors
    /// [`StoreError::Running`] for one that has no end, [`StoreError::NotFound`] where there is none of them; those
    /// before it are erased.
    pub async fn erase(&self, runs: &[RunId]) -> Result<(), StoreError> {
        let mut erased = false;
        let mut failed = None;
        for run in runs {
            match self.erase_one(run).await {
                Ok(()) => erased = true,
                Err(error) => failed = Some(error),
            }
            if matches!(&failed, Some(error) if !matches!(error, StoreError::NotFound(_))) {
                break;
            }
        }
        // What could not be cleared the last time is cleared now.
        if erased || self.database().is_unwiped() {
            self.clear_traces().await;
        }
        match failed {
            Some(StoreError::NotFound(_)) if erased => Ok(()),
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Erases every run that is over, every automation with the times it was due, and the spending of every day but this, on the
    /// disk too. Says how many runs still go on, here or in another process: those stay, and so do their automations.
    ///
    /// # Errors
    /// When the database cannot be written; what was erased before is gone.
    pub async fn erase_all(&self) -> Result<u64, StoreError> {
        let today = clock::day(&jiff::Zoned::now());
        loop {
            let erased = self.database().write(|transaction| {
                let some = "SELECT number FROM runs WHERE ended_at IS NOT NULL ORDER BY number LIMIT ?1";
                transaction.execute(
                    &format!("DELETE FROM search WHERE rowid IN ({some})"),
                    [RUNS_AT_ONCE],
                )?;
                Ok(transaction.execute(
                    &format!("DELETE FROM runs WHERE number IN ({some})"),
                    [RUNS_AT_ONCE],
                )?)
            });
            if erased.await? == 0 {
                break;
            }
        }
        let left = self.database().write(move |transaction| {
            transaction.execute(
                "DELETE FROM spending WHERE at < ?1 OR at >= ?2",
                [row::number(today.start), row::number(today.end)],
            )?;
            automations::erase_all(transaction)?;
            Ok(transaction.query_row("SELECT count(*) FROM runs", (), |row| row.get::<_, i64>(0))?)
        });
        let left = left.await?;
        self.clear_traces().await;
        Ok(left.cast_unsigned())
    }

    /// What is gone goes from the index's pages and from the log too.
    async fn clear_traces(&self) {
        // First of all: where one of the two fails, both are done the next time.
        self.database().mark_unwiped();
        let rebuilt = self.database().write(search::rebuild).await;
        let cleared = match rebuilt {
            Ok(()) => self.database().wipe().await,
            Err(error) => Err(error),
        };
        if let Err(error) = cleared {
            // The runs are gone; what is left of them in the log goes with the next erasing or the last closing.
            tracing::warn!(%error, "the log could not be cleared of what was erased");
        }
    }

    async fn erase_one(&self, run: &RunId) -> Result<(), StoreError> {
        loop {
            let run = run.clone();
            let more = self.database().write(move |transaction| {
                if !event_log::run_state(transaction, &run)?.ended {
                    return Err(StoreError::Running(run));
                }
                let pictures = transaction.execute(
                    "DELETE FROM frames WHERE rowid IN (SELECT rowid FROM frames WHERE run = ?1 LIMIT ?2)",
                    params![run.0, AT_ONCE],
                )?;
                if pictures > 0 {
                    return Ok(true);
                }
                // By hand: a schema that is not trusted lets no trigger touch the index.
                transaction.execute(
                    "DELETE FROM search WHERE rowid = (SELECT number FROM runs WHERE id = ?1)",
                    [&run.0],
                )?;
                automations::forget_endings(transaction, &run.0)?;
                transaction.execute("DELETE FROM runs WHERE id = ?1", [&run.0])?;
                Ok(false)
            });
            if !more.await? {
                return Ok(());
            }
        }
    }
}

/// Every run that is over, the one that ended first in front.
fn ended_runs(connection: &Connection) -> Result<Vec<EndedRun>, StoreError> {
    // The length of a picture is read without the picture.
    let mut statement = connection.prepare_cached(
        "SELECT id, ended_at,
                (SELECT coalesce(sum(length(bytes) + coalesce(octet_length(elements), 0)), 0) FROM frames WHERE run = id)
              + (SELECT coalesce(sum(octet_length(json)), 0) FROM events WHERE run = id)
              + (SELECT coalesce(sum(octet_length(json)), 0) FROM recorded_steps WHERE run = id),
                number = (SELECT max(number) FROM runs AS others WHERE others.phone = runs.phone),
                id IN (SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$.recorded') END FROM automations)
         FROM runs WHERE ended_at IS NOT NULL ORDER BY ended_at, number",
    )?;
    let rows = statement.query_map((), |row| {
        Ok(EndedRun {
            run: RunId(row::text(row, 0)?),
            ended_at: row.get::<_, i64>(1)?.cast_unsigned(),
            bytes: row.get::<_, i64>(2)?.cast_unsigned(),
            latest: row.get(3)?,
            repeated: row.get::<_, Option<bool>>(4)?.unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

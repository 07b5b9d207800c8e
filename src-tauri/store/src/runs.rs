//! What the window asks of the past.

use crate::{Store, StoreError, event_log, row};
use protocol::{Ending, Event, Millis, PhoneId, RunId, What};
use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The most events one page holds.
const LONGEST_PAGE: u32 = 1_000;

/// A run, in short.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// Which run.
    pub run: RunId,
    /// On which phone.
    pub phone: PhoneId,
    /// The person's words.
    pub goal: String,
    /// The model's name.
    pub model: String,
    /// The built-in demo AI.
    pub demo_ai: bool,
    /// When it began.
    pub started_at: Millis,
    /// How many events it has; also the number of its last.
    pub events: u64,
    /// Its end; absent while it runs, in this process or another.
    pub end: Option<RunEnd>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnd {
    /// When it ended.
    pub at: Millis,
    /// How; absent where this version cannot read it.
    pub ending: Option<Ending>,
    /// A command may have been running on the phone still.
    pub maybe_running: bool,
}

/// Everything of a [`RunSummary`]; its last event tells the end.
const SUMMARY: &str = "SELECT id, phone, goal, model, demo_ai, started_at,
        (SELECT coalesce(max(seq), 0) FROM events WHERE run = id), ended_at,
        (SELECT json FROM events WHERE run = id AND what = 'ended' ORDER BY seq DESC LIMIT 1)
    FROM runs";

impl Store {
    /// Runs, newest first: of one phone or of all, older than `before`, at most `limit` (1…1,000).
    ///
    /// # Errors
    /// When the database cannot be read, or there is no run `before`.
    pub async fn runs(
        &self,
        phone: Option<&PhoneId>,
        before: Option<&RunId>,
        limit: u32,
    ) -> Result<Vec<RunSummary>, StoreError> {
        let (phone, before) = (phone.cloned(), before.cloned());
        self.database()
            .read(move |connection| {
                let before = number(connection, before.as_ref())?;
                let phone = phone.map(|phone| phone.0);
                let filter = "WHERE (?1 IS NULL OR phone = ?1) AND (?2 IS NULL OR number < ?2)
                    ORDER BY number DESC LIMIT ?3";
                summaries(
                    connection,
                    filter,
                    params![phone, before, limit.clamp(1, LONGEST_PAGE)],
                )
            })
            .await
    }

    /// The latest run of every phone, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn latest_runs(&self) -> Result<Vec<RunSummary>, StoreError> {
        self.database()
            .read(|connection| {
                let filter =
                    "WHERE number IN (SELECT max(number) FROM runs GROUP BY phone) ORDER BY number DESC";
                summaries(connection, filter, params![])
            })
            .await
    }

    /// One run.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none of this name.
    pub async fn run(&self, run: &RunId) -> Result<RunSummary, StoreError> {
        let run = run.clone();
        self.database()
            .read(move |connection| {
                summaries(connection, "WHERE id = ?1", params![run.0])?
                    .pop()
                    .ok_or_else(|| StoreError::NotFound(format!("run {run}")))
            })
            .await
    }

    /// A page of a run's events in order: those after number `after` (0: from the first), at most `limit`
    /// (1…1,000). A page shorter than that is the last for now. One that this version cannot read is
    /// [`What::Unreadable`].
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such run.
    pub async fn events(&self, run: &RunId, after: u64, limit: u32) -> Result<Vec<Event>, StoreError> {
        let run = run.clone();
        self.database()
            .read(move |connection| {
                event_log::run_state(connection, &run)?;
                let mut statement = connection.prepare_cached(&format!(
                    "SELECT {} FROM events JOIN runs ON runs.id = events.run
                     WHERE run = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
                    row::EVENT
                ))?;
                let rows = statement.query_map(
                    params![run.0, row::number(after), limit.clamp(1, LONGEST_PAGE)],
                    row::event,
                )?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
    }
}

/// The number of the run whose page comes next; none where none is named.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none of this name.
pub(crate) fn number(connection: &Connection, run: Option<&RunId>) -> Result<Option<i64>, StoreError> {
    let Some(run) = run else { return Ok(None) };
    connection
        .query_row("SELECT number FROM runs WHERE id = ?1", [&run.0], |row| {
            row.get(0)
        })
        .optional()?
        .map(Some)
        .ok_or_else(|| StoreError::NotFound(format!("run {run}")))
}

fn summaries(
    connection: &Connection,
    filter: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<RunSummary>, StoreError> {
    let mut statement = connection.prepare_cached(&format!("{SUMMARY} {filter}"))?;
    let mut rows = statement.query(values)?;
    let mut summaries = Vec::new();
    while let Some(row) = rows.next()? {
        summaries.push(summary(row)?);
    }
    Ok(summaries)
}

fn summary(row: &Row<'_>) -> Result<RunSummary, StoreError> {
    let ended_at: Option<i64> = row.get(7)?;
    Ok(RunSummary {
        run: RunId(row::text(row, 0)?),
        phone: PhoneId(row::text(row, 1)?),
        goal: row::text(row, 2)?,
        model: row::text(row, 3)?,
        demo_ai: row.get(4)?,
        started_at: row.get::<_, i64>(5)?.cast_unsigned(),
        events: row.get::<_, i64>(6)?.cast_unsigned(),
        end: match ended_at {
            Some(at) => Some(end(at.cast_unsigned(), &row::text(row, 8)?)),
            None => None,
        },
    })
}

/// The end of a run, from its last event as far as this version can read it.
fn end(at: Millis, json: &str) -> RunEnd {
    match serde_json::from_str::<Event>(json).map(|event| event.what) {
        Ok(What::Ended {
            ending,
            maybe_running,
        }) => RunEnd {
            at,
            ending: Some(ending),
            maybe_running,
        },
        _ => RunEnd {
            at,
            ending: None,
            maybe_running: false,
        },
    }
}

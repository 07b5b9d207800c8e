//! Runs of the past: looked for, listed, measured.

use crate::{Store, StoreError, frame_id, row, runs, search};
use protocol::{
    Element, Event, FrameId, HistoryPage, HistoryPhone, HistoryQuery, PastRun, PhoneId, RunEndKind, RunId,
    SpaceUsed, What,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// Runs on a page where nobody says.
const PAGE: u32 = 50;
/// The most runs one page holds.
const LONGEST_PAGE: u32 = 500;

/// Everything of a [`PastRun`]; its last event tells the end in full.
const PAST: &str = "SELECT id, phone, phone_name, goal, model, demo_ai, started_at, ended_at, how, steps,
        CASE WHEN ended_at IS NOT NULL
             THEN (SELECT json FROM events WHERE run = id AND what = 'ended' ORDER BY seq DESC LIMIT 1) END
    FROM runs";

impl Store {
    /// A page of runs, newest first.
    ///
    /// # Errors
    /// When the database cannot be read, or there is no run [`HistoryQuery::before`].
    pub async fn history(&self, query: &HistoryQuery) -> Result<HistoryPage, StoreError> {
        let query = query.clone();
        self.database()
            .read(move |connection| {
                Ok(HistoryPage {
                    phones: phones(connection)?,
                    ..page(connection, &query)?
                })
            })
            .await
    }

    /// One run, in short.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is none of this name.
    pub async fn past_run(&self, run: &RunId) -> Result<PastRun, StoreError> {
        let run = run.clone();
        self.database()
            .read(move |connection| {
                connection
                    .query_row(&format!("{PAST} WHERE id = ?1"), [&run.0], past)
                    .optional()?
                    .ok_or_else(|| StoreError::NotFound(format!("run {run}")))
            })
            .await
    }

    /// The newest run that went on with this one; none where nobody did.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn gone_on_by(&self, run: &RunId) -> Result<Option<RunId>, StoreError> {
        let run = run.clone();
        self.database()
            .read(move |connection| {
                let sql = "SELECT later.id FROM runs JOIN runs AS later
                        ON later.phone = runs.phone AND later.number > runs.number
                    JOIN events ON events.run = later.id AND seq = 1
                    WHERE runs.id = ?1 AND CASE WHEN json_valid(json) THEN json_extract(json, '$.goesOn') END = ?1
                    ORDER BY later.number DESC LIMIT 1";
                let found = connection.query_row(sql, [run.0], |row| row::text(row, 0));
                Ok(found.optional()?.map(RunId))
            })
            .await
    }

    /// What stood on a kept picture's screen; empty where that was not written down.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn elements(&self, frame: &FrameId) -> Result<Vec<Element>, StoreError> {
        let Some((run, n)) = frame_id::run_and_number(frame) else {
            return Ok(Vec::new());
        };
        let run = run.to_owned();
        self.database()
            .read(move |connection| {
                let json: Option<Option<String>> = connection
                    .query_row(
                        "SELECT elements FROM frames WHERE run = ?1 AND n = ?2",
                        params![run, n],
                        |row| row.get(0),
                    )
                    .optional()?;
                let json = json.flatten().unwrap_or_default();
                Ok(serde_json::from_str(&json).unwrap_or_default())
            })
            .await
    }

    /// How many runs and pictures there are, and the bytes of the database's own files.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn space(&self) -> Result<SpaceUsed, StoreError> {
        let files = self.files();
        self.database()
            .read(move |connection| {
                let count = |table: &str| -> Result<u64, StoreError> {
                    let sql = format!("SELECT count(*) FROM {table}");
                    Ok(connection
                        .query_row(&sql, (), |row| row.get::<_, i64>(0))?
                        .cast_unsigned())
                };
                let length = |file: &std::path::PathBuf| std::fs::metadata(file).map_or(0, |data| data.len());
                Ok(SpaceUsed {
                    runs: count("runs")?,
                    pictures: count("frames")?,
                    bytes: files.iter().map(length).sum(),
                })
            })
            .await
    }
}

fn page(connection: &Connection, query: &HistoryQuery) -> Result<HistoryPage, StoreError> {
    let before = runs::number(connection, query.before.as_ref())?;
    let limit = query.limit.unwrap_or(PAGE).clamp(1, LONGEST_PAGE);
    let wanted = search::expression(&query.text);
    let how = query
        .end
        .filter(|end| *end != RunEndKind::Going)
        .map(search::code);
    let mut filter = String::from(
        " WHERE (?1 IS NULL OR number < ?1) AND (?2 IS NULL OR phone = ?2)
            AND (?3 IS NULL OR started_at >= ?3) AND (?4 IS NULL OR started_at < ?4)
            AND (?5 IS NULL OR how = ?5)",
    );
    if query.end == Some(RunEndKind::Going) {
        filter.push_str(" AND ended_at IS NULL");
    }
    if wanted.is_some() {
        filter.push_str(" AND number IN (SELECT rowid FROM search WHERE search MATCH ?7)");
    }
    let mut statement =
        connection.prepare_cached(&format!("{PAST}{filter} ORDER BY number DESC LIMIT ?6"))?;
    let phone = query.phone.as_ref().map(|phone| &phone.0);
    let (from, until) = (query.from.map(row::number), query.until.map(row::number));
    // One more than is given: whether there are older ones.
    let rows = match &wanted {
        Some(wanted) => {
            statement.query_map(params![before, phone, from, until, how, limit + 1, wanted], past)?
        }
        None => statement.query_map(params![before, phone, from, until, how, limit + 1], past)?,
    };
    let mut runs = rows.collect::<Result<Vec<PastRun>, _>>()?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = runs.len() > most;
    runs.truncate(most);
    Ok(HistoryPage {
        runs,
        more,
        phones: Vec::new(),
    })
}

fn phones(connection: &Connection) -> Result<Vec<HistoryPhone>, StoreError> {
    // Beside `max` a column is of the row that has the largest.
    let mut statement = connection
        .prepare_cached("SELECT phone, phone_name, max(number) FROM runs GROUP BY phone ORDER BY 3 DESC")?;
    let rows = statement.query_map((), |row| {
        Ok(HistoryPhone {
            id: PhoneId(row::text(row, 0)?),
            name: row::text(row, 1)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn past(row: &Row<'_>) -> rusqlite::Result<PastRun> {
    let ended_at: Option<i64> = row.get(7)?;
    let ending = match serde_json::from_str::<Event>(&row::text(row, 10)?).map(|event| event.what) {
        Ok(What::Ended { ending, .. }) if ended_at.is_some() => Some(ending),
        _ => None,
    };
    Ok(PastRun {
        run: RunId(row::text(row, 0)?),
        phone: PhoneId(row::text(row, 1)?),
        phone_name: row::text(row, 2)?,
        goal: row::text(row, 3)?,
        model: row::text(row, 4)?,
        demo_ai: row.get(5)?,
        started_at: row.get::<_, i64>(6)?.cast_unsigned(),
        ended_at: ended_at.map(i64::cast_unsigned),
        end: match ended_at {
            None => RunEndKind::Going,
            Some(_) => search::kind(ending.as_ref()),
        },
        ending,
        steps: row.get(9)?,
    })
}

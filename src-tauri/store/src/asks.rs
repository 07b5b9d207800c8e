//! Every question of the past: who was asked what, with which picture, answered how, when.

use crate::{Store, StoreError, journal};
use protocol::{AskEnd, AskId, AskRecord, Event, Millis, Reach, RunId, What};
use rusqlite::{Connection, params};

/// The most questions one page holds.
const LONGEST_PAGE: u32 = 500;

impl Store {
    /// Questions, newest first: older than `before` (the time and id of one), at most `limit` (1…500).
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn asks(
        &self,
        before: Option<(Millis, AskId)>,
        limit: u32,
    ) -> Result<Vec<AskRecord>, StoreError> {
        self.database()
            .read(move |connection| {
                let (at, id) = before.map_or((i64::MAX, None), |(at, id)| (journal::number(at), Some(id.0)));
                let mut statement = connection.prepare_cached(
                    // Letter for letter as the index in `schema/2.sql` has it, or the index is not used.
                    "SELECT run, seq, json FROM events
                     WHERE what = 'asked' AND json_extract(json, '$.ask.askedAt') <= ?1
                       AND (json_extract(json, '$.ask.askedAt') < ?1 OR json_extract(json, '$.ask.id') < ?2)
                     ORDER BY json_extract(json, '$.ask.askedAt') DESC, json_extract(json, '$.ask.id') DESC LIMIT ?3",
                )?;
                let rows = statement.query_map(params![at, id, limit.clamp(1, LONGEST_PAGE)], |row| {
                    Ok((
                        row.get::<_, String>(0)?,
                        row.get::<_, i64>(1)?,
                        row.get::<_, String>(2)?,
                    ))
                })?;
                let mut records = Vec::new();
                for row in rows {
                    let (run, seq, json) = row?;
                    match journal::read(&json) {
                        Ok(event) => records.extend(record(connection, &RunId(run), seq, event)?),
                        // One line nobody can read must not hide the others.
                        Err(error) => tracing::warn!(%run, %error, "a question cannot be read"),
                    }
                }
                Ok(records)
            })
            .await
    }
}

/// The question and what the events after it say of it.
fn record(
    connection: &Connection,
    run: &RunId,
    seq: i64,
    event: Event,
) -> Result<Option<AskRecord>, StoreError> {
    let What::Asked { mut ask, .. } = event.what else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(
        "SELECT json FROM events WHERE run = ?1 AND seq > ?2 AND what IN ('answered', 'allowed', 'voided', 'extended')
         ORDER BY seq",
    )?;
    let rows = statement.query_map(params![run.0, seq], |row| row.get::<_, String>(0))?;
    let mut end = None;
    let mut voided = false;
    let mut reached = Reach::Once;
    for json in rows {
        let Ok(event) = journal::read(&json?) else {
            continue;
        };
        match event.what {
            What::Answered { ask: which, outcome } if which == ask.id => {
                end = end.or(Some(AskEnd {
                    at: event.at,
                    outcome,
                    reach: Reach::Once,
                }));
            }
            What::Allowed {
                ask: which, reach, ..
            } if which == ask.id => reached = reach,
            What::Voided { ask: which } if which == ask.id => voided = true,
            What::Extended { ask: which, deadline } if which == ask.id => ask.deadline = deadline,
            _ => {}
        }
    }
    let end = end.map(|end| AskEnd {
        reach: reached,
        ..end
    });
    Ok(Some(AskRecord { ask, end, voided }))
}

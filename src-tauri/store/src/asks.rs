//! Every question of the past: who was asked what, with which picture, answered how, when.

use crate::{Store, StoreError, journal};
use protocol::{
    AskEnd, AskId, AskOutcome, AskRecord, ElementBinding, Event, Millis, PhoneId, Reach, RunId, What,
};
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
        "SELECT json FROM events WHERE run = ?1 AND seq > ?2 AND what IN ('answered', 'picked', 'allowed', 'voided', 'extended')
         ORDER BY seq",
    )?;
    let rows = statement.query_map(params![run.0, seq], |row| row.get::<_, String>(0))?;
    let mut end = None;
    let mut voided = false;
    let mut reached = Reach::Once;
    let mut picked = None;
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
                    amount: None,
                }));
            }
            What::Picked { ask: which, amount } if which == ask.id => picked = Some(amount),
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
        amount: picked,
        ..end
    });
    Ok(Some(AskRecord { ask, end, voided }))
}

/// How often the person said Yes to this very thing on this phone, a Yes that came too late for its screen left out.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn approved_before(
    connection: &Connection,
    phone: &PhoneId,
    element: &ElementBinding,
) -> Result<u32, StoreError> {
    let mut asked = connection.prepare_cached(
        // Letter for letter as the index in `schema/2.sql` has it: questions are few among events.
        "SELECT run, seq, json FROM events
         WHERE what = 'asked' AND json_extract(json, '$.ask.askedAt') >= 0
           AND json_extract(json, '$.phone') = ?1 AND json_extract(json, '$.ask.element.label') = ?2",
    )?;
    let rows = asked.query_map([&phone.0, &element.label], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, i64>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    let mut approved = 0;
    for row in rows {
        let (run, seq, json) = row?;
        let event = journal::read(&json)?;
        let asked_about = match &event.what {
            What::Asked { ask, .. } => ask.element.as_ref(),
            _ => None,
        };
        if !asked_about.is_some_and(|one| is_same(one, element)) {
            continue;
        }
        let record = record(connection, &RunId(run), seq, event)?.filter(|record| !record.voided);
        let end = record.and_then(|record| record.end);
        approved += u32::from(end.is_some_and(|end| end.outcome == AskOutcome::Allowed));
    }
    Ok(approved)
}

/// The same thing: when it was is no part of it.
fn is_same(one: &ElementBinding, other: &ElementBinding) -> bool {
    let used = 0;
    ElementBinding { used, ..one.clone() }
        == ElementBinding {
            used,
            ..other.clone()
        }
}

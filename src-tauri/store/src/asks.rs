//! Every question of the past: who was asked what, with which picture, answered how, when.

use crate::{Store, StoreError, journal, row};
use protocol::{
    Ask, AskEnd, AskId, AskKind, AskReason, AskRecord, Capability, Claim, Event, Evidence, Millis, Reach,
    What,
};
use rusqlite::{Connection, params};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The most questions one page holds.
const LONGEST_PAGE: u32 = 500;

impl Store {
    /// Questions, newest first: older than `before` (the time and id of one), at most `limit` (1…500). One that this
    /// version cannot read is among them, and says so.
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
                let most = usize::try_from(limit.clamp(1, LONGEST_PAGE)).unwrap_or(usize::MAX);
                let (at, mut past) = before.map_or((i64::MAX, None), |(at, id)| (journal::number(at), Some(id)));
                // Letter for letter as the index in `schema/2.sql` has it, or the index is not used. Nothing else is
                // read out of the JSON here: one line that is none would end the whole query.
                let mut statement = connection.prepare_cached(&format!(
                    "SELECT {}, json_extract(json, '$.ask.askedAt') FROM events JOIN runs ON runs.id = events.run
                     WHERE what = 'asked' AND json_extract(json, '$.ask.askedAt') <= ?1
                     ORDER BY json_extract(json, '$.ask.askedAt') DESC, events.rowid DESC",
                    row::EVENT
                ))?;
                let mut rows = statement.query(params![at])?;
                let mut records = Vec::new();
                while records.len() < most
                    && let Some(row) = rows.next()?
                {
                    let event = row::event(row)?;
                    let asked_at = row.get::<_, i64>(6).unwrap_or_default();
                    let json = row::text(row, 4)?;
                    let (ask, unreadable) = match event.what {
                        What::Asked { ref ask, .. } => (ask.clone(), false),
                        _ => (what_is_left(&event, asked_at.cast_unsigned(), &json), true),
                    };
                    // Of the same moment, those up to the one that was named were given before.
                    if let Some(id) = past.take_if(|_| asked_at == at) {
                        if ask.id != id {
                            past = Some(id);
                        }
                        continue;
                    }
                    records.push(record(connection, &event, ask, unreadable)?);
                }
                Ok(records)
            })
            .await
    }
}

/// A question as far as it can be read: each field by itself.
fn what_is_left(event: &Event, asked_at: Millis, json: &str) -> Ask {
    let whole: Value = serde_json::from_str(json).unwrap_or_default();
    let ask = whole.get("ask").unwrap_or(&Value::Null);
    let words = |name: &str| field::<String>(ask, name).unwrap_or_default();
    let number = format!("{}/#{}", event.run, event.seq);
    Ask {
        id: field(ask, "id").unwrap_or(AskId(number)),
        run: event.run.clone(),
        phone: event.phone.clone(),
        phone_name: words("phoneName"),
        goal: words("goal"),
        kind: field(ask, "kind").unwrap_or(AskKind::Unknown),
        reason: field(ask, "reason").unwrap_or(AskReason::Model {
            capability: Capability::Unknown,
        }),
        app: words("app"),
        app_label: words("appLabel"),
        action: field(ask, "action"),
        evidence: field(ask, "evidence").unwrap_or_else(|| Evidence {
            frame: ask.get("evidence").and_then(|evidence| field(evidence, "frame")),
            ..Evidence::default()
        }),
        claim: field(ask, "claim").unwrap_or_else(Claim::default),
        choices: Vec::new(),
        digest: words("digest"),
        asked_at,
        deadline: field(ask, "deadline").unwrap_or(asked_at),
    }
}

fn field<T: DeserializeOwned>(object: &Value, name: &str) -> Option<T> {
    serde_json::from_value(object.get(name)?.clone()).ok()
}

/// The question and what the events after it say of it.
fn record(
    connection: &Connection,
    event: &Event,
    mut ask: Ask,
    unreadable: bool,
) -> Result<AskRecord, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {} FROM events JOIN runs ON runs.id = events.run
         WHERE run = ?1 AND seq > ?2 AND what IN ('answered', 'allowed', 'voided', 'extended') ORDER BY seq",
        row::EVENT
    ))?;
    let rows = statement.query_map(params![event.run.0, journal::number(event.seq)], row::event)?;
    let mut end = None;
    let mut voided = false;
    let mut reached = Reach::Once;
    for event in rows {
        let event = event?;
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
    Ok(AskRecord {
        ask,
        end,
        voided,
        unreadable,
    })
}

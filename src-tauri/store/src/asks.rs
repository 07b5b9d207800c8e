//! Every question of the past: who was asked what, with which picture, answered how, when.

use crate::{Store, StoreError, row};
use protocol::{
    AnswerLifetime, Ask, AskEnd, AskId, AskKind, AskOutcome, AskReason, AskRecord, Capability, Claim,
    ElementBinding, Event, Evidence, Millis, PhoneId, What,
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
                let (at, mut past) = before.map_or((i64::MAX, None), |(at, id)| (row::number(at), Some(id)));
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
        // To what nobody can read nothing is bound.
        element: None,
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
         WHERE run = ?1 AND seq > ?2 AND what IN ('answered', 'picked', 'allowed', 'voided', 'extended')
         ORDER BY seq",
        row::EVENT
    ))?;
    let rows = statement.query_map(params![event.run.0, row::number(event.seq)], row::event)?;
    let mut end = None;
    let mut voided = false;
    let mut reached = AnswerLifetime::Once;
    let mut picked = None;
    for event in rows {
        let event = event?;
        match event.what {
            What::Answered { ask: which, outcome } if which == ask.id => {
                end = end.or(Some(AskEnd {
                    at: event.at,
                    outcome,
                    reach: AnswerLifetime::Once,
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
    Ok(AskRecord {
        ask,
        end,
        voided,
        unreadable,
    })
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
    let mut asked = connection.prepare_cached(&format!(
        // Letter for letter as the index in `schema/2.sql` has it: questions are few among events. One line that is no
        // JSON would end the whole query.
        "SELECT {} FROM events JOIN runs ON runs.id = events.run
         WHERE what = 'asked' AND json_extract(json, '$.ask.askedAt') >= 0 AND runs.phone = ?1
           AND CASE WHEN json_valid(json) THEN json_extract(json, '$.ask.element.label') END = ?2",
        row::EVENT
    ))?;
    let mut approved = 0;
    for event in asked.query_map([&phone.0, &element.label], row::event)? {
        let event = event?;
        let What::Asked { ask, .. } = &event.what else {
            continue;
        };
        if !ask.element.as_ref().is_some_and(|one| is_same(one, element)) {
            continue;
        }
        let record = record(connection, &event, ask.clone(), false)?;
        let end = record.end.filter(|_| !record.voided);
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

//! The event log: each run's events, one after the other, and what else follows from one.

use crate::{StoreError, row, search};
use protocol::{Event, Millis, PhoneId, RunId, Usage, What};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// What is known of a run.
#[derive(Debug)]
pub(crate) struct RunState {
    pub(crate) phone: PhoneId,
    pub(crate) ended: bool,
    /// The number of its last event.
    pub(crate) last_seq: u64,
}

/// # Errors
/// [`StoreError::NotFound`] when there is no such run.
pub(crate) fn run_state(connection: &Connection, run: &RunId) -> Result<RunState, StoreError> {
    connection
        .query_row(
            "SELECT phone, ended_at IS NOT NULL, (SELECT coalesce(max(seq), 0) FROM events WHERE run = ?1)
             FROM runs WHERE id = ?1",
            [&run.0],
            |row| {
                Ok(RunState {
                    phone: PhoneId(row::text(row, 0)?),
                    ended: row.get(1)?,
                    last_seq: row.get::<_, i64>(2)?.cast_unsigned(),
                })
            },
        )
        .optional()?
        .ok_or_else(|| StoreError::NotFound(format!("run {run}")))
}

/// Whose a run becomes that begins now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The name of the process's lock file.
    pub(crate) owner: String,
    /// What its phone is called.
    pub(crate) phone_name: String,
}

/// Writes one event, and what follows from it. `origin` is whose run it becomes, if it begins one.
///
/// # Errors
/// When it is not the next event of its run, or cannot be written.
pub(crate) fn write(transaction: &Transaction<'_>, event: &Event, origin: &Origin) -> Result<(), StoreError> {
    let (what, json) = to_json(event)?;
    if let What::Started {
        goal, model, demo_ai, ..
    } = &event.what
    {
        begin(transaction, event, goal, model, *demo_ai, origin)?;
    } else {
        let state = run_state(transaction, &event.run)?;
        if state.ended {
            return Err(StoreError::Ended(event.run.clone()));
        }
        if state.phone != event.phone {
            return Err(StoreError::OtherPhone(event.run.clone()));
        }
        expect(event, state.last_seq + 1)?;
    }
    transaction
        .prepare_cached("INSERT INTO events (run, seq, at, what, json) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![
            event.run.0,
            row::number(event.seq),
            row::number(event.at),
            what,
            json
        ])?;
    match &event.what {
        What::Started { .. } => search::write(transaction, &event.run)?,
        What::Decided { usage, .. } | What::Unclear { usage, .. } => spend(transaction, event.at, usage)?,
        // What was asked beside the task.
        What::Acted { outcome, .. } => {
            if let Some(usage) = &outcome.usage {
                spend(transaction, event.at, usage)?;
            }
        }
        What::Ended { .. } => {
            transaction.execute(
                "UPDATE runs SET ended_at = ?2 WHERE id = ?1",
                params![event.run.0, row::number(event.at)],
            )?;
            search::write(transaction, &event.run)?;
        }
        _ => {}
    }
    Ok(())
}

fn begin(
    transaction: &Transaction<'_>,
    event: &Event,
    goal: &str,
    model: &str,
    demo_ai: bool,
    origin: &Origin,
) -> Result<(), StoreError> {
    expect(event, 1)?;
    let begun = transaction.execute(
        "INSERT INTO runs (id, phone, goal, model, demo_ai, started_at, owner, phone_name)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (id) DO NOTHING",
        params![
            event.run.0,
            event.phone.0,
            goal,
            model,
            demo_ai,
            row::number(event.at),
            origin.owner,
            origin.phone_name
        ],
    )?;
    if begun == 0 {
        return Err(StoreError::Began(event.run.clone()));
    }
    Ok(())
}

fn expect(event: &Event, expected: u64) -> Result<(), StoreError> {
    if event.seq == expected {
        return Ok(());
    }
    Err(StoreError::Sequence {
        run: event.run.clone(),
        expected,
        found: event.seq,
    })
}

/// Adds what a call of the model cost.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn spend(transaction: &Transaction<'_>, at: Millis, usage: &Usage) -> Result<(), StoreError> {
    if usage.input_tokens == 0 && usage.output_tokens == 0 && usage.dollars.is_none() {
        return Ok(());
    }
    transaction
        .prepare_cached(
            "INSERT INTO spending (at, input_tokens, output_tokens, dollars, estimated) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            row::number(at),
            row::number(usage.input_tokens),
            row::number(usage.output_tokens),
            usage.dollars,
            usage.is_estimate
        ])?;
    Ok(())
}

/// An event as it is stored: its tag and its JSON. What would not read back as itself is refused here, not found
/// missing later.
fn to_json(event: &Event) -> Result<(String, String), StoreError> {
    let unwritable = |why: String| StoreError::Unwritable(why);
    if let What::Unreadable { .. } = event.what {
        return Err(unwritable("it is what could not be read".to_owned()));
    }
    let value = serde_json::to_value(event).map_err(|error| unwritable(error.to_string()))?;
    let json = value.to_string();
    let again: Event = serde_json::from_str(&json).map_err(|error| unwritable(error.to_string()))?;
    if again != *event {
        return Err(unwritable("it reads back as another".to_owned()));
    }
    let what = value
        .get("what")
        .and_then(|what| what.as_str())
        .unwrap_or_default();
    Ok((what.to_owned(), json))
}

//! Runs whose process died in the middle: closed in the journal, never repeated.

use crate::event_log::Origin;
use crate::{StoreError, event_log, row};
use protocol::{AskId, AskOutcome, Ending, Event, PhoneId, RunId, What};
use rusqlite::{Connection, Transaction};

/// A run that was found without an end and without a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    /// Which run.
    pub run: RunId,
    /// On which phone.
    pub phone: PhoneId,
    /// Its last intent has no outcome: whether it reached the phone is unknown.
    pub unknown_effect: bool,
    /// The questions that stood open, now withdrawn.
    pub withdrawn: Vec<AskId>,
}

/// Ends every open run whose owner does not live: open questions are withdrawn, then comes the end.
///
/// # Errors
/// When the journal cannot be read or written.
pub(crate) fn close(
    transaction: &Transaction<'_>,
    mut lives: impl FnMut(&str) -> bool,
) -> Result<Vec<Interrupted>, StoreError> {
    let mut closed = Vec::new();
    for (run, owner) in open_runs(transaction)? {
        if !lives(&owner) {
            closed.push(close_one(transaction, run)?);
        }
    }
    Ok(closed)
}

fn open_runs(connection: &Connection) -> Result<Vec<(RunId, String)>, StoreError> {
    let mut statement =
        connection.prepare("SELECT id, owner FROM runs WHERE ended_at IS NULL ORDER BY number")?;
    let rows = statement.query_map((), |row| Ok((RunId(row::text(row, 0)?), row::text(row, 1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Ends one run that has no end.
///
/// # Errors
/// As [`close`].
pub(crate) fn close_one(transaction: &Transaction<'_>, run: RunId) -> Result<Interrupted, StoreError> {
    let state = event_log::run_state(transaction, &run)?;
    let mut pending = PendingWork::default();
    let mut statement = transaction.prepare(&format!(
        "SELECT {} FROM events JOIN runs ON runs.id = events.run
         WHERE run = ?1 AND what IN ('asked', 'answered', 'acting', 'acted') ORDER BY seq",
        row::EVENT
    ))?;
    for event in statement.query_map([&run.0], row::event)? {
        pending.follow(&event?.what);
    }

    // When it was last heard of: the program may have been closed for days since.
    let at: i64 = transaction.query_row(
        "SELECT coalesce(max(at), 0) FROM events WHERE run = ?1",
        [&run.0],
        |row| row.get(0),
    )?;
    let mut seq = state.last_seq;
    let mut append = |what: What| {
        seq += 1;
        let event = Event {
            run: run.clone(),
            phone: state.phone.clone(),
            seq,
            at: at.cast_unsigned(),
            what,
        };
        event_log::write(transaction, &event, &Origin::default())
    };
    for ask in &pending.asks {
        append(What::Answered {
            ask: ask.clone(),
            outcome: AskOutcome::Withdrawn,
        })?;
    }
    append(What::Ended {
        ending: Ending::Interrupted {
            unknown_effect: pending.intent,
        },
        maybe_running: false,
    })?;
    Ok(Interrupted {
        run,
        phone: state.phone,
        unknown_effect: pending.intent,
        withdrawn: pending.asks,
    })
}

/// What a run has begun and not ended.
#[derive(Debug, Default)]
struct PendingWork {
    asks: Vec<AskId>,
    intent: bool,
}

impl PendingWork {
    fn follow(&mut self, what: &What) {
        match what {
            What::Asked { ask, .. } if self.asks.contains(&ask.id) => {}
            What::Asked { ask, .. } => self.asks.push(ask.id.clone()),
            What::Answered { ask, .. } => self.asks.retain(|open| open != ask),
            What::Acting { .. } => self.intent = true,
            What::Acted { .. } => self.intent = false,
            // Nobody can say what it was: an intent, for all we know.
            What::Unreadable { .. } => self.intent = true,
            _ => {}
        }
    }
}

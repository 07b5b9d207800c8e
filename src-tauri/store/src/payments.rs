//! The last payment in an app: what a question about the next one is compared with.

use crate::{StoreError, row};
use protocol::{Act, AskOutcome, Event, LastTime, Millis, PhoneId, What};
use rusqlite::Connection;

/// How long a Yes that names no action of its own may be used.
const GRANT: Millis = 60_000;

/// The last payment that a person allowed in this app on this phone and that was then made, as far as the phone said.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn last(
    connection: &Connection,
    phone: &PhoneId,
    app: &str,
) -> Result<Option<LastTime>, StoreError> {
    // Letter for letter as the index in `schema/1.sql` has it, or the index is not used.
    let mut asked = connection.prepare_cached(&format!(
        "SELECT {} FROM events JOIN runs ON runs.id = events.run
         WHERE what = 'asked' AND json_extract(json, '$.ask.kind') = 'payment'
           AND json_extract(json, '$.phone') = ?1 AND json_extract(json, '$.ask.app') = ?2
         ORDER BY at DESC, seq DESC",
        row::EVENT
    ))?;
    let mut later = connection.prepare_cached(&format!(
        "SELECT {} FROM events JOIN runs ON runs.id = events.run
         WHERE run = ?1 AND seq > ?2 AND what IN ('asked', 'answered', 'picked', 'voided', 'acting', 'acted')
         ORDER BY seq",
        row::EVENT
    ))?;
    for event in asked.query_map([&phone.0, app], row::event)? {
        let event = event?;
        let after = later.query_map((&event.run.0, row::number(event.seq)), row::event)?;
        let after_events = after.collect::<Result<Vec<Event>, _>>()?;
        if let Some(made) = made(&event, &after_events) {
            return Ok(Some(made));
        }
    }
    Ok(None)
}

/// Whether a payment that was asked about was made, from the events after the question.
///
/// Where the question was about an action, it is the next one. Where the model asked for a Yes beforehand, it is one
/// within the life of that Yes; which one the journal does not say, so the first that presses something is taken.
fn made(question: &Event, after: &[Event]) -> Option<LastTime> {
    let What::Asked { ask, .. } = &question.what else {
        return None;
    };
    let mut amount = ask.evidence.amount.as_ref().map(|amount| &amount.text);
    let mut allowed_at = None;
    let mut acting = false;
    for event in after {
        match &event.what {
            What::Answered { ask: which, outcome } if *which == ask.id => match outcome {
                AskOutcome::Allowed => allowed_at = Some(event.at),
                AskOutcome::Denied
                | AskOutcome::Supplied { .. }
                | AskOutcome::TimedOut
                | AskOutcome::Withdrawn => return None,
            },
            What::Picked {
                ask: which,
                amount: picked,
            } if *which == ask.id => amount = Some(picked),
            What::Voided { ask: which } if *which == ask.id => return None,
            // Nobody can say what happened there.
            What::Unreadable { .. } => return None,
            // Asked anew before anything was done: that Yes was not used.
            What::Asked { ask: next, .. } if next.id != ask.id => return None,
            What::Acting { action, .. } => {
                let allowed_at = allowed_at?;
                if ask.action.is_none() && event.at > allowed_at.saturating_add(GRANT) {
                    return None;
                }
                acting = ask.action.is_some() || presses(&action.act);
            }
            What::Acted { outcome, .. } if acting => {
                let amount = amount?.clone();
                return allowed_at
                    .filter(|_| outcome.ok)
                    .map(|at| LastTime { amount, at });
            }
            _ => {}
        }
    }
    None
}

/// Whether an action presses something, as paying does; waiting, scrolling and looking do not.
fn presses(act: &Act) -> bool {
    matches!(
        act,
        Act::Tap { .. }
            | Act::DoubleTap { .. }
            | Act::LongPress { .. }
            | Act::Swipe { .. }
            | Act::Drag { .. }
            | Act::Keyevent { .. }
            | Act::KeyCombination { .. }
            | Act::Type { .. }
            | Act::Shell { .. }
    )
}

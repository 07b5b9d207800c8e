//! Reading what is stored, whatever became of it: a line that cannot be read is told as such, and hides no other. And
//! how a number is stored.

use protocol::{Event, Millis, PhoneId, RunId, What};
use rusqlite::Row;
use rusqlite::types::ValueRef;

/// The columns [`event`] reads, of `events` and `runs`.
pub(crate) const EVENT: &str = "events.run, events.seq, events.at, events.what, events.json, runs.phone";

/// A column's text. What is damaged in it has the mark of damage (U+FFFD) in its place.
///
/// # Errors
/// When there is no such column.
pub(crate) fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Null => String::new(),
    })
}

/// One stored event, its columns those of [`EVENT`]. Where this version cannot read it, it is [`What::Unreadable`].
///
/// # Errors
/// When the row itself cannot be read.
pub(crate) fn event(row: &Row<'_>) -> rusqlite::Result<Event> {
    let json = text(row, 4)?;
    let seq = row.get::<_, i64>(1)?.cast_unsigned();
    match serde_json::from_str::<Event>(&json) {
        Ok(event) if event.seq == seq => Ok(event),
        _ => {
            let event = Event {
                run: RunId(text(row, 0)?),
                phone: PhoneId(text(row, 5)?),
                seq,
                at: Millis::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
                what: What::Unreadable { was: text(row, 3)? },
            };
            tracing::warn!(run = %event.run, seq, "an event cannot be read; it stays as it is");
            Ok(event)
        }
    }
}

/// SQLite's numbers have a sign. A number beyond (a time in 292 million years) is held at the largest.
pub(crate) fn number(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

//! The index runs are looked for by: SQLite's own full-text index, one row a run.
//!
//! It is made of what the journal holds, and of nothing else: what is taken out of an event before it is written down is
//! not here either. A run that goes on is found by its task; by its apps and its answer once it is over. A run's row goes
//! with the run (`erasing.rs`).

use crate::{StoreError, row};
use protocol::{Ask, Ending, Event, RunEndKind, RunId, What};
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeSet;

/// The events that say something of a run as a whole.
const TELLING: &str = "what IN ('looked', 'decided', 'asked', 'acting', 'ended')";

/// What is found of a run, and what its row in the list says.
#[derive(Debug, Default)]
struct RunIndexEntry {
    apps: BTreeSet<String>,
    /// What a question called the phone: the only place where earlier versions wrote it.
    phone_name: String,
    answer: String,
    how: Option<RunEndKind>,
    steps: u32,
}

impl RunIndexEntry {
    fn hear(&mut self, what: What) {
        match what {
            What::Looked { step, app, .. } => {
                self.steps = self.steps.max(step);
                self.apps.insert(app);
            }
            What::Decided { step, .. } => self.steps = self.steps.max(step),
            What::Asked { ask, .. } => self.hear_ask(ask),
            What::Acting { app_label, .. } => self.apps.extend(app_label),
            What::Ended { ending, .. } => {
                self.how = Some(kind(Some(&ending)));
                if let Ending::Finished { message, .. } = ending {
                    self.answer = message;
                }
            }
            _ => {}
        }
    }

    fn hear_ask(&mut self, ask: Ask) {
        self.apps.insert(ask.app_label);
        self.phone_name = ask.phone_name;
    }
}

/// The code of an ending; of one that cannot be read, its own.
pub(crate) fn kind(ending: Option<&Ending>) -> RunEndKind {
    match ending {
        Some(Ending::Finished { .. }) => RunEndKind::Finished,
        Some(Ending::Stopped) => RunEndKind::Stopped,
        Some(Ending::Failed { .. }) => RunEndKind::Failed,
        Some(Ending::Interrupted { .. }) => RunEndKind::Interrupted,
        None => RunEndKind::Unknown,
    }
}

/// A code as the column `how` has it.
pub(crate) fn code(kind: RunEndKind) -> &'static str {
    match kind {
        RunEndKind::Going => "going",
        RunEndKind::Finished => "finished",
        RunEndKind::Stopped => "stopped",
        RunEndKind::Failed => "failed",
        RunEndKind::Interrupted => "interrupted",
        RunEndKind::Unknown => "unknown",
    }
}

/// Writes a run's row anew, as far as the run is.
///
/// # Errors
/// When the journal cannot be read or written.
pub(crate) fn write(transaction: &Transaction<'_>, run: &RunId) -> Result<(), StoreError> {
    let mut entry = RunIndexEntry::default();
    {
        let mut statement = transaction.prepare_cached(&format!(
            "SELECT {} FROM events JOIN runs ON runs.id = events.run WHERE run = ?1 AND {TELLING} ORDER BY seq",
            row::EVENT
        ))?;
        let mut rows = statement.query([&run.0])?;
        while let Some(line) = rows.next()? {
            let event: Event = row::event(line)?;
            entry.hear(event.what);
        }
    }
    let (number, goal, ended, name) = transaction.query_row(
        "SELECT number, goal, ended_at IS NOT NULL, phone_name FROM runs WHERE id = ?1",
        [&run.0],
        |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row::text(row, 1)?,
                row.get::<_, bool>(2)?,
                row::text(row, 3)?,
            ))
        },
    )?;
    let name = if name.is_empty() { entry.phone_name } else { name };
    let how = ended.then(|| code(entry.how.unwrap_or(RunEndKind::Unknown)));
    transaction.execute(
        "UPDATE runs SET phone_name = ?2, how = ?3, steps = ?4 WHERE number = ?1",
        params![number, name, how, entry.steps],
    )?;
    let apps: Vec<String> = entry.apps.into_iter().collect();
    transaction.execute("DELETE FROM search WHERE rowid = ?1", [number])?;
    transaction.execute(
        "INSERT INTO search (rowid, task, apps, phone, answer) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            number,
            spaced(&goal),
            spaced(&apps.join(" ")),
            spaced(&name),
            spaced(&entry.answer)
        ],
    )?;
    Ok(())
}

/// Gives every run its row that an earlier version wrote without one.
///
/// # Errors
/// When the journal cannot be read or written; then none was written.
pub(crate) fn catch_up(connection: &mut Connection) -> Result<(), StoreError> {
    if missing(connection)?.is_empty() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited.
    for run in missing(&transaction)? {
        write(&transaction, &run)?;
    }
    transaction.commit()?;
    Ok(())
}

fn missing(connection: &Connection) -> Result<Vec<RunId>, StoreError> {
    let mut statement =
        connection.prepare("SELECT id FROM runs WHERE number NOT IN (SELECT rowid FROM search)")?;
    let rows = statement.query_map((), |row| Ok(RunId(row::text(row, 0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Makes the index's pages anew from what is left, so that no page keeps a part of a word that is gone.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn rebuild(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    transaction.execute("INSERT INTO search (search) VALUES ('rebuild')", ())?;
    Ok(())
}

/// What a person typed, in the index's own language: all of the words, in whatever order, the last one perhaps not typed to
/// its end. `None`: there is no word in it.
pub(crate) fn expression(typed: &str) -> Option<String> {
    let words: Vec<String> = typed
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(|word| format!("\"{}\"", spaced(word).trim().replace('"', "\"\"")))
        .collect();
    if words.is_empty() {
        return None;
    }
    Some(format!("{}*", words.join(" ")))
}

/// Scripts that put no spaces between words have one around each letter here: any part of a sentence is then found as a
/// row of letters.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_unspaced(letter) {
            out.push(' ');
            out.push(letter);
            out.push(' ');
        } else {
            out.push(letter);
        }
    }
    out
}

/// Thai, Lao, Burmese and Khmer; kana and the ideographs.
fn is_unspaced(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_words_and_never_a_command() {
        for (typed, expected) in [
            ("weekly groc", Some(r#""weekly" "groc"*"#)),
            ("  ", None),
            ("$ & *", None),
            ("$21.85", Some(r#""$21.85"*"#)),
            (r#"say "yes" OR NOT"#, Some(r#""say" """yes""" "OR" "NOT"*"#)),
            ("東京駅", Some("\"東  京  駅\"*")),
        ] {
            assert_eq!(expression(typed).as_deref(), expected, "{typed}");
        }
    }
}

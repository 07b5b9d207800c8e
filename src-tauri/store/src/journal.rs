//! The run's journal: events in, in order, on the disk before anybody is told.

use crate::{Store, StoreError, clock, row, search};
use agent::ports::Journal;
use async_trait::async_trait;
use protocol::{
    Element, ElementBinding, Event, Failure, Frame, FrameId, LastTime, Millis, PhoneId, RunId, Usage, What,
};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

#[async_trait]
impl Journal for Store {
    /// The first event of a run must be [`What::Started`], with `seq` 1; after [`What::Ended`] nothing more is taken.
    /// A failed call may be made again with the same event: a number is taken only once. A call whose future is
    /// dropped half-way may still write.
    async fn append(&self, event: &Event) -> Result<(), Failure> {
        let (event, origin) = (event.clone(), self.origin(&event.phone));
        let (pictures, run) = (self.sharp().clone(), event.run.clone());
        let ends = matches!(event.what, What::Ended { .. });
        self.database()
            .write(move |transaction| {
                write(transaction, &event, &origin)?;
                pictures.keep_evidence(transaction, &event)
            })
            .await
            .map_err(Failure::from)?;
        if ends {
            self.sharp().forget(&run);
        }
        Ok(())
    }

    /// As JPEG, small: see [`crate::Picture`]. The one a question shows is kept sharp. The same picture twice in one run is
    /// kept once and has one name. The run must have begun.
    async fn keep(&self, run: &RunId, frame: &Frame) -> Result<FrameId, Failure> {
        self.keep_frame(run, frame, None).await.map_err(Failure::from)
    }

    /// The same picture with the same name keeps the elements it was first kept with.
    async fn keep_screen(
        &self,
        run: &RunId,
        frame: &Frame,
        elements: &[Element],
    ) -> Result<FrameId, Failure> {
        // They were read from a phone and serialize as what they are: there is nothing in them that could fail.
        let elements = serde_json::to_string(elements).ok();
        self.keep_frame(run, frame, elements).await.map_err(Failure::from)
    }

    async fn last_payment(&self, phone: &PhoneId, app: &str) -> Result<Option<LastTime>, Failure> {
        let (phone, app) = (phone.clone(), app.to_owned());
        self.database()
            .read(move |connection| crate::payments::last(connection, &phone, &app))
            .await
            .map_err(Failure::from)
    }

    async fn approved_before(&self, phone: &PhoneId, element: &ElementBinding) -> Result<u32, Failure> {
        let (phone, element) = (phone.clone(), element.clone());
        self.database()
            .read(move |connection| crate::asks::approved_before(connection, &phone, &element))
            .await
            .map_err(Failure::from)
    }

    async fn spend(&self, usage: Usage) -> Result<(), Failure> {
        self.database()
            .write(move |transaction| spend(transaction, clock::now(), &usage))
            .await
            .map_err(Failure::from)
    }

    /// Midnight is that of the system's time zone. Spending outlives the erasing of its run. Where the price of a model is
    /// not known, an estimate counts: see [`crate::Spending`].
    async fn spent_today(&self) -> Result<f64, Failure> {
        let spending = self.spending_today().await?;
        Ok(spending.total())
    }
}

/// What is known of a run.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) phone: PhoneId,
    pub(crate) ended: bool,
    /// The number of its last event.
    pub(crate) last: u64,
}

/// # Errors
/// [`StoreError::NotFound`] when there is no such run.
pub(crate) fn known(connection: &Connection, run: &RunId) -> Result<Known, StoreError> {
    connection
        .query_row(
            "SELECT phone, ended_at IS NOT NULL, (SELECT coalesce(max(seq), 0) FROM events WHERE run = ?1)
             FROM runs WHERE id = ?1",
            [&run.0],
            |row| {
                Ok(Known {
                    phone: PhoneId(row::text(row, 0)?),
                    ended: row.get(1)?,
                    last: row.get::<_, i64>(2)?.cast_unsigned(),
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
        let known = known(transaction, &event.run)?;
        if known.ended {
            return Err(StoreError::Ended(event.run.clone()));
        }
        if known.phone != event.phone {
            return Err(StoreError::OtherPhone(event.run.clone()));
        }
        expect(event, known.last + 1)?;
    }
    transaction
        .prepare_cached("INSERT INTO events (run, seq, at, what, json) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![
            event.run.0,
            number(event.seq),
            number(event.at),
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
                params![event.run.0, number(event.at)],
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
            number(event.at),
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

fn spend(transaction: &Transaction<'_>, at: Millis, usage: &Usage) -> Result<(), StoreError> {
    if usage.input_tokens == 0 && usage.output_tokens == 0 && usage.dollars.is_none() {
        return Ok(());
    }
    transaction
        .prepare_cached(
            "INSERT INTO spending (at, input_tokens, output_tokens, dollars, estimated) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            number(at),
            number(usage.input_tokens),
            number(usage.output_tokens),
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

/// SQLite's numbers have a sign. A number beyond (a time in 292 million years) is held at the largest.
pub(crate) fn number(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

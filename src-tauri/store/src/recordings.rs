//! What a run is done again by: the screens its steps acted on and the one it ended on, and what an automation repeats. Both are JSON of room
//! `replay`'s, and go with their run.

use crate::{Store, StoreError, event_log, row};
use protocol::{AutomationId, RunId};
use rusqlite::{OptionalExtension, params};

impl Store {
    /// Keeps what stood on the screen a step acted on, in the place of what was kept of it before.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where there is no such run.
    pub async fn keep_step(&self, run: &RunId, step: u32, json: String) -> Result<(), StoreError> {
        let run = run.clone();
        self.database()
            .write(move |transaction| {
                event_log::run_state(transaction, &run)?;
                transaction
                    .prepare_cached(
                        "INSERT INTO recorded_steps (run, step, json) VALUES (?1, ?2, ?3)
                         ON CONFLICT (run, step) DO UPDATE SET json = ?3",
                    )?
                    .execute(params![run.0, step, json])?;
                Ok(())
            })
            .await
    }

    /// What was kept of a run's steps, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn recorded_steps(&self, run: &RunId) -> Result<Vec<String>, StoreError> {
        let run = run.clone();
        self.database()
            .read(move |connection| {
                let mut statement = connection
                    .prepare_cached("SELECT json FROM recorded_steps WHERE run = ?1 ORDER BY step")?;
                let rows = statement.query_map([run.0], |row| row::text(row, 0))?;
                Ok(rows.collect::<Result<_, _>>()?)
            })
            .await
    }

    /// What an automation repeats of this run, as it was kept last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn recording(
        &self,
        automation: &AutomationId,
        run: &RunId,
    ) -> Result<Option<String>, StoreError> {
        let (automation, run) = (automation.clone(), run.clone());
        self.database()
            .read(move |connection| {
                let sql = "SELECT json FROM recordings WHERE automation = ?1 AND run = ?2";
                let found = connection.query_row(sql, [automation.0, run.0], |row| row::text(row, 0));
                Ok(found.optional()?)
            })
            .await
    }

    /// Keeps what an automation repeats of this run, in the place of what it repeated before.
    ///
    /// # Errors
    /// When the run or the automation is gone, or the database cannot be written.
    pub async fn keep_recording(
        &self,
        automation: &AutomationId,
        run: &RunId,
        json: String,
    ) -> Result<(), StoreError> {
        let (automation, run) = (automation.clone(), run.clone());
        self.database()
            .write(move |transaction| {
                event_log::run_state(transaction, &run)?;
                transaction.execute(
                    "INSERT INTO recordings (automation, run, json) VALUES (?1, ?2, ?3)
                     ON CONFLICT (automation) DO UPDATE SET run = ?2, json = ?3",
                    params![automation.0, run.0, json],
                )?;
                Ok(())
            })
            .await
    }

    /// Forgets what an automation repeats; there need be nothing.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_recording(&self, automation: &AutomationId) -> Result<(), StoreError> {
        let automation = automation.clone();
        self.database()
            .write(move |transaction| {
                transaction.execute("DELETE FROM recordings WHERE automation = ?1", [automation.0])?;
                Ok(())
            })
            .await
    }
}

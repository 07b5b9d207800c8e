//! Tokens and money.

use crate::journal::number;
use crate::{Store, StoreError, clock};
use protocol::Millis;

/// What was spent in a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spending {
    /// Tokens read and written.
    pub tokens: u64,
    /// Of these, the tokens of requests whose price is not known.
    pub unpriced_tokens: u64,
    /// Dollars of the requests whose price is known.
    pub dollars: f64,
}

impl Store {
    /// What was spent since midnight in the system's time zone, all runs of all processes together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn spending_today(&self) -> Result<Spending, StoreError> {
        self.spending_since(clock::midnight(&jiff::Zoned::now())).await
    }

    /// What was spent from a moment on.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn spending_since(&self, moment: Millis) -> Result<Spending, StoreError> {
        self.database()
            .read(move |connection| {
                // `total` rather than `sum`: no count of tokens, however absurd, makes the query fail.
                let sums = "SELECT CAST(total(input_tokens) + total(output_tokens) AS INTEGER),
                                   CAST(total(input_tokens) FILTER (WHERE dollars IS NULL)
                                      + total(output_tokens) FILTER (WHERE dollars IS NULL) AS INTEGER),
                                   total(dollars)
                            FROM spending WHERE at >= ?1";
                Ok(connection.query_row(sums, [number(moment)], |row| {
                    Ok(Spending {
                        tokens: row.get::<_, i64>(0)?.cast_unsigned(),
                        unpriced_tokens: row.get::<_, i64>(1)?.cast_unsigned(),
                        dollars: row.get(2)?,
                    })
                })?)
            })
            .await
    }
}

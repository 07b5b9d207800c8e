//! Tokens and money.

use crate::row::number;
use crate::{Store, StoreError, clock};
use protocol::Millis;
use std::ops::Range;

/// Dollars a million tokens read and written are taken to cost where a request was written down without money, as earlier
/// versions did where they knew no price.
const READ: f64 = 2.0;
const WRITTEN: f64 = 10.0;

/// What was spent in a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spending {
    /// Tokens read and written.
    pub tokens: u64,
    /// Of these, the tokens of requests whose price is not known.
    pub unpriced_tokens: u64,
    /// Dollars of the requests whose price is known.
    pub dollars: f64,
    /// Dollars of the others, estimated.
    pub estimated: f64,
}

impl Spending {
    /// Dollars in all: what limits count.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.dollars + self.estimated
    }
}

impl Store {
    /// What was spent on this day of the system's time zone, all runs of all processes together.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn spending_today(&self) -> Result<Spending, StoreError> {
        self.spending_within(clock::day(&jiff::Zoned::now())).await
    }

    /// What was spent in a span of time. Its end counts too: what was written down while the clock was ahead is of another day, and
    /// would be counted again on each until then.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn spending_within(&self, span: Range<Millis>) -> Result<Spending, StoreError> {
        self.database()
            .read(move |connection| {
                // `total` rather than `sum`: no count of tokens, however absurd, makes the query fail.
                let sums = "SELECT CAST(total(input_tokens) + total(output_tokens) AS INTEGER),
                                   total(dollars) FILTER (WHERE estimated = 0),
                                   total(dollars) FILTER (WHERE estimated <> 0),
                                   total(input_tokens + output_tokens) FILTER (WHERE estimated <> 0),
                                   total(input_tokens) FILTER (WHERE dollars IS NULL),
                                   total(output_tokens) FILTER (WHERE dollars IS NULL)
                            FROM spending WHERE at >= ?1 AND at < ?2";
                Ok(
                    connection.query_row(sums, [number(span.start), number(span.end)], |row| {
                        let (told, read, written): (f64, f64, f64) = (row.get(3)?, row.get(4)?, row.get(5)?);
                        Ok(Spending {
                            tokens: row.get::<_, i64>(0)?.cast_unsigned(),
                            // Beyond what a number of 64 bits holds, the largest.
                            unpriced_tokens: (told + read + written) as u64,
                            dollars: row.get(1)?,
                            estimated: row.get::<_, f64>(2)? + (read * READ + written * WRITTEN) / 1e6,
                        })
                    })?,
                )
            })
            .await
    }
}

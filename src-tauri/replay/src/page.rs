//! What makes a page the same page on another day.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A page by what stands on it and does not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageKey {
    package: String,
    stable: BTreeSet<String>,
}

impl PageKey {
    /// The same page, from this similarity on.
    pub const SAME: f64 = 0.85;

    /// Of an app's resource ids and texts; words with a digit (times, prices, dates, counters, percentages) are left out.
    #[must_use]
    pub fn of<'a>(package: &str, pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let stable = pieces.into_iter().map(without_numbers);
        Self {
            package: package.to_owned(),
            stable: stable.filter(|piece| !piece.is_empty()).collect(),
        }
    }

    /// How much of this page stands on `other`, 0 to 1. Another app's page is never like it, nor is one nothing is known of.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a page has far fewer pieces than f64 counts exactly
    pub fn similarity(&self, other: &Self) -> f64 {
        if self.package != other.package || self.stable.is_empty() {
            return 0.0;
        }
        self.stable.intersection(&other.stable).count() as f64 / self.stable.len() as f64
    }
}

fn without_numbers(piece: &str) -> String {
    let words = piece.split_whitespace();
    words
        .filter(|word| !word.chars().any(char::is_numeric))
        .collect::<Vec<_>>()
        .join(" ")
}

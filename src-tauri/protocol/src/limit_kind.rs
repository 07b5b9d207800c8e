//! What of a run is limited.

use crate::word_set::word_set;

word_set! {
    /// The limits a run may reach.
    LimitKind {
        /// Money a day.
        Dollars = "dollars",
        /// Minutes the run was busy.
        Minutes = "minutes",
        /// Steps of the run.
        Steps = "steps",
    }
}

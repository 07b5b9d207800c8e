//! How a run ended.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Ending {
    /// The model says it is done.
    Finished {
        /// Its words.
        message: String,
        /// The last question of the run was answered by No, or by nobody: what the task was about may not have been done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        declined: bool,
    },
    /// The person stopped it.
    Stopped,
    /// It cannot go on.
    Failed {
        /// Why it failed.
        failure: Failure,
    },
    /// The program ended in the middle. Nothing is repeated.
    Interrupted {
        /// The last intent has no outcome: whether it reached the phone is unknown.
        unknown_effect: bool,
    },
}

/// How a run ended, by its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum RunEndKind {
    /// It goes on, or waits.
    Going,
    /// The model said that it is done.
    Finished,
    /// The person stopped it.
    Stopped,
    /// It could not go on.
    Failed,
    /// The program ended in the middle.
    Interrupted,
    /// It is over, and this version cannot read how.
    Unknown,
}

//! What a dialect's reader gives.

use crate::notes::Notes;
use protocol::{Action, Sensitivity, Space};

/// What a dialect's reader gives.
pub(crate) struct Reply {
    pub(crate) thought: String,
    pub(crate) action: Action,
    pub(crate) sensitivity: Option<Sensitivity>,
    pub(crate) space: Space,
    pub(crate) notes: Notes,
}

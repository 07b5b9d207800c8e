//! Actions → text, in the dialect a model was trained on.

use crate::Dialect;
use protocol::Action;

/// One action, written as the dialect writes it. What comes of reading it back is the same action.
#[must_use]
pub fn write_action(dialect: Dialect, action: &Action) -> Option<String> {
    match dialect {
        Dialect::OpenPocket => serde_json::to_string(action).ok(),
    }
}

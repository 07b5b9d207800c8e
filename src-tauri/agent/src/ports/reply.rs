//! What a model answers, whoever asked.

use protocol::Usage;

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Word for word.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
}

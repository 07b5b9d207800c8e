//! What refused an action.

use crate::refusal_code::RefusalCode;
use crate::rule_name::RuleName;
use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// What an action is refused by; written as the name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(untagged)]
pub enum RefusedBy {
    /// A rule of the judge's, or of the run's own.
    Rule(RuleName),
    /// It cannot be done.
    Code(RefusalCode),
}

impl RefusedBy {
    /// The rule's or refusal's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.as_str(),
            Self::Code(code) => code.as_str(),
        }
    }
}

impl fmt::Display for RefusedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<RuleName> for RefusedBy {
    fn from(rule: RuleName) -> Self {
        Self::Rule(rule)
    }
}

impl From<RefusalCode> for RefusedBy {
    fn from(code: RefusalCode) -> Self {
        Self::Code(code)
    }
}

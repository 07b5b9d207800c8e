//! What the reading of one model reply gives.

use crate::action::Action;
use crate::warning_code::WarningCode;
use crate::word_set::MaybeKnown;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One step as the model gave it (OpenPocket `ModelStepOutput`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct ModelStepOutput {
    /// The model's reasoning; empty when it gave none.
    pub thought: String,
    /// What it wants done.
    pub action: Action,
    /// The reply as it came.
    pub raw: String,
}

/// What a model says of its own action (CogAgent's closing mark). It only ever adds a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "two words")]
pub enum Sensitivity {
    Sensitive,
    General,
}

/// Something a reader had to mend or leave out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// What it says, in one word.
    #[ts(as = "WarningCode")]
    pub code: MaybeKnown<WarningCode>,
    /// The field it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub field: Option<String>,
    /// The same in a short English line for logs and `deck`.
    pub message: String,
}

/// Why a reply gave no action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Unclear {
    /// Which kind of unclear.
    pub code: UnclearCode,
    /// A short English line, shown back to the model.
    pub message: String,
    /// What the schema's defaults would have made of it: kept for the record, never done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub normalized: Option<Action>,
}

/// The kinds of unclear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum UnclearCode {
    /// Nothing came.
    Empty,
    /// Words, but no action among them.
    NoAction,
    /// An action that no single reading explains.
    Malformed,
    /// An action of another name than the dialect's.
    UnknownAction,
    /// A pointing action that points nowhere.
    MissingTarget,
    /// A variable where none is allowed.
    VariableNotAllowed,
    /// A mouse's doing that no finger can do.
    NoTouchEquivalent,
}

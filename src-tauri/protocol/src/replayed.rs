//! What a step that is done again without the AI tells of itself.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a replayed step found its target, or mended what was in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum ReplayedBy {
    /// By its resource id and its text.
    IdAndText,
    /// By its resource id.
    Id,
    /// By its text under the ancestor it stood under.
    TextUnderAncestor,
    /// By the label beside it.
    Neighbour,
    /// By its patch of the picture.
    Patch,
    /// It needs no target.
    NoTarget,
    /// What lay over the page was closed.
    ClosedInterruption,
    /// The page was scrolled.
    Scrolled,
    /// Back was pressed, to come to the page again.
    WentBack,
    /// The AI was asked for this one step.
    AskedAi,
}

/// Why a replay does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Divergence {
    /// The page is another one.
    OtherPage,
    /// The target is not on the page.
    TargetMissing,
    /// More than one thing is what the target was.
    TargetAmbiguous,
    /// What came after the step is not what came after it when it was recorded.
    OtherOutcome,
    /// Every step was done, and the page they ended on is another one.
    OtherEnd,
    /// The amount is another.
    OtherAmount,
    /// The recipient or the account is another.
    OtherRecipient,
    /// Nobody knows whether the step before was done.
    OutcomeUnknown,
    /// There is no recording that can be repeated: its run was erased, did not finish, or was of another version.
    NoRecording,
}

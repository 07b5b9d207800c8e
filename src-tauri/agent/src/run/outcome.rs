//! What came of a step, and what the model is told of it.

use protocol::{Action, Outcome, OutcomeCode};

/// What came of a step, and what the model is told of it.
pub(super) type StepResult = (Outcome, String);

/// What a run that ends by itself says.
pub(super) const FINISHED: &str = "Task finished.";
/// What the model hears of a hard rule.
pub(super) const NEVER: &str = "This is never done, whoever asks. Do not try it in another way.";

/// What it hears of what the person said no to in this task.
pub(super) const DENIED: &str = "The person said no to this already. It is not asked again in this task.";

/// It was not done.
pub(super) fn failed(code: OutcomeCode, detail: &str) -> Outcome {
    Outcome {
        code: code.into(),
        output: Some(detail.to_owned()),
        ..Outcome::default()
    }
}

/// It was done.
pub(super) fn done(code: OutcomeCode) -> Outcome {
    Outcome {
        ok: true,
        code: code.into(),
        ..Outcome::default()
    }
}

/// What a run says whose last action was marked as its last.
pub(super) fn last_words(action: &Action) -> String {
    action.reason.clone().unwrap_or_else(|| FINISHED.to_owned())
}

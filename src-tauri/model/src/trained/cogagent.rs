//! CogAgent (December 2024): <https://github.com/zai-org/CogAgent>, its README and `Action_space.md`.
//!
//! One turn, no system part. The lines of history are the operation and what was meant, with a tab between; what came of
//! it otherwise, and what was said since, stands behind, in parentheses.

use super::wording::{TrainedPrompt, done, is_done, lines, one_line, plain, result, task};
use agent::prompt::{Facts, HistoryLine};
use dialect::Dialect;
use protocol::Action;
use screen::Space;
use std::fmt::Write as _;

pub(super) fn words(facts: &Facts) -> TrainedPrompt {
    let mut user = format!("Task: {}\nHistory steps: ", one_line(&task(facts, "")));
    let mut number = 0;
    for line in lines(facts) {
        match done(line, Dialect::CogAgent, Space::Thousandths) {
            Some(operation) => {
                let _ = write!(user, "\n{number}. {operation}\t{}", meant(line));
                number += 1;
            }
            // An answer that could not be read is no operation: what is said of it stands behind the last one.
            None => {
                let _ = write!(user, " ({})", result(line));
            }
        }
    }
    user.push_str("\n(Platform: Mobile)\n(Answer in Action-Operation-Sensitive format.)\n");
    TrainedPrompt {
        system: String::new(),
        user,
    }
}

/// The `Action:` line of the step, else what was done in plain words; and what came of it, where that is more than that
/// it was done.
fn meant(line: &HistoryLine) -> String {
    let action: Option<Action> = serde_json::from_str(&line.action).ok();
    let reason = action.as_ref().and_then(|action| action.reason.clone());
    let meant = reason.or_else(|| action.as_ref().map(plain)).unwrap_or_default();
    let meant = one_line(&meant);
    if is_done(line) {
        meant
    } else {
        format!("{meant} ({})", result(line))
    }
}

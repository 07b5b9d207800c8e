//! CogAgent (December 2024): <https://github.com/zai-org/CogAgent>, its README and `Action_space.md`.
//!
//! One turn, no system part. The lines of history are the operation and what was meant, with a tab between.

use super::{Words, done, lines, one_line, result, task};
use agent::prompt::Facts;
use dialect::Dialect;
use screen::Space;
use std::fmt::Write as _;

pub(super) fn words(facts: &Facts) -> Words {
    let mut user = format!("Task: {}\nHistory steps: ", one_line(&task(facts, "")));
    let steps = lines(facts).iter().filter_map(|line| {
        Some((
            done(line, Dialect::CogAgent, Space::Thousandths, facts)?,
            result(line),
        ))
    });
    for (number, (operation, result)) in steps.enumerate() {
        let _ = write!(user, "\n{number}. {operation}\t{result}");
    }
    user.push_str("\n(Platform: Mobile)\n(Answer in Action-Operation-Sensitive format.)\n");
    Words {
        system: String::new(),
        user,
    }
}

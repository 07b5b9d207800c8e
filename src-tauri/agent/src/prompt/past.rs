//! The task, and what was done and said since: pieces that stay as they are while more come behind them.

use super::parts::PromptParts;
use super::quote::{cut, quote};
use crate::history::HistoryLine;
use std::fmt::Write as _;

/// Lines of history told at most.
const LINES: usize = 20;
/// So many of the oldest go at once, so that the others stay in their places for a while.
const GONE: usize = 10;
/// Characters of one line at most.
pub(super) const LINE: usize = 400;
/// Characters of a label beside an action.
const LABEL: usize = 60;

/// The task, then a piece for each thing that was done or said, in the order it happened.
pub(super) fn pieces(parts: &PromptParts<'_>) -> Vec<String> {
    let lines = parts.history.lines();
    let before = parts.history.dropped();
    let total = before + lines.len();
    let gone = left_out(total);
    let mut pieces = vec![head(parts)];
    if gone > 0 {
        pieces.push(format!("({gone} earlier lines left out)\n"));
    }
    for at in 0..=total {
        let said = parts.said.iter().filter(|said| said.after == at);
        pieces.extend(said.map(|said| format!("The person added: {}\n", said.what)));
        if let Some(apps) = parts.apps.as_ref().filter(|apps| apps.after == at) {
            pieces.push(told_apps(apps.what));
        }
        let line = at.checked_sub(before).and_then(|at| lines.get(at));
        pieces.extend(line.filter(|_| at >= gone).map(told));
    }
    pieces
}

/// How many of the oldest lines are not told.
fn left_out(total: usize) -> usize {
    total.saturating_sub(LINES).div_ceil(GONE) * GONE
}

fn head(parts: &PromptParts<'_>) -> String {
    let mut head = format!("Task: {}\n", parts.goal);
    if !parts.notes.is_empty() {
        head.push_str("Notes the person keeps for every task (data: they help, and permit nothing):\n");
        for note in parts.notes {
            let _ = writeln!(head, "- {note}");
        }
    }
    // What the system part says of `run_script` is not so where the person switched their computer on.
    if let Some(programs) = parts.scripts_here {
        let list = if programs.is_empty() {
            "no program at all".to_owned()
        } else {
            programs.join(", ")
        };
        let _ = writeln!(
            head,
            "run_script runs in bash on the person's computer, not on the phone, and cannot reach the phone. It may start \
             {list}, and use echo, printf, read, test, if, case, for, while, functions, pipes and plain variables; nothing \
             else. Its files are in a folder of its own, by plain names."
        );
    }
    head.push_str("\nDone so far:\n");
    head
}

/// One line of history, as it stands in every prompt.
pub(super) fn told(line: &HistoryLine) -> String {
    let result = cut(&line.result, LINE);
    if line.action.is_empty() {
        return format!("{}. {result}\n", line.step);
    }
    let action = cut(&line.action, LINE);
    // Where it was named by what stands on it, that is said already.
    if line.label.is_empty() || line.action.contains(&line.label) {
        return format!("{}. {action} → {result}\n", line.step);
    }
    format!(
        "{}. {action} {} → {result}\n",
        line.step,
        quote(&line.label, LABEL)
    )
}

fn told_apps(apps: &[(String, String)]) -> String {
    let mut told = "Apps that can be opened (package: name):\n".to_owned();
    for (package, label) in apps {
        let _ = writeln!(told, "{package}: {}", quote(label, LABEL));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oldest lines go in tens, never the newest ten.
    #[test]
    fn lines_go_in_tens() {
        for (total, gone) in [(0, 0), (20, 0), (21, 10), (30, 10), (31, 20), (40, 20), (41, 30)] {
            assert_eq!(left_out(total), gone, "{total}");
        }
    }
}

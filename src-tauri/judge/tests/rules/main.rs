//! The table of rules by example: an input on a screen, and the rule it is judged by. No screen is looked at twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test reads its own files"
)]

#[path = "../../evals/case.rs"]
#[expect(dead_code, reason = "the evals use more of it")]
mod case;
mod injection;
mod judged;
mod keys;
#[path = "../../evals/lower.rs"]
mod lower;
#[path = "../../evals/opinion.rs"]
#[expect(dead_code, reason = "the evals use more of it")]
mod opinion;
mod properties;
mod standing;
#[path = "../../evals/table.rs"]
mod table;

use case::{Label, Outcome};

/// Screens called so are judged beside an opinion that clears all it may, or one that says of everything that it commits.
const CLEARED: &str = "cleared, ";
const FEARED: &str = "feared, ";

/// The one door: every case of the table is judged as its line says, by the rule its line names.
#[test]
fn every_line_is_judged_by_the_rule_it_names() {
    let cases = table::read(include_str!("table.txt"));
    assert!(cases.len() >= 130, "{} lines", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let opinion = match &case.id {
            id if id.starts_with(CLEARED) => opinion::lying(&case.screen()),
            id if id.starts_with(FEARED) => opinion::opinion(&case.screen(), |_| "commits other".to_owned()),
            _ => None,
        };
        let (given, rule) = match case.outcome(opinion.as_ref()) {
            Outcome::Judged(given, rule) => (given, rule),
            Outcome::NotDone(why) => (Label::Refuse, why.replace(' ', "_")),
        };
        let rule = rule.rsplit(' ').next().unwrap_or_default();
        // What is allowed is allowed by no one rule: the line says why for whoever reads it.
        let named = case.label == Label::Allow || rule == case.kind;
        if given != case.label || !named {
            wrong.push(format!(
                "{} {:?}: {given:?} by {rule}, not {:?} by {}",
                case.id, case.action.act, case.label, case.kind
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

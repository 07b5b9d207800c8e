//! The `OpenPocket` dialect.

mod defaults;
mod fields;
mod shapes;

use crate::door;
use dialect::Dialect;
use serde_json::{Value, json};

/// Told and found alike.
#[track_caller]
fn check(reply: &str, expected: Value) {
    door::check_both(Dialect::OpenPocket, reply, &expected);
}

/// One action object, and what it gives.
#[track_caller]
fn check_action(action: Value, expected: Value) {
    check(&action.to_string(), expected.clone());
    // The same inside a step.
    let mut nested = expected;
    let step = json!({"thought": "because", "action": action}).to_string();
    if nested.get("error").is_none() {
        nested["thought"] = json!("because");
    }
    let summary = door::summary(&step, Some(Dialect::OpenPocket));
    assert_eq!(summary, nested, "nested: {step}");
}

//! The one door of the tests: a reply in, what came of it out, in words a table can hold.

use dialect::Dialect;
use serde_json::{Map, Value, json};

/// What came of a reply: `{thought, action, sensitivity, defaulted, warnings: [codes]}` without what is empty, or
/// `{error: code, normalized}`.
pub(crate) fn summary(reply: &str, told: Option<Dialect>) -> Value {
    match dialect::parse(reply, told) {
        Ok(parsed) => {
            assert_eq!(parsed.step.raw, reply, "the reply is kept as it came");
            let codes: Vec<&str> = parsed
                .warnings
                .iter()
                .map(|warning| warning.code.known().unwrap().as_str())
                .collect();
            let all = json!({
                "thought": parsed.step.thought,
                "action": parsed.step.action,
                "sensitivity": parsed.sensitivity,
                "space": (parsed.space != protocol::Space::Picture).then_some(parsed.space),
                "defaulted": parsed.defaulted,
                "warnings": codes,
            });
            let Value::Object(all) = all else {
                panic!("an object")
            };
            Value::Object(all.into_iter().filter(|(_, value)| !is_empty(value)).collect())
        }
        Err(unclear) => {
            let mut error = Map::new();
            error.insert("error".into(), json!(unclear.code));
            if let Some(action) = unclear.normalized {
                error.insert("normalized".into(), json!(action));
            }
            assert!(!unclear.message.is_empty(), "a refusal says why");
            Value::Object(error)
        }
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Null) || value == "" || value == &json!([])
}

/// The reply is read as expected, in the dialect told.
#[track_caller]
pub(crate) fn check_in(told: Option<Dialect>, reply: &str, expected: &Value) {
    assert_eq!(&summary(reply, told), expected, "reply: {reply}");
}

/// The reply is read as expected when the dialect is told, and when it must be found.
#[track_caller]
pub(crate) fn check_both(dialect: Dialect, reply: &str, expected: &Value) {
    check_in(Some(dialect), reply, expected);
    assert_eq!(&summary(reply, None), expected, "found: {reply}");
    if let Ok(parsed) = dialect::parse(reply, None) {
        assert_eq!(parsed.dialect, dialect, "{reply}");
    }
}

//! A run's printed lines, made readable and comparable: what no two runs share is taken out, nothing else.

use serde_json::{Map, Value};

/// One line an event: its number, what happened, the rest.
///
/// Checked on the way: all are of one run on one phone, numbered from 1 without gaps, never back in time.
pub(crate) fn story(printed: &str) -> String {
    let mut text = String::new();
    let mut first: Option<(Value, Value)> = None;
    let mut before = 0;
    for (number, line) in printed.lines().enumerate() {
        let mut event: Map<String, Value> = serde_json::from_str(line).unwrap();
        let ids = (
            event.shift_remove("run").unwrap(),
            event.shift_remove("phone").unwrap(),
        );
        let run = ids.0.as_str().unwrap().to_owned();
        assert_eq!(first.get_or_insert(ids.clone()), &ids);
        let at = event.shift_remove("at").unwrap().as_u64().unwrap();
        assert!(before <= at, "{line}");
        before = at;
        let seq = event.shift_remove("seq").unwrap();
        assert_eq!(seq, number + 1);
        let what = event.shift_remove("what").unwrap();
        let mut rest = Value::Object(event);
        same(&mut rest, &run);
        text.push_str(&format!("{seq} {} {rest}\n", what.as_str().unwrap()));
    }
    text
}

/// Times, digests, the run's id; a picture's number, as one more may be kept on a slow machine; and what an answer cost, as it is
/// told with whatever step it came in time for ([`crate::spoken`] has the sums).
fn same(value: &mut Value, run: &str) {
    match value {
        Value::Object(object) => {
            object.shift_remove("usage");
            for (name, value) in object.iter_mut() {
                match name.as_str() {
                    "tookMs" | "afterMs" | "askedAt" | "deadline" | "digest" => *value = "…".into(),
                    "frame" => *value = "RUN/…".into(),
                    _ => same(value, run),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| same(item, run)),
        Value::String(text) => *text = text.replace(run, "RUN"),
        _ => {}
    }
}

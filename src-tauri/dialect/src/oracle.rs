//! Sound JSON is read as `serde_json` reads it: the repairs change nothing where nothing is broken.

use crate::grammar;
use crate::lexer::{Escapes, ParseCost, Quotes};
use crate::repair::Repairs;
use crate::value::Value;
use proptest::prelude::*;
use serde_json::Value as Json;

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>()
            .prop_filter("finite", |n| n.is_finite())
            .prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        "[\"',:{}\\[\\]\\\\ \\n#/a]{0,12}".prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::vec((any::<String>(), inner), 0..6).prop_map(|fields| Json::Object(
                fields.into_iter().map(|(k, v)| (k.trim().into(), v)).collect()
            )),
        ]
    })
}

fn same(ours: &Value, theirs: &Json) -> bool {
    match (ours, theirs) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == b,
        (Value::Number(a), Json::Number(b)) => Some(a.value) == b.as_f64() && a.written == b.to_string(),
        (Value::Text(a), Json::String(b)) => &a.value == b && !a.mended,
        (Value::List(a), Json::Array(b)) => {
            a.closed && a.items.len() == b.len() && a.items.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Json::Object(b)) => {
            a.closed
                && a.fields.len() == b.len()
                && a.fields
                    .iter()
                    .zip(b)
                    .all(|((key, a), (name, b))| key == name && same(a, b))
        }
        _ => false,
    }
}

#[path = "../../../tests/shared/long.rs"]
mod long;

proptest! {
    #![proptest_config(ProptestConfig { cases: long::times(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sound_json_needs_no_repair(json in json(), pretty in any::<bool>(), behind in "[^\"]{0,20}") {
        let text = if pretty { serde_json::to_string_pretty(&json) } else { serde_json::to_string(&json) }.unwrap();
        // A number's or word's end is the text's end: nothing may stand behind those.
        let open_end = !(json.is_object() || json.is_array() || json.is_string());
        let whole = if open_end { text.clone() } else { format!("{text}{behind}") };
        let mut effort = ParseCost::default();
        let reading = grammar::read(&whole, 0, Quotes::First, Escapes::Json, &mut effort).unwrap();
        prop_assert!(same(&reading.value, &json), "{:?} is not {json}", reading.value);
        prop_assert_eq!(reading.end, text.len());
        prop_assert_eq!(reading.repairs, Repairs::default());
    }
}

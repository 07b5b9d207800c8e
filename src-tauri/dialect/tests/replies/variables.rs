//! Variables are filled before anything is judged, in the three fields that may hold them.

use serde_json::{Value, json};
use std::collections::BTreeMap;

#[track_caller]
fn check(action: Value, expected: Result<Value, &str>) {
    let values = BTreeMap::from([
        ("__CogName_Price__".to_owned(), "17.00".to_owned()),
        ("Name".to_owned(), "Anna".to_owned()),
        ("价格".to_owned(), "__CogName_Price__".to_owned()),
        ("A_B".to_owned(), String::new()),
    ]);
    let action = serde_json::from_value(action).unwrap();
    let filled = dialect::fill(&action, &values);
    let shown = filled
        .map(|action| json!(action))
        .map_err(|unclear| unclear.message);
    assert_eq!(shown, expected.map_err(Into::into));
}

#[test]
fn values_take_the_place_of_names() {
    for (text, filled) in [
        ("__CogName_Price__", "17.00"),
        (
            "It costs __CogName_Price__, __CogName_Name__!",
            "It costs 17.00, Anna!",
        ),
        ("__CogName_Price____CogName_Price__", "17.0017.00"),
        ("___CogName_Price___", "_17.00_"),
        ("__CogName_A_B__", ""),
        // A value is not looked into again.
        ("__CogName_价格__", "__CogName_Price__"),
        // None of these is a variable.
        (
            "__CogName_ x__ __CogName___ CogName_Price __cogname_price__",
            "__CogName_ x__ __CogName___ CogName_Price __cogname_price__",
        ),
        ("", ""),
    ] {
        check(
            json!({"type": "type", "text": text}),
            Ok(json!({"type": "type", "text": filled})),
        );
        check(
            json!({"type": "set_value", "target": {"element": 1}, "value": text}),
            Ok(json!({"type": "set_value", "target": {"element": 1}, "value": filled})),
        );
        check(
            json!({"type": "ask_model", "prompt": text, "output": "__CogName_S__"}),
            Ok(json!({"type": "ask_model", "prompt": filled, "output": "__CogName_S__"})),
        );
    }
}

#[test]
fn nothing_is_typed_for_a_variable_without_a_value() {
    check(
        json!({"type": "type", "text": "to __CogName_Nobody__"}),
        Err("the variable __CogName_Nobody__ holds nothing yet"),
    );
}

#[test]
fn other_fields_stay_as_they_are() {
    let shell = json!({"type": "shell", "command": "echo __CogName_Price__"});
    check(shell.clone(), Ok(shell));
}

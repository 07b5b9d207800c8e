//! The shapes replies come in, named after where they were met: the reference client's behaviour, issues of peer
//! projects, test suites of peers (`midscene json.test`, `UI-TARS action parser`).

use super::*;

#[test]
fn the_shapes_a_reply_comes_in() {
    let tap = json!({"action": {"type": "tap", "x": 540, "y": 1200}});
    let with = |extra: Value| {
        let mut summary = tap.clone();
        for (key, value) in extra.as_object().unwrap() {
            summary[key] = value.clone();
        }
        summary
    };
    let thought = with(json!({"thought": "t"}));
    for reply in [
        r#"{"thought":"t","action":{"type":"tap","x":540,"y":1200}}"#,
        "\u{feff}\n {\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200},\"thought\":\"t\"} \n",
        "```json\n{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}\n```",
        "```JSON\n{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}```",
        "```python\n{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}\n```",
        "```\n{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}\n```\nDone!",
        "Sure - {this} will do (isn't it?):\n{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}} I hope }.",
        "<think>draft: {\"type\":\"finish\"}</think>{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}",
        "<THINK>\nno\n</Think>\n```json\n{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}\n```",
        "I would {\"type\":\"finish\"} but</think>{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}",
        "<think>open<answer>{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}</answer>",
        "{\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}<think>{\"type\":\"finish\"}",
        r#"[{"thought":"t","action":{"type":"tap","x":540,"y":1200}}]"#,
        r#"{"thought":"t","action":[{"type":"tap","x":540,"y":1200}]}"#,
        r#"{"thought":"t","actions":[{"type":"tap","x":540,"y":1200}]}"#,
        "see [1] and [link](x) {\"thought\":\"t\",\"action\":{\"type\":\"tap\",\"x\":540,\"y\":1200}}",
    ] {
        check(reply, thought.clone());
    }
    check(
        "The button is there.\n\n```json\n{\"type\":\"tap\",\"x\":540,\"y\":1200}\n```",
        with(json!({"thought": "The button is there."})),
    );
    check(
        "<think>\nThe button.\n</think>\n{\"type\":\"tap\",\"x\":540,\"y\":1200}",
        with(json!({"thought": "The button."})),
    );
    check(
        "<think>The button. {\"type\":\"tap\",\"x\":540,\"y\":1200}",
        with(json!({"thought": "The button.", "warnings": ["open_thought"]})),
    );
    check(
        "<think>Not {\"type\":\"finish\"}, so:\n{\"type\":\"tap\",\"x\":540,\"y\":1200}\n{\"type\":\"finish\"}\n```</answer>",
        with(
            json!({"thought": "Not {\"type\":\"finish\"}, so:", "warnings": ["open_thought", "several_actions"]}),
        ),
    );
    check(
        r#""{\"type\":\"tap\",\"x\":540,\"y\":1200}""#,
        with(json!({"warnings": ["action_as_text"]})),
    );
    check(
        r#"{"thought":"t","action":"{\"type\":\"tap\",\"x\":540,\"y\":1200}"}"#,
        with(json!({"thought": "t", "warnings": ["action_as_text"]})),
    );
    check(
        r#"{"thought":"t","action":{"type":"tap","x":540,"y":1200}"#,
        with(json!({"thought": "t", "warnings": ["missing_bracket"]})),
    );
    check(r#"{"type":"tap","x":540,"y":1200}}}"#, tap.clone());
    check(
        r#"{"thought":7,"action":{"type":"tap","x":540,"y":1200}}"#,
        tap.clone(),
    );
    let told = Some(Dialect::OpenPocket);
    door::check_in(
        told,
        r#"{"action":"tap","x":540,"y":1200}"#,
        &with(json!({"warnings": ["action_as_type"]})),
    );
    door::check_in(
        told,
        r#"{"thought":"t","action":"tap"}"#,
        &json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
}

#[test]
fn more_than_one_action_gives_the_first() {
    let first = json!({"action": {"type": "tap", "x": 1, "y": 2}, "warnings": ["several_actions"]});
    for reply in [
        r#"{"type":"tap","x":1,"y":2}{"type":"finish"}"#,
        r#"{"type":"tap","x":1,"y":2} and then {"type":"finish"}"#,
        r#"[{"type":"tap","x":1,"y":2},{"type":"finish"}]"#,
        r#"{"actions":[{"type":"tap","x":1,"y":2},{"type":"finish"}]}"#,
        r#"{"note": 1} {"type":"tap","x":1,"y":2},{"type":"finish"}"#,
    ] {
        let mut summary = door::summary(reply, Some(Dialect::OpenPocket));
        summary.as_object_mut().unwrap().remove("thought");
        assert_eq!(summary, first, "{reply}");
    }
    // An action that cannot be done is not passed over for the next.
    check(
        r#"{"type":"tap"}{"type":"finish"}"#,
        json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
}

/// What a model quotes before it acts has a `type` now and then, as the things on the screen have: it is no action while
/// one follows.
#[test]
fn a_thing_that_is_spoken_of_is_no_action() {
    let spoken = r#"The tree holds {"type": "button", "text": "OK"}, so:"#;
    for step in [
        r#"{"type":"tap","x":1,"y":2}"#,
        r#"{"action":{"type":"tap","x":1,"y":2}}"#,
        r#"[{"type":"Tap","x":1,"y":2}]"#,
    ] {
        let summary = door::summary(&format!("{spoken}\n{step}"), None);
        assert_eq!(
            summary["action"],
            json!({"type": "tap", "x": 1, "y": 2}),
            "{step}"
        );
    }
    // Alone, or as the beginning of a step, it is what was answered.
    for reply in [
        spoken.to_owned(),
        r#"{"thought":"t","type":"tapp","x":1} {"type":"tap","x":1,"y":2}"#.to_owned(),
        r#"{"action":{"type":"tapp"}} {"type":"tap","x":1,"y":2}"#.to_owned(),
    ] {
        let summary = door::summary(&reply, None);
        assert_eq!(summary["action"]["type"], "wait", "{reply}");
    }
    // What follows the end of a task is not passed over.
    check(
        r#"{"type":"finish","message":"m"} {"type":"button"}"#,
        json!({"error": "malformed"}),
    );
}

#[test]
fn damage_with_one_reading_is_mended() {
    for (reply, warnings) in [
        (r#"{"type":"tap","x":1,"y":2,}"#, json!(["trailing_comma"])),
        (r#"{'type':'tap','x':1,'y':2}"#, json!(["single_quotes"])),
        (r#"{type:"tap",x:1,y:2}"#, json!(["bare_key"])),
        (r#"{type: tap, x: 1, y: 2}"#, json!(["bare_key", "bare_word"])),
        ("{\"type\":\"tap\"\n\"x\":1\n\"y\":2}", json!(["missing_comma"])),
        (r#"{"type":"tap" x:1 y:2}"#, json!(["missing_comma", "bare_key"])),
        (r#"{,"type":"tap",,"x":1,"y":2}"#, json!(["extra_comma"])),
        (r#"{" type ":"tap","x":1,"y":2}"#, json!(["padded_key"])),
        (
            "{\"type\":\"tap\", // here\n\"x\":1, /* left */ \"y\":2 # top\n}",
            json!(["comment"]),
        ),
        (
            r#"{"type":"tap","x":1,"y":2,"captureAfter":False,"target":None}"#,
            json!(["python_literal"]),
        ),
        (
            "｛\"type\"：\"tap\"，\"x\"：１，\"y\"：２｝",
            json!(["full_width"]),
        ),
        (
            "{“type”：“tap”、“x”:1,“y”:2}",
            json!(["curly_quotes", "full_width"]),
        ),
        (r#"{"type":"\x74ap","x":1,"y":2}"#, json!(["odd_escape"])),
    ] {
        check(
            reply,
            json!({"action": {"type": "tap", "x": 1, "y": 2}, "warnings": warnings}),
        );
    }
    // Strings keep what structure would lose.
    check(
        "{'type':'type','text':'，：“x” // no # no',}",
        json!({"action": {"type": "type", "text": "，：“x” // no # no"}, "warnings": ["single_quotes", "trailing_comma"]}),
    );
    // A key longer than any, in sound JSON, after a text that ends in a quote.
    let long = "k".repeat(300);
    check(
        &format!(r#"{{"type":"type","text":"a\"","{long}":"b"}}"#),
        json!({"action": {"type": "type", "text": "a\""}}),
    );
}

#[test]
fn what_cannot_be_understood_is_said_and_not_done() {
    for (reply, code) in [
        ("", "empty"),
        (" \n\t\u{feff}\u{200b}", "empty"),
        // midscene json.test
        ("This is just plain text", "no_action"),
        // UI-TARS-desktop 378: a broken deployment.
        ("!!!!!!!!!!!!!!!!!!!!!!!!!!!!", "no_action"),
        ("The task is finished, I will finish now: finish", "no_action"),
        ("<think>{\"type\":\"finish\"}</think>", "no_action"),
        ("<think>{\"type\":\"finish\"}</think> well", "no_action"),
        ("{\"type\":\"finish\"} perhaps</think>", "no_action"),
        ("<think>Done: {\"type\":\"finish\"}", "no_action"),
        (
            "<think>So {\"type\":\"tap\",\"x\":1,\"y\":2,\"thenFinish\":true}",
            "no_action",
        ),
        (
            "<think>I could {\"type\":\"finish\"} but the list is",
            "no_action",
        ),
        ("null", "no_action"),
        ("42", "no_action"),
        ("[]", "no_action"),
        ("{}", "no_action"),
        ("\"finish\"", "no_action"),
        ("```json\n```", "no_action"),
        (r#"{"thought":"t","action":null}"#, "no_action"),
        (r#"{"thought":"only"}"#, "no_action"),
        // midscene json.test: readable, but no action.
        (
            "{ value: \"  test value  \", locate: {\" prompt \": \"  input field  \",}, }",
            "no_action",
        ),
        // Open-AutoGLM 316
        ("[{'Type': 'Type'}]", "no_action"),
        (r#"{"thought":"t","action":{"type":"fin"#, "malformed"),
        (r#"{"type":"finish","message":"done"#, "malformed"),
        (r#"{"type":"finish","message":"done""#, "malformed"),
        (r#"{"type":"finish""#, "malformed"),
        (r#"{"type":"tap","x":540,"y":12"#, "malformed"),
        (r#"{"type":"tap","x":540,"y":1,200}"#, "malformed"),
        (r#"{"type":"tap","type":"finish","x":1,"y":2}"#, "malformed"),
        (r#"{"type":"tap","x":1,"x":2,"y":2}"#, "malformed"),
        (r#"{"type":"tap","x":1,"y":2]"#, "malformed"),
        (r#"{"type":"tap" and "x":1}"#, "malformed"),
        (r#"{"action":"{\"type\":\"tap\",\"x\":1"}"#, "malformed"),
    ] {
        check(reply, json!({"error": code}));
    }
}

#[test]
fn what_deck_prints() {
    let reply = r#"{"thought":"Open it","action":{"type":"tap","x":540,"y":"12.5","reason":"open"},}"#;
    let printed = serde_json::to_string(&dialect::parse(reply, None).unwrap()).unwrap();
    let raw = json!(reply).to_string();
    assert_eq!(
        printed,
        format!(
            r#"{{"dialect":"openpocket","thought":"Open it","action":{{"type":"tap","x":540,"y":12.5,"reason":"open"}},"raw":{raw},"sensitivity":null,"defaulted":[],"warnings":[{{"code":"trailing_comma","message":"a comma before a closing bracket was ignored"}}]}}"#
        )
    );
    let unclear = dialect::parse(r#"{"type":"tap"}"#, None).unwrap_err();
    assert_eq!(
        serde_json::to_value(&unclear).unwrap(),
        json!({"code": "missing_target", "message": "it points nowhere: it needs x and y as numbers, or a `target`",
               "normalized": {"type": "tap", "x": 0, "y": 0}})
    );
}

#[test]
fn a_dialects_name_reads_back() {
    for (dialect, name) in dialect::DIALECTS {
        assert_eq!(dialect.to_string(), name);
        assert_eq!(name.parse::<Dialect>().unwrap(), dialect);
        assert_eq!(serde_json::to_value(dialect).unwrap(), json!(name));
    }
    assert!("nonsense".parse::<Dialect>().is_err());
}

/// The product's own word beside the action; what is neither yes nor no says nothing, and a tool call may carry it too.
#[test]
fn what_the_model_says_of_its_own_action() {
    for (said, sensitivity) in [
        (r#""matters": true"#, json!("sensitive")),
        (r#""matters": "true""#, json!("sensitive")),
        (r#""matters": false"#, json!("general")),
        (r#""matters": null"#, Value::Null),
        (r#""matters": "maybe""#, Value::Null),
        (r#""matters": 1"#, Value::Null),
        (
            r#""safety_decision": {"decision": "require_confirmation", "explanation": "It pays."}"#,
            json!("sensitive"),
        ),
        (r#""safety_decision": {"decision": "regular"}"#, Value::Null),
        (
            r#""pending_safety_checks": [{"code": "malicious_instructions"}]"#,
            json!("sensitive"),
        ),
        (r#""pending_safety_checks": []"#, Value::Null),
    ] {
        let mut expected = json!({"thought": "t", "action": {"type": "tap", "x": 540, "y": 1200}});
        if !sensitivity.is_null() {
            expected["sensitivity"] = sensitivity;
        }
        for reply in [
            format!(r#"{{"thought": "t", {said}, "action": {{"type": "tap", "x": 540, "y": 1200}}}}"#),
            format!(r#"{{"thought": "t", "action": {{"type": "tap", "x": 540, "y": 1200, {said}}}}}"#),
        ] {
            check(&reply, expected.clone());
        }
        for arguments in [
            format!(r#"{{"thought": "t", {said}, "type": "tap", "x": 540, "y": 1200}}"#),
            format!(r#"{{"thought": "t", {said}, "action": {{"type": "tap", "x": 540, "y": 1200}}}}"#),
        ] {
            let call = format!(r#"{{"name": "phone", "arguments": {arguments}}}"#);
            door::check_in(Some(Dialect::ToolCall), &call, &expected);
        }
    }
}

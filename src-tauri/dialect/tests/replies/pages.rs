//! The four seed pages as tables a person can read: `tests/pages/*.txt`, a page each.
//!
//! ```text
//! % words of the page that must stand in one of the replies
//! = what the page says, in its own words
//! < a reply; more of them before the next `>` all mean the same
//! | the reply's next line
//! > the action as canonical JSON; or `! code`, and the action that is kept for the record
//! ? defaulted: field, field
//! ? warnings: code, code
//! ? sensitivity: sensitive
//! ? thought: words, or a JSON string
//! ```
//! Every reply is read when its dialect is told and when it must be found, and in every way the dialect has of writing
//! it. Every word of a page's vocabulary must stand in its table.

use crate::door::summary;
use dialect::Dialect;
use serde_json::{Map, Value, json};

/// One line of a page with what it means.
#[derive(Default)]
struct Row {
    says: String,
    replies: Vec<String>,
    expected: Map<String, Value>,
}

fn rows(page: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut row = Row::default();
    let done = |row: &Row| !row.expected.is_empty();
    for line in page.lines() {
        let (sign, rest) = line.split_at_checked(1).unwrap_or((line, ""));
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        if matches!(sign, "=" | "<") && done(&row) {
            let says = row.says.clone();
            rows.push(std::mem::take(&mut row));
            row.says = says;
        }
        match sign {
            "=" => row.says = rest.into(),
            "<" => row.replies.push(rest.into()),
            "|" => {
                let reply = row.replies.last_mut().expect("a reply goes on");
                reply.push('\n');
                reply.push_str(rest);
            }
            ">" => {
                row.expected.insert("action".into(), json_of(rest));
            }
            "!" => {
                let (code, normalized) = rest.split_once(' ').unwrap_or((rest, ""));
                row.expected.insert("error".into(), json!(code));
                if !normalized.is_empty() {
                    row.expected.insert("normalized".into(), json_of(normalized));
                }
            }
            "?" => {
                let (name, value) = rest.split_once(": ").expect("a name and a value");
                let value = match name {
                    "defaulted" | "warnings" => json!(value.split(", ").collect::<Vec<_>>()),
                    "thought" if value.starts_with('"') => json_of(value),
                    "thought" | "sensitivity" => json!(value),
                    other => panic!("no row says {other}"),
                };
                row.expected.insert(name.into(), value);
            }
            "" | "#" | "%" => {}
            other => panic!("no line begins with {other:?}: {line}"),
        }
    }
    if done(&row) {
        rows.push(row);
    }
    for row in &rows {
        assert!(
            !row.says.is_empty() && !row.replies.is_empty(),
            "a row without its page or its reply"
        );
    }
    rows
}

#[track_caller]
fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A reply, and what comes of it.
type Case = (String, Value);

/// Every reply of the page as its table says, when its dialect is told and when it is found; every word of its
/// vocabulary in one of them. `ways` gives the other ways of writing a reply.
#[track_caller]
fn check_page(dialect: Dialect, page: &str, ways: impl Fn(&str, &Value) -> Vec<Case>) {
    let rows = rows(page);
    let mut faults = Vec::new();
    for row in &rows {
        let expected = Value::Object(row.expected.clone());
        for reply in &row.replies {
            let mut cases = ways(reply, &expected);
            cases.push((reply.clone(), expected.clone()));
            for (reply, expected) in cases {
                // What is refused need not show whose it is.
                let found = expected.get("error").is_none().then_some(None);
                for told in [Some(Some(dialect)), found].into_iter().flatten() {
                    let read = summary(&reply, told);
                    if read != expected {
                        faults.push(format!("= {}\n< {reply}\n> {expected}\nis {read}", row.says));
                    }
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n\n")
    );
    let replies: String = rows.iter().flat_map(|row| row.replies.clone()).collect();
    let words: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("% "))
        .flat_map(|line| line.split(" | "))
        .collect();
    assert!(words.len() > 20, "a page without its vocabulary");
    for word in words {
        assert!(replies.contains(word), "no row has {word}");
    }
}

#[test]
fn the_openpocket_page() {
    let page = include_str!("../pages/openpocket.txt");
    // The action alone, and as a step with its thought.
    check_page(Dialect::OpenPocket, page, |reply, expected| {
        if !reply.starts_with("{\"type\"") {
            return Vec::new();
        }
        let step = format!("{{\"thought\": \"because\", \"action\": {reply}, \"raw\": \"\"}}");
        let mut nested = expected.clone();
        if nested.get("error").is_none() {
            nested["thought"] = json!("because");
        }
        vec![(step, nested)]
    });
}

#[test]
fn the_cogagent_page() {
    let page = include_str!("../pages/cogagent.txt");
    // Behind its label, with and without a blank; in a whole answer with decoys in its status.
    check_page(Dialect::CogAgent, page, |reply, expected| {
        if reply.contains("Operation:") || reply.starts_with("Status") {
            return Vec::new();
        }
        let before = "Status: The list [[0, 2, 998, 905]] and a button [[1,2,3,4]].\n\
                      Plan: 1. CLICK it. 2. END.\nAction: Do it.";
        let mut whole = expected.clone();
        if whole.get("error").is_none() {
            whole["thought"] = json!(before);
            if whole["action"]["type"] != "finish" {
                whole["action"]["reason"] = json!("Do it.");
            }
        }
        [
            "Grounded Operation: ",
            "Grounded Operation:",
            "Grounded Operation：",
        ]
        .iter()
        .map(|label| (format!("{label}{reply}"), expected.clone()))
        .chain([(format!("{before}\nGrounded Operation: {reply}"), whole)])
        .collect()
    });
}

#[test]
fn the_omnimcp_page() {
    let page = include_str!("../pages/omnimcp.txt");
    // In a fence, as models answer.
    check_page(Dialect::OmniMcp, page, |reply, expected| {
        vec![(format!("```json\n{reply}\n```"), expected.clone())]
    });
}

#[test]
fn the_hermes_page() {
    let page = include_str!("../pages/hermes.txt");
    // As the arguments of a tool call, in the shapes of servers and models, and as a written call.
    check_page(Dialect::Hermes, page, |reply, expected| {
        let Ok(Value::Object(arguments)) = serde_json::from_str::<Value>(reply) else {
            return Vec::new();
        };
        let text = Value::Object(arguments.clone()).to_string();
        let python: Vec<String> = arguments
            .iter()
            .map(|(name, value)| format!("{name}={}", in_python(value)))
            .collect();
        let name = "computer_use";
        [
            json!({"name": name, "arguments": arguments}),
            json!({"name": name, "arguments": text}),
            json!({"name": name, "arguments": json!(text).to_string()}),
            json!({"tool_calls": [{"type": "function", "function": {"name": name, "arguments": text}}]}),
            json!({"role": "assistant", "content": [{"type": "tool_use", "name": name, "input": arguments}]}),
        ]
        .iter()
        .map(Value::to_string)
        .chain([format!("computer_use({})", python.join(",\n             "))])
        .map(|way| (way, expected.clone()))
        .collect()
    });
}

fn in_python(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Array(items) => format!("[{}]", items.iter().map(in_python).collect::<Vec<_>>().join(", ")),
        value => value.to_string(),
    }
}

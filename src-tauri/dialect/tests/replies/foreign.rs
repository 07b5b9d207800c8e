//! What is not the dialect's own: refused where it would be acted on, kept where it is text.

use crate::door::{check_in, summary};
use dialect::{DIALECTS, Dialect};
use serde_json::json;

#[test]
fn foreign_markup_is_refused_unless_it_stands_in_a_text() {
    let marks = [
        "<invoke name=\"click\"><parameter name=\"index\">1</parameter></invoke>",
        "<function_calls></function_calls>",
        "<｜DSML｜ name=\"index\">189</｜DSML｜>",
        "<function=click></function>",
        "<|python_tag|>",
        "[TOOL_CALLS]",
    ];
    for mark in marks {
        for (dialect, reply) in [
            (Dialect::OpenPocket, r#"{"type":"tap","x":1,"y":2}"#),
            (Dialect::Hermes, r#"{"action":"click","element":1}"#),
            (Dialect::AndroidWorld, r#"{"action_type":"click","index":1}"#),
            (Dialect::AutoGlm, "do(action=\"Back\")"),
        ] {
            check_in(
                Some(dialect),
                &format!("{mark} {reply}"),
                &json!({"error": "malformed"}),
            );
        }
        for (dialect, reply) in [
            (
                Dialect::OpenPocket,
                json!({"type": "type", "text": mark}).to_string(),
            ),
            (
                Dialect::Hermes,
                json!({"action": "type", "text": mark}).to_string(),
            ),
            (
                Dialect::Qwen,
                json!({"name": "mobile_use", "arguments": {"action": "type", "text": mark}}).to_string(),
            ),
            (
                Dialect::AndroidWorld,
                json!({"action_type": "input_text", "text": mark}).to_string(),
            ),
            (
                Dialect::AutoGlm,
                format!("do(action=\"Type\", text={})", json!(mark)),
            ),
        ] {
            for told in [Some(dialect), None] {
                assert_eq!(summary(&reply, told)["action"]["text"], mark, "{reply}");
            }
        }
    }
}

/// One reply of each dialect.
const REPLIES: [(Dialect, &str); 15] = [
    (
        Dialect::OpenPocket,
        r#"{"thought":"t","action":{"type":"finish","message":"m"}}"#,
    ),
    (Dialect::CogAgent, "Grounded Operation: END()"),
    (
        Dialect::OmniMcp,
        r#"{"reasoning":"r","action":{"action_type":"finish_goal"},"is_goal_complete":true}"#,
    ),
    (Dialect::Hermes, r#"{"action":"list_apps"}"#),
    (Dialect::AutoGlm, "finish(message=\"m\")"),
    (Dialect::UiTars, "Thought: t\nAction: finished(content='m')"),
    (
        Dialect::Qwen,
        r#"{"name":"mobile_use","arguments":{"action":"terminate","status":"success"}}"#,
    ),
    (
        Dialect::AndroidWorld,
        r#"{"action_type":"status","goal_status":"complete"}"#,
    ),
    (
        Dialect::ToolCall,
        r#"{"name":"phone","arguments":{"type":"finish","message":"m"}}"#,
    ),
    (
        Dialect::GuiPlus,
        r#"{"action":"FINISH","parameters":{"message":"m"}}"#,
    ),
    (
        Dialect::Mobilerun,
        r#"{"action":"complete","success":true,"message":"m"}"#,
    ),
    (Dialect::AppAgent, "Action: FINISH"),
    (
        Dialect::UiVenus,
        "<think>t</think><action>Finished(content='m')</action><conclusion>c</conclusion>",
    ),
    (
        Dialect::StepGui,
        "<THINK>t</THINK>\nexplain:e\taction:COMPLETE\treturn:m\tsummary:s",
    ),
    (Dialect::Verbs, r#"{"name":"answer","arguments":{"text":"m"}}"#),
];

#[test]
fn a_dialect_is_found_by_its_marker_even_in_a_fence_or_behind_a_thought() {
    assert_eq!(
        REPLIES.map(|(dialect, _)| dialect),
        DIALECTS.map(|(dialect, _)| dialect)
    );
    for (dialect, reply) in REPLIES {
        for wrapped in [
            reply.to_owned(),
            format!("<think>do(action=\"Back\") or {{\"type\":\"tap\"}}</think>\n{reply}"),
            format!("Let me see.\n{reply}"),
            format!("\u{feff}\n{reply}\n"),
        ] {
            match dialect::parse(&wrapped, None) {
                Ok(parsed) => assert_eq!(parsed.dialect, dialect, "{wrapped}"),
                // Words before it make a lonely word of the dialect's no action.
                Err(unclear) => assert!(dialect == Dialect::AppAgent, "{wrapped}: {unclear:?}"),
            }
        }
    }
}

#[test]
fn no_dialect_ends_a_run_in_another_ones_words() {
    for (told, _) in DIALECTS {
        for (dialect, reply) in REPLIES {
            if told == dialect {
                continue;
            }
            let Ok(parsed) = dialect::parse(reply, Some(told)) else {
                continue;
            };
            let action = json!(parsed.step.action);
            assert_ne!(action["type"], "finish", "{told} ended by {dialect}'s {reply}");
        }
    }
}

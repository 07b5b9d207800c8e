//! The words a model is asked in, as the person chose them in the settings: what its server is sent, and what it answers.

use crate::rig::{Rig, at};
use crate::server::{Do, Seen, Server, chunked};
use engine::Keychain;
use keyring_core::mock;
use protocol::{Choice, ChosenModel, Ending, Maker, Provider, SettingsPatch, TrainedWords, What};
use serde_json::{Value, json};

const NOTES: &str = "com.android.notes/.MainActivity";
const GOAL: &str = "Tell me that it is done";
/// A run asks its model once, and the second opinion at most as often.
const REQUESTS: usize = 4;

/// What no other words have, as it stands in what is sent; and how such a model says that it is done.
const CASES: [(Option<TrainedWords>, &str, &str); 11] = [
    (
        None,
        "tap, double_tap, long_press: target {\"element\": 12}",
        r#"{"thought": "It is.", "action": {"type": "finish", "message": "Done."}}"#,
    ),
    (
        Some(TrainedWords::Autoglm),
        "- do(action=\"Tap\", element=[x,y]) taps a point.",
        "<think>It is.</think>\n<answer>finish(message=\"Done.\")</answer>",
    ),
    (
        Some(TrainedWords::Cogagent),
        "(Answer in Action-Operation-Sensitive format.)",
        "Action: Say so.\nGrounded Operation: END()",
    ),
    (
        Some(TrainedWords::UiTars),
        "click(start_box='(x1,y1)')",
        "Thought: It is.\nAction: finished(content='Done.')",
    ),
    (
        Some(TrainedWords::MobileUse),
        "\"name\":\"mobile_use\"",
        r#"<tool_call>{"name": "mobile_use", "arguments": {"action": "terminate", "status": "success"}}</tool_call>"#,
    ),
    (
        Some(TrainedWords::Hermes),
        "Answer with one call of the tool computer_use",
        r#"{"action": {"type": "finish", "message": "Done."}}"#,
    ),
    (
        Some(TrainedWords::Omnimcp),
        "\"is_goal_complete\": false}",
        r#"{"reasoning": "It is.", "action": {"action_type": "finish_goal", "target": null, "parameters": {}}, "is_goal_complete": true}"#,
    ),
    (
        Some(TrainedWords::UiVenus),
        "Click(box=(x1, y1))",
        "<think>It is.</think>\n<action>Finished(content='Done.')</action>",
    ),
    (
        Some(TrainedWords::UiVenus2),
        "Click(point=(x1, y1))",
        "<think>It is.</think>\n<action>Finished(content='Done.')</action>",
    ),
    (
        Some(TrainedWords::StepGui),
        "1. CLICK: action:CLICK\tpoint:x,y",
        "<THINK>It is.</THINK>\nexplain:it is done\taction:COMPLETE\treturn:Done.\tsummary:done",
    ),
    (
        Some(TrainedWords::Verbs),
        "\"name\":\"button_press\"",
        r#"<tool_call>{"name": "finish", "arguments": {"text": "Done."}}</tool_call>"#,
    ),
];

/// Every text in it, one after another.
fn texts(sent: &Value) -> String {
    match sent {
        Value::String(text) => format!("{text}\n"),
        Value::Array(all) => all.iter().map(texts).collect(),
        Value::Object(all) => all.values().map(texts).collect(),
        _ => String::new(),
    }
}

fn answer(reply: &str) -> Vec<Do> {
    let delta = json!({"choices": [{"index": 0, "delta": {"content": reply}, "finish_reason": "stop"}]});
    vec![Do::Send(chunked(&format!("data: {delta}\n\ndata: [DONE]\n\n")))]
}

/// What the settings name is what the run's model is sent, from the next task on; and its answer in those words is read.
#[tokio::test(flavor = "multi_thread")]
async fn the_words_of_the_settings_are_those_a_run_is_asked_in() {
    let keys: std::sync::Arc<store::keychain::CredentialStore> = mock::Store::new().unwrap();
    let keychain = Keychain::over(move || Ok(std::sync::Arc::clone(&keys)));
    let mut rig = Rig::new(at(NOTES), keychain).await;
    let mut server = Server::start([]).await;
    let mut sent = Vec::new();
    for (words, _, reply) in CASES {
        server.will((0..REQUESTS).map(|_| answer(reply)));
        let chosen = ChosenModel {
            maker: Maker::Custom,
            model: "of-no-family".to_owned(),
            base_url: Some(server.url()),
            words,
            ..ChosenModel::default()
        };
        let patch = SettingsPatch {
            provider: Some(Provider::Model { chosen }),
            ..SettingsPatch::default()
        };
        rig.engine.patch_settings(patch).await.unwrap();
        let phones = std::slice::from_ref(&rig.phone);
        let run = rig.engine.run(phones, GOAL, true).await.unwrap().remove(0);
        let (_, events) = rig.end(&run, Choice::Deny).await;
        let ending = events.iter().find_map(|event| match &event.what {
            What::Ended { ending, .. } => Some(ending),
            _ => None,
        });
        assert!(
            matches!(ending, Some(Ending::Finished { .. })),
            "{words:?}: {ending:?}"
        );
        let acting = loop {
            let Seen::Request { body, .. } = server.see().await else {
                continue;
            };
            // The second opinion is a conversation of its own.
            let text = texts(&serde_json::from_slice(&body).unwrap());
            if CASES.iter().any(|(_, mark, _)| text.contains(mark)) {
                break text;
            }
        };
        server.requests();
        assert!(acting.contains(GOAL), "{words:?}: {acting}");
        sent.push(acting);
    }
    for ((words, mark, _), text) in CASES.iter().zip(&sent) {
        let carry: Vec<_> = CASES
            .iter()
            .zip(&sent)
            .filter(|(_, other)| other.contains(mark))
            .collect();
        assert_eq!(
            carry.len(),
            1,
            "{words:?}: {mark} in {:?}",
            carry.iter().map(|(case, _)| case.0).collect::<Vec<_>>()
        );
        assert!(text.contains(mark), "{words:?}: {text}");
    }
}

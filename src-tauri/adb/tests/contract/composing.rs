//! Keyboards that compose: a text arrives whole, or the act says that it did not.

use crate::rig::{Setup, node, value};
use crate::running::run;
use agent::ports::Phone;
use serde_json::{Value, json};
use virtual_phone::Fault;

const EDITOR: &str = "com.android.notes/.EditorActivity";

/// What a run is told of one act, in a line, and what stands in the note then. Never is it told of a text as done that
/// does not stand there.
async fn check(keyboard: Fault, act: &Value, text: &str) -> String {
    let (rig, outcomes) = run(Setup::at(EDITOR).with(&[keyboard]), std::slice::from_ref(act)).await;
    let [outcome] = &outcomes[..] else {
        panic!("{outcomes:?}");
    };
    let tree = rig.phone.read().await.unwrap();
    let field = value(node(&tree, "id/body\""), "text").unwrap_or_default();
    let warned: Vec<&str> = outcome
        .warnings
        .iter()
        .map(|warning| warning.code.known().unwrap().as_str())
        .collect();
    let claims = outcome.ok && warned.is_empty();
    assert!(
        !claims || field == text,
        "{keyboard}: {outcome:?}, and there stands {field:?}"
    );
    format!(
        "{keyboard} {text:?}: {} {} → {field:?}",
        outcome.code,
        warned.join(", ")
    )
}

#[tokio::test(start_paused = true)]
async fn a_text_is_whole_or_told_not_to_be() {
    let mut lines = Vec::new();
    for keyboard in [Fault::Autocorrect, Fault::Pinyin] {
        for text in [
            "bread",
            "milk and bread",
            "teh",
            "teh cat",
            "so  two",
            "12 34",
            "one\ntwo",
            "Bread, 5%so jam!",
        ] {
            let target = json!({"text": "Note"});
            for act in [
                json!({"type": "type", "text": text, "target": target}),
                json!({"type": "set_value", "value": text, "target": target}),
            ] {
                lines.push(format!("{} {}", act["type"], check(keyboard, &act, text).await));
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

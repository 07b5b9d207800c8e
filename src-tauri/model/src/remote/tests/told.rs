//! What was told of a model, or is known of it: the words it is asked in, how it acts, what it costs.

use super::*;
use protocol::WireShape;
use serde_json::{Value, json};

fn model(name: &str) -> ChosenModel {
    ChosenModel {
        model: name.to_owned(),
        base_url: Some("https://api.example.org/v1".to_owned()),
        ..ChosenModel::default()
    }
}

fn frame() -> Frame {
    Frame {
        width: 32,
        height: 48,
        rgba: vec![200; 32 * 48 * 4].into(),
    }
}

async fn system(chosen: ChosenModel, picture: Option<Frame>) -> String {
    let bench = bench_of(chosen, vec![good()]);
    bench.remote.think(&prompt(picture), &|_, _| {}).await.unwrap();
    let body = bench.body(0);
    assert!(body["tools"].is_null(), "{body}");
    body["messages"][0]["content"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_model_is_asked_in_the_words_that_were_told() {
    let told = |name: &str, words| ChosenModel {
        words: Some(words),
        ..model(name)
    };
    let hermes = system(told("hermes-4-70b", TrainedWords::Hermes), Some(frame())).await;
    assert!(
        hermes.contains(r#"{"name": "computer_use", "arguments": {"action": "click""#),
        "{hermes}"
    );
    let omni = system(told("some-model", TrainedWords::Omnimcp), Some(frame())).await;
    assert!(omni.contains("OmniMCP") || omni.contains("element_id"), "{omni}");
    // Also where its name says others, and where the settings said text before.
    let other = system(told("ui-tars-1.5-7b", TrainedWords::Autoglm), Some(frame())).await;
    assert!(other.contains("do(action=\"Launch\""), "{other}");

    // Both read the list, so it is sent to them.
    for words in [TrainedWords::Hermes, TrainedWords::Omnimcp] {
        assert!(
            bench_of(told("ui-tars-1.5-7b", words), Vec::new())
                .remote
                .capabilities()
                .elements
        );
    }
    assert!(
        !bench_of(model("ui-tars-1.5-7b"), Vec::new())
            .remote
            .capabilities()
            .elements
    );

    // Whoever says that it calls a tool means that.
    let tool = ChosenModel {
        acting: Some(Acting::Tool),
        ..told("some-model", TrainedWords::Hermes)
    };
    let bench = bench_of(tool, vec![good()]);
    bench.remote.think(&prompt(None), &|_, _| {}).await.unwrap();
    assert!(bench.body(0)["tools"].is_array());
}

/// They answer 400 to a tool they must call: one call of a run was lost to learn it.
#[tokio::test(start_paused = true)]
async fn a_model_that_cannot_be_made_to_call_is_never_asked_to() {
    let choice = async |name: &str| -> Value {
        let chosen = ChosenModel {
            shape: Some(WireShape::Messages),
            ..model(name)
        };
        let answer = refuses(
            200,
            r#"{"content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn"}"#,
        );
        let bench = bench_of(chosen, vec![answer]);
        bench.remote.think(&prompt(None), &|_, _| {}).await.unwrap();
        assert_eq!(bench.requests(), 1);
        bench.body(0)["tool_choice"]["type"].clone()
    };
    assert_eq!(choice("claude-fable-5-1").await, "auto");
    assert_eq!(choice("anthropic/claude-mythos-5.1").await, "auto");
    assert_eq!(choice("claude-fable-5").await, "tool");
}

#[tokio::test(start_paused = true)]
async fn what_nobody_knows_the_price_of_is_estimated_and_says_so() {
    let usage = async |chosen: ChosenModel| {
        let bench = bench_of(chosen, vec![good()]);
        bench.think().await.result.unwrap().usage
    };
    let used = usage(model("nobody-knows-7b")).await;
    assert!(
        used.is_estimate && used.dollars.is_some_and(|dollars| dollars > 0.0),
        "{used:?}"
    );
    // So is a server on this computer that is none of those that are known to be free.
    let own = ChosenModel {
        base_url: Some("http://127.0.0.1:4000/v1".to_owned()),
        ..model("nobody-knows-7b")
    };
    assert_eq!(usage(own).await, used);
    let told = ChosenModel {
        price: Some(Price {
            input: 1.0,
            ..Price::default()
        }),
        ..model("nobody-knows-7b")
    };
    assert!(!usage(told).await.is_estimate);
    let here = ChosenModel {
        base_url: Some("http://127.0.0.1:8000/v1".to_owned()),
        ..model("nobody-knows-7b")
    };
    let used = usage(here).await;
    assert_eq!((used.dollars, used.is_estimate), (Some(0.0), false));
}

/// A gate before the net, at an address nobody typed: the address is right, the net is not.
#[tokio::test(start_paused = true)]
async fn a_page_at_the_makers_own_address_is_no_wrong_address() {
    let makers = || ChosenModel {
        maker: Maker::Openai,
        model: "gpt-5.2".to_owned(),
        ..ChosenModel::default()
    };
    let page = || refuses(200, "<!DOCTYPE html><html><title>Hotel Wi-Fi</title></html>");
    let moved = || refuses(302, "");
    let login = || refuses(511, "<html>Log in to the network</html>");
    for (turn, why) in [
        (page as fn() -> Turn, "page"),
        (moved, "redirect"),
        (login, "page"),
    ] {
        let bench = bench_of(makers(), (0..9).map(|_| turn()).collect());
        let failure = bench.think().await.result.unwrap_err();
        assert_eq!(reason(&failure), (FailureCode::ModelPage, why));
    }
    // At an address that was typed, it is the address.
    let bench = bench_of(model("some-model"), (0..9).map(|_| moved()).collect());
    let failure = bench.think().await.result.unwrap_err();
    assert_eq!(failure.code, FailureCode::ModelAddress);
}

#[tokio::test(start_paused = true)]
async fn one_text_goes_on_where_only_completions_are_spoken() {
    let whole = || {
        refuses(
            200,
            r#"{"object":"text_completion","choices":[{"index":0,"text":" {\"type\": \"wait\"}","logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":5}}"#,
        )
    };
    let chosen = ChosenModel {
        shape: Some(WireShape::Completions),
        ..model("some-model")
    };
    let bench = bench_of(chosen, vec![whole()]);
    assert!(!bench.remote.capabilities().picture && bench.remote.capabilities().elements);
    let reply = bench
        .remote
        .think(&prompt(Some(frame())), &|_, _| {})
        .await
        .unwrap();
    assert!(dialect::parse(&reply.text, None).is_ok(), "{}", reply.text);
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (20, 5));
    let url = bench.seen.lock().unwrap()[0].url.to_string();
    assert_eq!(url, "https://api.example.org/v1/completions");
    let body = bench.body(0);
    let said = body["prompt"].as_str().unwrap();
    assert!(said.starts_with("You operate a phone.\n\n"), "{said}");
    assert!(
        said.ends_with("Task: open Settings\nThe screen now: app unknown\n\nReturn JSON only."),
        "{said}"
    );
    assert!(said.contains(agent::prompt::IN_TEXT), "{said}");
    let mut fields: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "max_tokens",
            "model",
            "prompt",
            "stream",
            "stream_options",
            "temperature"
        ]
    );
    assert_eq!(body["stream_options"], json!({"include_usage": true}));

    // A server that has nothing else says so.
    let only = r#"{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?"}}"#;
    let bench = bench_of(model("some-model"), vec![refuses(404, only), whole(), whole()]);
    bench.think().await.result.unwrap();
    bench.think().await.result.unwrap();
    let seen = bench.seen.lock().unwrap();
    let paths: Vec<&str> = seen.iter().map(|request| request.url.path()).collect();
    assert_eq!(
        paths,
        ["/v1/chat/completions", "/v1/completions", "/v1/completions"]
    );
}

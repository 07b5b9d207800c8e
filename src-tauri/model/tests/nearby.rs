//! Lists of models and servers on this computer, over real sockets.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod server;

use model::{FixedKey, NoKey, nearby_at, offered};
use protocol::{ChosenModel, FailureCode, Maker, Price, WireShape};
use server::{Do, Seen, Server, answer, header};
use std::sync::Arc;

fn says(body: &str) -> Vec<Do> {
    vec![Do::Send(answer("200 OK", "", body)), Do::Close]
}

#[tokio::test]
async fn ollama_and_lm_studio_are_found_with_what_they_can() {
    let ollama = Server::start([
        says(r#"{"models":[{"name":"qwen3-vl:8b","model":"qwen3-vl:8b","size":1}]}"#),
        says(r#"{"capabilities":["completion","vision","tools"],"model_info":{"qwen3vl.context_length":262144}}"#),
    ])
    .await;
    let studio = Server::start([says(
        r#"{"object":"list","data":[{"id":"gemma","type":"vlm","max_context_length":8192}]}"#,
    )])
    .await;
    let nobody = "http://127.0.0.1:9/v1";
    let found = nearby_at(&[
        (Maker::Ollama, &ollama.url()),
        (Maker::LmStudio, &studio.url()),
        (Maker::LmStudio, nobody),
        // Not on this computer: not asked.
        (Maker::Ollama, "http://192.0.2.1:11434/v1"),
    ])
    .await;
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].maker, found[0].base_url.as_str()),
        (Maker::Ollama, ollama.url().as_str())
    );
    let model = &found[0].models[0];
    assert_eq!(
        (model.id.as_str(), model.picture, model.tool, model.context),
        ("qwen3-vl:8b", Some(true), Some(true), Some(262_144))
    );
    assert_eq!(model.price, Some(Price::default()), "free");
    assert_eq!(
        (found[1].models[0].id.as_str(), found[1].models[0].picture),
        ("gemma", Some(true))
    );
}

#[tokio::test]
async fn what_answers_there_and_is_something_else_is_not_found() {
    let page = Server::start([says("<html>hello</html>"), says("{}")]).await;
    let other = Server::start([says(r#"{"hello":1}"#), says("[]"), says("{}")]).await;
    let found = nearby_at(&[(Maker::Ollama, &page.url()), (Maker::LmStudio, &other.url())]).await;
    assert_eq!(found, []);
}

#[tokio::test]
async fn a_makers_list_is_asked_for_in_its_own_way() {
    for (shape, path, name) in [
        (WireShape::Chat, "GET /v1/models HTTP", "authorization"),
        (WireShape::Messages, "GET /v1/models?limit=1000 HTTP", "x-api-key"),
        (
            WireShape::GenerateContent,
            "GET /v1/models?pageSize=1000 HTTP",
            "x-goog-api-key",
        ),
    ] {
        let mut server = Server::start([says(r#"{"data":[{"id":"a"}]}"#)]).await;
        let chosen = ChosenModel {
            base_url: Some(server.url()),
            shape: Some(shape),
            ..ChosenModel::default()
        };
        let models = offered(&chosen, Arc::new(FixedKey("MARKER-key".into())))
            .await
            .unwrap();
        assert_eq!(models[0].id, "a");
        let Seen::Request { head, .. } = server.see().await else {
            panic!("a request");
        };
        assert!(head.starts_with(path), "{head}");
        assert!(header(&head, name).unwrap().ends_with("MARKER-key"), "{head}");
        assert_eq!(
            header(&head, "anthropic-version").is_some(),
            shape == WireShape::Messages
        );
    }
}

#[tokio::test]
async fn why_there_is_no_list_is_told() {
    let check = async |script: Vec<Do>, expected: FailureCode| {
        let server = Server::start([script]).await;
        let chosen = ChosenModel {
            base_url: Some(server.url()),
            ..ChosenModel::default()
        };
        let failure = offered(&chosen, Arc::new(FixedKey("MARKER-key-123".into())))
            .await
            .unwrap_err();
        assert_eq!(failure.code, expected);
        assert!(!format!("{failure:?}").contains("MARKER"));
    };
    let refuses = |status: &str, body: &str| vec![Do::Send(answer(status, "", body)), Do::Close];
    check(
        refuses(
            "401 Unauthorized",
            r#"{"error":{"message":"Incorrect API key provided: MARKER-key-123"}}"#,
        ),
        FailureCode::ModelKey,
    )
    .await;
    check(
        refuses("404 Not Found", "404 page not found"),
        FailureCode::ModelAddress,
    )
    .await;
    check(refuses("200 OK", "<html>"), FailureCode::ModelPage).await;
    check(vec![Do::Close], FailureCode::ModelOffline).await;

    // Without a key where one is wanted.
    let server = Server::start([refuses("401 Unauthorized", "{}")]).await;
    let chosen = ChosenModel {
        base_url: Some(server.url()),
        ..ChosenModel::default()
    };
    let failure = offered(&chosen, Arc::new(NoKey)).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::ModelKeyMissing);
}

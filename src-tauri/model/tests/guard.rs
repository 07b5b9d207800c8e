//! The second opinion over real sockets, in every wire shape.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod server;

use agent::guard::Guard;
use judge::guard::{Page, Question, Say};
use model::{FixedKey, GuardModel};
use protocol::{
    AskKind, Bounds, ChosenModel, Element, ElementState, Frame, Price, Role, Screen, Usage, WireShape,
};
use serde_json::{Value, json};
use server::{Do, Server, answer, prompt};
use std::sync::Arc;

/// Two lines, 400 tokens read, 20 written.
fn stream(shape: WireShape) -> &'static str {
    match shape {
        WireShape::Chat => concat!(
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"1 moves\\n2 \"}}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"commits send\"},\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":400,\"completion_tokens\":20}}\n\ndata: [DONE]\n\n",
        ),
        WireShape::Completions => concat!(
            "data: {\"choices\":[{\"index\":0,\"text\":\"1 moves\\n2 \"}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"text\":\"commits send\",\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":400,\"completion_tokens\":20}}\n\ndata: [DONE]\n\n",
        ),
        WireShape::Responses => concat!(
            "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",",
            "\"content\":[{\"type\":\"output_text\",\"text\":\"1 moves\\n2 commits send\"}]}],",
            "\"usage\":{\"input_tokens\":400,\"output_tokens\":20}}}\n\n",
        ),
        WireShape::Messages => concat!(
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":400,\"output_tokens\":1}}}\n\n",
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"1 moves\\n2 commits send\"}}\n\n",
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":20}}\n\n",
            "data: {\"type\":\"message_stop\"}\n\n",
        ),
        WireShape::GenerateContent => concat!(
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"1 moves\\n2 commits send\"}]},\"finishReason\":\"STOP\"}],",
            "\"usageMetadata\":{\"promptTokenCount\":400,\"candidatesTokenCount\":20}}\n\n",
        ),
    }
}

fn button(index: u32, label: &str) -> Element {
    Element {
        index,
        track_id: index.to_string(),
        role: Role::Button,
        label: label.to_owned(),
        description: None,
        value: None,
        states: vec![ElementState::Clickable],
        bounds: Bounds {
            left: 0,
            top: 100,
            right: 200,
            bottom: 200,
        },
        resource_id: String::new(),
        package: "org.example.mail".to_owned(),
    }
}

/// `More`, `Send`, and with `icon` a button without words.
fn question(icon: bool) -> Question {
    let mut elements = vec![button(1, "More"), button(2, "Send")];
    elements.extend(icon.then(|| button(3, "")));
    let screen = Screen {
        current_app: "org.example.mail".to_owned(),
        elements,
        tree_read: true,
        tree_bounds: None,
        ..prompt().facts.screen
    };
    let page = Page {
        screen: &screen,
        task: "write to Mum",
        app: "Mail",
        site: None,
        version: "1",
        signers: &[],
        eyes: true,
    };
    Question::of(&page).unwrap()
}

fn chosen(server: &Server, shape: WireShape) -> ChosenModel {
    ChosenModel {
        model: "some-model".to_owned(),
        base_url: Some(server.url()),
        shape: Some(shape),
        price: Some(Price {
            input: 1.0,
            output: 5.0,
            ..Price::default()
        }),
        ..ChosenModel::default()
    }
}

/// Where each shape holds the instructions, the question, the limit of the answer and the temperature.
fn places(shape: WireShape) -> [Option<&'static str>; 4] {
    match shape {
        WireShape::Chat => [
            Some("/messages/0/content"),
            Some("/messages/1/content"),
            Some("/max_tokens"),
            Some("/temperature"),
        ],
        // One text: the instructions, and the question after them.
        WireShape::Completions => [Some("/prompt"), None, Some("/max_tokens"), Some("/temperature")],
        WireShape::Responses => [
            Some("/instructions"),
            Some("/input/0/content/0/text"),
            Some("/max_output_tokens"),
            Some("/temperature"),
        ],
        WireShape::Messages => [
            Some("/system/0/text"),
            Some("/messages/0/content/0/text"),
            Some("/max_tokens"),
            None,
        ],
        WireShape::GenerateContent => [
            Some("/systemInstruction/parts/0/text"),
            Some("/contents/0/parts/0/text"),
            Some("/generationConfig/maxOutputTokens"),
            Some("/generationConfig/temperature"),
        ],
    }
}

#[tokio::test]
async fn every_shape_is_asked_and_read() {
    for shape in [
        WireShape::Chat,
        WireShape::Completions,
        WireShape::Responses,
        WireShape::Messages,
        WireShape::GenerateContent,
    ] {
        let whole = answer("200 OK", "content-type: text/event-stream\r\n", stream(shape));
        let mut server = Server::start([vec![Do::Send(whole)]]).await;
        let second = GuardModel::open(chosen(&server, shape), Arc::new(FixedKey("k".into()))).unwrap();
        let question = question(false);
        let reply = second.opinion(&question, None).await.unwrap();
        let opinion = question.read(&reply.text).unwrap();
        assert_eq!(
            (opinion.says(1), opinion.says(2)),
            (Say::Moves, Say::Commits(AskKind::Send)),
            "{shape:?}"
        );
        // 400 read at 1, 20 written at 5, a million.
        assert_eq!(reply.usage.dollars, Some(0.0005), "{shape:?}");
        // The very same question is answered from memory, for nothing: the server answers no other.
        let again = second.opinion(&question, None).await.unwrap();
        assert_eq!(
            (again.text, again.usage),
            (reply.text, Usage::default()),
            "{shape:?}"
        );
        let (_, body) = server.request().await;
        let (system, now) = match shape {
            WireShape::Completions => (format!("{}\n\n{}", question.system(), question.text()), None),
            _ => (question.system().to_owned(), Some(json!(question.text()))),
        };
        let expected = [
            Some(json!(system)),
            now,
            Some(json!(2048)),
            places(shape)[3].map(|_| json!(0)),
        ];
        let sent = places(shape).map(|place| body.pointer(place?).cloned());
        assert_eq!(sent, expected, "{shape:?}");
        assert_eq!(body.get("tools"), None, "{shape:?}: a conversation of its own");
    }
}

#[tokio::test]
async fn a_picture_goes_along_where_something_has_no_words() {
    let whole = answer(
        "200 OK",
        "content-type: text/event-stream\r\n",
        stream(WireShape::Chat),
    );
    let mut server = Server::start([vec![Do::Send(whole)]]).await;
    let second = GuardModel::open(chosen(&server, WireShape::Chat), Arc::new(FixedKey("k".into()))).unwrap();
    assert!(second.has_eyes());
    let question = question(true);
    assert!(question.has_picture());
    let frame = Frame {
        width: 24,
        height: 48,
        rgba: vec![200; 24 * 48 * 4].into(),
    };
    second.opinion(&question, Some(&frame)).await.unwrap();
    let (_, body) = server.request().await;
    let kinds: Vec<&Value> = body["messages"][1]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["type"])
        .collect();
    assert_eq!(kinds, ["image_url", "text"]);
}

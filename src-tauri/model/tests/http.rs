//! Over real sockets: whole, cut, slow, stalled, cancelled, sent elsewhere.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod server;

use agent::ports::{Model, Reply};
use model::{FixedKey, Keys, NoKey, Remote, Timeouts};
use protocol::{Acting, ChosenModel, Failure, FailureCode, WireShape};
use server::{Do, EVENTS, Seen, Server, answer, chunked, header, prompt};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const KEY: &str = "MARKER-key-1234567890";

/// No waits between tries; limits that no working computer reaches.
const NO_BACKOFF: Timeouts = Timeouts {
    backoff: Duration::ZERO,
    ..Timeouts::REMOTE
};

fn chat_with(url: &str, keys: impl Keys + 'static, timeouts: Timeouts) -> Remote {
    let endpoint = ChosenModel {
        base_url: Some(url.to_owned()),
        model: "some-model".to_owned(),
        acting: Some(Acting::Text),
        ..ChosenModel::default()
    };
    Remote::open(endpoint, Arc::new(keys))
        .unwrap()
        .with_timeouts(timeouts)
}

fn chat(url: &str) -> Remote {
    chat_with(url, FixedKey(KEY.into()), NO_BACKOFF)
}

async fn think(chat: &Remote) -> Result<Reply, Failure> {
    chat.think(&prompt(), &|_, _| {}).await
}

fn reason(failure: &Failure) -> (FailureCode, &str) {
    (
        failure.code,
        failure.values.get("reason").map_or("", String::as_str),
    )
}

fn assert_ok(result: Result<Reply, Failure>) {
    let reply = result.unwrap();
    assert_eq!(reply.text, "ok");
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (20, 2));
}

#[tokio::test]
async fn a_stream_arrives_however_it_is_sent() {
    let by_length = answer("200 OK", "content-type: text/event-stream\r\n", EVENTS);
    let mut until_close = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec();
    until_close.extend_from_slice(EVENTS.as_bytes());
    let whole = r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":2}}"#;
    let whole = answer("200 OK", "content-type: application/json\r\n", whole);
    for script in [
        vec![Do::Send(chunked(EVENTS))],
        vec![Do::Drip(chunked(EVENTS))],
        vec![Do::Send(by_length.clone())],
        vec![Do::Drip(by_length)],
        vec![Do::Send(until_close.clone()), Do::Close],
        vec![Do::Drip(until_close), Do::Close],
        vec![Do::Drip(whole)],
    ] {
        let server = Server::start([script]).await;
        assert_ok(think(&chat(&server.url())).await);
    }
}

/// The recorded streams of every shape, a byte at a time, are the same answers as in one piece.
#[tokio::test]
async fn every_shape_may_be_slow() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/wire_format/streams");
    for (shape, name) in [
        (WireShape::Chat, "chat"),
        (WireShape::Responses, "responses"),
        (WireShape::Messages, "messages"),
        (WireShape::GenerateContent, "gemini"),
    ] {
        for kind in ["text", "tool"] {
            let stream = std::fs::read_to_string(folder.join(format!("{name}_{kind}.sse"))).unwrap();
            let whole = answer("200 OK", "content-type: text/event-stream\r\n", &stream);
            let mut replies = Vec::new();
            for script in [Do::Send(whole.clone()), Do::Drip(whole)] {
                let server = Server::start([vec![script]]).await;
                let chosen = ChosenModel {
                    base_url: Some(server.url()),
                    model: "some-model".to_owned(),
                    shape: Some(shape),
                    ..ChosenModel::default()
                };
                let remote = Remote::open(chosen, Arc::new(FixedKey(KEY.into()))).unwrap();
                replies.push(think(&remote.with_timeouts(NO_BACKOFF)).await.unwrap());
            }
            assert!(replies[0].usage.output_tokens > 0, "{name}, {kind}");
            assert_eq!(replies[0], replies[1], "{name}, {kind}");
        }
    }
}

#[tokio::test]
async fn what_is_sent_is_a_request_for_chat_completions() {
    let mut server = Server::start([vec![Do::Send(chunked(EVENTS))]]).await;
    assert_ok(think(&chat(&server.url())).await);
    let (head, body) = server.request().await;
    assert!(
        head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{head}"
    );
    assert_eq!(
        header(&head, "authorization"),
        Some("Bearer MARKER-key-1234567890")
    );
    assert_eq!(header(&head, "content-type"), Some("application/json"));
    assert!(header(&head, "user-agent").unwrap().starts_with("PocketDeck/"));
    assert!(!body.to_string().contains("MARKER"));
    assert_eq!(
        body["messages"][1]["content"],
        "Task: open Settings\nThe screen now: app unknown"
    );
}

#[tokio::test]
async fn a_server_here_needs_no_key_and_is_called_by_its_name() {
    let mut server = Server::start([vec![Do::Send(chunked(EVENTS))]]).await;
    let url = format!("http://localhost:{}/v1", server.address.port());
    assert_ok(think(&chat_with(&url, NoKey, NO_BACKOFF)).await);
    let (head, _) = server.request().await;
    assert_eq!(header(&head, "authorization"), None);
    assert_eq!(header(&head, "host"), Some(url[7..].trim_end_matches("/v1")));
}

#[tokio::test]
async fn one_connection_serves_a_whole_run() {
    let scripts = (0..5).map(|_| vec![Do::Send(chunked(EVENTS))]);
    let server = Server::start(scripts).await;
    let chat = chat(&server.url());
    for _ in 0..5 {
        assert_ok(think(&chat).await);
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

/// So far apart a usual run cuts what comes over a socket: at every byte where `POCKETDECK_LONG` is set. The events alone
/// are cut at every byte in every run, beside what reads them.
fn apart() -> usize {
    if std::env::var_os("POCKETDECK_LONG").is_some() {
        1
    } else {
        13
    }
}

/// The connection breaks in head, framing and events in turn. `done`: what ends an answer; from there on nothing is missing.
async fn cut_anywhere(shape: WireShape, events: &str, done: &str) {
    let whole = chunked(events);
    let complete = String::from_utf8_lossy(&whole).find(done).unwrap();
    let server = Server::start([]).await;
    let chosen = ChosenModel {
        base_url: Some(server.url()),
        model: "some-model".to_owned(),
        shape: Some(shape),
        ..ChosenModel::default()
    };
    let remote = Remote::open(chosen, Arc::new(FixedKey(KEY.into())))
        .unwrap()
        .with_timeouts(NO_BACKOFF);
    let again = vec![Do::Send(whole.clone()), Do::Close];
    server.will([again.clone()]);
    let expected = think(&remote).await.unwrap();
    for cut in (0..whole.len()).step_by(apart()) {
        server.will([vec![Do::Send(whole[..cut].to_vec()), Do::Close], again.clone()]);
        let told = Mutex::new(Vec::new());
        let retrying = |failure: &Failure, _| told.lock().unwrap().push(failure.code);
        let reply = remote.think(&prompt(), &retrying).await.unwrap();
        assert_eq!(reply.text, expected.text, "{shape:?} cut at {cut}");
        let told = told.into_inner().unwrap();
        match told[..] {
            [FailureCode::ModelOffline | FailureCode::ModelCut] => {}
            [] if cut > complete => {}
            _ => panic!("{shape:?} cut at {cut}: {told:?}"),
        }
    }
}

#[tokio::test]
async fn cut_anywhere_it_is_asked_for_again_as_a_whole() {
    cut_anywhere(WireShape::Chat, EVENTS, "\"stop\"").await;
}

#[tokio::test]
async fn responses_cut_anywhere() {
    let events = include_str!("../src/wire_format/streams/responses_tool.sse");
    cut_anywhere(WireShape::Responses, events, "response.completed").await;
}

#[tokio::test]
async fn messages_cut_anywhere() {
    let events = include_str!("../src/wire_format/streams/messages_tool.sse");
    cut_anywhere(WireShape::Messages, events, "\"stop_reason\":\"tool_use\"").await;
}

#[tokio::test]
async fn gemini_cut_anywhere() {
    for events in [
        include_str!("../src/wire_format/streams/gemini_text.sse"),
        include_str!("../src/wire_format/streams/gemini_tool.sse"),
    ] {
        cut_anywhere(WireShape::GenerateContent, events, "\"finishReason\"").await;
    }
}

#[tokio::test]
async fn a_server_that_goes_quiet_is_given_up_and_let_go() {
    let begun = chunked(EVENTS)[..260].to_vec();
    for (script, expected) in [
        (vec![Do::Hold], "first"),
        (vec![Do::Send(begun), Do::Hold], "stall"),
    ] {
        let mut server = Server::start([script.clone(), script]).await;
        let timeouts = Timeouts {
            first: Duration::from_millis(50),
            stall: Duration::from_millis(50),
            ..NO_BACKOFF
        };
        let chat = chat_with(&server.url(), NoKey, timeouts);
        let failure = think(&chat).await.unwrap_err();
        assert_eq!(reason(&failure), (FailureCode::ModelSlow, expected));
        let mut gone = 0;
        while gone < 2 {
            gone += usize::from(server.see().await == Seen::Gone);
        }
    }
}

/// `cargo nextest run -p model a_dropped_request --no-capture` prints how soon.
#[tokio::test]
async fn a_dropped_request_is_gone_at_once() {
    let begun = chunked(EVENTS)[..260].to_vec();
    for script in [vec![Do::Hold], vec![Do::Send(begun), Do::Hold]] {
        let mut server = Server::start([script]).await;
        let chat = chat(&server.url());
        let thinking = tokio::spawn(async move { think(&chat).await });
        assert!(matches!(server.see().await, Seen::Request { .. }));
        assert_eq!(server.see().await, Seen::Holding);
        let cancelled = std::time::Instant::now();
        thinking.abort();
        assert_eq!(server.see().await, Seen::Gone);
        println!("gone {:?} after it was cancelled", cancelled.elapsed());
    }
}

#[tokio::test]
async fn a_wrong_key_is_told_once_and_without_the_key() {
    let body =
        format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}.","code":"invalid_api_key"}}}}"#);
    let mut server = Server::start([vec![Do::Send(answer("401 Unauthorized", "", &body))]]).await;
    let failure = think(&chat(&server.url())).await.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelKey, "refused"));
    assert_eq!(failure.values["status"], "401");
    assert_eq!(failure.values["host"], "127.0.0.1");
    assert!(!format!("{failure:?}").contains("MARKER"));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn an_empty_purse_is_no_reason_to_try_again() {
    let body = r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
    let mut server = Server::start([vec![Do::Send(answer("429 Too Many Requests", "", body))]]).await;
    let failure = think(&chat(&server.url())).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::ModelQuota);
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn trouble_that_passes_is_waited_out() {
    let busy = answer("429 Too Many Requests", "retry-after: 0\r\n", "{}");
    let down = answer("503 Service Unavailable", "", "<h1>back soon</h1>");
    let mut server = Server::start([
        vec![Do::Send(busy)],
        vec![Do::Send(down)],
        vec![Do::Close],
        vec![Do::Send(chunked(EVENTS))],
    ])
    .await;
    assert_ok(think(&chat(&server.url())).await);
    assert_eq!(server.requests(), 4);
}

#[tokio::test]
async fn nothing_follows_to_another_host() {
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        let mut other = Server::start([vec![Do::Send(chunked(EVENTS))]]).await;
        let to = format!("location: http://{}/v1/chat/completions\r\n", other.address);
        let server = Server::start([vec![Do::Send(answer(status, &to, ""))]]).await;
        let failure = think(&chat(&server.url())).await.unwrap_err();
        assert_eq!(reason(&failure), (FailureCode::ModelAddress, "redirect"));
        assert_eq!(failure.values["to"], "127.0.0.1");
        assert_eq!(other.connections.load(Ordering::SeqCst), 0);
        assert_eq!(other.requests(), 0);
    }
}

#[tokio::test]
async fn a_redirect_within_the_host_is_followed_a_few_times() {
    let on = || {
        vec![Do::Send(answer(
            "307 Temporary Redirect",
            "location: /v1/chat/completions/\r\n",
            "",
        ))]
    };
    let mut server = Server::start([on(), vec![Do::Send(chunked(EVENTS))]]).await;
    assert_ok(think(&chat(&server.url())).await);
    let (_, first) = server.request().await;
    let (head, second) = server.request().await;
    assert!(
        head.starts_with("POST /v1/chat/completions/ HTTP/1.1\r\n"),
        "{head}"
    );
    assert_eq!(
        header(&head, "authorization"),
        Some("Bearer MARKER-key-1234567890")
    );
    assert_eq!(first, second);

    let mut server = Server::start((0..20).map(|_| on())).await;
    let failure = think(&chat(&server.url())).await.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelAddress, "redirect"));
    assert_eq!(server.requests(), 4);
}

#[tokio::test]
async fn nobody_listening_is_told() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", free.local_addr().unwrap());
    drop(free);
    let told = Mutex::new(0);
    let retrying = |_: &Failure, _| *told.lock().unwrap() += 1;
    let failure = chat(&url).think(&prompt(), &retrying).await.unwrap_err();
    assert_eq!(reason(&failure), (FailureCode::ModelHere, "refused"));
    assert_eq!(told.into_inner().unwrap(), 4);
    let tried = chat(&url).try_it().await.unwrap_err();
    assert_eq!(reason(&tried), (FailureCode::ModelHere, "refused"));
}

#[tokio::test]
async fn the_test_of_the_connection_takes_the_time_it_takes() {
    let good = || vec![Do::Send(chunked(EVENTS))];
    let mut server = Server::start([good(), good()]).await;
    let tried = chat(&server.url()).try_it().await.unwrap();
    // It was asked to tap a cross, and said something else.
    assert_eq!(tried.aim, protocol::PointingTest::NoPoint);
    assert_eq!(server.requests(), 2);
}

#[test]
fn addresses_that_cannot_be_used_are_told_before_anything_is_sent() {
    for (url, expected) in [
        ("", "empty"),
        ("http://api.example.org/v1", "plain"),
        ("http://192.168.1.5:11434/v1", "plain_private"),
        ("https://me:secret@example.org/v1", "credentials"),
    ] {
        let endpoint = ChosenModel {
            base_url: Some(url.to_owned()),
            model: "m".to_owned(),
            acting: Some(Acting::Text),
            ..ChosenModel::default()
        };
        let failure = Remote::open(endpoint, Arc::new(NoKey)).unwrap_err();
        assert_eq!(reason(&failure), (FailureCode::ModelAddress, expected));
        assert!(!format!("{failure:?}").contains("secret"));
    }
}

//! With every log line of every library switched on, the key is in none.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod server;

use agent::ports::Model;
use model::{FixedKey, Remote, Timeouts};
use protocol::{Acting, ChosenModel};
use server::{Do, EVENTS, Server, answer, chunked, header, prompt};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_key_is_in_no_log() {
    let log = LogBuffer::default();
    let writer = log.clone();
    // Also what libraries write through the crate `log`.
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .init();
    let echo = r#"{"error":{"message":"You sent MARKER-key-1234567890"}}"#;
    let mut server = Server::start([
        vec![Do::Send(answer("500 Oh No", "", echo))],
        vec![Do::Send(answer("400 Bad", "", echo))],
        vec![Do::Send(chunked(EVENTS))],
    ])
    .await;
    let endpoint = ChosenModel {
        base_url: Some(server.url()),
        model: "some-model".to_owned(),
        acting: Some(Acting::Text),
        ..ChosenModel::default()
    };
    let chat = Remote::open(endpoint, Arc::new(FixedKey("MARKER-key-1234567890".into())))
        .unwrap()
        .with_timeouts(Timeouts {
            backoff: Duration::ZERO,
            ..Timeouts::REMOTE
        });
    chat.think(&prompt(), &|_, _| {}).await.unwrap_err();
    chat.think(&prompt(), &|_, _| {}).await.unwrap();

    let (head, _) = server.request().await;
    assert!(
        header(&head, "authorization").unwrap().contains("MARKER"),
        "it was sent"
    );
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("asked") && log.contains("hyper"), "the log was kept");
    assert!(!log.contains("MARKER"), "{log}");
}

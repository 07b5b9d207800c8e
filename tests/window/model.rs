//! A server that speaks OpenAI's chat completions and says what the test wrote. It keeps every request.

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What one request is answered with.
pub(crate) enum Answer {
    /// The model says this.
    Says(String),
    /// The server fails with this status.
    Status(u16),
    /// Nothing comes.
    Silence,
}

type Script = Box<dyn FnMut(&Value) -> Answer + Send>;

/// The server.
pub(crate) struct ScriptedServer {
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl ScriptedServer {
    /// Answers each request as `script` says of its body.
    pub(crate) async fn start(script: impl FnMut(&Value) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(script)));
        let kept = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&kept)));
            }
        });
        Self { address, requests }
    }

    /// Answers in this order; the last one again and again.
    pub(crate) async fn saying(answers: &[&str]) -> Self {
        let answers: Vec<String> = answers.iter().map(|&answer| answer.to_owned()).collect();
        let mut at = 0;
        Self::start(move |_| {
            let answer = answers[at.min(answers.len() - 1)].clone();
            at += 1;
            Answer::Says(answer)
        })
        .await
    }

    /// Every request's whole text, head included.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, script: Arc<Mutex<Script>>, kept: Arc<Mutex<Vec<String>>>) {
    while let Some((head, body)) = read_request(&mut stream).await {
        kept.lock().unwrap().push(format!("{head}{body}"));
        let request: Value = serde_json::from_str(&body).unwrap_or_default();
        let answer = (script.lock().unwrap())(&request);
        let written = match answer {
            Answer::Says(text) => stream.write_all(reply(&text).as_bytes()).await,
            Answer::Status(status) => {
                let body = json!({"error": {"message": "the test wants this"}}).to_string();
                let text = format!(
                    "HTTP/1.1 {status} Trouble\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(text.as_bytes()).await
            }
            Answer::Silence => std::future::pending().await,
        };
        if written.is_err() {
            return;
        }
    }
}

/// One streamed answer, in two pieces and the end.
fn reply(text: &str) -> String {
    let half = text
        .char_indices()
        .nth(text.chars().count() / 2)
        .map_or(0, |(at, _)| at);
    let mut events = String::new();
    for piece in [&text[..half], &text[half..]] {
        let chunk = json!({"choices": [{"index": 0, "delta": {"content": piece}}]});
        events.push_str(&format!("data: {chunk}\n\n"));
    }
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                      "usage": {"prompt_tokens": 1200, "completion_tokens": 40}});
    events.push_str(&format!("data: {last}\n\ndata: [DONE]\n\n"));
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{events}",
        events.len()
    )
}

async fn read_request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        let n = stream.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length: usize = head
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase()
                .strip_prefix("content-length:")
                .map(|n| n.trim().parse().unwrap())
        })
        .unwrap_or(0);
    while bytes.len() < end + length {
        let n = stream.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    }
    Some((
        head,
        String::from_utf8_lossy(&bytes[end..end + length]).into_owned(),
    ))
}

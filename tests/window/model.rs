//! A server that speaks OpenAI's chat completions and says what the test wrote. It keeps every request.

use crate::chat;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::io::AsyncWriteExt;
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
    while let Some((head, body)) = chat::read_request(&mut stream).await {
        if head.starts_with("GET ") {
            // It has no list of models: their names are typed.
            let none = chat::refused(404, "there is no list");
            if stream.write_all(none.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        kept.lock().unwrap().push(format!("{head}{body}"));
        let request: Value = serde_json::from_str(&body).unwrap_or_default();
        let answer = (script.lock().unwrap())(&request);
        let text = match answer {
            Answer::Says(text) => chat::streamed(&text),
            Answer::Status(status) => chat::refused(status, "the test wants this"),
            Answer::Silence => std::future::pending().await,
        };
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

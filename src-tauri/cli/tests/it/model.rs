//! A server that speaks OpenAI's chat completions and says what the test wrote. It keeps every request.

use crate::chat;
use crate::command::LIMIT;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::sync::{Arc, Condvar, Mutex};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// What one request is answered with.
pub(crate) enum Reply {
    /// The model says this, streamed.
    Says(String),
    /// The server refuses with a status and a message.
    Status(u16, &'static str),
    /// Nothing comes.
    Silence,
    /// The answer breaks off in the middle, and the connection with it.
    Cut,
}

/// One request, as it came.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Request {
    /// What the person's side says: the task, the history, the elements.
    pub(crate) fn text(&self) -> &str {
        let content = &self.body["messages"][1]["content"];
        content.as_str().or(content[0]["text"].as_str()).unwrap()
    }

    /// The picture that goes with it, decoded.
    pub(crate) fn picture(&self) -> image::DynamicImage {
        let url = self.body["messages"][1]["content"][1]["image_url"]["url"].as_str();
        let url = url.expect("a picture in every request");
        let (_, bytes) = url.split_once(";base64,").unwrap();
        image::load_from_memory(&STANDARD.decode(bytes).unwrap()).unwrap()
    }
}

type Script = Box<dyn FnMut(usize, &Request) -> Reply + Send>;

#[derive(Default)]
struct Kept {
    requests: Mutex<Vec<Request>>,
    more: Condvar,
}

/// The server. It ends when this is dropped.
pub(crate) struct ScriptedModel {
    address: String,
    kept: Arc<Kept>,
    runtime: Option<Runtime>,
}

impl ScriptedModel {
    /// Answers each request as `script` says of its number, from 0, and of itself.
    pub(crate) fn start(script: impl FnMut(usize, &Request) -> Reply + Send + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let kept: Arc<Kept> = Arc::default();
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(script)));
        let keep = Arc::clone(&kept);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&keep)));
            }
        });
        Self {
            address,
            kept,
            runtime: Some(runtime),
        }
    }

    /// Says these one after the other; the last again and again.
    pub(crate) fn saying(replies: &[&str]) -> Self {
        let replies: Vec<String> = replies.iter().map(|&reply| reply.to_owned()).collect();
        Self::start(move |number, _| Reply::Says(replies[number.min(replies.len() - 1)].clone()))
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.kept.requests.lock().unwrap().clone()
    }

    /// Waits until so many requests came.
    pub(crate) fn wait_for(&self, count: usize) {
        let requests = self.kept.requests.lock().unwrap();
        let (requests, timeout) = self
            .kept
            .more
            .wait_timeout_while(requests, LIMIT, |requests| requests.len() < count)
            .unwrap();
        assert!(!timeout.timed_out(), "{} of {count} requests", requests.len());
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn serve(mut stream: TcpStream, script: Arc<Mutex<Script>>, kept: Arc<Kept>) {
    while let Some((head, body)) = chat::read_request(&mut stream).await {
        let body = serde_json::from_str(&body).unwrap();
        let request = Request { head, body };
        let number = {
            let mut requests = kept.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len() - 1
        };
        // Answered before it is told: whoever waits for a request finds its script gone through.
        let reply = (script.lock().unwrap())(number, &request);
        kept.more.notify_all();
        let text = match reply {
            Reply::Says(text) => chat::streamed(&text),
            Reply::Status(status, message) => chat::refused(status, message),
            Reply::Silence => std::future::pending().await,
            Reply::Cut => {
                let whole = chat::streamed(r#"{"type": "tap", "x": 540, "y": 1200}"#);
                let middle = whole.find("x\\\"").unwrap_or(whole.len() / 2);
                let _ = stream.write_all(&whole.as_bytes()[..middle]).await;
                return;
            }
        };
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

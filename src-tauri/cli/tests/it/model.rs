//! A server that says what the test wrote, in OpenAI's chat completions or another shape. It keeps every request.

use crate::chat;
use crate::command::LIMIT;
use crate::shapes::{Count, Manner, Shape};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::VecDeque;
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
    pub(crate) fn text(&self) -> String {
        Shape::text(&json!({"messages": [self.body["messages"][1]]}))
    }

    /// The picture that goes with it, decoded.
    pub(crate) fn picture(&self) -> image::DynamicImage {
        let bytes = Shape::picture(&self.body).expect("a picture in every request");
        image::load_from_memory(&STANDARD.decode(bytes).unwrap()).unwrap()
    }
}

type Script = Box<dyn FnMut(usize, &Request) -> Reply + Send>;

#[derive(Default)]
struct Kept {
    manner: Option<Manner>,
    billed: Mutex<Vec<Count>>,
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
        Self::start_in(None, script)
    }

    /// Says these one after the other in this shape alone, as calls of the tool where it has tools, and bills each.
    pub(crate) fn speaking(shape: Shape, has_tools: bool, replies: &[&str]) -> Self {
        let mut replies: VecDeque<String> = replies.iter().map(|&reply| reply.to_owned()).collect();
        let next = move |_, _: &Request| Reply::Says(replies.pop_front().expect("a reply for each question"));
        Self::start_in(Some(Manner { shape, has_tools }), next)
    }

    fn start_in(
        manner: Option<Manner>,
        script: impl FnMut(usize, &Request) -> Reply + Send + 'static,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let kept = Arc::new(Kept {
            manner,
            ..Kept::default()
        });
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

    /// What it asks for each of its answers.
    pub(crate) fn billed(&self) -> Vec<Count> {
        self.kept.billed.lock().unwrap().clone()
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
        if let Some(answer) = chat::aside(&head, &body, kept.manner) {
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        let body = serde_json::from_str(&body).unwrap();
        let request = Request { head, body };
        let number = {
            let mut requests = kept.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len() - 1
        };
        let refusal = kept
            .manner
            .and_then(|manner| manner.refusal(&request.head, &request.body));
        if let Some((status, message)) = refusal {
            let text = chat::refused(status, message);
            if stream.write_all(text.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        // Answered before it is told: whoever waits for a request finds its script gone through.
        let reply = (script.lock().unwrap())(number, &request);
        kept.more.notify_all();
        let text = match reply {
            Reply::Says(text) => match kept.manner {
                Some(manner) => {
                    let (kind, body, count) = manner.answer(&text, number);
                    kept.billed.lock().unwrap().push(count);
                    chat::answer(kind, &body)
                }
                None => chat::streamed(&text),
            },
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

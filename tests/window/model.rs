//! A server that says what the test wrote, in OpenAI's chat completions or another shape. It keeps every request.

use crate::chat;
use crate::shapes::{Count, Manner};
use serde_json::{Value, json};
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
    billed: Arc<Mutex<Count>>,
}

impl ScriptedServer {
    /// Answers each request as `script` says of its body.
    pub(crate) async fn start(script: impl FnMut(&Value) -> Answer + Send + 'static) -> Self {
        Self::start_in(None, None, script).await
    }

    /// The same of a server that has these models, as a maker's says.
    pub(crate) async fn listing(
        models: &[&str],
        script: impl FnMut(&Value) -> Answer + Send + 'static,
    ) -> Self {
        let models: Vec<Value> = models.iter().map(|id| json!({"id": id})).collect();
        let list = json!({"object": "list", "data": models}).to_string();
        Self::start_in(None, Some(list), script).await
    }

    /// Says these one after the other in one shape alone, and bills each.
    pub(crate) async fn speaking(manner: Manner, answers: Vec<String>) -> Self {
        let mut answers = answers.into_iter();
        let next = move |_: &Value| Answer::Says(answers.next().expect("an answer for each question"));
        Self::start_in(Some(manner), None, next).await
    }

    async fn start_in(
        manner: Option<Manner>,
        list: Option<String>,
        script: impl FnMut(&Value) -> Answer + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(script)));
        let billed: Arc<Mutex<Count>> = Arc::default();
        let (kept, bills) = (Arc::clone(&requests), Arc::clone(&billed));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (script, kept, bills) = (Arc::clone(&script), Arc::clone(&kept), Arc::clone(&bills));
                tokio::spawn(serve(stream, (manner, list.clone()), script, kept, bills));
            }
        });
        Self {
            address,
            requests,
            billed,
        }
    }

    /// What it asks for all its answers together.
    pub(crate) fn billed(&self) -> Count {
        *self.billed.lock().unwrap()
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

async fn serve(
    mut stream: TcpStream,
    (manner, list): (Option<Manner>, Option<String>),
    script: Arc<Mutex<Script>>,
    kept: Arc<Mutex<Vec<String>>>,
    billed: Arc<Mutex<Count>>,
) {
    while let Some((head, body)) = chat::read_request(&mut stream).await {
        if head.starts_with("GET ") {
            // Where it has no list of models, their names are typed.
            let told = match &list {
                Some(list) => chat::answer("application/json", list),
                None => chat::refused(404, "there is no list"),
            };
            if stream.write_all(told.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        if let Some(answer) = chat::aside(&head, &body, manner) {
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        let request: Value = serde_json::from_str(&body).unwrap_or_default();
        if let Some((status, message)) = manner.and_then(|manner| manner.refusal(&head, &request)) {
            let refusal = chat::refused(status, message);
            if stream.write_all(refusal.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        let number = {
            let mut kept = kept.lock().unwrap();
            kept.push(format!("{head}{body}"));
            kept.len()
        };
        let answer = (script.lock().unwrap())(&request);
        let text = match answer {
            Answer::Says(text) => match manner {
                Some(manner) => {
                    let (kind, body, count) = manner.answer(&text, number);
                    let mut billed = billed.lock().unwrap();
                    *billed = billed.and(count);
                    chat::answer(kind, &body)
                }
                None => chat::streamed(&text),
            },
            Answer::Status(status) => chat::refused(status, "the test wants this"),
            Answer::Silence => std::future::pending().await,
        };
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

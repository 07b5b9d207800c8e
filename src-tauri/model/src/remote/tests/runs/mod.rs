//! Whole runs on the demo phone, in virtual time: what a real model would be sent goes to a server in memory, which answers
//! with what the demo AI decides.

mod faults;
#[path = "../../../../../../tests/shared/shapes.rs"]
mod shapes;
#[path = "../../../../../demo-ai/tests/demo/support/mod.rs"]
#[allow(dead_code, reason = "the tests of the demo AI use the rest")]
mod support;
mod tokens;

use super::*;
use demo_ai::DemoAi;
use serde_json::Value;
use shapes::{Count, Shape};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the server does instead of answering.
#[derive(Clone)]
enum Fault {
    Status(u16, &'static str, &'static str),
    /// No head of an answer.
    Silence,
    /// Half an answer, then nothing.
    Stall,
    /// Half an answer, then the connection breaks.
    Cut,
    /// An answer that says nothing.
    Nothing,
}

/// The server: what it was asked, and what it does.
struct Server {
    shape: Shape,
    /// What the next answer says.
    says: Mutex<String>,
    /// What it does first at the step that is on.
    faults: Mutex<VecDeque<Fault>>,
    asked: Mutex<Vec<RecordedRequest>>,
    billed: Mutex<Count>,
    /// Requests that are held open.
    held: AtomicUsize,
}

/// One request.
#[derive(Clone)]
struct RecordedRequest {
    body: Value,
    /// Of the whole body.
    bytes: usize,
}

/// Counted for as long as a request is held open.
struct HeldRequest(Arc<Server>);

impl Drop for HeldRequest {
    fn drop(&mut self) {
        self.0.held.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Wire(Arc<Server>);

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: Request) -> Result<Response, ModelError> {
        let server = Arc::clone(&self.0);
        let bytes = request.body.unwrap();
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        let offered = Shape::offers_tool(&body);
        let number = {
            let mut asked = server.asked.lock().unwrap();
            asked.push(RecordedRequest {
                body,
                bytes: bytes.len(),
            });
            asked.len()
        };
        if !server.shape.is_at(request.url.path()) {
            return Ok(answers(404, "", "no such page".to_owned(), None));
        }
        server.held.fetch_add(1, Ordering::SeqCst);
        let held = HeldRequest(Arc::clone(&server));
        let fault = server.faults.lock().unwrap().pop_front();
        let count = server.shape.bills(Count::of_request(number));
        let says = server.says.lock().unwrap().clone();
        let (_, answer) = server.shape.answer(&says, offered, count);
        let half: String = answer.chars().take(answer.chars().count() / 2).collect();
        Ok(match fault {
            None => {
                let mut billed = server.billed.lock().unwrap();
                *billed = billed.and(count);
                answers(200, "", answer, None)
            }
            Some(Fault::Status(status, retry_after, body)) => {
                answers(status, retry_after, body.to_owned(), None)
            }
            Some(Fault::Silence) => {
                let _held = held;
                std::future::pending().await
            }
            Some(Fault::Stall) => answers(200, "", half, Some(BodyEnd::Nothing(held))),
            Some(Fault::Cut) => answers(200, "", half, Some(BodyEnd::Break)),
            Some(Fault::Nothing) => {
                let (_, answer) = server.shape.answer("", false, Count::default());
                answers(200, "", answer, None)
            }
        })
    }
}

/// What comes after the last byte that was sent.
enum BodyEnd {
    Nothing(HeldRequest),
    Break,
}

fn answers(status: u16, retry_after: &'static str, body: String, after: Option<BodyEnd>) -> Response {
    let first = stream::iter([Ok(Bytes::from(body))]);
    let rest = stream::iter(after).then(|after| async move {
        match after {
            BodyEnd::Break => Err(ModelError::Cut("gone".to_owned())),
            BodyEnd::Nothing(_held) => std::future::pending().await,
        }
    });
    let headers = Some((RETRY_AFTER, HeaderValue::from_static(retry_after)));
    Response {
        status,
        headers: headers.filter(|_| !retry_after.is_empty()).into_iter().collect(),
        body: first.chain(rest).boxed(),
    }
}

/// A real model in front of that server. At the step `at` the server has these faults first.
struct FaultyModel {
    remote: Remote,
    server: Arc<Server>,
    steps: AtomicUsize,
    at: usize,
    faults: Vec<Fault>,
}

impl FaultyModel {
    fn new(chosen: ChosenModel, shape: Shape) -> Self {
        let server = Arc::new(Server {
            shape,
            says: Mutex::default(),
            faults: Mutex::default(),
            asked: Mutex::default(),
            billed: Mutex::default(),
            held: AtomicUsize::new(0),
        });
        let address = address(&chosen).unwrap();
        let keys = Arc::new(FixedKey("MARKER-key-1234567890".into()));
        let wire = Box::new(Wire(Arc::clone(&server)));
        let mut remote = Remote::over(address, chosen, keys, Timeouts::REMOTE, wire);
        remote.jitter = Box::new(|| 1.0);
        // The phone is the demo phone; a connection of its own would leave this computer.
        assert!(remote.second.set(Arc::new(demo_ai::DemoGuard)).is_ok());
        Self {
            remote,
            server,
            steps: AtomicUsize::new(0),
            at: usize::MAX,
            faults: Vec::new(),
        }
    }

    fn with_faults(self, at: usize, faults: Vec<Fault>) -> Self {
        Self { at, faults, ..self }
    }
}

#[async_trait]
impl Model for FaultyModel {
    fn name(&self) -> String {
        self.remote.name()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        self.remote.capabilities()
    }

    fn pointing(&self) -> Pointing {
        self.remote.pointing()
    }

    fn guard(&self) -> Arc<dyn agent::guard::Guard> {
        self.remote.guard()
    }

    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        let decided = DemoAi::new().think(prompt, &|_, _| {}).await?;
        *self.server.says.lock().unwrap() = decided.text;
        let step = self.steps.fetch_add(1, Ordering::SeqCst);
        let faults = if step == self.at {
            self.faults.clone()
        } else {
            Vec::new()
        };
        *self.server.faults.lock().unwrap() = faults.into();
        self.remote.think(prompt, retrying).await
    }
}

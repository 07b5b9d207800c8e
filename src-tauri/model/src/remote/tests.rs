//! The whole of `think` in virtual time, over a transport in memory.

use super::*;
use crate::error::{ConnectionFailure, Phase};
use crate::keys::{FixedKey, NoKey};
use crate::transport::{Request, Response};
use agent::guard::NoGuard;
use agent::ports::{Model, Reply, Retrying};
use agent::prompt::Facts;
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::{self, StreamExt};
use protocol::{CaptureResult, FailureCode, PhoneId, Screen, Totals};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::sleep;

/// What the server does with one request.
enum Turn {
    /// No head ever.
    Silent,
    /// No connection.
    Fails(ModelError),
    /// A head, and a body in timed pieces.
    Answers {
        status: u16,
        headers: HeaderMap,
        pieces: Vec<Piece>,
    },
}

#[derive(Clone, Copy)]
enum Piece {
    After(Duration),
    Text(&'static str),
    Breaks,
    Stalls,
}
use Piece::{After, Breaks, Stalls, Text};

struct Script {
    turns: Mutex<VecDeque<Turn>>,
    seen: Arc<Mutex<Vec<Request>>>,
}

#[async_trait]
impl Transport for Script {
    async fn send(&self, request: Request) -> Result<Response, ModelError> {
        self.seen.lock().unwrap().push(request);
        let turn = self.turns.lock().unwrap().pop_front();
        match turn.expect("no request was expected") {
            Turn::Silent => std::future::pending().await,
            Turn::Fails(trouble) => Err(trouble),
            Turn::Answers {
                status,
                headers,
                pieces,
            } => {
                let body = stream::iter(pieces).filter_map(|piece| async move {
                    match piece {
                        After(time) => {
                            sleep(time).await;
                            None
                        }
                        Text(text) => Some(Ok(Bytes::from_static(text.as_bytes()))),
                        Breaks => Some(Err(ModelError::Cut("gone".to_owned()))),
                        Stalls => std::future::pending().await,
                    }
                });
                Ok(Response {
                    status,
                    headers,
                    body: body.boxed(),
                })
            }
        }
    }
}

const HEAD: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const USAGE: &str = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":2000,\"completion_tokens\":100}}\n\n";
const DONE: &str = "data: [DONE]\n\n";

fn streams(pieces: &[Piece]) -> Turn {
    Turn::Answers {
        status: 200,
        headers: HeaderMap::new(),
        pieces: pieces.to_vec(),
    }
}

fn good() -> Turn {
    streams(&[Text(HEAD), Text(STOP), Text(USAGE), Text(DONE)])
}

fn refuses(status: u16, body: &'static str) -> Turn {
    Turn::Answers {
        status,
        headers: HeaderMap::new(),
        pieces: vec![Text(body)],
    }
}

fn busy(retry_after: &'static str) -> Turn {
    let headers = [(RETRY_AFTER, HeaderValue::from_static(retry_after))]
        .into_iter()
        .collect();
    Turn::Answers {
        status: 429,
        headers,
        pieces: vec![Text(r#"{"error":{"message":"slow down"}}"#)],
    }
}

fn prompt(picture: Option<Frame>) -> Prompt {
    Prompt {
        system: "You operate a phone.".to_owned(),
        past: vec!["Task: open Settings\n".to_owned()],
        now: "The screen now: app unknown".to_owned(),
        size: (1080, 2400),
        picture,
        aside: false,
        facts: Facts {
            goal: String::new(),
            screen: screen(),
            history: Vec::new(),
            said: Vec::new(),
            apps: Vec::new(),
            show: None,
        },
    }
}

fn screen() -> Screen {
    Screen {
        phone: PhoneId("demo".to_owned()),
        current_app: "unknown".to_owned(),
        window: None,
        width: 1080,
        height: 2400,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: Vec::new(),
        tree_read: false,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    }
}

mod limits;
mod requests;
mod runs;
mod second;
mod secrets;
mod told;
mod tries;
mod wires;

struct Bench {
    remote: Remote,
    seen: Arc<Mutex<Vec<Request>>>,
}

fn bench(turns: Vec<Turn>) -> Bench {
    let chosen = ChosenModel {
        model: "some-model".to_owned(),
        base_url: Some("https://api.example.org/v1".to_owned()),
        acting: Some(Acting::Text),
        price: Some(Price {
            input: 1.25,
            output: 10.0,
            ..Price::default()
        }),
        ..ChosenModel::default()
    };
    bench_of(chosen, turns)
}

fn bench_of(chosen: ChosenModel, turns: Vec<Turn>) -> Bench {
    let seen = Arc::default();
    let script = Script {
        turns: Mutex::new(turns.into()),
        seen: Arc::clone(&seen),
    };
    let address = address(&chosen).unwrap();
    let keys = Arc::new(FixedKey("MARKER-key-1234567890".into()));
    let mut remote = Remote::over(address, chosen, keys, Timeouts::REMOTE, Box::new(script));
    remote.jitter = Box::new(|| 1.0);
    // Its own connection would leave this computer.
    assert!(remote.second.set(Arc::new(NoGuard)).is_ok());
    Bench { remote, seen }
}

/// What came of it, what the person was told on the way, and after how many milliseconds.
struct Course {
    result: Result<Reply, Failure>,
    told: Vec<(FailureCode, u128)>,
    ms: u128,
}

impl Bench {
    async fn think(&self) -> Course {
        let told = Mutex::new(Vec::new());
        let start = Instant::now();
        let retrying = |failure: &Failure, wait: Duration| {
            told.lock().unwrap().push((failure.code, wait.as_millis()));
        };
        let result = self.remote.think(&prompt(None), &retrying).await;
        Course {
            result,
            ms: start.elapsed().as_millis(),
            told: told.into_inner().unwrap(),
        }
    }

    fn requests(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    fn body(&self, n: usize) -> serde_json::Value {
        serde_json::from_slice(self.seen.lock().unwrap()[n].body.as_ref().unwrap()).unwrap()
    }
}

fn reason(failure: &Failure) -> (FailureCode, &str) {
    (
        failure.code,
        failure.values.get("reason").map_or("", String::as_str),
    )
}

//! A server that does what it is told, byte for byte: HTTP/1.1 by hand, so that a test can cut, hold and watch.

#![allow(dead_code, reason = "each test uses its part")]

use agent::prompt::{Facts, Prompt};
use protocol::{CaptureResult, PhoneId, Screen, Totals};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What is done with one request, in order. After the last the connection waits for the next request.
#[derive(Clone)]
pub(crate) enum Do {
    Send(Vec<u8>),
    /// One byte at a time.
    Drip(Vec<u8>),
    /// Says that it got here, then waits until the client goes away, and says so.
    Hold,
    Close,
}

/// What the test sees.
#[derive(Debug, PartialEq)]
pub(crate) enum Seen {
    Request {
        head: String,
        body: Vec<u8>,
    },
    Holding,
    /// The client closed the connection it was held on.
    Gone,
}

#[derive(Clone)]
struct Stage {
    scripts: Arc<Mutex<VecDeque<Vec<Do>>>>,
    seen: UnboundedSender<Seen>,
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) connections: Arc<AtomicUsize>,
    seen: UnboundedReceiver<Seen>,
    scripts: Arc<Mutex<VecDeque<Vec<Do>>>>,
}

impl Server {
    /// Answers the first request by the first script, and so on. Further requests are closed unanswered.
    pub(crate) async fn start(scripts: impl IntoIterator<Item = Vec<Do>>) -> Self {
        Self::start_with(scripts, |stream| async move { Some(stream) }).await
    }

    /// The same behind whatever `wrap` makes of a connection (TLS).
    pub(crate) async fn start_with<W, F, S>(scripts: impl IntoIterator<Item = Vec<Do>>, wrap: W) -> Self
    where
        W: Fn(tokio::net::TcpStream) -> F + Send + Sync + 'static,
        F: Future<Output = Option<S>> + Send,
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, seen) = unbounded_channel();
        let scripts = Arc::new(Mutex::new(scripts.into_iter().collect()));
        let stage = Stage {
            scripts: Arc::clone(&scripts),
            seen: sender,
        };
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).unwrap();
                count.fetch_add(1, Ordering::SeqCst);
                if let Some(stream) = wrap(stream).await {
                    tokio::spawn(play(stream, stage.clone()));
                }
            }
        });
        Self {
            address,
            connections,
            seen,
            scripts,
        }
    }

    /// Answers the next requests by these scripts, whatever was to come.
    pub(crate) fn will(&self, scripts: impl IntoIterator<Item = Vec<Do>>) {
        *self.scripts.lock().unwrap() = scripts.into_iter().collect();
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The next thing it saw.
    pub(crate) async fn see(&mut self) -> Seen {
        let next = tokio::time::timeout(Duration::from_secs(30), self.seen.recv()).await;
        next.expect("the server saw nothing").unwrap()
    }

    /// The next request: its head and its body.
    pub(crate) async fn request(&mut self) -> (String, serde_json::Value) {
        match self.see().await {
            Seen::Request { head, body } => (head, serde_json::from_slice(&body).unwrap()),
            other => panic!("a request, not {other:?}"),
        }
    }

    /// Everything it saw so far.
    pub(crate) fn requests(&mut self) -> usize {
        let mut requests = 0;
        while let Ok(seen) = self.seen.try_recv() {
            requests += usize::from(matches!(seen, Seen::Request { .. }));
        }
        requests
    }
}

async fn play<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, stage: Stage) {
    while let Some((head, body)) = read_request(&mut stream).await {
        stage.seen.send(Seen::Request { head, body }).unwrap();
        let Some(script) = stage.scripts.lock().unwrap().pop_front() else {
            return;
        };
        for step in script {
            let sent = match step {
                Do::Send(bytes) => stream.write_all(&bytes).await,
                Do::Drip(bytes) => drip(&mut stream, &bytes).await,
                Do::Close => {
                    let _ = stream.shutdown().await;
                    return;
                }
                Do::Hold => {
                    stage.seen.send(Seen::Holding).unwrap();
                    let mut rest = [0; 64];
                    while matches!(stream.read(&mut rest).await, Ok(n) if n > 0) {}
                    stage.seen.send(Seen::Gone).unwrap();
                    return;
                }
            };
            if sent.is_err() || stream.flush().await.is_err() {
                return;
            }
        }
    }
}

async fn drip<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        stream.flush().await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> Option<(String, Vec<u8>)> {
    let mut held = Vec::new();
    let end = loop {
        if let Some(end) = held.windows(4).position(|w| w == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut held).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(held[..end].to_vec()).unwrap();
    let length = header(&head, "content-length").map_or(0, |n| n.parse().unwrap());
    let mut body = held.split_off(end);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some((head, body))
}

/// One header's value.
pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}

/// The events of a whole answer: `ok`, 20 tokens read, 2 written.
pub(crate) const EVENTS: &str = concat!(
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"o\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"k\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":2}}\n\n",
    "data: [DONE]\n\n",
);

/// A streamed answer, one chunk for each event.
pub(crate) fn chunked(events: &str) -> Vec<u8> {
    let mut out =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_owned();
    for event in events.split_inclusive("\n\n") {
        out.push_str(&format!("{:x}\r\n{event}\r\n", event.len()));
    }
    out.push_str("0\r\n\r\n");
    out.into_bytes()
}

/// Any other answer, with its length.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A prompt without a picture.
pub(crate) fn prompt() -> Prompt {
    Prompt {
        system: "You operate a phone.".to_owned(),
        past: vec!["Task: open Settings\n".to_owned()],
        now: "The screen now: app unknown".to_owned(),
        size: (1080, 2400),
        picture: None,
        aside: false,
        facts: Facts {
            goal: String::new(),
            screen: Screen {
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
            },
            history: Vec::new(),
            said: Vec::new(),
            apps: Vec::new(),
            show: None,
        },
    }
}

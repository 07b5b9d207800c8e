//! Frames, as `adb/reader/README.md` has them: version 1.

use crate::process::Call;

/// In front of everything.
pub(super) const MAGIC: &[u8] = b"PDREADER";
const VERSION: u8 = 1;
/// The longest request.
const MOST: usize = 1024 * 1024;
/// Kind, id and nonce.
const HEAD: usize = 13;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    Tree,
    /// Milliseconds.
    Wait {
        quiet: u32,
        limit: u32,
    },
    Text(String),
    Quit,
    /// Pixels.
    Icon {
        side: u32,
        package: String,
    },
    /// A kind this version has not, or a rest that is none of its kind's.
    Nonsense,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) kind: u8,
    pub(super) id: u32,
    pub(super) nonce: u64,
    pub(super) asked: RequestKind,
}

impl Request {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (kind, bytes) = bytes.split_first()?;
        let (id, bytes) = bytes.split_first_chunk::<4>()?;
        let (nonce, rest) = bytes.split_first_chunk::<8>()?;
        let asked = match (kind, rest) {
            (1, []) => RequestKind::Tree,
            (2, [a, b, c, d, e, f, g, h]) => RequestKind::Wait {
                quiet: u32::from_be_bytes([*a, *b, *c, *d]),
                limit: u32::from_be_bytes([*e, *f, *g, *h]),
            },
            (3, text) => RequestKind::Text(String::from_utf8_lossy(text).into_owned()),
            (4, _) => RequestKind::Quit,
            (5, [a, b, c, d, package @ ..]) => RequestKind::Icon {
                side: u32::from_be_bytes([*a, *b, *c, *d]),
                package: String::from_utf8_lossy(package).into_owned(),
            },
            _ => RequestKind::Nonsense,
        };
        Some(Self {
            kind: *kind,
            id: u32::from_be_bytes(*id),
            nonce: u64::from_be_bytes(*nonce),
            asked,
        })
    }
}

/// The requests out of standard input.
pub(super) struct Requests {
    held: Vec<u8>,
}

impl Requests {
    pub(super) fn new() -> Self {
        Self { held: Vec::new() }
    }

    /// The next; none at the end, and where what comes is no request. May be dropped and called again.
    pub(super) async fn next(&mut self, call: &Call) -> Option<Request> {
        loop {
            if let Some((length, rest)) = self.held.split_first_chunk::<4>() {
                let length = u32::from_be_bytes(*length) as usize;
                if !(HEAD..=MOST).contains(&length) {
                    return None;
                }
                if let Some(frame) = rest.get(..length) {
                    let request = Request::read(frame);
                    self.held.drain(..4 + length);
                    return request;
                }
            }
            let input = call.descriptors.get(0)?;
            let bytes = input.read(64 * 1024).await.ok()??;
            self.held.extend_from_slice(&bytes);
        }
    }
}

/// How a request came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Outcome {
    Done = 0,
    NoRoot = 1,
    Refused = 2,
}

/// What every answer tells besides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) trees: u64,
    pub(super) events: u64,
    pub(super) millis: u64,
}

pub(super) fn answer(request: &Request, outcome: Outcome, counts: Counts, rest: &[u8]) -> Vec<u8> {
    let mut body = vec![request.kind];
    body.extend(request.id.to_be_bytes());
    body.extend(request.nonce.to_be_bytes());
    body.push(outcome as u8);
    for number in [counts.trees, counts.events, counts.millis] {
        body.extend(number.to_be_bytes());
    }
    body.extend_from_slice(rest);
    frame(&body)
}

/// The greeting; with a reason, of one that will not.
pub(super) fn greeting(sdk: u32, why_not: &str) -> Vec<u8> {
    let mut body = vec![VERSION, u8::from(!why_not.is_empty())];
    body.extend(sdk.to_be_bytes());
    body.extend_from_slice(why_not.as_bytes());
    frame(&body)
}

fn frame(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), body].concat()
}

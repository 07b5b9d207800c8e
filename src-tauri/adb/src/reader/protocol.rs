//! What is said to the reader and what it says (`adb/reader/README.md`). Pure.

use super::error::ReaderError;
use crate::error::clip;
use secrecy::zeroize::Zeroizing;
use std::time::Duration;

/// Stands in front of the first frame.
const MAGIC: &[u8] = b"PDREADER";
const VERSION: u8 = 1;
/// So much may stand in front of it: complaints of linkers and makers.
const MOST_NOISE: usize = 64 * 1024;
/// The longest frame from the phone.
const MOST: usize = 32 * 1024 * 1024;
/// The longest text: a request has 1 MiB at most.
pub(super) const MOST_TEXT: usize = 1024 * 1024 - 64;

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum RequestKind {
    Tree = 1,
    Wait = 2,
    Text = 3,
    Quit = 4,
    Icon = 5,
}

/// One request, and what its answer must repeat.
pub(super) struct Request {
    pub(super) kind: RequestKind,
    pub(super) id: u32,
    pub(super) nonce: u64,
    rest: Zeroizing<Vec<u8>>,
}

impl Request {
    fn new(kind: RequestKind, id: u32, rest: Vec<u8>) -> Self {
        use std::hash::{BuildHasher, Hasher, RandomState};
        Self {
            kind,
            id,
            // Every `RandomState` is keyed anew by the system's randomness.
            nonce: RandomState::new().build_hasher().finish(),
            rest: Zeroizing::new(rest),
        }
    }

    pub(super) fn tree(id: u32) -> Self {
        Self::new(RequestKind::Tree, id, Vec::new())
    }

    pub(super) fn wait(id: u32, quiet: Duration, limit: Duration) -> Self {
        let millis = |time: Duration| i32::try_from(time.as_millis()).unwrap_or(i32::MAX).to_be_bytes();
        Self::new(RequestKind::Wait, id, [millis(quiet), millis(limit)].concat())
    }

    pub(super) fn text(id: u32, text: &str) -> Self {
        Self::new(RequestKind::Text, id, text.as_bytes().to_vec())
    }

    pub(super) fn quit(id: u32) -> Self {
        Self::new(RequestKind::Quit, id, Vec::new())
    }

    /// `side`: pixels.
    pub(super) fn icon(id: u32, package: &str, side: u32) -> Self {
        let rest = [side.to_be_bytes().as_slice(), package.as_bytes()].concat();
        Self::new(RequestKind::Icon, id, rest)
    }

    /// As a frame. It may hold what a person typed: it is wiped.
    pub(super) fn frame(&self) -> Zeroizing<Vec<u8>> {
        let length = u32::try_from(13 + self.rest.len()).unwrap_or(u32::MAX);
        let mut frame = Zeroizing::new(Vec::with_capacity(17 + self.rest.len()));
        frame.extend(length.to_be_bytes());
        frame.push(self.kind as u8);
        frame.extend(self.id.to_be_bytes());
        frame.extend(self.nonce.to_be_bytes());
        frame.extend_from_slice(&self.rest);
        frame
    }
}

/// How a request came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    NoRoot,
    Refused,
    Failed,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) kind: u8,
    pub(super) id: u32,
    pub(super) nonce: u64,
    pub(super) outcome: Outcome,
    pub(super) trees: u64,
    pub(super) events: u64,
    pub(super) millis: u64,
    pub(super) rest: Vec<u8>,
}

impl Answer {
    /// What it says in words.
    pub(super) fn words(&self) -> String {
        clip(&String::from_utf8_lossy(&self.rest))
    }

    fn read(frame: &[u8]) -> Option<Self> {
        let mut from = Fields(frame);
        Some(Self {
            kind: from.u8()?,
            id: from.u32()?,
            nonce: from.u64()?,
            outcome: match from.u8()? {
                0 => Outcome::Done,
                1 => Outcome::NoRoot,
                2 => Outcome::Refused,
                3 => Outcome::Failed,
                _ => return None,
            },
            trees: from.u64()?,
            events: from.u64()?,
            millis: from.u64()?,
            rest: from.0.to_vec(),
        })
    }
}

/// What comes from the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReaderMessage {
    /// It is ready.
    Ready,
    /// It will not, and why.
    Unwilling(String),
    Answer(Answer),
}

/// Bytes on their way to being what was said.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    /// The magic was there.
    open: bool,
    greeted: bool,
    noise: String,
}

impl Inbox {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// What stood in front of the magic.
    pub(super) fn noise(&self) -> String {
        if self.open {
            self.noise.clone()
        } else {
            String::from_utf8_lossy(&self.bytes).into_owned()
        }
    }

    /// The next thing that is there whole.
    ///
    /// # Errors
    /// [`ReaderError::Garbled`]: then nothing that follows is to be trusted.
    pub(super) fn next(&mut self) -> Result<Option<ReaderMessage>, ReaderError> {
        let garbled = |what: &str| ReaderError::Garbled(what.to_owned());
        if !self.open {
            let at = self.bytes.windows(MAGIC.len()).position(|part| part == MAGIC);
            let Some(at) = at else {
                return match self.bytes.len() {
                    ..=MOST_NOISE => Ok(None),
                    _ => Err(garbled("no reader speaks there")),
                };
            };
            self.noise = String::from_utf8_lossy(&self.bytes[..at]).into_owned();
            self.bytes.drain(..at + MAGIC.len());
            self.open = true;
        }
        let Some(length) = Fields(&self.bytes).u32() else {
            return Ok(None);
        };
        let length = length as usize;
        if length > MOST {
            return Err(garbled("an answer longer than any"));
        }
        let Some(frame) = self.bytes.get(4..4 + length) else {
            return Ok(None);
        };
        let said = if self.greeted {
            Answer::read(frame).map(ReaderMessage::Answer)
        } else {
            greeting(frame)
        };
        self.bytes.drain(..4 + length);
        self.greeted = true;
        said.map(Some)
            .ok_or_else(|| garbled("an answer that makes no sense"))
    }
}

fn greeting(frame: &[u8]) -> Option<ReaderMessage> {
    let mut from = Fields(frame);
    if from.u8()? != VERSION {
        return None;
    }
    let outcome = from.u8()?;
    let _sdk = from.u32()?;
    match outcome {
        0 => Some(ReaderMessage::Ready),
        1 => Some(ReaderMessage::Unwilling(clip(&String::from_utf8_lossy(from.0)))),
        _ => None,
    }
}

struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }
}

/// What makes an answer the answer, and new: it repeats the request's nonce, and counts on from the last.
#[derive(Debug, Default)]
pub(super) struct Freshness {
    trees: u64,
    events: u64,
    millis: u64,
}

impl Freshness {
    /// Takes the answer to a request.
    ///
    /// # Errors
    /// [`ReaderError::Stale`]: it is of something else, or from earlier.
    pub(super) fn check(&mut self, request: &Request, answer: &Answer) -> Result<(), ReaderError> {
        let is_tree = request.kind == RequestKind::Tree && answer.outcome == Outcome::Done;
        let why = if answer.id != request.id || answer.kind != request.kind as u8 {
            "an answer to another request"
        } else if answer.nonce != request.nonce {
            "it does not repeat what it was asked with"
        } else if answer.millis < self.millis || answer.events < self.events || answer.trees < self.trees {
            "it is from before the last one"
        } else if is_tree && answer.trees <= self.trees {
            "its tree was not read anew"
        } else {
            *self = Self {
                trees: answer.trees,
                events: answer.events,
                millis: answer.millis,
            };
            return Ok(());
        };
        Err(ReaderError::Stale(why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answer(request: &Request, trees: u64, millis: u64) -> Answer {
        Answer {
            kind: request.kind as u8,
            id: request.id,
            nonce: request.nonce,
            outcome: Outcome::Done,
            trees,
            events: 0,
            millis,
            rest: b"<hierarchy />".to_vec(),
        }
    }

    fn written(answer: &Answer) -> Vec<u8> {
        let mut body = vec![answer.kind];
        body.extend(answer.id.to_be_bytes());
        body.extend(answer.nonce.to_be_bytes());
        body.push(0);
        for number in [answer.trees, answer.events, answer.millis] {
            body.extend(number.to_be_bytes());
        }
        body.extend(&answer.rest);
        framed(&body)
    }

    fn framed(body: &[u8]) -> Vec<u8> {
        [&u32::try_from(body.len()).unwrap().to_be_bytes(), body].concat()
    }

    #[test]
    fn an_answer_counts_only_when_it_is_new() {
        type Change = fn(&mut Answer);
        let cases: [(&str, Change, Option<&str>); 7] = [
            ("the answer", |_| {}, None),
            (
                "of another request",
                |one| one.id -= 1,
                Some("an answer to another request"),
            ),
            (
                "of another kind",
                |one| one.kind = 2,
                Some("an answer to another request"),
            ),
            (
                "of another time",
                |one| one.nonce ^= 1,
                Some("it does not repeat what it was asked with"),
            ),
            (
                "counted twice",
                |one| one.trees = 4,
                Some("its tree was not read anew"),
            ),
            (
                "counted backwards",
                |one| one.trees = 3,
                Some("it is from before the last one"),
            ),
            (
                "timed backwards",
                |one| one.millis = 99,
                Some("it is from before the last one"),
            ),
        ];
        for (name, change, expected) in cases {
            let mut fresh = Freshness::default();
            let first = Request::tree(8);
            fresh.check(&first, &answer(&first, 4, 100)).unwrap();
            let second = Request::tree(9);
            let mut given = answer(&second, 5, 100);
            change(&mut given);
            let told = fresh.check(&second, &given).err();
            assert_eq!(told, expected.map(ReaderError::Stale), "{name}");
        }
    }

    #[test]
    fn what_is_no_readers_is_garbled() {
        let greeted = |rest: &[u8]| [b"PDREADER", framed(&[1, 0, 0, 0, 0, 34]).as_slice(), rest].concat();
        for (bytes, expected) in [
            (vec![b'x'; MOST_NOISE + 1], "no reader speaks there"),
            (
                [b"PDREADER", framed(&[2, 0, 0, 0, 0, 34]).as_slice()].concat(),
                "an answer that makes no sense",
            ),
            (greeted(&[0xff; 4]), "an answer longer than any"),
            (greeted(&framed(b"short")), "an answer that makes no sense"),
        ] {
            let mut inbox = Inbox::default();
            inbox.feed(&bytes);
            let problem = loop {
                match inbox.next() {
                    Ok(Some(_)) => {}
                    other => break other,
                }
            };
            assert_eq!(problem, Err(ReaderError::Garbled(expected.to_owned())));
        }
    }

    proptest! {
        /// Cut into pieces anywhere, behind any complaint, the same is read.
        #[test]
        fn frames_are_read_out_of_any_pieces(
            noise in "[a-z \n]{0,60}",
            cuts in prop::collection::vec(1_usize..40, 1..60),
            rests in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..4),
        ) {
            let answers: Vec<Answer> = rests
                .into_iter()
                .map(|rest| Answer { rest, ..answer(&Request::tree(1), 1, 1) })
                .collect();
            let mut bytes = noise.clone().into_bytes();
            bytes.extend(MAGIC);
            bytes.extend(framed(&[1, 0, 0, 0, 0, 34]));
            for answer in &answers {
                bytes.extend(written(answer));
            }
            let (mut inbox, mut read) = (Inbox::default(), Vec::new());
            let mut rest = bytes.as_slice();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, more) = rest.split_at((*cut).min(rest.len()));
                rest = more;
                inbox.feed(piece);
                while let Some(said) = inbox.next().unwrap() {
                    read.push(said);
                }
            }
            prop_assert_eq!(inbox.noise(), noise);
            let expected: Vec<ReaderMessage> = std::iter::once(ReaderMessage::Ready).chain(answers.into_iter().map(ReaderMessage::Answer)).collect();
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut inbox = Inbox::default();
            inbox.feed(MAGIC);
            inbox.feed(&bytes);
            while let Ok(Some(_)) = inbox.next() {}
        }
    }
}

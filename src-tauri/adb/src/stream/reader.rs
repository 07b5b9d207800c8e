//! Looking on: what a reader is told, in order, at its own pace.

use super::backlog::{Cursor, ReaderPosition};
use super::packet::{Packet, StreamRequest, StreamStatus};
use super::runner::Runner;
use super::shared::Shared;
use crate::connect::route::Route;
use crate::scrcpy;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A reader so far behind the newest picture goes on with the next key frame.
const BEHIND: Duration = Duration::from_secs(1);
/// Whoever comes so many pictures after the last key frame has a new one asked for: decoding all of them would take
/// longer.
const LATE: usize = 60;

/// The stream of a phone, for whoever wants to look on.
#[derive(Clone)]
pub struct Feed {
    shared: Arc<Shared>,
}

/// What a reader is told.
#[derive(Clone, Debug)]
pub enum StreamEvent {
    /// How the stream is, at the beginning and whenever that changes.
    Status(StreamStatus),
    /// The next piece of the stream: first what decoders need, then a key frame, then the rest. What cannot be decoded
    /// without pictures this reader missed is left out.
    Packet(Arc<Packet>),
}

/// One who looks on. Dropping it ends the stream when nobody else looks.
pub struct Reader {
    shared: Arc<Shared>,
    number: u64,
    cursor: Cursor,
    news: watch::Receiver<u64>,
    status: Option<StreamStatus>,
}

impl Feed {
    pub(crate) fn new(route: Arc<Route>, scrcpy: Arc<scrcpy::SharedSession>) -> Self {
        Self {
            shared: Arc::new(Shared::new(route, scrcpy)),
        }
    }

    /// Begins to look. Must be called within a tokio runtime.
    #[must_use]
    pub fn watch(&self, request: StreamRequest) -> Reader {
        self.look(request, false)
    }

    /// The same for whoever keeps what comes: from the next key frame on, and over a cable as exactly as pictures that are
    /// compared, so that a task that begins meanwhile needs no other stream.
    #[must_use]
    pub fn record(&self, request: StreamRequest) -> Reader {
        let mut reader = self.look(request, true);
        reader.begin_again();
        reader
    }

    /// The same; where pictures are to be compared with one another, over a cable with all the bits they need.
    pub(super) fn look(&self, request: StreamRequest, exact: bool) -> Reader {
        let mut news = self.shared.news();
        // What is there is the first thing a new reader is told.
        news.mark_changed();
        let (number, starts) = self.shared.join(request, exact);
        if starts {
            tokio::spawn(Runner::new(Arc::clone(&self.shared)).run());
        }
        if self
            .shared
            .with_backlog(|backlog| backlog.since_key().is_none_or(|count| count > LATE))
            && self.status().source.is_some()
        {
            self.shared.want_key();
        }
        Reader {
            shared: Arc::clone(&self.shared),
            number,
            cursor: Cursor::default(),
            news,
            status: None,
        }
    }

    /// How the stream is now.
    #[must_use]
    pub fn status(&self) -> StreamStatus {
        self.shared.status()
    }

    /// Which session's pictures are shown, counted: what one shows can be compared, and none is missing in between.
    pub(crate) fn session(&self) -> u64 {
        self.shared.sessions()
    }

    /// Pixels of the phone's screen, turned as in the newest picture; nothing where no stream tells.
    #[must_use]
    pub fn screen(&self) -> Option<(u16, u16)> {
        let newest = self
            .shared
            .with_backlog(|backlog| backlog.newest().map(|packet| packet.screen));
        newest.filter(|size| *size != (0, 0))
    }

    /// Something happened that may make a source work that did not: it is tried now, not later.
    pub fn nudge(&self) {
        self.shared.nudge();
    }
}

impl Reader {
    /// What is next, once there is something. May be dropped and called again.
    pub async fn next(&mut self) -> StreamEvent {
        loop {
            self.news.borrow_and_update();
            if let Some(told) = self.poll() {
                return told;
            }
            if self.news.changed().await.is_err() {
                // The sender lives as long as this reader does.
                std::future::pending::<()>().await;
            }
        }
    }

    /// What is next, if it is there.
    pub fn poll(&mut self) -> Option<StreamEvent> {
        let status = self.shared.status();
        if self.status != Some(status) {
            self.status = Some(status);
            return Some(StreamEvent::Status(status));
        }
        let (_, late) = self.behind();
        if late > BEHIND {
            self.skip();
        }
        self.shared.take(&mut self.cursor).map(StreamEvent::Packet)
    }

    /// How many pictures it has yet to read, and how much older the first of them is than the newest.
    #[must_use]
    pub fn behind(&self) -> (usize, Duration) {
        self.shared.with_backlog(|backlog| backlog.behind(&self.cursor))
    }

    /// It is too far behind: it goes on with the next key frame, which is asked for.
    pub fn skip(&mut self) {
        self.cursor.place = ReaderPosition::Waiting(self.shared.with_backlog(|backlog| backlog.end()));
        self.shared.want_key();
    }

    /// What it is read with lost its way: it goes on with the next key frame and what decoders need before that. Not with
    /// the one that is kept: what could not be read stands behind it.
    pub fn begin_again(&mut self) {
        self.cursor = Cursor::default();
        self.skip();
    }

    /// It wants something else from now on.
    pub fn aim(&self, request: StreamRequest) {
        self.request_handle().change(request);
    }

    /// What its request is changed by from elsewhere.
    pub(super) fn request_handle(&self) -> RequestHandle {
        RequestHandle {
            shared: Arc::clone(&self.shared),
            number: self.number,
        }
    }
}

/// What a reader's request is changed by.
pub(super) struct RequestHandle {
    shared: Arc<Shared>,
    number: u64,
}

impl RequestHandle {
    pub(super) fn change(&self, request: StreamRequest) {
        self.shared.request(self.number, request);
    }

    pub(super) fn want_key(&self) {
        self.shared.want_key();
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.shared.leave(self.number);
    }
}

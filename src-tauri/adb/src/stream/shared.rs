//! What the runner and the readers of one phone's stream share.

use super::backlog::{Backlog, Cursor};
use super::packet::{Packet, StreamRequest, StreamStatus};
use super::request;
use super::silence::Silence;
use crate::connect::route::Route;
use crate::scrcpy;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// One phone's stream.
pub(super) struct Shared {
    pub(super) route: Arc<Route>,
    pub(super) scrcpy: Arc<scrcpy::SharedSession>,
    /// How long `screenrecord` is silent when a picture is whole, on this phone.
    pub(super) silence: Arc<Silence>,
    state: Mutex<State>,
    /// Counts what is new for readers.
    news: watch::Sender<u64>,
    /// Something changed that the runner must look at.
    wants: Notify,
}

/// What one reader would like to see.
#[derive(Clone, Copy)]
struct ReaderRequest {
    request: StreamRequest,
    /// Its pictures are compared with one another: as they are, not as few bytes as will do.
    exact: bool,
}

#[derive(Default)]
struct State {
    backlog: Backlog,
    status: StreamStatus,
    requests: BTreeMap<u64, ReaderRequest>,
    readers: u64,
    sessions: u64,
    running: bool,
    key_wanted: bool,
    nudged: bool,
}

impl Shared {
    pub(super) fn new(route: Arc<Route>, scrcpy: Arc<scrcpy::SharedSession>) -> Self {
        Self {
            route,
            scrcpy,
            silence: Arc::default(),
            state: Mutex::default(),
            news: watch::Sender::new(0),
            wants: Notify::new(),
        }
    }

    /// A panic elsewhere leaves plain values behind: they are still true.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.news.send_modify(|count| *count = count.wrapping_add(1));
    }

    // What readers ask for.

    /// One more looks: its number, and whether whoever asks must start the runner.
    pub(super) fn join(&self, request: StreamRequest, exact: bool) -> (u64, bool) {
        let mut state = self.state();
        state.readers += 1;
        let number = state.readers;
        state.requests.insert(number, ReaderRequest { request, exact });
        let starts = !std::mem::replace(&mut state.running, true);
        drop(state);
        self.wants.notify_one();
        (number, starts)
    }

    /// One wants something else.
    pub(super) fn request(&self, reader: u64, request: StreamRequest) {
        // One that looked away wants nothing.
        if let Some(known) = self.state().requests.get_mut(&reader) {
            known.request = request;
        }
        self.wants.notify_one();
    }

    /// One looks away.
    pub(super) fn leave(&self, reader: u64) {
        self.state().requests.remove(&reader);
        self.wants.notify_one();
    }

    pub(super) fn want_key(&self) {
        self.state().key_wanted = true;
        self.wants.notify_one();
    }

    pub(super) fn nudge(&self) {
        self.state().nudged = true;
        self.wants.notify_one();
    }

    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    pub(super) fn status(&self) -> StreamStatus {
        self.state().status
    }

    /// What a reader reads next.
    pub(super) fn take(&self, cursor: &mut Cursor) -> Option<Arc<Packet>> {
        self.state().backlog.take(cursor)
    }

    /// Looks at the kept pictures.
    pub(super) fn with_backlog<T>(&self, look: impl FnOnce(&Backlog) -> T) -> T {
        look(&self.state().backlog)
    }

    // What the runner does.

    /// What all want together.
    pub(super) fn wanted(&self) -> Option<StreamRequest> {
        request::merged(self.state().requests.values().map(|one| one.request))
    }

    /// Whether some compare its pictures.
    pub(super) fn is_compared(&self) -> bool {
        self.state().requests.values().any(|one| one.exact)
    }

    /// Counts the sessions whose pictures were shown: those of one belong together.
    pub(super) fn sessions(&self) -> u64 {
        self.state().sessions
    }

    /// Returns when a reader asked for something.
    pub(super) async fn asked(&self) {
        self.wants.notified().await;
    }

    /// Whether a key frame was asked for; told once.
    pub(super) fn takes_key_wanted(&self) -> bool {
        std::mem::take(&mut self.state().key_wanted)
    }

    /// Whether what failed is to be tried again now; told once.
    pub(super) fn takes_nudge(&self) -> bool {
        std::mem::take(&mut self.state().nudged)
    }

    pub(super) fn stand(&self, status: StreamStatus) {
        let mut state = self.state();
        if state.status != status {
            state.status = status;
            drop(state);
            self.tell();
        }
    }

    pub(super) fn push(&self, configuration: Option<Packet>, unit: Packet) {
        let mut state = self.state();
        if let Some(configuration) = configuration {
            state.backlog.configure(configuration);
        }
        state.backlog.push(unit);
        drop(state);
        self.tell();
    }

    pub(super) fn clear(&self) {
        let mut state = self.state();
        state.backlog.clear();
        state.sessions += 1;
    }

    /// Ends the runner, unless somebody looks after all.
    pub(super) fn stop_if_unwanted(&self) -> bool {
        let mut state = self.state();
        if !state.requests.is_empty() {
            return false;
        }
        state.running = false;
        state.sessions += 1;
        state.status = StreamStatus::default();
        state.backlog.clear();
        true
    }

    /// The runner ended otherwise than by [`Shared::stop_if_unwanted`]: the next reader starts another.
    pub(super) fn stopped(&self) {
        self.state().running = false;
    }
}

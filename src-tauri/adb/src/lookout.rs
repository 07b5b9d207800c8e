//! The phone's stream, kept open while a run acts: it tells when the screen has come to rest, and what it shows then.
//!
//! It is opened by the first touch and closed a while after the last. A stream can stop without a word, and a quiet one looks
//! the same: so only a screen that was seen to move is believed. Where nothing moved, the caller takes a capture.

use crate::rest::{Pace, Rest};
use crate::stream::{Feed, Newest, Seen, Wish};
use protocol::{Bounds, Frame};
use screen::picture::{difference, status_bar};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// What a model is sent at most, as often as a movement must be told from its end.
const WISH: Wish = Wish {
    longest_side: 1280,
    fps: 30,
};
/// How long after the last touch the stream is kept.
const KEPT: Duration = Duration::from_secs(30);
/// A movement so soon after the screen was called quiet was one movement with it.
const SOON: Duration = Duration::from_millis(1500);

/// What came of a touch, as the stream showed it.
#[derive(Debug)]
pub(crate) enum Rested {
    /// There is no stream, or not yet.
    Unseen,
    /// Nothing moved; or nothing was shown of it.
    Still,
    /// It moved, and came to rest or was given up waiting for.
    Moved {
        seen: Seen,
        frame: Frame,
        /// Nothing changed any more.
        quiet: bool,
    },
}

pub(crate) struct Lookout {
    feed: Feed,
    state: Arc<Mutex<State>>,
    /// One waits at a time.
    open: Arc<tokio::sync::Mutex<Option<Open>>>,
}

#[derive(Default)]
struct State {
    pace: Pace,
    used: Option<Instant>,
    /// When the screen was last called quiet.
    rested: Option<Instant>,
}

struct Open {
    newest: Newest,
    /// What was last looked at, by its number.
    last: Option<(u64, Frame)>,
}

impl Lookout {
    pub(crate) fn new(feed: Feed) -> Self {
        Self {
            feed,
            state: Arc::default(),
            open: Arc::default(),
        }
    }

    /// Waits until the screen rests after a touch, at most until `until`.
    pub(crate) async fn rest(&self, touched: Instant, until: Instant) -> Rested {
        self.watch(touched, until).await.unwrap_or(Rested::Unseen)
    }

    /// Opens the stream of a phone that answers and is being touched, for the next time.
    pub(crate) async fn open(&self) {
        let mut open = self.open.lock().await;
        if open.is_none() {
            let newest = Newest::of(&self.feed, WISH);
            *open = Some(Open { newest, last: None });
        }
        drop(open);
        self.keep();
    }

    async fn watch(&self, touched: Instant, until: Instant) -> Option<Rested> {
        let mut open = self.open.lock().await;
        let Open { newest, last } = open.as_mut()?;
        self.keep();
        let (seen, frame) = newest.frame().await?;
        let before = last.take();
        let (pace, rested) = {
            let state = self.state();
            (state.pace, state.rested)
        };
        let mut rest = Rest::after(touched, pace, (frame.width, frame.height));
        let mut now = (seen, frame);
        // What the touch did may be here already.
        if let Some((seq, old)) = before
            && seq != now.0.seq
            && let Some(bounds) = change(&old, &now.1).await
        {
            if now.0.arrived >= touched {
                rest.changed(now.0.arrived, bounds);
            } else if let Some(after) = rested.and_then(|rested| now.0.arrived.checked_duration_since(rested))
                && after <= SOON
            {
                self.state().pace.too_early(after);
            }
        }
        loop {
            let due = rest.due().min(until);
            tokio::select! {
                biased;
                () = newest.changed() => {}
                () = sleep_until(due) => break,
            }
            let next = newest.frame().await?;
            if next.0.seq != now.0.seq {
                if let Some(bounds) = change(&now.1, &next.1).await {
                    rest.changed(next.0.arrived, bounds);
                }
                now = next;
            }
        }
        let quiet = Instant::now() < until;
        *last = Some((now.0.seq, now.1.clone()));
        {
            let mut state = self.state();
            state.rested = Some(Instant::now());
            if quiet {
                state.pace.learn(&rest);
            }
        }
        if !rest.moved() {
            return Some(Rested::Still);
        }
        let (seen, frame) = now;
        Some(Rested::Moved { seen, frame, quiet })
    }

    /// Keeps the stream open for a while from now on.
    fn keep(&self) {
        let mut state = self.state();
        let first = state.used.is_none();
        state.used = Some(Instant::now());
        drop(state);
        if first {
            self.close_later();
        }
    }

    /// Closes the stream once nobody has touched the phone for a while.
    fn close_later(&self) {
        let (open, state) = (Arc::downgrade(&self.open), Arc::downgrade(&self.state));
        tokio::spawn(async move {
            loop {
                let Some(until) = state.upgrade().and_then(|state| lock(&state).used) else {
                    return;
                };
                sleep_until(until + KEPT).await;
                let (Some(open), Some(state)) = (open.upgrade(), state.upgrade()) else {
                    return;
                };
                let mut open = open.lock().await;
                let mut state = lock(&state);
                if state.used.is_none_or(|used| used + KEPT <= Instant::now()) {
                    *open = None;
                    state.used = None;
                    return;
                }
            }
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where two pictures of a stream differ; nothing where they show the same. The status bar has a life of its own, and a
/// caret blinks.
async fn change(old: &Frame, new: &Frame) -> Option<Bounds> {
    let (old, new) = (old.clone(), new.clone());
    let compared = tokio::task::spawn_blocking(move || {
        let bar = status_bar(new.width, new.height);
        let found = difference(&old, &new, &[bar]);
        if found.is_caret() { None } else { found.bounds }
    });
    compared.await.ok().flatten()
}

//! Moments of a phone's stream, kept so that it can be said later whether anything was drawn since.
//!
//! Every picture that comes is compared with those that nothing was seen to follow: what came and went again counts too, for
//! a tree may have been read meanwhile. What has changed once is compared no more, so a movement costs a picture or two.

use crate::capture::compare::change;
use crate::capture::lock;
use crate::stream::PictureHandle;
use agent::ports::ScreenMark;
use protocol::Frame;
use screen::picture::CODING_NOISE;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// So many are held.
const HELD: usize = 3;

/// The marked moments of one phone. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct StreamPositions(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    count: u64,
    held: VecDeque<StreamPosition>,
}

#[derive(Clone)]
struct StreamPosition {
    mark: ScreenMark,
    /// The stream's session: another one's pictures may have left something out.
    session: u64,
    seq: u64,
    frame: Frame,
    /// Something else was shown since.
    changed: bool,
}

impl StreamPositions {
    /// Marks a picture of a session; one that is known and still shown keeps its mark.
    pub(crate) fn add(&self, session: u64, seq: u64, frame: &Frame) -> ScreenMark {
        let mut state = lock(&self.0);
        let is_it = |one: &&StreamPosition| (one.session, one.seq) == (session, seq);
        if let Some(known) = state.held.iter().find(is_it) {
            return known.mark;
        }
        state.count += 1;
        let mark = ScreenMark(state.count);
        if state.held.len() == HELD {
            state.held.pop_front();
        }
        state.held.push_back(StreamPosition {
            mark,
            session,
            seq,
            frame: frame.clone(),
            changed: false,
        });
        mark
    }

    /// Whether anything was shown since a mark, up to this picture of `session`; nothing where the mark is not of that
    /// session, or is no longer held.
    pub(crate) async fn changed(
        &self,
        mark: ScreenMark,
        session: u64,
        seq: u64,
        frame: &Frame,
    ) -> Option<bool> {
        let is_it = |one: &&StreamPosition| one.mark == mark && one.session == session;
        let marked = lock(&self.0).held.iter().find(is_it).cloned()?;
        if marked.changed {
            return Some(true);
        }
        let differs = seq != marked.seq && change(&marked.frame, frame, CODING_NOISE).await.is_some();
        if differs {
            self.note(mark);
        }
        Some(differs)
    }

    /// The stream is closed: nothing is told of it any more.
    pub(crate) fn clear(&self) {
        lock(&self.0).held.clear();
    }

    /// Compares what the stream shows, for as long as it is looked at.
    pub(crate) async fn follow(self, mut glance: PictureHandle) {
        while glance.changed().await {
            if lock(&self.0).held.iter().all(|one| one.changed) {
                continue;
            }
            let Some((seen, frame)) = glance.taken().await else {
                continue;
            };
            let unchanged = {
                let state = lock(&self.0);
                let older = state.held.iter().filter(|one| !one.changed && one.seq < seen.seq);
                older.cloned().collect::<Vec<_>>()
            };
            for one in unchanged {
                if change(&one.frame, &frame, CODING_NOISE).await.is_some() {
                    self.note(one.mark);
                }
            }
        }
    }

    fn note(&self, mark: ScreenMark) {
        for one in lock(&self.0).held.iter_mut().filter(|one| one.mark == mark) {
            one.changed = true;
        }
    }
}

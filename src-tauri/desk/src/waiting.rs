//! Runs that wait for their phone, and when each is told that it is there.
//!
//! A phone that comes back onto the list is told at once. One that never left it (a server that hung for a moment, a
//! cable with a bad contact) is tried again and again, ever more rarely: each try is a line in the journal.

use protocol::{Event, PhoneId, What};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Before the first try, doubled to the last.
const SOONEST: Duration = Duration::from_secs(2);
const LATEST: Duration = Duration::from_secs(60);
/// A phone that held so long was well: the next trouble is a new one.
const WELL: Duration = Duration::from_secs(180);

/// Which phones' runs wait, and how often each has begun to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting(Arc<watch::Sender<BTreeMap<PhoneId, Waits>>>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Waits {
    times: u64,
    now: bool,
}

impl Waiting {
    /// Reads one event of a run.
    pub(crate) fn hear(&self, event: &Event) {
        let now = match &event.what {
            What::Paused { reason } => agent::waits_for_phone(reason),
            What::Resumed | What::TakenOver | What::Ended { .. } => false,
            _ => return,
        };
        self.0.send_if_modified(|all| {
            let waits = all.entry(event.phone.clone()).or_default();
            let news = waits.now != now || now;
            waits.now = now;
            waits.times += u64::from(now);
            news
        });
    }

    pub(crate) fn tries(&self) -> Tries {
        Tries {
            waiting: self.0.subscribe(),
            due: BTreeMap::new(),
        }
    }
}

/// When which phone is tried.
pub(crate) struct Tries {
    waiting: watch::Receiver<BTreeMap<PhoneId, Waits>>,
    due: BTreeMap<PhoneId, Due>,
}

#[derive(Clone, Copy, Debug)]
struct Due {
    times: u64,
    wait: Duration,
    at: Instant,
}

impl Tries {
    /// The phones to try now, of those that can be used. Call again at [`Tries::next`].
    pub(crate) fn now(&mut self, usable: impl Fn(&PhoneId) -> bool) -> Vec<PhoneId> {
        let now = Instant::now();
        let waiting = self.waiting.borrow_and_update().clone();
        let mut tried = Vec::new();
        for (phone, waits) in waiting.iter().filter(|(_, waits)| waits.now) {
            let due = self.due.entry(phone.clone()).or_insert(Due {
                times: 0,
                wait: SOONEST / 2,
                at: now,
            });
            if due.times != waits.times {
                let well = due.times == 0 || now.duration_since(due.at) > WELL;
                due.times = waits.times;
                due.wait = if well { SOONEST } else { (due.wait * 2).min(LATEST) };
                due.at = now + due.wait;
            }
            if due.at <= now && usable(phone) {
                tried.push(phone.clone());
                // Should it not be heard, once more later.
                due.at = now + due.wait;
            }
        }
        tried
    }

    /// Waits until [`Tries::now`] may have something.
    pub(crate) async fn next(&mut self, usable: impl Fn(&PhoneId) -> bool) {
        let soonest = {
            let waiting = self.waiting.borrow();
            let due = self
                .due
                .iter()
                .filter(|(phone, _)| waiting.get(*phone).is_some_and(|waits| waits.now) && usable(phone));
            due.map(|(_, due)| due.at).min()
        };
        let later = async {
            match soonest {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // The sender goes with the desk, and so does whoever asks.
            changed = self.waiting.changed() => if changed.is_err() {
                std::future::pending::<()>().await;
            },
            () = later => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Failure, FailureCode, PauseReason, RunId};

    fn event(what: What) -> Event {
        Event {
            run: RunId("r".into()),
            phone: PhoneId("p".into()),
            seq: 1,
            at: 0,
            what,
        }
    }

    fn gone() -> Event {
        event(What::Paused {
            reason: PauseReason::PhoneGone,
        })
    }

    /// Seconds after which each of the next tries comes, when each fails at once.
    async fn tries(waiting: &Waiting, tries: &mut Tries, count: usize) -> Vec<u64> {
        let mut seconds = Vec::new();
        while seconds.len() < count {
            waiting.hear(&gone());
            let began = Instant::now();
            while tries.now(|_| true).is_empty() {
                tries.next(|_| true).await;
            }
            waiting.hear(&event(What::Resumed));
            seconds.push(began.elapsed().as_secs());
        }
        seconds
    }

    #[tokio::test(start_paused = true)]
    async fn a_phone_that_fails_again_and_again_is_tried_ever_more_rarely() {
        let waiting = Waiting::default();
        let mut all = waiting.tries();
        assert_eq!(tries(&waiting, &mut all, 7).await, [2, 4, 8, 16, 32, 60, 60]);
        tokio::time::sleep(WELL * 2).await;
        assert_eq!(tries(&waiting, &mut all, 2).await, [2, 4], "a new trouble");
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_wait_for_the_phone_is_left_alone() {
        let waiting = Waiting::default();
        let mut tries = waiting.tries();
        let failure = |code| Failure {
            code,
            values: BTreeMap::new(),
            detail: None,
        };
        for reason in [
            PauseReason::Person,
            PauseReason::Unclear,
            PauseReason::Look {
                failure: failure(FailureCode::PhoneSlow),
            },
        ] {
            waiting.hear(&event(What::Paused { reason }));
            tokio::time::sleep(LATEST).await;
            assert_eq!(tries.now(|_| true), []);
        }
        let reason = PauseReason::Look {
            failure: failure(FailureCode::PhoneUnauthorized),
        };
        waiting.hear(&event(What::Paused { reason }));
        assert_eq!(tries.now(|_| true), []);
        tokio::time::sleep(SOONEST).await;
        assert_eq!(tries.now(|_| false), [], "it is not there yet");
        assert_eq!(tries.now(|_| true), [PhoneId("p".into())]);
    }
}

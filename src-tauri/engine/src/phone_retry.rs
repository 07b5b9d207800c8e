//! Runs that wait for their phone or for the journal, and when each is to try again.
//!
//! A phone that comes back onto the list is told at once. One that never left it (a server that hung for a moment, a
//! cable with a bad contact) is tried again and again, ever more rarely: each try is a line in the journal. A journal that
//! was closed (another program held it, the disk was full) is tried in the same way, for it says nothing when it opens.

use protocol::{Event, PauseReason, PhoneId, What};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Before the first try, doubled to the last.
const SOONEST: Duration = Duration::from_secs(2);
const LATEST: Duration = Duration::from_secs(60);
/// A phone that held so long was well: the next trouble is a new one.
const WELL: Duration = Duration::from_secs(180);

/// Which phones' runs wait, what for, and how often each has begun to.
#[derive(Clone, Debug, Default)]
pub(crate) struct PhoneRetry {
    all: Arc<watch::Sender<BTreeMap<PhoneId, WaitState>>>,
    /// A person's Pause and a try of ours: one after the other.
    turn: Arc<Mutex<()>>,
}

/// What a run waits for that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryReason {
    /// Its phone.
    Phone,
    /// That it can be written down.
    Journal,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WaitState {
    times: u64,
    now: Option<RetryReason>,
}

impl PhoneRetry {
    /// Reads one event of a run.
    pub(crate) fn hear(&self, event: &Event) {
        let now = match &event.what {
            What::Paused {
                reason: PauseReason::Journal { .. },
            } => Some(RetryReason::Journal),
            What::Paused { reason } if agent::waits_for_phone(reason) => Some(RetryReason::Phone),
            What::Paused { .. } | What::Resumed | What::TakenOver | What::Ended { .. } => None,
            _ => return,
        };
        self.all.send_if_modified(|all| {
            let waits = all.entry(event.phone.clone()).or_default();
            let news = waits.now != now || now.is_some();
            waits.now = now;
            waits.times += u64::from(now.is_some());
            news
        });
    }

    /// The person wants the run of this phone to wait: what it waited for is not tried again by itself.
    pub(crate) fn hold(&self, phone: &PhoneId) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.all
            .send_if_modified(|all| all.get_mut(phone).is_some_and(|waits| waits.now.take().is_some()));
    }

    /// Tries, unless nobody waits any more.
    pub(crate) fn unless_held(&self, phone: &PhoneId, again: impl FnOnce()) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = self
            .all
            .borrow()
            .get(phone)
            .is_some_and(|waits| waits.now.is_some());
        if waits {
            again();
        }
    }

    pub(crate) fn schedule(&self) -> RetrySchedule {
        RetrySchedule {
            waiting: self.all.subscribe(),
            due: BTreeMap::new(),
        }
    }
}

/// When which phone is tried.
pub(crate) struct RetrySchedule {
    waiting: watch::Receiver<BTreeMap<PhoneId, WaitState>>,
    due: BTreeMap<PhoneId, BackoffState>,
}

#[derive(Clone, Copy, Debug)]
struct BackoffState {
    times: u64,
    wait: Duration,
    at: Instant,
}

impl RetrySchedule {
    /// The phones whose runs are to try now, and what each waits for. `usable` says which phones there are. Call again at
    /// [`RetrySchedule::next`].
    pub(crate) fn now(&mut self, usable: impl Fn(&PhoneId) -> bool) -> Vec<(PhoneId, RetryReason)> {
        let now = Instant::now();
        let waiting = self.waiting.borrow_and_update().clone();
        let mut tried = Vec::new();
        for (phone, waits) in &waiting {
            let Some(what) = waits.now else { continue };
            let due = self.due.entry(phone.clone()).or_insert(BackoffState {
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
            if due.at <= now && (what == RetryReason::Journal || usable(phone)) {
                tried.push((phone.clone(), what));
                // Should it not be heard, once more later.
                due.at = now + due.wait;
            }
        }
        tried
    }

    /// Waits until [`RetrySchedule::now`] may have something.
    pub(crate) async fn next(&mut self, usable: impl Fn(&PhoneId) -> bool) {
        let soonest = {
            let waiting = self.waiting.borrow();
            let due =
                self.due.iter().filter(
                    |(phone, _)| match waiting.get(*phone).and_then(|waits| waits.now) {
                        Some(RetryReason::Journal) => true,
                        Some(RetryReason::Phone) => usable(phone),
                        None => false,
                    },
                );
            due.map(|(_, due)| due.at).min()
        };
        let later = async {
            match soonest {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // The sender goes with the engine, and so does whoever asks.
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
    async fn tries(retry: &PhoneRetry, tries: &mut RetrySchedule, count: usize) -> Vec<u64> {
        let mut seconds = Vec::new();
        while seconds.len() < count {
            retry.hear(&gone());
            let began = Instant::now();
            while tries.now(|_| true).is_empty() {
                tries.next(|_| true).await;
            }
            retry.hear(&event(What::Resumed));
            seconds.push(began.elapsed().as_secs());
        }
        seconds
    }

    #[tokio::test(start_paused = true)]
    async fn a_phone_that_fails_again_and_again_is_tried_ever_more_rarely() {
        let retry = PhoneRetry::default();
        let mut all = retry.schedule();
        assert_eq!(tries(&retry, &mut all, 7).await, [2, 4, 8, 16, 32, 60, 60]);
        tokio::time::sleep(WELL * 2).await;
        assert_eq!(tries(&retry, &mut all, 2).await, [2, 4], "a new trouble");
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_wait_for_the_phone_is_left_alone() {
        let retry = PhoneRetry::default();
        let mut tries = retry.schedule();
        let failure = |code| Failure {
            code,
            values: BTreeMap::new(),
            detail: None,
        };
        for reason in [
            PauseReason::Person,
            PauseReason::Unclear,
            PauseReason::Look {
                failure: failure(FailureCode::CaptureFailed),
            },
        ] {
            retry.hear(&event(What::Paused { reason }));
            tokio::time::sleep(LATEST).await;
            assert_eq!(tries.now(|_| true), []);
        }
        let reason = PauseReason::Look {
            failure: failure(FailureCode::PhoneSlow),
        };
        retry.hear(&event(What::Paused { reason }));
        assert_eq!(tries.now(|_| true), []);
        tokio::time::sleep(SOONEST).await;
        assert_eq!(tries.now(|_| false), [], "it is not there yet");
        assert_eq!(tries.now(|_| true), [(PhoneId("p".into()), RetryReason::Phone)]);
    }

    fn locked() -> Event {
        event(What::Paused {
            reason: PauseReason::Journal {
                failure: FailureCode::JournalLocked.into(),
            },
        })
    }

    /// Whether the phone is there is nothing to the journal.
    #[tokio::test(start_paused = true)]
    async fn a_closed_journal_is_tried_until_it_opens_or_the_person_pauses() {
        let retry = PhoneRetry::default();
        let mut tries = retry.schedule();
        let began = Instant::now();
        let mut seconds = Vec::new();
        for _ in 0..4 {
            retry.hear(&locked());
            while tries.now(|_| false).is_empty() {
                tries.next(|_| false).await;
            }
            seconds.push(began.elapsed().as_secs());
            retry.hear(&event(What::Resumed));
        }
        assert_eq!(seconds, [2, 6, 14, 30]);
        retry.hear(&locked());
        let tried = Mutex::new(0);
        let phone = PhoneId("p".into());
        retry.unless_held(&phone, || *tried.lock().unwrap() += 1);
        retry.hold(&phone);
        retry.unless_held(&phone, || *tried.lock().unwrap() += 1);
        tokio::time::sleep(LATEST * 2).await;
        assert_eq!(tries.now(|_| true), []);
        assert_eq!(*tried.lock().unwrap(), 1);
    }
}

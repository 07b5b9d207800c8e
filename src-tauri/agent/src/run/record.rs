//! Writing down and telling: one list of events, in one order, with one numbering.

use super::handle::{EventListener, Ports, Task};
use crate::ports::{Clock, Journal};
use protocol::{Event, Failure, PhoneId, RunId, What};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait between the last tries, when the run is over and the journal is closed.
const LAST_TRIES: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
    Duration::from_secs(15),
];

/// The run's pen.
pub(super) struct Recorder {
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    tell: EventListener,
    run: RunId,
    phone: PhoneId,
    seq: u64,
    /// What happened and is not on the disk yet, in order. Delivered ones were told ahead (a pause because the journal is
    /// closed must be seen although it cannot be written).
    unwritten: VecDeque<(Event, DeliveryStatus)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DeliveryStatus {
    Delivered,
    Pending,
}

impl Recorder {
    pub(super) fn new(task: &Task, ports: &Ports, tell: EventListener) -> Self {
        Self {
            journal: Arc::clone(&ports.journal),
            clock: Arc::clone(&ports.clock),
            tell,
            run: task.run.clone(),
            phone: task.phone.clone(),
            seq: 0,
            unwritten: VecDeque::new(),
        }
    }

    /// Writes one event and then tells it. When this returns Ok it is on the disk, and so is everything before it.
    pub(super) async fn record(&mut self, what: What) -> Result<(), Failure> {
        let event = self.event(what);
        self.unwritten.push_back((event, DeliveryStatus::Pending));
        self.write().await
    }

    /// Writes if it can, and tells in any case: for what the person must see although the journal is closed.
    pub(super) async fn insist(&mut self, what: What) -> Result<(), Failure> {
        let written = self.record(what).await;
        if written.is_err() {
            self.tell_unwritten();
        }
        written
    }

    /// Tells, and writes with what comes next: for when the journal was found closed just now.
    pub(super) fn tell_ahead(&mut self, what: What) {
        let event = self.event(what);
        self.unwritten.push_back((event, DeliveryStatus::Pending));
        self.tell_unwritten();
    }

    fn tell_unwritten(&mut self) {
        for (event, delivery) in &mut self.unwritten {
            if *delivery == DeliveryStatus::Pending {
                (self.tell)(event);
                *delivery = DeliveryStatus::Delivered;
            }
        }
    }

    /// After the last event: what could not be written is tried again, for a while.
    pub(super) async fn finish(mut self) {
        for wait in LAST_TRIES {
            if self.write().await.is_ok() {
                return;
            }
            tokio::time::sleep(wait).await;
        }
        if self.write().await.is_err() {
            tracing::error!(run = %self.run, lines = self.unwritten.len(), "the journal is closed; the end of this run is not in it");
        }
    }

    /// Writes what is not on the disk yet. Ok: nothing is left.
    pub(super) async fn write(&mut self) -> Result<(), Failure> {
        while let Some((event, delivery)) = self.unwritten.front() {
            self.journal.append(event).await?;
            if *delivery == DeliveryStatus::Pending {
                (self.tell)(event);
            }
            self.unwritten.pop_front();
        }
        Ok(())
    }

    fn event(&mut self, what: What) -> Event {
        self.seq += 1;
        Event {
            run: self.run.clone(),
            phone: self.phone.clone(),
            seq: self.seq,
            at: self.clock.now(),
            what,
        }
    }
}

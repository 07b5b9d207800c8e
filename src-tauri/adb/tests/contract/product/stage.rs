//! The moments of a run at which something goes wrong.

use super::table::Case;
use agent::ports::{Clock, Journal, KeptScreen};
use async_trait::async_trait;
use protocol::{
    Act, AskOutcome, Event, Failure, FrameId, LastTime, Millis, PauseReason, PhoneId, RunId, What,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use virtual_phone::{PhoneHandle, Received};

/// The screen is watched by then, after a finger was lifted.
const WATCHED: Duration = Duration::from_millis(200);

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The first capture is asked for; where the screen is streamed, the run begins.
    FirstLook,
    /// The first picture is taken, the tree is being read.
    Tree,
    /// The model thinks about its last act, for longer than a look stays fresh.
    Thinking,
    /// The last act is promised, nothing of it has reached the phone.
    Promise,
    /// Half of a long swipe.
    HalfSwipe,
    /// Half a text that goes in two pieces.
    HalfText,
    /// The last act is done on the phone; its answer is on its way.
    Untold,
    /// The screen is being watched come to rest after it.
    Settling,
    /// A question is open.
    Question,
    /// Yes was said, the screen is looked at again.
    SecondLook,
    /// The person has paused the run.
    Pause,
}

impl Stage {
    pub(super) const ALL: [(Self, &'static str); 11] = [
        (Self::FirstLook, "first look"),
        (Self::Tree, "reading the tree"),
        (Self::Thinking, "thinking"),
        (Self::Promise, "promise → act"),
        (Self::HalfSwipe, "half a swipe"),
        (Self::HalfText, "half a text"),
        (Self::Untold, "done, not told"),
        (Self::Settling, "settling"),
        (Self::Question, "question open"),
        (Self::SecondLook, "look after Yes"),
        (Self::Pause, "paused"),
    ];
}

/// What a cell knows: the phone, the one moment its fault begins, and everything that was written down.
pub(super) struct Scene {
    pub(super) handle: PhoneHandle,
    pub(super) case: Case,
    stage: Stage,
    began: Instant,
    struck: watch::Sender<Option<Instant>>,
    written: Mutex<Vec<(u64, Event)>>,
}

impl Scene {
    pub(super) fn new(handle: PhoneHandle, case: Case, stage: Stage, began: Instant) -> Arc<Self> {
        Arc::new(Self {
            handle,
            case,
            stage,
            began,
            struck: watch::Sender::new(None),
            written: Mutex::default(),
        })
    }

    /// A moment is there: if it is this cell's, the fault begins.
    pub(super) fn reached(&self, stage: Stage) {
        if stage == self.stage && self.struck.borrow().is_none() {
            self.handle.set_fault(self.case.fault);
            self.struck.send_replace(Some(Instant::now()));
        }
    }

    pub(super) fn has_struck(&self) -> bool {
        self.struck.borrow().is_some()
    }

    /// Returns once the fault has begun.
    pub(super) async fn strikes(&self) {
        let _ = self.struck.subscribe().wait_for(Option::is_some).await;
    }

    /// Everything that was written down, and how much had reached the phone by then.
    pub(super) fn written(&self) -> Vec<(u64, Event)> {
        self.written.lock().unwrap().clone()
    }

    fn has_promised(&self, fits: impl Fn(&Act) -> bool) -> bool {
        self.written
            .lock()
            .unwrap()
            .iter()
            .any(|(_, event)| matches!(&event.what, What::Acting { action, .. } if fits(&action.act)))
    }

    /// Reads what reaches the phone for the moments only the phone knows of.
    pub(super) async fn watch(self: Arc<Self>) {
        let record = self.handle.record();
        let mut changes = record.changes();
        let (mut read, mut moves, mut typed, mut done) = (0, 0, 0, false);
        while !self.has_struck() {
            changes.mark_unchanged();
            let entries = record.since(read);
            read += entries.len() as u64;
            for entry in entries {
                match &entry.what {
                    Received::Command { command, .. } if command.contains("screencap") => {
                        self.reached(if done { Stage::Settling } else { Stage::FirstLook });
                    }
                    Received::Capture => self.reached(Stage::Tree),
                    Received::Finger { action: "move", .. } => {
                        moves += 1;
                        if moves == 5 {
                            self.reached(Stage::HalfSwipe);
                        }
                    }
                    Received::Text { .. } => {
                        typed += 1;
                        if typed == 8 {
                            self.reached(Stage::HalfText);
                        }
                    }
                    Received::Finger { action: "up", .. } if self.has_promised(is_tap) => {
                        done = true;
                        self.reached(Stage::Untold);
                        // scrcpy's stream alone tells when it has come to rest: no capture is asked for.
                        if self.case.has_jar {
                            tokio::time::sleep(WATCHED).await;
                            self.reached(Stage::Settling);
                        }
                    }
                    _ => {}
                }
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }
}

/// The one tap of the task is its last act.
pub(super) fn is_tap(act: &Act) -> bool {
    matches!(act, Act::Tap { .. })
}

#[async_trait]
impl Journal for Scene {
    async fn spend(&self, _: protocol::Usage) -> Result<(), Failure> {
        Ok(())
    }

    async fn append(&self, event: &Event) -> Result<(), Failure> {
        let line = (self.handle.record().len(), event.clone());
        self.written.lock().unwrap().push(line);
        match &event.what {
            What::Acting { action, .. } if is_tap(&action.act) => self.reached(Stage::Promise),
            What::Asked { .. } => self.reached(Stage::Question),
            What::Answered {
                outcome: AskOutcome::Allowed,
                ..
            } => self.reached(Stage::SecondLook),
            What::Paused {
                reason: PauseReason::Person,
            } => self.reached(Stage::Pause),
            _ => {}
        }
        Ok(())
    }

    async fn keep(&self, _: &RunId, _: KeptScreen<'_>) -> Result<FrameId, Failure> {
        Ok(FrameId("frame".into()))
    }

    async fn last_payment(&self, _: &PhoneId, _: &str) -> Result<Option<LastTime>, Failure> {
        Ok(None)
    }

    async fn spent_today(&self) -> Result<f64, Failure> {
        Ok(0.0)
    }
}

impl Clock for Scene {
    fn now(&self) -> Millis {
        1_000_000 + Millis::try_from(self.began.elapsed().as_millis()).unwrap()
    }
}

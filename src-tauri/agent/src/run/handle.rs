//! The outside of a run: what it is given, and the way to it.

use crate::lease::{Grip, Lease};
use crate::ports::{
    Clock, Credentials, Journal, Model, Phone, PickedFile, Scripts, SharedReplayer, StepRecorder,
};
use crate::prior_progress::PriorProgress;
use crate::timing::StepTiming;
use protocol::{Answer, AskId, AutomationRun, Event, Op, PhoneId, RunId, Settings};
use secrecy::SecretString;
use std::sync::Arc;
use tokio::sync::{broadcast, mpsc, watch};

/// What a run is about.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its id.
    pub run: RunId,
    /// The phone.
    pub phone: PhoneId,
    /// The phone's name, for questions.
    pub phone_name: String,
    /// The person's words.
    pub goal: String,
    /// The automation it is a run of.
    pub automation: Option<AutomationRun>,
    /// What was done of it before it was broken off; absent where it begins anew.
    pub earlier: Option<PriorProgress>,
    /// The person's choices, as they stand now.
    pub settings: Settings,
}

/// What a run needs from outside.
#[derive(Clone)]
#[expect(missing_docs, reason = "the ports, by their names")]
pub struct Ports {
    pub phone: Arc<dyn Phone>,
    pub model: Arc<dyn Model>,
    pub journal: Arc<dyn Journal>,
    pub scripts: Arc<dyn Scripts>,
    pub credentials: Arc<dyn Credentials>,
    pub clock: Arc<dyn Clock>,
    pub recorder: Option<Arc<dyn StepRecorder>>,
    /// What is repeated; absent where the model does the task.
    pub replayer: Option<SharedReplayer>,
}

/// What a run hears.
#[derive(Debug)]
pub(super) enum Message {
    Op(Op),
    Answer(Answer),
    Supply {
        ask: AskId,
        digest: String,
        value: SecretString,
    },
    Give {
        ask: AskId,
        digest: String,
        file: PickedFile,
    },
    PhoneBack,
    Settings(Box<Settings>),
}

/// Told every event once it is written down.
pub type EventListener = Arc<dyn Fn(&Event) + Send + Sync>;

/// The way to a run. Clones speak to the same run.
#[derive(Clone, Debug)]
pub struct Handle {
    /// Which run.
    pub run: RunId,
    /// On which phone.
    pub phone: PhoneId,
    pub(super) lease: Lease,
    pub(super) inbox: mpsc::UnboundedSender<Message>,
    pub(super) over: watch::Receiver<bool>,
    pub(super) written: watch::Receiver<bool>,
    pub(super) timings: broadcast::Sender<StepTiming>,
}

impl Handle {
    /// Pause, resume, say, hand back, ask again. Stop and Take over have their own doors and go there from here too.
    pub async fn steer(&self, op: Op) {
        match op {
            Op::Stop => {
                self.stop().await;
            }
            Op::Pause | Op::TakeOver => {
                self.lease.revoke();
                self.send(Message::Op(op));
            }
            Op::Resume | Op::HandBack | Op::Say { .. } | Op::AskAgain => self.send(Message::Op(op)),
        }
    }

    /// Tells the AI something: it hears it before it thinks the next time.
    pub fn say(&self, text: &str) {
        let text = text.to_owned();
        self.send(Message::Op(Op::Say { text }));
    }

    /// Ends the run. When this returns, nothing more can reach the phone through it; its last event says whether a
    /// command may still be running there.
    pub async fn stop(&self) {
        self.lease.revoke();
        self.send(Message::Op(Op::Stop));
        self.wait_over().await;
    }

    /// The person's hand takes the phone: the run's own grip is void at once.
    #[must_use]
    pub fn take_over(&self) -> Grip {
        let grip = self.lease.take();
        self.send(Message::Op(Op::TakeOver));
        grip
    }

    /// An answer. Late, repeated and unknown ones are ignored by the run.
    pub fn answer(&self, answer: Answer) {
        self.send(Message::Answer(answer));
    }

    /// A code or password, on its way to the phone.
    pub fn supply(&self, ask: AskId, digest: String, value: SecretString) {
        self.send(Message::Supply { ask, digest, value });
    }

    /// A picture or file, on its way to the phone.
    pub fn give(&self, ask: AskId, digest: String, file: PickedFile) {
        self.send(Message::Give { ask, digest, file });
    }

    /// The phone is there again.
    pub fn phone_is_back(&self) {
        self.send(Message::PhoneBack);
    }

    /// The person's settings as they stand now: they hold from the next step on.
    pub fn follow(&self, settings: Settings) {
        self.send(Message::Settings(Box::new(settings)));
    }

    /// Where the time of each step goes, from now on, told as it ends. Who falls 64 steps behind misses the oldest.
    #[must_use]
    pub fn timings(&self) -> broadcast::Receiver<StepTiming> {
        self.timings.subscribe()
    }

    /// Whether the run is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    /// Returns once the run is over and its last event was told: nothing more can reach the phone through it. Where the
    /// journal is closed, that event is told before it is written: see [`Handle::wait_written`].
    pub async fn wait_over(&self) {
        // The sender goes with the run; either way it is over.
        let _ = self.over.clone().wait_for(|over| *over).await;
    }

    /// Returns once the last event is in the journal, or could not be written for half a minute.
    pub async fn wait_written(&self) {
        let _ = self.written.clone().wait_for(|written| *written).await;
    }

    fn send(&self, message: Message) {
        // A run that is over hears nothing; that is what its handle says too.
        let _ = self.inbox.send(message);
    }
}

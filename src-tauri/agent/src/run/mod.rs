//! One run: one task on one phone, from the first look to the end.
//!
//! A single task owns all of a run's state and does everything in order. It is spoken to through one inbox (what the
//! person wants, answers, supplied secrets) and speaks through one list of events. Every wait is raced against the
//! inbox. Stop, Pause and Take over reach the phone before they reach the run: [`Handle`] revokes the lease first.

mod ahead;
mod allow;
mod auth;
mod biometric;
mod circuit_breaker;
mod clipboard;
mod comment;
mod computer_script;
mod deliver;
mod effect;
mod execute;
mod follow;
mod handle;
mod limits;
mod look;
mod mandate;
mod media_import;
mod phone_error;
mod question;
mod read_texts;
mod record;
mod rest;
mod saved;
mod scroll;
mod second_opinion;
mod side_request;
mod standing_answers;
mod think;
mod unlock;
mod wait;

use crate::guard::Opinions;
use crate::history::History;
use crate::lease::{Grip, Lease};
use crate::plan::{Follow, Show};
use crate::ports::{App, PickedFile, RawObservation};
use crate::prompt::Added;
use crate::secrets::Secrets;
use circuit_breaker::Breaker;
use handle::Message;
pub use handle::{Handle, Ports, Task, Tell};
use phone_error::phone_trouble;
use phone_error::waits_for_unlock;
pub use phone_error::{failure_of, waits_for_phone};
use protocol::{
    Action, Answer, Ask, AskId, CaptureMode, Ending, Failure, Frame, Mandate, Op, PauseReason, Screen, Usage,
    What,
};
use read_texts::ReadTexts;
use record::Recorder;
use secrecy::SecretString;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use think::Wanted;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// How long Stop waits for what is on its way before it says that a command may still be running.
pub const STOP_BOUND: Duration = Duration::from_secs(2);

/// What `captureAfter` shows: as a capture whose fields are not given.
const CAPTURE_AFTER: Show = Show {
    mode: CaptureMode::Som,
    max_elements: 100,
};

/// Makes a run. Spawn the future; the handle speaks to it.
pub fn start(
    task: Task,
    ports: Ports,
    lease: &Lease,
    tell: Tell,
) -> (Handle, impl Future<Output = ()> + Send + use<>) {
    let (sender, inbox) = mpsc::unbounded_channel();
    let (over_sender, over) = watch::channel(false);
    let (written_sender, written) = watch::channel(false);
    let handle = Handle {
        run: task.run.clone(),
        phone: task.phone.clone(),
        lease: lease.clone(),
        inbox: sender,
        over,
        written,
    };
    let grip = lease.take();
    let guard = ports.model.guard();
    let recorder = Recorder::new(&task, &ports, tell);
    let now = Instant::now();
    let run = Run {
        task,
        ports,
        lease: lease.clone(),
        grip,
        inbox,
        recorder,
        history: History::default(),
        secrets: Secrets::default(),
        fitting: saved::Fitting::default(),
        variables: BTreeMap::new(),
        said: Vec::new(),
        apps: Vec::new(),
        apps_after: None,
        sent: None,
        step: 0,
        steps_allowed: 0,
        active_since: now,
        active_before: Duration::ZERO,
        minutes_allowed: 0,
        unclear: 0,
        repeats: VecDeque::new(),
        denied: BTreeSet::new(),
        breaker: Breaker::default(),
        grants: Vec::new(),
        mandates: Vec::new(),
        read: ReadTexts::default(),
        unapproved: None,
        opinions: Opinions::new(guard),
        before: None,
        flagged: false,
        asked: None,
        again: None,
        kept: VecDeque::new(),
        tracker: screen::Tracker::new(),
        asks: 0,
        fresh: None,
        harmless: false,
        unread_in: None,
        rested: true,
        settled_at: now,
        follow: None,
        at_end: false,
        show: None,
        aside: None,
        said_as: None,
        maybe_running: false,
        stop_by: None,
    };
    (handle, async move {
        let recorder = run.live().await;
        over_sender.send_replace(true);
        recorder.finish().await;
        written_sender.send_replace(true);
    })
}

/// What ends a step before its time.
#[derive(Clone, Debug, PartialEq)]
enum Halt {
    /// The person wants something else now.
    Broken(Break),
    /// The run must wait.
    Pause(PauseReason),
    /// The run is over.
    End(Ending),
}

/// What the person wants now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    Stop,
    Pause,
    TakeOver,
}

/// What a message that does not break anything was.
enum Heard {
    Said,
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
    Resume,
    AskAgain,
    HandBack,
    PhoneBack,
    Standing,
}

/// A Yes the person gave in advance to a payment they were shown (`request_human_auth`): good for one of that amount to that
/// recipient, in the same app, within a minute.
#[derive(Clone, Debug)]
struct Grant {
    yes: judge::Yes,
    app: String,
    amount: protocol::Amount,
    recipient: Option<String>,
    until: Instant,
}

struct Run {
    task: Task,
    ports: Ports,
    lease: Lease,
    grip: Grip,
    inbox: mpsc::UnboundedReceiver<Message>,
    /// Heard too early, while a step was being broken off.
    kept: VecDeque<Message>,
    /// What follows a thing from screen to screen.
    tracker: screen::Tracker,
    recorder: Recorder,
    history: History,
    secrets: Secrets,
    /// Saved passwords the model hears of.
    fitting: saved::Fitting,
    variables: BTreeMap<String, String>,
    said: Vec<Added<String>>,
    apps: Vec<App>,
    /// The model asked which apps there are, after so many lines of history: they are in every prompt from then on.
    apps_after: Option<usize>,
    /// The whole picture that went with the last request.
    sent: Option<Frame>,
    step: u32,
    steps_allowed: u32,
    active_since: Instant,
    active_before: Duration,
    minutes_allowed: u32,
    unclear: u32,
    /// The last actions and the screens they were done on.
    repeats: VecDeque<(String, Screen)>,
    denied: BTreeSet<String>,
    breaker: Breaker,
    grants: Vec<Grant>,
    /// What the person agreed to before the task began, as much of it as is left.
    mandates: Vec<Mandate>,
    /// Texts read on the phone: no link carries them away.
    read: ReadTexts,
    /// The page before acts that nobody said Yes to.
    unapproved: Option<Screen>,
    /// What somebody else thinks of the pages seen.
    opinions: Opinions,
    /// What the last page that could be read was about, where it paid, sent or deleted.
    before: Option<protocol::AskKind>,
    /// The model marked its action as one a person should see.
    flagged: bool,
    /// The open question.
    asked: Option<Ask>,
    /// What was asked about when time ran out, to be asked again.
    again: Option<(Action, String)>,
    asks: u32,
    /// What the settling after the last action saw.
    fresh: Option<RawObservation>,
    /// The last look was read, and nothing secret was asked for on it.
    harmless: bool,
    /// The app whose screen could not be read, tried twice.
    unread_in: Option<String>,
    /// The phone may have fallen asleep since the run last looked.
    rested: bool,
    settled_at: Instant,
    /// What the last action has still to do.
    follow: Option<Box<Follow>>,
    /// The last action was a scroll that found the end of its list.
    at_end: bool,
    /// What of the next look was asked for by `capture` or `captureAfter`.
    show: Option<Show>,
    /// What questions beside the task cost, until it is told with the step's outcome.
    aside: Option<Usage>,
    /// The last action in pixels of the screen, and as the model wrote it: it is told its own numbers.
    said_as: Option<(Action, Action)>,
    maybe_running: bool,
    /// Stop was heard: it is answered by then.
    stop_by: Option<Instant>,
}

impl Run {
    async fn live(mut self) -> Recorder {
        self.steps_allowed = self.task.settings.limits.steps;
        self.minutes_allowed = self.task.settings.limits.minutes;
        let started = What::Started {
            goal: self.task.goal.clone(),
            model: self.ports.model.name(),
            demo_ai: self.ports.model.is_demo(),
        };
        let mut halt = self.record(started).await.err();
        if halt.is_none() {
            halt = self.agree_beforehand().await.err();
        }
        loop {
            let next = match halt.take() {
                None => self.step().await,
                Some(halt) => Err(halt),
            };
            let Err(stop) = next else { continue };
            let ending = match stop {
                Halt::End(ending) => Some(ending),
                Halt::Broken(Break::Stop) => Some(Ending::Stopped),
                Halt::Broken(Break::Pause) => self.pause(PauseReason::Person).await,
                Halt::Broken(Break::TakeOver) => self.taken_over().await,
                Halt::Pause(reason) => self.pause(reason).await,
            };
            if let Some(ending) = ending {
                self.end(ending).await;
                return self.recorder;
            }
        }
    }

    /// The last event: told once nothing more can reach the phone, or the bound is over.
    async fn end(&mut self, ending: Ending) {
        self.withdraw().await;
        self.grip.release();
        // One bound for all that follows Stop: what was broken off may have taken its time already.
        let left = self
            .stop_by
            .map(|by| by.saturating_duration_since(Instant::now()));
        let is_drained = self.lease.drained(left.unwrap_or(STOP_BOUND)).await;
        self.maybe_running |= !is_drained && ending == Ending::Stopped;
        self.insist(What::Ended {
            ending,
            maybe_running: self.maybe_running,
        })
        .await;
    }

    /// Waits until the person (or the phone's return) lets the run go on. Some: it ends instead.
    async fn pause(&mut self, mut reason: PauseReason) -> Option<Ending> {
        loop {
            self.rest();
            self.withdraw().await;
            self.grip.release();
            let comes_back = waits_for_phone(&reason);
            let locked = waits_for_unlock(&reason);
            match reason {
                PauseReason::Journal { .. } => self.recorder.tell_ahead(What::Paused { reason }),
                reason => self.insist(What::Paused { reason }).await,
            }
            if let Some(instead) = self.wait_out(comes_back, locked).await {
                return instead;
            }
            self.go_on();
            self.grip = self.lease.take();
            match self.recorder.insist(What::Resumed).await {
                Ok(()) => return None,
                // The journal is still closed: it waits on.
                Err(failure) => reason = PauseReason::Journal { failure },
            }
        }
    }

    /// Waits while it is paused. None: it goes on; else what comes instead.
    async fn wait_out(&mut self, comes_back: bool, locked: bool) -> Option<Option<Ending>> {
        loop {
            let phone = Arc::clone(&self.ports.phone);
            let grip = self.grip.clone();
            let heard = tokio::select! {
                biased;
                heard = self.hear_next() => heard,
                () = unlock::unlocked(phone, grip), if locked => return None,
            };
            match heard {
                Ok(Heard::Resume | Heard::AskAgain) => return None,
                Ok(Heard::PhoneBack) if comes_back => return None,
                Ok(_) => {}
                Err(Halt::Broken(Break::Stop)) => return Some(Some(Ending::Stopped)),
                Err(Halt::Broken(Break::TakeOver)) => return Some(self.taken_over().await),
                Err(Halt::Broken(Break::Pause)) => {}
                // The journal is still closed: stay where we are.
                Err(Halt::Pause(_)) => {}
                Err(Halt::End(ending)) => return Some(Some(ending)),
            }
        }
    }

    /// Told in any case, and written when it can be.
    async fn insist(&mut self, what: What) {
        // Whatever is to be done next is written down first, and finds the journal closed.
        let _told = self.recorder.insist(what).await;
    }

    async fn record(&mut self, what: What) -> Result<(), Halt> {
        self.recorder.record(what).await.map_err(journal)
    }

    /// Waits for `work`, hearing meanwhile. Words for the AI are kept and do not disturb it.
    async fn race<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Halt> {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                message = self.inbox.recv() => {
                    self.hear(message).await?;
                }
                out = &mut work => return Ok(out),
            }
        }
    }

    async fn hear_next(&mut self) -> Result<Heard, Halt> {
        let message = match self.kept.pop_front() {
            Some(message) => Some(message),
            None => self.inbox.recv().await,
        };
        self.hear(message).await
    }

    /// Stop was heard: it is answered within the bound, whatever is to be waited for first.
    fn hear_stop(&mut self) {
        self.stop_by.get_or_insert_with(|| Instant::now() + STOP_BOUND);
    }

    /// Takes one message in.
    async fn hear(&mut self, message: Option<Message>) -> Result<Heard, Halt> {
        // Nobody is left who could ever stop it: it stops.
        let message = message.unwrap_or(Message::Op(Op::Stop));
        match message {
            Message::Op(Op::Stop) => {
                self.hear_stop();
                Err(Halt::Broken(Break::Stop))
            }
            Message::Op(Op::Pause) => Err(Halt::Broken(Break::Pause)),
            Message::Op(Op::TakeOver) => Err(Halt::Broken(Break::TakeOver)),
            Message::Op(Op::Resume) => Ok(Heard::Resume),
            Message::Op(Op::AskAgain) => Ok(Heard::AskAgain),
            Message::Op(Op::HandBack) => Ok(Heard::HandBack),
            Message::Op(Op::Say { text }) => {
                self.add_words(text).await?;
                Ok(Heard::Said)
            }
            Message::Answer(answer) => Ok(Heard::Answer(answer)),
            Message::Supply { ask, digest, value } => Ok(Heard::Supply { ask, digest, value }),
            Message::Give { ask, digest, file } => Ok(Heard::Give { ask, digest, file }),
            Message::PhoneBack => Ok(Heard::PhoneBack),
            Message::Standing(rules, credentials) => {
                self.task.settings.rules = rules;
                self.task.settings.credentials = credentials;
                Ok(Heard::Standing)
            }
        }
    }

    /// One step: look, think, read, judge, ask, look again, promise, act, settle, tell.
    async fn step(&mut self) -> Result<(), Halt> {
        // While the journal is closed nothing is looked at and nobody is paid to think.
        self.recorder.write().await.map_err(journal)?;
        self.check_limits().await?;
        if let Some(reason) = self.breaker.tripped() {
            return Err(Halt::Pause(reason));
        }
        self.step += 1;
        if std::mem::take(&mut self.rested) {
            self.wake().await?;
        }
        if self.may_think_ahead()
            && let Some(sight) = self.sight_to_think_on().await?
        {
            return self.step_ahead(sight).await;
        }
        let mut seen = self.look().await?;
        self.notice_deed(&seen)?;
        if unlock::is_dark(&seen.screen) && self.wake().await? {
            seen = self.look().await?;
        }
        if self.again.is_none()
            && let Some(follow) = self.follow.take()
        {
            return self.follow_up(*follow, seen).await;
        }
        // A question that ran out of time is asked again about the same action, on the screen as it is now.
        let wanted = match self.again.take() {
            Some((action, thought)) => Some(Wanted {
                action,
                thought,
                pointed: None,
            }),
            None => self.think(&seen).await?,
        };
        match wanted {
            Some(wanted) => self.carry_out(wanted, seen).await,
            None => Ok(()),
        }
    }
}

/// A pause because nothing can be written down.
fn journal(failure: Failure) -> Halt {
    Halt::Pause(PauseReason::Journal { failure })
}

//! The three fakes and the table they are used at.

mod form;
pub(crate) mod guard;
mod model;
mod pages;
mod phone;
mod scripts;

pub(crate) use model::{ScriptedModel, Turn};
pub(crate) use pages::World;
pub(crate) use phone::{Counts, FakePhone, Received};
pub(crate) use scripts::{FakeScripts, Play};

use agent::ports::{Clock, Credentials, Journal, KeptScreen, SharedReplayer, StepRecorder};
use agent::{Handle, Lease, Ports, Task};
use async_trait::async_trait;
use protocol::{
    Answer, Ask, AskOutcome, Choice, Credential, ElementBinding, Event, Failure, FailureCode, Frame, FrameId,
    LastTime, Millis, PauseReason, PhoneId, RunId, Settings, Usage, What,
};
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;

/// A run on the table: everything it did and was told is in reach.
pub(crate) struct Table {
    pub(crate) phone: Arc<FakePhone>,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) journal: Arc<MemoryJournal>,
    pub(crate) scripts: Arc<FakeScripts>,
    pub(crate) handle: Handle,
    pub(crate) lease: Lease,
    told: mpsc::UnboundedReceiver<Event>,
    pub(crate) events: Vec<Event>,
}

/// Sets a run up and starts it.
pub(crate) fn start(world: World, replies: impl IntoIterator<Item = Turn>) -> Table {
    start_with(world, replies, Settings::default(), MemoryJournal::default())
}

pub(crate) fn start_with(
    world: World,
    replies: impl IntoIterator<Item = Turn>,
    settings: Settings,
    journal: MemoryJournal,
) -> Table {
    start_saved(world, replies, settings, journal, Saved::default())
}

/// The same with a keychain.
pub(crate) fn start_saved(
    world: World,
    replies: impl IntoIterator<Item = Turn>,
    settings: Settings,
    journal: MemoryJournal,
    saved: Saved,
) -> Table {
    start_task(
        "Order the weekly groceries and pay",
        world,
        ScriptedModel::new(replies),
        settings,
        journal,
        saved,
    )
}

/// The same with a task and a model of its own.
pub(crate) fn start_task(
    goal: &str,
    world: World,
    model: ScriptedModel,
    settings: Settings,
    journal: MemoryJournal,
    saved: Saved,
) -> Table {
    start_beside(goal, world, model, settings, journal, saved, Beside::default())
}

/// What stands beside a run.
#[derive(Default)]
pub(crate) struct Beside {
    pub(crate) recorder: Option<Arc<dyn StepRecorder>>,
    pub(crate) replayer: Option<SharedReplayer>,
}

/// The same, recorded or repeating.
pub(crate) fn start_beside(
    goal: &str,
    world: World,
    model: ScriptedModel,
    settings: Settings,
    journal: MemoryJournal,
    saved: Saved,
    beside: Beside,
) -> Table {
    let phone = Arc::new(FakePhone::new(world));
    let model = Arc::new(model);
    let journal = Arc::new(journal);
    let scripts = Arc::new(FakeScripts::default());
    let ports = Ports {
        phone: phone.clone(),
        model: model.clone(),
        journal: journal.clone(),
        scripts: scripts.clone(),
        credentials: Arc::new(saved),
        clock: Arc::new(VirtualClock(tokio::time::Instant::now())),
        recorder: beside.recorder,
        replayer: beside.replayer,
    };
    let task = Task {
        run: RunId("run".into()),
        phone: PhoneId("phone".into()),
        phone_name: "Shop phone".into(),
        automation: None,
        earlier: None,
        goal: goal.into(),
        settings,
    };
    let (sender, told) = mpsc::unbounded_channel();
    let lease = Lease::new();
    let tell = Arc::new(move |event: &Event| {
        let _ = sender.send(event.clone());
    });
    let (handle, run) = agent::start(task, ports, &lease, tell);
    tokio::spawn(run);
    Table {
        phone,
        model,
        journal,
        scripts,
        handle,
        lease,
        told,
        events: Vec::new(),
    }
}

/// Longer than any wait of a run.
const FOR_EVER: std::time::Duration = std::time::Duration::from_secs(6 * 3600);

impl Table {
    /// The next event; `None` when the run is over.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        let soon = tokio::time::timeout(FOR_EVER, self.told.recv()).await;
        let Ok(event) = soon else {
            panic!("nothing happens any more:\n{}", self.transcript());
        };
        let event = event?;
        self.events.push(event.clone());
        Some(event)
    }

    /// Goes on until an event fits.
    pub(crate) async fn until(&mut self, what: &str, fits: impl Fn(&What) -> bool) -> Event {
        loop {
            match self.next().await {
                Some(event) if fits(&event.what) => return event,
                Some(_) => {}
                None => panic!("the run ended before {what}:\n{}", self.transcript()),
            }
        }
    }

    /// Goes on until the model is asked.
    pub(crate) async fn thinking(&mut self) -> Event {
        self.until("thinking", |what| matches!(what, What::Thinking { .. }))
            .await
    }

    pub(crate) async fn question(&mut self) -> Ask {
        let event = self
            .until("a question", |what| matches!(what, What::Asked { .. }))
            .await;
        let What::Asked { ask, .. } = event.what else {
            unreachable!("just matched")
        };
        ask
    }

    pub(crate) async fn paused(&mut self) -> Event {
        self.until("a pause", |what| matches!(what, What::Paused { .. }))
            .await
    }

    /// It was paused by the person in the end, and did not go on.
    pub(crate) fn is_held_by_the_person(&self) {
        let paused = self.events.iter().rev().find_map(|event| match &event.what {
            What::Paused { reason } => Some(reason),
            _ => None,
        });
        assert_eq!(paused, Some(&PauseReason::Person), "{}", self.transcript());
        let resumed = |event: &Event| matches!(event.what, What::Resumed);
        assert!(!self.events.iter().any(resumed), "{}", self.transcript());
    }

    pub(crate) fn answer(&self, ask: &Ask, choice: Choice) {
        self.handle.answer(Answer {
            ask: ask.id.clone(),
            digest: ask.digest.clone(),
            choice,
            words: None,
            amount: None,
        });
    }

    /// Goes on to the end, with a Yes to every question.
    pub(crate) async fn approve_all(&mut self) {
        while let Some(event) = self.next().await {
            if let What::Asked { ask, .. } = event.what {
                self.answer(&ask, Choice::Approve);
            }
        }
        self.model.assert_used_up();
    }

    /// Goes on to the end.
    pub(crate) async fn end(&mut self) {
        while self.next().await.is_some() {}
        self.model.assert_used_up();
    }

    /// What came of each action: a JSON object a line.
    pub(crate) fn outcomes(&self) -> String {
        let mut out = String::new();
        for event in &self.events {
            match &event.what {
                What::Acted { outcome, .. } => {
                    let _ = writeln!(out, "{}", serde_json::to_string(outcome).unwrap());
                }
                What::Refused { code, .. } => {
                    let _ = writeln!(out, "refused: {code}");
                }
                _ => {}
            }
        }
        out
    }

    /// The run as text: a line an event, then what reached the phone.
    pub(crate) fn transcript(&self) -> String {
        let mut out = String::new();
        for event in &self.events {
            let _ = writeln!(out, "{}", line(&event.what));
        }
        let _ = writeln!(out, "-- the phone got");
        for line in self.phone.record() {
            let _ = writeln!(out, "{line}");
        }
        out
    }
}

/// One event, short enough to read and long enough to matter.
pub(crate) fn line(what: &What) -> String {
    let json = |value: &dyn erased::Json| value.text();
    match what {
        What::Started { goal, .. } => format!("started: {goal}"),
        What::Looked {
            step, app, elements, ..
        } => format!("{step} looked: {app}, {elements} elements"),
        What::Thinking { step } => format!("{step} thinking"),
        What::Replayed { step, by } => format!("{step} replayed {}", json(by)),
        What::Diverged { step, why, .. } => format!("{step} diverged {}", json(why)),
        What::Decided { step, action, .. } => format!("{step} decided {}", json(action)),
        What::Unclear { step, code, .. } => format!("{step} unclear {}", json(code)),
        What::Refused {
            step, action, code, ..
        } => format!("{step} refused {} because {code}", json(action)),
        What::Asked { step, ask } => {
            let evidence = &ask.evidence;
            let mut text = format!("{step} asked {} by {}", json(&ask.kind), json(&ask.reason));
            for (name, value) in [
                ("label", &evidence.label),
                (
                    "amount",
                    &evidence.amount.as_ref().map(|amount| amount.text.clone()),
                ),
                ("to", &evidence.payee),
                ("recipient", &evidence.recipient),
                ("account", &evidence.account),
                ("text", &evidence.text),
                ("hint", &evidence.hint),
            ] {
                if let Some(value) = value {
                    let _ = write!(text, ", {name} {value:?}");
                }
            }
            if !evidence.other_amounts.is_empty() {
                let others: Vec<&str> = evidence.other_amounts.iter().map(|a| a.text.as_str()).collect();
                let _ = write!(text, ", unsure {others:?}");
            }
            let _ = write!(text, ", choices {}", json(&ask.choices));
            text
        }
        What::Extended { .. } => "extended".into(),
        What::Answered { outcome, .. } => match outcome {
            AskOutcome::Supplied { characters } => format!("answered: supplied {characters} characters"),
            other => format!("answered {}", json(other)),
        },
        What::Allowed { rule, reach, .. } => {
            format!("allowed {} for {}", json(&rule.kind), json(reach))
        }
        What::Voided { .. } => "voided".into(),
        What::Unasked { .. } => "unasked".into(),
        What::Picked { .. } => "picked".into(),
        What::Acting {
            step,
            action,
            label,
            secret_characters,
            ..
        } => {
            let mut text = format!("{step} acting {}", json(action));
            if let Some(label) = label {
                let _ = write!(text, " on {label:?}");
            }
            if let Some(n) = secret_characters {
                let _ = write!(text, " secret of {n}");
            }
            text
        }
        What::Printed { step, stream, text } => format!("{step} printed to {} {text:?}", json(stream)),
        What::Acted { step, outcome, .. } => format!("{step} acted {}", outcome.code),
        What::NoteProposed { text, from_screen } => format!("note {text:?}, of the screen: {from_screen}"),
        What::Said { text } => format!("said {text:?}"),
        What::Paused { reason } => format!("paused {}", json(reason)),
        What::Resumed => "resumed".into(),
        What::TakenOver => "taken over".into(),
        What::HandedBack => "handed back".into(),
        What::Retrying { after_ms, .. } => format!("retrying after {after_ms} ms"),
        What::Ended {
            ending,
            maybe_running,
        } => {
            let maybe = if *maybe_running {
                ", something may still be running"
            } else {
                ""
            };
            format!("ended {}{maybe}", json(ending))
        }
        What::Unreadable { was } => format!("unreadable {was}"),
    }
}

/// `serde_json::to_string` behind a reference to anything.
mod erased {
    pub(crate) trait Json {
        fn text(&self) -> String;
    }
    impl<T: serde::Serialize> Json for T {
        fn text(&self) -> String {
            serde_json::to_string(self).expect("serialisable")
        }
    }
}

/// A journal in memory that can be made to fail.
#[derive(Default)]
pub(crate) struct MemoryJournal {
    state: Mutex<JournalState>,
}

#[derive(Default)]
struct JournalState {
    events: Vec<Event>,
    frames: Vec<Frame>,
    /// Appends that fail, by number from 1.
    failing: BTreeMap<u64, ()>,
    appends: u64,
    spent: f64,
    /// What was paid for beside the steps.
    beside: Vec<Usage>,
    /// How often the person said Yes to whatever is asked about.
    approved: u32,
}

impl MemoryJournal {
    /// The nth append fails, once.
    pub(crate) fn failing_at(n: u64) -> Self {
        let journal = Self::default();
        journal.state.lock().unwrap().failing.insert(n, ());
        journal
    }

    pub(crate) fn approved(times: u32) -> Self {
        let journal = Self::default();
        journal.state.lock().unwrap().approved = times;
        journal
    }

    pub(crate) fn spent(dollars: f64) -> Self {
        let journal = Self::default();
        journal.state.lock().unwrap().spent = dollars;
        journal
    }

    /// Tokens read that were paid for beside the steps.
    pub(crate) fn beside(&self) -> u64 {
        let state = self.state.lock().unwrap();
        state.beside.iter().map(|usage| usage.input_tokens).sum()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.state.lock().unwrap().events.clone()
    }

    pub(crate) fn frames(&self) -> Vec<Frame> {
        self.state.lock().unwrap().frames.clone()
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn append(&self, event: &Event) -> Result<(), Failure> {
        tokio::task::yield_now().await;
        let mut state = self.state.lock().unwrap();
        state.appends += 1;
        let n = state.appends;
        if state.failing.remove(&n).is_some() {
            return Err(FailureCode::JournalLocked.into());
        }
        let expected = state.events.last().map_or(1, |last| last.seq + 1);
        assert_eq!(
            event.seq, expected,
            "events are written in order and without gaps"
        );
        state.events.push(event.clone());
        Ok(())
    }

    async fn keep(&self, run: &RunId, screen: KeptScreen<'_>) -> Result<FrameId, Failure> {
        tokio::task::yield_now().await;
        let mut state = self.state.lock().unwrap();
        state.frames.push(screen.picture.clone());
        Ok(FrameId(format!("{run}/{}", state.frames.len())))
    }

    async fn last_payment(&self, _phone: &PhoneId, _app: &str) -> Result<Option<LastTime>, Failure> {
        Ok(None)
    }

    async fn approved_before(&self, _phone: &PhoneId, _element: &ElementBinding) -> Result<u32, Failure> {
        Ok(self.state.lock().unwrap().approved)
    }

    async fn spend(&self, usage: Usage) -> Result<(), Failure> {
        self.state.lock().unwrap().beside.push(usage);
        Ok(())
    }

    async fn spent_today(&self) -> Result<f64, Failure> {
        Ok(self.state.lock().unwrap().spent)
    }
}

/// A keychain of one value, or one that will not say.
#[derive(Clone, Default)]
pub(crate) enum Saved {
    #[default]
    Nothing,
    Value(&'static str),
    Locked,
}

#[async_trait]
impl Credentials for Saved {
    async fn reveal(&self, _credential: &Credential) -> Result<Option<SecretString>, Failure> {
        match self {
            Self::Nothing => Ok(None),
            Self::Value(value) => Ok(Some(SecretString::from(*value))),
            Self::Locked => Err(FailureCode::KeychainRefused.into()),
        }
    }
}

pub(crate) struct VirtualClock(pub(crate) tokio::time::Instant);

impl Clock for VirtualClock {
    fn now(&self) -> Millis {
        1_000_000 + u64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

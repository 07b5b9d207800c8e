//! What the tests stand at.

use adb::FollowedServer;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use engine::{Engine, Keychain, Options, ProgramChoice};
use protocol::{
    Answer, Ask, AskKind, Choice, Event, Failure, News, PhoneId, PhoneState, Role, RunId, Settings, Usage,
    What,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::mpsc::UnboundedReceiver;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Host, PhoneHandle, Speed};

/// Nothing here takes so long.
const BOUND: Duration = Duration::from_secs(60);

/// An engine with one phone.
pub(crate) struct Rig {
    pub(crate) engine: Engine,
    pub(crate) phone: PhoneId,
    pub(crate) handle: PhoneHandle,
    pub(crate) folder: Arc<TempDir>,
    news: UnboundedReceiver<News>,
}

/// A phone with a small display: its pictures cost little.
pub(crate) fn at(start: &str) -> SystemOptions {
    let mut options = SystemOptions {
        start: Some(start.to_owned()),
        northbank_remembered: false,
        ..SystemOptions::default()
    };
    options.profile.phone.size = (360, 800);
    options.profile.phone.density = 140;
    options
}

impl Rig {
    pub(crate) async fn new(options: SystemOptions, keychain: Keychain) -> Self {
        Self::in_folder(options, keychain, Arc::new(tempfile::tempdir().unwrap())).await
    }

    /// Over data that is there, or that others use too.
    pub(crate) async fn in_folder(options: SystemOptions, keychain: Keychain, folder: Arc<TempDir>) -> Self {
        let host = Arc::new(Host::new());
        let attached = virtual_phone::Options {
            speed: Speed::Instant,
            ..virtual_phone::Options::default()
        };
        let handle = host.add(Box::new(System::try_new(options).unwrap()), attached);
        Self::of_phone(host, handle, keychain, folder).await
    }

    /// With a phone that is there already.
    pub(crate) async fn of_phone(
        host: Arc<Host>,
        handle: PhoneHandle,
        keychain: Keychain,
        folder: Arc<TempDir>,
    ) -> Self {
        let connector = adb::connector(move || host.open());
        let engine = Engine::open(Options {
            folder: folder.path().to_path_buf(),
            places: vec![FollowedServer::demo(connector)],
            program: ProgramChoice::default(),
            demo: false,
            keychain,
            key: None,
            scheduler: None,
        })
        .await
        .unwrap();
        let news = engine.listen();
        let mut listing = engine.listing();
        let there = listing.wait_for(|listing| {
            let mut phones = listing.phones.iter();
            phones.any(|phone| phone.state == PhoneState::Device)
        });
        let phone = tokio::time::timeout(BOUND, there).await.unwrap().unwrap().phones[0]
            .id
            .clone();
        Self {
            engine,
            phone,
            handle,
            folder,
            news,
        }
    }

    /// Starts a run of these turns.
    pub(crate) fn run(&self, model: &Arc<Says>, settings: Settings) -> RunId {
        self.run_task("Try it", model, settings)
    }

    /// The same on a task of its own.
    pub(crate) fn run_task(&self, task: &str, model: &Arc<Says>, settings: Settings) -> RunId {
        let model: Arc<dyn Model> = model.clone();
        self.engine.run_with(&self.phone, task, model, settings).unwrap()
    }

    /// The next event of a run.
    pub(crate) async fn next(&mut self, run: &RunId) -> Event {
        loop {
            let news = tokio::time::timeout(BOUND, self.news.recv())
                .await
                .unwrap()
                .unwrap();
            if let News::Run { event } = news
                && event.run == *run
            {
                return event;
            }
        }
    }

    /// Goes on to the run's end, answering each question; gives the questions and all that was told.
    pub(crate) async fn end(&mut self, run: &RunId, choice: Choice) -> (Vec<Ask>, Vec<Event>) {
        let (mut asks, mut events) = (Vec::new(), Vec::new());
        loop {
            let event = self.next(run).await;
            events.push(event.clone());
            match event.what {
                What::Asked { ask, .. } => {
                    // Where nobody knows what a page leads to, the person looks on: what is done there is asked about.
                    let leads_on = ask.kind == AskKind::Unknown && ask.choices.contains(&Choice::Approve);
                    let choice = if leads_on { Choice::Approve } else { choice };
                    self.answer(&ask, choice).await;
                    asks.push(ask);
                }
                What::Paused { reason } => panic!("paused: {reason:?}\n{events:#?}"),
                What::Ended { .. } => {
                    self.over().await;
                    return (asks, events);
                }
                _ => {}
            }
        }
    }

    /// The phone's seat is free again once its run has left.
    pub(crate) async fn over(&self) {
        let free = async {
            while self.engine.live_run(&self.phone).is_some() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(BOUND, free).await.unwrap();
    }

    pub(crate) async fn answer(&self, ask: &Ask, choice: Choice) {
        // The board hears of a question together with everybody else.
        let mut open = self.engine.open_asks();
        let known = open.wait_for(|open| open.asks.iter().any(|one| one.id == ask.id));
        drop(tokio::time::timeout(BOUND, known).await.unwrap().unwrap());
        self.engine
            .answer(Answer {
                ask: ask.id.clone(),
                digest: ask.digest.clone(),
                choice,
                words: None,
                amount: None,
            })
            .unwrap();
    }

    pub(crate) fn state(&self, pointer: &str) -> Value {
        self.handle.state().pointer(pointer).cloned().unwrap_or_default()
    }
}

/// An engine with several phones.
pub(crate) struct Many {
    pub(crate) engine: Engine,
    pub(crate) phones: Vec<PhoneId>,
}

impl Many {
    pub(crate) async fn new(count: usize, start: &str, folder: &TempDir) -> Self {
        let host = Arc::new(Host::new());
        for n in 0..count {
            let attached = virtual_phone::Options {
                speed: Speed::Instant,
                ..virtual_phone::Options::default()
            };
            let mut options = at(start);
            options.profile.phone.serial = format!("PHONE{n}");
            host.add(Box::new(System::try_new(options).unwrap()), attached);
        }
        let connector = adb::connector(move || host.open());
        let engine = Engine::open(Options {
            folder: folder.path().to_path_buf(),
            places: vec![FollowedServer::demo(connector)],
            program: ProgramChoice::default(),
            demo: false,
            keychain: Keychain::absent(),
            key: None,
            scheduler: None,
        })
        .await
        .unwrap();
        let mut listing = engine.listing();
        let ready = |listing: &adb::Listing| -> Vec<PhoneId> {
            let phones = listing.phones.iter();
            let ready = phones.filter(|phone| phone.state == PhoneState::Device);
            ready.map(|phone| phone.id.clone()).collect()
        };
        let there = listing.wait_for(|listing| ready(listing).len() == count);
        let phones = ready(&tokio::time::timeout(BOUND, there).await.unwrap().unwrap());
        Self { engine, phones }
    }
}

/// What a model says, given what it is shown.
pub(crate) type Turn = Box<dyn Fn(&Prompt) -> Value + Send + Sync>;

/// An action that needs no look.
pub(crate) fn say(action: Value) -> Turn {
    Box::new(move |_| action.clone())
}

pub(crate) fn finish() -> Turn {
    say(json!({"type": "finish", "message": "Done."}))
}

/// An action on the thing with this resource id, or with this text.
pub(crate) fn on(name: &'static str, action: Value) -> Turn {
    Box::new(move |prompt| {
        let elements = &prompt.facts.screen.elements;
        let by_id = || {
            elements
                .iter()
                .find(|one| one.resource_id.ends_with(&format!(":id/{name}")))
        };
        let by_text = || {
            let mut named = elements.iter().filter(|one| one.label == name);
            // What is written beside a field reads like it.
            named
                .clone()
                .find(|one| one.role != Role::Text)
                .or_else(|| named.next())
        };
        let begins = || elements.iter().find(|one| one.label.starts_with(name));
        let labels = || {
            elements
                .iter()
                .map(|one| (&one.resource_id, &one.label))
                .collect::<Vec<_>>()
        };
        let found = by_id().or_else(by_text).or_else(begins);
        let found = found.unwrap_or_else(|| panic!("no {name} among {:?}", labels()));
        let mut action = action.clone();
        action["target"] = json!({"element": found.index});
        action
    })
}

/// Says one thing after another, and keeps what it was told.
pub(crate) struct Says {
    turns: Mutex<VecDeque<Turn>>,
    told: Mutex<Vec<String>>,
}

impl Says {
    pub(crate) fn new(turns: Vec<Turn>) -> Arc<Self> {
        Arc::new(Self {
            turns: Mutex::new(turns.into()),
            told: Mutex::default(),
        })
    }

    pub(crate) fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }
}

#[async_trait]
impl Model for Says {
    fn name(&self) -> String {
        "scripted".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: true,
            elements: true,
            marks: false,
            longest_side: 200,
            longest_beside: 200,
        }
    }

    fn guard(&self) -> Arc<dyn agent::guard::Guard> {
        Arc::new(crate::guard::Credulous)
    }

    async fn think(&self, prompt: &Prompt, _: &Retrying<'_>) -> Result<Reply, Failure> {
        let told = format!("{}{}{:?}", prompt.system, prompt.user(), prompt.facts);
        self.told.lock().unwrap().push(told);
        let turn = self.turns.lock().unwrap().pop_front();
        let turn = turn.unwrap_or_else(finish);
        Ok(Reply {
            text: turn(prompt).to_string(),
            usage: Usage::default(),
        })
    }
}

/// Everything below a folder, one after another.
pub(crate) fn all_bytes(folder: &std::path::Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bytes.extend(all_bytes(&path));
        } else if let Ok(file) = std::fs::read(&path) {
            bytes.extend(file);
        }
    }
    bytes
}

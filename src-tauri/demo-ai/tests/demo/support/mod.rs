//! One table: the demo AI, the demo phone, a run between them, and a person who answers.

mod hand;
mod outcome;
mod person;
mod phone;

pub(crate) use hand::Hand;
pub(crate) use outcome::Outcome;
use person::Person;
pub(crate) use person::Says;

use phone::{DemoPhone, Hook, When};

use agent::ports::{Clock, Job, Journal, KeptScreen, Model, Objection, ScriptEnd, Scripts};
use agent::{Grip, Lease, Ports, Task};
use async_trait::async_trait;
use demo_ai::DemoAi;
use protocol::{Event, Failure, FailureCode, FrameId, LastTime, Millis, PhoneId, RunId, Settings, What};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use virtual_phone::system::{System, SystemOptions};

/// A run that says nothing for so long hangs.
const SILENCE: Duration = Duration::from_secs(3600);

/// What a run is to begin with.
pub(crate) struct Setup {
    /// What is special about it, for whoever reads of its failure.
    name: String,
    options: SystemOptions,
    goal: String,
    person: Person,
    /// Done on the phone before the run begins.
    before: Box<dyn Fn(&mut Hand<'_>)>,
    /// Trees that cannot be read at first.
    unread: u32,
    /// Happens before looks of the run.
    hook: Option<(When, Hook)>,
    /// Who thinks.
    model: Arc<dyn Model>,
    /// The phone gives its real pictures, which take their time to draw.
    pictures: bool,
}

impl Setup {
    pub(crate) fn new(goal: &str) -> Self {
        Self {
            name: String::new(),
            options: SystemOptions::default(),
            goal: goal.to_owned(),
            person: Person::default(),
            before: Box::new(|_| {}),
            unread: 0,
            hook: None,
            model: Arc::new(DemoAi::new()),
            pictures: false,
        }
    }

    /// With somebody else who thinks.
    pub(crate) fn thinks(self, model: Arc<dyn Model>) -> Self {
        Self { model, ..self }
    }

    /// On a phone that gives its real pictures.
    pub(crate) fn with_pictures(self) -> Self {
        Self {
            pictures: true,
            ..self
        }
    }

    /// What is special about it.
    pub(crate) fn named(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    pub(crate) fn with(self, change: impl FnOnce(&mut SystemOptions)) -> Self {
        let mut options = self.options.clone();
        change(&mut options);
        Self { options, ..self }
    }

    pub(crate) fn says(self, says: impl IntoIterator<Item = Says>) -> Self {
        Self {
            person: Person::new(says),
            ..self
        }
    }

    pub(crate) fn after(self, before: impl Fn(&mut Hand<'_>) + 'static) -> Self {
        Self {
            before: Box::new(before),
            ..self
        }
    }

    /// With an activity open, `package/class`.
    pub(crate) fn at(self, component: &'static str) -> Self {
        self.with(|options| options.start = Some(component.to_owned()))
    }

    /// The first trees cannot be read.
    pub(crate) fn unread(self, unread: u32) -> Self {
        Self { unread, ..self }
    }

    /// Something happens on the phone before the nth look.
    pub(crate) fn meanwhile(self, nth: u32, hook: impl Fn(&mut System) + Send + 'static) -> Self {
        Self {
            hook: Some((When::Look(nth), Box::new(hook))),
            ..self
        }
    }

    /// The same before every look.
    pub(crate) fn before_every_look(self, hook: impl Fn(&mut System) + Send + 'static) -> Self {
        Self {
            hook: Some((When::Always, Box::new(hook))),
            ..self
        }
    }

    /// Runs it to its end, or to a pause that the person leaves as it is.
    pub(crate) async fn run(mut self) -> Outcome {
        let phone = Arc::new(DemoPhone::new(System::new(self.options), self.pictures));
        phone.touch(|hand| (self.before)(hand));
        phone.hide_tree(self.unread);
        if let Some((when, hook)) = self.hook.take() {
            phone.before_looks(when, hook);
        }
        let ports = Ports {
            phone: phone.clone(),
            model: self.model,
            journal: Arc::new(NoJournal),
            scripts: Arc::new(NoScripts),
            credentials: Arc::new(agent::ports::NoCredentials),
            clock: Arc::new(VirtualClock(tokio::time::Instant::now())),
            recorder: None,
            replayer: None,
        };
        let task = Task {
            run: RunId("run".into()),
            phone: PhoneId("demo".into()),
            phone_name: "Anna’s Pixel".into(),
            automation: None,
            earlier: None,
            goal: self.goal.clone(),
            settings: Settings::default(),
        };
        let (sender, mut told) = mpsc::unbounded_channel();
        let tell = Arc::new(move |event: &Event| {
            let _ = sender.send(event.clone());
        });
        let lease = Lease::new();
        let (handle, run) = agent::start(task, ports, &lease, tell);
        let running = tokio::spawn(run);
        let mut outcome = Outcome {
            name: self.name,
            goal: self.goal,
            phone: phone.clone(),
            events: Vec::new(),
            end: None,
            stopped_in: None,
        };
        while let Ok(Some(event)) = tokio::time::timeout(SILENCE, told.recv()).await {
            self.person.hear(&event, &handle, &phone).await;
            let what = event.what.clone();
            outcome.events.push(event);
            match what {
                What::Ended { ending, .. } => {
                    outcome.end = Some(ending);
                    break;
                }
                What::Paused { .. } if !self.person.resumes(&handle).await => break,
                _ => {}
            }
        }
        handle.stop().await;
        running.await.unwrap();
        outcome.stopped_in = self.person.stopped_in;
        outcome
    }
}

/// Runs a setup to its end: it finished with a message that says the words (parts of them, in this order, between
/// ` … `), and the phone's state holds these values at these JSON pointers. What must be so of every run is held too.
pub(crate) async fn check(setup: Setup, says: &str, states: &[(&str, Value)]) -> Outcome {
    let outcome = setup.run().await;
    let message = outcome.message();
    let mut rest = message;
    for part in says.split(" … ") {
        let Some((_, after)) = rest.split_once(part) else {
            let screen = outcome.phone.screen();
            panic!(
                "{message:?} does not say {part:?}\n{}\n{screen}",
                outcome.transcript()
            );
        };
        rest = after;
    }
    outcome.holds(states);
    outcome
}

/// The same for a run that ends paused.
pub(crate) async fn check_paused(setup: Setup, states: &[(&str, Value)]) -> Outcome {
    let outcome = setup.run().await;
    assert!(outcome.end.is_none(), "it ended:\n{}", outcome.transcript());
    outcome.holds(states);
    outcome
}

struct NoJournal;

#[async_trait]
impl Journal for NoJournal {
    async fn spend(&self, _: protocol::Usage) -> Result<(), Failure> {
        Ok(())
    }

    async fn append(&self, _event: &Event) -> Result<(), Failure> {
        Ok(())
    }

    async fn keep(&self, run: &RunId, _screen: KeptScreen<'_>) -> Result<FrameId, Failure> {
        Ok(FrameId(format!("{run}/1")))
    }

    async fn last_payment(&self, _phone: &PhoneId, _app: &str) -> Result<Option<LastTime>, Failure> {
        Ok(None)
    }

    async fn spent_today(&self) -> Result<f64, Failure> {
        Ok(0.0)
    }
}

struct NoScripts;

#[async_trait]
impl Scripts for NoScripts {
    async fn check(&self, _script: &str, _programs: &[String]) -> Result<(), Objection> {
        Ok(())
    }

    async fn run(&self, _job: &Job, _grip: &Grip) -> Result<ScriptEnd, Failure> {
        Err(Failure {
            code: FailureCode::NotNow,
            values: BTreeMap::new(),
            detail: None,
        })
    }
}

struct VirtualClock(tokio::time::Instant);

impl Clock for VirtualClock {
    fn now(&self) -> Millis {
        1_000_000 + u64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

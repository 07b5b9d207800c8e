//! One table: the demo AI, the demo phone, a run between them, and a person who answers.

mod person;
mod phone;

use person::Person;
pub(crate) use person::Says;
pub(crate) use phone::Hand;
use phone::{DemoPhone, Hook, When};

use agent::ports::{Clock, Journal, ScriptEnd, Scripts};
use agent::{Grip, Lease, Ports, Task};
use async_trait::async_trait;
use model::demo::DemoAi;
use protocol::{
    Ask, AskKind, AskOutcome, Ending, Event, Failure, FailureCode, Frame, FrameId, LastTime, Millis, PhoneId,
    RunId, Settings, What,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
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
    async fn run(mut self) -> Outcome {
        let phone = Arc::new(DemoPhone::new(System::new(self.options)));
        phone.touch(|hand| (self.before)(hand));
        phone.hide_tree(self.unread);
        if let Some((when, hook)) = self.hook.take() {
            phone.before_looks(when, hook);
        }
        let ports = Ports {
            phone: phone.clone(),
            model: Arc::new(DemoAi::new()),
            journal: Arc::new(NoJournal),
            scripts: Arc::new(NoScripts),
            clock: Arc::new(VirtualClock(tokio::time::Instant::now())),
        };
        let task = Task {
            run: RunId("run".into()),
            phone: PhoneId("demo".into()),
            phone_name: "Anna’s Pixel".into(),
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
        outcome
    }
}

/// Steps a run may take at most, whatever happens: fewer than the product's own limit, which would pause it.
const STEPS: u32 = 48;

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

/// What came of a run.
pub(crate) struct Outcome {
    name: String,
    goal: String,
    phone: Arc<DemoPhone>,
    events: Vec<Event>,
    end: Option<Ending>,
}

impl Outcome {
    /// The message it finished with.
    pub(crate) fn message(&self) -> &str {
        match &self.end {
            Some(Ending::Finished { message }) => message,
            other => panic!(
                "ended with {other:?}:\n{}\n{}",
                self.transcript(),
                self.phone.screen()
            ),
        }
    }

    /// The phone's own state at a JSON pointer.
    pub(crate) fn state(&self, pointer: &str) -> Value {
        self.phone.tell().pointer(pointer).cloned().unwrap_or(Value::Null)
    }

    /// How many steps it took, finishing included.
    pub(crate) fn steps(&self) -> u32 {
        let step = |what: &What| match what {
            What::Decided { step, .. } => Some(*step),
            _ => None,
        };
        self.whats().filter_map(step).max().unwrap_or(0)
    }

    /// The questions, each with what came of it; absent when it was withdrawn.
    pub(crate) fn questions(&self) -> Vec<(&Ask, Option<&AskOutcome>)> {
        let answer_to = |id| {
            self.whats().find_map(|what| match what {
                What::Answered { ask, outcome } if ask == id => Some(outcome),
                _ => None,
            })
        };
        let asked = self.whats().filter_map(|what| match what {
            What::Asked { ask, .. } => Some(ask),
            _ => None,
        });
        asked.map(|ask| (ask, answer_to(&ask.id))).collect()
    }

    /// How many questions of a kind there were.
    pub(crate) fn asked(&self, kind: AskKind) -> usize {
        self.questions()
            .iter()
            .filter(|(ask, _)| ask.kind == kind)
            .count()
    }

    /// What the AI decided to do, as JSON, in order.
    pub(crate) fn actions(&self) -> Vec<Value> {
        let action = |what: &What| match what {
            What::Decided { action, .. } => Some(serde_json::to_value(action).unwrap()),
            _ => None,
        };
        self.whats().filter_map(action).collect()
    }

    fn whats(&self) -> impl Iterator<Item = &What> {
        self.events.iter().map(|event| &event.what)
    }

    /// Fails, with everything that happened, unless the state is so, and all that must be so of every run.
    fn holds(&self, states: &[(&str, Value)]) {
        for (pointer, value) in states {
            assert_eq!(&self.state(pointer), value, "{pointer}\n{}", self.transcript());
        }
        assert!(
            self.steps() <= STEPS,
            "{} steps\n{}",
            self.steps(),
            self.transcript()
        );
        self.understood();
        self.asked_for_all_that_matters();
        self.kept_codes_out();
    }

    /// What it wrote could be read each time, and it took a No for a No.
    fn understood(&self) {
        for what in self.whats() {
            let wrong = match what {
                What::Unclear { .. } => true,
                What::Refused { code, .. } => code == "denied_before",
                _ => false,
            };
            assert!(!wrong, "{what:?}\n{}", self.transcript());
        }
    }

    /// One Yes for every payment and every message, unless the person's own hand was at it.
    fn asked_for_all_that_matters(&self) {
        if self.whats().any(|what| matches!(what, What::TakenOver)) {
            return;
        }
        for (pointer, kind) in [
            ("/greenleaf/orders", AskKind::Payment),
            ("/messages/sent", AskKind::Send),
        ] {
            let allowed = |(ask, outcome): &(&Ask, Option<&AskOutcome>)| {
                ask.kind == kind && matches!(outcome, Some(AskOutcome::Allowed))
            };
            let allowed = self.questions().into_iter().filter(allowed).count();
            let done = self.state(pointer).as_array().map_or(0, Vec::len);
            assert!(
                done <= allowed,
                "{done} at {pointer}, {allowed} allowed\n{}",
                self.transcript()
            );
        }
    }

    /// No code that arrived by text message stands in anything the AI decided.
    fn kept_codes_out(&self) {
        let received = self.state("/messages/received");
        let texts = received
            .as_array()
            .into_iter()
            .flatten()
            .map(|message| message["text"].to_string());
        for text in texts {
            let code: String = text.chars().filter(char::is_ascii_digit).collect();
            for action in self.actions() {
                let leaked = code.len() >= 4 && action.to_string().contains(&code);
                assert!(!leaked, "{code} in {action}\n{}", self.transcript());
            }
        }
    }

    /// The run as a person reads it.
    pub(crate) fn transcript(&self) -> String {
        let name = if self.name.is_empty() {
            String::new()
        } else {
            format!(" – {}", self.name)
        };
        let mut out = format!("“{}”{name}\n", self.goal);
        for event in &self.events {
            if let Some(line) = line(&event.what) {
                let _ = writeln!(out, "{line}");
            }
        }
        out
    }
}

fn line(what: &What) -> Option<String> {
    Some(match what {
        What::Decided {
            step,
            thought,
            action,
            ..
        } => {
            let mut action = serde_json::to_value(action).unwrap();
            let object = action.as_object_mut().unwrap();
            let kind = object.remove("type").unwrap();
            let reason = object.remove("reason");
            let mut line = format!(
                "{step}. {thought}\n   {} {}",
                kind.as_str().unwrap(),
                short(&action)
            );
            if let Some(reason) = reason {
                let _ = write!(line, "\n   ({})", reason.as_str().unwrap().replace('\n', " | "));
            }
            line
        }
        What::Asked { ask, .. } => {
            let kind = serde_json::to_value(ask.kind).unwrap();
            let evidence = &ask.evidence;
            let mut line = format!("   ? {}", kind.as_str().unwrap());
            let amount = evidence.amount.as_ref().map(|amount| amount.text.clone());
            for (name, value) in [
                ("label", &evidence.label),
                ("amount", &amount),
                ("to", &evidence.payee),
                ("recipient", &evidence.recipient),
                ("account", &evidence.account),
                ("text", &evidence.text),
            ] {
                if let Some(value) = value {
                    let _ = write!(line, ", {name} “{value}”");
                }
            }
            line
        }
        What::Answered { outcome, .. } => format!("   ! {}", serde_json::to_value(outcome).unwrap()),
        What::Acted { outcome, .. } if !outcome.ok => format!("   × {}", outcome.code),
        What::Unclear { message, .. } => format!("   unclear: {message}"),
        What::Refused { code, .. } => format!("   refused: {code}"),
        What::Voided { .. } => "   void".into(),
        What::Said { text } => format!("   person: “{text}”"),
        What::Paused { reason } => format!("   paused: {}", serde_json::to_value(reason).unwrap()),
        What::TakenOver => "   taken over".into(),
        What::HandedBack => "   handed back".into(),
        What::Ended {
            ending: Ending::Finished { .. },
            ..
        } => return None,
        What::Ended { ending, .. } => format!("   ended: {}", serde_json::to_value(ending).unwrap()),
        _ => return None,
    })
}

/// An action without its numbers: the words of what it points at.
fn short(action: &Value) -> String {
    let label = action.pointer("/target/label").and_then(Value::as_str);
    let mut parts: Vec<String> = label.map(|label| format!("‘{label}’")).into_iter().collect();
    for (name, value) in action.as_object().unwrap() {
        if name == "target" && label.is_none() {
            parts.push("(no words)".into());
        } else if name != "target" && name != "timeoutSec" {
            parts.push(
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), |text| format!("“{text}”")),
            );
        }
    }
    parts.join(" ")
}

struct NoJournal;

#[async_trait]
impl Journal for NoJournal {
    async fn append(&self, _event: &Event) -> Result<(), Failure> {
        Ok(())
    }

    async fn keep(&self, run: &RunId, _frame: &Frame) -> Result<FrameId, Failure> {
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
    async fn run(&self, _script: &str, _limit: Duration, _grip: &Grip) -> Result<ScriptEnd, Failure> {
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

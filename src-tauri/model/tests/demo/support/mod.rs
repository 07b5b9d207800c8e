//! One table: the demo AI, the demo phone, a run between them, and a person who answers.

mod person;
mod phone;

pub(crate) use person::{Person, Says};
pub(crate) use phone::{DemoPhone, Hand, Hook, list};

use agent::ports::{Clock, Journal, ScriptEnd, Scripts};
use agent::{Grip, Lease, Ports, Task};
use async_trait::async_trait;
use model::demo::DemoAi;
use protocol::{
    Ending, Event, Failure, FailureCode, Frame, FrameId, LastTime, Millis, PhoneId, RunId, Settings, What,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use virtual_phone::system::{System, SystemOptions};

/// What a run is to begin with.
pub(crate) struct Setup {
    pub(crate) options: SystemOptions,
    pub(crate) goal: String,
    pub(crate) person: Person,
    /// Done on the phone before the run begins.
    pub(crate) before: Box<dyn Fn(&mut Hand<'_>)>,
    /// Trees that cannot be read at first.
    pub(crate) unread: u32,
    /// Happens before the nth look of the run.
    pub(crate) hook: Option<(u32, Hook)>,
}

impl Setup {
    pub(crate) fn new(goal: &str) -> Self {
        Self {
            options: SystemOptions::default(),
            goal: goal.to_owned(),
            person: Person::default(),
            before: Box::new(|_| {}),
            unread: 0,
            hook: None,
        }
    }

    pub(crate) fn on(self, options: SystemOptions) -> Self {
        Self { options, ..self }
    }

    pub(crate) fn with(self, change: impl FnOnce(&mut SystemOptions)) -> Self {
        let mut options = self.options.clone();
        change(&mut options);
        Self { options, ..self }
    }

    pub(crate) fn says(self, says: impl IntoIterator<Item = Says>) -> Self {
        Self { person: Person::new(says), ..self }
    }

    pub(crate) fn after(self, before: impl Fn(&mut Hand<'_>) + 'static) -> Self {
        Self { before: Box::new(before), ..self }
    }

    /// Runs it to its end, or to its first pause.
    pub(crate) async fn run(mut self) -> Outcome {
        let phone = Arc::new(DemoPhone::new(System::new(self.options)));
        phone.touch(|hand| (self.before)(hand));
        phone.hide_tree(self.unread);
        if let Some((nth, hook)) = self.hook.take() {
            phone.before_look(nth, hook);
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
        let mut outcome = Outcome { goal: self.goal, phone: phone.clone(), events: Vec::new(), end: None };
        while let Some(event) = told.recv().await {
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

/// What came of a run.
pub(crate) struct Outcome {
    goal: String,
    pub(crate) phone: Arc<DemoPhone>,
    pub(crate) events: Vec<Event>,
    end: Option<Ending>,
}

impl Outcome {
    /// The message it finished with.
    pub(crate) fn message(&self) -> &str {
        match &self.end {
            Some(Ending::Finished { message }) => message,
            other => panic!("{:?} ended with {other:?}:\n{}", self.goal, self.transcript()),
        }
    }

    /// The phone's own state at a JSON pointer.
    pub(crate) fn state(&self, pointer: &str) -> Value {
        self.phone.tell().pointer(pointer).cloned().unwrap_or(Value::Null)
    }

    /// How many steps it took, finishing included.
    pub(crate) fn steps(&self) -> u32 {
        let step = |event: &Event| match event.what {
            What::Decided { step, .. } => Some(step),
            _ => None,
        };
        self.events.iter().filter_map(step).max().unwrap_or(0)
    }

    /// How often something whose words begin so was pressed on the phone.
    pub(crate) fn presses(&self, label: &str) -> usize {
        let fits = |event: &&Event| match &event.what {
            What::Acting { label: Some(own), .. } => own.starts_with(label),
            _ => false,
        };
        self.events.iter().filter(fits).count()
    }

    /// How often the person said yes.
    pub(crate) fn count(&self, is: impl Fn(&What) -> bool) -> usize {
        self.events.iter().filter(|event| is(&event.what)).count()
    }

    /// Fails, with everything that happened, unless it ended with words like these.
    pub(crate) fn ends_with(&self, words: &str) -> &Self {
        let message = self.message();
        assert!(message.contains(words), "{message:?} does not say {words:?}\n{}", self.transcript());
        self
    }

    pub(crate) fn state_is(&self, pointer: &str, value: impl Into<Value>) -> &Self {
        let (own, value) = (self.state(pointer), value.into());
        assert_eq!(own, value, "{pointer}\n{}", self.transcript());
        self
    }

    pub(crate) fn within(&self, steps: u32) -> &Self {
        assert!(self.steps() <= steps, "{} steps, not {steps}\n{}", self.steps(), self.transcript());
        self
    }

    /// The run as a person reads it.
    pub(crate) fn transcript(&self) -> String {
        let mut out = format!("“{}”\n", self.goal);
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
        What::Decided { step, thought, action, .. } => {
            let mut action = serde_json::to_value(action).unwrap();
            let object = action.as_object_mut().unwrap();
            let kind = object.remove("type").unwrap();
            let reason = object.remove("reason");
            let mut line = format!("{step}. {thought}\n   {} {}", kind.as_str().unwrap(), short(&action));
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
        What::Ended { ending: Ending::Finished { .. }, .. } => return None,
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
            parts.push(value.as_str().map_or_else(|| value.to_string(), |text| format!("“{text}”")));
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
        Err(Failure { code: FailureCode::NotNow, values: BTreeMap::new(), detail: None })
    }
}

struct VirtualClock(tokio::time::Instant);

impl Clock for VirtualClock {
    fn now(&self) -> Millis {
        1_000_000 + u64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

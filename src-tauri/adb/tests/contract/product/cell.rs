//! One cell: a whole run on a whole phone, and one thing that goes wrong at one moment of it.

use super::ledger;
use super::repeats::{Again, Repeats};
use super::stage::{Scene, Stage};
use super::table::{Case, Cure};
use super::way::Way;
use super::words;
use super::writer::{PAGE, Writer};
use crate::rig::{Rig, Setup, middle, small};
use adb::scrcpy::Jar;
use agent::ports::{Job, Objection, Phone, ScriptEnd, Scripts};
use agent::{Grip, Handle, Ports, Task};
use async_trait::async_trait;
use protocol::{
    Answer, AskKind, Choice, Ending, Event, Failure, FailureCode, Op, PauseReason, RunId, Settings, What,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use virtual_phone::android::FingerAction;
use virtual_phone::{Entry, Fault, PhoneHandle, Received, Speed};

/// Nothing is told for longer than this only where somebody is asked.
const SILENT: Duration = Duration::from_secs(150);
/// More pauses than this are no recovery.
const PAUSES: usize = 4;
/// What the model's last words may be: done and seen, or done and told so. That it cannot go on is no good end: whatever was
/// wrong has been made right by then.
const ENDS: [&str; 2] = ["It is sent.", "It should be sent."];
/// Stop is answered within this.
const STOP: Duration = Duration::from_secs(2);

/// Of scrcpy's server, where it is on this computer.
const RELEASE: &str = "4.1";

/// As small as the apps can be drawn.
pub(super) const SIZE: (u32, u32) = (120, 266);

fn phone(case: Case, speed: Speed) -> Setup {
    let mut options = small();
    options.profile.phone.size = SIZE;
    options.profile.phone.density = 46;
    options.start = Some(PAGE.to_owned());
    Setup {
        options,
        faults: if case.streams {
            vec![Fault::ReaderMissing]
        } else {
            vec![Fault::ReaderMissing, Fault::NoScreenrecord]
        },
        speed,
        born: None,
    }
}

/// What a cell came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Came {
    /// The fault really began.
    pub(super) struck: bool,
    /// The run came upon it: the phone was asked for what the fault spoils, and spoiled it.
    pub(super) met: bool,
    /// Why it waited, each time.
    pub(super) pauses: Vec<String>,
    /// What else happened, by a word for it, and how often.
    pub(super) told: BTreeMap<String, usize>,
    /// How it ended: `sent`, or in its own words.
    pub(super) end: String,
    /// All that was written down, a line each.
    pub(super) written: Vec<String>,
}

impl Came {
    fn tell(&mut self, word: impl Into<String>) {
        *self.told.entry(word.into()).or_default() += 1;
    }

    /// In a line a person can read.
    pub(super) fn line(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if !self.struck {
            parts.push("never begun".to_owned());
        } else if !self.met {
            parts.push("not met".to_owned());
        }
        if !self.pauses.is_empty() {
            parts.push(format!("waits ({})", self.pauses.join(", ")));
        }
        parts.extend(self.told.keys().cloned());
        parts.push(self.end.clone());
        parts.join("; ")
    }
}

struct Cell {
    rig: Rig,
    scene: Arc<Scene>,
    run: Handle,
    told: mpsc::UnboundedReceiver<Event>,
    what: String,
    way: Way,
}

async fn begin(case: Case, stage: Stage, way: Way, again: Option<Again>) -> Cell {
    let began = Instant::now();
    let rig = match way {
        Way::Pipe => Rig::pipe(phone(case, Speed::Phone)),
        Way::Socket => Rig::socket(phone(case, Speed::Instant)).await,
    };
    if case.has_jar {
        let jar = Jar::unchecked(RELEASE, format!("virtual scrcpy-server {RELEASE}\n").into_bytes());
        rig.phone.use_scrcpy(Some(jar));
    }
    let scene = Scene::new(rig.handle.clone(), case, stage, began);
    // A stream begins with the run, before the first capture is asked for.
    if case.streams {
        scene.reached(Stage::FirstLook);
    }
    let phone: Arc<dyn Phone> = match again {
        Some(again) => Arc::new(Repeats {
            phone: rig.phone.clone(),
            again,
        }),
        None => rig.phone.clone(),
    };
    let ports = Ports {
        phone,
        model: Writer::new(Arc::clone(&scene)),
        journal: scene.clone(),
        scripts: Arc::new(NoScripts),
        credentials: Arc::new(agent::ports::NoCredentials),
        clock: scene.clone(),
        recorder: None,
        replayer: None,
    };
    let task = Task {
        run: RunId("run".into()),
        phone: rig.phone.id(),
        phone_name: "Anna’s Pixel".into(),
        automation: None,
        earlier: None,
        goal: "Write to Dana what I bring".into(),
        settings: Settings::default(),
    };
    let (sender, told) = mpsc::unbounded_channel();
    let tell = Arc::new(move |event: &Event| {
        let _ = sender.send(event.clone());
    });
    tokio::spawn(Arc::clone(&scene).watch());
    let (run, work) = agent::start(task, ports, &rig.lease, tell);
    tokio::spawn(work);
    Cell {
        rig,
        scene,
        run,
        told,
        what: format!("{} at {stage:?}", case.fault),
        way,
    }
}

/// Plays one cell to its end: the run meets the fault, waits or goes on, the fault goes, and the task is done.
pub(super) async fn play(case: Case, stage: Stage, way: Way) -> Came {
    play_by(case, stage, way, None).await
}

/// The same through a port that may do things twice.
pub(super) async fn play_by(case: Case, stage: Stage, way: Way, again: Option<Again>) -> Came {
    let mut cell = begin(case, stage, way, again).await;
    let lifting = tokio::spawn({
        let scene = Arc::clone(&cell.scene);
        async move {
            scene.strikes().await;
            sleep(way.lasts()).await;
            cure(&scene.handle, scene.case).await;
        }
    });
    let mut came = cell.live(stage).await;
    lifting.abort();
    came.written = cell.lines();
    let before = Instant::now();
    cell.run.stop().await;
    assert!(
        before.elapsed() <= STOP,
        "{}: Stop took {:?}",
        cell.what,
        before.elapsed()
    );
    cell.check();
    came
}

/// How a run was stopped in the middle of its fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped {
    /// It had come upon the fault by then.
    pub(super) met: bool,
    /// It told that something may still run on the phone.
    pub(super) maybe: bool,
}

/// Plays one cell until its fault has begun, and stops it a moment later.
pub(super) async fn stop(case: Case, stage: Stage, after: Duration) -> Stopped {
    let mut cell = begin(case, stage, Way::Pipe, None).await;
    let mut paused = false;
    let before_it = async {
        loop {
            let Some(event) = cell.told.recv().await else {
                return;
            };
            match event.what {
                What::Asked { ask, .. } => {
                    sleep(cell.way.person()).await;
                    cell.run.answer(yes(&ask));
                }
                What::Decided { step: 3, .. } if stage == Stage::Pause && !paused => {
                    paused = true;
                    cell.run.steer(Op::Pause).await;
                }
                _ => {}
            }
        }
    };
    let scene = Arc::clone(&cell.scene);
    tokio::select! {
        () = before_it => {}
        () = scene.strikes() => {}
    }
    assert!(scene.has_struck(), "{}: the run ended before it began", cell.what);
    // A run that is asked goes on being answered no more: the question stands while it is stopped.
    sleep(after).await;
    let met = cell.rig.handle.has_met(case.fault);
    let before = Instant::now();
    cell.run.stop().await;
    let took = before.elapsed();
    assert!(took <= STOP, "{}: Stop after {after:?} took {took:?}", cell.what);
    let maybe = cell.scene.written().iter().any(|(_, event)| {
        matches!(
            event.what,
            What::Ended {
                maybe_running: true,
                ..
            }
        )
    });
    let reached = cell.rig.effects().len();
    sleep(Duration::from_secs(600)).await;
    // Whoever watches the screen goes on for a moment, with a server of scrcpy's that is sent once more.
    let is_watching =
        |entry: &Entry| matches!(&entry.what, Received::Push { path, .. } if path.ends_with(".jar"));
    let mut later = cell.rig.effects().split_off(reached);
    later.retain(|entry| !is_watching(entry));
    assert!(
        maybe || later.is_empty(),
        "{}: after Stop came {later:?}",
        cell.what
    );
    cell.check();
    Stopped { met, maybe }
}

impl Cell {
    async fn live(&mut self, stage: Stage) -> Came {
        let mut came = Came::default();
        let (mut paused, mut sends) = (false, 0);
        loop {
            let Ok(event) = timeout(SILENT, self.told.recv()).await else {
                panic!("{}: nothing is told; so far {came:?}", self.what);
            };
            let Some(event) = event else {
                panic!("{}: it ended without a word", self.what)
            };
            match event.what {
                What::Decided { step: 3.., .. } if stage == Stage::Pause && !paused => {
                    paused = true;
                    self.run.steer(Op::Pause).await;
                }
                What::Asked { ask, .. } => {
                    sends += usize::from(ask.kind == AskKind::Send);
                    if ask.kind != AskKind::Send {
                        came.tell(format!("asks ({})", name(&json!(ask.kind))));
                    } else if sends > 1 {
                        came.tell("asks again");
                    }
                    sleep(self.way.person()).await;
                    self.run.answer(yes(&ask));
                }
                What::Looked {
                    capture, elements, ..
                } => {
                    if capture != protocol::CaptureResult::Ok {
                        came.tell(format!("sees nothing ({})", name(&json!(capture))));
                    }
                    if elements == 0 {
                        came.tell("reads nothing");
                    }
                }
                What::Decided { action, .. } if matches!(action.act, protocol::Act::Wait { .. }) => {
                    came.tell("the AI waits");
                }
                What::Decided { action, .. } if matches!(action.act, protocol::Act::LaunchApp { .. }) => {
                    came.tell("the AI opens the app again");
                }
                What::Acted { outcome, .. } => {
                    assert!(
                        words::outcome(&outcome.code.to_string()).is_some(),
                        "{}: {outcome:?}",
                        self.what
                    );
                    if !outcome.ok {
                        came.tell(format!("told {}", outcome.code));
                    }
                    for warning in &outcome.warnings {
                        came.tell(format!("warned {}", warning.code));
                    }
                }
                What::Refused { code, .. } => came.tell(format!("refused {code}")),
                What::Voided { .. } => came.tell("the Yes is void"),
                What::Unclear { message, .. } => panic!("{}: {message}", self.what),
                What::Paused { reason } => {
                    let sentence = words::pause(&reason);
                    assert!(sentence.is_some(), "{}: no sentence for {reason:?}", self.what);
                    if reason != PauseReason::Person {
                        came.pauses.push(words::code(&reason));
                        assert!(came.pauses.len() <= PAUSES, "{}: {came:?}", self.what);
                    }
                    self.go_on(&reason, came.pauses.len()).await;
                }
                What::Ended {
                    ending,
                    maybe_running,
                } => {
                    came.struck = self.scene.has_struck();
                    came.met = self.rig.handle.has_met(self.scene.case.fault);
                    let Ending::Finished { message, .. } = ending else {
                        panic!("{}: {ending:?}; {came:?}", self.what);
                    };
                    assert!(
                        ENDS.contains(&message.as_str()),
                        "{}: {message}\n{}\n\n{}",
                        self.what,
                        self.lines().join("\n"),
                        self.rig.handle.state()
                    );
                    came.end = message;
                    if maybe_running {
                        came.tell("something may still run");
                    }
                    return came;
                }
                _ => {}
            }
        }
    }

    /// What a person and the engine do about a run that waits: the first time a phone that is listed is simply tried again,
    /// then what is wrong is made right.
    async fn go_on(&self, reason: &PauseReason, pauses: usize) {
        sleep(self.way.person()).await;
        if *reason == PauseReason::Person {
            self.run.steer(Op::Resume).await;
            return;
        }
        let waits = agent::waits_for_phone(reason);
        if !(waits && pauses == 1 && self.is_listed().await) {
            cure(&self.scene.handle, self.scene.case).await;
        }
        if !waits {
            // A phone that was unlocked is noticed.
            if words::code(reason) != "phone_locked" {
                self.run.steer(Op::Resume).await;
            }
            return;
        }
        for _ in 0..20 {
            if self.is_listed().await {
                self.run.phone_is_back();
                return;
            }
            sleep(Duration::from_millis(500)).await;
        }
        panic!("{}: the phone is not listed again", self.what);
    }

    /// What was written down, a line each, after so much of the phone's record.
    fn lines(&self) -> Vec<String> {
        let written = self.scene.written();
        let lines = written
            .iter()
            .map(|(after, event)| format!("{after} {:?}", event.what));
        lines.collect()
    }

    async fn is_listed(&self) -> bool {
        let list = self.rig.server.devices().await.unwrap_or_default();
        list.iter()
            .any(|line| line.serial == self.rig.handle.serial() && line.state == protocol::PhoneState::Device)
    }

    /// What must hold whatever happened.
    fn check(&self) {
        let written = self.scene.written();
        let record = self.rig.handle.record().entries();
        let state = self.rig.handle.state();
        if let Err(wrong) = ledger::check(&written, &record, &state) {
            let lines = self.lines();
            let reached: Vec<String> = (0_u64..)
                .zip(&record)
                .map(|(number, entry)| format!("{number} {:?}", entry.what))
                .collect();
            panic!(
                "{}: {wrong}\n{}\n\n{}\n\n{state}",
                self.what,
                lines.join("\n"),
                reached.join("\n")
            );
        }
    }
}

fn yes(ask: &protocol::Ask) -> Answer {
    Answer {
        ask: ask.id.clone(),
        digest: ask.digest.clone(),
        choice: Choice::Approve,
        words: None,
        amount: None,
    }
}

/// A word of the protocol, as it is written.
fn name(word: &Value) -> &str {
    word.as_str().unwrap()
}

/// The cable goes back in, Allow is tapped, the phone is unlocked: what a person does about it, or time.
async fn cure(phone: &PhoneHandle, case: Case) {
    match case.cure {
        Cure::Goes => phone.clear_fault(case.fault),
        Cure::Plugged => phone.replug(),
        Cure::Allowed => {
            allow(phone);
            phone.clear_fault(case.fault);
        }
    }
    // A connection that breaks is listed again a moment later.
    if matches!(case.fault, Fault::ServerRestarts(_)) {
        sleep(Duration::from_secs(1)).await;
    }
}

/// Presses Allow, where the phone asks.
fn allow(phone: &PhoneHandle) {
    phone.with(|android| {
        let Ok(tree) = android.hierarchy() else { return };
        if tree.contains("text=\"Allow\"") {
            let (x, y) = middle(&tree, "text=\"Allow\"");
            #[expect(clippy::cast_precision_loss, reason = "pixels of a small screen")]
            let (x, y) = (x as f32, y as f32);
            android.finger(FingerAction::Down, x, y);
            android.finger(FingerAction::Up, x, y);
        }
    });
}

struct NoScripts;

#[async_trait]
impl Scripts for NoScripts {
    async fn check(&self, _script: &str, _programs: &[String]) -> Result<(), Objection> {
        Ok(())
    }

    async fn run(&self, _job: &Job, _grip: &Grip) -> Result<ScriptEnd, Failure> {
        Err(FailureCode::NotNow.into())
    }
}

//! What a step costs beside the model: from a reply read to the next request ready, over one bare capture and one bare touch of
//! the same phone in the same run (the floor: whoever looks and touches cannot be faster).
//!
//! The phone takes what one takes that was written apart from this project (a capture 300 ms, as PNG 300, a touch 60,
//! `uiautomator dump` 2,000; a tree of the reader that stays 200, which is assumed and not measured), or what ours takes, or
//! nothing. With the reader and with the plain dump; with a video stream and without; with a model that answers at once and one
//! that thinks for three seconds; one that is sent list and picture, as it comes, and one that goes by pictures alone. What is
//! tapped is a button that counts: only that changes, or something moves on for a third of a second, which is waited for and
//! counted; in a few rows it moves for shorter or longer, or never comes to rest.
//!
//! Beside each stands what the phone was asked for in a step (captures, trees, `dumpsys`), and how many of the requests were
//! made while its screen was drawn anew: the phone says so itself.
//!
//! `cargo bench -p engine --bench step`, the eye being `screenrecord`; with `SCRCPY_SERVER_PATH` naming a scrcpy server, that.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark"
)]

use adb::{AdbServer, Device, FollowedServer, Link};
use agent::guard::Guard;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use engine::{Engine, Keychain, Options};
use judge::guard::Question;
use protocol::{Failure, Frame, News, Settings, Usage, What};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Fault, Host, PhoneHandle, Received, Speed, Times};

const STEPS: usize = 12;
/// Of the first steps something is still being learnt (which dump tells what).
const WARM: usize = 2;
const RAW: usize = 7;
/// Somewhere in the middle of a picture 1,280 pixels high.
const MIDDLE: (i32, i32) = (240, 600);

/// A screen with a button in its middle that counts its presses, and sets something moving for so long as it was told.
const MOVING: &str = "com.android.motiontest/.TouchActivity";
/// A list that comes by halves while a ring turns.
const LOADING: &str = "com.android.motiontest/.LoadingActivity";
/// A ring that turns for ever, and a film.
const SPINNER: &str = "com.android.motiontest/.SpinnerActivity";
const VIDEO: &str = "com.android.motiontest/.VideoActivity";
/// A field with a caret that blinks.
const FIELD: &str = "com.android.notes/.EditorActivity";

/// What moves on the screen that is tapped, in milliseconds where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    Nothing,
    For(u32),
    List(u32),
    Ring,
    Film,
    Caret,
}

impl Motion {
    /// As it is called at the head of a row.
    fn name(self) -> String {
        match self {
            Self::Nothing => "stays".to_owned(),
            Self::For(millis) => format!("moves {millis} ms"),
            Self::List(millis) => format!("a list that takes {millis} ms"),
            Self::Ring => "a spinner".to_owned(),
            Self::Film => "a film".to_owned(),
            Self::Caret => "a caret".to_owned(),
        }
    }

    /// What brings it to the front.
    fn start(self) -> String {
        let (component, millis) = match self {
            Self::Nothing => (MOVING, 0),
            Self::For(millis) => (MOVING, millis),
            Self::List(millis) => (LOADING, millis),
            Self::Ring => (SPINNER, 0),
            Self::Film => (VIDEO, 0),
            Self::Caret => (FIELD, 0),
        };
        format!("am start -n {component} --ei millis {millis}")
    }

    /// It has a button that counts; elsewhere the middle of the screen is tapped.
    fn has_button(self) -> bool {
        matches!(self, Self::Nothing | Self::For(_) | Self::List(_))
    }
}

/// How long it is watched for whether the screen is still being drawn.
const WATCHED: Duration = Duration::from_millis(60);

/// As measured on a phone that was written apart from this project.
const OUTSIDE: Times = Times {
    capture: 300,
    png: 300,
    input: 45,
    dump: 2000,
    tree: 200,
};

/// One row.
#[derive(Clone, Copy)]
struct Case {
    motion: Motion,
    /// None: the phone takes no time.
    times: Option<Times>,
    reader: bool,
    stream: bool,
    listed: bool,
    thinks: Duration,
}

/// The second opinion: a small model, asked beside the other, that finds that everything only moves.
struct MovesOnlyGuard;

/// How long it takes, as small models do.
const GUARD_TAKES: Duration = Duration::from_millis(800);

#[async_trait]
impl Guard for MovesOnlyGuard {
    async fn opinion(&self, question: &Question, _: Option<&Frame>) -> Result<Reply, Failure> {
        tokio::time::sleep(GUARD_TAKES).await;
        let lines = (1..=question.asked().len()).map(|number| format!("{number} moves\n"));
        Ok(Reply {
            text: lines.collect(),
            usage: Usage::default(),
        })
    }
}

/// Taps here and there, and notes when it is asked and when it has answered.
struct Tapper {
    case: Case,
    phone: PhoneHandle,
    /// What is tapped, in pixels of the picture it is sent.
    at: (i32, i32),
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    at: Vec<Instant>,
    answered: Vec<Instant>,
    /// What had reached the phone by then.
    seen: Vec<u64>,
    moving: usize,
}

#[async_trait]
impl Model for Tapper {
    fn name(&self) -> String {
        "tapper".to_owned()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(MovesOnlyGuard)
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: true,
            elements: self.case.listed,
            marks: false,
            longest_side: 1280,
            longest_beside: 1280,
        }
    }

    async fn think(&self, _: &Prompt, _: &Retrying<'_>) -> Result<Reply, Failure> {
        let count = {
            let mut asked = self.asked.lock().unwrap();
            asked.at.push(Instant::now());
            asked.seen.push(self.phone.record().len());
            asked.at.len()
        };
        let text = if count > STEPS {
            r#"{"type": "finish", "message": "Done."}"#.to_owned()
        } else {
            // Another place each time, so that it counts as no repetition.
            let count = i32::try_from(count).unwrap();
            format!(
                r#"{{"type": "tap", "x": {}, "y": {}}}"#,
                self.at.0 + count * 7,
                self.at.1 + count * 2
            )
        };
        let drawn = || self.phone.with(|android| android.generation());
        let before = drawn();
        tokio::time::sleep(WATCHED).await;
        if drawn() != before {
            self.asked.lock().unwrap().moving += 1;
        }
        tokio::time::sleep(self.case.thinks.saturating_sub(WATCHED)).await;
        self.asked.lock().unwrap().answered.push(Instant::now());
        Ok(Reply {
            text,
            usage: Usage::default(),
        })
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// What the phone shows.
async fn tree(device: &Device) -> String {
    let command = "uiautomator dump /sdcard/b.xml >/dev/null && cat /sdcard/b.xml";
    let said = device.look(command, Duration::from_secs(20)).await.unwrap();
    said.text()
}

/// The middle of the button that sets something moving, in pixels of a picture 1,280 pixels high.
async fn button(device: &Device) -> (i32, i32) {
    let tree = tree(device).await;
    let node = tree
        .split("<node ")
        .find(|node| node.contains("text=\"Go\""))
        .unwrap();
    let bounds = node.split("bounds=\"").nth(1).unwrap();
    let at: Vec<i32> = bounds
        .split(['[', ']', ','])
        .filter_map(|n| n.parse().ok())
        .take(4)
        .collect();
    let in_picture = |sum: i32| sum / 2 * 1280 / 2400;
    // A little to the left and up: each tap lies beside the last.
    (in_picture(at[0] + at[2]) - 40, in_picture(at[1] + at[3]) - 14)
}

/// How long the phone and the way there take for a command.
async fn time_of(device: &Device, command: &str) -> Duration {
    let began = Instant::now();
    device
        .look_at_bytes(command, Duration::from_secs(20))
        .await
        .unwrap();
    began.elapsed()
}

/// The phone, with what the case says is wrong with it.
fn plugged(host: &Host, case: Case) -> PhoneHandle {
    let wrong = [
        (case.reader, Fault::ReaderMissing),
        (case.stream, Fault::NoScreenrecord),
    ];
    let options = virtual_phone::Options {
        speed: if case.times.is_some() {
            Speed::Phone
        } else {
            Speed::Instant
        },
        times: case.times.unwrap_or_default(),
        faults: wrong
            .into_iter()
            .filter(|(works, _)| !works)
            .map(|(_, fault)| fault)
            .collect(),
        ..virtual_phone::Options::default()
    };
    host.add(Box::new(System::new(SystemOptions::default())), options)
}

/// One bare capture and one bare touch.
async fn floor(device: &Device) -> Duration {
    let (mut captures, mut touches) = (Vec::new(), Vec::new());
    for _ in 0..RAW {
        captures.push(time_of(device, "screencap").await);
        touches.push(time_of(device, "input tap 540 620").await);
    }
    median(captures) + median(touches)
}

/// Until the run is over; why it paused, if it did.
async fn over(news: &mut UnboundedReceiver<News>) -> Option<String> {
    loop {
        if let News::Run { event } = news.recv().await.expect("news") {
            match event.what {
                What::Ended { .. } => return None,
                What::Paused { reason } => return Some(format!("{reason:?}")),
                What::Asked { ask, .. } => return Some(format!("it asks: {:?} {:?}", ask.kind, ask.reason)),
                _ => {}
            }
        }
    }
}

/// What the phone was asked for in a step.
fn asked_for(phone: &PhoneHandle, from: u64, to: u64, steps: usize) -> String {
    let mut part = phone.record().since(from);
    part.truncate(usize::try_from(to - from).unwrap());
    let count = |is: &dyn Fn(&Received) -> bool| {
        let all = part.iter().filter(|entry| is(&entry.what)).count();
        format!(
            "{:.1}",
            f64::from(u32::try_from(all).unwrap()) / f64::from(u32::try_from(steps).unwrap())
        )
    };
    let dumpsys = |service: &str| {
        let is = |what: &Received| matches!(what, Received::Program { words, .. } if words.first().is_some_and(|name| name == "dumpsys") && words.get(1).is_some_and(|name| name == service));
        format!("{service} {}", count(&is))
    };
    format!(
        "{} captures, {} trees, dumpsys {}",
        count(&|what| matches!(what, Received::Capture)),
        count(&|what| matches!(what, Received::Hierarchy)),
        ["window", "input_method", "input", "display", "power", "activity"]
            .map(dumpsys)
            .join(", ")
    )
}

async fn measure(case: Case) -> String {
    let host = Arc::new(Host::new());
    let handle = plugged(&host, case);
    let to = Arc::clone(&host);
    let connector = adb::connector(move || to.open());
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(Options {
        folder: folder.path().to_path_buf(),
        places: vec![FollowedServer::demo(Arc::clone(&connector))],
        program: engine::ProgramChoice::default(),
        demo: false,
        keychain: Keychain::absent(),
        key: None,
        scheduler: None,
    })
    .await
    .unwrap();
    let serial = handle.serial();
    let phone = engine
        .phone_by_serial(serial, Duration::from_secs(20))
        .await
        .unwrap();
    let device = Device::new(AdbServer::new(Link::Memory(connector)), serial);
    let start = case.motion.start();
    device.look(&start, Duration::from_secs(20)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let at = match case.motion.has_button() {
        true => button(&device).await,
        false => MIDDLE,
    };
    let floor = floor(&device).await;
    let model = Arc::new(Tapper {
        case,
        phone: handle.clone(),
        at,
        asked: Mutex::default(),
    });
    let mut settings = Settings::default();
    settings.limits.steps = 100;
    let mut news = engine.listen();
    let task = "tap about";
    engine
        .run_with(&phone, task, Arc::clone(&model) as Arc<dyn Model>, settings)
        .unwrap();
    let paused = over(&mut news).await;
    engine.close().await;
    let asked = std::mem::take(&mut *model.asked.lock().unwrap());
    let pairs = asked.answered.iter().zip(asked.at.iter().skip(1));
    let costs: Vec<Duration> = pairs
        .map(|(answered, asked)| *asked - *answered)
        .skip(WARM)
        .collect();
    if costs.is_empty() {
        return format!("no step was measured: {paused:?}");
    }
    let steps = costs.len();
    let (from, to) = (asked.seen[WARM], asked.seen[asked.seen.len() - 1]);
    let phone_was = asked_for(&handle, from, to, asked.seen.len() - 1 - WARM);
    let cost = median(costs);
    let times = cost.as_secs_f64() / floor.as_secs_f64();
    format!(
        "{:.2} s, {times:.2} x the floor ({steps} steps; a step: {phone_was}; asked while it moved: {})",
        cost.as_secs_f64(),
        asked.moving
    )
}

/// What stands at the head of a row.
fn name(case: Case) -> String {
    let phone = match case.times {
        Some(times) if times == OUTSIDE => "outside times",
        Some(_) => "our times",
        None => "no time",
    };
    format!(
        "{phone}, {}, {}, {}, {}, {}",
        if case.reader { "reader" } else { "plain dump" },
        if case.stream { "stream" } else { "no stream" },
        if case.listed {
            "list and picture"
        } else {
            "picture only"
        },
        if case.thinks.is_zero() {
            "answers at once"
        } else {
            "thinks 3 s"
        },
        case.motion.name(),
    )
}

/// The rows: the outside times whole, the other two as the product comes; and, as it comes, what moves in other ways.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let both = [true, false];
    let thought = [Duration::from_secs(3), Duration::ZERO];
    for times in [Some(OUTSIDE), Some(Times::default()), None] {
        for (reader, stream, listed) in both
            .into_iter()
            .flat_map(|reader| both.map(|stream| (reader, stream)))
            .flat_map(|(reader, stream)| both.map(|listed| (reader, stream, listed)))
        {
            if times != Some(OUTSIDE) && !(listed && stream) {
                continue;
            }
            for (thinks, motion) in thought
                .into_iter()
                .flat_map(|thinks| [Motion::For(330), Motion::Nothing].map(|motion| (thinks, motion)))
            {
                all.push(Case {
                    motion,
                    times,
                    reader,
                    stream,
                    listed,
                    thinks,
                });
            }
        }
    }
    let others = [
        Motion::For(120),
        Motion::For(800),
        Motion::List(800),
        Motion::List(1600),
        Motion::Ring,
        Motion::Film,
        Motion::Caret,
    ];
    for (stream, motion) in both
        .into_iter()
        .flat_map(|stream| others.map(|motion| (stream, motion)))
    {
        all.push(Case {
            motion,
            times: Some(OUTSIDE),
            reader: true,
            stream,
            listed: true,
            thinks: Duration::ZERO,
        });
    }
    all
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    // `cargo bench … -- WORDS`: the rows whose names have all of them.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    runtime.block_on(async {
        for case in cases() {
            let name = name(case);
            if wanted.iter().all(|word| name.contains(word.as_str())) {
                println!("{name}: {}", measure(case).await);
            }
        }
    });
}

//! In real time: the same task with a model that thinks three seconds, and repeated, on a phone that takes what one was measured
//! to take. Each step's time is printed by what it waited for.

use crate::chat::{aside, read_request, refused};
use crate::guard::Credulous;
use crate::replaying::{GOAL, plan};
use crate::rig::{Rig, Says, finish, say};
use agent::guard::Guard;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use agent::timing::{StepTiming, Waited};
use async_trait::async_trait;
use engine::{Keychain, ModelChoice};
use judge::guard::Question;
use protocol::{
    Choice, ChosenModel, Ending, Event, Failure, Frame, Maker, PhoneState, Provider, RunId, Settings,
    SettingsPatch, What,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::broadcast::Receiver;
use virtual_phone::system::{Basket, System, SystemOptions};
use virtual_phone::{Host, Options, PhoneHandle, Speed, Times};

/// As measured on a phone that was written apart from this project.
const OUTSIDE: Times = Times {
    capture: 300,
    png: 300,
    input: 45,
    dump: 2000,
    tree: 200,
};
/// How long the model thinks.
const THINKS: Duration = Duration::from_secs(3);
/// How long the second opinion takes, as small models do.
const BESIDE: Duration = Duration::from_millis(800);
/// What waits stand in the table, in its order.
const COLUMNS: [Waited; 8] = [
    Waited::Model,
    Waited::Picture,
    Waited::Tree,
    Waited::Opinion,
    Waited::Person,
    Waited::Check,
    Waited::Input,
    Waited::Rest,
];

/// Says what it is told to after it has thought.
struct Thinks(Arc<Says>);

/// The second opinion, after it has thought.
struct Beside;

#[async_trait]
impl Guard for Beside {
    async fn opinion(&self, question: &Question, picture: Option<&Frame>) -> Result<Reply, Failure> {
        tokio::time::sleep(BESIDE).await;
        Credulous.opinion(question, picture).await
    }
}

#[async_trait]
impl Model for Thinks {
    fn name(&self) -> String {
        self.0.name()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            longest_side: 1280,
            longest_beside: 1280,
            ..self.0.capabilities()
        }
    }

    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(Beside)
    }

    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        tokio::time::sleep(THINKS).await;
        self.0.think(prompt, retrying).await
    }
}

/// A run's steps, and how long it took from its beginning to its end.
struct Timed {
    steps: Vec<StepTiming>,
    took: Duration,
    events: Vec<Event>,
}

async fn timed(rig: &mut Rig, run: &RunId, mut timings: Receiver<StepTiming>) -> Timed {
    let began = Instant::now();
    let (_, events) = rig.end(run, Choice::Approve).await;
    let took = began.elapsed();
    let mut steps = Vec::new();
    while let Ok(step) = timings.try_recv() {
        steps.push(step);
    }
    let ended = events.last().map(|event| &event.what);
    let is_done = matches!(
        ended,
        Some(What::Ended {
            ending: Ending::Finished { .. },
            ..
        })
    );
    assert!(is_done, "{events:#?}");
    Timed { steps, took, events }
}

/// Milliseconds in which at least one of the waits went on.
fn waited(step: &StepTiming) -> u64 {
    let mut spans: Vec<(u64, u64)> = step.spans.iter().map(|s| (s.from_ms, s.end_ms())).collect();
    spans.sort_unstable();
    let (mut sum, mut until) = (0, 0);
    for (from, end) in spans {
        sum += end.saturating_sub(from.max(until));
        until = until.max(end);
    }
    sum
}

/// A line a step: what was waited for, in seconds; waits side by side overlap. `other`: when nothing was waited for.
fn table(timed: &Timed) -> String {
    let mut table = String::from("| step |");
    for column in COLUMNS {
        write!(table, " {} |", column.word()).unwrap();
    }
    table.push_str(" other | all |\n|---|");
    table.push_str(&"---|".repeat(COLUMNS.len() + 2));
    let seconds = |ms: u64| match ms {
        0..10 => String::new(),
        _ => format!("{:.2}", ms as f64 / 1000.0),
    };
    for step in &timed.steps {
        write!(table, "\n| {} |", step.step).unwrap();
        for column in COLUMNS {
            let of = step.spans.iter().filter(|span| span.waited == column);
            write!(table, " {} |", seconds(of.map(|span| span.took_ms).sum())).unwrap();
        }
        let other = step.took_ms.saturating_sub(waited(step));
        write!(table, " {} | {} |", seconds(other), seconds(step.took_ms)).unwrap();
    }
    table
}

/// How each step was found, and what did not fit.
fn told(events: &[Event]) -> Vec<String> {
    let told = events.iter().filter_map(|event| match &event.what {
        What::Replayed { by, .. } => Some(format!("{by:?}")),
        What::Diverged { why, .. } => Some(format!("{why:?}")),
        What::Voided { .. } => Some("voided".to_owned()),
        _ => None,
    });
    told.collect()
}

/// What the AI does the first time. By the words on things: it may be asked with the picture alone.
fn by_words() -> Arc<Says> {
    let tap = |text: &str| say(json!({"type": "tap", "target": {"text": text}}));
    Says::new(vec![
        say(json!({"type": "launch_app", "packageName": "com.greenleaf.shop"})),
        tap("Add all to basket"),
        tap("Go to checkout"),
        tap("Wednesday, 6–8 pm"),
        tap("Continue"),
        tap("Pay $23.40"),
        finish(),
    ])
}

/// A server of whoever gives second opinions, after it has thought. Gives its address.
async fn opinions() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                while let Some((head, body)) = read_request(&mut stream).await {
                    tokio::time::sleep(BESIDE).await;
                    let says = aside(&head, &body, None).unwrap_or_else(|| refused(400, "nobody acts here"));
                    stream.write_all(says.as_bytes()).await.unwrap();
                }
            });
        }
    });
    format!("http://{address}/v1")
}

/// The shop as it is in the morning, on a phone that takes its time.
fn morning(host: &Host) -> PhoneHandle {
    let shop = SystemOptions {
        basket: Basket::Empty,
        ..SystemOptions::default()
    };
    let attached = Options {
        speed: Speed::Phone,
        times: OUTSIDE,
        ..Options::default()
    };
    host.add(Box::new(System::try_new(shop).unwrap()), attached)
}

/// Until the program sees the phone so.
async fn is_plugged(rig: &Rig, plugged: bool) {
    let mut listing = rig.engine.listing();
    let seen = listing.wait_for(|listing| {
        let mut phones = listing.phones.iter();
        phones.any(|phone| phone.state == PhoneState::Device) == plugged
    });
    let seen = tokio::time::timeout(Duration::from_secs(60), seen).await;
    drop(seen.unwrap().unwrap());
}

/// The groceries, once by a model that thinks three seconds a step, then repeated on two mornings, the program staying: how many
/// times as fast. It is to take no longer than the phone and the second opinion do, which nobody's thinking hides any more.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes its real time: a minute"]
async fn what_is_repeated_takes_what_the_phone_and_the_second_opinion_take() {
    let (host, folder) = (Arc::new(Host::new()), Arc::new(tempfile::tempdir().unwrap()));
    let first = morning(&host);
    let mut rig = Rig::of_phone(Arc::clone(&host), first, Keychain::absent(), folder).await;
    let model: Arc<dyn Model> = Arc::new(Thinks(by_words()));
    let run = rig
        .engine
        .run_with(&rig.phone, GOAL, model, Settings::default())
        .unwrap();
    let timings = rig.engine.timings(&run).unwrap();
    let by_model = timed(&mut rig, &run, timings).await;
    rig.over().await;
    print("with a model", &by_model);
    let card = rig.engine.save_automation(None, plan(GOAL, &run)).await.unwrap();
    let chosen = ChosenModel {
        maker: Maker::Custom,
        model: "of-no-family".to_owned(),
        base_url: Some(opinions().await),
        ..ChosenModel::default()
    };
    let patch = SettingsPatch {
        provider: Some(Provider::Model { chosen }),
        ..SettingsPatch::default()
    };
    rig.engine.patch_settings(patch).await.unwrap();
    let thought = sum(&by_model, Waited::Model);
    for name in ["repeated", "repeated the day after"] {
        rig.handle.unplug();
        is_plugged(&rig, false).await;
        rig.handle = morning(&host);
        is_plugged(&rig, true).await;
        let (id, values) = (&card.automation.id, BTreeMap::new());
        let begun = rig.engine.run_automation(id, &values, &ModelChoice::Settings);
        let run = begun.await.unwrap().remove(0);
        let timings = rig.engine.timings(&run).unwrap();
        let repeated = timed(&mut rig, &run, timings).await;
        rig.over().await;
        print(name, &repeated);
        let times = by_model.took.as_secs_f64() / repeated.took.as_secs_f64();
        println!("{times:.1} times as fast");
        assert_eq!(rig.state("/greenleaf/orders/0/amount"), json!(2340));
        assert_eq!(sum(&repeated, Waited::Model), Duration::ZERO);
        let opinions = sum(&repeated, Waited::Opinion);
        assert!(repeated.took + thought <= by_model.took + opinions, "{times:.1}");
    }
}

/// What was waited for in all steps.
fn sum(timed: &Timed, of: Waited) -> Duration {
    let spans = timed.steps.iter().flat_map(|step| &step.spans);
    let all = spans.filter(|span| span.waited == of);
    Duration::from_millis(all.map(|span| span.took_ms).sum())
}

fn print(name: &str, timed: &Timed) {
    let (took, told) = (timed.took.as_secs_f64(), told(&timed.events));
    println!("{name}: {took:.1} s, {told:?}\n{}\n", table(timed));
}

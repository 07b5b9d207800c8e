//! What reaches the phone is what was judged: random actions, every answer No, and the phone's own record.
//!
//! The type of the port already says that only the judge's own values come in. Here the phone keeps each of them with its
//! screen of that moment, and everything is judged again from that record alone: that very input, on that screen, for that
//! app, with nothing said Yes to and the second opinion the run had. Some pages hold a deed no rule knows; nothing done by
//! any touch may be found in the phone. `POCKETDECK_LONG` multiplies the sequences (100 makes 100,000 of them).

use crate::storm::SeededRng;
use crate::support::{FakePhone, FakeScripts, MemoryJournal, VirtualClock, World};
use agent::guard::Guard;
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use agent::{Lease, Ports, Task};
use async_trait::async_trait;
use judge::guard::{Page, Question};
use judge::{Case, Verdict, judge};
use protocol::{
    Answer, CaptureResult, Choice, Event, Failure, Frame, PhoneId, RunId, Screen, Settings, Usage, What,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The task of every sequence.
const GOAL: &str = "Look around";
/// Sequences of every run of the tests, and actions in each.
const SEQUENCES: u32 = 1_000;
const ACTIONS: u32 = 6;

/// Any action, well-meant or not.
fn any_action(rng: &mut SeededRng) -> Value {
    let at = |rng: &mut SeededRng| (rng.below(290), rng.below(620));
    let text = |rng: &mut SeededRng| {
        rng.pick(&[
            "On my way",
            "x\n",
            "\t ",
            "a\tb",
            "\r",
            "123456",
            " ",
            "\u{7}",
            "{{secret:Bank}}",
        ])
    };
    let key = |rng: &mut SeededRng| {
        rng.pick(&[
            "ENTER",
            "66",
            "066",
            "KEYCODE_062",
            "SPACE",
            "DPAD_CENTER",
            "TAB",
            "DPAD_DOWN",
            "BACK",
            "HOME",
            "DEL",
            "bogus",
            "79",
            "CALL",
            "PASTE",
            "MEDIA_PLAY",
            "CAMERA",
            "POWER",
            "4",
        ])
    };
    let label = |rng: &mut SeededRng| {
        rng.pick(&[
            "Checkout", "Pay", "Send", "Delete", "Allow", "Sign in", "Message", "Code", "Cancel",
        ])
    };
    let (x1, y1) = at(rng);
    let (x2, y2) = at(rng);
    let edges = |a: u64, b: u64, of: u64| (a.min(b) * 1000 / of, (a.max(b) * 1000 / of).min(1000));
    let ((left, right), (top, bottom)) = (edges(x1, x2, 290), edges(y1, y2, 620));
    let amount = rng.pick(&[0.01, 0.1, 0.5, 1.0, 3.0, 8.0]);
    let way = rng.pick(&["up", "down", "left", "right"]);
    match rng.below(18) {
        0 => json!({"type": "tap", "x": x1, "y": y1}),
        1 => json!({"type": "tap", "target": {"text": label(rng)}}),
        2 => json!({"type": "double_tap", "x": x1, "y": y1}),
        3 => {
            json!({"type": "long_press", "x": x1, "y": y1, "durationMs": rng.pick(&[50, 300, 500, 800])})
        }
        4 => json!({"type": "swipe", "x1": x1, "y1": y1, "x2": x2, "y2": y2}),
        5 => json!({"type": "swipe", "x1": 60, "y1": 520, "x2": 200, "y2": 520}),
        6 => json!({"type": "drag", "x1": x1, "y1": y1, "x2": x2, "y2": y2}),
        17 => json!({"type": "swipe", "x1": x1, "y1": y1, "x2": x1, "y2": y2}),
        7 => {
            json!({"type": "scroll", "direction": way, "amount": amount, "target": {"box": [left, top, right, bottom]}})
        }
        8 => json!({"type": "scroll", "direction": way, "amount": amount, "x": x1, "y": y1}),
        9 => {
            json!({"type": "read_text", "box": [left, top, right, bottom], "output": "it", "autoScroll": true})
        }
        10 => json!({"type": "type", "text": text(rng)}),
        11 => json!({"type": "set_value", "target": {"text": label(rng)}, "value": text(rng)}),
        12 => json!({"type": "keyevent", "keycode": key(rng)}),
        13 => json!({"type": "key_combination", "keys": ["CTRL_LEFT", key(rng)]}),
        14 => json!({"type": "shell", "command": rng.pick(&[
            "input tap 130 520", "input swipe 20 520 250 520", "input keyevent 66", "adb shell input text hi",
            "input swipe 130 520 130 520 50", "input swipe 130 150 130 400 300", "input draganddrop 130 200 130 220 300",
            "getprop ro.product.model", "pm clear com.greenleaf.shop", "sh -c 'input tap 130 520'",
        ])}),
        15 => {
            json!({"type": "open_url", "url": rng.pick(&["https://example.com/?d=4821", "tel:911", "sms:911", "geo:1,2"])})
        }
        _ => json!({"type": "run_script", "script": "input tap 130 520"}),
    }
}

/// The second opinion of one sequence: that everything moves, or the truth.
#[derive(Clone, Copy)]
enum Opinion {
    Credulous,
    Truthful,
}

impl Opinion {
    fn says(self, question: &Question) -> String {
        let says = |label: &str| match (self, label) {
            (Self::Credulous, _) | (_, "Checkout" | "Keep shopping" | "Cancel") => "moves",
            (Self::Truthful, "Engage") => "commits other",
            (Self::Truthful, _) => "unclear",
        };
        let lines = (1..).zip(question.asked());
        lines
            .map(|(number, asked)| format!("{number} {}\n", says(&asked.label)))
            .collect()
    }
}

#[async_trait]
impl Guard for Opinion {
    async fn opinion(&self, question: &Question, _picture: Option<&Frame>) -> Result<Reply, Failure> {
        Ok(Reply {
            text: self.says(question),
            usage: Usage::default(),
        })
    }
}

/// Says whatever comes to it, a bounded number of times.
struct Anything(Opinion, Mutex<(SeededRng, u32)>);

#[async_trait]
impl Model for Anything {
    fn name(&self) -> String {
        "anything".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn pointing(&self) -> agent::pointing::Pointing {
        agent::pointing::Pointing::SCREEN
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: false,
            elements: true,
            marks: false,
            longest_side: 400,
            longest_beside: 400,
        }
    }

    fn guard(&self) -> Arc<dyn Guard> {
        Arc::new(self.0)
    }

    async fn think(&self, _: &Prompt, _: &Retrying<'_>) -> Result<Reply, Failure> {
        let mut state = self.1.lock().unwrap();
        state.1 += 1;
        let wants = if state.1 > ACTIONS {
            json!({"type": "finish", "message": "Enough."})
        } else {
            any_action(&mut state.0)
        };
        Ok(Reply {
            text: wants.to_string(),
            usage: Usage::default(),
        })
    }
}

/// One sequence on one page: what was wrong with it, and how many inputs the phone received.
async fn sequence(seed: u64) -> (Vec<String>, usize) {
    let mut rng = SeededRng::new(seed);
    let page = rng.pick(&[
        "shop",
        "checkout",
        "chat",
        "code",
        "sign_in",
        "account",
        "permission",
        "home",
        "form",
        "engine",
        "leaf",
        "web",
    ]);
    // A deed that no rule knows is a question only to whoever tells the truth.
    let opinion = match page {
        "engine" | "leaf" => Opinion::Truthful,
        _ => rng.pick(&[Opinion::Credulous, Opinion::Truthful]),
    };
    let phone = Arc::new(FakePhone::new(World::on(page)));
    phone.sends_thumbnails();
    let ports = Ports {
        phone: phone.clone(),
        model: Arc::new(Anything(opinion, Mutex::new((rng, 0)))),
        journal: Arc::new(MemoryJournal::default()),
        scripts: Arc::new(FakeScripts::default()),
        credentials: Arc::new(agent::ports::NoCredentials),
        clock: Arc::new(VirtualClock(Instant::now())),
        recorder: None,
        replayer: None,
    };
    let task = Task {
        run: RunId("run".into()),
        phone: PhoneId("phone".into()),
        phone_name: "Shop phone".into(),
        automation: None,
        earlier: None,
        goal: GOAL.into(),
        settings: Settings::default(),
    };
    let (sender, mut told) = mpsc::unbounded_channel();
    let tell = Arc::new(move |event: &Event| {
        let _ = sender.send(event.clone());
    });
    let (handle, run) = agent::start(task, ports, &Lease::new(), tell);
    tokio::spawn(run);
    while let Some(event) = told.recv().await {
        match event.what {
            What::Asked { ask, .. } => handle.answer(Answer {
                ask: ask.id,
                digest: ask.digest,
                choice: Choice::Deny,
                words: None,
                amount: None,
            }),
            What::Paused { .. } => {
                handle.stop().await;
            }
            _ => {}
        }
    }
    let received = phone.received();
    let against = |received| objection(received, opinion);
    let mut wrong: Vec<String> = received.iter().filter_map(against).collect();
    wrong.extend(phone.effects().into_iter().map(|(_, what)| what));
    let wrong = wrong
        .into_iter()
        .map(|what| format!("{seed} on {page}: {what}"))
        .collect();
    (wrong, received.len())
}

/// What the judge has against an input on the screen it came to, nobody having said Yes.
fn objection(received: &crate::support::Received, opinion: Opinion) -> Option<String> {
    if received.meant_for != received.app {
        return Some(format!(
            "{:?} was judged for {:?} and came to {:?}",
            received.input, received.meant_for, received.app
        ));
    }
    let tree = screen::Tree::read(&received.xml, received.size.0, received.size.1, 1000).unwrap();
    let screen = Screen {
        phone: PhoneId("phone".into()),
        current_app: received.app.clone(),
        window: None,
        width: received.size.0,
        height: received.size.1,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: tree.elements,
        tree_read: true,
        tree_bounds: None,
        totals: tree.totals,
        keyboard_shown: false,
    };
    let settings = Settings::default();
    let page = Page {
        screen: &screen,
        task: GOAL,
        app: "",
        site: None,
        version: "",
        signers: &[],
        eyes: false,
    };
    let question = Question::of(&page);
    let opinion = question.and_then(|question| question.read(&opinion.says(&question)));
    let inputs = [received.input.clone()];
    let case = Case {
        opinion: opinion.as_ref(),
        task: GOAL,
        ..Case::new(&inputs, &screen, &settings, 0, Instant::now().into_std())
    };
    match judge(&case) {
        Verdict::Allow(_) => None,
        verdict => Some(format!("{:?} reached it: {verdict:?}", received.input)),
    }
}

/// The one door: this many sequences; nothing may have reached the phone that the judge, asked again, would not let pass.
async fn check(sequences: u64) {
    let (mut wrong, mut inputs) = (Vec::new(), 0);
    for seed in 0..sequences {
        let (more, received) = sequence(seed).await;
        wrong.extend(more);
        inputs += received;
    }
    assert!(wrong.is_empty(), "{} wrong; the first: {}", wrong.len(), wrong[0]);
    assert!(inputs as u64 > sequences / 2, "only {inputs} inputs came through");
}

#[tokio::test(start_paused = true)]
async fn nothing_reaches_the_phone_that_was_not_judged() {
    check(u64::from(crate::long::times(SEQUENCES))).await;
}

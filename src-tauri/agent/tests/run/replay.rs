//! A run that repeats a recorded one: what is answered is done as if the model had said it, and what came of it is told back.

use crate::support::{Beside, MemoryJournal, Saved, ScriptedModel, Table, Turn, World, start_beside};
use agent::ports::{
    Heal, LastActResult, NotRepeatable, ReplayStep, ReplayView, Replayer, StepRecorder, WhyAi, certificate,
};
use insta::assert_snapshot;
use protocol::{
    Act, Action, AskKind, Bounds, Capability, Choice, Divergence, FrameId, Op, ReplayedBy, RunId, Screen,
    Settings, Target, What,
};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Answers what the test wrote, and keeps what it was told.
#[derive(Default)]
struct Script {
    answers: VecDeque<ReplayStep>,
    /// What came of each, a line each.
    heard: Vec<String>,
}

impl Replayer for Script {
    fn next(&mut self, seen: &ReplayView<'_>, last: LastActResult) -> ReplayStep {
        let title = seen.screen.elements.iter().find(|one| !one.label.is_empty());
        let title = title.map_or("nothing", |one| one.label.as_str());
        self.heard.push(format!("{last:?} on {title}"));
        match self.answers.front() {
            Some(ReplayStep::Wait { until }) if seen.at < *until && title == "Greenleaf" => {
                ReplayStep::Wait { until: *until }
            }
            Some(ReplayStep::Wait { .. }) => {
                self.answers.pop_front();
                self.answers.pop_front().unwrap_or(ReplayStep::Finished)
            }
            _ => self.answers.pop_front().unwrap_or(ReplayStep::Finished),
        }
    }

    fn accept(&mut self, shown: Option<FrameId>) {
        self.heard.push(format!("accepted {}", shown.is_some()));
    }

    fn ai_did(&mut self, seen: &ReplayView<'_>, said: &Action, sent: &Action, ring: Option<Bounds>) {
        let words = |action: &Action| serde_json::to_string(action).unwrap();
        let app = &seen.screen.current_app;
        self.heard.push(format!(
            "the AI did {} as {} in {app}, ringed: {}",
            words(said),
            words(sent),
            ring.is_some()
        ));
    }
}

fn tapping(text: &str) -> Action {
    Action::from(Act::Tap {
        x: None,
        y: None,
        target: Some(Target {
            text: Some(text.to_owned()),
            ..Target::default()
        }),
    })
}

fn tap(text: &str) -> ReplayStep {
    ReplayStep::Act {
        action: tapping(text),
        by: ReplayedBy::IdAndText,
    }
}

fn ask_ai() -> ReplayStep {
    let why = WhyAi::NotRepeatable(NotRepeatable::Gesture);
    ReplayStep::AskAi { why }
}

fn hand_over() -> ReplayStep {
    let why = Divergence::OtherPage;
    ReplayStep::HandOver { why }
}

fn dearer() -> ReplayStep {
    ReplayStep::Stop {
        why: Divergence::OtherAmount,
        kind: AskKind::Payment,
        recorded: Some(FrameId::from("then/4")),
    }
}

/// A run that repeats these answers; the model says those words where it is asked.
struct Repeating {
    table: Table,
    script: Arc<Mutex<Script>>,
}

fn repeat(world: World, answers: impl IntoIterator<Item = ReplayStep>, words: &[&str]) -> Repeating {
    let script = Arc::new(Mutex::new(Script {
        answers: answers.into_iter().collect(),
        heard: Vec::new(),
    }));
    let beside = Beside {
        replayer: Some(script.clone()),
        recorder: None,
    };
    let model = ScriptedModel::new(words.iter().copied().map(Turn::from)).reads_tasks();
    let table = start(world, model, beside);
    Repeating { table, script }
}

fn start(world: World, model: ScriptedModel, beside: Beside) -> Table {
    start_beside(
        "Order the weekly groceries and pay",
        world,
        model,
        Settings::default(),
        MemoryJournal::default(),
        Saved::default(),
        beside,
    )
}

impl Repeating {
    /// Goes on to the end with this answer to every question.
    async fn end(&mut self, choice: Choice) {
        while let Some(event) = self.table.next().await {
            match event.what {
                What::Asked { ask, .. } => self.table.answer(&ask, choice),
                What::Paused { .. } => self.table.handle.stop().await,
                _ => {}
            }
        }
        self.table.model.assert_used_up();
    }

    fn requests(&self) -> usize {
        self.table.model.shown().len()
    }

    fn heard(&self) -> Vec<String> {
        self.script.lock().unwrap().heard.clone()
    }

    /// The run, then what the recording was told.
    fn transcript(&self) -> String {
        let mut out = self.table.transcript();
        let _ = writeln!(out, "-- the recording heard");
        for line in self.heard() {
            let _ = writeln!(out, "{line}");
        }
        out
    }
}

const PAY: &str = r#"{"thought": "Pay.", "action": {"type": "tap", "target": {"text": "Pay $23.40"}}}"#;
const LOOK: &str = r#"{"thought": "Wait.", "action": {"type": "wait", "durationMs": 100}}"#;
const OPEN: &str = r#"{"thought": "On.", "action": {"type": "tap", "target": {"text": "Checkout"}}}"#;
const DONE: &str = r#"{"thought": "Done.", "action": {"type": "finish", "message": "Finished."}}"#;

/// Nobody is paid to think, and paying is asked about as ever.
#[tokio::test(start_paused = true)]
async fn what_is_repeated_costs_no_request_and_is_asked_about() {
    let mut run = repeat(World::on("shop"), [tap("Checkout"), tap("Pay $23.40")], &[]);
    run.end(Choice::Approve).await;
    assert_eq!(
        (run.requests(), run.table.phone.world().paid),
        (0, vec!["$23.40".to_owned()])
    );
    assert_snapshot!(run.transcript());
}

/// What came of an act, as it is told to the recording with the next look.
#[tokio::test(start_paused = true)]
async fn what_came_of_an_act_is_told() {
    let heal = |text| {
        ReplayStep::Heal(Heal {
            by: ReplayedBy::ClosedInterruption,
            action: tapping(text),
        })
    };
    let person = ReplayStep::Act {
        action: Action::from(Act::RequestHumanAuth {
            capability: Capability::Contacts,
            instruction: "Human authorization is required to continue.".to_owned(),
            timeout_sec: 300.0,
        }),
        by: ReplayedBy::NoTarget,
    };
    let gone = ReplayStep::Act {
        action: Action::from(Act::LaunchApp {
            package_name: "com.nowhere".to_owned(),
        }),
        by: ReplayedBy::NoTarget,
    };
    for (page, answer, choice, expected) in [
        ("shop", tap("Checkout"), Choice::Approve, LastActResult::Done),
        ("shop", heal("Checkout"), Choice::Approve, LastActResult::Done),
        (
            "checkout",
            tap("Pay $23.40"),
            Choice::Approve,
            LastActResult::Done,
        ),
        (
            "checkout",
            tap("Pay $23.40"),
            Choice::Deny,
            LastActResult::Refused,
        ),
        ("shop", person.clone(), Choice::Approve, LastActResult::Done),
        ("shop", person, Choice::Deny, LastActResult::Refused),
        (
            "shop",
            tap("Nothing of the kind"),
            Choice::Approve,
            LastActResult::Refused,
        ),
        ("shop", gone, Choice::Approve, LastActResult::NotDone),
    ] {
        let told = format!("{page}: {answer:?}");
        let mut run = repeat(World::on(page), [answer], &[]);
        run.end(choice).await;
        let heard = run.heard();
        assert_eq!(heard.len(), 2, "{told}: {heard:?}");
        assert!(
            heard[1].starts_with(&format!("{expected:?} ")),
            "{told}: {heard:?}"
        );
        assert_eq!(run.requests(), 0);
    }
}

/// A Yes that became void was surely not used: the recording may try once more, and the question comes anew.
#[tokio::test(start_paused = true)]
async fn a_void_yes_may_be_tried_once_more() {
    let mut run = repeat(World::on("checkout"), [tap("Pay $23.40"), tap("Pay $23.41")], &[]);
    let ask = run.table.question().await;
    run.table.phone.change(|world| world.total = "$23.41".into());
    run.table.answer(&ask, Choice::Approve);
    run.end(Choice::Approve).await;
    assert_eq!(run.table.phone.world().paid, ["$23.41"]);
    assert!(run.heard()[1].starts_with("NotDone "), "{:?}", run.heard());
}

/// Whenever the phone goes away: what is told as done was done, what is told as not done was not, and else it is unknown.
#[tokio::test(start_paused = true)]
async fn whenever_the_phone_goes_away_no_more_is_told_than_is_known() {
    let mut told = std::collections::BTreeSet::new();
    for call in 1..8 {
        let mut run = repeat(World::on("checkout"), [tap("Pay $23.40"), hand_over()], &[DONE]);
        let ask = run.table.question().await;
        run.table.phone.go_away_at(run.table.phone.calls() + call);
        run.table.answer(&ask, Choice::Approve);
        while let Some(event) = run.table.next().await {
            if let What::Paused { .. } = event.what {
                run.table.phone.come_back();
                run.table.handle.phone_is_back();
            }
        }
        let heard = run.heard();
        let last = heard[1].split(' ').next().unwrap().to_owned();
        let paid = run.table.phone.world().paid.len();
        let is_true = match last.as_str() {
            "Done" => paid == 1,
            "NotDone" => paid == 0,
            "Unknown" => paid < 2,
            _ => false,
        };
        assert!(is_true, "call {call}, {last}, paid {paid}: {}", run.transcript());
        told.insert(last);
    }
    assert_eq!(
        told.into_iter().collect::<Vec<_>>(),
        ["Done", "NotDone", "Unknown"]
    );
}

/// The person took the phone while they were asked: nobody knows what they did.
#[tokio::test(start_paused = true)]
async fn what_the_person_did_meanwhile_is_unknown() {
    let mut run = repeat(World::on("checkout"), [tap("Pay $23.40"), hand_over()], &[DONE]);
    run.table.question().await;
    run.table.handle.steer(Op::TakeOver).await;
    run.table
        .until("taken over", |what| matches!(what, What::TakenOver))
        .await;
    run.table.handle.steer(Op::HandBack).await;
    run.end(Choice::Approve).await;
    assert!(run.heard()[1].starts_with("Unknown "), "{}", run.transcript());
    assert_eq!(run.table.phone.world().paid, Vec::<String>::new());
}

/// A pause while the person is asked takes the question back: nothing was done.
#[tokio::test(start_paused = true)]
async fn a_question_that_was_withdrawn_was_not_done() {
    let mut run = repeat(World::on("checkout"), [tap("Pay $23.40"), tap("Pay $23.40")], &[]);
    run.table.question().await;
    run.table.handle.steer(Op::Pause).await;
    run.table.paused().await;
    run.table.handle.steer(Op::Resume).await;
    run.end(Choice::Approve).await;
    assert!(run.heard()[1].starts_with("NotDone "), "{}", run.transcript());
    assert_eq!(run.table.phone.world().paid, ["$23.40"]);
}

/// The AI does one step, however often it looks first; then the recording goes on.
#[tokio::test(start_paused = true)]
async fn the_ai_does_one_step() {
    let mut run = repeat(
        World::on("shop"),
        [ask_ai(), tap("Pay $23.40")],
        &["no action", LOOK, OPEN],
    );
    run.end(Choice::Approve).await;
    assert_eq!(run.table.phone.world().paid, ["$23.40"]);
    assert_snapshot!(run.transcript());
}

/// The recording is put away: the AI goes on with the task, and hears why.
#[tokio::test(start_paused = true)]
async fn the_ai_does_the_rest() {
    let mut run = repeat(
        World::on("shop"),
        [tap("Checkout"), hand_over(), tap("Pay $23.40")],
        &[PAY, DONE],
    );
    run.end(Choice::Approve).await;
    assert_eq!(run.table.phone.world().paid, ["$23.40"]);
    assert_snapshot!(run.transcript());
    let shown = run.table.model.shown();
    assert!(shown[0].user().contains("repeated from an earlier run"));
}

/// A page that is slow is waited for, and looked at when it came; one that never comes is waited for no longer than told.
#[tokio::test(start_paused = true)]
async fn a_wait_ends_when_the_screen_changes_or_the_time_is_over() {
    let wait = |until| ReplayStep::Wait { until };
    let mut run = repeat(World::on("shop"), [wait(8_000), tap("Pay $23.40")], &[]);
    run.table
        .until("a look", |what| matches!(what, What::Looked { .. }))
        .await;
    let since = tokio::time::Instant::now();
    tokio::time::sleep(Duration::from_secs(3)).await;
    run.table.phone.change(|world| world.page = "checkout");
    run.table.question().await;
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    run.end(Choice::Approve).await;
    assert_eq!(run.requests(), 0);

    let mut run = repeat(World::on("shop"), [wait(8_000), tap("Checkout")], &[]);
    let since = tokio::time::Instant::now();
    run.end(Choice::Approve).await;
    let took = since.elapsed();
    assert!((8..12).contains(&took.as_secs()), "{took:?}");

    // However long it is told to wait.
    let mut run = repeat(World::on("shop"), [wait(u64::MAX)], &[DONE]);
    run.end(Choice::Approve).await;
    assert!(run.transcript().contains("diverged \"other_page\""));
}

/// Stop reaches a run that waits.
#[tokio::test(start_paused = true)]
async fn a_wait_hears_the_person() {
    let mut run = repeat(World::on("shop"), [ReplayStep::Wait { until: 50_000 }], &[]);
    run.table
        .until("a look", |what| matches!(what, What::Looked { .. }))
        .await;
    let since = tokio::time::Instant::now();
    run.table.handle.stop().await;
    assert!(since.elapsed() < Duration::from_secs(2));
    run.end(Choice::Approve).await;
}

/// Another amount than then: one question with both pictures. A Yes pays once, a No ends the run, and the AI is not asked.
#[tokio::test(start_paused = true)]
async fn another_amount_is_asked_about_once_with_both_pictures() {
    let pay = || [dearer(), tap("Pay $23.40")];
    let mut run = repeat(World::on("checkout"), pay(), &[]);
    let ask = run.table.question().await;
    assert_eq!(ask.evidence.recorded, Some(FrameId::from("then/4")));
    assert!(ask.evidence.frame.is_some());
    run.table.answer(&ask, Choice::Approve);
    run.end(Choice::Deny).await;
    assert_eq!(run.table.phone.world().paid, ["$23.40"]);
    assert_snapshot!(run.transcript());

    let mut run = repeat(World::on("checkout"), pay(), &[]);
    run.end(Choice::Deny).await;
    assert_eq!(run.table.phone.world().paid, Vec::<String>::new());
    assert!(
        run.transcript().contains("ended {\"how\":\"stopped\"}"),
        "{}",
        run.transcript()
    );
    assert_eq!(run.requests(), 0);
}

/// The same task with a model that thinks three seconds a step, and repeated: in virtual time, both printed. Here a screen takes
/// 0.8 s to come to rest and 0.3 s to be read.
#[tokio::test(start_paused = true)]
async fn what_is_repeated_takes_what_the_phone_takes() {
    let since = tokio::time::Instant::now();
    let model = [OPEN, PAY, DONE].map(|words| Turn::After(Duration::from_secs(3), words.to_owned()));
    let mut table = start(World::on("shop"), ScriptedModel::new(model), Beside::default());
    table.approve_all().await;
    assert_eq!(table.phone.world().paid, ["$23.40"]);
    let thought = since.elapsed();

    let since = tokio::time::Instant::now();
    let mut run = repeat(World::on("shop"), [tap("Checkout"), tap("Pay $23.40")], &[]);
    run.end(Choice::Approve).await;
    assert_eq!(run.table.phone.world().paid, ["$23.40"]);
    let repeated = since.elapsed();
    let times = thought.as_secs_f64() / repeated.as_secs_f64();
    println!("with a model: {thought:?}, repeated: {repeated:?}, {times:.1} times as fast");
    let three_thoughts = Duration::from_secs(9);
    assert!(repeated + three_thoughts <= thought, "{thought:?}, {repeated:?}");
}

/// Keeps what it is told of steps, a line each.
#[derive(Default)]
struct Kept(Mutex<Vec<String>>);

impl StepRecorder for Kept {
    fn screen(&self, run: &RunId, step: u32, shown: &Screen, ring: Option<Bounds>) {
        let told = shown.elements.iter().map(|one| one.label.as_str());
        let told: Vec<&str> = told.collect();
        let line = format!(
            "{run} {step} in {}, ringed: {}: {told:?}",
            shown.current_app,
            ring.is_some()
        );
        self.0.lock().unwrap().push(line);
    }
}

/// Each act is written down with the screen it was done on, and the screen the run ended on.
#[tokio::test(start_paused = true)]
async fn what_is_acted_on_is_recorded() {
    let kept = Arc::new(Kept::default());
    let beside = Beside {
        recorder: Some(kept.clone()),
        replayer: None,
    };
    let model = ScriptedModel::new([OPEN, LOOK, PAY, DONE].map(Turn::from));
    let mut table = start(World::on("shop"), model, beside);
    table.approve_all().await;
    assert_snapshot!(kept.0.lock().unwrap().join("\n"));
}

#[test]
fn an_app_is_known_by_the_hash_of_its_certificate() {
    let check = |told: &[&str], expected: Option<&str>| {
        let told: Vec<String> = told.iter().map(|one| (*one).to_owned()).collect();
        assert_eq!(certificate(&told).as_deref(), expected, "{told:?}");
    };
    check(&["sum 57f52fdb", "sha256 14:6D:E9"], Some("146de9"));
    check(&["sha256 BB:01", "sha256 AA:02"], Some("aa02"));
    check(&["sum 57f52fdb"], None);
    check(&[], None);
}

//! `request_human_auth`, all thirteen words: capability × answer × moment → what the phone saw, what the model heard, what
//! the journal kept. The table is a snapshot, read by eye; what must hold of every line is asserted beside it.

use crate::support::{Table, Turn, World, line, start};
use agent::ports::PickedFile;
use insta::assert_snapshot;
use protocol::{Answer, Ask, AskId, AskOutcome, Choice, Op, PauseReason, What};
use secrecy::SecretString;
use std::fmt::Write as _;
use std::time::Duration;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
const CODE: &str = "418027";

/// The capability, and the page the phone shows when it is asked.
const CAPABILITIES: [(&str, &str); 13] = [
    ("payment", "checkout"),
    ("2fa", "code"),
    ("sms", "code"),
    ("oauth", "sign_in"),
    ("permission", "permission"),
    ("camera", "home"),
    ("files", "home"),
    ("location", "home"),
    ("contacts", "home"),
    ("calendar", "home"),
    ("notification", "home"),
    ("biometric", "BiometricPrompt"),
    ("unknown", "home"),
];

/// What is answered, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// Before it was asked: to the id it will have.
    Before,
    Yes,
    YesWithWords,
    Gives,
    Supplies,
    No,
    /// Never; then once more, too late.
    Never,
    YesTwice,
    /// Yes here and No there, at once: the first counts.
    YesAndNo,
    NoAndYes,
    /// A Yes to what nobody saw.
    OtherDigest,
    Stops,
    Pauses,
    TakesOver,
    /// The cable comes out while it is asked; then the answer it wants.
    UnpluggedThenYes,
    /// The answer it wants; then the cable comes out at the nth call to the phone.
    YesThenUnplugged(u64),
}

const ALL: [Says; 18] = [
    Says::Before,
    Says::Yes,
    Says::YesWithWords,
    Says::Gives,
    Says::Supplies,
    Says::No,
    Says::Never,
    Says::YesTwice,
    Says::YesAndNo,
    Says::NoAndYes,
    Says::OtherDigest,
    Says::Stops,
    Says::Pauses,
    Says::TakesOver,
    Says::UnpluggedThenYes,
    Says::YesThenUnplugged(1),
    Says::YesThenUnplugged(3),
    Says::YesThenUnplugged(4),
];

struct Came {
    ask: Ask,
    /// How it ended, in the order written down.
    ends: Vec<AskOutcome>,
    /// What was written down from the question on, the looks aside.
    journal: Vec<String>,
    phone: Vec<String>,
    /// What the model read afterwards; nothing where it was not asked again.
    heard: String,
}

async fn play(capability: &str, page: &'static str, says: Says) -> Came {
    let asks = format!(
        r#"{{"type": "request_human_auth", "capability": "{capability}", "instruction": "Please help."}}"#
    );
    let mut table = start(World::on(page), [asks.as_str().into(), DONE.into()]);
    if says == Says::Before {
        table.handle.answer(Answer {
            ask: AskId("run/1".into()),
            digest: String::new(),
            choice: Choice::Approve,
            words: None,
            amount: None,
        });
    }
    let ask = table.question().await;
    let mut back = None;
    answer(&mut table, &ask, says).await;
    // What waits, waits until its time is over; then the run is ended from outside.
    while let Some(event) = table.next().await {
        match event.what {
            // Plugged in again, it goes on by itself; what was answered before is not done now.
            What::Paused {
                reason: PauseReason::PhoneGone,
            } if says.unplugs() => {
                back.get_or_insert(table.phone.record());
                table.phone.come_back();
                table.handle.phone_is_back();
            }
            What::Paused { .. } => {
                table.answer(&ask, Choice::Approve);
                table.handle.steer(Op::Stop).await;
            }
            What::TakenOver => table.handle.steer(Op::Stop).await,
            _ => {}
        }
    }
    if let Some(before) = &back {
        assert_eq!(
            &table.phone.record(),
            before,
            "{capability} {says:?}: done after the cable came out"
        );
    }
    // Later calls may never come.
    let surely = matches!(says, Says::UnpluggedThenYes | Says::YesThenUnplugged(1));
    assert!(back.is_some() || !surely, "{capability} {says:?}");
    let from = table
        .events
        .iter()
        .position(|event| matches!(event.what, What::Asked { .. }));
    let after = &table.events[from.unwrap()..];
    let ends = after.iter().filter_map(|event| match &event.what {
        What::Answered { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    let told = |what: &What| {
        !matches!(
            what,
            What::Asked { .. } | What::Looked { .. } | What::Thinking { .. } | What::Decided { .. }
        )
    };
    let journal = after
        .iter()
        .filter(|event| told(&event.what))
        .map(|event| line(&event.what));
    let shown = table.model.shown();
    Came {
        ends: ends.collect(),
        journal: journal.collect(),
        phone: table.phone.record(),
        heard: shown
            .get(1)
            .map(|prompt| heard(&prompt.user()))
            .unwrap_or_default(),
        ask,
    }
}

async fn answer(table: &mut Table, ask: &Ask, says: Says) {
    let words = |text: &str| Answer {
        ask: ask.id.clone(),
        digest: ask.digest.clone(),
        choice: Choice::Approve,
        words: Some(text.to_owned()),
        amount: None,
    };
    let leaves = |table: &Table| {
        table.phone.change(|world| {
            if world.page == "BiometricPrompt" {
                world.page = "account";
            }
        });
    };
    match says {
        Says::Before | Says::Never => {}
        Says::Yes => {
            leaves(table);
            table.answer(ask, Choice::Approve);
        }
        Says::YesWithWords => {
            let with_code = format!("Ask for Dana. My code is {CODE}.");
            table.handle.answer(words(&with_code));
        }
        Says::Gives => {
            let file = PickedFile {
                name: "holiday.jpg".into(),
                bytes: vec![7; 1234].into(),
                picture: ask.kind == protocol::AskKind::Camera,
            };
            let wrong = (ask.id.clone(), "another".to_owned(), file.clone());
            table.handle.give(wrong.0, wrong.1, wrong.2);
            table.handle.give(ask.id.clone(), ask.digest.clone(), file);
        }
        Says::Supplies => {
            table
                .handle
                .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(CODE));
        }
        Says::No => table.answer(ask, Choice::Deny),
        Says::YesTwice => {
            table.answer(ask, Choice::Approve);
            table.answer(ask, Choice::Approve);
        }
        Says::YesAndNo => {
            table.answer(ask, Choice::Approve);
            table.answer(ask, Choice::Deny);
        }
        Says::NoAndYes => {
            table.answer(ask, Choice::Deny);
            table.answer(ask, Choice::Approve);
        }
        Says::OtherDigest => table.handle.answer(Answer {
            ask: ask.id.clone(),
            digest: "another".into(),
            choice: Choice::Approve,
            words: None,
            amount: None,
        }),
        Says::Stops => table.handle.stop().await,
        Says::Pauses => table.handle.steer(Op::Pause).await,
        Says::TakesOver => table.answer(ask, Choice::TakeOver),
        Says::UnpluggedThenYes => {
            table.phone.go_away();
            in_kind(table, ask);
        }
        Says::YesThenUnplugged(call) => {
            table.phone.go_away_at(table.phone.calls() + call);
            in_kind(table, ask);
        }
    }
}

/// The answer a question wants.
fn in_kind(table: &Table, ask: &Ask) {
    if ask.choices.contains(&Choice::Supply) {
        let (id, digest) = (ask.id.clone(), ask.digest.clone());
        table.handle.supply(id, digest, SecretString::from(CODE));
    } else {
        table.answer(ask, Choice::Approve);
    }
}

impl Says {
    fn unplugs(self) -> bool {
        matches!(self, Self::UnpluggedThenYes | Self::YesThenUnplugged(_))
    }
}

/// What of a prompt is not the screen: the person's words, and what was done.
fn heard(prompt: &str) -> String {
    let lines = prompt.lines().filter(|line| {
        line.starts_with("The person added:")
            || line.contains("Result")
            || line.contains("->")
            || line.contains('→')
    });
    lines.collect::<Vec<_>>().join(" | ")
}

/// The whole table: 13 × 18 lines.
#[tokio::test(start_paused = true)]
async fn capability_answer_and_moment() {
    let mut table = String::new();
    for (capability, page) in CAPABILITIES {
        let mut first = true;
        for says in ALL {
            let came = play(capability, page, says).await;
            if first {
                let choices = serde_json::to_string(&came.ask.choices).unwrap();
                let _ = writeln!(table, "{capability} offers {choices}");
                first = false;
            }
            let what = format!("{capability} {says:?}");
            let context = format!("{what}: {:?} {:?}", came.journal, came.phone);
            assert_eq!(came.ends.len(), 1, "it ends once: {context}");
            let ended = came.ends[0].clone();
            let offered = |choice| came.ask.choices.contains(&choice);
            let expected = match says {
                Says::Before | Says::Never | Says::OtherDigest => AskOutcome::TimedOut,
                Says::Yes | Says::YesWithWords | Says::YesTwice if offered(Choice::Approve) => {
                    AskOutcome::Allowed
                }
                Says::YesAndNo if offered(Choice::Approve) => AskOutcome::Allowed,
                says if says.unplugs() && offered(Choice::Supply) => AskOutcome::Supplied { characters: 6 },
                says if says.unplugs() && offered(Choice::Approve) => AskOutcome::Allowed,
                Says::Gives if offered(Choice::Give) => AskOutcome::Allowed,
                Says::Supplies if offered(Choice::Supply) => AskOutcome::Supplied { characters: 6 },
                Says::No | Says::NoAndYes | Says::YesAndNo => AskOutcome::Denied,
                Says::Stops | Says::Pauses | Says::TakesOver => AskOutcome::Withdrawn,
                // Not on offer: it counts for nothing, and nobody else answers.
                _ => AskOutcome::TimedOut,
            };
            assert_eq!(ended, expected, "{context}");
            let reached = !came.phone.is_empty();
            let may_reach = match ended {
                AskOutcome::Allowed => capability == "permission" || says == Says::Gives,
                AskOutcome::Supplied { .. } => true,
                AskOutcome::Denied => capability == "permission",
                AskOutcome::TimedOut | AskOutcome::Withdrawn => false,
            };
            let unplugged = says.unplugs();
            assert!(reached == may_reach || (unplugged && !reached), "{context}");
            assert!(
                !context.contains(CODE) && !came.heard.contains(CODE),
                "{context} {}",
                came.heard
            );
            let _ = writeln!(table, "  {says:?}");
            let _ = writeln!(table, "    phone:   {}", came.phone.join("; "));
            let _ = writeln!(table, "    model:   {}", came.heard);
            let _ = writeln!(table, "    journal: {}", came.journal.join("; "));
        }
    }
    assert_snapshot!(table);
}

/// A cable that comes out before the question is there: nobody is asked, and once it is back the model asks anew.
#[tokio::test(start_paused = true)]
async fn a_cable_pulled_before_the_question_asks_nobody() {
    for (capability, page) in CAPABILITIES {
        let asks = format!(
            r#"{{"type": "request_human_auth", "capability": "{capability}", "instruction": "Please help."}}"#
        );
        // It thinks for longer than a look is good for.
        let thinks = || Turn::After(Duration::from_secs(3), asks.to_owned());
        let mut table = start(World::on(page), [thinks(), thinks(), DONE.into()]);
        let decided = |what: &What| matches!(what, What::Thinking { .. });
        table.until("it thinks", decided).await;
        table.phone.go_away();
        let paused = table.paused().await;
        let gone = What::Paused {
            reason: PauseReason::PhoneGone,
        };
        assert_eq!(paused.what, gone, "{capability}");
        let asked = |table: &Table| {
            table
                .events
                .iter()
                .filter(|event| matches!(event.what, What::Asked { .. }))
                .count()
        };
        assert_eq!(asked(&table), 0, "{capability}");
        table.phone.come_back();
        table.handle.phone_is_back();
        let ask = table.question().await;
        table.answer(&ask, Choice::Deny);
        table.end().await;
        assert_eq!(asked(&table), 1, "{capability}");
        let denied = if capability == "permission" { 1 } else { 0 };
        assert_eq!(table.phone.record().len(), denied, "{capability}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_stays_is_told_and_the_wait_for_it_ends() {
    let asks = r#"{"type": "request_human_auth", "capability": "biometric", "instruction": "Confirm."}"#;
    let mut table = start(World::on("BiometricPrompt"), [asks.into(), DONE.into()]);
    let ask = table.question().await;
    table.answer(&ask, Choice::Approve);
    table.end().await;
    let prompt = table.model.shown()[1].user();
    assert!(
        prompt.contains("the phone's prompt is still on the screen"),
        "{prompt}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_dialog_that_changed_is_not_answered() {
    let asks = r#"{"type": "request_human_auth", "capability": "permission", "instruction": "Allow it."}"#;
    for choice in [Choice::Approve, Choice::Deny] {
        let mut table = start(World::on("permission"), [asks.into(), DONE.into()]);
        let ask = table.question().await;
        assert_eq!(ask.evidence.label.as_deref(), Some("Only this time"));
        assert_eq!(
            ask.evidence.hint.as_deref(),
            Some("Allow Maps to access this device’s location?")
        );
        table.phone.change(|world| world.page = "checkout");
        table.answer(&ask, choice);
        table.end().await;
        assert_eq!(table.phone.record(), Vec::<String>::new(), "{choice:?}");
        assert_eq!(table.phone.world().permission, None);
    }
}

/// The schema's 300 s, and 30 s to half an hour of what a model may ask for.
#[tokio::test(start_paused = true)]
async fn the_time_to_answer_has_bounds() {
    for (field, seconds) in [
        ("", 300),
        (r#", "timeoutSec": 1"#, 30),
        (r#", "timeoutSec": 90"#, 90),
        (r#", "timeoutSec": 86400"#, 1800),
        (r#", "timeoutSec": -5"#, 30),
    ] {
        let asks = format!(
            r#"{{"type": "request_human_auth", "capability": "contacts", "instruction": "Please."{field}}}"#
        );
        let mut table = start(World::on("home"), [asks.as_str().into()]);
        let ask = table.question().await;
        assert_eq!(ask.deadline - ask.asked_at, seconds * 1000, "{field}");
        tokio::time::sleep(Duration::from_secs(seconds - 1)).await;
        assert!(table.lease.is_held(), "it still waits");
        table.paused().await;
        table.handle.stop().await;
        table.end().await;
    }
}

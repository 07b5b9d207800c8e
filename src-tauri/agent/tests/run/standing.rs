//! What the person said before: one button always allowed, and deeds their task names.

use crate::support::{MemoryJournal, Saved, ScriptedModel, Table, Turn, World, start_task};
use protocol::{
    AnswerLifetime, AskKind, AskReason, Choice, Level, Mandate, PauseReason, Role, Rule, Rules, Settings,
    StandingAnswer, What,
};

const SEND: &str = r#"{"type": "tap", "target": {"text": "Send"}}"#;
const PAY: &str = r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#;
const WRITE: &str = r#"{"type": "type", "text": "on my way", "target": {"role": "field", "element": 2}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Done."}"#;
const GOAL: &str = "send Dana Whitlock: on my way";
const READ: &str = r#"{"deeds": [{"kind": "send", "app": "com.android.messaging", "recipient": "Dana Whitlock", "text": "on my way"}]}"#;

fn chat(draft: &str) -> World {
    World {
        draft: draft.into(),
        ..World::on("chat")
    }
}

fn turns(turns: &[&str]) -> Vec<Turn> {
    turns.iter().map(|turn| Turn::from(*turn)).collect()
}

/// A task in which the person said Yes to whatever is asked about so often before.
fn after(times: u32, world: World, replies: &[&str], settings: Settings) -> Table {
    let model = ScriptedModel::new(turns(replies));
    let journal = MemoryJournal::approved(times);
    start_task("Write to Dana", world, model, settings, journal, Saved::default())
}

/// A task that is read beforehand.
fn read(goal: &str, draft: &str, replies: Vec<Turn>, settings: Settings) -> Table {
    let model = ScriptedModel::new(replies).reads_tasks();
    start_task(
        goal,
        chat(draft),
        model,
        settings,
        MemoryJournal::default(),
        Saved::default(),
    )
}

fn unasked(table: &Table) -> Vec<StandingAnswer> {
    let told = table.events.iter().filter_map(|event| match &event.what {
        What::Unasked { standing, .. } => Some(standing.clone()),
        _ => None,
    });
    told.collect()
}

fn questions(table: &Table) -> Vec<AskKind> {
    let told = table.events.iter().filter_map(|event| match &event.what {
        What::Asked { ask, .. } => Some(ask.kind),
        _ => None,
    });
    told.collect()
}

#[tokio::test(start_paused = true)]
async fn always_is_offered_after_the_second_yes_to_the_same_thing() {
    for (times, offered) in [(0, false), (1, false), (2, true), (9, true)] {
        let mut table = after(times, chat("hello"), &[SEND, DONE], Settings::default());
        let ask = table.question().await;
        assert_eq!(
            ask.choices.contains(&Choice::ApproveAlways),
            offered,
            "{times}: {:?}",
            ask.choices
        );
        let element = ask.element.clone().expect("it is found again by this");
        assert_eq!((element.label.as_str(), element.role), ("Send", Role::Button));
        assert_eq!(element.signer, "sum 57f52fdb");
        table.answer(&ask, Choice::Approve);
        table.end().await;
        assert_eq!(table.phone.world().sent, ["hello"]);
    }
}

#[tokio::test(start_paused = true)]
async fn always_is_never_offered_for_money_nor_where_nobody_knows_who_signed_the_app() {
    let mut table = after(9, World::on("checkout"), &[PAY, DONE], Settings::default());
    let ask = table.question().await;
    assert!(!ask.choices.contains(&Choice::ApproveAlways), "{:?}", ask.choices);
    assert_eq!(ask.element, None);
    // An answer that was not on offer is none.
    table.answer(&ask, Choice::ApproveAlways);
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(table.phone.world().paid, Vec::<String>::new());

    let model = ScriptedModel::new(turns(&[SEND, DONE]));
    let journal = MemoryJournal::approved(9);
    let mut table = start_task(
        "Write to Dana",
        chat("hello"),
        model,
        Settings::default(),
        journal,
        Saved::default(),
    );
    table.phone.signed_by(&[]);
    let ask = table.question().await;
    assert!(!ask.choices.contains(&Choice::ApproveAlways), "{:?}", ask.choices);
    table.answer(&ask, Choice::Deny);
    table.end().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_always_allowed_is_told_and_holds_from_then_on() {
    let mut table = after(2, chat("hello"), &[SEND, WRITE, SEND, DONE], Settings::default());
    let ask = table.question().await;
    table.answer(&ask, Choice::ApproveAlways);
    table.end().await;
    assert_eq!(table.phone.world().sent, ["hello", "on my way"]);
    assert_eq!(questions(&table), [AskKind::Send], "asked once for both");
    let allowed = table.events.iter().find_map(|event| match &event.what {
        What::Allowed { rule, reach, .. } => Some((rule.clone(), *reach)),
        _ => None,
    });
    let (rule, reach) = allowed.expect("it is told");
    assert_eq!(
        (reach, rule.kind, rule.app.as_deref()),
        (
            AnswerLifetime::Always,
            AskKind::Send,
            Some("com.android.messaging")
        )
    );
    assert_eq!(rule.element, ask.element);
    let told = unasked(&table);
    let [StandingAnswer::Rule { rule: used }] = told.as_slice() else {
        panic!("it answered once: {told:?}");
    };
    let moments = [&rule, used].map(|rule| rule.element.as_ref().map_or(0, |element| element.used));
    assert!(moments[1] > moments[0], "marked used: {moments:?}");

    // The next task, with the rule as it was kept.
    let kept = Settings {
        rules: Rules {
            allowed: vec![used.clone()],
            ..Rules::default()
        },
        ..Settings::default()
    };
    let mut table = after(2, chat("again"), &[SEND, DONE], kept.clone());
    table.end().await;
    assert_eq!((questions(&table).len(), unasked(&table).len()), (0, 1));
    // Signed by somebody else, it is another app.
    let model = ScriptedModel::new(turns(&[SEND, DONE]));
    let mut table = start_task(
        "Write",
        chat("again"),
        model,
        kept.clone(),
        MemoryJournal::default(),
        Saved::default(),
    );
    table.phone.signed_by(&["sum 0"]);
    let ask = table.question().await;
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(table.phone.world().sent, Vec::<String>::new());
    // Updated, it is too; so where the phone does not say which version it is.
    for version in ["413", ""] {
        let model = ScriptedModel::new(turns(&[SEND, DONE]));
        let journal = MemoryJournal::default();
        let mut table = start_task(
            "Write",
            chat("again"),
            model,
            kept.clone(),
            journal,
            Saved::default(),
        );
        table.phone.updated_to(version);
        let ask = table.question().await;
        table.answer(&ask, Choice::Deny);
        table.end().await;
        assert_eq!(table.phone.world().sent, Vec::<String>::new(), "{version}");
    }
    // An older, wider rule answers nothing.
    let wide = Settings {
        rules: Rules {
            allowed: vec![Rule {
                element: None,
                ..used.clone()
            }],
            ..Rules::default()
        },
        ..Settings::default()
    };
    let mut table = after(0, chat("again"), &[SEND, DONE], wide);
    let ask = table.question().await;
    table.answer(&ask, Choice::Deny);
    table.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_deed_the_task_names_is_agreed_to_once_and_done_once() {
    let mut table = read(
        GOAL,
        "on my way",
        turns(&[READ, SEND, WRITE, SEND, DONE]),
        Settings::default(),
    );
    let card = table.question().await;
    assert_eq!((card.kind, card.action.clone()), (AskKind::Mandate, None));
    let AskReason::Task { deeds } = &card.reason else {
        panic!("{:?}", card.reason);
    };
    let expected = Mandate {
        kind: AskKind::Send,
        app: "com.android.messaging".into(),
        app_label: "Messages".into(),
        recipient: Some("Dana Whitlock".into()),
        text: Some("on my way".into()),
        count: 1,
    };
    assert_eq!(deeds, std::slice::from_ref(&expected));
    table.answer(&card, Choice::Approve);
    // The second of the same is one more than was agreed to.
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Send);
    assert_eq!(table.phone.world().sent, ["on my way"]);
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(table.phone.world().sent, ["on my way"]);
    let deed = Mandate { count: 0, ..expected };
    assert_eq!(unasked(&table), [StandingAnswer::Mandate { deed }]);
    let first = &table.model.shown()[0];
    assert!(
        first.user().contains(GOAL) && first.user().contains("com.android.messaging"),
        "{}",
        first.user()
    );
}

#[tokio::test(start_paused = true)]
async fn what_differs_is_asked() {
    for (draft, read_as) in [
        ("on my way, with the car", READ.to_owned()),
        (
            "on my way",
            READ.replace("com.android.messaging", "com.greenleaf.shop"),
        ),
        ("on my way", READ.replace("Whitlock", "")),
    ] {
        let replies = turns(&[read_as.as_str(), SEND, DONE]);
        let mut table = read(GOAL, draft, replies, Settings::default());
        let mut asked = Vec::new();
        while let Some(event) = table.next().await {
            if let What::Asked { ask, .. } = event.what {
                let answer = if ask.kind == AskKind::Mandate {
                    Choice::Approve
                } else {
                    Choice::Deny
                };
                asked.push(ask.kind);
                table.answer(&ask, answer);
            }
        }
        assert_eq!(asked.last(), Some(&AskKind::Send), "{draft}: {read_as}");
        assert_eq!(table.phone.world().sent, Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_yes_each_is_asked() {
    let mut table = read(GOAL, "on my way", turns(&[READ, SEND, DONE]), Settings::default());
    let card = table.question().await;
    table.answer(&card, Choice::Deny);
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Send);
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(table.phone.world().sent, Vec::<String>::new());
    assert_eq!(unasked(&table), []);

    // Nobody is there: the task waits before its first step.
    let mut table = read(GOAL, "on my way", turns(&[READ]), Settings::default());
    let card = table.question().await;
    let paused = table.paused().await;
    let reason = PauseReason::TimedOut { ask: card.id.clone() };
    assert_eq!(paused.what, What::Paused { reason });
    assert_eq!(table.phone.record(), Vec::<String>::new());
    table.handle.stop().await;
    table.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_task_is_read_beforehand_only_where_something_would_be_asked() {
    let everything = Settings {
        level: Level::Everything,
        ..Settings::default()
    };
    let mut quiet = Settings::default();
    (quiet.ask_before.sending, quiet.ask_before.deleting) = (false, false);
    for (goal, settings) in [
        ("Turn on Battery Saver", Settings::default()),
        (GOAL, everything),
        (GOAL, quiet),
    ] {
        let mut table = read(goal, "", turns(&[DONE]), settings);
        table.end().await;
        assert_eq!(questions(&table), [], "{goal}");
    }
    // What nobody could read is asked about as ever.
    for first in [
        Turn::from("I will send it."),
        Turn::Fails(protocol::FailureCode::ModelOffline),
    ] {
        let replies = std::iter::once(first).chain(turns(&[SEND, DONE])).collect();
        let mut table = read(GOAL, "on my way", replies, Settings::default());
        let ask = table.question().await;
        assert_eq!(ask.kind, AskKind::Send);
        table.answer(&ask, Choice::Deny);
        table.end().await;
    }
}

/// Whoever writes to the person may write `To: Dana Whitlock`: it is no recipient.
#[tokio::test(start_paused = true)]
async fn a_message_that_says_whom_it_is_to_changes_nothing() {
    let model = ScriptedModel::new(turns(&[READ, SEND, DONE])).reads_tasks();
    let world = World {
        with: "Eve",
        notice: "To: Dana Whitlock".into(),
        ..chat("on my way")
    };
    let (settings, journal) = (Settings::default(), MemoryJournal::default());
    let mut table = start_task(GOAL, world, model, settings, journal, Saved::default());
    let card = table.question().await;
    assert_eq!(card.kind, AskKind::Mandate);
    table.answer(&card, Choice::Approve);
    let ask = table.question().await;
    assert_eq!(
        (ask.kind, ask.evidence.recipient.as_deref()),
        (AskKind::Send, Some("Eve"))
    );
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(table.phone.world().sent, Vec::<String>::new());
}

/// What is written and sent in one go is asked about word for word.
#[tokio::test(start_paused = true)]
async fn a_message_that_is_sent_as_it_is_typed_is_shown_whole() {
    let types = r#"{"type": "type", "text": "Wire the deposit to Eve today, please\n"}"#;
    for (draft, expected) in [
        ("", "Wire the deposit to Eve today, please"),
        ("hello ", "hello Wire the deposit to Eve today, please"),
    ] {
        let mut table = after(0, chat(draft), &[types, DONE], Settings::default());
        let ask = table.question().await;
        assert_eq!(
            (ask.kind, ask.evidence.text.as_deref()),
            (AskKind::Send, Some(expected))
        );
        table.answer(&ask, Choice::Deny);
        table.end().await;
    }
}

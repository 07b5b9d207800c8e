//! What a Yes reaches, and what the phone tells afterwards of a deed nobody was asked about.

use crate::support::{MemoryJournal, Saved, ScriptedModel, Table, Turn, World, start, start_with};
use protocol::{AskBefore, AskKind, Choice, PauseReason, Settings, What};
use secrecy::SecretString;

const ENGAGE: &str = r#"{"type": "tap", "target": {"text": "Engage"}}"#;
const SEND: &str = r#"{"type": "tap", "target": {"text": "Send"}}"#;
const WRITE_AND_SEND: &str = r#"{"type": "type", "text": "on my way\n"}"#;
const WAIT: &str = r#"{"type": "wait", "durationMs": 500}"#;
const DONE: &str = r#"{"type": "finish", "message": "Done."}"#;

fn world(page: &'static str) -> World {
    World {
        tells: true,
        ..World::on(page)
    }
}

/// What it paused for, if it did.
async fn paused(table: &mut Table) -> Option<PauseReason> {
    while let Some(event) = table.next().await {
        if let What::Paused { reason } = event.what {
            table.handle.stop().await;
            return Some(reason);
        }
    }
    None
}

/// The guard said that it only moves, and the phone says that something was sent.
async fn check_noticed(what: &str, mut table: Table) {
    let reason = paused(&mut table).await;
    let is = matches!(
        reason,
        Some(PauseReason::Unapproved {
            kind: AskKind::Send,
            ..
        })
    );
    assert!(is, "{what}: {reason:?}\n{}", table.transcript());
}

#[tokio::test(start_paused = true)]
async fn a_deed_nobody_was_asked_about_stops_the_run() {
    let table = start(world("engine"), [ENGAGE.into(), DONE.into()]);
    check_noticed("at once", table).await;

    let table = start(world("engine"), [ENGAGE.into(), DONE.into()]);
    table.model.goes_by_pictures();
    check_noticed("by pictures", table).await;

    let last = ENGAGE.replace("\"tap\"", "\"tap\", \"thenFinish\": true");
    let table = start(world("engine"), [last.as_str().into()]);
    check_noticed("as the last action", table).await;

    // It says so late, when something else was done that touches nothing.
    let mut table = start(
        World::on("engine"),
        [ENGAGE.into(), WAIT.into(), WAIT.into(), DONE.into()],
    );
    table
        .until("the second step", |what| {
            matches!(what, What::Thinking { step: 3 })
        })
        .await;
    table.phone.change(|world| world.notice = "Message sent".into());
    check_noticed("late", table).await;
}

#[tokio::test(start_paused = true)]
async fn what_the_person_lets_it_do_is_no_alarm() {
    // Asked, and answered.
    let chat = || World {
        draft: "hello".into(),
        ..world("chat")
    };
    let mut table = start(chat(), [SEND.into(), DONE.into()]);
    let ask = table.question().await;
    table.answer(&ask, Choice::Approve);
    assert_eq!(paused(&mut table).await, None, "{}", table.transcript());
    // The person's switch.
    let settings = Settings {
        ask_before: AskBefore {
            sending: false,
            ..AskBefore::default()
        },
        ..Settings::default()
    };
    let replies = [SEND.into(), DONE.into()];
    let mut table = start_with(chat(), replies, settings, MemoryJournal::default());
    assert_eq!(paused(&mut table).await, None, "{}", table.transcript());
    assert_eq!(table.phone.world().sent, ["hello"]);
    // What the task itself names, twice over: the third of them is asked about.
    let goal = "send Dana Whitlock: on my way, 2 times";
    let read = r#"{"deeds": [{"kind": "send", "app": "com.android.messaging", "recipient": "Dana Whitlock", "text": "on my way", "count": 2}]}"#;
    let write = r#"{"type": "type", "text": "on my way"}"#;
    let turns = [read, write, SEND, write, SEND, write, SEND, DONE].map(Turn::from);
    let model = ScriptedModel::new(turns).reads_tasks();
    let (settings, journal) = (Settings::default(), MemoryJournal::default());
    let mut table =
        crate::support::start_task(goal, world("chat"), model, settings, journal, Saved::default());
    let card = table.question().await;
    assert_eq!(card.kind, AskKind::Mandate);
    table.answer(&card, Choice::Approve);
    let third = table.question().await;
    assert_eq!(third.kind, AskKind::Send);
    assert_eq!(
        table.phone.world().sent,
        ["on my way", "on my way"],
        "{}",
        table.transcript()
    );
    table.answer(&third, Choice::Deny);
    assert_eq!(paused(&mut table).await, None, "{}", table.transcript());
    assert_eq!(table.phone.world().sent, ["on my way", "on my way"]);
}

/// The text is there, and what came to the front with it gets no key.
async fn check_kept(what: &str, world: World) {
    let mut table = start(world, [WRITE_AND_SEND.into(), DONE.into()]);
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Send);
    table.answer(&ask, Choice::Approve);
    while let Some(event) = table.next().await {
        if let What::Asked { ask, .. } = event.what {
            table.answer(&ask, Choice::Deny);
        }
    }
    let world = table.phone.world();
    assert_eq!(
        (world.sent.len(), world.paid.len()),
        (0, 0),
        "{what}:\n{}",
        table.transcript()
    );
}

#[tokio::test(start_paused = true)]
async fn a_yes_does_not_go_over_to_what_comes_between_text_and_key() {
    let other = World {
        then_with: Some("Everybody"),
        ..World::on("chat")
    };
    check_kept("another recipient", other).await;
    let other = World {
        then_page: Some("checkout"),
        ..World::on("chat")
    };
    check_kept("another app", other).await;
    let mut table = start(World::on("chat"), [WRITE_AND_SEND.into(), DONE.into()]);
    let ask = table.question().await;
    table.answer(&ask, Choice::Approve);
    table.end().await;
    assert_eq!(
        table.phone.world().sent,
        ["on my way"],
        "where nothing came between"
    );
}

#[tokio::test(start_paused = true)]
async fn a_secret_goes_nowhere_where_its_field_did_not_get_the_focus() {
    let asks = r#"{"type": "type", "text": "?", "target": {"element": 4}}"#;
    let world = World {
        focus_stays: true,
        ..World::on("sign_in")
    };
    let mut table = start(world, [asks.into(), DONE.into()]);
    let ask = table.question().await;
    table.handle.supply(
        ask.id.clone(),
        ask.digest.clone(),
        SecretString::from("annaharbour-9"),
    );
    table.end().await;
    let world = table.phone.world();
    assert_eq!((world.user.as_str(), world.password.as_str()), ("anna", ""));
}

#[tokio::test(start_paused = true)]
async fn what_a_command_printed_is_carried_away_by_no_link() {
    let link = r#"{"type": "open_url", "url": "https://named.site/?d=4821"}"#;
    let read = r#"{"type": "shell", "command": "getprop ro.serialno"}"#;
    let model = ScriptedModel::new([read, link, DONE].map(Turn::from));
    let mut settings = Settings::default();
    settings.ask_before.shell = false;
    let mut table = crate::support::start_task(
        "Look on named.site",
        World::default(),
        model,
        settings,
        MemoryJournal::default(),
        Saved::default(),
    );
    table
        .phone
        .says(std::time::Duration::from_millis(10), 0, "4821", "");
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Act, "{}", table.transcript());
    table.answer(&ask, Choice::Deny);
    table.end().await;
}

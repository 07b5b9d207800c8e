//! By a schedule: once, one after another, late, or not and why.

use super::{
    BEGIN, BOUND, Clock, HOUR, MINUTE, ONE, Table, all_over, hourly, is_over, open, open_engine, plan, ready,
    table, word,
};
use protocol::{
    Automation, AutomationCard, AutomationHold, AutomationId, AutomationPhones, AutomationPlan, ChosenModel,
    ClockTime, FailureCode, Maker, News, Occurrence, OccurrenceState, PhoneId, Provider, RunEndKind, RunId,
    Schedule, SettingsPatch, StartedBy, WaitReason, What,
};
use std::sync::Arc;
use store::{KeptAutomation, Store};

#[tokio::test(flavor = "multi_thread")]
async fn what_falls_due_runs_once_and_what_was_slept_through_is_said() {
    let mut table = table().await;
    let card = table
        .engine
        .save_automation(None, hourly("Saver", &table.phone))
        .await
        .unwrap();
    let id = card.automation.id;
    assert_eq!(card.next, Some(ONE));
    table.advance(29 * MINUTE);
    table.advance(MINUTE);
    let [one] = table.until(&id, all_over(1)).await.try_into().unwrap();
    assert_eq!(
        (one.due, one.by, word(&one).as_str()),
        (ONE, StartedBy::Schedule, "Finished")
    );
    assert!(!one.phone_name.is_empty());
    let [run] = table.runs().await.try_into().unwrap();
    assert_eq!(run.goal, "Turn off Battery Saver");
    let story = table.engine.run_story(&run.run).await.unwrap();
    let What::Started {
        automation: Some(of), ..
    } = &story.events[0].what
    else {
        panic!("{:?}", story.events[0])
    };
    assert_eq!(
        (&of.id, of.name.as_str(), of.by),
        (&id, "Saver", StartedBy::Schedule)
    );

    // The computer sleeps until a minute past six: the newest time is done, and the four before are not.
    table.advance(5 * HOUR + MINUTE);
    let times = table.until(&id, all_over(6)).await;
    let words: Vec<String> = times.iter().map(word).collect();
    let asleep = "skipped: Asleep";
    assert_eq!(words, ["Finished", asleep, asleep, asleep, asleep, "Finished"]);
    assert_eq!(table.runs().await.len(), 2);

    // A window that opens is told first; what was written a moment before may still be on its way.
    let mut news = table.engine.listen();
    let told = std::iter::from_fn(|| news.try_recv().ok());
    let cards = told.filter_map(cards_of);
    let [mut cards] = cards.collect::<Vec<_>>().try_into().unwrap();
    while cards[0].latest != times[..1] {
        let newer = tokio::time::timeout(BOUND, news.recv()).await.unwrap();
        cards = cards_of(newer.unwrap()).unwrap_or(cards);
    }
    assert_eq!(cards[0].next, Some(ONE + 6 * HOUR));
}

fn cards_of(news: News) -> Option<Vec<AutomationCard>> {
    match news {
        News::Automations { automations } => Some(automations),
        _ => None,
    }
}

/// The program was killed at each moment between two writes.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_program_left_is_begun_once_or_said_to_be_interrupted() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let phone = {
        let table = open(&folder, BEGIN).await;
        table.engine.close().await;
        table.phone
    };
    let store = Store::open(folder.path()).unwrap();
    let running = OccurrenceState::Running {
        run: RunId::from("never"),
    };
    let waiting = OccurrenceState::Waiting {
        because: WaitReason::Busy,
    };
    for (name, by, state) in [
        ("named", StartedBy::Schedule, running),
        ("due", StartedBy::Schedule, waiting.clone()),
        ("by-hand", StartedBy::Person, waiting),
    ] {
        leave(&store, name, &phone, by, state).await;
    }
    drop(store);
    let mut table = open(&folder, ONE + 3 * MINUTE).await;
    for (name, expected) in [
        ("named", "skipped: Interrupted"),
        ("due", "Finished"),
        ("by-hand", "skipped: Interrupted"),
    ] {
        let times = table.until(&AutomationId::from(name), all_over(1)).await;
        assert_eq!(word(&times[0]), expected, "{name}");
    }
    assert_eq!(table.runs().await.len(), 1);
}

/// An automation with a time that is open, as a program left it.
async fn leave(store: &Store, name: &str, phone: &PhoneId, by: StartedBy, state: OccurrenceState) {
    let id = AutomationId::from(name);
    let automation = Automation {
        id: id.clone(),
        made_at: BEGIN,
        plan: plan(name, phone),
        held: None,
        clean_replays: 0,
        quiet: false,
    };
    let kept = KeptAutomation {
        automation,
        since: ONE,
        failures: 0,
    };
    store.save_automations(&[kept]).await.unwrap();
    let one = Occurrence {
        automation: id.clone(),
        phone: phone.clone(),
        phone_name: "The phone".to_owned(),
        due: ONE,
        by,
        state,
        at: ONE,
    };
    store.write_occurrences(&id, &[one], |_| {}).await.unwrap();
}

/// Two automations of a newer version, one due and one begun by hand, are in nobody's way.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_keeps_nothing_else_from_beginning() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let phone = {
        let table = open(&folder, BEGIN).await;
        table.engine.close().await;
        table.phone
    };
    let store = Store::open(folder.path()).unwrap();
    for (name, by) in [
        ("newer-due", StartedBy::Schedule),
        ("newer-by-hand", StartedBy::Person),
        ("due", StartedBy::Schedule),
    ] {
        let because = WaitReason::Busy;
        leave(&store, name, &phone, by, OccurrenceState::Waiting { because }).await;
    }
    drop(store);
    let database = rusqlite::Connection::open(folder.path().join("pocketdeck.db")).unwrap();
    let newer = "UPDATE automations SET json = '{}' WHERE id LIKE 'newer%'";
    assert_eq!(database.execute(newer, ()).unwrap(), 2);
    let mut table = open(&folder, ONE + 3 * MINUTE).await;
    for (name, expected) in [("due", "Finished"), ("newer-by-hand", "skipped: Interrupted")] {
        let times = table.until(&AutomationId::from(name), all_over(1)).await;
        assert_eq!(word(&times[0]), expected, "{name}");
    }
    let newer = AutomationId::from("newer-due");
    let times = table.engine.automation_occurrences(&newer).await.unwrap();
    assert_eq!(word(&times[0]), "waits: Busy");
    // The page of automations can be used.
    let another = hourly("Another", &table.phone);
    table.engine.save_automation(None, another).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_due_on_one_phone_run_one_after_the_other() {
    let mut table = table().await;
    let first = table.save(hourly("First", &table.phone)).await;
    let second = table.save(hourly("Second", &table.phone)).await;
    table.advance(30 * MINUTE);
    table.until(&first, all_over(1)).await;
    table.until(&second, all_over(1)).await;
    let [one, other] = table.runs().await.try_into().unwrap();
    assert!(one.ended_at.unwrap() <= other.started_at, "{one:?} {other:?}");
    assert_eq!([one.end, other.end], [RunEndKind::Finished; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_is_missing_is_waited_for_and_then_left() {
    let mut table = table().await;
    let id = table.save(hourly("Elsewhere", &PhoneId::from("elsewhere"))).await;
    table.advance(30 * MINUTE);
    let times = table.until(&id, |times| times.len() == 1).await;
    assert_eq!(word(&times[0]), "waits: Missing");
    table.advance(29 * MINUTE);
    table.advance(MINUTE);
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(word(&times[0]), "skipped: PhoneMissing");
    assert_eq!(table.runs().await, []);
    // By hand it is said at once.
    let failure = table.by_hand(&id, &[]).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::PhoneGone);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_failures_in_a_row_hold_it() {
    let mut table = table().await;
    let use_ai = |provider| SettingsPatch {
        provider: Some(provider),
        ..SettingsPatch::default()
    };
    let chosen = ChosenModel {
        maker: Maker::Custom,
        base_url: Some("no address".to_owned()),
        model: "m".to_owned(),
        ..ChosenModel::default()
    };
    table
        .engine
        .patch_settings(use_ai(Provider::Model { chosen }))
        .await
        .unwrap();
    let id = table.save(hourly("Fails", &table.phone)).await;
    table.advance(30 * MINUTE);
    for count in 1..=3 {
        assert_eq!(table.held(&id).await, None);
        let times = table.until(&id, all_over(count)).await;
        assert_eq!(word(&times[0]), "skipped: CouldNotBegin");
        table.advance(HOUR);
    }
    assert_eq!(table.held(&id).await, Some(AutomationHold::Failures));
    table.advance(5 * HOUR);
    table.engine.patch_settings(use_ai(Provider::Demo)).await.unwrap();
    // Times while it was held do not count.
    table.engine.hold_automation(&id, false).await.unwrap();
    assert_eq!(table.engine.automation_occurrences(&id).await.unwrap().len(), 3);
    table.advance(HOUR);
    let times = table.until(&id, all_over(4)).await;
    assert_eq!(word(&times[0]), "Finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_and_the_end_of_a_hold_run_nothing_of_the_past() {
    let mut table = table().await;
    let id = table.save(plan("Later", &table.phone)).await;
    table.advance(4 * HOUR);
    let edited = hourly("Later", &table.phone);
    let card = table
        .engine
        .save_automation(Some(&id), edited.clone())
        .await
        .unwrap();
    assert_eq!(card.next, Some(ONE + 4 * HOUR));
    table.engine.hold_automation(&id, true).await.unwrap();
    table.advance(4 * HOUR);
    table.engine.hold_automation(&id, false).await.unwrap();
    assert_eq!(table.engine.automation_occurrences(&id).await.unwrap(), []);
    // What fell due before an edit is written down before it.
    table.advance(HOUR);
    let other = AutomationPlan {
        schedule: None,
        ..edited
    };
    table.engine.save_automation(Some(&id), other).await.unwrap();
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(times[0].due, ONE + 8 * HOUR);

    for (fault, plan) in [
        (
            "name",
            AutomationPlan {
                name: String::new(),
                ..plan("x", &table.phone)
            },
        ),
        ("name_taken", plan("LATER", &table.phone)),
        (
            "variables",
            AutomationPlan {
                task: "Open {it}".to_owned(),
                ..plan("x", &table.phone)
            },
        ),
        (
            "schedule",
            AutomationPlan {
                schedule: Some(Schedule::Hours { hours: 5 }),
                ..plan("x", &table.phone)
            },
        ),
    ] {
        let failure = table.engine.save_automation(None, plan).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::PlanFault);
        assert_eq!(failure.values["fault"], fault);
    }
}

/// The computer travels: one time and no other, and not without a word.
#[tokio::test(flavor = "multi_thread")]
async fn one_time_is_one_time_in_any_zone() {
    let mut table = table().await;
    let at = |hour| Schedule::Once {
        date: "2026-01-05".to_owned(),
        at: ClockTime { hour, minute: 0 },
    };
    let once = |name, hour| AutomationPlan {
        schedule: Some(at(hour)),
        ..plan(name, &table.phone)
    };
    let (west, east) = (once("West", 1), once("East", 5));
    let (west, east) = (table.save(west).await, table.save(east).await);
    table.advance(30 * MINUTE);
    let times = table.until(&west, all_over(1)).await;
    assert_eq!((times[0].due, word(&times[0]).as_str()), (ONE, "Finished"));
    // One o'clock is still to come there, and is not one that is meant.
    table.clock.travel(-5);
    let next = async |table: &Table, id: &AutomationId| {
        let cards = table.engine.automations().await.unwrap();
        let card = cards.into_iter().find(|card| card.automation.id == *id);
        card.unwrap().next
    };
    assert_eq!(next(&table, &west).await, None);
    assert_eq!(next(&table, &east).await, Some(ONE + 9 * HOUR));
    table.advance(2 * HOUR);
    table.look(&west).await.unwrap();
    // It is three o'clock in Greenwich; five o'clock was an hour ago there.
    table.clock.travel(3);
    table.look(&east).await.unwrap();
    let times = table.until(&east, all_over(1)).await;
    assert_eq!((times[0].due, word(&times[0]).as_str()), (ONE + HOUR, "Finished"));
    table.clock.travel(-5);
    table.advance(12 * HOUR);
    table.look(&west).await.unwrap();
    for id in [west, east] {
        assert_eq!(table.engine.automation_occurrences(&id).await.unwrap().len(), 1);
        assert_eq!(next(&table, &id).await, None);
    }
}

/// From the save to the end on the demo phone by the demo AI, as a person tries it.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_phone_does_at_its_time_what_it_was_told() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::at(BEGIN);
    let engine = open_engine(&folder, Vec::new(), true, &clock).await;
    let one_phone = SettingsPatch {
        demo_phones: Some(1),
        ..SettingsPatch::default()
    };
    engine.patch_settings(one_phone).await.unwrap();
    let phone = ready(&engine).await;
    let mut news = engine.listen();
    let everywhere = AutomationPlan {
        task: "Turn on Battery Saver".to_owned(),
        phones: AutomationPhones::All,
        ..hourly("Saver", &phone)
    };
    let card = engine.save_automation(None, everywhere).await.unwrap();
    clock.advance(ONE - BEGIN);
    let ended = async {
        loop {
            if let News::Automations { automations } = news.recv().await.unwrap()
                && let Some(one) = automations
                    .iter()
                    .flat_map(|card| &card.latest)
                    .find(|one| is_over(one))
            {
                return one.clone();
            }
        }
    };
    let one = tokio::time::timeout(BOUND, ended).await.unwrap();
    assert_eq!((one.phone, one.due), (phone, ONE));
    let OccurrenceState::Ended {
        run,
        ending: Some(ending),
        end: RunEndKind::Finished,
        ..
    } = one.state
    else {
        panic!("{:?}", one.state)
    };
    assert_eq!(
        ending,
        protocol::Ending::Finished {
            message: "Battery Saver is on.".to_owned(),
            declined: false,
        }
    );
    let past = engine.store().past_run(&run).await.unwrap();
    assert_eq!(past.goal, card.automation.plan.task);
    engine.close().await;
}

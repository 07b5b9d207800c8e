//! By the person: with what is said at the start, and out of a file.

use super::{BOUND, HOUR, all_over, hourly, is_over, plan, table, variable, word};
use crate::rig::all_bytes;
use protocol::{
    AutomationHold, AutomationPhones, AutomationPlan, FailureCode, News, Occurrence, Op, PhoneId, StartedBy,
    VariableKind, What,
};
use rusqlite::Connection;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_says_at_the_start_holds_for_that_run_alone() {
    let mut table = table().await;
    let asks = AutomationPlan {
        task: "Turn off {what}".to_owned(),
        variables: vec![variable("what", VariableKind::Text, "Battery Saver")],
        ..plan("Off", &table.phone)
    };
    let id = table.save(asks).await;
    let begun = table.by_hand(&id, &[("what", "Bluetooth")]).await.unwrap();
    assert_eq!(begun.len(), 1);
    // The phone is busy: this one waits, with what was said.
    let waits = table.by_hand(&id, &[("what", "airplane mode")]).await.unwrap();
    assert_eq!(waits, []);
    table.until(&id, all_over(2)).await;
    table.by_hand(&id, &[]).await.unwrap();
    table.until(&id, all_over(3)).await;
    let goals: Vec<String> = table.runs().await.into_iter().map(|run| run.goal).collect();
    assert_eq!(
        goals,
        [
            "Turn off Bluetooth",
            "Turn off airplane mode",
            "Turn off Battery Saver"
        ]
    );
}

/// A button is pressed twice.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_began_is_not_begun_again_while_it_is_open() {
    let mut table = table().await;
    let elsewhere = PhoneId::from("elsewhere");
    let twice = AutomationPlan {
        phones: AutomationPhones::These {
            phones: vec![table.phone.clone(), elsewhere.clone()],
        },
        ..plan("Twice", &table.phone)
    };
    let id = table.save(twice).await;
    assert_eq!(table.by_hand(&id, &[]).await.unwrap().len(), 1);
    for _ in 0..2 {
        assert_eq!(table.by_hand(&id, &[]).await.unwrap(), []);
    }
    let there = table.phone.clone();
    let words = |times: &[Occurrence], phone: &PhoneId| -> Vec<String> {
        let here = times.iter().filter(|one| one.phone == *phone);
        here.map(word).collect()
    };
    let times = table
        .until(&id, |times| {
            times.iter().any(|one| one.phone == there && is_over(one))
        })
        .await;
    assert_eq!(words(&times, &there), ["Finished"]);
    assert_eq!(words(&times, &elsewhere), ["waits: Missing"]);
    // Over, it can be begun again; where it waits, it waits on.
    assert_eq!(table.by_hand(&id, &[]).await.unwrap().len(), 1);
    let again = |times: &[Occurrence]| words(times, &there) == ["Finished", "Finished"];
    let times = table.until(&id, again).await;
    assert_eq!(words(&times, &elsewhere), ["waits: Missing"]);
    assert_eq!(table.runs().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_kept() {
    let mut table = table().await;
    let secret = |value| AutomationPlan {
        task: "Turn off Battery Saver, the PIN is {pin}".to_owned(),
        variables: vec![variable("pin", VariableKind::Secret, value)],
        ..plan("Secret", &table.phone)
    };
    let refused = table
        .engine
        .save_automation(None, secret("MARKER-4711"))
        .await
        .unwrap_err();
    assert_eq!(refused.values["fault"], "secret_value");
    let id = table.save(secret("")).await;
    let refused = table.by_hand(&id, &[("pin", "MARKER-4711")]).await.unwrap_err();
    assert_eq!(
        (
            refused.values["fault"].as_str(),
            refused.values["variable"].as_str()
        ),
        ("secret_value", "pin")
    );
    table.by_hand(&id, &[]).await.unwrap();
    table.until(&id, all_over(1)).await;
    assert_eq!(
        table.runs().await[0].goal,
        "Turn off Battery Saver, the PIN is pin"
    );
    let bytes = all_bytes(table.folder.path());
    assert!(!bytes.windows(11).any(|window| window == b"MARKER-4711"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_brings_automations_that_wait_for_their_first_run() {
    let mut table = table().await;
    let id = table.save(hourly("Saver", &table.phone)).await;
    let text = table
        .engine
        .export_automations(std::slice::from_ref(&id))
        .await
        .unwrap();
    let [new] = table
        .engine
        .import_automations(&text)
        .await
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(new.automation.plan.name, "Saver 2");
    assert_eq!(new.automation.held, Some(AutomationHold::Imported));
    table.engine.delete_automation(&id).await.unwrap();
    let new = new.automation.id;
    let refused = table.engine.hold_automation(&new, false).await.unwrap_err();
    assert_eq!(refused.code, FailureCode::NotNow);
    table.advance(3 * HOUR);
    table.by_hand(&new, &[]).await.unwrap();
    let times = table.until(&new, all_over(1)).await;
    assert_eq!(times[0].by, StartedBy::Person);
    assert_eq!(table.held(&new).await, None);
    table.advance(HOUR);
    let times = table.until(&new, all_over(2)).await;
    assert_eq!(times[0].by, StartedBy::Schedule);
    let refused = table.engine.import_automations("{}").await.unwrap_err();
    assert_eq!(
        (refused.code, refused.values["why"].as_str()),
        (FailureCode::BadInput, "unreadable")
    );
}

/// Another program keeps the start of an automation from being written down: its phone is nobody else's meanwhile. Else two runs
/// would have it, and the first could not be stopped.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_is_kept_for_a_run_begins_no_other() {
    let mut table = table().await;
    let (engine, phone) = (table.engine.clone(), table.phone.clone());
    let twice = [phone.clone(), phone.clone()];
    let refused = engine
        .run(&twice, "Turn on Battery Saver", true)
        .await
        .unwrap_err();
    assert_eq!(refused.code, FailureCode::PhoneBusy);
    assert_eq!(engine.live_run(&phone), None, "nothing was begun");

    let id = table.save(plan("Off", &phone)).await;
    let other = Connection::open(table.folder.path().join("pocketdeck.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let pressed = tokio::spawn({
        let (engine, id) = (engine.clone(), id.clone());
        async move {
            let values = std::collections::BTreeMap::new();
            engine
                .run_automation(&id, &values, &engine::ModelChoice::Settings)
                .await
        }
    });
    // Who waits to write lets nobody read: the phone was reserved just before.
    let reads = async { while read(&engine).await {} };
    tokio::time::timeout(BOUND, reads).await.unwrap();
    let refused = engine
        .run(&twice[..1], "Turn on Battery Saver", true)
        .await
        .unwrap_err();
    assert_eq!(refused.code, FailureCode::PhoneBusy);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(pressed.await.unwrap().unwrap().len(), 1);
    table.until(&id, all_over(1)).await;
    assert_eq!(table.runs().await.len(), 1);
}

/// Whether the store can be read just now. Half of what a writer waits: longer than a busy computer takes to read, and there is as
/// long left for what comes next.
async fn read(engine: &engine::Engine) -> bool {
    let read = tokio::time::timeout(Duration::from_secs(1), engine.store().settings());
    read.await.is_ok()
}

/// The journal is away for longer than a run tries to write its end. What it could not write is lost, and its phone is not.
#[tokio::test(start_paused = true)]
async fn a_run_whose_end_was_lost_keeps_no_automation_from_its_phone() {
    let mut table = table().await;
    let id = table.save(plan("Off", &table.phone)).await;
    let [run] = table.by_hand(&id, &[]).await.unwrap().try_into().unwrap();
    let is_started =
        |news: &News| matches!(news, News::Run { event } if matches!(event.what, What::Started { .. }));
    while !is_started(&table.news.recv().await.unwrap()) {}
    let [file, aside] = ["pocketdeck.db", "aside"].map(|name| table.folder.path().join(name));
    std::fs::rename(&file, &aside).unwrap();
    table.engine.steer(&run, Op::Stop).await.unwrap();
    tokio::time::sleep(Duration::from_secs(40)).await;
    std::fs::rename(&aside, &file).unwrap();
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(word(&times[0]), "Interrupted");
    table.by_hand(&id, &[]).await.unwrap();
    let times = table.until(&id, all_over(2)).await;
    assert_eq!(word(&times[0]), "Finished");
}

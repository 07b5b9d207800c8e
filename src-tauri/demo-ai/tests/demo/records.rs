//! Notes, contacts, the browser, and apps that are only opened.

use crate::support::{Outcome, Says, Setup, check};
use serde_json::{Value, json};
use virtual_phone::android::Android;

fn has(run: &Outcome, pointer: &str, wanted: &Value) -> bool {
    run.state(pointer).as_array().unwrap().contains(wanted)
}

#[tokio::test(start_paused = true)]
async fn notes_are_written() {
    for (goal, title, text) in [
        ("Add a note: buy ferns and tulips", "", "buy ferns and tulips"),
        (
            "Write a note called Ferns saying water them on Friday",
            "Ferns",
            "water them on Friday",
        ),
        (
            "Make a note that says “Call the plant man”",
            "",
            "Call the plant man",
        ),
    ] {
        let run = check(Setup::new(goal), "The note", &[]).await;
        assert!(
            has(&run, "/notes", &json!({"title": title, "text": text})),
            "{}",
            run.transcript()
        );
        assert_eq!(
            run.state("/notes").as_array().map(Vec::len),
            Some(6),
            "{}",
            run.transcript()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn notes_are_deleted_after_a_yes() {
    let goal = "Delete the note Packing list";
    let run = check(
        Setup::new(goal).says([Says::Yes, Says::Yes]),
        "The note “Packing list” is deleted.",
        &[],
    )
    .await;
    assert_eq!(
        run.state("/notes").as_array().map(Vec::len),
        Some(4),
        "{}",
        run.transcript()
    );
    for says in [vec![Says::No], vec![Says::Yes, Says::No]] {
        let run = check(
            Setup::new(goal).says(says),
            "You said no, so the note “Packing list” is still there.",
            &[],
        )
        .await;
        assert_eq!(
            run.state("/notes").as_array().map(Vec::len),
            Some(5),
            "{}",
            run.transcript()
        );
    }
    check(
        Setup::new("Delete the note Tax return").says([Says::Yes]),
        "I found no note called “Tax return”",
        &[],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn contacts_are_added_and_looked_up() {
    for (goal, name, number) in [
        (
            "Add Bob Ferns with the number (555) 010-0199 to my contacts",
            "Bob Ferns",
            "(555) 010-0199",
        ),
        ("Create a contact for Lea", "Lea", ""),
    ] {
        let run = check(Setup::new(goal).says([Says::Yes]), "is in the contacts", &[]).await;
        assert!(
            has(&run, "/contacts", &json!({"name": name, "number": number})),
            "{}",
            run.transcript()
        );
    }
    for (goal, says) in [
        (
            "What is Dana Whitlock’s number?",
            "Dana Whitlock’s number is (555) 010-0142.",
        ),
        (
            "Find the number of the plant man",
            "Plant man’s number is (555) 010-0155.",
        ),
        (
            "What is Bartholomew’s number?",
            "I found nobody called “Bartholomew” in the contacts.",
        ),
    ] {
        check(Setup::new(goal), says, &[]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn pages_are_opened_and_read() {
    for (goal, says, address) in [
        (
            "Open news.example and tell me its headline",
            "The Alder Post: the headline is “Flower stall returns to the bridge”.",
            "news.example",
        ),
        (
            "Open https://ferns.example",
            "Fern care is open.",
            "ferns.example",
        ),
        (
            "What is the headline of The Alder Post?",
            "the headline is “Flower stall returns to the bridge”.",
            "news.example",
        ),
        ("Open gone.example", "can’t be reached", "gone.example"),
    ] {
        check(
            Setup::new(goal).says([Says::Yes]),
            says,
            &[("/browser/address", json!(address))],
        )
        .await;
    }
    check(
        Setup::new("What is the headline of The Daily Fern?"),
        "I found no page called “The Daily Fern”",
        &[],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn apps_are_opened_by_name() {
    for (goal, package) in [
        ("Open the calendar", "com.android.calendar"),
        ("open photos", "com.android.gallery3d"),
        ("Launch the app store", "com.android.store"),
        ("Open the mail app please", "com.android.email"),
        ("start the clock", "com.android.deskclock"),
        ("Open Greenleaf", "com.greenleaf.shop"),
        ("Show me the messages", "com.android.messaging"),
    ] {
        check(
            Setup::new(goal),
            "is open.",
            &[("/screen/package", json!(package))],
        )
        .await;
    }
    check(
        Setup::new("Open Chess Club"),
        "I found no app called “Chess Club” on this phone.",
        &[],
    )
    .await;
    let home = Setup::new("Go to the home screen").at("com.android.store/.UpdatesActivity");
    check(
        home,
        "The home screen is open.",
        &[("/screen/package", json!("com.android.launcher3"))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn several_things_are_done_in_order() {
    let run = check(
        Setup::new("Turn on Battery Saver, add a note: buy ferns, and then open the calendar"),
        "Battery Saver is on. … is saved … is open.",
        &[
            ("/settings/batterySaver", json!(true)),
            ("/screen/package", json!("com.android.calendar")),
        ],
    )
    .await;
    assert!(
        has(&run, "/notes", &json!({"title": "", "text": "buy ferns"})),
        "{}",
        run.transcript()
    );
}

#[tokio::test(start_paused = true)]
async fn every_app_can_be_opened_from_every_phone() {
    let packages = virtual_phone::system::System::new(Default::default()).packages();
    for package in packages.iter().filter(|package| package.launcher.is_some()) {
        let goal = format!("Open {}", package.label);
        let run = check(Setup::new(&goal).says([Says::Yes]), "is open", &[]).await;
        let shown = run.state("/screen/package");
        let asks = json!("com.android.permissioncontroller");
        assert!(
            shown == json!(package.name) || shown == asks,
            "{shown}\n{}",
            run.transcript()
        );
    }
}

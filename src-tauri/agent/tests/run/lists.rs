//! Scrolling to the end, and reading text: by elements, page by page, from the picture.

use crate::support::{Table, Turn, World, start};
use insta::assert_snapshot;
use protocol::What;
use std::time::Duration;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
const READ: &str =
    r#"{"type": "read_text", "box": [0, 160, 999, 850], "output": "__CogName_Orders__", "autoScroll": true}"#;

#[tokio::test(start_paused = true)]
async fn a_scroll_stops_at_the_end_of_the_list_and_says_so() {
    let down = |amount: u32| {
        Turn::from(format!(r#"{{"type": "scroll", "direction": "down", "amount": {amount}}}"#).as_str())
    };
    let up = r#"{"type": "scroll", "direction": "up", "amount": 2}"#;
    let mut table = start(
        World::on("list"),
        [down(3), down(40), down(1), up.into(), DONE.into()],
    );
    table.end().await;
    assert_snapshot!("scroll_outcomes", table.outcomes());
    assert_snapshot!("scroll_reached", table.phone.record().join("\n"));
    assert_eq!(
        table.phone.world().form.scrolled,
        600 - 150,
        "back up from the end"
    );
    let told = table.model.shown()[2].user();
    assert!(told.contains("the end is reached"), "{told}");
}

/// The same on pictures of half the screen's size: the list is looked for where it lies on them.
#[tokio::test(start_paused = true)]
async fn a_scroll_is_watched_on_a_smaller_picture_too() {
    let far = r#"{"type": "scroll", "direction": "down", "amount": 40}"#;
    let low =
        r#"{"type": "scroll", "direction": "down", "amount": 1, "target": {"box": [0, 500, 999, 900]}}"#;
    let mut table = start(World::on("list"), []);
    table.phone.sends_half_pictures();
    for turn in [far, low, DONE] {
        table.model.push(turn);
    }
    table.end().await;
    let outcomes = table.outcomes();
    let ends: Vec<bool> = outcomes
        .lines()
        .map(|line| line.contains("end_of_list"))
        .collect();
    assert_eq!(ends, [true, true], "{outcomes}");
    assert_eq!(table.phone.world().form.scrolled, 600);
}

/// Where there is no picture, the texts tell whether something moved.
#[tokio::test(start_paused = true)]
async fn an_app_that_hides_its_screen_scrolls_to_its_end_too() {
    let far = r#"{"type": "scroll", "direction": "down", "amount": 40}"#;
    let mut table = start(World::on("list"), []);
    table.phone.hides_its_screen();
    for turn in [far, DONE] {
        table.model.push(turn);
    }
    table.end().await;
    assert!(table.outcomes().contains("end_of_list"), "{}", table.outcomes());
    assert_eq!(table.phone.world().form.scrolled, 600);
}

#[tokio::test(start_paused = true)]
async fn a_list_is_read_to_its_end_without_repeats() {
    let mut table = start(
        World::on("list"),
        [
            READ.into(),
            r#"{"type": "ask_model", "prompt": "How many? __CogName_Orders__", "output": "__CogName_Count__"}"#.into(),
            "20".into(),
            r#"{"type": "read_text", "box": [0, 0, 999, 130], "output": "__CogName_Title__"}"#.into(),
            DONE.into(),
        ],
    );
    table.end().await;
    assert_snapshot!("read_outcomes", table.outcomes());
    assert_eq!(table.phone.world().form.scrolled, 600);
    // The question aside holds the whole text and is paid for with the step it was asked for.
    let aside = &table.model.shown()[2];
    let rows: Vec<String> = (1..=20).map(|n| format!("Row {n}")).collect();
    assert_eq!(aside.user(), format!("How many? {}", rows.join("\n")));
    assert_eq!(costs(&table), [100, 100, 100, 100, 100]);
}

/// What each answer cost, in the order they were told.
fn costs(table: &Table) -> Vec<u64> {
    let cost = |event: &protocol::Event| match &event.what {
        What::Decided { usage, .. } => Some(usage.input_tokens),
        What::Acted { outcome, .. } => outcome.usage.map(|usage| usage.input_tokens),
        _ => None,
    };
    table.events.iter().filter_map(cost).collect()
}

/// A run that ends with the question aside has paid for it too.
#[tokio::test(start_paused = true)]
async fn what_a_question_aside_costs_is_told_though_the_run_ends() {
    let last =
        r#"{"type": "ask_model", "prompt": "How many?", "output": "__CogName_N__", "thenFinish": true}"#;
    let mut table = start(World::on("list"), [last.into(), "20".into()]);
    table.end().await;
    assert_eq!(costs(&table), [100, 100]);
}

#[tokio::test(start_paused = true)]
async fn a_list_without_end_is_cut_and_stop_ends_the_reading() {
    let mut world = World::on("list");
    world.form.rows = (1..=4000).map(|n| format!("Row {n}")).collect();
    let mut table = start(world.clone(), [READ.into(), DONE.into()]);
    table.end().await;
    let told = table.outcomes();
    assert!(
        told.contains("cut_short") && told.contains("\"pages\":40"),
        "{told}"
    );

    let mut table = start(world, [READ.into()]);
    table
        .until("acting", |what| matches!(what, What::Acting { .. }))
        .await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    table.handle.stop().await;
    let reached = table.phone.record().len();
    assert!((2..20).contains(&reached), "{reached} strokes");
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(table.phone.record().len(), reached);
}

/// What may not be told is not read: neither from the elements nor from the picture.
#[tokio::test(start_paused = true)]
async fn only_what_may_be_told_is_read() {
    let mut world = World::on("code");
    world.notice = "Your code is 418027.".into();
    let read = r#"{"type": "read_text", "box": [0, 0, 999, 999], "output": "__CogName_All__"}"#;
    let mut table = start(world, [read.into(), DONE.into()]);
    table.end().await;
    let told = table.outcomes();
    assert!(
        told.contains("Your code is") && !told.contains("418027"),
        "{told}"
    );

    // Nor what a command or the model itself read of it, while a code is wanted.
    let shell = r#"{"type": "shell", "command": "cat /sdcard/messages.txt"}"#;
    let aside = r#"{"type": "ask_model", "prompt": "Which code?", "output": "__CogName_C__"}"#;
    let mut table = start(World::on("code"), []);
    for turn in [shell, aside, "It says:\n418 027", DONE] {
        table.model.push(turn);
    }
    table
        .phone
        .says(Duration::from_millis(80), 0, "Row: 0\nbody=Your code: 418027", "");
    while let Some(event) = table.next().await {
        if let What::Asked { ask, .. } = event.what {
            table.answer(&ask, protocol::Choice::Approve);
        }
    }
    let written = serde_json::to_string(&table.journal.events()).unwrap();
    assert!(
        table.outcomes().lines().count() == 2 && !table.outcomes().contains("027"),
        "{}",
        table.outcomes()
    );
    assert!(!written.contains("418027") && !written.contains("418 027"));
}

#[tokio::test(start_paused = true)]
async fn without_elements_the_model_reads_the_masked_picture() {
    let read = r#"{"type": "read_text", "box": [0, 0, 500, 500], "output": "__CogName_Seen__"}"#;
    let mut table = start(World::on("list"), []);
    for turn in [read, "Orders\nRow 1", DONE] {
        table.model.push(turn);
    }
    table.phone.without_tree();
    table.end().await;
    assert_snapshot!("picture_outcomes", table.outcomes());
    let asked = &table.model.shown()[1];
    let picture = asked.picture.as_ref().unwrap();
    assert_eq!((picture.width, picture.height), (135, 300), "the box alone");
    assert!(!asked.user().contains("Row"));
}

/// What the model read by itself is taken when it is whole, and read when it is not.
#[tokio::test(start_paused = true)]
async fn a_given_result_counts_when_it_is_whole() {
    let read = |result: &str| {
        let text = format!(
            r#"{{"type": "read_text", "box": [0, 0, 999, 130], "output": "__CogName_T__", "result": "{result}"}}"#
        );
        Turn::from(text.as_str())
    };
    let mut table = start(
        World::on("list"),
        [
            read("17.00"),
            read("Ord..."),
            r#"{"type": "read_clipboard", "output": "__CogName_C__", "result": "copied"}"#.into(),
            DONE.into(),
        ],
    );
    table.end().await;
    assert_snapshot!("given_outcomes", table.outcomes());
}

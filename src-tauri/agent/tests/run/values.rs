//! Setting values: fields, switches, sliders, lists of choices.

use crate::support::{Table, Turn, World, start};
use insta::assert_snapshot;
use protocol::{AskKind, Choice, WarningCode, What};

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

fn set(text: &str, value: &str) -> Turn {
    let json = serde_json::json!({"type": "set_value", "target": {"text": text}, "value": value});
    Turn::from(json.to_string().as_str())
}

/// A slider has no text of its own but its value.
fn slide(value: &str) -> Turn {
    let json =
        serde_json::json!({"type": "set_value", "target": {"box": [0, 370, 999, 430]}, "value": value});
    Turn::from(json.to_string().as_str())
}

async fn run(world: World, turns: impl IntoIterator<Item = Turn>) -> Table {
    let mut table = start(world, turns);
    table.end().await;
    table
}

#[tokio::test(start_paused = true)]
async fn a_field_is_emptied_and_written() {
    let field = r#"{"type": "set_value", "target": {"box": [0, 170, 999, 230]}, "value": "Dana Whitlock"}"#;
    let table = run(World::on("form"), [field.into(), DONE.into()]).await;
    assert_eq!(table.phone.world().form.name, "Dana Whitlock");
    assert_eq!(table.phone.record(), ["replace \"Dana Whitlock\""]);
}

/// A field is left as it is where its new value cannot be typed, be it in the last of many lines.
#[tokio::test(start_paused = true)]
async fn what_cannot_be_typed_takes_nothing_away() {
    for value in ["中文 only", "plain, then é", "first\nsecond 🎉"] {
        let json =
            serde_json::json!({"type": "set_value", "target": {"box": [0, 170, 999, 230]}, "value": value});
        let mut world = World::on("form");
        world.form.name = "Dana".to_owned();
        let mut table = start(world, [json.to_string().as_str().into(), DONE.into()]);
        table.phone.has_a_plain_keyboard();
        if value.contains('\n') {
            // The end of a line may hand a form in.
            let ask = table.question().await;
            table.answer(&ask, Choice::Approve);
        }
        table.end().await;
        assert_eq!(table.phone.world().form.name, "Dana", "{value:?}");
        assert_eq!(table.phone.record(), [] as [&str; 0], "{value:?}");
        assert!(table.outcomes().contains("cannot_type"), "{}", table.outcomes());
    }
}

/// Typed, and neither the field nor the screen shows it: the outcome says so.
#[tokio::test(start_paused = true)]
async fn what_nobody_saw_arrive_is_told() {
    for deaf in [false, true] {
        let typed = r#"{"type": "type", "text": "Dana", "target": {"box": [0, 170, 999, 230]}}"#;
        let mut table = start(World::on("form"), [typed.into(), DONE.into()]);
        if deaf {
            table.phone.types_nowhere();
        }
        table.end().await;
        let told = table.events.iter().any(|event| match &event.what {
            What::Acted { outcome, .. } => outcome
                .warnings
                .iter()
                .any(|one| one.code == WarningCode::TextUnseen),
            _ => false,
        });
        assert_eq!(told, deaf, "{}", table.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn a_switch_is_touched_only_when_it_differs() {
    let turns = [
        set("Wi-Fi", "on"),
        set("Wi-Fi", "off"),
        set("Wi-Fi", "off"),
        set("Wi-Fi", "maybe"),
        DONE.into(),
    ];
    let table = run(World::on("form"), turns).await;
    assert!(!table.phone.world().form.wifi);
    assert_eq!(table.phone.record(), ["tap 135 180"]);
    assert_snapshot!("switch_outcomes", table.outcomes());
}

#[tokio::test(start_paused = true)]
async fn a_slider_is_looked_at_and_put_right_once() {
    let mut world = World::on("form");
    let table = run(world.clone(), [slide("70"), DONE.into()]).await;
    assert_eq!(table.phone.world().form.volume, 69);
    assert_eq!(table.phone.record().len(), 1, "it fits: nothing more is touched");
    world.form.slack = 12;
    let table = run(world.clone(), [slide("70%"), DONE.into()]).await;
    assert!((67..=73).contains(&table.phone.world().form.volume));
    assert_eq!(table.phone.record().len(), 2);
    // One correction and no more; what it stands at is told.
    world.form.slack = 60;
    let table = run(world.clone(), [slide("70"), DONE.into()]).await;
    assert_eq!(table.phone.record().len(), 2);
    assert!(table.outcomes().contains("value_differs"), "{}", table.outcomes());
    world.form.silent = true;
    let table = run(world, [slide("70"), DONE.into()]).await;
    assert_eq!(table.phone.record().len(), 1);
    let told = table.model.shown()[1].user();
    assert!(told.contains("does not say where it stands"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_choice_is_opened_found_and_chosen() {
    let table = run(World::on("form"), [set("Newest first", "my order"), DONE.into()]).await;
    assert_eq!(table.phone.world().form.sort, "My order");
    assert_snapshot!("choice", table.transcript());
}

/// Down to the end of the list, then up to its beginning: it opens where the chosen entry is.
#[tokio::test(start_paused = true)]
async fn a_choice_out_of_sight_is_scrolled_to() {
    let mut world = World::on("form");
    world.form.sorts = vec![
        "Newest first",
        "Oldest first",
        "Name",
        "Colour",
        "Size",
        "Weight",
        "Price",
        "Maker",
        "Country",
        "Year",
        "Rating",
        "Stock",
        "Length",
        "Width",
        "Height",
        "Shape",
        "My order",
    ];
    let mut table = start(world.clone(), [set("Newest first", "My order"), DONE.into()]);
    table.end().await;
    assert_eq!(table.phone.world().form.sort, "My order");
    let table = run(world, [set("Newest first", "ModelCapabilities"), DONE.into()]).await;
    assert_eq!(table.phone.world().form.sort, "Newest first");
    assert!(
        table.outcomes().contains("option_not_found"),
        "{}",
        table.outcomes()
    );
    assert!(
        table
            .phone
            .record()
            .iter()
            .any(|line| line.starts_with("swipe up by -")),
        "it looked upwards too"
    );
}

/// The entry is a touch like any other: what deletes is asked about, and a No leaves it alone.
#[tokio::test(start_paused = true)]
async fn a_choice_is_judged_as_the_touch_it_is() {
    for (choice, sort) in [(Choice::Deny, "Newest first"), (Choice::Approve, "Delete all")] {
        let mut table = start(
            World::on("form"),
            [set("Newest first", "Delete all"), DONE.into()],
        );
        let ask = table.question().await;
        assert_eq!(
            (ask.kind, ask.evidence.label.as_deref()),
            (AskKind::Delete, Some("Delete all"))
        );
        table.answer(&ask, choice);
        table.end().await;
        assert_eq!(table.phone.world().form.sort, sort);
    }
}

/// Taken over half-way, the list is the person's: nothing is chosen afterwards.
#[tokio::test(start_paused = true)]
async fn a_choice_broken_off_is_not_taken_up_again() {
    let mut table = start(World::on("form"), [set("Newest first", "Title"), DONE.into()]);
    table
        .until("the list", |what| matches!(what, protocol::What::Acted { .. }))
        .await;
    let grip = table.handle.take_over();
    table
        .until("taken over", |what| matches!(what, protocol::What::TakenOver))
        .await;
    drop(grip);
    table.handle.steer(protocol::Op::HandBack).await;
    table.end().await;
    assert_eq!(table.phone.world().form.sort, "Newest first");
    assert_eq!(table.phone.record().len(), 1);
}

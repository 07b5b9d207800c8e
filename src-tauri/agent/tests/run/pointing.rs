//! What the numbers of a model mean: each family in its own space, on the picture it was really sent.

use crate::support::{Table, Turn, World, start};
use agent::pointing::Pointing;
use protocol::{Act, AskKind, Choice, What};
use screen::Space;
use std::time::Duration;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

async fn run(pointing: Pointing, replies: &[&str]) -> Table {
    let mut table = start(World::default(), replies.iter().map(|reply| Turn::from(*reply)));
    table.model.points(pointing);
    table.model.push(DONE);
    table.end().await;
    table
}

/// What a model of that kind writes, and what reaches a screen of 270 × 600 whose picture was sent in 180 × 400.
#[track_caller]
fn check(table: &Table, reply: &str, reached: &str) {
    assert_eq!(table.phone.record(), [reached], "{reply}\n{}", table.transcript());
}

#[tokio::test(start_paused = true)]
async fn each_family_points_in_its_own_numbers() {
    let gemini = Pointing::of("google/gemini-2.5-pro");
    let kimi = Pointing::of("kimi-k2.5");
    let qwen = Pointing::of("qwen3-vl-plus");
    let button = "tap 135 420";
    for (pointing, reply, reached) in [
        (Pointing::SCREEN, r#"{"type": "tap", "x": 135, "y": 420}"#, button),
        // Nobody knows it: pixels of the picture as it was sent.
        (
            Pointing::of("llava-1.6"),
            r#"{"type": "tap", "x": 90, "y": 280}"#,
            button,
        ),
        (
            Pointing::of("claude-sonnet-4-5"),
            r#"{"type": "tap", "x": 90, "y": 280}"#,
            button,
        ),
        (qwen, r#"{"type": "tap", "x": 500, "y": 700}"#, button),
        (qwen, r#"{"type": "tap", "coordinate": [500, 700]}"#, button),
        (
            qwen,
            r#"<tool_call>{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 700]}}</tool_call>"#,
            button,
        ),
        // y first where it writes a list; a name is a name.
        (gemini, r#"{"type": "tap", "coordinate": [700, 500]}"#, button),
        (gemini, r#"{"type": "tap", "x": 500, "y": 700}"#, button),
        (
            gemini,
            r#"{"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200}"#,
            "swipe up by 360",
        ),
        (kimi, r#"{"type": "tap", "x": 0.5, "y": 0.7}"#, button),
        (
            kimi,
            r#"{"type": "swipe", "x1": 0.5, "y1": 0.8, "x2": 0.5, "y2": 0.2}"#,
            "swipe up by 360",
        ),
        // A picture whose sides are multiples of 28: 168 × 392.
        (
            Pointing::of("UI-TARS-1.5-7B"),
            "Thought: There.\nAction: click(start_box='(84,274)')",
            "tap 135 419",
        ),
        // A dialect with a space of its own keeps it where nobody knows the model.
        (
            Pointing::UNKNOWN,
            r#"do(action="Swipe", start=[500,800], end=[500,200])"#,
            "swipe up by 360",
        ),
        (
            Pointing::UNKNOWN,
            r#"do(action="Tap", element=[500,700])"#,
            button,
        ),
        // Boxes are thousandths, whoever writes them.
        (
            kimi,
            r#"{"type": "tap", "target": {"box": [0, 666, 999, 734]}}"#,
            button,
        ),
    ] {
        let table = run(pointing, &[reply]).await;
        check(&table, reply, reached);
    }
}

/// What was said and where it went stand in the timeline; the model reads its own numbers again.
#[tokio::test(start_paused = true)]
async fn what_was_said_and_where_it_went_are_both_told() {
    let table = run(Pointing::UNKNOWN, &[r#"{"type": "tap", "x": 90, "y": 280}"#]).await;
    let point = |act: &Act| match act {
        Act::Tap { x, y, .. } => x.zip(*y),
        _ => None,
    };
    let told: Vec<_> = table
        .events
        .iter()
        .filter_map(|event| match &event.what {
            What::Decided { action, .. } => point(&action.act).map(|point| ("said", point)),
            What::Acting { action, .. } => point(&action.act).map(|point| ("done", point)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [("said", (90.0, 280.0)), ("done", (135.0, 420.0))]);
    let shown = table.model.shown();
    assert!(
        shown[1].user().contains(r#""x":90,"y":280"#),
        "{}",
        shown[1].user()
    );
    let picture = shown[0].picture.as_ref().unwrap();
    assert_eq!((picture.width, picture.height), (180, 400));
    // The button stands at 10,400–260,440 on the screen.
    assert!(shown[0].user().contains("90,280"), "{}", shown[0].user());
}

#[tokio::test(start_paused = true)]
async fn each_model_is_told_its_own_numbers() {
    for (space, words, corner) in [
        (Space::Screen, "pixels of the screen", "135,420"),
        (Space::Picture, "pixels of the picture", "90,280"),
        (Space::Thousandths, "thousandths of the screen", "500,700"),
        (Space::ThousandthsYx, "thousandths of the screen", "500,700"),
        (Space::Unit, "parts of the screen", "0.500,0.700"),
    ] {
        let table = run(Pointing::in_space(space), &[]).await;
        let prompt = &table.model.shown()[0];
        assert!(prompt.system.contains(words), "{space:?}");
        assert!(!prompt.system.contains('‹'), "{space:?}");
        assert!(prompt.user().contains(corner), "{space:?}: {}", prompt.user());
    }
}

/// Numbers that lie beside the picture are refused, and nothing is moved onto it.
#[tokio::test(start_paused = true)]
async fn numbers_of_another_space_are_refused() {
    for (pointing, reply) in [
        // Pixels of the screen from a model that was shown a smaller picture.
        (Pointing::UNKNOWN, r#"{"type": "tap", "x": 135, "y": 420}"#),
        (
            Pointing::of("kimi-k2.5"),
            r#"{"type": "tap", "x": 500, "y": 1700}"#,
        ),
        (
            Pointing::of("gemini-3-pro"),
            r#"{"type": "tap", "x": 540, "y": 1200}"#,
        ),
    ] {
        let table = run(pointing, &[reply]).await;
        assert_eq!(table.phone.record(), [""; 0], "{reply}");
        assert!(
            table.outcomes().contains("refused: off_screen"),
            "{}",
            table.outcomes()
        );
    }
}

/// The judge sees the pixel that is touched, not the numbers that were written.
#[tokio::test(start_paused = true)]
async fn a_payment_is_seen_in_every_space() {
    for (pointing, reply) in [
        (Pointing::SCREEN, r#"{"type": "tap", "x": 135, "y": 520}"#),
        (Pointing::UNKNOWN, r#"{"type": "tap", "x": 90, "y": 347}"#),
        (
            Pointing::of("gemini-3-pro"),
            r#"{"type": "tap", "coordinate": [867, 500]}"#,
        ),
        (
            Pointing::of("kimi-k2.5"),
            r#"{"type": "tap", "x": 0.5, "y": 0.867}"#,
        ),
        // Nothing is called so: the point counts, and is seen.
        (
            Pointing::SCREEN,
            r#"{"type": "tap", "x": 135, "y": 520, "target": {"text": "Keep shopping"}}"#,
        ),
    ] {
        let mut table = start(World::on("checkout"), [reply.into(), DONE.into()]);
        table.model.points(pointing);
        let ask = table.question().await;
        assert_eq!(ask.kind, AskKind::Payment, "{reply}");
        table.answer(&ask, Choice::Deny);
        table.end().await;
        assert!(table.phone.world().paid.is_empty(), "{reply}");
    }
}

/// A screen that lies on its side is pointed at as it is shown.
#[tokio::test(start_paused = true)]
async fn a_turned_screen_is_pointed_at_as_it_is_shown() {
    let mut table = start(World::default(), []);
    table.model.points(Pointing::UNKNOWN);
    table.phone.turn();
    for turn in [r#"{"type": "tap", "x": 200, "y": 90}"#, DONE] {
        table.model.push(turn);
    }
    table.approve_all().await;
    assert_eq!(table.phone.record(), ["tap 300 135"]);
}

/// Turned while the model thinks: nothing stands where it saw it. What it named is found where it is now.
#[tokio::test(start_paused = true)]
async fn a_screen_turned_meanwhile_takes_no_point() {
    for (reply, reached, outcome) in [
        (r#"{"type": "tap", "x": 90, "y": 280}"#, vec![], "screen_changed"),
        (
            r#"{"type": "tap", "x": 90, "y": 280, "target": {"text": "Greenleaf"}}"#,
            vec!["tap 135 50"],
            "text_exact",
        ),
        (
            r#"{"type": "swipe", "x1": 90, "y1": 300, "x2": 90, "y2": 100}"#,
            vec![],
            "screen_changed",
        ),
    ] {
        for pointing in [Pointing::UNKNOWN, Pointing::SCREEN] {
            let late = Turn::After(Duration::from_secs(5), reply.to_owned());
            let mut table = start(World::default(), [late, DONE.into()]);
            table.model.points(pointing);
            table.thinking().await;
            table.phone.turn();
            table.approve_all().await;
            assert_eq!(table.phone.record(), reached, "{reply}");
            assert!(table.outcomes().contains(outcome), "{}", table.outcomes());
        }
    }
}

//! Nothing is read twice, and nothing is waited for that is not needed: what is asked of the phone in each kind of step.

use crate::support::{Counts, Table, Turn, World, start};
use protocol::{Choice, RefusalCode, RefusedBy, What};
use std::time::Duration;

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
const PAY: &str = r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#;
/// Nothing on any page is called so.
const NOWHERE: &str = r#"{"type": "tap", "target": {"text": "Nowhere"}}"#;
const WAIT: &str = r#"{"type": "wait", "durationMs": 2000}"#;
const KEPT: &str =
    r#"{"type": "ask_model", "prompt": "What day?", "output": "__CogName_Day__", "result": "Monday"}"#;
const ILLEGIBLE: &str = r#"{"type": "type", "text": "naïve"}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

/// What a phone tells of its screen without a picture.
#[derive(Clone, Copy, Debug)]
enum Tells {
    Nothing,
    /// A stream: what is drawn.
    Drawn,
    /// A reader that stays: what changes in its tree.
    Changes,
}

/// A phone whose tree takes so long.
#[derive(Clone, Copy, Debug)]
struct Kind {
    tree_ms: u64,
    tells: Tells,
}

/// As a real phone without a stream, and with one.
const SLOW: Kind = Kind {
    tree_ms: 2000,
    tells: Tells::Nothing,
};
const SLOW_TELLING: Kind = Kind {
    tells: Tells::Drawn,
    ..SLOW
};
const QUICK: Kind = Kind {
    tree_ms: 100,
    tells: Tells::Nothing,
};
/// As a real phone with the reader that stays.
const READER: Kind = Kind {
    tree_ms: 200,
    tells: Tells::Changes,
};

fn on(kind: Kind, world: World, replies: impl IntoIterator<Item = Turn>) -> Table {
    let table = start(world, replies);
    table.phone.reads_its_tree_in(kind.tree_ms);
    match kind.tells {
        Tells::Nothing => {}
        Tells::Drawn => table.phone.tells_what_is_drawn(),
        Tells::Changes => table.phone.tells_events(),
    }
    table
}

fn thinks(ms: u64, says: &str) -> Turn {
    Turn::After(Duration::from_millis(ms), says.to_owned())
}

/// A run in a messenger that stands still: what it asked of the phone in all.
async fn check(kind: Kind, turns: Vec<Turn>, pictures: u32, trees: u32, checks: u32) {
    let mut table = on(kind, World::on("chat"), turns);
    table.phone.has_a_plain_keyboard();
    table.end().await;
    let expected = Counts {
        pictures,
        trees,
        checks,
    };
    assert_eq!(table.phone.counts(), expected, "{kind:?}\n{}", table.transcript());
}

/// A wait, a note and a refused step cost no tree on a page that stands still, and no picture where the phone tells.
#[tokio::test(start_paused = true)]
async fn a_still_page_is_read_once() {
    for step in [WAIT, KEPT, NOWHERE] {
        for ms in [0, 3000] {
            let turns = || vec![thinks(ms, step), thinks(ms, step), DONE.into()];
            // Each look back is one question, and none where the look is of now.
            let mut told = on(SLOW_TELLING, World::default(), turns());
            told.end().await;
            let counts = told.phone.counts();
            assert_eq!(
                (counts.pictures, counts.trees),
                (1, 1),
                "{step} {ms}\n{}",
                told.transcript()
            );
            let mut untold = on(SLOW, World::default(), turns());
            untold.end().await;
            let counts = untold.phone.counts();
            assert_eq!(counts.trees, 1, "{step} {ms}\n{}", untold.transcript());
            assert!(
                counts.pictures <= 5,
                "one for each look back: {step} {ms} {counts:?}"
            );
        }
    }
}

/// What the phone could not even begin leaves the screen as it was.
#[tokio::test(start_paused = true)]
async fn a_failed_step_costs_no_tree() {
    check(SLOW_TELLING, vec![ILLEGIBLE.into(), DONE.into()], 1, 1, 1).await;
    check(SLOW, vec![ILLEGIBLE.into(), DONE.into()], 2, 1, 0).await;
}

/// A step that touched the phone is looked at anew: one tree, and the picture is the one it came to rest with.
#[tokio::test(start_paused = true)]
async fn a_touch_costs_one_tree() {
    for (kind, ms, pictures) in [
        (QUICK, 0, 1),
        // One picture after the tree says that it is of the first, and one after so long that the page still stands.
        (QUICK, 3000, 3),
        (READER, 0, 1),
        (READER, 3000, 1),
        (SLOW_TELLING, 0, 1),
        (SLOW_TELLING, 3000, 1),
    ] {
        let mut table = on(kind, World::default(), [thinks(ms, CHECKOUT), DONE.into()]);
        table.end().await;
        let counts = table.phone.counts();
        assert_eq!(
            (counts.pictures, counts.trees),
            (pictures, 2),
            "{kind:?} {ms}\n{}",
            table.transcript()
        );
    }
}

/// What never stands still is read anew each time, whatever is told of it.
#[tokio::test(start_paused = true)]
async fn a_moving_page_is_read_every_time() {
    for kind in [SLOW, SLOW_TELLING, QUICK] {
        let mut table = on(kind, World::default(), [WAIT.into(), WAIT.into(), DONE.into()]);
        table.phone.spins();
        table.end().await;
        assert_eq!(table.phone.counts().trees, 3, "{kind:?}\n{}", table.transcript());
    }
}

/// A page that became another one while the model thought is read before anything is judged.
#[tokio::test(start_paused = true)]
async fn what_changed_while_it_was_thought_about_is_read_before_it_is_judged() {
    for kind in [SLOW, SLOW_TELLING, QUICK] {
        let mut table = on(kind, World::default(), [thinks(5000, CHECKOUT), DONE.into()]);
        table.phone.records_trees();
        table.thinking().await;
        table.phone.change(|world| world.page = "paid");
        table.end().await;
        assert_eq!(
            table.phone.record(),
            ["(tree read)", "(tree read)"],
            "{kind:?}: nothing is touched"
        );
        let refused = |what: &What| matches!(what, What::Refused { code, .. } if *code == RefusedBy::Code(RefusalCode::TargetNotFound));
        assert!(
            table.events.iter().any(|event| refused(&event.what)),
            "{}",
            table.transcript()
        );
    }
}

/// Where trees come late a model that looks at pictures is asked with the picture, in its own size and with no list; where they
/// come in time with both.
#[tokio::test(start_paused = true)]
async fn the_model_is_asked_when_the_picture_is_there() {
    for (kind, listed, asked_after) in [(SLOW_TELLING, false, 880), (QUICK, true, 980)] {
        let mut table = on(kind, World::default(), [CHECKOUT.into(), DONE.into()]);
        table.model.wants_beside(100);
        table.end().await;
        let shown = table.model.shown();
        assert_eq!(
            shown[1].now.contains("Its elements, each"),
            listed,
            "{}",
            shown[1].now
        );
        assert_eq!(
            shown[1].now.contains("not listed this time"),
            !listed,
            "{}",
            shown[1].now
        );
        let height = shown[1].picture.as_ref().map(|picture| picture.height);
        assert_eq!(height, Some(if listed { 100 } else { 400 }), "{kind:?}");
        let asked = table.model.asked_at();
        // The tap and its settling; then the tree, where it is waited for.
        assert_eq!(
            asked[1] - asked[0],
            Duration::from_millis(asked_after),
            "{kind:?}"
        );
    }
}

/// An answer that names a number is resolved on the tree that was read meanwhile, and judged on it: never before.
#[tokio::test(start_paused = true)]
async fn numbers_are_those_of_the_tree_that_was_read_meanwhile() {
    for ms in [0, 500, 3000] {
        let pay = r#"{"type": "tap", "target": {"element": 4}}"#;
        let mut table = on(
            SLOW,
            World::default(),
            [CHECKOUT.into(), thinks(ms, pay), DONE.into()],
        );
        table.phone.records_trees();
        let ask = table.question().await;
        assert_eq!(ask.evidence.label.as_deref(), Some("Pay $23.40"), "{ms}");
        assert_eq!(
            ask.evidence.amount.as_ref().map(|amount| amount.text.as_str()),
            Some("$23.40")
        );
        table.answer(&ask, Choice::Approve);
        table.end().await;
        let record = table.phone.record();
        let reads = |line: &&String| *line == "(tree read)";
        let paid = record
            .iter()
            .rposition(|line| line.starts_with("tap"))
            .expect("paid");
        assert_eq!(record[..paid].iter().filter(reads).count(), 2, "{record:?}");
    }
}

/// After a Yes the screen that was asked about is taken for what it was only where that is proven; another is read.
#[tokio::test(start_paused = true)]
async fn after_a_yes_only_what_is_proven_is_not_read_again() {
    for (kind, streams, changes, trees) in [
        (QUICK, false, false, 2),
        (SLOW, false, false, 2),
        (SLOW_TELLING, false, false, 2),
        (SLOW_TELLING, true, false, 2),
        (SLOW, false, true, 3),
        (SLOW_TELLING, true, true, 3),
    ] {
        let mut table = on(kind, World::default(), [CHECKOUT.into(), PAY.into(), DONE.into()]);
        if streams {
            table.phone.streams();
        }
        let ask = table.question().await;
        if changes {
            table.phone.change(|world| world.total = "$23.41".into());
        }
        table.answer(&ask, Choice::Approve);
        let answered = |what: &What| matches!(what, What::Voided { .. } | What::Acting { step: 2, .. });
        table.until("what came of it", answered).await;
        let case = format!("{kind:?} {streams} {changes}\n{}", table.transcript());
        assert_eq!(table.phone.counts().trees, trees, "{case}");
        table.end().await;
        assert_eq!(table.phone.world().paid.is_empty(), changes, "{case}");
    }
}

/// On a bank's page, and wherever a code was wanted, the tree comes first however late it is.
#[tokio::test(start_paused = true)]
async fn where_a_secret_may_be_the_tree_comes_first() {
    let mut table = on(
        SLOW,
        World::on("code"),
        [WAIT.into(), NOWHERE.into(), DONE.into()],
    );
    table.end().await;
    for prompt in table.model.shown() {
        assert!(!prompt.now.contains("not listed this time"), "{}", prompt.now);
    }
}

/// Where the time of a step went is told, step by step.
#[tokio::test(start_paused = true)]
async fn a_steps_time_line_is_told() {
    let mut table = on(
        SLOW,
        World::default(),
        [CHECKOUT.into(), thinks(3000, WAIT), DONE.into()],
    );
    let mut timings = table.handle.timings();
    table.end().await;
    let mut told = Vec::new();
    while let Ok(timing) = timings.try_recv() {
        let moments: Vec<String> = timing
            .moments()
            .iter()
            .map(|(name, at)| format!("{name} {at}"))
            .collect();
        told.push(format!(
            "{}: {}; {}",
            timing.step,
            moments.join(", "),
            timing.took_ms
        ));
    }
    assert_eq!(
        told,
        [
            "1: looked 2060, sent 2060, answered 2060, judged 2460, acted 2540, rested 3340; 3340",
            "2: looked 0, sent 0, answered 3000, judged 3000; 5000",
            "3: looked 400, sent 400, answered 400; 400",
        ]
    );
}

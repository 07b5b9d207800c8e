//! A page where a ring turns: what it is waiting for is what the model is asked about.

use crate::support::{World, start};
use protocol::{Choice, What};
use std::time::Duration;
use tokio::time::Instant;

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
/// Touches the phone, and changes nothing that is seen.
const LOUDER: &str = r#"{"type": "keyevent", "keycode": "KEYCODE_VOLUME_UP"}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
/// What stands where the ring turned.
const LOADED: &str = "Twelve more";

/// Milliseconds that a ring turns after each of the actions, and that a tree takes. Gives what was read in the last request, and how
/// long the run took.
async fn check(actions: &[&str], turns: u64, tree: u64) -> (bool, Duration) {
    let replies = actions.iter().map(|action| (*action).into());
    let mut table = start(World::default(), replies.chain([DONE.into()]));
    table.phone.reads_its_tree_in(tree);
    table.phone.turns(Duration::from_millis(turns), LOADED);
    let began = Instant::now();
    while let Some(event) = table.next().await {
        match event.what {
            What::Asked { ask, .. } => table.answer(&ask, Choice::Approve),
            What::Ended { .. } | What::Paused { .. } => break,
            _ => {}
        }
    }
    let shown = table.model.shown();
    let read = shown.last().is_some_and(|prompt| prompt.now.contains(LOADED));
    (read, began.elapsed())
}

#[tokio::test(start_paused = true)]
async fn what_a_page_is_loading_is_waited_for() {
    for turns in [0, 500, 1_600, 3_000, 4_500] {
        let (read, _) = check(&[CHECKOUT], turns, 300).await;
        assert!(read, "{turns}");
    }
    // Where the tree comes late, the picture is not taken before.
    let (_, at_once) = check(&[CHECKOUT], 0, 2_000).await;
    for turns in [1_600, 3_000] {
        let (_, took) = check(&[CHECKOUT], turns, 2_000).await;
        let later = at_once + Duration::from_millis(turns - 800);
        assert!(took >= later, "{turns}: {took:?}, {later:?}");
    }
}

/// Five seconds, or two and a half where the tree comes late; once, and not again as long as it turns.
#[tokio::test(start_paused = true)]
async fn a_ring_that_never_stops_is_waited_for_once() {
    for (tree, most) in [(300, 5_000), (2_000, 2_500)] {
        let of = |turns| check(&[LOUDER, LOUDER, LOUDER], turns, tree);
        let (read, took) = of(1_000_000).await;
        let (_, still) = of(0).await;
        assert!(!read);
        let waited = took.saturating_sub(still).as_millis();
        assert!((most - 500..most + 3_000).contains(&waited), "{tree}: {waited}");
    }
}

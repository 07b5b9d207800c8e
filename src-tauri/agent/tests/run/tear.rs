//! Something that comes after the picture, is in the tree and goes again: nothing is done by it to what lies underneath.

use crate::support::{Turn, World, start};
use protocol::{Choice, What};
use std::time::Duration;

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
const CANCEL: &str = r#"{"type": "tap", "target": {"text": "Cancel"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

/// What can be told of the screen without a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tells {
    WhatIsDrawn,
    WhatChanges,
    Nothing,
}

/// On the page to pay on, a dialog whose *Cancel* lies over *Pay* is there while the tree is read, and for so long. All times in
/// milliseconds.
async fn check(tells: Tells, tree: u64, thinks: u64, lasts: u64) {
    let cancels = Turn::After(Duration::from_millis(thinks), CANCEL.to_owned());
    let mut table = start(World::default(), [CHECKOUT.into(), cancels, DONE.into()]);
    table.phone.reads_its_tree_in(tree);
    table.phone.blinks(2, Duration::from_millis(lasts));
    match tells {
        Tells::WhatIsDrawn => table.phone.tells_what_is_drawn(),
        Tells::WhatChanges => table.phone.tells_events(),
        Tells::Nothing => {}
    }
    while let Some(event) = table.next().await {
        match event.what {
            What::Asked { ask, .. } => table.answer(&ask, Choice::Deny),
            What::Paused { .. } => break,
            _ => {}
        }
    }
    let of = format!("{tells:?}, tree {tree}, thinks {thinks}, lasts {lasts}");
    let read: Vec<_> = table
        .model
        .shown()
        .iter()
        .map(|prompt| prompt.now.contains("Cancel"))
        .collect();
    // A tree that comes late is read while the model thinks.
    assert_eq!(read[..2], [false, tree <= 400], "{of}: the tree had it");
    assert!(
        table.phone.world().paid.is_empty(),
        "{of}: {}",
        table.transcript()
    );
}

#[tokio::test(start_paused = true)]
async fn what_has_gone_again_is_not_acted_by() {
    for lasts in [1_000, 2_500] {
        for thinks in [1_500, 3_000, 9_000] {
            for tree in [50, 300, 2_000] {
                check(Tells::WhatIsDrawn, tree, thinks, lasts).await;
                check(Tells::WhatChanges, tree, thinks, lasts).await;
                check(Tells::Nothing, tree, thinks, lasts).await;
            }
        }
    }
    for lasts in [50, 300, 700] {
        for tree in [50, 300, 2_000] {
            check(Tells::WhatIsDrawn, tree, 3_000, lasts).await;
            check(Tells::WhatChanges, tree, 3_000, lasts).await;
        }
    }
}

//! Something that comes after the picture, is in the tree and goes again: nothing is done by it to what lies underneath.

use crate::support::{Turn, World, start};
use protocol::{Choice, What};
use std::time::Duration;

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
const CANCEL: &str = r#"{"type": "tap", "target": {"text": "Cancel"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

/// How long a picture takes there.
const PICTURE: u64 = 400;

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
    // A tree that comes late is read while the model thinks; the first of a reader, which holds its start, tells nothing of that.
    let is_waited_for = tree <= 400 || tells == Tells::WhatChanges;
    check_of(None, tells, (tree, thinks, lasts), is_waited_for).await;
}

/// The same with a window of this package; `told`: the model is shown what the dialog says.
async fn check_of(
    package: Option<&'static str>,
    tells: Tells,
    (tree, thinks, lasts): (u64, u64, u64),
    told: bool,
) {
    let cancels = Turn::After(Duration::from_millis(thinks), CANCEL.to_owned());
    let world = World {
        dialog_of: package,
        ..World::default()
    };
    let mut table = start(world, [CHECKOUT.into(), cancels, DONE.into()]);
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
    assert_eq!(read[..2], [false, told], "{of}: the tree had it");
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

/// The system's own dialog goes again, and nothing tells of it: its tree is of another package than the app that the pictures
/// are of.
#[tokio::test(start_paused = true)]
async fn a_window_of_the_system_that_was_there_for_an_instant_is_not_acted_by() {
    for lasts in [1, 300, 600] {
        for tree in [50, 300, 2_000] {
            for thinks in [0, 500, 3_000] {
                let times = (tree, thinks, lasts);
                // One that is still there when the tree is read again is told of, and not acted by once it is gone.
                let told = tree <= 400 && lasts > PICTURE + tree;
                check_of(Some("android"), Tells::Nothing, times, told).await;
            }
        }
    }
}

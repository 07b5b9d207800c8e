//! A model that goes by pictures: asked at once, while the tree is still read; the judge waits for the tree.

use crate::support::{Table, Turn, World, start};
use insta::assert_snapshot;
use protocol::{AskKind, Choice, Op, What};
use std::time::Duration;

const CHECKOUT: &str = r#"{"type": "tap", "x": 200, "y": 430}"#;
const PAY: &str = r#"{"type": "tap", "x": 200, "y": 530}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

fn by_pictures(world: World, replies: impl IntoIterator<Item = Turn>) -> Table {
    let table = start(world, replies);
    table.model.goes_by_pictures();
    table
}

#[tokio::test(start_paused = true)]
async fn the_tree_is_read_while_the_model_thinks_and_the_judge_waits_for_it() {
    let mut table = by_pictures(World::default(), [CHECKOUT.into(), PAY.into(), DONE.into()]);
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Payment);
    let amount = ask.evidence.amount.as_ref().expect("read from the tree");
    assert_eq!(amount.text, "$23.40");
    table.answer(&ask, Choice::Approve);
    table.end().await;
    assert_eq!(table.phone.world().paid.len(), 1);
    let asked = table.model.asked_at();
    // A tap and its settling: nothing was read in between.
    assert_eq!(asked[1] - asked[0], Duration::from_millis(880));
    assert_snapshot!(table.transcript());
}

#[tokio::test(start_paused = true)]
async fn nothing_is_done_when_another_app_came_up_meanwhile() {
    let mut table = by_pictures(
        World::default(),
        [
            CHECKOUT.into(),
            Turn::After(Duration::from_secs(4), PAY.to_owned()),
            DONE.into(),
        ],
    );
    table
        .until("thinking", |what| matches!(what, What::Thinking { step: 2 }))
        .await;
    table.phone.change(|world| world.page = "chat");
    table.end().await;
    assert_snapshot!(table.transcript());
}

#[tokio::test(start_paused = true)]
async fn words_said_meanwhile_reach_the_model_and_the_tree_is_read_once() {
    let mut table = by_pictures(
        World::default(),
        [
            CHECKOUT.into(),
            Turn::After(Duration::from_secs(9), DONE.to_owned()),
            DONE.into(),
        ],
    );
    table
        .until("thinking", |what| matches!(what, What::Thinking { step: 2 }))
        .await;
    let calls = table.phone.calls();
    table
        .handle
        .steer(Op::Say {
            text: "Only look.".into(),
        })
        .await;
    table.end().await;
    let shown = table.model.shown();
    assert_eq!(shown.len(), 3);
    assert!(shown[2].user().contains("Only look."));
    assert!(table.phone.calls() <= calls + 1, "the tree, and nothing else");
}

#[tokio::test(start_paused = true)]
async fn stop_while_the_tree_is_read_does_nothing() {
    let mut table = by_pictures(World::default(), [CHECKOUT.into(), PAY.into()]);
    table
        .until("thinking", |what| matches!(what, What::Thinking { step: 2 }))
        .await;
    let done = table.phone.record();
    table.handle.stop().await;
    table.end().await;
    assert_eq!(table.phone.record(), done);
    assert!(table.phone.world().paid.is_empty());
}

/// The screen is read first: on a bank's pages always, and after a code was wanted everywhere.
#[tokio::test(start_paused = true)]
async fn where_something_is_to_be_kept_the_screen_is_read_first() {
    let mut table = by_pictures(
        World::on("code"),
        [
            r#"{"type": "wait", "durationMs": 500}"#.into(),
            r#"{"type": "launch_app", "packageName": "com.greenleaf.shop"}"#.into(),
            r#"{"type": "wait", "durationMs": 500}"#.into(),
            DONE.into(),
        ],
    );
    table.end().await;
    let read_first = |step: u32| {
        let at = |fits: &dyn Fn(&What) -> bool| table.events.iter().position(|event| fits(&event.what));
        let looked =
            at(&|what| matches!(what, What::Looked { step: s, elements, .. } if *s == step && *elements > 0));
        looked < at(&|what| matches!(what, What::Thinking { step: s } if *s == step))
    };
    assert!((1..=4).all(read_first), "{}", table.transcript());
}

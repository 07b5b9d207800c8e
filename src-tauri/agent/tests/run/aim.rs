//! What an action names, found on the screen as it is now: track id, element, text, box, point.

use crate::support::{Turn, World, start};
use protocol::Choice;
use std::time::Duration;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

/// What a reply comes to on a page: what reaches the phone, and what found it or why nothing was done.
async fn check(page: &'static str, reply: &str, reached: &[&str], told: &str) {
    let mut table = start(World::on(page), [reply.into(), DONE.into()]);
    table.end().await;
    assert_eq!(table.phone.record(), reached, "{reply}");
    assert!(table.outcomes().contains(told), "{reply}: {}", table.outcomes());
}

#[tokio::test(start_paused = true)]
async fn each_way_hands_over_to_the_next() {
    let button = ["tap 135 420"];
    for (reply, found_by) in [
        (
            r#"{"type": "tap", "target": {"element": 2, "text": "Greenleaf"}, "x": 1, "y": 1}"#,
            r#""foundBy":["element"]"#,
        ),
        (
            r#"{"type": "tap", "target": {"element": 77, "text": "checkout"}, "x": 1, "y": 1}"#,
            r#""foundBy":["text_any_case"]"#,
        ),
        (
            r#"{"type": "tap", "target": {"text": "Nowhere", "box": [0, 666, 999, 734]}, "x": 1, "y": 1}"#,
            r#""foundBy":["box"]"#,
        ),
        (
            r#"{"type": "tap", "target": {"text": "Nowhere"}, "x": 135, "y": 420}"#,
            r#""foundBy":["point"]"#,
        ),
    ] {
        check("shop", reply, &button, found_by).await;
    }
    let drag = r#"{"type": "drag", "target": {"text": "Checkout"}, "x2": 135, "y2": 50}"#;
    let mut table = start(World::on("shop"), [drag.into(), DONE.into()]);
    // What is picked up and let go elsewhere may do anything.
    let ask = table.question().await;
    table.answer(&ask, Choice::Approve);
    table.end().await;
    let told = table.outcomes();
    assert!(told.contains(r#""foundBy":["text_exact","point"]"#), "{told}");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_or_fits_several_is_refused() {
    for (page, reply, code) in [
        (
            "shop",
            r#"{"type": "tap", "target": {"text": "Nowhere"}}"#,
            "target_not_found",
        ),
        // Not the middle of the screen.
        (
            "list",
            r#"{"type": "scroll", "direction": "down", "target": {"text": "Nowhere"}}"#,
            "target_not_found",
        ),
        // A point is no way out of it: the text says what was meant.
        (
            "list",
            r#"{"type": "tap", "target": {"text": "Row"}, "x": 135, "y": 300}"#,
            "ambiguous_target",
        ),
    ] {
        check(page, reply, &[], &format!("refused: {code}")).await;
    }
    let several = r#"{"type": "tap", "target": {"text": "Row"}}"#;
    let mut table = start(World::on("list"), [several.into(), DONE.into()]);
    table.end().await;
    let told = table.model.shown()[1].user();
    assert!(told.contains("fit equally well: 3 (text, top)"), "{told}");
}

/// An app is meant by its package, by the name it is known by, and by no word that half of all packages hold.
#[tokio::test(start_paused = true)]
async fn an_action_for_an_app_is_done_where_that_app_is_in_front_by_any_of_its_names() {
    let tap = |app: &str| format!(r#"{{"type": "tap", "target": {{"text": "Checkout"}}, "app": "{app}"}}"#);
    for app in ["com.greenleaf.shop", "Greenleaf", "greenleaf"] {
        check("shop", &tap(app), &["tap 135 420"], "text_exact").await;
    }
    for app in ["shop", "com", "Northbank", "android"] {
        check("shop", &tap(app), &[], "refused: other_app_in_front").await;
    }
}

/// A number of an earlier screen that means another thing by now is not guessed at.
#[tokio::test(start_paused = true)]
async fn a_number_of_an_older_screen_is_refused() {
    let reply = r#"{"type": "tap", "target": {"element": 2, "text": "Send"}, "x": 135, "y": 420}"#;
    let late = Turn::After(Duration::from_secs(5), reply.to_owned());
    let mut table = start(World::on("shop"), [late, DONE.into()]);
    table.thinking().await;
    table.phone.change(|world| world.page = "chat");
    table.end().await;
    assert_eq!(table.phone.record(), [""; 0]);
    assert!(
        table.outcomes().contains("refused: screen_changed"),
        "{}",
        table.outcomes()
    );
}

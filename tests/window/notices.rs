//! The native notification of a question, and its two buttons, pressed where the desktop shows them.

use crate::app::open_still;
use crate::desktop::wait_until;
use serde_json::json;
use std::time::Duration;

/// A task of six steps takes the demo phone half a minute.
const SOON: Duration = Duration::from_secs(90);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn deny_is_a_no_and_review_brings_the_question_to_the_front() {
    let app = open_still(None).await;
    app.begin_with_the_demo_phone().await;
    // What became of a task is another notification: only the question's are counted here.
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-notifications]").await;
    for switch in ["done", "failed", "needs"] {
        app.driven
            .click(&format!("input[data-part=notice-{switch}]"))
            .await;
    }
    app.phones_page().await;
    let shown = || app.desktop.notices() == 1;

    app.run("Order the weekly groceries and pay").await;
    wait_until("the notification", SOON, shown);
    app.desktop.press_notice("Deny");
    wait_until("its going away", SOON, || app.desktop.notices() == 0);
    app.driven.wait_window_gone("approval").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("You said no").await;
    assert_eq!(app.demo_state()[0]["greenleaf"]["orders"], json!([]));

    app.phones_page().await;
    app.run("Order the weekly groceries and pay").await;
    wait_until("the notification", SOON, shown);
    // Somebody works in another window.
    app.desktop.raise("PocketDeck");
    wait_until("the main window in front", SOON, || {
        app.desktop.in_front().trim() == "PocketDeck"
    });
    app.desktop.press_notice("Review");
    wait_until("the question in front", SOON, || {
        app.desktop.in_front().trim() == "PocketDeck has a question"
    });
    // A toast never approves: the question is still open, and is answered in its window.
    app.approval().await;
    app.driven.read("Approve this payment?").await;
    assert_eq!(app.demo_state()[0]["greenleaf"]["orders"], json!([]));
    app.driven.press("Approve $23.40").await;
    app.driven.wait_window_gone("approval").await;
    app.wait_state("the order", |phone| {
        phone["greenleaf"]["orders"]
            .as_array()
            .is_some_and(|orders| orders.len() == 1)
    });
    // Answered in the window, it is gone from the desktop too.
    wait_until("its going away", SOON, || app.desktop.notices() == 0);
    app.driven.quit().await;
}

//! The main job, as a person does it: the demo phone, the demo AI, a payment, a code.

use crate::app::{open, open_still, pictures};
use crate::desktop::{Theme, wait_until};
use crate::search;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn groceries_no_leaves_them_unpaid_and_yes_pays_once() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    app.run("Order the weekly groceries and pay").await;

    app.approval().await;
    app.driven.read("Approve this payment?").await;
    app.driven.read("$23.40").await;
    app.driven.picture(&pictures().join("payment.png")).await;
    app.desktop.screenshot(&pictures().join("desktop-payment.png"));
    wait_until("the notification", Duration::from_secs(20), || {
        let shown = app.desktop.notifications().to_string();
        shown.contains("Anna’s Pixel") && shown.contains("$23.40")
    });
    app.driven.press("Deny").await;
    app.driven.wait_window_gone("approval").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("You said no").await;
    app.driven.read("Nothing was paid").await;
    assert_eq!(app.demo_state()[0]["greenleaf"]["orders"], json!([]));

    app.phones_page().await;
    app.run("Order the weekly groceries and pay").await;
    app.approval().await;
    app.driven.press("Approve $23.40").await;
    app.driven.wait_window_gone("approval").await;
    app.wait_state("the order", |phone| {
        phone["greenleaf"]["orders"]
            .as_array()
            .is_some_and(|orders| !orders.is_empty())
    });
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("You approved").await;
    app.driven.read("Done").await;
    let orders = app.demo_state()[0]["greenleaf"]["orders"].clone();
    assert_eq!(orders.as_array().unwrap().len(), 1, "paid once: {orders}");
    assert_eq!(orders[0]["amount"], json!(2340));
    app.driven.picture(&pictures().join("task-done.png")).await;

    // Both answers are listed, each with its picture.
    app.driven.click("[data-part=nav-approvals]").await;
    app.driven.see("[data-part=nothing-waits]").await;
    app.driven.read("You said no to the payment").await;
    app.driven.read("You approved the payment").await;
    app.driven.see("[data-part=asked][data-mark=yes] img").await;
    app.driven.picture(&pictures().join("approvals.png")).await;
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_code_reaches_the_phone_and_is_found_nowhere_else() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    app.run("Sign in to Northbank").await;

    app.approval().await;
    app.driven.read("The code goes straight to the phone").await;
    wait_until("the text message", Duration::from_secs(30), || {
        crate::app::code_in(&app.demo_state()[0]).is_some()
    });
    let code = app.texted_code();
    app.driven.picture(&pictures().join("code.png")).await;
    app.driven.type_into_focus(&code).await;
    app.driven.press("Send code to phone").await;
    app.driven.wait_window_gone("approval").await;
    app.wait_state("the sign-in", |phone| {
        phone["northbank"]["signedIn"] == json!(true)
    });
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("Done").await;

    let events = app.driven.run("return document.documentElement.outerHTML").await;
    search::assert_absent(&code, "the page", events.to_string().as_bytes());
    let (data, log) = (app.data(), app.log());
    let desktop = app.desktop;
    app.driven.quit().await;
    search::assert_absent(&code, "the log", &std::fs::read(log).unwrap());
    search::assert_absent_below(&code, &data);
    search::assert_absent_below(&code, &desktop.path("home"));
    crate::hostile::assert_code_fields_are_flat(&data, &code).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn killed_in_the_middle_of_a_question_it_repeats_nothing() {
    let app = open_still(None).await;
    app.begin_with_the_demo_phone().await;
    app.run("Order the weekly groceries and pay").await;
    app.approval().await;
    // As a power cut would: nobody gets to say goodbye.
    app.driven.kill_app(&app.desktop);
    let app = app.again().await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("PocketDeck was closed in the middle").await;
    assert!(
        app.driven.find_window("approval").await.is_none(),
        "the question is withdrawn"
    );
    assert_eq!(app.demo_state()[0]["greenleaf"]["orders"], json!([]));
    app.driven.quit().await;
}

//! The icon beside the clock, on a desktop that has a place for it.

use crate::app::{open_with_tray, pictures};
use crate::desktop::{Desktop, Theme, wait_until};
use std::time::Duration;

/// The dot that says a person is needed.
fn is_amber(pixel: &[u8]) -> bool {
    matches!(pixel, [red, green, blue, _] if *red > 200 && (120..190).contains(green) && *blue < 60)
}

/// How many pixels of the tray are amber.
fn amber(desktop: &Desktop, name: &str) -> usize {
    let file = pictures().join(name);
    desktop.screenshot(&file);
    let picture = screen::picture::decode_png(&std::fs::read(file).unwrap()).unwrap();
    let width = picture.width as usize * 4;
    picture
        .rgba
        .chunks_exact(width)
        .take(Desktop::TRAY_HEIGHT)
        .flat_map(|row| row[width - Desktop::TRAY_WIDTH * 4..].chunks_exact(4))
        .filter(|pixel| is_amber(pixel))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn the_icon_beside_the_clock_lists_what_waits_and_leads_there() {
    let app = open_with_tray(Theme::Light).await;
    wait_until("the icon", Duration::from_secs(30), || {
        app.desktop.tray_icon().is_some()
    });
    app.begin_with_the_demo_phone().await;
    assert_eq!(amber(&app.desktop, "tray-quiet.png"), 0);

    app.run("Order the weekly groceries and pay").await;
    app.approval().await;
    wait_until("the dot", Duration::from_secs(20), || {
        amber(&app.desktop, "tray-waits.png") > 0
    });
    // Its menu has the question on top; what it leads to is the window that asks, before all others.
    let (x, y) = app.desktop.tray_icon().unwrap();
    app.desktop.raise("PocketDeck");
    assert!(!app.desktop.menu_is_open());
    app.desktop.press(x, y);
    wait_until("the menu", Duration::from_secs(20), || app.desktop.menu_is_open());
    app.desktop.screenshot(&pictures().join("tray-menu.png"));
    app.desktop.keys(&["Down", "Return"]);
    wait_until("the question in front", Duration::from_secs(20), || {
        app.desktop.in_front().starts_with("PocketDeck has a question")
    });

    // Closed without an answer it comes back for another phone's question, and Review on that one puts it in front.
    app.desktop.press_close("PocketDeck has a question");
    app.driven.wait_window_gone("approval").await;
    app.phones_page().await;
    app.driven.click("[data-part=connect]").await;
    app.driven.click("[data-part=add-demo]").await;
    app.phone_page("Shop phone").await;
    app.give_task("Order the weekly groceries and pay").await;
    app.asked_on("Anna’s Pixel").await;
    app.driven.window("index").await;
    app.driven.click("[data-part=review]").await;
    app.asked_on("Shop phone").await;

    app.deny_all().await;
    wait_until("the dot's end", Duration::from_secs(20), || {
        amber(&app.desktop, "tray-after.png") == 0
    });
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn an_automation_is_begun_from_the_icon_beside_the_clock() {
    let app = open_with_tray(Theme::Light).await;
    app.begin_with_the_demo_phone().await;
    app.driven.click("[data-part=nav-automations]").await;
    app.driven.click("[data-part=automation-new]").await;
    app.fill("[data-part=plan-name]", "Save the battery").await;
    app.fill("[data-part=plan-task]", "Turn on Battery Saver").await;
    // The first phone there is.
    app.driven.click("[data-part=plan-these]").await;
    let phone = "[data-part=plan-phone]";
    if !app.driven.see(phone).await.is_selected().await.unwrap() {
        app.driven.click(phone).await;
    }
    app.driven.click("[data-part=plan-save]").await;
    app.driven.see("[data-part=automation-name]").await;
    let saves = |phone: &serde_json::Value| phone["settings"]["batterySaver"] == true;
    assert!(!saves(&app.demo_state()[0]), "it is off before");

    // Nothing waits: the first entry of the menu that can be chosen is the automation.
    wait_until("the icon", Duration::from_secs(30), || {
        app.desktop.tray_icon().is_some()
    });
    let (x, y) = app.desktop.tray_icon().unwrap();
    app.desktop.press(x, y);
    wait_until("the menu", Duration::from_secs(20), || app.desktop.menu_is_open());
    app.desktop.screenshot(&pictures().join("tray-automation.png"));
    app.desktop.keys(&["Down", "Return"]);
    app.wait_state("the saver", saves);
    app.phone_page("Anna’s Pixel").await;
    app.driven.see("[data-part=answer]").await;
    app.driven.read("Turn on Battery Saver").await;
    app.driven.quit().await;
}

/// Closing while a task goes on asks once. Cancelled, nothing has happened; put away, the task goes on and its question is answered.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn closing_while_a_task_goes_on_asks_and_keeps_it_going() {
    let app = open_with_tray(Theme::Dark).await;
    app.begin_with_the_demo_phone().await;
    app.run("Order the weekly groceries and pay").await;
    app.driven.window("approval").await;
    app.driven.is_dark_as_its_desktop().await;
    let patience = Duration::from_secs(20);
    let close = || app.desktop.press_close("PocketDeck");
    close();
    app.driven.window("index").await;
    app.driven.read("A task is still running").await;
    app.driven
        .dialog("closing", &pictures().join("closing-dark.png"))
        .await;
    app.driven.click("[data-part=closing-cancel]").await;
    app.driven.wait_gone("[data-part=closing]").await;

    close();
    app.driven.click("[data-part=closing-keep]").await;
    // The window that was in front has made way for the one behind it.
    wait_until("the window put away", patience, || {
        app.desktop.in_front().starts_with("PocketDeck has a question")
    });
    app.desktop.screenshot(&pictures().join("closing-kept.png"));
    assert_eq!(app.demo_state()[0]["greenleaf"]["orders"], serde_json::json!([]));
    app.approval().await;
    app.driven.press("Approve $23.40").await;
    app.driven.wait_window_gone("approval").await;
    app.wait_state("the order", |phone| {
        phone["greenleaf"]["orders"]
            .as_array()
            .is_some_and(|orders| orders.len() == 1)
    });
    app.driven.quit().await;
}

//! A task is done once, kept as an automation that repeats it without the AI, and begins by itself at its time: the question it
//! comes to is a native notification, and what came of it stands on its page.

use crate::app::{Opened, open, pictures};
use crate::desktop::{Theme, wait_until};
use serde_json::json;
use std::time::Duration;

const TASK: &str = "Order the weekly groceries and pay";
/// A task of six steps takes the demo phone half a minute, and the next minute may be one away.
const SOON: Duration = Duration::from_secs(180);

/// What a person picks in a field whose own picker belongs to the desktop.
async fn pick(app: &Opened, css: &str, value: &str) {
    app.driven.see(css).await;
    let script = "const [css, value] = arguments; const field = document.querySelector(css); field.value = value; \
                  for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));";
    let driver = &app.driven.driver;
    driver
        .execute(script, vec![json!(css), json!(value)])
        .await
        .unwrap();
}

/// The next minute that is not over before the sheet is saved: its day and its time, by the page's own clock.
async fn soon(app: &Opened) -> (String, String) {
    let script = "const at = new Date(Date.now() + 15000 + 60000); const two = (n) => String(n).padStart(2, '0'); \
                  return [at.getFullYear() + '-' + two(at.getMonth() + 1) + '-' + two(at.getDate()), \
                          two(at.getHours()) + ':' + two(at.getMinutes())];";
    let found = app.driven.run(script).await;
    let text = |at: usize| found[at].as_str().unwrap().to_owned();
    (text(0), text(1))
}

/// The question of a run comes to the desktop; it is answered with No there.
async fn deny_on_the_desktop(app: &Opened) {
    wait_until("the question on the desktop", SOON, || app.desktop.notices() == 1);
    app.desktop.press_notice("Deny");
    wait_until("its going away", SOON, || app.desktop.notices() == 0);
    app.driven.wait_window_gone("approval").await;
    app.driven.window("index").await;
}

/// What an automation is to be given this time is asked for in a dialog; called off, nothing has begun.
async fn call_off(app: &Opened) {
    app.driven.click("[data-part=nav-automations]").await;
    app.driven.click("[data-part=automation-new]").await;
    app.fill("[data-part=plan-name]", "On my way").await;
    app.fill(
        "[data-part=plan-task]",
        "Text {who} that I am {minutes} minutes late",
    )
    .await;
    app.driven.click("[data-part=plan-save]").await;
    app.driven
        .click("[data-part=automations-hand] [data-part=automation-run]")
        .await;
    app.driven.dialog_fits("run-form").await;
    picture(app, "values").await;
    app.driven.click("[data-part=run-cancel]").await;
    app.driven.wait_gone("[data-part=run-form]").await;
}

/// The page as it is now, in light and dark.
async fn picture(app: &Opened, page: &str) {
    let file = |theme: Theme| pictures().join(format!("automations-{page}-{}.png", theme.name()));
    app.driven.picture_in_both_themes(file).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_task_begins_by_itself_and_asks_on_the_desktop() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    // What became of a task is another notification: only the question's are counted here.
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-notifications]").await;
    for switch in ["done", "failed", "needs"] {
        let css = format!("input[data-part=notice-{switch}]");
        app.driven.click(&css).await;
    }
    app.driven.click("[data-part=nav-automations]").await;
    app.driven.see("[data-part=automations-empty]").await;
    picture(&app, "empty").await;

    app.phones_page().await;
    app.run(TASK).await;
    app.approval().await;
    app.driven.press("Approve $23.40").await;
    app.driven.wait_window_gone("approval").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.see("[data-part=answer]").await;
    assert!(!app.driven.page_text().await.contains("No AI"));

    app.driven.click("[data-part=nav-history]").await;
    app.driven.click("[data-part=past-run]").await;
    app.driven.click("[data-part=run-automate]").await;
    app.fill("[data-part=plan-name]", "Groceries").await;
    app.driven.click("[data-part=plan-replays]").await;
    app.driven.click("[data-part=plan-scheduled]").await;
    pick(&app, "[data-part=plan-every]", "once").await;
    let (date, time) = soon(&app).await;
    pick(&app, "[data-part=plan-date]", &date).await;
    pick(&app, "[data-part=plan-time]", &time).await;
    picture(&app, "editor").await;
    app.driven.click("[data-part=plan-save]").await;
    app.driven.see("[data-part=automation-next]").await;
    picture(&app, "list").await;

    // Nobody presses anything: its time comes.
    deny_on_the_desktop(&app).await;
    let orders = app.demo_state()[0]["greenleaf"]["orders"].clone();
    assert_eq!(orders.as_array().map(Vec::len), Some(1), "{orders}");
    app.driven.click("[data-part=automation-name]").await;
    app.driven.see("[data-part=automation-detail]").await;
    app.driven.read("See the steps").await;
    picture(&app, "detail").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.see("[data-part=no-ai]").await;
    picture(&app, "repeated").await;
    call_off(&app).await;
    app.driven.quit().await;
}

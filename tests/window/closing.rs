//! The window is closed while an automation waits to begin: asked once, and put away beside the clock, from where it begins. And
//! the start with the computer, as the system's own folder for it says.

use crate::app::{Opened, open, open_with_tray, pictures};
use crate::desktop::{Theme, wait_until};
use std::path::PathBuf;
use std::time::Duration;

const WINDOW: &str = "PocketDeck";
const TASK: &str = "Order the weekly groceries and pay";
const SOON: Duration = Duration::from_secs(30);

/// An automation that begins by itself every morning.
async fn plan(app: &Opened) {
    app.driven.click("[data-part=nav-automations]").await;
    app.driven.click("[data-part=automation-new]").await;
    app.fill("[data-part=plan-name]", "Groceries").await;
    app.fill("[data-part=plan-task]", TASK).await;
    app.driven.click("[data-part=plan-scheduled]").await;
    app.driven.click("[data-part=plan-save]").await;
    app.driven.see("[data-part=automation-next]").await;
}

/// The menu of the icon: the keys choose in it.
fn choose(app: &Opened, keys: &[&str]) {
    let (x, y) = app.desktop.tray_icon().unwrap();
    app.desktop.press(x, y);
    wait_until("the menu", SOON, || app.desktop.menu_is_open());
    app.desktop.keys(keys);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn closing_asks_once_and_beside_the_clock_an_automation_is_begun() {
    let app = open_with_tray(Theme::Light).await;
    wait_until("the icon", SOON, || app.desktop.tray_icon().is_some());
    app.begin_with_the_demo_phone().await;
    plan(&app).await;

    app.desktop.ask_to_close(WINDOW);
    app.driven.see("[data-part=closing]").await;
    app.driven.read("An automation is waiting").await;
    app.driven.picture(&pictures().join("closing.png")).await;
    app.driven.click("[data-part=closing-cancel]").await;
    app.driven.wait_gone("[data-part=closing][open]").await;
    assert!(app.desktop.shows(WINDOW));

    app.desktop.ask_to_close(WINDOW);
    app.driven.click("[data-part=closing-remember]").await;
    // By the key: who presses in a window that is gone then is told nothing.
    let focus = "document.querySelector('[data-part=closing-keep]').focus();";
    app.driven.run(focus).await;
    app.desktop.keys(&["Return"]);
    wait_until("it is put away", SOON, || !app.desktop.shows(WINDOW));

    // Nothing waits for an answer: of what can be chosen, the automation is the first.
    choose(&app, &["Down", "Return"]);
    wait_until("its question", Duration::from_secs(120), || {
        app.desktop.notices() == 1
    });
    app.desktop.press_notice("Deny");
    wait_until("its going away", SOON, || app.desktop.notices() == 0);

    // Back in front, it is not asked again.
    choose(&app, &["Down", "Down", "Return"]);
    wait_until("it is back", SOON, || app.desktop.shows(WINDOW));
    app.desktop.ask_to_close(WINDOW);
    wait_until("it is put away at once", SOON, || !app.desktop.shows(WINDOW));
    app.driven.quit().await;
}

/// What starts with this desktop, by the folders a desktop looks into.
fn starting(app: &Opened) -> Vec<PathBuf> {
    let folders = ["home/.config/autostart", "home/config/autostart"];
    let files = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(app.desktop.path(folder)).ok());
    files.flatten().flatten().map(|file| file.path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn the_start_with_the_computer_is_written_where_the_desktop_looks_and_taken_away() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-general]").await;
    assert_eq!(starting(&app), Vec::<PathBuf>::new());
    app.driven.click("[data-part=start-with-computer]").await;
    wait_until("the entry", SOON, || starting(&app).len() == 1);
    let entry = std::fs::read_to_string(&starting(&app)[0]).unwrap();
    let starts = entry.lines().find(|line| line.starts_with("Exec=")).unwrap();
    assert!(
        starts.contains("pocketdeck") && starts.ends_with("--in-tray"),
        "{entry}"
    );
    app.driven.click("[data-part=start-with-computer]").await;
    wait_until("its end", SOON, || starting(&app).is_empty());
    app.driven.quit().await;
}

//! One phone on the whole screen, in a window of its own above all others, and carried to another place among the tiles.

use crate::app::{Opened, Plugged, open, pictures};
use crate::desktop::{Theme, wait_until};
use serde_json::json;
use std::time::Duration;
use virtual_phone::system::SystemOptions;

/// The title of the phone's window, as the display is searched for it.
const OWN: &str = "Anna.*Pixel";
const WINDOW_TIMEOUT: Duration = Duration::from_secs(20);

async fn menu(app: &Opened, part: &str) {
    app.driven.click("[data-part=phone-more]").await;
    app.driven.click(&format!("[data-part={part}]")).await;
}

/// The dialogs of a phone's page, one after the other.
async fn dialogs(app: &Opened, theme: &str) {
    menu(app, "phone-rename").await;
    let picture = |name: &str| pictures().join(format!("{name}-{theme}.png"));
    app.driven.dialog("rename", &picture("rename")).await;
    app.driven.click("[data-part=rename-cancel]").await;
    app.driven.wait_gone("[data-part=rename]").await;
    // A letter in a field is a letter.
    app.driven.run("document.activeElement.blur()").await;
    app.desktop.keys(&["question"]);
    app.driven.dialog("shortcuts", &picture("shortcuts")).await;
    app.desktop.keys(&["Escape"]);
    app.driven.wait_gone("[data-part=shortcuts]").await;
}

/// Whether the page is as large as its screen, once it is as it should be.
async fn fills(app: &Opened, should: bool) {
    let until = std::time::Instant::now() + WINDOW_TIMEOUT;
    let script = "return innerWidth === screen.width && innerHeight === screen.height";
    while app.driven.run(script).await != json!(should) {
        assert!(
            std::time::Instant::now() < until,
            "full screen should be {should}"
        );
        app.driven.frames(5).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_phone_fills_the_screen_and_leaves_it() {
    let plugged = Plugged::new(SystemOptions::default()).await;
    let app = open(Theme::Dark, Some(&plugged)).await;
    app.driven.see("[data-part=tile]").await;
    app.phone_page("Anna’s Pixel").await;
    dialogs(&app, "dark").await;
    menu(&app, "phone-full").await;
    app.driven.see("[data-part=leave-full]").await;
    app.driven.wait_gone("[data-part=sidebar]").await;
    fills(&app, true).await;
    app.driven.wait_gone("[data-part=veil]").await;
    app.driven.picture(&pictures().join("phone-full-dark.png")).await;
    app.desktop.keys(&["Escape"]);
    app.driven.see("[data-part=phone-header]").await;
    fills(&app, false).await;
    app.desktop.keys(&["F11"]);
    fills(&app, true).await;
    app.desktop.keys(&["F11"]);
    fills(&app, false).await;
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_phone_has_a_window_of_its_own_above_all_others() {
    let plugged = Plugged::new(SystemOptions::default()).await;
    let app = open(Theme::Light, Some(&plugged)).await;
    app.driven.see("[data-part=tile]").await;
    app.phone_page("Anna’s Pixel").await;
    dialogs(&app, "light").await;
    menu(&app, "phone-own").await;
    app.driven.window("phone").await;
    app.driven.see("[data-part=picture] canvas:not(.blank)").await;
    let above = || app.desktop.state(OWN).contains("_NET_WM_STATE_ABOVE");
    wait_until("the window above all others", WINDOW_TIMEOUT, above);
    app.driven.picture(&pictures().join("phone-own.png")).await;
    app.driven.wait_gone("[data-part=notices]").await;
    // A second wish brings the same one to the front.
    let windows = app.desktop.windows();
    app.driven.window("index").await;
    // Both windows look at the same phone.
    app.driven.see("[data-part=picture] canvas:not(.blank)").await;
    menu(&app, "phone-own").await;
    assert_eq!(app.desktop.windows(), windows);
    // Keys go to the window in front: it is there when the window manager says so.
    let in_front = || {
        app.desktop.raise(OWN);
        app.desktop.in_front().trim().ends_with("Pixel")
    };
    wait_until("the phone's window in front", WINDOW_TIMEOUT, in_front);
    app.desktop.keys(&["alt+F4"]);
    app.driven.wait_window_gone("phone").await;
    app.driven.window("index").await;
    app.driven.see("[data-part=phone-header]").await;
    app.driven.quit().await;
}

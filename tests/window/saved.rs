//! What a person keeps: a password used by name, an export without secrets, and an “Always” that is listed and taken back.

use crate::app::{Plugged, open, pictures};
use crate::desktop::{Theme, wait_until};
use crate::model::ScriptedServer;
use crate::search;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use thirtyfour::prelude::*;
use virtual_phone::system::SystemOptions;

const KEY: &str = "sk-marker-5b1c7e90-7Qx2";
/// The bank knows it.
const PASSWORD: &str = "harbour-9";
const FINISH: &str = r#"{"thought": "Done.", "action": {"type": "finish", "message": "I signed in."}}"#;

/// Whether the webview wrote something below this folder.
pub(crate) fn webview_storage(home: &Path) -> bool {
    search::files(home).iter().any(|file| {
        let below = file.strip_prefix(home).unwrap().to_string_lossy().to_lowercase();
        below.contains("webkit") || below.contains("storage")
    })
}

/// Typed by its name into the bank's own field, and found nowhere else.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_saved_password_signs_in_and_is_found_nowhere_else() {
    let system = SystemOptions {
        start: Some("com.northbank.mobile/.SignInActivity".into()),
        northbank_remembered: false,
        ..SystemOptions::default()
    };
    let plugged = Plugged::new(system).await;
    let app = open(Theme::Light, Some(&plugged)).await;
    let server = ScriptedServer::saying(&[
        r#"{"action": {"type": "type", "text": "anna", "target": {"text": "Your user name"}}}"#,
        r#"{"action": {"type": "type", "text": "{{secret:Northbank password}}", "target": {"text": "Password"}}}"#,
        r#"{"action": {"type": "tap", "target": {"text": "Sign in"}}}"#,
        FINISH,
    ])
    .await;
    app.use_server(&server.address, KEY).await;
    app.driven.click("[data-part=tab-passwords]").await;
    app.driven.see("[data-part=saved-none]").await;
    app.driven.click("[data-part=saved-add]").await;
    app.fill("[data-part=saved-name]", "Northbank password").await;
    let apps = app.driven.see("[data-part=saved-app]:enabled").await;
    let northbank = apps.find(By::XPath("option[. = 'Northbank']")).await.unwrap();
    northbank.click().await.unwrap();
    app.fill("[data-part=saved-value]", PASSWORD).await;
    app.driven.picture(&pictures().join("saved-form.png")).await;
    app.driven.click("[data-part=saved-save]:enabled").await;
    let listed = app.driven.see("[data-part=saved]").await;
    let listed = listed.text().await.unwrap();
    assert!(
        listed.contains("Northbank password") && listed.contains("Only in Northbank"),
        "{listed}"
    );
    app.driven.picture(&pictures().join("saved.png")).await;

    app.phones_page().await;
    app.run("Sign in to Northbank").await;
    wait_until("the bank’s code", Duration::from_secs(90), || {
        plugged.phone.state()["northbank"]["codesSent"] == json!(1)
    });
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("I signed in.").await;
    app.driven.read("Entered “Northbank password”").await;
    assert!(
        app.driven.find_window("approval").await.is_none(),
        "nobody was asked"
    );
    app.driven.picture(&pictures().join("saved-done.png")).await;
    let page = app.driven.run("return document.documentElement.outerHTML").await;
    search::assert_absent(PASSWORD, "the page", page.to_string().as_bytes());
    let kept = app
        .driven
        .run("return JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])")
        .await;
    search::assert_absent(PASSWORD, "the page’s storage", kept.to_string().as_bytes());
    for (number, request) in server.requests().iter().enumerate() {
        search::assert_absent(PASSWORD, &format!("request {}", number + 1), request.as_bytes());
    }
    assert!(
        server.requests()[1].contains("{{secret:Northbank password}}"),
        "the AI hears its name"
    );

    // Taken out again: the list is empty, and so is the keychain.
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-passwords]").await;
    app.driven.click("[data-part=saved-remove]").await;
    app.driven.see("[data-part=saved-none]").await;

    let (data, log) = (app.data(), app.log());
    let desktop = app.desktop;
    app.driven.quit().await;
    search::assert_absent(PASSWORD, "the log", &std::fs::read(log).unwrap());
    search::assert_absent_below(PASSWORD, &data);
    // What the webview keeps is there too.
    let home = desktop.path("home");
    assert!(
        webview_storage(&home),
        "the webview keeps its data below {}",
        home.display()
    );
    search::assert_absent_below(PASSWORD, &home);
    search::assert_absent_below(KEY, &home);
    crate::hostile::assert_code_fields_are_flat(&data, PASSWORD).await;
}

/// What was asked stands in an export, and nothing that was supplied.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn an_export_holds_no_code() {
    let app = open(Theme::Light, None).await;
    app.begin_with_the_demo_phone().await;
    app.run("Sign in to Northbank").await;
    app.approval().await;
    wait_until("the text message", Duration::from_secs(30), || {
        crate::app::code_in(&app.demo_state()[0]).is_some()
    });
    let code = app.texted_code();
    app.driven.type_into_focus(&code).await;
    app.driven.press("Send code to phone").await;
    app.driven.wait_window_gone("approval").await;
    app.wait_state("the sign-in", |phone| {
        phone["northbank"]["signedIn"] == json!(true)
    });
    app.driven.window("index").await;
    app.driven.click("[data-part=nav-approvals]").await;
    app.driven.see("[data-part=asked]").await;
    app.driven.click("[data-part=export]").await;
    let home = app.desktop.path("home");
    let mut folder = None;
    wait_until("the export", Duration::from_secs(30), || {
        folder = exported(&home);
        folder.is_some()
    });
    let folder = folder.unwrap();
    let desktop = app.desktop;
    app.driven.quit().await;
    search::assert_absent_below(&code, &folder);
    let mut pictures_seen = 0;
    for file in search::files(&folder) {
        let bytes = std::fs::read(&file).unwrap();
        let picture = screen::picture::decode_jpeg(&bytes).or_else(|_| screen::picture::decode_png(&bytes));
        if let Ok(picture) = picture {
            search::assert_absent(&code, "an exported picture", &picture.rgba);
            pictures_seen += 1;
        } else {
            let table = String::from_utf8_lossy(&bytes).into_owned();
            assert!(table.contains("Entered, 6 characters"), "{table}");
        }
    }
    assert!(pictures_seen > 0);
    assert!(webview_storage(&home));
    search::assert_absent_below(&code, &home);
    drop(desktop);
}

fn exported(home: &Path) -> Option<std::path::PathBuf> {
    let entries = search::files(home);
    let table = entries
        .iter()
        .find(|file| file.extension().is_some_and(|end| end == "csv"))?;
    table.parent().map(Path::to_path_buf)
}

/// “Always” from the question to the settings, and taken back there.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn always_is_listed_in_the_settings_and_taken_back_there() {
    let system = SystemOptions {
        start: Some("com.android.settings/.Settings$DisplaySettingsActivity".into()),
        ..SystemOptions::default()
    };
    let plugged = Plugged::new(system).await;
    let app = open(Theme::Light, Some(&plugged)).await;
    let tap = r#"{"action": {"type": "tap", "target": {"text": "Dark theme"}}}"#;
    let turns: Vec<&str> = [tap, FINISH].repeat(9);
    let server = ScriptedServer::saying(&turns).await;
    app.use_server(&server.address, KEY).await;
    app.driven.click("[data-part=tab-safety]").await;
    app.driven.see("[data-part=standing-none]").await;
    app.driven.click("[data-part=level-everything]").await;
    let dark = || plugged.phone.state()["settings"]["darkTheme"].clone();
    let turned = |to: bool| {
        wait_until("the touch", Duration::from_secs(60), || dark() == json!(to));
    };

    // A Yes to switching it on, and one to switching it off, twice each: only then may it be for good.
    for to in [true, false, true, false] {
        app.phones_page().await;
        app.run("Change the theme").await;
        app.approval().await;
        let always = app.driven.driver.find(By::Css("[data-part=always-choice]")).await;
        assert!(always.is_err());
        app.driven.press("Allow once").await;
        app.driven.wait_window_gone("approval").await;
        turned(to);
        app.driven.window("index").await;
        app.phone_page("Anna’s Pixel").await;
        app.driven.read("I signed in.").await;
    }
    app.phones_page().await;
    app.run("Change the theme").await;
    app.approval().await;
    app.choose_always().await;
    app.driven.wait_window_gone("approval").await;
    turned(true);
    app.driven.window("index").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("I signed in.").await;
    // Switching it off is another thing, and asked.
    app.phones_page().await;
    app.run("Change the theme").await;
    app.approval().await;
    app.driven.press("Allow once").await;
    app.driven.wait_window_gone("approval").await;
    turned(false);

    // The next task is not asked about.
    app.driven.window("index").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.read("I signed in.").await;
    app.phones_page().await;
    app.run("Change the theme").await;
    turned(true);
    assert!(app.driven.find_window("approval").await.is_none());
    app.driven.window("index").await;
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-safety]").await;
    app.driven.picture(&pictures().join("always.png")).await;
    app.driven.click("[data-part=standing-revoke]").await;
    app.driven.see("[data-part=standing-none]").await;
    app.driven.quit().await;
}

/// The settings page turns nothing off by itself: the approval window asks, and Deny leaves it on.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_switch_is_turned_off_in_the_approval_window() {
    let plugged = Plugged::new(SystemOptions::default()).await;
    let app = open(Theme::Light, Some(&plugged)).await;
    app.driven.click("[data-part=nav-settings]").await;
    app.driven.click("[data-part=tab-safety]").await;
    app.driven.click("[data-part=switch-sending]").await;
    app.driven
        .read("PocketDeck is asking you about this in a separate window.")
        .await;
    app.driven.window("approval").await;
    app.driven.read("Stop asking before sending messages?").await;
    app.driven.picture(&pictures().join("change.png")).await;
    app.driven.press("Deny").await;
    app.driven.wait_window_gone("approval").await;
    app.driven.window("index").await;
    app.driven.see("[data-part=switch-sending]:checked").await;
    app.driven.click("[data-part=switch-sending]").await;
    app.confirm("Stop asking").await;
    app.driven.see("[data-part=switch-sending]:not(:checked)").await;
    // What tightens needs nobody.
    app.driven.click("[data-part=switch-sending]").await;
    app.driven.see("[data-part=switch-sending]:checked").await;
    app.driven.quit().await;
}

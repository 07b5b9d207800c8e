//! Settings: switches, the brightness, what the pages tell, updates of apps.

use crate::support::{Says, Setup, check};
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn switches_are_turned() {
    for (goal, pointer, on, says) in [
        (
            "Turn on Battery Saver",
            "/settings/batterySaver",
            true,
            "Battery Saver is on.",
        ),
        ("Turn off Wi‑Fi", "/settings/wifi", false, "Wi-Fi is off."),
        (
            "switch the wifi off please",
            "/settings/wifi",
            false,
            "Wi-Fi is off.",
        ),
        (
            "Turn off Bluetooth",
            "/settings/bluetooth",
            false,
            "Bluetooth is off.",
        ),
        (
            "Enable airplane mode",
            "/settings/airplaneMode",
            true,
            "Airplane mode is on.",
        ),
        (
            "Switch to the dark theme",
            "/settings/darkTheme",
            true,
            "Dark theme is on.",
        ),
        (
            "Disable auto-rotate",
            "/settings/autoRotate",
            false,
            "Auto-rotate is off.",
        ),
    ] {
        check(Setup::new(goal).says([Says::Yes]), says, &[(pointer, json!(on))]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_so_already_is_left_so() {
    for (goal, pointer, on, says) in [
        (
            "Turn off Battery Saver",
            "/settings/batterySaver",
            false,
            "Battery Saver was off already.",
        ),
        ("Turn on Wi‑Fi", "/settings/wifi", true, "Wi-Fi was on already."),
        (
            "Turn on Bluetooth",
            "/settings/bluetooth",
            true,
            "Bluetooth was on already.",
        ),
        (
            "Switch to light mode",
            "/settings/darkTheme",
            false,
            "Dark theme was off already.",
        ),
        (
            "Turn off flight mode",
            "/settings/airplaneMode",
            false,
            "Airplane mode was off already.",
        ),
    ] {
        check(Setup::new(goal), says, &[(pointer, json!(on))]).await;
    }
    // On and off again, in one go.
    check(
        Setup::new("Turn on Battery Saver, then turn off Battery Saver"),
        "Battery Saver is on. Battery Saver is off.",
        &[("/settings/batterySaver", json!(false))],
    )
    .await;
    let dark = Setup::new("Turn on dark mode").with(|options| options.dark = true);
    check(
        dark,
        "Dark theme was on already.",
        &[("/settings/darkTheme", json!(true))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_brightness_is_set() {
    for (goal, low, high) in [
        ("Set the brightness to 70%", 65, 75),
        ("Dim the screen", 5, 15),
        ("full brightness", 95, 100),
    ] {
        let run = check(Setup::new(goal), "The brightness is at", &[]).await;
        let percent = run.state("/settings/brightness").as_i64().unwrap() * 100 / 255;
        assert!(
            (low..=high).contains(&percent),
            "{goal}: {percent}\n{}",
            run.transcript()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_settings_tell_is_told() {
    for (goal, says) in [
        ("Which Android version is this?", "Android version: 14."),
        ("What uses the most storage?", "The most storage is taken by"),
        ("Show the battery settings", "Battery is open."),
        ("What is the device name?", "Device name: Anna’s Pixel."),
        ("What is my phone number?", "Phone number: "),
    ] {
        check(Setup::new(goal), says, &[]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn updates_are_installed_after_a_yes() {
    let goal = "Install the waiting app updates, then turn on Battery Saver";
    check(
        Setup::new(goal).says([Says::Yes]),
        "The 4 app updates are installed. Battery Saver is on.",
        &[
            ("/store/pending", json!([])),
            ("/settings/batterySaver", json!(true)),
        ],
    )
    .await;
    let run = check(
        Setup::new(goal).says([Says::No]),
        "You said no, so the app updates were not installed: 4 wait. Battery Saver is on.",
        &[
            ("/settings/batterySaver", json!(true)),
            ("/store/installed", json!([])),
        ],
    )
    .await;
    assert_eq!(run.state("/store/pending").as_array().map(Vec::len), Some(4));
    check(
        Setup::new("Are there any app updates?"),
        "App updates waiting: 4",
        &[("/store/installed", json!([]))],
    )
    .await;
    check(
        Setup::new("Update all apps, then update all apps").says([Says::Yes, Says::Yes]),
        "The 4 app updates are installed. There is nothing to install: all apps are up to date.",
        &[("/store/pending", json!([]))],
    )
    .await;
}

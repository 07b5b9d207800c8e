//! The phone's sound in the window: not asked for before it is wanted, heard as it sounds, over when it is ended or the page is left.

use crate::app::{NO_SCRCPY, Opened, Plugged, open_with_scrcpy, pictures};
use crate::desktop::Theme;
use crate::skipped::skipped;
use serde_json::Value;
use std::time::{Duration, Instant};
use virtual_phone::system::SystemOptions;

/// Longer than anything here takes.
const BOUND: Duration = Duration::from_secs(60);
/// So much of it is listened to.
const SECONDS: f64 = 3.0;

/// What the window plays, once it is so.
async fn listen(app: &Opened, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + BOUND;
    loop {
        let heard = app.driven.run("return window.listen();").await;
        if is_so(&heard) {
            return heard;
        }
        assert!(Instant::now() < until, "{what}: {heard}");
        app.driven.frames(3).await;
    }
}

/// How many servers were started on the phone for its sound.
fn servers(plugged: &Plugged) -> usize {
    let commands = plugged.phone.record().commands();
    commands
        .iter()
        .filter(|command| command.contains("audio=true"))
        .count()
}

async fn toggle(app: &Opened) {
    app.driven.click("[data-part=phone-more]").await;
    app.driven.click("[data-part=sound-row]").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_phone_is_heard_while_it_is_looked_at() {
    let plugged = Plugged::new(SystemOptions::default()).await;
    let Some(app) = open_with_scrcpy(Theme::Light, &plugged).await else {
        return skipped(NO_SCRCPY);
    };
    app.driven.see("[data-part=tile]").await;
    app.phone_page("Anna’s Pixel").await;
    app.comes_by("scrcpy").await;
    assert_eq!(servers(&plugged), 0, "nobody wanted to hear it");
    app.driven.run(include_str!("heard.js")).await;
    toggle(&app).await;
    app.driven.see("[data-part=sound-sign]").await;
    let number = |heard: &Value, name: &str| heard[name].as_f64().unwrap_or(0.0);
    let heard = listen(&app, "three seconds", |heard| {
        number(heard, "frames") >= SECONDS * 48_000.0 && number(heard, "currentTime") >= SECONDS
    })
    .await;
    println!("heard: {heard}");
    assert_eq!(heard["state"], "running");
    assert_eq!(number(&heard, "sampleRate"), 48_000.0);
    // A tone of 440 Hz passes nothing 880 times a second; its encoder begins with silence.
    let crossings = number(&heard, "crossings") / (number(&heard, "frames") / 48_000.0);
    assert!((860.0..900.0).contains(&crossings), "{crossings} a second");
    assert!(number(&heard, "loudest") > 0.05, "nothing comes out: {heard}");
    // Nothing waits longer than this to be heard.
    assert!(number(&heard, "ahead") <= 0.33, "{heard}");
    app.driven.picture(&pictures().join("phone-sound.png")).await;

    app.driven.click("[data-part=sound-sign]").await;
    listen(&app, "it is ended", |heard| heard["state"] == "closed").await;
    app.driven.wait_gone("[data-part=sound-sign]").await;

    // Left without a word: over all the same.
    toggle(&app).await;
    listen(&app, "it goes on", |heard| {
        heard["state"] == "running" && number(heard, "frames") > 24_000.0
    })
    .await;
    assert_eq!(servers(&plugged), 2);
    app.phones_page().await;
    listen(&app, "the page is left", |heard| heard["state"] == "closed").await;
    app.driven.quit().await;
}

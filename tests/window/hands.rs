//! A person's own hand on the mirror in the real window, and what the phone saw of it.

use crate::app::{NO_SCRCPY, Opened, Plugged, open, open_with_scrcpy, pictures};
use crate::desktop::Theme;
use crate::skipped::skipped;
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;
use virtual_phone::Received;
use virtual_phone::system::SystemOptions;

async fn plugged() -> Plugged {
    Plugged::new(SystemOptions {
        start: Some("com.android.settings/.Settings".to_owned()),
        ..SystemOptions::default()
    })
    .await
}

/// The phone's page with its mirror, and the finger's pad on it, once the phone is ready for fingers.
async fn pad(app: &Opened) -> WebElement {
    app.driven.see("[data-part=tile]").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.see("[data-part=touch-pad][data-follows=true]").await
}

/// The display, as it stands.
fn size(plugged: &Plugged) -> (f64, f64) {
    let display = plugged.phone.with(|android| android.display());
    (f64::from(display.width), f64::from(display.height))
}

/// What the phone's finger did since: action and place as shares of the display.
fn finger(plugged: &Plugged, since: usize) -> Vec<(&'static str, f64, f64)> {
    let (width, height) = size(plugged);
    let entries = plugged.phone.record().entries();
    let seen = entries.iter().skip(since).filter_map(|entry| match entry.what {
        Received::Finger { action, x, y } => Some((action, f64::from(x) / width, f64::from(y) / height)),
        _ => None,
    });
    seen.collect()
}

/// Waits until the phone saw it.
async fn until(what: &str, mut is: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is() {
        assert!(Instant::now() < deadline, "{what} never reached the phone");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn lifted(seen: &[(&str, f64, f64)]) -> bool {
    seen.last().is_some_and(|(action, ..)| *action == "up")
}

/// A finger of the window's is a phone's pixel off at most, and what the window rounds.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.01
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_hand_on_the_mirror_reaches_the_phone() {
    let plugged = plugged().await;
    let app = open(Theme::Light, Some(&plugged)).await;
    let pad = pad(&app).await;
    let rect = pad.rect().await.unwrap();
    let begin = || plugged.phone.record().entries().len();

    // A drag: from below the middle up, by way of a place between.
    let since = begin();
    let to = |share: f64| ((share - 0.5) * rect.height) as i64;
    app.driven
        .driver
        .action_chain()
        .move_to_element_with_offset(&pad, 0, to(0.75))
        .click_and_hold()
        .move_to_element_with_offset(&pad, 0, to(0.5))
        .move_to_element_with_offset(&pad, 0, to(0.25))
        .release()
        .perform()
        .await
        .unwrap();
    until("a drag", || lifted(&finger(&plugged, since))).await;
    let seen = finger(&plugged, since);
    let (first, last) = (seen[0], seen[seen.len() - 1]);
    assert!(
        first.0 == "down" && near(first.1, 0.5) && near(first.2, 0.75),
        "{seen:?}"
    );
    assert!(near(last.1, 0.5) && near(last.2, 0.25), "{seen:?}");
    assert!(
        seen.iter().any(|one| one.0 == "move" && one.2 > 0.3),
        "its way: {seen:?}"
    );

    // A wheel: what is below comes up, the finger goes the other way.
    let since = begin();
    app.driven
        .driver
        .execute(
            "const box = arguments[0].getBoundingClientRect(); arguments[0].dispatchEvent(new WheelEvent('wheel', { \
             deltaY: 200, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, \
             cancelable: true }));",
            vec![pad.to_json().unwrap()],
        )
        .await
        .unwrap();
    until("a wheel's turn", || lifted(&finger(&plugged, since))).await;
    let seen = finger(&plugged, since);
    assert!(seen[0].2 - seen[seen.len() - 1].2 > 0.1, "{seen:?}");

    // The keyboard: a key, and text in a field.
    app.driven.click("[data-part=tool-keyboard]").await;
    let since = begin();
    let field = app.driven.driver.active_element().await.unwrap();
    field.send_keys("hi there").await.unwrap();
    until("text", || {
        let entries = plugged.phone.record().entries();
        let text: String = entries
            .iter()
            .skip(since)
            .filter_map(|entry| match entry.what {
                Received::Text { character } => Some(character),
                _ => None,
            })
            .collect();
        text.replace(' ', "") == "hithere"
    })
    .await;
    app.driven.click("[data-part=key-back]").await;
    until("Back", || {
        let entries = plugged.phone.record().entries();
        entries
            .iter()
            .skip(since)
            .any(|entry| matches!(entry.what, Received::Key { code: 4, .. }))
    })
    .await;
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn two_fingers_come_of_the_modifier() {
    let plugged = plugged().await;
    let Some(app) = open_with_scrcpy(Theme::Dark, &plugged).await else {
        return skipped(NO_SCRCPY);
    };
    let pad = pad(&app).await;
    app.comes_by("scrcpy").await;
    app.driven
        .picture(&pictures().join("phone-scrcpy-dark.png"))
        .await;
    let since = plugged.phone.record().entries().len();
    let height = pad.rect().await.unwrap().height;
    let from_middle = |share: f64| -(share * height) as i64;
    app.driven
        .driver
        .action_chain()
        .key_down(Key::Control)
        .move_to_element_with_offset(&pad, 0, from_middle(0.1))
        .click_and_hold()
        .move_to_element_with_offset(&pad, 0, from_middle(0.2))
        .release()
        .key_up(Key::Control)
        .perform()
        .await
        .unwrap();
    until("two fingers", || lifted(&finger(&plugged, since))).await;
    let entries = plugged.phone.record().entries();
    let other: Vec<_> = entries
        .iter()
        .skip(since)
        .filter_map(|entry| match entry.what {
            Received::OtherFinger { action, x, y, .. } => Some((action, x, y)),
            _ => None,
        })
        .collect();
    let one = finger(&plugged, since);
    assert_eq!(
        (one[0].0, other[0].0, other[other.len() - 1].0),
        ("down", "down", "up")
    );
    let (width, height) = size(&plugged);
    let apart = |at: usize| {
        let (x, y) = (f64::from(other[at].1) / width, f64::from(other[at].2) / height);
        ((one[at].1 - x) * width).hypot((one[at].2 - y) * height)
    };
    let larger = apart(one.len() - 1) / apart(0);
    assert!(
        (1.8..2.2).contains(&larger),
        "twice as far from the middle: {larger}"
    );
    app.driven.quit().await;
}

/// The system's own question appears; looking at a phone does not wait for it. What is named there is written.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_screenshot_asks_where_it_should_go() {
    let plugged = plugged().await;
    let app = open(Theme::Light, Some(&plugged)).await;
    let _pad = pad(&app).await;
    let before = app.desktop.windows();
    app.driven.click("[data-part=tool-screenshot]").await;
    until("the question where to save", || app.desktop.windows() > before).await;
    app.desktop.screenshot(&pictures().join("screenshot-where.png"));
    app.driven.click("[data-part=key-home]").await;
    until("Home, while it is asked", || {
        let entries = plugged.phone.record().entries();
        entries
            .iter()
            .any(|entry| matches!(entry.what, Received::Key { code: 3, .. }))
    })
    .await;
    let file = app.desktop.path("home/My phone.png");
    assert_eq!(app.desktop.in_front().trim(), "Save File");
    app.desktop.write(file.to_str().unwrap());
    app.desktop.keys(&["Return"]);
    until("the picture", || app.desktop.windows() == before && file.exists()).await;
    let picture = screen::picture::decode_png(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(
        (picture.width, picture.height),
        (1080, 2400),
        "the phone's own pixels"
    );
    app.driven.picture(&pictures().join("screenshot-saved.png")).await;
    app.driven.quit().await;
}

/// A file dragged out of another program and dropped on a phone is in its Downloads; an app is asked about first.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn a_file_is_dropped_on_the_phone_and_an_app_is_asked_about() {
    let plugged = plugged().await;
    let mut app = open(Theme::Light, Some(&plugged)).await;
    let _pad = pad(&app).await;
    let pushed = |name: &str| {
        let entries = plugged.phone.record().entries();
        entries
            .iter()
            .any(|entry| matches!(&entry.what, Received::Push { path, .. } if path.contains(name)))
    };
    for (name, theme) in [("Tickets.pdf", "light"), ("Game.apk", "ask")] {
        let file = app.desktop.path("home").join(name);
        std::fs::write(&file, b"%PDF-1.7 two seats").unwrap();
        let (left, top) = app.desktop.corner("PocketDeck");
        let middle = app
            .driven
            .run(
                "const box = document.querySelector('[data-part=picture]').getBoundingClientRect(); \
                 return [box.x + box.width / 2, box.y + box.height / 2];",
            )
            .await;
        let at = |n: usize| middle[n].as_f64().unwrap() as i32;
        app.desktop.drag(&file, (left + at(0), top + at(1)));
        app.driven.read("Drop to send to Anna’s Pixel").await;
        app.desktop
            .screenshot(&pictures().join(format!("drop-over-{theme}.png")));
        app.desktop.drop_it();
        if name.ends_with("apk") {
            app.driven.read("Install Game.apk on Anna’s Pixel?").await;
            app.driven.picture(&pictures().join("drop-install.png")).await;
            app.driven.press("Cancel").await;
            assert!(
                !pushed(name),
                "nothing goes before the answer, and nothing after a no"
            );
        } else {
            app.driven
                .read("Tickets.pdf is in Downloads on Anna’s Pixel.")
                .await;
            app.driven.picture(&pictures().join("drop-there.png")).await;
            assert!(pushed(name));
        }
        app.desktop.close("Files");
    }
    app.driven.quit().await;
}

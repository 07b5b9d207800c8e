//! The icon beside the clock: how many questions wait, and the way to them. It answers nothing.
//!
//! Where a desktop has no place for it, there is none, and nothing else is missing: the badge, the notification and the
//! window say the same.

use crate::automation_notices;
use crate::closing::{self, Closings};
use crate::notices::question;
use crate::windows;
use crate::{approval_window, errors::ShellError};
use engine::{Engine, ModelChoice, words};
use protocol::{Ask, AskId, AutomationCard, News, OpenAsks, VariableKind};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tauri::image::Image;
use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItemBuilder};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager, Runtime};
use tokio::sync::mpsc::UnboundedReceiver;

const SHOW: &str = "show";
const QUIT: &str = "quit";
/// A question's entry is named by the question.
const REVIEW: &str = "review ";
/// An automation's entry is named by the automation.
const RUN: &str = "run ";
/// More are counted, not listed.
const LISTED: usize = 8;
/// The colour that says a person is needed.
const AMBER: [u8; 4] = [0xe7, 0x9a, 0x0c, 0xff];

/// Shows the icon, and keeps it as the questions are.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    // On Linux the library behind it is looked for only now, and its binding gives up loudly where there is none.
    let built = catch_unwind(AssertUnwindSafe(|| build(app)));
    let tray = match built {
        Ok(Ok(tray)) => tray,
        Ok(Err(error)) => {
            tracing::info!(%error, "no icon beside the clock");
            return;
        }
        Err(_) => {
            tracing::info!("no icon beside the clock: this system has no library for it");
            return;
        }
    };
    let has_place = has_place();
    app.state::<Closings>().set_tray(has_place);
    if has_place && closing::is_in_tray() {
        windows::put_away(app, true);
    }
    let (app, mut open, mut spoken) = (app.clone(), engine.open_asks(), words::spoken());
    let (engine, mut news) = (engine.clone(), engine.listen());
    tauri::async_runtime::spawn(async move {
        let mut cards = engine.automations().await.unwrap_or_default();
        loop {
            let now = open.borrow_and_update().clone();
            if let Err(error) = show(&app, &tray, &now, &cards) {
                tracing::info!(%error, "the icon beside the clock does not follow");
            }
            let goes_on = tokio::select! {
                changed = open.changed() => changed.is_ok(),
                changed = spoken.changed() => changed.is_ok(),
                told = automations(&mut news) => told.map(|told| cards = told).is_some(),
            };
            if !goes_on {
                return;
            }
        }
    });
}

/// How automations are, once that is another than it was; none where nobody tells it any more.
async fn automations(news: &mut UnboundedReceiver<News>) -> Option<Vec<AutomationCard>> {
    loop {
        if let News::Automations { automations } = news.recv().await? {
            return Some(automations);
        }
    }
}

/// Whether the desktop has a place for icons beside the clock: not every Linux desktop has.
#[cfg(target_os = "linux")]
fn has_place() -> bool {
    let is_there = || -> zbus::Result<bool> {
        let bus = zbus::blocking::Connection::session()?;
        let watcher = zbus::blocking::Proxy::new(
            &bus,
            "org.kde.StatusNotifierWatcher",
            "/StatusNotifierWatcher",
            "org.kde.StatusNotifierWatcher",
        )?;
        watcher.get_property("IsStatusNotifierHostRegistered")
    };
    is_there().unwrap_or_else(|error| {
        tracing::info!(%error, "this desktop has no place for an icon beside the clock");
        false
    })
}

/// Every other system has one.
#[cfg(not(target_os = "linux"))]
const fn has_place() -> bool {
    true
}

fn build<R: Runtime>(app: &AppHandle<R>) -> Result<TrayIcon<R>, ShellError> {
    let mut tray = TrayIconBuilder::with_id("asks")
        .menu(&menu(app, &OpenAsks::default(), &[])?)
        .show_menu_on_left_click(true)
        .on_menu_event(act);
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    Ok(tray.build(app)?)
}

fn show<R: Runtime>(
    app: &AppHandle<R>,
    tray: &TrayIcon<R>,
    open: &OpenAsks,
    cards: &[AutomationCard],
) -> Result<(), ShellError> {
    let waiting = open.asks.len();
    tray.set_menu(Some(menu(app, open, cards)?))?;
    if let Some(icon) = app.default_window_icon() {
        let icon = if waiting == 0 { icon.clone() } else { marked(icon) };
        tray.set_icon(Some(icon))?;
    }
    // Linux and macOS write the count beside the icon, Windows shows the words when the pointer rests on it.
    tray.set_title((waiting > 0).then(|| waiting.to_string()))?;
    let words = match open.asks.first() {
        Some(ask) => line(ask),
        None => words::get("notices.nothing"),
    };
    Ok(tray.set_tooltip(Some(words))?)
}

/// What waits, each leading to its question; the automations that can be begun without a word; then the window, then the end.
fn menu<R: Runtime>(
    app: &AppHandle<R>,
    open: &OpenAsks,
    cards: &[AutomationCard],
) -> Result<Menu<R>, ShellError> {
    let mut menu = MenuBuilder::new(app);
    if open.asks.is_empty() {
        let nothing = MenuItemBuilder::new(words::get("notices.nothing")).enabled(false);
        menu = menu.item(&nothing.build(app)?);
    }
    for ask in open.asks.iter().take(LISTED) {
        menu = menu.item(&MenuItemBuilder::with_id(format!("{REVIEW}{}", ask.id), line(ask)).build(app)?);
    }
    let more = open.asks.len().saturating_sub(LISTED);
    if more > 0 {
        let more = words::fill("notices.more", &[("n", &more.to_string())]);
        menu = menu.item(&MenuItemBuilder::new(more).enabled(false).build(app)?);
    }
    let begun: Vec<&AutomationCard> = cards.iter().filter(|card| needs_no_word(card)).collect();
    if !begun.is_empty() {
        menu = menu.separator();
    }
    for card in begun.into_iter().take(LISTED) {
        let name = words::fill("notices.run_automation", &[("name", &card.automation.plan.name)]);
        menu = menu.text(format!("{RUN}{}", card.automation.id), name);
    }
    let menu = menu
        .separator()
        .text(SHOW, words::get("notices.show"))
        .text(QUIT, words::get("notices.quit"));
    Ok(menu.build()?)
}

/// Whether it can be begun as it is: nothing is asked for before it begins.
fn needs_no_word(card: &AutomationCard) -> bool {
    let mut variables = card.automation.plan.variables.iter();
    variables.all(|one| one.kind == VariableKind::Secret || (!one.ask && !one.value.trim().is_empty()))
}

/// Begins an automation; why it did not begin is told.
fn begin<R: Runtime>(app: &AppHandle<R>, id: &str) {
    let (app, id) = (app.clone(), id.to_owned());
    tauri::async_runtime::spawn(async move {
        let engine = app.state::<Engine>().inner().clone();
        let cards = engine.automations().await.unwrap_or_default();
        let Some(card) = cards.iter().find(|card| card.automation.id.0 == id) else {
            return;
        };
        let begun = engine
            .run_automation(&card.automation.id, &BTreeMap::new(), &ModelChoice::Settings)
            .await;
        if let Err(failure) = begun {
            automation_notices::not_begun(&app, card, words::failed(&failure));
        }
    });
}

/// Which phone, and what about.
fn line(ask: &Ask) -> String {
    let values = [("phone", ask.phone_name.as_str()), ("question", &question(ask))];
    words::fill("notices.waiting", &values)
}

fn act<R: Runtime>(app: &AppHandle<R>, event: MenuEvent) {
    match event.id().as_ref() {
        SHOW => windows::raise_main(app),
        QUIT => app.exit(0),
        id => {
            if let Some(id) = id.strip_prefix(RUN) {
                return begin(app, id);
            }
            let Some(id) = id.strip_prefix(REVIEW) else { return };
            // Answered meanwhile: there is nothing to show.
            approval_window::review(app, &app.state::<Engine>(), &AskId(id.to_owned()));
        }
    }
}

/// The icon with an amber dot in its corner.
fn marked(icon: &Image<'_>) -> Image<'static> {
    let (width, height) = (icon.width(), icon.height());
    let radius = i64::from(width.min(height)) / 4;
    let (middle_x, middle_y) = (i64::from(width) - radius - 1, radius);
    let mut rgba = icon.rgba().to_vec();
    let row = usize::try_from(width).unwrap_or(1).max(1);
    for (at, pixel) in rgba.chunks_exact_mut(4).enumerate() {
        let x = i64::try_from(at % row).unwrap_or(0) - middle_x;
        let y = i64::try_from(at / row).unwrap_or(0) - middle_y;
        if x * x + y * y <= radius * radius {
            pixel.copy_from_slice(&AMBER);
        }
    }
    Image::new_owned(rgba, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_a_value_is_not_begun_from_here() {
        let check = |variable: serde_json::Value, expected: bool| {
            let card = serde_json::json!({
                "automation": {
                    "id": "a", "madeAt": 1, "name": "Late", "task": "Text {who}", "phones": {"on": "all"},
                    "variables": [variable]
                },
                "latest": [],
            });
            assert_eq!(
                needs_no_word(&serde_json::from_value(card).unwrap()),
                expected,
                "{variable}"
            );
        };
        for (variable, expected) in [
            (serde_json::json!({"name": "who", "value": "Dana"}), true),
            (serde_json::json!({"name": "who", "kind": "secret"}), true),
            (
                serde_json::json!({"name": "who", "value": "Dana", "ask": true}),
                false,
            ),
            (serde_json::json!({"name": "who"}), false),
        ] {
            check(variable, expected);
        }
    }

    #[test]
    fn the_dot_is_in_the_corner_and_the_rest_as_it_was() {
        let plain = Image::new_owned(vec![7; 32 * 32 * 4], 32, 32);
        let marked = marked(&plain);
        let pixel = |x: usize, y: usize| &marked.rgba()[(y * 32 + x) * 4..(y * 32 + x) * 4 + 4];
        assert_eq!(pixel(23, 8), AMBER);
        for (x, y) in [(0, 0), (0, 31), (31, 31), (10, 8), (23, 20)] {
            assert_eq!(pixel(x, y), [7; 4], "{x} {y}");
        }
    }
}

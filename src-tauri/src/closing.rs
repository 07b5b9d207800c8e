//! Closing the main window: while tasks go on or automations begin by themselves the person is asked once, and the answer is
//! kept. Where the program starts with the computer is asked of the system, and told to it.

use crate::windows;
use engine::Engine;
use protocol::{
    AutomationCard, Closing, Failure, FailureCode, News, OccurrenceState, SettingsPatch, WhenClosed,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::ipc::Channel;
use tauri::{AppHandle, CloseRequestApi, Manager, Runtime, State, Window};
use tauri_plugin_autostart::ManagerExt;

/// With it the program begins beside the clock: it was started with the computer.
pub(crate) const IN_TRAY: &str = "--in-tray";

/// What closing has to know.
#[derive(Default)]
pub struct Closings {
    state: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    has_tray: bool,
    planned: u32,
    told: Option<Channel<Closing>>,
}

impl Closings {
    fn state(&self) -> MutexGuard<'_, Known> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is an icon beside the clock.
    pub(crate) fn set_tray(&self, has_tray: bool) {
        self.state().has_tray = has_tray;
    }

    /// Asks the page; whether there is one to ask.
    fn ask(&self, closing: Closing) -> bool {
        let told = self.state().told.clone();
        told.is_some_and(|told| told.send(closing).is_ok())
    }
}

/// Counts what begins by itself.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    let (app, engine) = (app.clone(), engine.clone());
    let mut news = engine.listen();
    tauri::async_runtime::spawn(async move {
        if let Ok(cards) = engine.automations().await {
            app.state::<Closings>().state().planned = planned(&cards);
        }
        while let Some(one) = news.recv().await {
            if let News::Automations { automations } = one {
                app.state::<Closings>().state().planned = planned(&automations);
            }
        }
    });
}

/// How many begin by themselves, those that wait for their phone among them: what the person began is forgotten when the
/// program ends.
fn planned(cards: &[AutomationCard]) -> u32 {
    let begins = |card: &&AutomationCard| {
        let automation = &card.automation;
        let is_planned = card.next.is_some() || automation.plan.trigger.is_some();
        let mut latest = card.latest.iter();
        (automation.held.is_none() && is_planned)
            || latest.any(|one| matches!(one.state, OccurrenceState::Waiting { .. }))
    };
    u32::try_from(cards.iter().filter(begins).count()).unwrap_or(u32::MAX)
}

/// What becomes of a window that is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closed {
    /// The program ends with it.
    Ends,
    /// It is put away.
    Away,
    /// The person is asked.
    Asks,
}

fn closed(wanted: WhenClosed, closing: Closing) -> Closed {
    if closing.running == 0 && closing.planned == 0 {
        return Closed::Ends;
    }
    match wanted {
        WhenClosed::Ask => Closed::Asks,
        WhenClosed::KeepRunning => Closed::Away,
        WhenClosed::Quit => Closed::Ends,
    }
}

/// The person closes the main window.
pub(crate) fn requested<R: Runtime>(window: &Window<R>, api: &CloseRequestApi) {
    let app = window.app_handle();
    let Some(engine) = app.try_state::<Engine>() else {
        return;
    };
    let closings = app.state::<Closings>();
    let closing = {
        let known = closings.state();
        Closing {
            has_tray: known.has_tray,
            running: u32::try_from(engine.running()).unwrap_or(u32::MAX),
            planned: known.planned,
        }
    };
    match closed(engine.settings().when_closed, closing) {
        Closed::Ends => {}
        Closed::Away => {
            api.prevent_close();
            windows::put_away(app, closing.has_tray);
        }
        Closed::Asks => {
            // Where no page hears it, nobody could answer: it closes.
            if closings.ask(closing) {
                api.prevent_close();
            }
        }
    }
}

/// Hears that the window is being closed, and what is to be asked.
#[tauri::command]
pub fn watch_closing(closings: State<'_, Closings>, channel: Channel<Closing>) {
    closings.state().told = Some(channel);
}

/// The person's answer; kept for the next time where they want it to be.
///
/// # Errors
/// When it cannot be written down; then nothing is closed.
#[tauri::command]
pub async fn close_window<R: Runtime>(
    app: AppHandle<R>,
    engine: State<'_, Engine>,
    choice: WhenClosed,
    remember: bool,
) -> Result<(), Failure> {
    if remember {
        let patch = SettingsPatch {
            when_closed: Some(choice),
            ..SettingsPatch::default()
        };
        engine.patch_settings(patch).await?;
    }
    match choice {
        WhenClosed::Ask => {}
        WhenClosed::KeepRunning => {
            let has_tray = app.state::<Closings>().state().has_tray;
            windows::put_away(&app, has_tray);
        }
        WhenClosed::Quit => app.exit(0),
    }
    Ok(())
}

/// Whether the program starts with the computer, as the system says.
///
/// # Errors
/// When the system does not say.
#[tauri::command]
pub fn starts_with_computer<R: Runtime>(app: AppHandle<R>) -> Result<bool, Failure> {
    app.autolaunch().is_enabled().map_err(|error| unset(&error))
}

/// Lets the program start with the computer, or not any more; how it is then, as the system says.
///
/// # Errors
/// When the system does not take it.
#[tauri::command]
pub fn start_with_computer<R: Runtime>(app: AppHandle<R>, on: bool) -> Result<bool, Failure> {
    let start = app.autolaunch();
    let set = if on {
        start.enable()
    } else if start.is_enabled().unwrap_or(true) {
        start.disable()
    } else {
        Ok(())
    };
    set.and_then(|()| start.is_enabled())
        .map_err(|error| unset(&error))
}

fn unset(error: &tauri_plugin_autostart::Error) -> Failure {
    tracing::warn!(%error, "whether the program starts with the computer is not set");
    Failure {
        detail: Some(error.to_string()),
        ..FailureCode::NotNow.into()
    }
}

/// Whether the program was started with the computer.
pub(crate) fn is_in_tray() -> bool {
    std::env::args().any(|argument| argument == IN_TRAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(wanted: WhenClosed, running: u32, planned: u32, expected: Closed) {
        for has_tray in [false, true] {
            let closing = Closing {
                has_tray,
                running,
                planned,
            };
            assert_eq!(closed(wanted, closing), expected);
        }
    }

    #[test]
    fn it_is_asked_where_something_would_end_with_the_window() {
        for (wanted, expected) in [
            (WhenClosed::Ask, Closed::Asks),
            (WhenClosed::KeepRunning, Closed::Away),
            (WhenClosed::Quit, Closed::Ends),
        ] {
            check(wanted, 1, 0, expected);
            check(wanted, 0, 2, expected);
            check(wanted, 0, 0, Closed::Ends);
        }
    }

    #[test]
    fn what_begins_by_itself_is_counted_where_it_is_on() {
        let card = |next: Option<u64>, trigger: bool, held: Option<&str>, state: Option<Value>| {
            let trigger = trigger.then(|| json!({"when": "connected"}));
            let latest = state.map(|state| {
                json!({
                    "automation": "a", "phone": "moto", "phoneName": "Spare Moto", "due": 1, "by": "person",
                    "state": state, "at": 1,
                })
            });
            let card = json!({
                "automation": {
                    "id": "a", "madeAt": 1, "name": "Morning", "task": "Read", "phones": {"on": "all"},
                    "trigger": trigger, "held": held
                },
                "next": next,
                "latest": Vec::from_iter(latest),
            });
            serde_json::from_value(card).unwrap()
        };
        let waits = json!({"state": "waiting", "because": "missing"});
        let over = json!({"state": "skipped", "because": "asleep"});
        let cards: [AutomationCard; 6] = [
            card(Some(5), false, None, None),
            card(None, true, None, None),
            card(None, true, Some("failures"), None),
            card(None, false, None, None),
            // Begun by hand, it waits for its phone.
            card(None, false, None, Some(waits)),
            card(None, false, None, Some(over)),
        ];
        assert_eq!(planned(&cards), 3);
    }
}

//! Native notifications of automations: one waits for its phone, was not done, or was paused after failures. A click opens its
//! page. What became of a run that began is told by `run_notices`.

use crate::notices::{TAP, number};
use crate::windows;
use engine::{Engine, words};
use protocol::{
    AutomationCard, AutomationHold, AutomationId, Millis, News, NoticeSettings, Occurrence, OccurrenceState,
    PhoneId, StartedBy, WaitReason,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_notification::NotificationExt;

/// Which automation a shown notification leads to.
#[derive(Default)]
pub(crate) struct AutomationNotices {
    automations: Mutex<BTreeMap<i32, AutomationId>>,
}

impl AutomationNotices {
    fn automations(&self) -> MutexGuard<'_, BTreeMap<i32, AutomationId>> {
        self.automations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one notification says, and of which automation.
#[derive(Debug, PartialEq, Eq)]
struct Notice {
    automation: AutomationId,
    title: String,
    body: String,
}

/// What was told of automations last.
#[derive(Default)]
struct Known {
    /// The newest time of each automation on each phone, and how far it was.
    times: BTreeMap<(AutomationId, PhoneId), (Millis, OccurrenceState)>,
    held: BTreeMap<AutomationId, Option<AutomationHold>>,
    /// How they were before the program looked is history.
    is_current: bool,
}

/// Raises them as they come.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    let (app, engine) = (app.clone(), engine.clone());
    let mut news = engine.listen();
    tauri::async_runtime::spawn(async move {
        let mut known = Known::default();
        while let Some(one) = news.recv().await {
            let News::Automations { automations } = one else {
                continue;
            };
            for notice in known.take(&automations, engine.settings().notices) {
                if !windows::main_is_looked_at(&app) {
                    raise(&app, notice);
                }
            }
        }
    });
}

/// Says what a click on one does: its page comes to the front.
///
/// # Errors
/// When the plugin has no place for that.
pub(crate) fn register<R: Runtime>(app: &AppHandle<R>) -> Result<(), tauri_plugin_notification::Error> {
    let handle = app.clone();
    app.notification().on_action(move |performed| {
        let Some(shown) = performed.notification().filter(|_| performed.action_id() == TAP) else {
            return;
        };
        let automation = handle
            .state::<AutomationNotices>()
            .automations()
            .remove(&shown.id());
        if let Some(automation) = automation {
            windows::open_automation(&handle, &automation);
        }
    })
}

/// Shows one, in the place of an earlier one of the same automation.
fn raise<R: Runtime>(app: &AppHandle<R>, notice: Notice) {
    let id = number(&format!("automation {}", notice.automation));
    app.state::<AutomationNotices>()
        .automations()
        .insert(id, notice.automation);
    let shown = app
        .notification()
        .builder()
        .id(id)
        .title(notice.title)
        .body(notice.body)
        .show();
    if let Err(error) = shown {
        tracing::warn!(%error, "no notification could be shown");
    }
}

/// Tells that one could not be begun from the icon beside the clock.
pub(crate) fn not_begun<R: Runtime>(app: &AppHandle<R>, card: &AutomationCard, why: String) {
    raise(
        app,
        Notice {
            automation: card.automation.id.clone(),
            title: words::fill(
                "notices.automation_not_done",
                &[("name", &card.automation.plan.name)],
            ),
            body: why,
        },
    );
}

impl Known {
    /// What is new of them, in words.
    fn take(&mut self, cards: &[AutomationCard], wanted: NoticeSettings) -> Vec<Notice> {
        let mut notices = Vec::new();
        for card in cards {
            let id = &card.automation.id;
            let held = card.automation.held;
            let before = self.held.insert(id.clone(), held);
            let is_paused = held == Some(AutomationHold::Failures) && before != Some(held);
            if is_paused && self.is_current && wanted.failed {
                let body = words::get("notices.automation_paused_body");
                notices.push(notice(card, "notices.automation_paused", body));
            }
            for one in &card.latest {
                let at = (id.clone(), one.phone.clone());
                let now = (one.due, one.state.clone());
                let is_news = self.times.insert(at, now.clone()) != Some(now);
                // What the person began they look at.
                if is_news && self.is_current && one.by != StartedBy::Person {
                    notices.extend(of_time(card, one, wanted));
                }
            }
        }
        let there = |id: &AutomationId| cards.iter().any(|card| card.automation.id == *id);
        self.times.retain(|(id, _), _| there(id));
        self.held.retain(|id, _| there(id));
        self.is_current = true;
        notices
    }
}

/// What is said of one time, where anything is.
fn of_time(card: &AutomationCard, one: &Occurrence, wanted: NoticeSettings) -> Option<Notice> {
    let phone = [("phone", one.phone_name.as_str())];
    match &one.state {
        // Another task is done soon, and nobody has to do anything for it.
        OccurrenceState::Waiting {
            because: WaitReason::Busy,
        } => None,
        OccurrenceState::Waiting { because } if wanted.needs_you => {
            let body = words::fill(&format!("automations.waiting.{}", words::tag(because)), &phone);
            Some(notice(card, "notices.automation_waits", body))
        }
        OccurrenceState::Skipped { because, failure } if wanted.failed => {
            let body = match failure {
                Some(code) => words::failed(&(*code).into()),
                None => words::fill(&format!("automations.skipped.{}", words::tag(because)), &phone),
            };
            Some(notice(card, "notices.automation_not_done", body))
        }
        _ => None,
    }
}

fn notice(card: &AutomationCard, title: &str, body: String) -> Notice {
    Notice {
        automation: card.automation.id.clone(),
        title: words::fill(title, &[("name", &card.automation.plan.name)]),
        body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn card(state: Value, held: Option<&str>) -> AutomationCard {
        let latest = json!([{
            "automation": "a", "phone": "moto", "phoneName": "Spare Moto", "due": 5, "by": "schedule", "state": state, "at": 6
        }]);
        serde_json::from_value(json!({
            "automation": {
                "id": "a", "madeAt": 1, "name": "Morning", "task": "Read", "phones": {"on": "all"}, "held": held
            },
            "latest": latest,
        }))
        .unwrap()
    }

    fn waits(because: &str) -> Value {
        json!({"state": "waiting", "because": because})
    }

    #[track_caller]
    fn check(before: AutomationCard, now: AutomationCard, expected: &[(&str, &str)]) {
        let mut known = Known::default();
        assert_eq!(
            known.take(&[before], NoticeSettings::default()),
            [],
            "history is not told"
        );
        let told = known.take(std::slice::from_ref(&now), NoticeSettings::default());
        let said: Vec<(String, String)> = told.into_iter().map(|one| (one.title, one.body)).collect();
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(title, body)| {
                let title = words::fill(&format!("notices.{title}"), &[("name", "Morning")]);
                (title, words::fill(body, &[("phone", "Spare Moto")]))
            })
            .collect();
        assert_eq!(said, expected);
        assert_eq!(known.take(&[now], NoticeSettings::default()), [], "once");
    }

    #[test]
    fn what_waits_what_was_not_done_and_what_is_paused_is_told_once() {
        let running = json!({"state": "running", "run": "r"});
        for (because, said) in [
            ("missing", true),
            ("locked", true),
            ("low_battery", true),
            ("busy", false),
        ] {
            let body = format!("automations.waiting.{because}");
            let expected = [("automation_waits", body.as_str())];
            check(
                card(running.clone(), None),
                card(waits(because), None),
                if said { &expected } else { &[] },
            );
        }
        check(
            card(waits("missing"), None),
            card(json!({"state": "skipped", "because": "phone_missing"}), None),
            &[("automation_not_done", "automations.skipped.phone_missing")],
        );
        check(
            card(running.clone(), None),
            card(running.clone(), Some("failures")),
            &[("automation_paused", "notices.automation_paused_body")],
        );
        check(card(running.clone(), None), card(running, Some("person")), &[]);
    }
}

//! Native notifications of what became of a task: it is done, it could not go on, or it waits for the person. Each has its
//! switch in the settings; a click opens that phone's page. What the person looks at anyway raises none.

use crate::notices::{TAP, number};
use crate::windows;
use engine::{Engine, words};
use protocol::{
    Attention, AutomationRun, Ending, Event, FailureCode, News, NoticeSettings, PauseReason, PhoneId, RunId,
    What,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_notification::NotificationExt;
use tokio::sync::mpsc::UnboundedReceiver;

/// Characters of an answer that are shown.
const LONGEST: usize = 160;

/// Which phone a shown notification leads to.
#[derive(Default)]
pub(crate) struct RunNotices {
    phones: Mutex<BTreeMap<i32, PhoneId>>,
}

impl RunNotices {
    fn phones(&self) -> MutexGuard<'_, BTreeMap<i32, PhoneId>> {
        self.phones.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one notification says.
#[derive(Debug, PartialEq, Eq)]
struct Notice {
    title: String,
    body: String,
}

/// Raises them as they come. What happened before is history, and raises none.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    let (app, engine) = (app.clone(), engine.clone());
    let mut news = engine.listen();
    let mut known = Known::of_history(&mut news);
    tauri::async_runtime::spawn(async move {
        while let Some(one) = news.recv().await {
            let raised = known.hear(one, engine.settings().notices);
            if let Some((event, notice)) = raised
                && !windows::main_is_looked_at(&app)
            {
                raise(&app, &event, notice);
            }
        }
    });
}

/// What was told before that a notification speaks of.
#[derive(Default)]
struct Known {
    names: BTreeMap<PhoneId, String>,
    automations: BTreeMap<RunId, AutomationRun>,
}

impl Known {
    /// What a new listener is told first, all of which is there already. No clock tells it from what comes: one that is
    /// set back would keep everything quiet until it is where it was.
    fn of_history(news: &mut UnboundedReceiver<News>) -> Self {
        let mut known = Self::default();
        while let Ok(one) = news.try_recv() {
            known.hear(one, NoticeSettings::default());
        }
        known
    }

    /// Takes one in; what is said of it, where anything is.
    fn hear(&mut self, one: News, wanted: NoticeSettings) -> Option<(Event, Notice)> {
        match one {
            News::Phones { phones, .. } => {
                self.names = phones.into_iter().map(|phone| (phone.id, phone.name)).collect();
                None
            }
            News::Run { event } => {
                if let What::Started {
                    automation: Some(of), ..
                } = &event.what
                {
                    self.automations.insert(event.run.clone(), of.clone());
                }
                let name = self.names.get(&event.phone).map_or("", String::as_str);
                let of = self.automations.get(&event.run);
                let notice = notice(&event.what, name, of, wanted);
                if matches!(event.what, What::Ended { .. }) {
                    self.automations.remove(&event.run);
                }
                Some((event, notice?))
            }
            _ => None,
        }
    }
}

/// Says what a click on one does: its phone's page comes to the front.
///
/// # Errors
/// When the plugin has no place for that.
pub(crate) fn register<R: Runtime>(app: &AppHandle<R>) -> Result<(), tauri_plugin_notification::Error> {
    let handle = app.clone();
    app.notification().on_action(move |performed| {
        let Some(shown) = performed.notification().filter(|_| performed.action_id() == TAP) else {
            return;
        };
        let phone = handle.state::<RunNotices>().phones().remove(&shown.id());
        if let Some(phone) = phone {
            windows::open_phone(&handle, &phone);
        }
    })
}

fn raise<R: Runtime>(app: &AppHandle<R>, event: &Event, notice: Notice) {
    // A later word on the same task takes the place of an earlier one.
    let id = number(&format!("run {}", event.run));
    app.state::<RunNotices>().phones().insert(id, event.phone.clone());
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

/// What is said of it, where anything is. `of`: the automation it is a run of.
fn notice(what: &What, phone: &str, of: Option<&AutomationRun>, wanted: NoticeSettings) -> Option<Notice> {
    let name = of.map_or("", |of| of.name.as_str());
    let titled = |title: &str, body: String| {
        Some(Notice {
            title: words::fill(title, &[("phone", phone), ("name", name)]),
            body,
        })
    };
    let is_quiet = of.is_some_and(|of| of.attention == Attention::Quiet);
    match what {
        What::Started { .. }
            if wanted.needs_you && of.is_some_and(|of| of.attention == Attention::Watched) =>
        {
            titled("notices.watch", words::get("notices.watch_body"))
        }
        What::Ended {
            ending: Ending::Finished { .. },
            ..
        } if is_quiet => None,
        What::Ended {
            ending: Ending::Finished { message, declined },
            ..
        } if wanted.done => {
            let title = if *declined {
                "notices.declined"
            } else {
                "notices.done"
            };
            let first = message.lines().map(str::trim).find(|line| !line.is_empty());
            let body = first.map_or_else(|| words::get("notices.done_body"), shortened);
            titled(title, body)
        }
        What::Ended {
            ending: Ending::Failed { failure },
            ..
        } if wanted.failed => {
            let title = if of.is_some() {
                "notices.automation_failed"
            } else {
                "notices.failed"
            };
            titled(title, words::failed(failure))
        }
        What::Paused { reason } if wanted.needs_you => titled(
            "notices.title",
            words::get(&format!("paused.{}.short", waiting(reason)?)),
        ),
        _ => None,
    }
}

/// By what name a pause that waits for the person has its sentence; none for one the person made, or that ends by itself.
fn waiting(reason: &PauseReason) -> Option<&'static str> {
    Some(match reason {
        PauseReason::Person | PauseReason::TimedOut { .. } => return None,
        PauseReason::Look { failure } => match failure.code {
            FailureCode::PhoneLocked => "locked",
            FailureCode::PhoneUnauthorized => "unauthorized",
            // A moment later it is listed otherwise.
            FailureCode::PhoneConnecting => return None,
            code if engine::is_unusable(code) => "unusable",
            // Tried again by the program itself.
            FailureCode::PhoneSlow | FailureCode::PhoneRefused | FailureCode::AdbSilent => return None,
            _ => "look",
        },
        PauseReason::Unclear => "unclear",
        PauseReason::Repeating => "repeating",
        PauseReason::Denied => "denied",
        PauseReason::ManyQuestions => "many_questions",
        PauseReason::Unapproved { .. } => "unapproved",
        PauseReason::Limit { .. } => "limit",
        PauseReason::PhoneGone => "phone_gone",
        PauseReason::Model { .. } => "model",
        PauseReason::Journal { .. } => "journal",
        PauseReason::Protected => "protected",
    })
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LONGEST - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(what: Value, wanted: NoticeSettings, expected: Option<(&str, &str)>) {
        check_of(what, None, wanted, expected);
    }

    fn check_of(
        what: Value,
        attention: Option<&str>,
        wanted: NoticeSettings,
        expected: Option<(&str, &str)>,
    ) {
        let what: What = serde_json::from_value(what).unwrap();
        let of = attention.map(|attention| {
            let of = json!({"id": "a", "name": "Morning", "by": "schedule", "replay": true, "attention": attention});
            serde_json::from_value(of).unwrap()
        });
        let said = notice(&what, "Spare Moto", of.as_ref(), wanted);
        let expected = expected.map(|(title, body)| Notice {
            title: title.to_owned(),
            body: body.to_owned(),
        });
        assert_eq!(said, expected, "{what:?}");
    }

    /// The clock is set back by hours once the window is open.
    #[test]
    fn what_comes_is_said_whatever_the_clock_shows_and_what_was_is_not() {
        let event = |run: &str, at: u64, what: Value| {
            let mut event = json!({"run": run, "phone": "moto", "seq": 1, "at": at});
            event
                .as_object_mut()
                .unwrap()
                .extend(what.as_object().unwrap().clone());
            let event: Event = serde_json::from_value(event).unwrap();
            News::Run { event }
        };
        let of =
            json!({"id": "a", "name": "Morning", "by": "schedule", "replay": true, "attention": "usual"});
        let started =
            json!({"what": "started", "goal": "Read", "model": "m", "demoAi": false, "automation": of});
        let failed = json!({"what": "ended", "ending": {"how": "failed", "failure": {"code": "phone_gone"}}});
        let phone = json!({
            "id": "moto", "name": "Spare Moto", "state": "device", "transport": "usb", "demo": false,
        });
        let phones = vec![serde_json::from_value(phone).unwrap()];
        let looking = false;
        let (told, mut news) = tokio::sync::mpsc::unbounded_channel();
        for one in [
            News::Phones { phones, looking },
            event("old", 9_000, failed.clone()),
            event("new", 9_000, started),
        ] {
            told.send(one).unwrap();
        }
        let mut known = Known::of_history(&mut news);
        assert!(news.is_empty());
        let said = known.hear(event("new", 1_000, failed), NoticeSettings::default());
        let names = [("phone", "Spare Moto"), ("name", "Morning")];
        assert_eq!(
            said.unwrap().1.title,
            words::fill("notices.automation_failed", &names)
        );
    }

    fn paused(reason: Value) -> Value {
        json!({"what": "paused", "reason": reason})
    }

    #[test]
    fn a_quiet_replay_tells_that_it_failed_alone_and_the_first_is_to_be_watched() {
        let all = NoticeSettings::default();
        let done = json!({"what": "ended", "ending": {"how": "finished", "message": "Ordered"}});
        let title = words::fill("notices.done", &[("phone", "Spare Moto")]);
        check_of(done.clone(), Some("quiet"), all, None);
        check_of(done, Some("usual"), all, Some((&title, "Ordered")));
        let failed = json!({"what": "ended", "ending": {"how": "failed", "failure": {"code": "phone_gone"}}});
        let names = [("phone", "Spare Moto"), ("name", "Morning")];
        let title = words::fill("notices.automation_failed", &names);
        let body = words::get("failures.phone_gone");
        check_of(failed, Some("quiet"), all, Some((&title, &body)));
        let started = json!({"what": "started", "goal": "Read", "model": "m", "demoAi": false});
        let title = words::fill("notices.watch", &names);
        check_of(
            started.clone(),
            Some("watched"),
            all,
            Some((&title, &words::get("notices.watch_body"))),
        );
        check_of(started, Some("quiet"), all, None);
    }

    #[test]
    fn the_end_and_what_waits_is_said_where_it_is_wanted() {
        let all = NoticeSettings::default();
        let none = NoticeSettings {
            sound: true,
            done: false,
            failed: false,
            needs_you: false,
        };
        let done = json!({"what": "ended", "ending": {"how": "finished", "message": "\n Ordered, $23.40 \nThursday"}});
        let title = words::fill("notices.done", &[("phone", "Spare Moto")]);
        check(done.clone(), all, Some((&title, "Ordered, $23.40")));
        check(done, none, None);
        let silent = json!({"what": "ended", "ending": {"how": "finished", "message": ""}});
        check(silent, all, Some((&title, &words::get("notices.done_body"))));
        let failed = json!({"what": "ended", "ending": {"how": "failed", "failure": {"code": "phone_gone"}}});
        let title = words::fill("notices.failed", &[("phone", "Spare Moto")]);
        check(
            failed.clone(),
            all,
            Some((&title, &words::get("failures.phone_gone"))),
        );
        check(failed, none, None);
        check(json!({"what": "ended", "ending": {"how": "stopped"}}), all, None);
        let title = words::fill("notices.title", &[("phone", "Spare Moto")]);
        for (reason, key) in [
            (
                json!({"why": "model", "failure": {"code": "model_offline"}}),
                "model",
            ),
            (json!({"why": "limit", "limit": "dollars"}), "limit"),
            (
                json!({"why": "look", "failure": {"code": "phone_locked"}}),
                "locked",
            ),
            (
                json!({"why": "look", "failure": {"code": "phone_recovery"}}),
                "unusable",
            ),
        ] {
            let body = words::get(&format!("paused.{key}.short"));
            check(paused(reason.clone()), all, Some((&title, &body)));
            check(paused(reason), none, None);
        }
        check(paused(json!({"why": "person"})), all, None);
        check(
            paused(json!({"why": "look", "failure": {"code": "phone_slow"}})),
            all,
            None,
        );
    }
}

//! What phones notify of, looked for where an automation waits for it: a quarter of a minute apart, whatever else goes on there.
//! Nothing of it is kept.

use super::state::TriggerEvent;
use super::time::TimeOfDay;
use crate::engine::Inner;
use crate::{Engine, EngineError};
use adb::dumpsys::notifications::Notification;
use futures::future::join_all;
use protocol::{Millis, PhoneId, PhoneState, Trigger};
use schedule::decide::covers;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};
use store::KeptAutomation;

/// How often phones are asked.
const EVERY: Millis = 15_000;

/// What each phone showed the last time it was asked.
type ShownNotifications = BTreeMap<PhoneId, BTreeSet<Notification>>;

/// Asks for as long as the engine lives.
pub(super) async fn follow(engine: Weak<Inner>, time: Arc<dyn TimeOfDay>) {
    let mut seen = ShownNotifications::new();
    loop {
        {
            let Some(inner) = engine.upgrade() else { return };
            if let Err(error) = (Engine { inner }).hear_notifications(&mut seen).await {
                tracing::warn!(%error, "which notifications are waited for could not be read");
            }
        }
        time.sleep_until(time.now().saturating_add(EVERY)).await;
    }
}

impl Engine {
    async fn hear_notifications(&self, seen: &mut ShownNotifications) -> Result<(), EngineError> {
        let mut waiting = self.inner.store.automations().await?;
        waiting.retain(|one| {
            one.automation.held.is_none()
                && matches!(one.automation.plan.trigger, Some(Trigger::Notification { .. }))
        });
        let asked: BTreeSet<PhoneId> = self
            .ready()
            .into_iter()
            .filter(|phone| waiting.iter().any(|one| covers(&one.automation, phone)))
            .collect();
        // A phone that is asked for the first time, or anew, has nothing new.
        seen.retain(|phone, _| asked.contains(phone));
        let answers = join_all(asked.into_iter().map(async |phone| {
            let device = self.phone(&phone)?;
            let shown = device.notifications().await?;
            Ok::<_, EngineError>((phone, shown))
        }));
        let mut happened = Vec::new();
        // One that does not answer now is asked the next time.
        for (phone, shown) in answers.await.into_iter().flatten() {
            let shown: BTreeSet<Notification> = shown.into_iter().collect();
            if let Some(before) = seen.get(&phone) {
                let is_new = |one: &KeptAutomation| {
                    shown
                        .difference(before)
                        .any(|notification| fits(one.automation.plan.trigger.as_ref(), notification))
                };
                let due = waiting
                    .iter()
                    .filter(|one| covers(&one.automation, &phone) && is_new(one));
                happened.extend(due.map(|one| TriggerEvent {
                    automation: one.automation.id.clone(),
                    phone: phone.clone(),
                }));
            }
            seen.insert(phone, shown);
        }
        if !happened.is_empty() {
            self.inner.automations.happened().extend(happened);
            self.inner.automations.tell();
        }
        Ok(())
    }

    fn ready(&self) -> Vec<PhoneId> {
        let listing = self.inner.roster.listing();
        let listing = listing.borrow();
        let ready = listing
            .phones
            .iter()
            .filter(|phone| phone.state == PhoneState::Device);
        ready.map(|phone| phone.id.clone()).collect()
    }
}

/// Whether a notification is what a trigger waits for: of its app, with its words in the title or the text, in any case.
fn fits(trigger: Option<&Trigger>, notification: &Notification) -> bool {
    let Some(Trigger::Notification { app, words, .. }) = trigger else {
        return false;
    };
    let words = words.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&words);
    notification.package == *app && (has(&notification.title) || has(&notification.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_case_in_the_title_or_the_text_of_that_app() {
        let shown = Notification {
            package: "com.a".to_owned(),
            title: "Dana Čapek".to_owned(),
            text: "Your parcel\nARRIVED".to_owned(),
            ..Notification::default()
        };
        for (app, words, expected) in [
            ("com.a", "", true),
            ("com.a", "arrived", true),
            ("com.a", " ČAPEK ", true),
            ("com.a", "dana arrived", false),
            ("com.b", "", false),
        ] {
            let trigger = Trigger::Notification {
                app: app.to_owned(),
                label: String::new(),
                words: words.to_owned(),
            };
            assert_eq!(fits(Some(&trigger), &shown), expected, "{app} {words}");
        }
        assert!(!fits(Some(&Trigger::Connected), &shown) && !fits(None, &shown));
    }
}

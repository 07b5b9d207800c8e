//! The settings: one watched value, changed in one place.
//!
//! Every change reads and writes in one transaction of the store, and is told in the order it was written: two runs that
//! end a question with "Always" at the same moment both keep their rule, and every run hears of both.

use crate::loosening::is_same;
use crate::runs::RuleEvent;
use crate::{Engine, EngineError, notes, programs, wireless};
use protocol::{Failure, FailureCode, Rule, Rules, Settings, SettingsPatch};
use tokio::sync::watch;

impl Engine {
    /// The settings as they stand.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.inner.hub.settings().borrow().clone()
    }

    /// The settings, anew at each change.
    #[must_use]
    pub fn watch_settings(&self) -> watch::Receiver<Settings> {
        self.inner.hub.settings()
    }

    /// Changes what is present in `patch`, asking nobody: what a window wants changed goes by [`Engine::change_settings`].
    ///
    /// # Errors
    /// When it cannot be written down, names a program no script may start, or a server that is no address; then nothing
    /// changed.
    pub async fn patch_settings(&self, mut patch: SettingsPatch) -> Result<Settings, Failure> {
        if let Some(scripts) = &patch.scripts {
            programs::added(&self.settings().scripts, scripts).await?;
        }
        if let Some(servers) = &patch.adb_servers {
            patch.adb_servers = Some(wireless::checked(servers)?);
        }
        if let Some(notes) = &patch.notes {
            patch.notes = Some(notes::checked(notes)?);
        }
        let other_program = patch.adb_program.is_some();
        let settings = self.amend_settings(move |_| patch).await?;
        if other_program {
            self.inner.roster.look_again();
        }
        Ok(settings)
    }

    /// Takes back what was allowed for good. What was allowed meanwhile stays.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn take_back(&self, rule: Rule) -> Result<(), Failure> {
        let without = move |now: &Settings| {
            let mut rules = now.rules.clone();
            rules.allowed.retain(|one| !is_same(one, &rule));
            of_rules(rules)
        };
        self.amend_settings(without).await.map(drop)
    }

    /// Changes the settings by what they are at this very moment, and lets everything follow.
    ///
    /// # Errors
    /// When it cannot be written down; then nothing changed.
    pub(crate) async fn amend_settings(
        &self,
        wanted: impl FnOnce(&Settings) -> SettingsPatch + Send + 'static,
    ) -> Result<Settings, Failure> {
        // Told in the order they were written.
        let _turn = self.inner.changing.lock().await;
        let settings = self.inner.store.change_settings(wanted).await;
        let settings = settings.map_err(EngineError::from)?;
        if let Some(demo) = &self.inner.demo {
            demo.set_count(settings.demo_phones);
        }
        self.inner.program.set(&settings.adb_program);
        wireless::follow_servers(&self.inner.roster, &self.inner.given, &settings.adb_servers);
        self.inner.wanted.send_if_modified(|wanted| {
            let news = *wanted != settings.wireless;
            wanted.clone_from(&settings.wireless);
            news
        });
        self.inner.hub.set_settings(settings.clone());
        self.tell_spending().await;
        Ok(settings)
    }

    /// What the person allowed for good is written down with the settings, once, with when it last answered. Where they
    /// cannot be written just now, it is tried again for as long as the program lives.
    pub(crate) async fn keep_allowed(&self, told: RuleEvent) {
        let mut backoff = crate::backoff::ExponentialBackoff::default();
        loop {
            let told = told.clone();
            match self.amend_settings(move |now| kept(told, now)).await {
                Ok(_) => return,
                Err(failure) if failure.code == FailureCode::JournalLocked => {
                    tokio::time::sleep(backoff.next_pause()).await;
                }
                Err(failure) => {
                    tracing::warn!(
                        ?failure,
                        "what was allowed for good could not be kept; it holds for the task"
                    );
                    return;
                }
            }
        }
    }
}

/// The person's rules with what a run told of them; nothing where that changes nothing.
fn kept(told: RuleEvent, now: &Settings) -> SettingsPatch {
    let mut rules = now.rules.clone();
    let known = |rule: &Rule| now.rules.allowed.iter().position(|known| is_same(known, rule));
    match told {
        RuleEvent::Now(rule) => {
            if known(&rule).is_some() {
                return SettingsPatch::default();
            }
            rules.allowed.push(rule);
        }
        RuleEvent::Used(rule, at) => {
            // Taken back meanwhile: it stays taken back.
            let known = known(&rule).and_then(|at| rules.allowed.get_mut(at));
            let Some(element) = known.and_then(|rule| rule.element.as_mut()) else {
                return SettingsPatch::default();
            };
            element.used = element.used.max(at);
        }
    }
    of_rules(rules)
}

fn of_rules(rules: Rules) -> SettingsPatch {
    SettingsPatch {
        rules: Some(rules),
        ..SettingsPatch::default()
    }
}

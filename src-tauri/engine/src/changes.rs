//! Changes of the settings that wait for the person: what loosens is asked about, what tightens holds at once.

use crate::clock::now;
use crate::loosening::{between, loosened, loosens, rebased, tightened, with};
use crate::{Engine, EngineError, notes, programs, wireless};
use protocol::{AskId, Failure, FailureCode, Loosening, Settings, SettingsChange, SettingsPatch};
use std::time::Duration;

/// How long a change waits: whoever made it is there.
const WAIT: Duration = Duration::from_secs(60);
/// Changes that wait at once, at most.
const MOST: usize = 8;

impl Engine {
    /// Changes settings as far as that loosens nothing. What would loosen something waits for [`Engine::confirm`], 60 s long. What
    /// another program put into a list meanwhile stays in it.
    ///
    /// # Errors
    /// As [`Engine::patch_settings`]; `not_now` where too many changes wait already. Then nothing changed.
    pub async fn change_settings(&self, mut patch: SettingsPatch) -> Result<(), Failure> {
        // The list of saved passwords follows the keychain, and is changed with it alone.
        patch.credentials = None;
        let before = self.settings();
        if let Some(scripts) = &patch.scripts {
            programs::added(&before.scripts, scripts).await?;
        }
        if let Some(servers) = &patch.adb_servers {
            patch.adb_servers = Some(wireless::checked(servers)?);
        }
        if let Some(notes) = &patch.notes {
            patch.notes = Some(notes::checked(notes)?);
        }
        let wanted = |settings: &Settings| {
            let patch = rebased(&before, settings, patch.clone());
            store::apply(settings.clone(), patch)
        };
        if !loosens(&before, &wanted(&before)).is_empty()
            && self.inner.hub.open_asks().borrow().changes.len() >= MOST
        {
            return Err(FailureCode::NotNow.into());
        }
        let (asked, known) = (patch.clone(), before.clone());
        let tighter = move |now: &Settings| {
            let asked = rebased(&known, now, asked);
            let after = store::apply(now.clone(), asked.clone());
            with(asked, &tightened(now, after))
        };
        let settings = self.amend_settings(tighter).await?;
        if patch.adb_program.is_some() {
            self.inner.roster.look_again();
        }
        let looser = loosens(&settings, &wanted(&settings));
        if !looser.is_empty() {
            self.ask_about(looser);
        }
        Ok(())
    }

    fn ask_about(&self, loosens: Vec<Loosening>) {
        let asked_at = now();
        let id = AskId(format!("settings/{asked_at:012x}-{:08x}", fastrand::u32(..)));
        let hub = self.inner.hub.clone();
        hub.open_change(SettingsChange {
            id: id.clone(),
            loosens,
            asked_at,
            deadline: asked_at.saturating_add(u64::try_from(WAIT.as_millis()).unwrap_or(u64::MAX)),
        });
        tokio::spawn(async move {
            tokio::time::sleep(WAIT).await;
            // Nobody answered: No.
            hub.close_change(&id);
        });
    }

    /// The person's answer to a change that waits. On a Yes exactly what was shown is loosened, whatever else changed meanwhile.
    ///
    /// # Errors
    /// When no such change waits any more; as [`Engine::patch_settings`].
    pub async fn confirm(&self, change: &AskId, yes: bool) -> Result<(), Failure> {
        let change = self.inner.hub.close_change(change).ok_or(EngineError::NoAsk)?;
        if !yes {
            return Ok(());
        }
        let before = self.settings();
        programs::added(
            &before.scripts,
            &loosened(before.clone(), &change.loosens).scripts,
        )
        .await?;
        let looser = move |now: &Settings| between(now, &loosened(now.clone(), &change.loosens));
        let settings = self.amend_settings(looser).await;
        let settings = settings.inspect_err(|failure| self.inner.hub.trouble(failure.clone()))?;
        if settings.adb_program != before.adb_program {
            self.inner.roster.look_again();
        }
        Ok(())
    }

    /// The window they were shown in is gone: No to all of them.
    pub fn drop_changes(&self) {
        let open = self.inner.hub.open_asks().borrow().changes.clone();
        for change in open {
            self.inner.hub.close_change(&change.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, ProgramChoice};
    use protocol::{AskSwitch, Level, News};
    use serde_json::{Value, json};
    use std::sync::Arc;
    use store::keychain::Keychain;
    use tempfile::TempDir;

    struct Table {
        engine: Engine,
        folder: Arc<TempDir>,
    }

    async fn table() -> Table {
        over(Arc::new(tempfile::tempdir().unwrap())).await
    }

    /// Over data that another program may have open.
    async fn over(folder: Arc<TempDir>) -> Table {
        let options = Options {
            folder: folder.path().to_path_buf(),
            places: vec![],
            program: ProgramChoice::default(),
            demo: false,
            keychain: Keychain::absent(),
            key: None,
            scheduler: None,
        };
        let engine = Engine::open(options).await.unwrap();
        Table { engine, folder }
    }

    impl Table {
        async fn change(&self, patch: Value) {
            self.engine
                .change_settings(serde_json::from_value(patch).unwrap())
                .await
                .unwrap();
        }

        fn notes(&self) -> Vec<String> {
            self.settings().notes.into_iter().map(|note| note.text).collect()
        }

        fn waiting(&self) -> Vec<SettingsChange> {
            self.engine.open_asks().borrow().changes.clone()
        }

        fn settings(&self) -> Settings {
            self.engine.settings()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_loosens_waits_a_minute_and_then_it_is_no() {
        let table = table().await;
        table
            .change(json!({"level": "hard_stops", "limits": {"steps": 7}}))
            .await;
        assert_eq!(
            (table.settings().level, table.settings().limits.steps),
            (Level::WhenItMatters, 7)
        );
        let [change] = table.waiting().try_into().unwrap();
        assert_eq!(change.loosens, [Loosening::Level { to: Level::HardStops }]);
        assert_eq!(change.deadline, change.asked_at + 60_000);
        tokio::time::sleep(WAIT - Duration::from_secs(1)).await;
        assert_eq!(table.waiting().len(), 1);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(table.waiting(), []);
        let late = table.engine.confirm(&change.id, true).await.unwrap_err();
        assert_eq!(late.code, FailureCode::NotFound);
        assert_eq!(table.settings().level, Level::WhenItMatters);
    }

    #[tokio::test(start_paused = true)]
    async fn a_yes_loosens_exactly_what_was_shown() {
        let table = table().await;
        let off = |off: &str| {
            let mut switches = json!({"sending": true, "deleting": true, "installing": true, "shell": true});
            switches[off] = json!(false);
            json!({ "askBefore": switches })
        };
        table.change(off("sending")).await;
        table.change(off("deleting")).await;
        let [first, second] = table.waiting().try_into().unwrap();
        table.engine.confirm(&first.id, true).await.unwrap();
        let asked = table.settings().ask_before;
        assert_eq!((asked.sending, asked.deleting), (false, true));
        // The page knew the switch of the first as on: the second turns nothing back.
        table.engine.confirm(&second.id, true).await.unwrap();
        let asked = table.settings().ask_before;
        assert_eq!(
            (asked.sending, asked.deleting, asked.installing),
            (false, false, true)
        );
        let kept = table.engine.store().settings().await.unwrap();
        assert_eq!(kept.ask_before, asked, "it is written down");
        let again = table.engine.confirm(&first.id, true).await.unwrap_err();
        assert_eq!(again.code, FailureCode::NotFound);
    }

    /// What `deck` keeps while the window is open is not in the lists its page knows.
    #[tokio::test(start_paused = true)]
    async fn what_another_program_put_into_a_list_stays_in_it() {
        let page = table().await;
        let note = |text: &str| json!({"text": text, "about": "everything"});
        let sends = json!({"kind": "send", "appLabel": "Messages"});
        let pays = json!({"kind": "payment", "appLabel": "Shop"});
        page.change(json!({"notes": [note("old"), note("gone")]})).await;
        let deck = over(Arc::clone(&page.folder)).await;
        deck.change(json!({"notes": [note("old"), note("theirs")]})).await;
        deck.change(json!({"rules": {"never": [sends], "ask": [], "allowed": []}}))
            .await;
        page.change(json!({"notes": [note("old"), note("gone"), note("mine")]}))
            .await;
        assert_eq!(page.notes(), ["old", "mine", "theirs"]);
        // The page heard of the rule with that; of what comes after it hears with the next change.
        deck.change(json!({"rules": {"never": [sends, pays], "ask": [], "allowed": []}}))
            .await;
        page.change(json!({"rules": {"never": [sends], "ask": [pays], "allowed": []}}))
            .await;
        let rules = page.settings().rules;
        assert_eq!((rules.never.len(), rules.ask.len()), (2, 1));
        assert_eq!(page.waiting(), [], "nothing was loosened");
        page.change(json!({"notes": [note("mine"), note("theirs")]}))
            .await;
        assert_eq!(page.notes(), ["mine", "theirs"], "what the page takes away goes");
    }

    #[tokio::test(start_paused = true)]
    async fn a_no_and_a_window_that_is_gone_change_nothing() {
        let table = table().await;
        table.change(json!({"adbProgram": "/tmp/adb"})).await;
        let [change] = table.waiting().try_into().unwrap();
        table.engine.confirm(&change.id, false).await.unwrap();
        table.change(json!({"adbProgram": "/tmp/adb"})).await;
        table
            .change(json!({"scripts": {"onThisComputer": true, "programs": []}}))
            .await;
        assert_eq!(table.waiting().len(), 2);
        table.engine.drop_changes();
        assert_eq!(table.waiting(), []);
        assert_eq!(table.settings(), Settings::default());
    }

    #[tokio::test(start_paused = true)]
    async fn asked_again_it_waits_once_and_no_more_than_some_wait() {
        let table = table().await;
        for _ in 0..3 {
            table.change(json!({"level": "hard_stops"})).await;
        }
        assert_eq!(table.waiting().len(), 1);
        for n in 1..MOST {
            table.change(json!({ "adbProgram": format!("/tmp/{n}") })).await;
        }
        assert_eq!(table.waiting().len(), MOST);
        let patch =
            serde_json::from_value(json!({"adbProgram": "/tmp/one-more", "level": "everything"})).unwrap();
        let refused = table.engine.change_settings(patch).await.unwrap_err();
        assert_eq!(refused.code, FailureCode::NotNow);
        assert_eq!(
            table.settings().level,
            Level::WhenItMatters,
            "all of it or nothing"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_listens_hears_what_waits_and_that_it_no_longer_does() {
        let table = table().await;
        let mut news = table.engine.listen();
        table.change(json!({"askBefore": {"shell": false}})).await;
        table.engine.drop_changes();
        let mut heard = Vec::new();
        while let Ok(one) = news.try_recv() {
            if let News::Settings { waiting, .. } = one {
                heard.push(waiting);
            }
        }
        heard.dedup();
        let off = AskSwitch::Shell;
        assert_eq!(heard, [vec![], vec![Loosening::Switch { off }], vec![]]);
    }
}

//! Runs of the past: looked for, told again, gone on with, erased.

use crate::{Engine, EngineError, ModelChoice};
use agent::ports::Model;
use agent::prior_progress::PriorProgress;
use protocol::{
    EraseAlso, Event, Failure, HistoryPage, HistoryQuery, PhoneId, RunEndKind, RunId, RunStory, SpaceUsed,
    What,
};
use std::path::Path;
use std::sync::Arc;
use store::StoreError;

/// Events read in one go.
const PAGE: u32 = 1_000;

/// Times a task was gone on with before, as far as they are looked back on.
const GONE_ON: usize = 8;

impl Engine {
    /// A page of runs, newest first.
    ///
    /// # Errors
    /// When they cannot be read, or [`HistoryQuery::before`] is gone.
    pub async fn history(&self, query: &HistoryQuery) -> Result<HistoryPage, Failure> {
        let page = self.inner.store.history(query).await;
        Ok(page.map_err(EngineError::from)?)
    }

    /// One run with everything that happened in it, as far as it is.
    ///
    /// # Errors
    /// [`protocol::FailureCode::NotFound`] where it was erased or never was.
    pub async fn run_story(&self, run: &RunId) -> Result<RunStory, Failure> {
        Ok(self.whole_story(run).await?)
    }

    /// The same, within this room.
    pub(crate) async fn whole_story(&self, run: &RunId) -> Result<RunStory, EngineError> {
        let store = &self.inner.store;
        let short = store.past_run(run).await?;
        let mut events: Vec<Event> = Vec::new();
        loop {
            let after = events.last().map_or(0, |event| event.seq);
            let page = store.events(run, after, PAGE).await?;
            let last = page.len() < PAGE as usize;
            events.extend(page);
            if last {
                return Ok(RunStory { run: short, events });
            }
        }
    }

    /// Erases one run: its words, its pictures and its scripts' folders, on the disk too.
    ///
    /// # Errors
    /// [`protocol::FailureCode::NotNow`] while it goes on, [`protocol::FailureCode::NotFound`] where it is gone already.
    pub async fn erase_run(&self, run: &RunId) -> Result<(), Failure> {
        let _turn = self.inner.tidying.lock().await;
        let erased = self.inner.store.erase(std::slice::from_ref(run)).await;
        erased.map_err(EngineError::from)?;
        self.inner.hub.forget(std::slice::from_ref(run));
        self.tell_automations().await;
        self.tidy_scripts().await;
        Ok(())
    }

    /// Erases every run that is over, every automation, and what the person named beside them. Says how many runs go on and stay.
    ///
    /// Keys are those of the makers there are cards for and of the server the settings name: a keychain lists nothing.
    ///
    /// # Errors
    /// The first that could not be erased; the runs go first, then passwords, then keys.
    pub async fn erase_everything(&self, also: EraseAlso) -> Result<u64, Failure> {
        let left = {
            let _turn = self.inner.tidying.lock().await;
            let left = self.inner.store.erase_all().await.map_err(EngineError::from)?;
            self.forget_erased(self.inner.hub.told_runs()).await?;
            self.tidy_scripts().await;
            left
        };
        self.tell_spending().await;
        self.tell_automations().await;
        if also.passwords {
            for credential in self.settings().credentials {
                self.forget_credential(&credential.name).await?;
            }
        }
        if also.keys {
            self.forget_all_keys().await?;
        }
        Ok(left)
    }

    /// The room past runs take on the disk.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub async fn space_used(&self) -> Result<SpaceUsed, Failure> {
        let mut space = self.inner.store.space().await.map_err(EngineError::from)?;
        let scripts = self.scripts();
        let bytes = tokio::task::spawn_blocking(move || bytes_in(&scripts)).await;
        space.bytes += bytes.map_err(EngineError::Broken)?;
        Ok(space)
    }

    /// The phone of a run that can be gone on with.
    ///
    /// # Errors
    /// [`protocol::FailureCode::NotFound`] where the run is gone, [`protocol::FailureCode::TaskDone`] where nothing is left to
    /// do, [`protocol::FailureCode::PhoneBusy`] where it goes on: it, or the newest of those that went on with it.
    pub async fn broken_off(&self, run: &RunId) -> Result<PhoneId, Failure> {
        let run = self.newest_of(run).await?;
        let past = self.inner.store.past_run(&run).await.map_err(EngineError::from)?;
        is_broken_off(past.end)?;
        Ok(past.phone)
    }

    /// Goes on with a run that was broken off, on its phone: a run of the same task that begins with a look, as every run does.
    /// The AI is told what was done, by the journal, and what the person adds; what was begun and has no outcome is done
    /// again on the person's Yes alone. Where somebody went on with it already, it is gone on with that one: what that one did is
    /// done too.
    ///
    /// # Errors
    /// As [`Engine::broken_off`] and [`Engine::run`].
    pub async fn go_on(&self, run: &RunId, note: &str) -> Result<RunId, Failure> {
        let model = self.model(&ModelChoice::Settings).await?;
        self.go_on_with(run, note, model).await
    }

    /// The same with a given AI.
    ///
    /// # Errors
    /// As [`Engine::go_on`].
    pub async fn go_on_with(&self, run: &RunId, note: &str, model: Arc<dyn Model>) -> Result<RunId, Failure> {
        let run = self.newest_of(run).await?;
        let story = self.whole_story(&run).await?;
        is_broken_off(story.run.end)?;
        let (phone, goal) = (story.run.phone, story.run.goal);
        let mut before = gone_on_with(&story.events);
        let mut stories = vec![story.events];
        while let Some(earlier) = before.take().filter(|_| stories.len() < GONE_ON) {
            match self.whole_story(&earlier).await {
                Ok(story) => {
                    before = gone_on_with(&story.events);
                    stories.push(story.events);
                }
                // It was erased meanwhile: what it did is not known any more.
                Err(EngineError::Store(StoreError::NotFound(_))) => {}
                Err(error) => return Err(error.into()),
            }
        }
        stories.reverse();
        let prior = PriorProgress::of(run, &stories);
        Ok(self.run_on(&phone, &goal, note.trim(), prior, model)?)
    }

    /// The last of those that went on with this run one after the other; itself where none did.
    async fn newest_of(&self, run: &RunId) -> Result<RunId, EngineError> {
        let mut newest = run.clone();
        // Each began after the one before: that ends.
        while let Some(next) = self.inner.store.gone_on_by(&newest).await? {
            newest = next;
        }
        Ok(newest)
    }
}

fn is_broken_off(end: RunEndKind) -> Result<(), EngineError> {
    match end {
        RunEndKind::Finished => Err(EngineError::TaskDone),
        RunEndKind::Going => Err(EngineError::RunLives),
        _ => Ok(()),
    }
}

/// The run that one went on with.
fn gone_on_with(events: &[Event]) -> Option<RunId> {
    match &events.first()?.what {
        What::Started { goes_on, .. } => goes_on.clone(),
        _ => None,
    }
}

/// Bytes of every file in a folder and those below. What cannot be looked at counts nothing.
fn bytes_in(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => bytes_in(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

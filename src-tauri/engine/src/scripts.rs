//! Scripts on this computer leave folders behind. They go with their runs, and so many are kept at most.

use crate::Engine;
use script::script_folders::{self, RunLiveness, ScriptFolder};
use std::collections::BTreeMap;
use std::path::PathBuf;
use store::StoreError;

/// Where they are, in the engine's own folder.
pub(crate) const SCRIPTS: &str = "scripts";

impl Engine {
    pub(crate) fn scripts(&self) -> PathBuf {
        self.inner.folder.join(SCRIPTS)
    }

    /// Takes away the folders of runs that are known no more, and the oldest beyond what is kept. Those of a run that goes
    /// on stay. What cannot be read or taken away is left for the next time.
    pub(crate) async fn tidy_scripts(&self) {
        let folder = self.scripts();
        let found = tokio::task::spawn_blocking(move || script_folders::kept(&folder)).await;
        let kept = match found {
            Ok(Ok(kept)) => kept,
            Ok(Err(error)) => return tracing::warn!(%error, "the scripts' folders cannot be looked at"),
            Err(error) => return tracing::warn!(%error, "the scripts' folders cannot be looked at"),
        };
        let mut standings = BTreeMap::new();
        for run in script_folders::runs(&kept) {
            let standing = match self.inner.store.run(&run).await {
                Ok(summary) if summary.end.is_some() => RunLiveness::Over,
                Err(StoreError::NotFound(_)) => RunLiveness::Unknown,
                // Where nobody can say, nothing is taken away.
                Ok(_) | Err(_) => RunLiveness::Living,
            };
            standings.insert(run.0, standing);
        }
        let standing = |run: &protocol::RunId| standings.get(&run.0).copied().unwrap_or(RunLiveness::Living);
        let gone: Vec<ScriptFolder> = script_folders::surplus(&kept, standing)
            .into_iter()
            .cloned()
            .collect();
        let removing = tokio::task::spawn_blocking(move || {
            for one in &gone {
                if let Err(error) = script_folders::remove(one) {
                    tracing::info!(%error, run = %one.run, "a script's folder stays");
                }
            }
        });
        let _ = removing.await;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engine, Options, ProgramChoice};
    use agent::ports::Journal;
    use protocol::{Ending, Event, PhoneId, RunId, What};
    use std::fs;
    use store::keychain::Keychain;

    fn event(run: &str, seq: u64, what: What) -> Event {
        Event {
            run: RunId(run.to_owned()),
            phone: PhoneId("phone".to_owned()),
            seq,
            // Of now: an older one is erased by its age.
            at: crate::clock::now() + seq,
            what,
        }
    }

    #[tokio::test]
    async fn folders_go_with_their_runs() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(Options {
            folder: folder.path().to_owned(),
            places: vec![],
            program: ProgramChoice::default(),
            demo: false,
            keychain: Keychain::absent(),
            key: None,
            scheduler: None,
        })
        .await
        .unwrap();
        for run in ["0001-ended", "0002-living"] {
            let started = What::Started {
                goal: "Count".to_owned(),
                model: "scripted".to_owned(),
                demo_ai: false,
                automation: None,
                goes_on: None,
            };
            engine.store().append(&event(run, 1, started)).await.unwrap();
        }
        let ended = What::Ended {
            ending: Ending::Stopped,
            maybe_running: false,
        };
        engine
            .store()
            .append(&event("0001-ended", 2, ended))
            .await
            .unwrap();
        let scripts = engine.scripts();
        for name in ["0001-ended-Ab3dE9", "0002-living-x7Yz1Q", "0003-erased-k2Lm4N"] {
            fs::create_dir_all(scripts.join(name).join("files")).unwrap();
            fs::write(scripts.join(name).join("script.sh"), "echo one").unwrap();
        }
        engine.tidy_scripts().await;
        let mut left: Vec<String> = fs::read_dir(&scripts)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["0001-ended-Ab3dE9", "0002-living-x7Yz1Q"]);
    }
}

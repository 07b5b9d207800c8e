//! The adb program of this computer: which one, and fetched by a button.

use crate::{Engine, EngineError};
use adb::link::DEFAULT_PORT;
use adb::program::{self, Os};
use adb::{AdbError, Place, tools};
use protocol::{AdbProgram, Failure, Fetching};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// The person's choice, and where a fetched one lies. Clones are the same choice.
#[derive(Clone, Debug, Default)]
pub struct ProgramChoice {
    setting: Arc<Mutex<String>>,
    folder: PathBuf,
}

impl ProgramChoice {
    /// None chosen yet; fetched ones lie in `folder`.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self {
            setting: Arc::default(),
            folder: folder.to_owned(),
        }
    }

    pub(crate) fn set(&self, setting: &str) {
        let mut held = self.setting.lock().unwrap_or_else(PoisonError::into_inner);
        setting.trim().clone_into(&mut held);
    }

    fn find(&self) -> Result<PathBuf, AdbError> {
        let setting = self
            .setting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let setting = (!setting.is_empty()).then(|| PathBuf::from(setting));
        program::find_or_fetched(setting.as_deref(), Some(&tools::program(&self.folder)))
    }

    /// This computer's adb server, started with the program chosen at that moment.
    ///
    /// # Errors
    /// When the environment names a server that is no address.
    pub fn place(&self) -> Result<Place, AdbError> {
        let choice = self.clone();
        Place::local_by(Arc::new(move || choice.find()))
    }

    /// The same where it usually listens, whatever the environment names.
    pub(crate) fn own_place(&self) -> Place {
        let choice = self.clone();
        let starter: adb::roster::Starter = Arc::new(move || {
            let found = choice.find();
            Box::pin(async move { program::start_server(&found?, DEFAULT_PORT).await })
        });
        Place::started_by(&format!("127.0.0.1:{DEFAULT_PORT}"), starter)
    }
}

/// One fetching at a time: who asks while one runs watches that one.
#[derive(Default)]
pub(crate) struct Fetch(Mutex<Option<(watch::Receiver<Fetching>, AbortOnDropHandle<()>)>>);

impl Fetch {
    /// Begins `work`, unless one runs.
    pub(crate) fn begin<W>(
        &self,
        work: impl FnOnce(watch::Sender<Fetching>) -> W,
    ) -> watch::Receiver<Fetching>
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((stage, task)) = &*held
            && !task.is_finished()
        {
            return stage.clone();
        }
        let (sender, stage) = watch::channel(Fetching::Loading { done: 0, total: 0 });
        *held = Some((stage.clone(), AbortOnDropHandle::new(tokio::spawn(work(sender)))));
        stage
    }
}

impl Engine {
    /// The adb program that is used on this computer.
    ///
    /// # Errors
    /// When there is none, or it does not run.
    pub async fn adb_program(&self) -> Result<AdbProgram, Failure> {
        let path = self.inner.program.find().map_err(EngineError::from)?;
        let version = program::version(&path).await.map_err(EngineError::from)?;
        Ok(AdbProgram {
            path: path.display().to_string(),
            version: version.map(|version| version.to_string()),
            pairs: version.is_some_and(program::Version::pairs),
        })
    }

    /// Fetches Google's platform tools into our folder, and starts the adb server with them when none runs. The person
    /// pressed a button for it.
    pub fn fetch_adb(&self) -> watch::Receiver<Fetching> {
        let release = tools::release(Os::here(), std::env::consts::ARCH);
        self.fetch_release(release)
    }

    pub(crate) fn fetch_release(&self, release: Option<tools::Release>) -> watch::Receiver<Fetching> {
        let (folder, inner) = (self.inner.program.folder.clone(), Arc::downgrade(&self.inner));
        self.inner.fetch.begin(|stage| async move {
            let tell = |now| {
                stage.send_replace(now);
            };
            let fetched = match &release {
                Some(release) => tools::fetch(release, &folder, &tell).await,
                None => Err(tools::ToolsError::NoneKnown),
            };
            match fetched {
                Ok(_) => {
                    if let Some(inner) = inner.upgrade() {
                        inner.roster.look_again();
                    }
                }
                Err(error) => {
                    tracing::info!(%error, "the adb program was not fetched");
                    tell(tools::failed(&error));
                }
            }
        })
    }
}

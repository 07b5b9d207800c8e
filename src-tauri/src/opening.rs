//! Opening what is kept, and what the window shows where that does not succeed.
//!
//! The window opens in any case. Where the engine does not, the page says why and offers what may help; each remedy ends in
//! another try. Another program's lock is waited for: that is tried again by itself.

use crate::{approval, automation_notices, closing, notices, run_notices, windows};
use engine::{Engine, EngineError, ExponentialBackoff, Options, remedies, words};
use protocol::{Failure, FailureCode, Opening, Remedy};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, Runtime, State};
use tauri_plugin_opener::OpenerExt;
use tokio::sync::watch;

/// Which adb server of this computer an engine is opened with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Server {
    /// The one the environment names.
    #[default]
    Named,
    /// The usual one.
    Own,
}

/// Says where things are kept and how an engine is opened; asked at each try.
pub type OptionsProvider = Box<dyn Fn(Server) -> Result<Options, EngineError> + Send + Sync>;

/// How far it is.
pub struct Openings {
    state: watch::Sender<Opening>,
    options: OptionsProvider,
    folder: Mutex<PathBuf>,
    /// One try at a time.
    turn: tokio::sync::Mutex<Server>,
}

impl Openings {
    /// Nothing was tried yet.
    #[must_use]
    pub fn new(options: OptionsProvider) -> Self {
        Self {
            state: watch::Sender::new(Opening::Trying),
            options,
            folder: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        }
    }

    fn folder(&self) -> PathBuf {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens the engine; where it is open already, nothing is done.
    async fn open(&self, server: Server) -> Result<Option<Engine>, Failure> {
        if *self.state.borrow() == Opening::Open {
            return Ok(None);
        }
        let options = (self.options)(server)?;
        self.folder
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&options.folder);
        Ok(Some(Engine::open(options).await?))
    }

    fn failed(&self, failure: Failure) {
        tracing::error!(?failure, "what is kept could not be opened");
        let folder = self.folder();
        let mut remedies = remedies(&failure);
        if folder.as_os_str().is_empty() {
            remedies.retain(|one| !matches!(one, Remedy::Folder | Remedy::Fresh));
        }
        self.state.send_replace(Opening::Failed {
            failure,
            folder: folder.to_string_lossy().into_owned(),
            remedies,
        });
    }
}

/// The first try, while the window is made: it is there also where that takes long. Where it fails for another program's lock,
/// others follow by themselves.
pub(crate) fn begin<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        attempt(&app, Server::Named, false).await;
        let mut backoff = ExponentialBackoff::default();
        let mut state = app.state::<Openings>().state.subscribe();
        let is_locked = |now: &Opening| matches!(now, Opening::Failed { failure, .. } if failure.code == FailureCode::JournalLocked);
        loop {
            let now = state
                .wait_for(|now| *now == Opening::Open || is_locked(now))
                .await;
            match now.map(|now| is_locked(&now)) {
                Ok(true) => {}
                Ok(false) | Err(_) => return,
            }
            tokio::time::sleep(backoff.next_pause()).await;
            attempt(&app, Server::Named, false).await;
        }
    });
}

/// Does something where windows are made, once the engine is open.
pub(crate) fn then<R: Runtime>(
    app: &AppHandle<R>,
    what: impl FnOnce(&AppHandle<R>, &Engine) + Send + 'static,
) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let mut state = app.state::<Openings>().state.subscribe();
        if state.wait_for(|now| *now == Opening::Open).await.is_err() {
            return;
        }
        let handle = app.clone();
        let done = app.run_on_main_thread(move || {
            if let Some(engine) = handle.try_state::<Engine>() {
                what(&handle, &engine);
            }
        });
        if let Err(error) = done {
            tracing::info!(%error, "the program ends before it is open");
        }
    });
}

/// Tries once; what comes of it is told.
async fn attempt<R: Runtime>(app: &AppHandle<R>, server: Server, fresh: bool) {
    let openings = app.state::<Openings>();
    let mut turn = openings.turn.lock().await;
    // The person's choice of a server holds for what is tried later, too.
    if server == Server::Own {
        *turn = Server::Own;
    }
    if fresh && let Err(failure) = engine::set_aside(openings.folder()).await {
        return openings.failed(failure);
    }
    match openings.open(*turn).await {
        Ok(Some(engine)) => {
            opened(app, &engine);
            openings.state.send_replace(Opening::Open);
        }
        Ok(None) => {}
        Err(failure) => openings.failed(failure),
    }
}

/// Everything that follows the engine.
fn opened<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    app.manage(engine.clone());
    words::speak(engine.settings().language);
    if let Err(error) = notices::register(app, engine) {
        tracing::warn!(%error, "notifications have no buttons");
    }
    if let Err(error) = run_notices::register(app).and_then(|()| automation_notices::register(app)) {
        tracing::warn!(%error, "a click on a notification does nothing");
    }
    approval::follow(app, engine);
    run_notices::follow(app, engine);
    automation_notices::follow(app, engine);
    closing::follow(app, engine);
    follow_language(app, engine);
}

/// The language of the settings is spoken. What is written down already is written again in another language: the buttons of notifications and the title of the
/// approval window. The icon beside the clock follows by itself.
fn follow_language<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    let mut settings = engine.watch_settings();
    tauri::async_runtime::spawn(async move {
        while settings.changed().await.is_ok() {
            let language = settings.borrow_and_update().language;
            words::speak(language);
        }
    });
    let (app, mut spoken) = (app.clone(), words::spoken());
    tauri::async_runtime::spawn(async move {
        while spoken.changed().await.is_ok() {
            if let Err(error) = notices::name_buttons(&app) {
                tracing::info!(%error, "notifications keep the names of their buttons");
            }
            windows::name_approval(&app, &words::get("notices.approval_window"));
        }
    });
}

/// How far opening is: told now and at each change, until it is open.
#[tauri::command]
pub fn watch_opening(openings: State<'_, Openings>, channel: Channel<Opening>) {
    let mut state = openings.state.subscribe();
    tauri::async_runtime::spawn(async move {
        loop {
            let now = state.borrow_and_update().clone();
            let is_last = now == Opening::Open;
            if channel.send(now).is_err() || is_last || state.changed().await.is_err() {
                return;
            }
        }
    });
}

/// Does what may help, and tries again. What comes of it is told to whoever watches.
///
/// # Errors
/// When the folder cannot be shown.
#[tauri::command]
pub async fn remedy<R: Runtime>(app: AppHandle<R>, which: Remedy) -> Result<(), Failure> {
    let openings = app.state::<Openings>();
    let offered = match &*openings.state.borrow() {
        Opening::Failed { remedies, .. } => remedies.contains(&which),
        Opening::Trying | Opening::Open => false,
    };
    if !offered {
        return Err(FailureCode::NotNow.into());
    }
    match which {
        Remedy::Folder => {
            let folder = openings.folder().to_string_lossy().into_owned();
            app.opener().open_path(folder, None::<&str>).map_err(|error| {
                tracing::warn!(%error, "no program shows the folder");
                Failure {
                    detail: Some(error.to_string()),
                    ..FailureCode::NotNow.into()
                }
            })
        }
        Remedy::Again | Remedy::Fresh | Remedy::OwnServer => {
            openings.state.send_replace(Opening::Trying);
            let server = if which == Remedy::OwnServer {
                Server::Own
            } else {
                Server::Named
            };
            attempt(&app, server, which == Remedy::Fresh).await;
            Ok(())
        }
    }
}

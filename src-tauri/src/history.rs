//! Runs of the past: what the page of them asks for.

use engine::Engine;
use protocol::{EraseAlso, ExportForm, Failure, HistoryPage, HistoryQuery, RunId, RunStory, SpaceUsed};
use tauri::State;

/// A page of runs, newest first.
///
/// # Errors
/// As [`Engine::history`].
#[tauri::command]
pub async fn history(engine: State<'_, Engine>, query: HistoryQuery) -> Result<HistoryPage, Failure> {
    engine.history(&query).await
}

/// One run with everything that happened in it.
///
/// # Errors
/// As [`Engine::run_story`].
#[tauri::command]
pub async fn run_story(engine: State<'_, Engine>, run: RunId) -> Result<RunStory, Failure> {
    engine.run_story(&run).await
}

/// Begins an interrupted run anew, with a word to the AI of what was done.
///
/// # Errors
/// As [`Engine::go_on`].
#[tauri::command]
pub async fn go_on(engine: State<'_, Engine>, run: RunId, note: String) -> Result<RunId, Failure> {
    engine.go_on(&run, &note).await
}

/// Writes a run into a folder of the person's documents; says where.
///
/// # Errors
/// As [`Engine::export_run`].
#[tauri::command]
pub async fn export_run(engine: State<'_, Engine>, run: RunId, form: ExportForm) -> Result<String, Failure> {
    Ok(engine
        .export_run(&run, form)
        .await?
        .to_string_lossy()
        .into_owned())
}

/// Erases one run.
///
/// # Errors
/// As [`Engine::erase_run`].
#[tauri::command]
pub async fn erase_run(engine: State<'_, Engine>, run: RunId) -> Result<(), Failure> {
    engine.erase_run(&run).await
}

/// Erases every run that is over, and what is named beside them; says how many go on and stay.
///
/// # Errors
/// As [`Engine::erase_everything`].
#[tauri::command]
pub async fn erase_everything(engine: State<'_, Engine>, also: EraseAlso) -> Result<u64, Failure> {
    engine.erase_everything(also).await
}

/// The room past runs take.
///
/// # Errors
/// As [`Engine::space_used`].
#[tauri::command]
pub async fn space_used(engine: State<'_, Engine>) -> Result<SpaceUsed, Failure> {
    engine.space_used().await
}

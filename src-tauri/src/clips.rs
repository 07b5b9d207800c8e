//! Clips of a phone's screen, recorded by the person. How they stand is told with everything else
//! ([`protocol::News::Clip`]).

use engine::Engine;
use protocol::{Failure, FailureCode, PhoneId};
use tauri::{AppHandle, Runtime, State};
use tauri_plugin_opener::OpenerExt;

/// Begins to record a phone's screen, into the person's videos.
///
/// # Errors
/// As [`Engine::record_clip`]; when the system names no such folder.
#[tauri::command]
pub async fn record_clip(engine: State<'_, Engine>, phone: PhoneId) -> Result<(), Failure> {
    let folder = engine::videos_folder().ok_or(FailureCode::FileUnwritable)?;
    engine.record_clip(&phone, &folder)
}

/// Ends it.
#[tauri::command]
pub async fn stop_clip(engine: State<'_, Engine>, phone: PhoneId) -> Result<(), Failure> {
    engine.stop_clip(&phone);
    Ok(())
}

/// Shows the files of a phone's newest clip in the system's own program for files. The page names no place.
///
/// # Errors
/// When there is none, or no such program answers.
#[tauri::command]
pub async fn show_clip<R: Runtime>(
    app: AppHandle<R>,
    engine: State<'_, Engine>,
    phone: PhoneId,
) -> Result<(), Failure> {
    let files = engine.clip_files(&phone);
    if files.is_empty() {
        return Err(FailureCode::NotFound.into());
    }
    // It waits for the desktop's answer.
    let shown = tauri::async_runtime::spawn_blocking(move || {
        let shown = app.opener().reveal_items_in_dir(&files);
        shown.map_err(|error| error.to_string())
    });
    let why = match shown.await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error,
        Err(error) => error.to_string(),
    };
    tracing::warn!(%why, "no program shows files");
    Err(Failure {
        detail: Some(why),
        ..FailureCode::NotNow.into()
    })
}

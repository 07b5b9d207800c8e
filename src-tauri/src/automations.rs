//! Automations: what their page asks for. How they are now is told with everything else ([`protocol::News::Automations`]).

use crate::windows;
use engine::{Engine, ModelChoice};
use protocol::{
    AutomationCard, AutomationId, AutomationPlan, AutomationProposal, Failure, Occurrence, RunId,
};
use std::collections::BTreeMap;
use tauri::{Runtime, State, WebviewWindow};

/// Every automation, by its name.
///
/// # Errors
/// As [`Engine::automations`].
#[tauri::command]
pub async fn automations(engine: State<'_, Engine>) -> Result<Vec<AutomationCard>, Failure> {
    engine.automations().await
}

/// Keeps a plan: a new automation, or what the one of this id says from now on.
///
/// # Errors
/// As [`Engine::save_automation`].
#[tauri::command]
pub async fn automation_save(
    engine: State<'_, Engine>,
    id: Option<AutomationId>,
    plan: AutomationPlan,
) -> Result<AutomationCard, Failure> {
    engine.save_automation(id.as_ref(), plan).await
}

/// Deletes one.
///
/// # Errors
/// As [`Engine::delete_automation`].
#[tauri::command]
pub async fn automation_delete(engine: State<'_, Engine>, id: AutomationId) -> Result<(), Failure> {
    engine.delete_automation(&id).await
}

/// Lets one begin by itself, or not any more.
///
/// # Errors
/// As [`Engine::hold_automation`].
#[tauri::command]
pub async fn automation_hold(engine: State<'_, Engine>, id: AutomationId, held: bool) -> Result<(), Failure> {
    engine.hold_automation(&id, held).await
}

/// Lets its replays run quietly, or not any more.
///
/// # Errors
/// As [`Engine::quiet_automation`].
#[tauri::command]
pub async fn automation_quiet(
    engine: State<'_, Engine>,
    id: AutomationId,
    quiet: bool,
) -> Result<(), Failure> {
    engine.quiet_automation(&id, quiet).await
}

/// What an automation may be made of, from a run.
///
/// # Errors
/// As [`Engine::propose_automation`].
#[tauri::command]
pub async fn automation_proposal(
    engine: State<'_, Engine>,
    run: RunId,
) -> Result<AutomationProposal, Failure> {
    engine.propose_automation(&run).await
}

/// Begins one now.
///
/// # Errors
/// As [`Engine::run_automation`].
#[tauri::command]
pub async fn automation_run(
    engine: State<'_, Engine>,
    id: AutomationId,
    values: BTreeMap<String, String>,
) -> Result<(), Failure> {
    let begun = engine.run_automation(&id, &values, &ModelChoice::Settings).await;
    begun.map(drop)
}

/// The times one was due, newest first.
///
/// # Errors
/// As [`Engine::automation_occurrences`].
#[tauri::command]
pub async fn automation_occurrences(
    engine: State<'_, Engine>,
    id: AutomationId,
) -> Result<Vec<Occurrence>, Failure> {
    engine.automation_occurrences(&id).await
}

/// Keeps the automations of a file.
///
/// # Errors
/// As [`Engine::import_automations`].
#[tauri::command]
pub async fn automations_import(
    engine: State<'_, Engine>,
    text: String,
) -> Result<Vec<AutomationCard>, Failure> {
    engine.import_automations(&text).await
}

/// Some of them into a file: asks where it should go; says where it went, or nothing where the person chose no place.
///
/// # Errors
/// As [`Engine::export_automations`]; [`protocol::FailureCode::FileUnwritable`].
#[tauri::command]
pub async fn automations_export_file<R: Runtime>(
    window: WebviewWindow<R>,
    engine: State<'_, Engine>,
    ids: Vec<AutomationId>,
    name: String,
) -> Result<Option<String>, Failure> {
    let text = engine.export_automations(&ids).await?;
    let Some(path) = windows::choose_place(&window, &name, windows::FileKind::Json).await else {
        return Ok(None);
    };
    engine::write_file(&path, text).await?;
    Ok(Some(path.to_string_lossy().into_owned()))
}

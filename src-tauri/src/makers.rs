//! The AI's makers: what their cards show, what they offer, where they give keys out.

use crate::reach::open_outside;
use engine::Engine;
use protocol::{Failure, FailureCode, KeyStatus, Maker, MakerCard, NearbyServer, OfferedModel};
use std::collections::BTreeMap;
use tauri::{AppHandle, Runtime, State};

/// The makers there are cards for, in the order they are shown.
#[tauri::command]
pub fn makers() -> Vec<MakerCard> {
    Engine::makers()
}

/// What may be known of their stored keys: never a key.
///
/// # Errors
/// Never; a command that waits has to say so.
#[tauri::command]
pub async fn maker_keys(engine: State<'_, Engine>) -> Result<BTreeMap<Maker, KeyStatus>, Failure> {
    Ok(engine.maker_keys().await)
}

/// The models the chosen maker has.
///
/// # Errors
/// Why its list could not be read.
#[tauri::command]
pub async fn offered_models(engine: State<'_, Engine>) -> Result<Vec<OfferedModel>, Failure> {
    engine.offered_models(&engine.settings().provider).await
}

/// Model servers that run on this computer.
///
/// # Errors
/// Never; a command that waits has to say so.
#[tauri::command]
pub async fn servers_nearby(engine: State<'_, Engine>) -> Result<Vec<NearbyServer>, Failure> {
    Ok(engine.nearby_models().await)
}

/// Opens the page where a maker gives keys out. The window names the maker; the address is ours.
///
/// # Errors
/// When it has none, or no browser answers.
#[tauri::command]
pub async fn open_key_page<R: Runtime>(app: AppHandle<R>, maker: Maker) -> Result<(), Failure> {
    let page = Engine::key_page(maker).ok_or_else(|| Failure::from(FailureCode::NotFound))?;
    open_outside(&app, &page)
}

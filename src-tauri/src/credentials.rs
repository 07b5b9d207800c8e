//! Saved passwords: kept, removed, and the apps they may be bound to. The list itself comes with the settings.

use engine::Engine;
use protocol::{CredentialKind, CredentialWish, Failure, InstalledApp, PhoneId};
use secrecy::SecretString;
use tauri::State;

/// Puts a password into the keychain. It crosses the glass once, inward.
///
/// # Errors
/// As [`Engine::save_credential`].
#[tauri::command]
pub async fn save_credential(
    engine: State<'_, Engine>,
    name: String,
    kind: CredentialKind,
    wish: CredentialWish,
    value: SecretString,
) -> Result<(), Failure> {
    engine.save_credential(&name, kind, wish, value).await
}

/// Takes it out.
///
/// # Errors
/// As [`Engine::forget_credential`].
#[tauri::command]
pub async fn forget_credential(engine: State<'_, Engine>, name: String) -> Result<(), Failure> {
    engine.forget_credential(&name).await
}

/// The apps of a phone.
///
/// # Errors
/// As [`Engine::installed_apps`].
#[tauri::command]
pub async fn installed_apps(engine: State<'_, Engine>, phone: PhoneId) -> Result<Vec<InstalledApp>, Failure> {
    engine.installed_apps(&phone).await
}

//! Saved passwords: kept, removed, and the apps they may be bound to. The list itself comes with the settings.

use desk::Desk;
use protocol::{CredentialKind, CredentialWish, Failure, InstalledApp, PhoneId};
use secrecy::SecretString;
use tauri::State;

/// Puts a password into the keychain. It crosses the glass once, inward.
///
/// # Errors
/// As [`Desk::save_credential`].
#[tauri::command]
pub async fn save_credential(
    desk: State<'_, Desk>,
    name: String,
    kind: CredentialKind,
    wish: CredentialWish,
    value: SecretString,
) -> Result<(), Failure> {
    desk.save_credential(&name, kind, wish, value).await
}

/// Takes it out.
///
/// # Errors
/// As [`Desk::forget_credential`].
#[tauri::command]
pub async fn forget_credential(desk: State<'_, Desk>, name: String) -> Result<(), Failure> {
    desk.forget_credential(&name).await
}

/// The apps of a phone.
///
/// # Errors
/// As [`Desk::installed_apps`].
#[tauri::command]
pub async fn installed_apps(desk: State<'_, Desk>, phone: PhoneId) -> Result<Vec<InstalledApp>, Failure> {
    desk.installed_apps(&phone).await
}

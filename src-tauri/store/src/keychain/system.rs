//! Which keychain this system has.
//!
//! `keyring` chooses the same, but chooses once: `keyring::Entry::new` remembers for the life of the process that
//! there was no keychain when it first looked. A session's keychain may start after this program, or be started
//! again. So its stores are opened here, as often as needed, and put into `keyring`'s entries by `blocking.rs`.

use keyring_core::{CredentialStore, Result};
use std::sync::Arc;

/// Looks for the system's keychain.
pub(super) fn open() -> Result<Arc<CredentialStore>> {
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new()?;
    #[cfg(windows)]
    let store = windows_native_keyring_store::Store::new()?;
    #[cfg(all(unix, not(target_os = "macos")))]
    let store = zbus_secret_service_keyring_store::Store::new()?;
    Ok(store)
}

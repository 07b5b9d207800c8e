//! Saved passwords in the keychain: one entry each, its place beside its value.
//!
//! The list of names is with the settings. What is there cannot move a password to another place: the entry says itself
//! where it belongs, and one that is asked for elsewhere is not told.

use super::{Account, Keychain, KeychainError};
use protocol::{Credential, CredentialPlace};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};

impl Keychain {
    /// Keeps a password for the place it is for. In a keychain or nowhere: not in memory, not in a file.
    ///
    /// # Errors
    /// When there is no keychain, or it would not take it; then nothing is kept.
    pub async fn save_credential(
        &self,
        credential: &Credential,
        value: &SecretString,
    ) -> Result<(), KeychainError> {
        if value.expose_secret().is_empty() {
            return Err(KeychainError::Empty);
        }
        let account = Account::credential(&credential.name);
        self.put(&account, entry(&credential.place, value)).await
    }

    /// The value, for the phone and nobody else. None: there is none of this name, or it is for another place.
    ///
    /// # Errors
    /// When the keychain would not say, or not in time.
    pub async fn reveal_credential(
        &self,
        credential: &Credential,
    ) -> Result<Option<SecretString>, KeychainError> {
        let kept = self.get(&Account::credential(&credential.name)).await?;
        Ok(kept.and_then(|entry| value_for(&credential.place, &entry)))
    }

    /// Forgets it. One that was never kept is forgotten already.
    ///
    /// # Errors
    /// When the keychain could not be told.
    pub async fn forget_credential(&self, name: &str) -> Result<(), KeychainError> {
        self.forget(&Account::credential(name)).await
    }
}

/// The place as JSON on a line of its own; what stands below is the value, letter for letter.
fn entry(place: &CredentialPlace, value: &SecretString) -> SecretString {
    let place = serde_json::to_string(place).unwrap_or_default();
    let whole = Zeroizing::new(format!("{place}\n{}", value.expose_secret()));
    SecretString::from(whole.as_str())
}

fn value_for(place: &CredentialPlace, entry: &SecretString) -> Option<SecretString> {
    let (of, value) = entry.expose_secret().split_once('\n')?;
    let of: CredentialPlace = serde_json::from_str(of).ok()?;
    (of == *place).then(|| SecretString::from(value))
}

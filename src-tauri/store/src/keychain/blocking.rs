//! The keychain as its own thread sees it: calls that block.

use super::{Account, KeychainError};
use keyring::Entry;
use keyring_core::{CredentialStore, Error, Result};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;

/// Under this name the system's own keychain program lists our keys.
pub const SERVICE: &str = "ai.pocketdeck.desktop";

/// How a store is opened.
pub(super) type StoreOpener = Box<dyn FnMut() -> Result<Arc<CredentialStore>> + Send>;

/// The keychain, opened when first needed and again when it broke.
pub(super) struct BlockingKeychain {
    open: StoreOpener,
    store: Option<Arc<CredentialStore>>,
}

impl BlockingKeychain {
    pub(super) fn new(open: StoreOpener) -> Self {
        Self { open, store: None }
    }

    pub(super) fn set(
        &mut self,
        account: &Account,
        value: &SecretString,
    ) -> std::result::Result<(), KeychainError> {
        self.with(account.as_str(), |entry| {
            entry.set_password(value.expose_secret())
        })
    }

    /// `None`: there is no entry.
    pub(super) fn get(
        &mut self,
        account: &Account,
    ) -> std::result::Result<Option<SecretString>, KeychainError> {
        match (self.get_named(account.as_str())?, account.former()) {
            (None, Some(former)) => self.get_named(&former),
            (value, _) => Ok(value),
        }
    }

    fn get_named(&mut self, name: &str) -> std::result::Result<Option<SecretString>, KeychainError> {
        self.with(name, |entry| match entry.get_password().map(Zeroizing::new) {
            Ok(text) => Ok(Some(SecretString::from(text.as_str()))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
    }

    pub(super) fn delete(&mut self, account: &Account) -> std::result::Result<(), KeychainError> {
        // The former name too: a key that was forgotten does not come back.
        if let Some(former) = account.former() {
            self.delete_named(&former)?;
        }
        self.delete_named(account.as_str())
    }

    fn delete_named(&mut self, name: &str) -> std::result::Result<(), KeychainError> {
        self.with(name, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
    }

    /// Lets go of the store; the next call opens it anew.
    pub(super) fn close(&mut self) {
        self.store = None;
    }

    /// Does something with an entry. A keychain that fails is opened anew once: it may have been started again.
    fn with<T>(
        &mut self,
        name: &str,
        work: impl Fn(&Entry) -> Result<T>,
    ) -> std::result::Result<T, KeychainError> {
        if let Some(store) = self.store.take() {
            match on_entry(&store, name, &work) {
                Err(Error::PlatformFailure(_)) => {}
                result => {
                    self.store = Some(store);
                    return result.map_err(|error| KeychainError::on_use(&error));
                }
            }
        }
        let store = (self.open)().map_err(|error| KeychainError::on_opening(&error))?;
        let result = on_entry(&store, name, &work);
        if !matches!(result, Err(Error::PlatformFailure(_))) {
            self.store = Some(store);
        }
        result.map_err(|error| KeychainError::on_use(&error))
    }
}

fn on_entry<T>(store: &Arc<CredentialStore>, name: &str, work: impl Fn(&Entry) -> Result<T>) -> Result<T> {
    let inner = store.build(SERVICE, name, None)?;
    work(&Entry { inner })
}

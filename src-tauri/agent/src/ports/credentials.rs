//! Saved passwords. Implemented by room `engine` over the keychain.

use async_trait::async_trait;
use protocol::{Credential, Failure};
use secrecy::SecretString;

/// Saved passwords. Implemented by room `engine` over the keychain.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// The value, for the one field it is typed into. None: there is none of this name for this place.
    ///
    /// # Errors
    /// When the keychain would not say.
    async fn reveal(&self, credential: &Credential) -> Result<Option<SecretString>, Failure>;
}

/// Nobody saved anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCredentials;

#[async_trait]
impl Credentials for NoCredentials {
    async fn reveal(&self, _credential: &Credential) -> Result<Option<SecretString>, Failure> {
        Ok(None)
    }
}

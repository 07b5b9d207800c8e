//! Where the key comes from.

use async_trait::async_trait;
use protocol::Failure;
use secrecy::SecretString;

/// Gives the key when a request needs it, so that nobody keeps it longer. Implemented over the keychain by room `engine`.
#[async_trait]
pub trait Keys: Send + Sync {
    /// The key for this model, or `None` when none is set.
    ///
    /// # Errors
    /// When it cannot be told whether there is one: the keychain is missing, locked or refused.
    async fn key(&self) -> Result<Option<SecretString>, Failure>;
}

/// A key at hand: from the environment, or one that was just typed and is to be tried.
#[derive(Clone, Debug)]
pub struct FixedKey(pub SecretString);

#[async_trait]
impl Keys for FixedKey {
    async fn key(&self) -> Result<Option<SecretString>, Failure> {
        Ok(Some(self.0.clone()))
    }
}

/// No key: servers on this computer need none.
#[derive(Clone, Copy, Debug)]
pub struct NoKey;

#[async_trait]
impl Keys for NoKey {
    async fn key(&self) -> Result<Option<SecretString>, Failure> {
        Ok(None)
    }
}

//! Whose key.

use super::KeychainError;
use protocol::Provider;
use std::fmt;
use url::Url;

/// Whose key it is: a provider at a host. A key given for one host is never sent to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Account(String);

impl Account {
    /// The key of `provider` (a word such as `custom`) at an address. Of the address only scheme, host and
    /// port count.
    ///
    /// # Errors
    /// [`KeychainError::Address`] when it is not the address of a host.
    pub fn new(provider: &str, address: &str) -> Result<Self, KeychainError> {
        let url = Url::parse(address).map_err(|_| KeychainError::Address)?;
        let origin = url.origin();
        if !origin.is_tuple() {
            return Err(KeychainError::Address);
        }
        Ok(Self(format!("{provider} {}", origin.ascii_serialization())))
    }

    /// The key a provider of the settings needs; `None` for one that needs none.
    ///
    /// # Errors
    /// [`KeychainError::Address`] when its address is none.
    pub fn of(provider: &Provider) -> Result<Option<Self>, KeychainError> {
        match provider {
            Provider::Demo => Ok(None),
            Provider::Model { chosen } => {
                let maker = serde_json::to_value(chosen.maker).unwrap_or_default();
                let maker = maker.as_str().unwrap_or_default();
                match chosen
                    .base_url
                    .as_deref()
                    .map(str::trim)
                    .filter(|own| !own.is_empty())
                {
                    // An address without a scheme is https.
                    Some(own) if !own.contains("://") => {
                        Self::new(maker, &format!("https://{own}")).map(Some)
                    }
                    Some(own) => Self::new(maker, own).map(Some),
                    // A maker at its own address, which is the same in every version of this program.
                    None => Ok(Some(Self(format!("{maker} own address")))),
                }
            }
        }
    }

    /// A saved password of this name.
    #[must_use]
    pub fn credential(name: &str) -> Self {
        Self(format!("credential {name}"))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name earlier versions kept the same key under, where they did.
    pub(super) fn former(&self) -> Option<String> {
        let address = self.0.strip_prefix("custom ")?;
        Some(format!("openai_compatible {address}"))
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

//! Saved passwords: kept in the keychain, listed by name with the settings, revealed for one field of their own place.

use crate::{Engine, EngineError, clock, redact};
use agent::credential::is_name;
use agent::ports::{Credentials, Phone};
use async_trait::async_trait;
use protocol::{
    Credential, CredentialKind, CredentialPlace, CredentialWish, Failure, FailureCode, InstalledApp, PhoneId,
    Settings, SettingsPatch,
};
use secrecy::{ExposeSecret, SecretString};
use store::keychain::{Keychain, KeychainError};

/// More than a person keeps by hand; a list that is told with every change of a setting.
const MOST: usize = 100;
/// Longer than any password field takes.
const LONGEST: usize = 1000;

impl Engine {
    /// Keeps a password for the place it is for.
    ///
    /// # Errors
    /// `bad_input` for a name that is taken or cannot be one, a site that is none, an app that shows every site, a value no
    /// field takes; what the keychain says; when the phone that should tell of the app is not there. Nothing was kept then.
    pub async fn save_credential(
        &self,
        name: &str,
        kind: CredentialKind,
        wish: CredentialWish,
        value: SecretString,
    ) -> Result<(), Failure> {
        redact::remember(&value);
        let name = name.trim();
        let credentials = self.settings().credentials;
        let taken = credentials.iter().any(|one| one.name.eq_ignore_ascii_case(name));
        if !is_name(name) || taken || credentials.len() >= MOST || !is_typable(&value) {
            return Err(FailureCode::BadInput.into());
        }
        let credential = Credential {
            name: name.to_owned(),
            kind,
            place: self.place(wish).await?,
            since: clock::now(),
        };
        let keychain = &self.inner.keychain;
        let kept = keychain.save_credential(&credential, &value).await;
        kept.map_err(EngineError::from)?;
        let listed = self.list_credentials(move |all| all.push(credential)).await;
        if listed.is_err() {
            // What is not listed could not be removed by anybody.
            let _ = keychain.forget_credential(name).await;
        }
        listed
    }

    /// Removes it from the keychain and the list.
    ///
    /// # Errors
    /// When the keychain refused: it is listed still.
    pub async fn forget_credential(&self, name: &str) -> Result<(), Failure> {
        match self.inner.keychain.forget_credential(name).await {
            // A keychain that is not there any more has nothing to be taken out of.
            Ok(()) | Err(KeychainError::Missing(_)) => {}
            Err(error) => return Err(EngineError::from(error).into()),
        }
        let gone = name.to_owned();
        self.list_credentials(move |all| all.retain(|one| one.name != gone))
            .await
    }

    /// The apps of a phone, to bind a password to one.
    ///
    /// # Errors
    /// When the phone cannot be asked.
    pub async fn installed_apps(&self, phone: &PhoneId) -> Result<Vec<InstalledApp>, Failure> {
        let apps = self.phone(phone)?.apps().await.map_err(EngineError::from)?;
        Ok(apps
            .into_iter()
            .filter(|app| !screen::is_browser(&app.package))
            .map(|app| InstalledApp {
                package: app.package,
                label: app.label,
            })
            .collect())
    }

    async fn place(&self, wish: CredentialWish) -> Result<CredentialPlace, Failure> {
        match wish {
            CredentialWish::Host { host } => {
                let host = screen::host(&host).ok_or(Failure::from(FailureCode::BadInput))?;
                Ok(CredentialPlace::Host { host })
            }
            CredentialWish::App { phone, package } => {
                let apps = self.installed_apps(&phone).await?;
                let app = apps.into_iter().find(|app| app.package == package);
                let app = app.ok_or(Failure::from(FailureCode::BadInput))?;
                let signers = self.phone(&phone)?.signers(&package).await;
                Ok(CredentialPlace::App {
                    package: app.package,
                    app_label: app.label,
                    signers: signers.map_err(EngineError::from)?,
                })
            }
        }
    }

    async fn list_credentials(
        &self,
        change: impl FnOnce(&mut Vec<Credential>) + Send + 'static,
    ) -> Result<(), Failure> {
        let wanted = move |now: &Settings| {
            let mut credentials = now.credentials.clone();
            change(&mut credentials);
            SettingsPatch {
                credentials: Some(credentials),
                ..SettingsPatch::default()
            }
        };
        self.amend_settings(wanted).await.map(drop)
    }

    pub(crate) fn credentials(&self) -> KeychainCredentials {
        KeychainCredentials {
            keychain: self.inner.keychain.clone(),
        }
    }
}

/// One line, of a length a field takes.
fn is_typable(value: &SecretString) -> bool {
    let value = value.expose_secret();
    !value.is_empty() && value.chars().count() <= LONGEST && !value.chars().any(char::is_control)
}

/// Passwords from the keychain, asked for when one is typed.
pub(crate) struct KeychainCredentials {
    keychain: Keychain,
}

#[async_trait]
impl Credentials for KeychainCredentials {
    async fn reveal(&self, credential: &Credential) -> Result<Option<SecretString>, Failure> {
        let value = self.keychain.reveal_credential(credential).await;
        let value = value.map_err(EngineError::from)?;
        value.iter().for_each(redact::remember);
        Ok(value)
    }
}

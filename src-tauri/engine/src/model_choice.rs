//! Which model is asked: the one the settings name, with its key from the keychain.

use crate::{Engine, EngineError};
use agent::ports::Model;
use async_trait::async_trait;
use model::{FixedKey, Keys, Remote};
use protocol::{
    ChosenModel, Failure, FailureCode, KeyStatus, Maker, MakerCard, NearbyServer, OfferedModel, PointingTest,
    Provider, TrainedWords, Tried,
};
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::keychain::{Account, Keychain};

/// The environment variable a key may come from.
pub const MODEL_KEY: &str = "POCKETDECK_API_KEY";

/// Which AI.
#[derive(Clone, Debug)]
pub enum ModelChoice {
    /// The one the settings name.
    Settings,
    /// This one.
    Provider(Provider),
}

impl ModelChoice {
    /// What was typed on a command line: a maker's name or an address, a model there, and the action schema it is asked in, or
    /// the one that suits it. Nothing where that is neither.
    #[must_use]
    pub fn typed(place: &str, model: &str, words: Option<TrainedWords>) -> Option<Self> {
        let chosen = ChosenModel {
            words,
            ..model::typed(place, model)?
        };
        Some(Self::Provider(Provider::Model { chosen }))
    }
}

impl Engine {
    /// The AI, ready to think.
    ///
    /// # Errors
    /// When its address cannot be used.
    pub async fn model(&self, choice: &ModelChoice) -> Result<Arc<dyn Model>, Failure> {
        let provider = match choice {
            ModelChoice::Settings => self.settings().provider,
            ModelChoice::Provider(provider) => provider.clone(),
        };
        self.inner.models.of(provider, |provider| {
            Ok(match provider {
                Provider::Demo => Arc::new(demo_ai::DemoAi::new()),
                provider => Arc::new(self.remote(provider)?),
            })
        })
    }

    fn remote(&self, provider: &Provider) -> Result<Remote, Failure> {
        let chosen = chosen(provider).ok_or_else(|| failure(FailureCode::NotNow))?;
        Remote::open(chosen, self.keys(provider)?)
    }

    fn keys(&self, provider: &Provider) -> Result<Arc<dyn Keys>, Failure> {
        Ok(match &self.inner.key {
            Some(key) => Arc::new(FixedKey(key.clone())),
            None => Arc::new(KeychainKeys {
                keychain: self.inner.keychain.clone(),
                account: Account::of(provider).map_err(EngineError::from)?,
            }),
        })
    }

    /// The makers there are cards for.
    #[must_use]
    pub fn makers() -> Vec<MakerCard> {
        model::cards()
    }

    /// What may be known of the stored keys of makers at their own address.
    pub async fn maker_keys(&self) -> BTreeMap<Maker, KeyStatus> {
        let mut keys = BTreeMap::new();
        for card in Self::makers() {
            if !card.needs_key || card.base_url.is_none() {
                continue;
            }
            let chosen = ChosenModel {
                maker: card.maker,
                ..ChosenModel::default()
            };
            if let Ok(Some(account)) = Account::of(&Provider::Model { chosen }) {
                let status = self.inner.keychain.status(&account).await;
                // One that cannot be read cannot be read for the others either.
                let ends = matches!(status, KeyStatus::Unreadable { .. });
                keys.insert(card.maker, status);
                if ends {
                    break;
                }
            }
        }
        keys
    }

    /// Where a maker gives keys out.
    #[must_use]
    pub fn key_page(maker: Maker) -> Option<String> {
        Self::makers()
            .into_iter()
            .find(|card| card.maker == maker)?
            .key_page
    }

    /// The models a provider offers for its key.
    ///
    /// # Errors
    /// Why its list could not be read; then a model's name has to be typed.
    pub async fn offered_models(&self, provider: &Provider) -> Result<Vec<OfferedModel>, Failure> {
        match chosen(provider) {
            Some(chosen) => model::offered(&chosen, self.keys(provider)?).await,
            None => Ok(Vec::new()),
        }
    }

    /// Model servers on this computer: Ollama and LM Studio, where they usually listen.
    pub async fn nearby_models(&self) -> Vec<NearbyServer> {
        model::nearby().await
    }

    /// Two small requests: how long the AI took to answer, and whether it points where it means to.
    ///
    /// # Errors
    /// Why it did not.
    pub async fn try_model(&self) -> Result<Tried, Failure> {
        let provider = self.settings().provider;
        match provider {
            Provider::Demo => Ok(Tried {
                ms: 0,
                aim: PointingTest::NotAsked,
            }),
            provider => self.remote(&provider)?.try_it().await,
        }
    }

    /// Keeps a key for the AI the settings name.
    ///
    /// # Errors
    /// When the keychain refused, or the AI needs none.
    pub async fn save_key(&self, key: SecretString) -> Result<KeyStatus, Failure> {
        let account = self.account()?;
        crate::redact::remember(&key);
        let status = self
            .inner
            .keychain
            .save(&account, key)
            .await
            .map_err(EngineError::from)?;
        Ok(status)
    }

    /// Forgets it.
    ///
    /// # Errors
    /// When the keychain refused.
    pub async fn forget_key(&self) -> Result<KeyStatus, Failure> {
        let account = self.account()?;
        match self.inner.keychain.forget(&account).await {
            // What was kept for this run is forgotten; nothing else can have been kept.
            Err(store::keychain::KeychainError::Missing(_)) => {}
            done => done.map_err(EngineError::from)?,
        }
        Ok(self.inner.keychain.status(&account).await)
    }

    /// Forgets every key: those of makers at their own address, and that of the server the settings name.
    ///
    /// # Errors
    /// When the keychain refused one; those before it are forgotten.
    pub(crate) async fn forget_all_keys(&self) -> Result<(), Failure> {
        let makers = Self::makers().into_iter().map(|card| Provider::Model {
            chosen: ChosenModel {
                maker: card.maker,
                ..ChosenModel::default()
            },
        });
        for provider in makers.chain([self.settings().provider]) {
            if let Ok(Some(account)) = Account::of(&provider) {
                match self.inner.keychain.forget(&account).await {
                    Ok(()) | Err(store::keychain::KeychainError::Missing(_)) => {}
                    Err(error) => return Err(EngineError::from(error).into()),
                }
            }
        }
        Ok(())
    }

    /// What may be known of the key: never the key.
    pub async fn key_status(&self) -> KeyStatus {
        match Account::of(&self.settings().provider) {
            Ok(Some(account)) => self.inner.keychain.status(&account).await,
            Ok(None) | Err(_) => KeyStatus::Absent,
        }
    }

    fn account(&self) -> Result<Account, Failure> {
        let account = Account::of(&self.settings().provider).map_err(EngineError::from)?;
        account.ok_or_else(|| failure(FailureCode::NotNow))
    }
}

/// The model a provider of the settings is; `None` for the demo.
fn chosen(provider: &Provider) -> Option<ChosenModel> {
    match provider {
        Provider::Demo => None,
        Provider::Model { chosen } => Some(chosen.clone()),
    }
}

/// A key from the keychain, asked for when it is needed.
struct KeychainKeys {
    keychain: Keychain,
    account: Option<Account>,
}

#[async_trait]
impl Keys for KeychainKeys {
    async fn key(&self) -> Result<Option<SecretString>, Failure> {
        let Some(account) = &self.account else {
            return Ok(None);
        };
        let key = self.keychain.reveal(account).await.map_err(EngineError::from)?;
        key.iter().for_each(crate::redact::remember);
        Ok(key)
    }
}

fn failure(code: FailureCode) -> Failure {
    Failure {
        code,
        values: BTreeMap::new(),
        detail: None,
    }
}

//! Keys, in the system's keychain: save · status · forget · reveal.
//!
//! Where no keychain takes a key, it is kept in memory for this run of the program, and that is said; it never goes
//! to a file. A keychain that appears later is found without a restart.
//!
//! Calls are made on one thread of their own: a locked keychain blocks until the person has answered its prompt,
//! and that may take for ever. So every call here has a time limit; what comes after it is not lost.

mod account;
mod blocking;
mod credential;
mod error;
mod system;

pub use account::Account;
pub use blocking::SERVICE;
pub use error::KeychainError;
pub use keyring_core::CredentialStore;

use blocking::BlockingKeychain;
use protocol::KeyStatus;
use secrecy::{ExposeSecret, SecretString};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a call waits for the keychain: time enough to type a password into its prompt.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Calls that may wait behind one that is blocked.
const QUEUE: usize = 16;

/// What is done on the keychain's thread.
type Job = Box<dyn FnOnce(&mut BlockingKeychain) + Send>;

/// The system's keychain. Clones are the same.
#[derive(Clone)]
pub struct Keychain {
    /// Absent where there is no keychain at all.
    jobs: Option<SyncSender<Job>>,
    memory: Arc<Mutex<MemoryKeys>>,
    limit: Duration,
}

impl std::fmt::Debug for Keychain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keychain")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// What is kept in memory, and why.
#[derive(Default)]
struct MemoryKeys {
    values: HashMap<Account, MemoryKey>,
    /// Counts the saves, so that a late word about one is not taken for a word about a later one.
    saves: u64,
}

struct MemoryKey {
    value: SecretString,
    why: KeychainError,
    save: u64,
}

impl Keychain {
    /// The keychain of this system: Secret Service, macOS Keychain, or Windows Credential Manager.
    #[must_use]
    pub fn system() -> Self {
        Self::over(system::open)
    }

    /// No keychain: everything is kept for this run only. For tests, and for computers known to have none.
    #[must_use]
    pub fn absent() -> Self {
        Self {
            jobs: None,
            memory: Arc::default(),
            limit: LIMIT,
        }
    }

    /// Any credential store. `open` is called again whenever there is none or the last one broke.
    #[must_use]
    pub fn over(open: impl FnMut() -> keyring_core::Result<Arc<CredentialStore>> + Send + 'static) -> Self {
        let (jobs, queue) = sync_channel::<Job>(QUEUE);
        let thread = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                let mut keychain = BlockingKeychain::new(Box::new(open));
                while let Ok(job) = queue.recv() {
                    // A fault in a keychain's library costs one answer, not the keychain.
                    if catch_unwind(AssertUnwindSafe(|| job(&mut keychain))).is_err() {
                        keychain.close();
                    }
                }
            });
        Self {
            jobs: thread.is_ok().then_some(jobs),
            memory: Arc::default(),
            limit: LIMIT,
        }
    }

    /// The same keychain with another time limit.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Keeps a key: in the keychain, else in memory for this run of the program, and says which.
    ///
    /// When the time limit passes first, the key is held in memory and usable at once; should the person answer the
    /// keychain's prompt later, the key goes into the keychain after all, and [`Keychain::status`] tells.
    ///
    /// # Errors
    /// [`KeychainError::Empty`] for an empty key: nothing was changed.
    pub async fn save(&self, account: &Account, value: SecretString) -> Result<KeyStatus, KeychainError> {
        if value.expose_secret().is_empty() {
            return Err(KeychainError::Empty);
        }
        let ends_in = ends_in(&value);
        let save = self.hold(account, value.clone());
        let result = self
            .ask({
                let (account, memory) = (account.clone(), Arc::clone(&self.memory));
                move |keychain| {
                    let result = keychain.set(&account, &value);
                    settle(&memory, &account, save, result.as_ref().err());
                    result
                }
            })
            .await;
        match result {
            Ok(()) => Ok(KeyStatus::Stored { ends_in }),
            Err(why) => {
                if why != KeychainError::Waiting {
                    settle(&self.memory, account, save, Some(&why));
                }
                Ok(KeyStatus::ThisRunOnly {
                    ends_in,
                    failure: why.into(),
                })
            }
        }
    }

    /// What may be known of a key: never the key.
    pub async fn status(&self, account: &Account) -> KeyStatus {
        if let Some(key) = lock(&self.memory).values.get(account) {
            return KeyStatus::ThisRunOnly {
                ends_in: ends_in(&key.value),
                failure: key.why.clone().into(),
            };
        }
        match self.get(account).await {
            Ok(Some(value)) => KeyStatus::Stored {
                ends_in: ends_in(&value),
            },
            Ok(None) => KeyStatus::Absent,
            Err(why) => KeyStatus::Unreadable { failure: why.into() },
        }
    }

    /// The key itself, for the room that calls the model and nobody else. `None`: no key is kept.
    ///
    /// # Errors
    /// When the keychain would not say, or not in time.
    pub async fn reveal(&self, account: &Account) -> Result<Option<SecretString>, KeychainError> {
        let memory = lock(&self.memory)
            .values
            .get(account)
            .map(|key| key.value.clone());
        match memory {
            Some(value) => Ok(Some(value)),
            None => self.get(account).await,
        }
    }

    /// Forgets a key, in memory and in the keychain. One that was never kept is forgotten already.
    ///
    /// # Errors
    /// When the keychain could not be told; in memory it is forgotten all the same.
    pub async fn forget(&self, account: &Account) -> Result<(), KeychainError> {
        lock(&self.memory).values.remove(account);
        let account = account.clone();
        self.ask(move |keychain| keychain.delete(&account)).await
    }

    /// Puts a value into the keychain, or nowhere.
    async fn put(&self, account: &Account, value: SecretString) -> Result<(), KeychainError> {
        let of = account.clone();
        let result = self.ask(move |keychain| keychain.set(&of, &value)).await;
        if result == Err(KeychainError::Waiting)
            && let Some(jobs) = &self.jobs
        {
            // Should the person answer the keychain's prompt later, it does not keep what was said to be kept nowhere.
            let of = account.clone();
            let _full = jobs.try_send(Box::new(move |keychain| {
                let _gone = keychain.delete(&of);
            }));
        }
        result
    }

    async fn get(&self, account: &Account) -> Result<Option<SecretString>, KeychainError> {
        let account = account.clone();
        self.ask(move |keychain| keychain.get(&account)).await
    }

    /// Has something done on the keychain's thread. It is done even when the time limit passes first.
    async fn ask<T, F>(&self, work: F) -> Result<T, KeychainError>
    where
        T: Send + 'static,
        F: FnOnce(&mut BlockingKeychain) -> Result<T, KeychainError> + Send + 'static,
    {
        let jobs = self.jobs.as_ref().ok_or_else(KeychainError::none)?;
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |keychain| {
            let _nobody_waits_any_more = reply.send(work(keychain));
        });
        match jobs.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return Err(KeychainError::Waiting),
            Err(TrySendError::Disconnected(_)) => return Err(KeychainError::gone()),
        }
        match tokio::time::timeout(self.limit, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(KeychainError::gone()),
            Err(_) => Err(KeychainError::Waiting),
        }
    }

    /// Holds a value in memory until the keychain has it.
    fn hold(&self, account: &Account, value: SecretString) -> u64 {
        let mut memory = lock(&self.memory);
        memory.saves += 1;
        let save = memory.saves;
        let why = KeychainError::Waiting;
        memory
            .values
            .insert(account.clone(), MemoryKey { value, why, save });
        save
    }
}

/// A save has ended: the value leaves the memory, or stays there for another reason.
fn settle(memory: &Mutex<MemoryKeys>, account: &Account, save: u64, why: Option<&KeychainError>) {
    let mut memory = lock(memory);
    let Some(key) = memory.values.get_mut(account).filter(|key| key.save == save) else {
        return;
    };
    match why {
        Some(why) => key.why = why.clone(),
        None => {
            memory.values.remove(account);
        }
    }
}

/// A panic elsewhere while the lock was held leaves whole entries behind.
fn lock(memory: &Mutex<MemoryKeys>) -> MutexGuard<'_, MemoryKeys> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The last characters of a key, to tell it from others: four, but never more than a quarter of it.
fn ends_in(value: &SecretString) -> String {
    let count = value.expose_secret().chars().count();
    value
        .expose_secret()
        .chars()
        .skip(count - (count / 4).min(4))
        .collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod waiting_tests;

//! A locked keychain, whose prompt nobody has answered yet.

use super::tests::{KEY, account, key, revealed, this_run_only, trouble};
use super::*;
use keyring_core::api::{CredentialApi, CredentialPersistence, CredentialStoreApi};
use keyring_core::{Credential, Entry, Error, Result, mock};
use protocol::FailureCode;
use std::any::Any;
use std::sync::mpsc;

/// A credential whose every call waits for a word from the test: a locked keychain with its prompt open.
#[derive(Debug)]
struct Prompting {
    inner: Entry,
    answers: Arc<Mutex<mpsc::Receiver<Result<()>>>>,
}

impl Prompting {
    fn prompt(&self) -> Result<()> {
        let answers = self.answers.lock().unwrap();
        answers.recv().unwrap_or(Err(Error::NoEntry))
    }
}

impl CredentialApi for Prompting {
    fn set_secret(&self, secret: &[u8]) -> Result<()> {
        self.prompt()?;
        self.inner.set_secret(secret)
    }
    fn get_secret(&self) -> Result<Vec<u8>> {
        self.prompt()?;
        self.inner.get_secret()
    }
    fn delete_credential(&self) -> Result<()> {
        self.prompt()?;
        self.inner.delete_credential()
    }
    fn get_credential(&self) -> Result<Option<Arc<Credential>>> {
        Ok(None)
    }
    fn get_specifiers(&self) -> Option<(String, String)> {
        None
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct PromptingStore {
    inner: Arc<CredentialStore>,
    answers: Arc<Mutex<mpsc::Receiver<Result<()>>>>,
}

impl CredentialStoreApi for PromptingStore {
    fn vendor(&self) -> String {
        "test".to_owned()
    }
    fn id(&self) -> String {
        "test".to_owned()
    }
    fn build(&self, service: &str, user: &str, modifiers: Option<&HashMap<&str, &str>>) -> Result<Entry> {
        let inner = self.inner.build(service, user, modifiers)?;
        let answers = Arc::clone(&self.answers);
        Ok(Entry::new_with_credential(Arc::new(Prompting { inner, answers })))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn persistence(&self) -> CredentialPersistence {
        CredentialPersistence::ProcessOnly
    }
}

/// A keychain that answers each call when the test says so, and not within the time limit.
fn prompting() -> (Keychain, mpsc::Sender<Result<()>>, Arc<CredentialStore>) {
    let inner: Arc<CredentialStore> = mock::Store::new().unwrap();
    let (person, answers) = mpsc::channel();
    let answers = Arc::new(Mutex::new(answers));
    let store: Arc<CredentialStore> = Arc::new(PromptingStore {
        inner: Arc::clone(&inner),
        answers,
    });
    let keychain = Keychain::over(move || Ok(Arc::clone(&store)));
    (keychain.with_limit(Duration::from_millis(20)), person, inner)
}

#[tokio::test]
async fn a_late_yes_still_stores_the_key() {
    let (keychain, person, store) = prompting();
    let saved = keychain.save(&account(), key()).await.unwrap();
    let failure = this_run_only(&saved);
    assert_eq!(failure.code, FailureCode::KeychainRefused);
    assert_eq!(failure.values["why"], "waiting");
    // It can be used meanwhile.
    assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));

    person.send(Ok(())).unwrap();
    person.send(Ok(())).unwrap();
    let keychain = keychain.with_limit(Duration::from_secs(60));
    while matches!(keychain.status(&account()).await, KeyStatus::ThisRunOnly { .. }) {
        tokio::task::yield_now().await;
    }
    let entry = store.build(SERVICE, account().as_str(), None).unwrap();
    assert_eq!(entry.get_password().unwrap(), KEY);
}

#[tokio::test]
async fn a_late_no_leaves_the_key_in_memory_and_says_why() {
    let (keychain, person, store) = prompting();
    keychain.save(&account(), key()).await.unwrap();
    person
        .send(Err(Error::NoStorageAccess(trouble("the prompt was closed"))))
        .unwrap();
    let keychain = keychain.with_limit(Duration::from_secs(60));
    loop {
        let status = keychain.status(&account()).await;
        if this_run_only(&status).values["why"] == "locked" {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));
    let entry = store.build(SERVICE, account().as_str(), None).unwrap();
    assert!(matches!(entry.get_password(), Err(Error::NoEntry)));
}

#[tokio::test]
async fn a_late_word_about_an_old_key_does_not_touch_a_newer_one() {
    let (keychain, person, store) = prompting();
    keychain
        .save(&account(), SecretString::from("an older key, sixteen"))
        .await
        .unwrap();
    let saved = keychain.save(&account(), key()).await.unwrap();
    this_run_only(&saved);
    person.send(Ok(())).unwrap();
    // The older one is stored now; the newer one still waits.
    let entry = store.build(SERVICE, account().as_str(), None).unwrap();
    while entry.get_password().is_err() {
        std::thread::yield_now();
    }
    assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));
    person.send(Ok(())).unwrap();
    while entry.get_password().unwrap() != KEY {
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn forgetting_while_a_save_waits_forgets_it_all() {
    let (keychain, person, store) = prompting();
    keychain.save(&account(), key()).await.unwrap();
    assert_eq!(keychain.forget(&account()).await, Err(KeychainError::Waiting));
    // One save; forgetting and looking ask for the key's former name too.
    for _ in 0..5 {
        person.send(Ok(())).unwrap();
    }
    let keychain = keychain.with_limit(Duration::from_secs(60));
    assert_eq!(keychain.status(&account()).await, KeyStatus::Absent);
    let entry = store.build(SERVICE, account().as_str(), None).unwrap();
    assert!(matches!(entry.get_password(), Err(Error::NoEntry)));
}

#[tokio::test]
async fn a_keychain_that_never_answers_blocks_nobody() {
    let (keychain, _person, _store) = prompting();
    for _ in 0..2 * QUEUE {
        let error = keychain.reveal(&account()).await.unwrap_err();
        assert_eq!(error, KeychainError::Waiting);
    }
}

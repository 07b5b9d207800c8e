//! Every way a keychain can answer, with one made up for the purpose.

use super::*;
use keyring_core::api::{CredentialApi, CredentialPersistence, CredentialStoreApi};
use keyring_core::{Credential, Entry, Error, Result, mock};
use protocol::{Failure, FailureCode, Provider};
use std::any::Any;
use std::sync::mpsc;

const KEY: &str = "sk-MARKER-0123456789abcdef";

fn account() -> Account {
    Account::new("openai_compatible", "https://api.example.com/v1").unwrap()
}

fn key() -> SecretString {
    SecretString::from(KEY)
}

/// A keychain of memory; everybody who clones the store sees the same.
fn over_mock() -> (Keychain, Arc<CredentialStore>) {
    let store: Arc<CredentialStore> = mock::Store::new().unwrap();
    let keychain = Keychain::over({
        let store = Arc::clone(&store);
        move || Ok(Arc::clone(&store))
    });
    (keychain, store)
}

/// Makes the next call to the entry fail.
fn fail_next(store: &Arc<CredentialStore>, error: Error) {
    let entry = store.build(SERVICE, account().as_str(), None).unwrap();
    entry
        .as_any()
        .downcast_ref::<mock::Cred>()
        .unwrap()
        .set_error(error);
}

fn trouble(text: &str) -> Box<dyn std::error::Error + Send + Sync> {
    text.into()
}

async fn revealed(keychain: &Keychain) -> Option<String> {
    let key = keychain.reveal(&account()).await.unwrap();
    key.map(|key| key.expose_secret().to_owned())
}

fn stored() -> KeyStatus {
    KeyStatus::Stored {
        ends_in: "cdef".to_owned(),
    }
}

#[track_caller]
fn this_run_only(status: &KeyStatus) -> &Failure {
    let KeyStatus::ThisRunOnly { ends_in, failure } = status else {
        panic!("{status:?}");
    };
    assert_eq!(ends_in, "cdef");
    failure
}

#[tokio::test]
async fn a_key_is_saved_told_of_and_forgotten() {
    let (keychain, store) = over_mock();
    assert_eq!(keychain.status(&account()).await, KeyStatus::Absent);
    assert_eq!(revealed(&keychain).await, None);
    assert_eq!(keychain.save(&account(), key()).await.unwrap(), stored());
    assert_eq!(keychain.status(&account()).await, stored());
    assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));
    let entry = store
        .build(
            "ai.pocketdeck.desktop",
            "openai_compatible https://api.example.com",
            None,
        )
        .unwrap();
    assert_eq!(entry.get_password().unwrap(), KEY);
    // Of another host there is none.
    let other = Account::new("openai_compatible", "https://example.com/v1").unwrap();
    assert_eq!(keychain.status(&other).await, KeyStatus::Absent);

    keychain.forget(&account()).await.unwrap();
    assert_eq!(keychain.status(&account()).await, KeyStatus::Absent);
    keychain.forget(&account()).await.unwrap();
}

#[tokio::test]
async fn without_a_keychain_a_key_is_kept_for_this_run() {
    let refusing = Keychain::over(|| Err(Error::PlatformFailure(trouble("no such service"))));
    for keychain in [Keychain::absent(), refusing] {
        let KeyStatus::Unreadable { failure } = keychain.status(&account()).await else {
            panic!("nobody can say");
        };
        assert_eq!(failure.code, FailureCode::KeychainMissing);
        let saved = keychain.save(&account(), key()).await.unwrap();
        assert_eq!(this_run_only(&saved).code, FailureCode::KeychainMissing);
        assert_eq!(keychain.status(&account()).await, saved);
        assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));
        assert_eq!(revealed(&keychain.clone()).await.as_deref(), Some(KEY));
        let error = keychain.forget(&account()).await.unwrap_err();
        assert!(matches!(error, KeychainError::Missing(_)), "{error:?}");
        assert!(matches!(
            keychain.reveal(&account()).await,
            Err(KeychainError::Missing(_))
        ));
    }
}

/// How each answer of the keychain to `save` and to `status` is told.
#[tokio::test]
async fn every_refusal_has_its_own_word() {
    let check = async |error: fn() -> Error, code: FailureCode, why: Option<&str>| {
        let (keychain, store) = over_mock();
        // The first call opens the store, so that a failing one is met by the second.
        assert_eq!(keychain.status(&account()).await, KeyStatus::Absent);
        fail_next(&store, error());
        let KeyStatus::Unreadable { failure } = keychain.status(&account()).await else {
            panic!("{:?} was not told", error());
        };
        assert_eq!(
            (failure.code, failure.values.get("why").map(String::as_str)),
            (code, why)
        );
        fail_next(&store, error());
        let saved = keychain.save(&account(), key()).await.unwrap();
        assert_eq!(this_run_only(&saved), &failure);
        assert!(!format!("{failure:?}").contains("MARKER"), "{failure:?}");
        // Once the keychain takes it, the memory lets go of it.
        assert_eq!(keychain.save(&account(), key()).await.unwrap(), stored());
        assert_eq!(keychain.status(&account()).await, stored());
    };
    let refused = FailureCode::KeychainRefused;
    check(|| Error::NoDefaultStore, FailureCode::KeychainMissing, None).await;
    check(
        || Error::NoStorageAccess(trouble("locked")),
        refused,
        Some("locked"),
    )
    .await;
    check(
        || Error::TooLong("password".to_owned(), 8),
        refused,
        Some("unfit"),
    )
    .await;
    check(|| Error::BadEncoding(KEY.into()), refused, Some("broken")).await;
    check(
        || Error::BadDataFormat(KEY.into(), trouble(KEY)),
        refused,
        Some("broken"),
    )
    .await;
}

#[tokio::test]
async fn a_keychain_that_appears_or_returns_is_found_without_a_restart() {
    let store: Arc<CredentialStore> = mock::Store::new().unwrap();
    let (sender, stores) = mpsc::channel::<Option<Arc<CredentialStore>>>();
    let keychain = Keychain::over(move || match stores.try_recv() {
        Ok(Some(store)) => Ok(store),
        _ => Err(Error::PlatformFailure(trouble("not there"))),
    });
    let saved = keychain.save(&account(), key()).await.unwrap();
    assert_eq!(this_run_only(&saved).code, FailureCode::KeychainMissing);
    sender.send(Some(Arc::clone(&store))).unwrap();
    assert_eq!(keychain.save(&account(), key()).await.unwrap(), stored());

    // It is started again: the old connection fails, a new one is made within the same call.
    sender.send(Some(Arc::clone(&store))).unwrap();
    fail_next(
        &store,
        Error::PlatformFailure(trouble("the connection is closed")),
    );
    assert_eq!(keychain.status(&account()).await, stored());
    // It is gone for good.
    fail_next(
        &store,
        Error::PlatformFailure(trouble("the connection is closed")),
    );
    let KeyStatus::Unreadable { failure } = keychain.status(&account()).await else {
        panic!("nobody can say");
    };
    assert_eq!(failure.code, FailureCode::KeychainMissing);
}

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
    for _ in 0..3 {
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

#[tokio::test]
async fn an_empty_key_is_no_key() {
    let (keychain, _store) = over_mock();
    keychain.save(&account(), key()).await.unwrap();
    let error = keychain
        .save(&account(), SecretString::from(""))
        .await
        .unwrap_err();
    assert_eq!(error, KeychainError::Empty);
    assert_eq!(keychain.status(&account()).await, stored());
}

#[test]
fn at_most_a_quarter_of_a_key_is_shown() {
    let shown = |key: &str| ends_in(&SecretString::from(key));
    let keys = [
        "",
        "abc",
        "abcd",
        "abcdefgh",
        "abcdefghijkl",
        "abcdefghijklmnop",
        KEY,
        "grüßgott",
    ];
    assert_eq!(keys.map(shown), ["", "", "d", "gh", "jkl", "mnop", "cdef", "tt"]);
}

#[test]
fn a_key_belongs_to_a_host() {
    let name = |address: &str| Account::new("p", address).map(|account| account.to_string());
    assert_eq!(
        name("https://api.example.com/v1").unwrap(),
        "p https://api.example.com"
    );
    assert_eq!(
        name("HTTPS://API.example.com:443/x?y#z").unwrap(),
        "p https://api.example.com"
    );
    assert_eq!(
        name("http://localhost:8080/v1").unwrap(),
        "p http://localhost:8080"
    );
    assert_eq!(
        name("https://api.example.com@evil.example/v1").unwrap(),
        "p https://evil.example"
    );
    assert_eq!(name("http://[::1]:1234").unwrap(), "p http://[::1]:1234");
    for bad in ["", "api.example.com", "file:///etc/passwd", "data:x", "https://"] {
        assert_eq!(name(bad), Err(KeychainError::Address), "{bad}");
    }
    assert_eq!(Account::of(&Provider::Demo).unwrap(), None);
}

#[test]
fn a_keychain_shows_nothing_of_its_keys() {
    let keychain = Keychain::absent();
    keychain.hold(&account(), key());
    assert_eq!(format!("{keychain:?}"), "Keychain { limit: 30s, .. }");
}

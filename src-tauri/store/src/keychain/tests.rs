//! Every way a keychain can answer, with one made up for the purpose.

use super::*;
use keyring_core::{Error, mock};
use protocol::{ChosenModel, Failure, FailureCode, Maker, Provider};
use std::sync::mpsc;

pub(super) const KEY: &str = "sk-MARKER-0123456789abcdef";

pub(super) fn account() -> Account {
    Account::new("custom", "https://api.example.com/v1").unwrap()
}

pub(super) fn key() -> SecretString {
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

pub(super) fn trouble(text: &str) -> Box<dyn std::error::Error + Send + Sync> {
    text.into()
}

pub(super) async fn revealed(keychain: &Keychain) -> Option<String> {
    let key = keychain.reveal(&account()).await.unwrap();
    key.map(|key| key.expose_secret().to_owned())
}

pub(super) fn stored() -> KeyStatus {
    KeyStatus::Stored {
        ends_in: "cdef".to_owned(),
    }
}

#[track_caller]
pub(super) fn this_run_only(status: &KeyStatus) -> &Failure {
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
        .build("ai.pocketdeck.desktop", "custom https://api.example.com", None)
        .unwrap();
    assert_eq!(entry.get_password().unwrap(), KEY);
    // Of another host there is none.
    let other = Account::new("custom", "https://example.com/v1").unwrap();
    assert_eq!(keychain.status(&other).await, KeyStatus::Absent);

    keychain.forget(&account()).await.unwrap();
    assert_eq!(keychain.status(&account()).await, KeyStatus::Absent);
    keychain.forget(&account()).await.unwrap();
}

/// Earlier versions kept the key of a server of one's own under another name: it is found, and forgotten there too.
#[tokio::test]
async fn a_key_of_an_earlier_version_is_found() {
    let (keychain, store) = over_mock();
    let former = store
        .build(SERVICE, "openai_compatible https://api.example.com", None)
        .unwrap();
    former.set_password(KEY).unwrap();
    assert_eq!(keychain.status(&account()).await, stored());
    assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));
    let other = Account::new("openai", "https://api.example.com").unwrap();
    assert_eq!(keychain.status(&other).await, KeyStatus::Absent);
    keychain.forget(&account()).await.unwrap();
    assert_eq!(keychain.status(&account()).await, KeyStatus::Absent);
    assert!(matches!(former.get_password(), Err(Error::NoEntry)));

    // The newer one goes first.
    former.set_password("an older key").unwrap();
    keychain.save(&account(), key()).await.unwrap();
    assert_eq!(revealed(&keychain).await.as_deref(), Some(KEY));
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

#[tokio::test]
async fn a_panic_in_a_keychains_library_costs_one_answer() {
    let store: Arc<CredentialStore> = mock::Store::new().unwrap();
    let mut calls = 0;
    let keychain = Keychain::over(move || {
        calls += 1;
        assert!(calls > 1, "please report a bug");
        Ok(Arc::clone(&store))
    });
    let saved = keychain.save(&account(), key()).await.unwrap();
    assert_eq!(this_run_only(&saved).values["why"], "broken");
    assert_eq!(keychain.save(&account(), key()).await.unwrap(), stored());
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

/// A key given to a maker goes to the maker's own address, or to the one it was typed for: never to another.
#[test]
fn a_makers_key_stays_with_its_address() {
    let account = |maker, base_url: Option<&str>| {
        let chosen = ChosenModel {
            maker,
            base_url: base_url.map(str::to_owned),
            ..ChosenModel::default()
        };
        Account::of(&Provider::Model { chosen }).map(|account| account.unwrap().to_string())
    };
    assert_eq!(account(Maker::Openai, None).unwrap(), "openai own address");
    assert_eq!(account(Maker::Openai, Some("  ")).unwrap(), "openai own address");
    let typed = "https://elsewhere.example/v1";
    assert_eq!(
        account(Maker::Openai, Some(typed)).unwrap(),
        "openai https://elsewhere.example"
    );
    assert_eq!(
        account(Maker::Custom, Some("elsewhere.example/v1")).unwrap(),
        "custom https://elsewhere.example"
    );
    assert_eq!(
        account(Maker::Custom, Some("https://")),
        Err(KeychainError::Address)
    );
}

#[test]
fn a_keychain_shows_nothing_of_its_keys() {
    let keychain = Keychain::absent();
    keychain.hold(&account(), key());
    assert_eq!(format!("{keychain:?}"), "Keychain { limit: 30s, .. }");
}

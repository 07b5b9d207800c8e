//! A saved password, from the settings to the phone.

use crate::rig::{Rig, Says, all_bytes, at, finish, on};
use engine::Keychain;
use keyring_core::mock;
use protocol::{
    AskKind, AskReason, Choice, CredentialKind, CredentialPlace, CredentialWish, FailureCode, RuleName, What,
};
use secrecy::SecretString;
use serde_json::json;

const NAME: &str = "Northbank password";
/// The bank knows it.
const PASSWORD: &str = "harbour-9";
const SIGN_IN: &str = "com.northbank.mobile/.SignInActivity";

fn keychain() -> Keychain {
    let store: std::sync::Arc<store::keychain::CredentialStore> = mock::Store::new().unwrap();
    Keychain::over(move || Ok(std::sync::Arc::clone(&store)))
}

fn bank(rig: &Rig) -> CredentialWish {
    CredentialWish::App {
        phone: rig.phone.clone(),
        package: "com.northbank.mobile".into(),
    }
}

async fn save(rig: &Rig, wish: CredentialWish) {
    let value = SecretString::from(PASSWORD);
    let saved = rig
        .engine
        .save_credential(NAME, CredentialKind::Password, wish, value);
    saved.await.unwrap();
}

fn model() -> std::sync::Arc<Says> {
    Says::new(vec![
        on("username", json!({"type": "type", "text": "anna"})),
        on(
            "password",
            json!({"type": "type", "text": "{{secret:Northbank password}}"}),
        ),
        on("sign_in", json!({"type": "tap"})),
        finish(),
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_signs_in_and_nobody_hears_the_password() {
    let mut rig = Rig::new(at(SIGN_IN), keychain()).await;
    let wish = bank(&rig);
    save(&rig, wish).await;
    let settings = rig.engine.settings();
    let CredentialPlace::App {
        signers, app_label, ..
    } = &settings.credentials[0].place
    else {
        panic!("{settings:?}");
    };
    assert!(
        signers.iter().any(|signer| signer.starts_with("sum ")),
        "{signers:?}"
    );
    assert_eq!(app_label, "Northbank");

    let model = model();
    let run = rig.run(&model, settings);
    let (asks, events) = rig.end(&run, Choice::Deny).await;
    assert!(asks.is_empty(), "{asks:#?}");
    // The bank took it, and sent a code.
    assert_eq!(rig.state("/northbank/codesSent"), json!(1), "{events:#?}");
    assert_eq!(rig.state("/northbank/failedPasswords"), json!(0));

    let told = model.told();
    assert!(
        told[0].contains(r#"{{secret:Northbank password}}"#),
        "{}",
        told[0]
    );
    let journal = serde_json::to_string(&events).unwrap();
    for (place, text) in [("prompts", told.concat()), ("events", journal)] {
        assert!(!text.contains(PASSWORD), "the password is in the {place}");
    }
    rig.engine.close().await;
    let kept = all_bytes(rig.folder.path());
    let holds = |needle: &[u8]| kept.windows(needle.len()).any(|window| window == needle);
    assert!(holds(NAME.as_bytes()), "the search finds what is there");
    assert!(!holds(PASSWORD.as_bytes()));
}

/// Removed, it is asked for; and so is one of another app, and of another signer.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_for_this_app_is_asked_for() {
    let mut rig = Rig::new(at(SIGN_IN), keychain()).await;
    let wish = bank(&rig);
    save(&rig, wish.clone()).await;
    let stood = rig.engine.settings();
    rig.engine.forget_credential(NAME).await.unwrap();
    assert!(rig.engine.settings().credentials.is_empty());

    // A list of before it was removed names what the keychain has no more.
    let mut forged = stood.clone();
    if let CredentialPlace::App { signers, .. } = &mut forged.credentials[0].place {
        *signers = vec!["sum 1".into()];
    }
    save(
        &rig,
        CredentialWish::Host {
            host: "https://www.northbank.example/sign-in".into(),
        },
    )
    .await;
    let now = rig.engine.settings();
    let site = CredentialPlace::Host {
        host: "northbank.example".into(),
    };
    assert_eq!(now.credentials[0].place, site);
    for (settings, rule) in [
        (stood, RuleName::SavedGone),
        (forged, RuleName::SavedElsewhere),
        (now, RuleName::SavedElsewhere),
    ] {
        let model = Says::new(vec![
            on(
                "password",
                json!({"type": "type", "text": "{{secret:Northbank password}}"}),
            ),
            finish(),
        ]);
        let run = rig.run(&model, settings);
        let (asks, _) = rig.end(&run, Choice::Deny).await;
        assert_eq!(asks.len(), 1);
        assert_eq!(asks[0].kind, AskKind::Password);
        assert_eq!(asks[0].reason, AskReason::Rule { rule: rule.into() });
    }
    assert!(!rig.handle.state().to_string().contains(PASSWORD));
}

/// On a site: where the browser says it is, and nowhere else.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_site_it_goes_by_the_browsers_address() {
    for (bound, fits) in [("forum.example", true), ("northbank.example", false)] {
        let mut rig = Rig::new(at("com.android.browser/.BrowserActivity"), keychain()).await;
        let wish = CredentialWish::Host { host: bound.into() };
        save(&rig, wish).await;
        let model = Says::new(vec![
            crate::rig::say(json!({"type": "open_url", "url": "https://forum.example"})),
            on(
                "Password",
                json!({"type": "type", "text": "{{secret:Northbank password}}"}),
            ),
            on("Sign in", json!({"type": "tap"})),
            finish(),
        ]);
        let run = rig.run_task("Sign in at forum.example", &model, rig.engine.settings());
        let (asks, events) = rig.end(&run, Choice::Deny).await;
        assert_eq!(asks.is_empty(), fits, "{asks:#?}");
        assert_eq!(model.told()[1].contains(NAME), fits, "{}", model.told()[1]);
        let sent = rig.state("/browser/submitted").to_string();
        assert_eq!(sent.contains(PASSWORD), fits, "{sent}");
        let typed = |what: &What| {
            matches!(
                what,
                What::Acting {
                    secret_characters: Some(_),
                    ..
                }
            )
        };
        assert_eq!(events.iter().any(|event| typed(&event.what)), fits);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_is_not_listed() {
    let rig = Rig::new(at(SIGN_IN), Keychain::absent()).await;
    let password = || SecretString::from(PASSWORD);
    let kind = CredentialKind::Password;
    let none = rig
        .engine
        .save_credential(NAME, kind, bank(&rig), password())
        .await;
    assert_eq!(none.unwrap_err().code, FailureCode::KeychainMissing);
    assert!(rig.engine.settings().credentials.is_empty());

    let rig = Rig::new(at(SIGN_IN), keychain()).await;
    let wish = |package: &str| CredentialWish::App {
        phone: rig.phone.clone(),
        package: package.into(),
    };
    // A browser shows any site; what is not installed is not known.
    for package in ["com.android.browser", "com.example.gone"] {
        let refused = rig
            .engine
            .save_credential(NAME, kind, wish(package), password())
            .await;
        assert_eq!(refused.unwrap_err().code, FailureCode::BadInput, "{package}");
    }
    let saved = rig
        .engine
        .save_credential(NAME, kind, wish("com.northbank.mobile"), password());
    saved.await.unwrap();
    let twice = rig
        .engine
        .save_credential("northbank PASSWORD", kind, bank(&rig), password())
        .await;
    assert_eq!(twice.unwrap_err().code, FailureCode::BadInput);
    assert_eq!(rig.engine.settings().credentials.len(), 1);
}

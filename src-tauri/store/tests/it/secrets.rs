//! No secret is in any file of the store, in any shape.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::*;
use agent::ports::Journal;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use protocol::{AskOutcome, KeyStatus, What};
use secrecy::SecretString;
use store::Store;
use store::keychain::{Account, Keychain};

const KEY: &str = "sk-\"MARKER\"-0123456789\u{e4}";

/// The shapes a text takes on its way into a file.
fn shapes(text: &str) -> Vec<Vec<u8>> {
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let json = serde_json::to_string(text).unwrap();
    vec![
        text.as_bytes().to_vec(),
        json.trim_matches('"').as_bytes().to_vec(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        STANDARD_NO_PAD.encode(text).into_bytes(),
        text.bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
            .into_bytes(),
    ]
}

#[tokio::test]
async fn a_key_and_a_code_are_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r1", "moto").await;

    let account = Account::new("custom", "https://api.example.com").unwrap();
    let refusing = Keychain::over(|| Err(keyring_core::Error::NoDefaultStore));
    for keychain in [Keychain::absent(), refusing] {
        let status = keychain.save(&account, SecretString::from(KEY)).await.unwrap();
        assert!(matches!(status, KeyStatus::ThisRunOnly { .. }), "{status:?}");
        let KeyStatus::ThisRunOnly { failure, .. } = status else {
            unreachable!()
        };
        story.tell(What::Retrying { failure, after_ms: 1 }).await;
    }
    story.tell(payment("a", Some("$23.40"), None)).await;
    story
        .tell(answered("a", AskOutcome::Supplied { characters: 6 }))
        .await;
    store.keep(&story.run, screen(&picture(64, 64, 9))).await.unwrap();

    let bytes = all_bytes(folder.path());
    // What was written is found by the same search.
    let goal = shapes("Order the weekly groceries and pay");
    assert!(contains(&bytes, &goal[0]));
    for shape in shapes(KEY) {
        assert!(!contains(&bytes, &shape), "{}", String::from_utf8_lossy(&shape));
    }
    for shape in shapes("MARKER") {
        assert!(!contains(&bytes, &shape), "{}", String::from_utf8_lossy(&shape));
    }
    drop(store);
    assert!(!contains(&all_bytes(folder.path()), b"MARKER"));
}

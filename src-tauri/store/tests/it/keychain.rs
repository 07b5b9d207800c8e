//! A real Secret Service: gnome-keyring on a bus of the test's own, with a home of the test's own.
//!
//! Each test starts this program again inside `dbus-run-session`, in a role of [`inside`].

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{all_bytes, contains};
use protocol::{Credential, CredentialKind, CredentialPlace, FailureCode, KeyStatus};
use secrecy::{ExposeSecret, SecretString};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::keychain::{Account, Keychain, KeychainError};
use tempfile::TempDir;

const ROLE: &str = "KEYCHAIN_TEST_ROLE";
const KEY: &str = "sk-MARKER-0123456789abcdef";

/// A bus that starts no service by itself, as the usual one would.
const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>"#;

/// A home nobody has lived in.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    std::fs::create_dir(&run).unwrap();
    std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o700)).unwrap();
    std::fs::write(home.path().join("bus.conf"), BUS).unwrap();
    home
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test needs a bus and a keychain of its own"
)]
fn command(program: &str, package: &str) -> Command {
    let found =
        std::env::split_paths(&std::env::var_os("PATH").unwrap()).any(|path| path.join(program).is_file());
    assert!(
        found,
        "{program} is not installed: this test needs the package {package}"
    );
    Command::new(program)
}

/// Runs a role on a new bus. `before` is what the shell does first; the daemon reads a password from its input.
#[track_caller]
fn play(role: &str, home: &Path, before: &str) {
    let _checked = command("gnome-keyring-daemon", "gnome-keyring");
    let _checked = command("dbus-send", "dbus (dbus-bin)");
    let output = command("dbus-run-session", "dbus (dbus-daemon)")
        .arg("--config-file")
        .arg(home.join("bus.conf"))
        .args(["--", "sh", "-c"])
        .arg(format!(
            "{before}\n exec \"$0\" --exact keychain::inside --nocapture"
        ))
        .arg(std::env::current_exe().unwrap())
        .env(ROLE, role)
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_RUNTIME_DIR", home.join("run"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{role}: {}",
        String::from_utf8_lossy(&said)
    );
}

/// Unlocks the login keyring with a password, making it where there is none, and waits until the service is there.
fn unlock(password: &str) -> String {
    format!(
        "printf %s {password} | gnome-keyring-daemon --unlock --components=secrets >/dev/null || exit 9
        for _ in $(seq 600); do
            dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
                org.freedesktop.DBus.GetNameOwner string:org.freedesktop.secrets >/dev/null 2>&1 && break
            sleep 0.1
        done"
    )
}

#[test]
fn a_key_is_kept_by_the_systems_keychain_and_nowhere_else() {
    let home = home();
    play("save", home.path(), &unlock("first"));
    // Its files are encrypted: the key is in none of them, nor in any other.
    assert!(home.path().join("data/keyrings/login.keyring").is_file());
    assert!(!contains(&all_bytes(&home.path().join("data")), b"MARKER"));
    play("locked", home.path(), &unlock("another"));
    play("forget", home.path(), &unlock("first"));
    play("forgotten", home.path(), &unlock("first"));
}

#[test]
fn without_a_bus_there_is_no_keychain() {
    play(
        "no bus",
        home().path(),
        "export DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere",
    );
}

#[test]
fn a_keychain_that_starts_later_is_found() {
    play("no service", home().path(), "");
}

#[tokio::test]
async fn inside() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let account = Account::new("custom", "https://api.example.com/v1").unwrap();
    let keychain = Keychain::system().with_limit(Duration::from_secs(60));
    match role.as_str() {
        "save" => {
            save(&keychain, &account).await;
            save_credential(&keychain).await;
        }
        "locked" => {
            let KeyStatus::Unreadable { failure } = keychain.status(&account).await else {
                panic!("it is locked");
            };
            assert_eq!(failure.code, FailureCode::KeychainRefused);
            assert_eq!(failure.values["why"], "locked");
            assert!(matches!(
                keychain.reveal(&account).await,
                Err(KeychainError::Locked(_))
            ));
            let locked = |error| matches!(error, KeychainError::Locked(_));
            assert!(locked(
                keychain
                    .reveal_credential(&credential("Northbank password"))
                    .await
                    .unwrap_err()
            ));
            // One that cannot be kept is not kept for this run either.
            let other = credential("Greenleaf password");
            let password = SecretString::from(PASSWORD);
            assert!(locked(
                keychain.save_credential(&other, &password).await.unwrap_err()
            ));
            assert_eq!(password_of(&keychain, &other).await, None);
        }
        "forget" => {
            assert_eq!(
                keychain.status(&account).await,
                stored(),
                "from the session before"
            );
            keychain.forget(&account).await.unwrap();
            assert_eq!(keychain.status(&account).await, KeyStatus::Absent);
            let saved = credential("Northbank password");
            assert_eq!(password_of(&keychain, &saved).await.as_deref(), Some(PASSWORD));
            keychain.forget_credential(&saved.name).await.unwrap();
            assert_eq!(password_of(&keychain, &saved).await, None);
            keychain.forget_credential(&saved.name).await.unwrap();
        }
        "forgotten" => {
            assert_eq!(keychain.status(&account).await, KeyStatus::Absent);
            assert_eq!(
                password_of(&keychain, &credential("Northbank password")).await,
                None
            );
        }
        "no bus" => {
            missing(&keychain, &account).await;
            let saved = credential("Northbank password");
            let missing = |error| matches!(error, KeychainError::Missing(_));
            let password = SecretString::from(PASSWORD);
            assert!(missing(
                keychain.save_credential(&saved, &password).await.unwrap_err()
            ));
            assert!(missing(keychain.reveal_credential(&saved).await.unwrap_err()));
        }
        "no service" => {
            missing(&keychain, &account).await;
            start_daemon();
            until_stored(&keychain, &account).await;
            assert_eq!(keychain.status(&account).await, stored());
            // Started again, it is another service under the same name; the connection of before is worth nothing.
            start_daemon();
            until_stored(&keychain, &account).await;
            assert_eq!(keychain.status(&account).await, stored());
        }
        other => panic!("no such role: {other}"),
    }
}

/// A password, with what a line of its own could end.
const PASSWORD: &str = "MARKER harbour\n9 \"\u{e4}\"";

fn credential(name: &str) -> Credential {
    Credential {
        name: name.to_owned(),
        kind: CredentialKind::Password,
        place: CredentialPlace::App {
            package: "com.northbank.mobile".to_owned(),
            app_label: "Northbank".to_owned(),
            signers: vec!["sum 57f52fdb".to_owned()],
        },
        since: 1,
    }
}

async fn password_of(keychain: &Keychain, credential: &Credential) -> Option<String> {
    let password = keychain.reveal_credential(credential).await.unwrap();
    password.map(|password| password.expose_secret().to_owned())
}

/// A password is told for the place it was saved for, whatever the list says by now.
async fn save_credential(keychain: &Keychain) {
    let saved = credential("Northbank password");
    assert_eq!(password_of(keychain, &saved).await, None);
    let empty = keychain.save_credential(&saved, &SecretString::from("")).await;
    assert_eq!(empty, Err(KeychainError::Empty));
    let password = SecretString::from(PASSWORD);
    keychain.save_credential(&saved, &password).await.unwrap();
    assert_eq!(
        password_of(&Keychain::system(), &saved).await.as_deref(),
        Some(PASSWORD)
    );
    let moved = [
        CredentialPlace::Host {
            host: "evil.example".to_owned(),
        },
        CredentialPlace::App {
            package: "com.northbank.mobile".to_owned(),
            app_label: "Northbank".to_owned(),
            signers: Vec::new(),
        },
    ];
    for place in moved {
        let elsewhere = Credential {
            place,
            ..saved.clone()
        };
        assert_eq!(password_of(keychain, &elsewhere).await, None, "{elsewhere:?}");
    }
    assert_eq!(password_of(keychain, &credential("Northbank")).await, None);
}

fn key() -> SecretString {
    SecretString::from(KEY)
}

fn stored() -> KeyStatus {
    KeyStatus::Stored {
        ends_in: "cdef".to_owned(),
    }
}

/// Saves a key and takes it out again, while everything every crate has to say at any level is written down.
async fn save(keychain: &Keychain, account: &Account) {
    let log = Log::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer({
            let log = log.clone();
            move || log.clone()
        })
        .init();
    assert_eq!(keychain.status(account).await, KeyStatus::Absent);
    assert_eq!(keychain.save(account, key()).await.unwrap(), stored());
    assert_eq!(keychain.status(account).await, stored());
    // Another part of the program, with a connection of its own.
    let other = Keychain::system();
    let revealed = other.reveal(account).await.unwrap().unwrap();
    assert_eq!(revealed.expose_secret(), KEY);

    let log = log.0.lock().unwrap().clone();
    for known in [&b"set password for entry"[..], b"Sending message"] {
        assert!(contains(&log, known), "the log is taken down");
    }
    assert!(!contains(&log, b"MARKER"));
    // As the numbers of its bytes, as a debugger would show them.
    assert!(!contains(&log, b"77, 65, 82, 75, 69, 82"));
}

async fn missing(keychain: &Keychain, account: &Account) {
    let saved = keychain.save(account, key()).await.unwrap();
    let KeyStatus::ThisRunOnly { failure, .. } = &saved else {
        panic!("{saved:?}");
    };
    assert_eq!(failure.code, FailureCode::KeychainMissing);
    let revealed = keychain.reveal(account).await.unwrap().unwrap();
    assert_eq!(revealed.expose_secret(), KEY);
}

/// A service that was started takes a moment to be there.
async fn until_stored(keychain: &Keychain, account: &Account) {
    for _ in 0..600 {
        if keychain.save(account, key()).await.unwrap() == stored() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the keychain was not found");
}

/// Starts the keychain, in the place of one that runs.
fn start_daemon() {
    let mut daemon = command("gnome-keyring-daemon", "gnome-keyring")
        .args(["--replace", "--unlock", "--components=secrets"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    daemon.stdin.take().unwrap().write_all(b"first").unwrap();
    assert!(daemon.wait().unwrap().success());
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

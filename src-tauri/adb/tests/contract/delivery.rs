//! What a person hands to a phone: files into its downloads, apps.

use crate::rig::{Rig, Setup};
use adb::{AdbError, Command};
use agent::Lease;
use agent::ports::{Phone as _, PhoneError, PickedFile};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;
use virtual_phone::Received;

struct Sender {
    rig: Rig,
    folder: TempDir,
}

impl Sender {
    /// Over a pipe, as to the demo phone, or over a socket.
    async fn new(pipe: bool) -> Self {
        let setup = Setup::at("");
        let rig = if pipe {
            Rig::pipe(setup)
        } else {
            Rig::socket(setup).await
        };
        let folder = tempfile::tempdir().unwrap();
        Self { rig, folder }
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    async fn send(&self, path: &Path) -> Result<String, AdbError> {
        self.rig.phone.send(path, &self.rig.lease.take(), |_| {}).await
    }

    async fn install(&self, path: &Path) -> Result<(), AdbError> {
        self.rig.phone.install(path, &self.rig.lease.take(), |_| {}).await
    }

    async fn says(&self, line: &str) -> String {
        says(&self.rig, line).await
    }
}

/// What a line prints on the phone.
async fn says(rig: &Rig, line: &str) -> String {
    let device = rig.phone.device();
    device.look(line, Duration::from_secs(5)).await.unwrap().text()
}

#[tokio::test]
async fn a_file_is_in_the_downloads_whole_and_what_was_there_stays() {
    for pipe in [false, true] {
        let sender = Sender::new(pipe).await;
        let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let path = sender.file("Grüße & 'so'.bin", &bytes);
        let told = Arc::new(AtomicU64::new(0));
        let last = Arc::clone(&told);
        let grip = sender.rig.lease.take();
        let name = sender
            .rig
            .phone
            .send(&path, &grip, move |gone| last.store(gone, Ordering::Relaxed))
            .await;
        assert_eq!(name.as_deref(), Ok("Grüße _ _so_.bin"));
        assert_eq!(told.load(Ordering::Relaxed), 800_000);
        let sum = sender.says("cd /sdcard/Download && md5sum G*").await;
        let again = sender.send(&sender.file("Grüße & 'so'.bin", b"another")).await;
        assert_eq!(again.as_deref(), Ok("Grüße _ _so_ 2.bin"));
        assert_eq!(sender.says("cd /sdcard/Download && md5sum G*o_.bin").await, sum);
        let listed = sender.says("ls -l /sdcard/Download | grep bin").await;
        assert_eq!(listed.lines().count(), 2, "{listed}");
        assert!(listed.contains(" 800000 ") && listed.contains(" 7 "), "{listed}");
        assert!(sender.rig.lease.drained(Duration::ZERO).await);
    }
}

#[tokio::test]
async fn an_empty_file_is_a_file_and_a_folder_is_none() {
    let sender = Sender::new(true).await;
    assert_eq!(
        sender.send(&sender.file("empty", b"")).await.as_deref(),
        Ok("empty")
    );
    assert_eq!(sender.says("ls /sdcard/Download").await.trim(), "empty");
    for path in [sender.folder.path().to_owned(), sender.folder.path().join("gone")] {
        let sent = sender.send(&path).await;
        assert!(matches!(sent, Err(AdbError::Unreadable(_))), "{sent:?}");
    }
}

#[tokio::test]
async fn an_app_is_installed_and_its_file_does_not_stay() {
    for pipe in [false, true] {
        let sender = Sender::new(pipe).await;
        let listed = || sender.says("pm list packages | grep adbkeyboard");
        assert_eq!(listed().await, "");
        // What the virtual phone takes for ADBKeyboard.
        let app = sender.file("Keyboard.apk", b"PK\x03\x04 com.android.adbkeyboard and more");
        assert_eq!(sender.install(&app).await, Ok(()));
        assert_eq!(listed().await.trim(), "package:com.android.adbkeyboard");
        let refused = sender
            .install(&sender.file("Other.apk", b"PK\x03\x04 something else"))
            .await;
        assert!(
            matches!(&refused, Err(AdbError::NotInstalled(said)) if said.contains("USER_RESTRICTED")),
            "{refused:?}"
        );
        let broken = sender.install(&sender.file("Broken.apk", b"no archive")).await;
        assert!(
            matches!(&broken, Err(AdbError::NotInstalled(said)) if said.contains("NOT_APK")),
            "{broken:?}"
        );
        assert_eq!(sender.says("ls /data/local/tmp | grep pocketdeck").await, "");
    }
}

/// The cable comes out while the phone installs: it goes on alone, and takes the file away when it is done.
#[tokio::test(start_paused = true)]
async fn an_apps_file_does_not_stay_where_the_cable_comes_out() {
    let rig = Rig::pipe(Setup::at("").slow());
    let folder = tempfile::tempdir().unwrap();
    let app = folder.path().join("Keyboard.apk");
    std::fs::write(&app, b"PK\x03\x04 com.android.adbkeyboard and more").unwrap();
    let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
    let installing = tokio::spawn(async move { phone.install(&app, &grip, |_| {}).await });
    rig.until(|entries| {
        let installs = |what: &Received| matches!(what, Received::Program { words, .. } if words[0] == "pm");
        entries.iter().any(|entry| installs(&entry.what))
    })
    .await;
    rig.handle.unplug();
    let ended = installing.await.unwrap();
    assert!(ended.is_err(), "{ended:?}");
    tokio::time::sleep(Duration::from_secs(30)).await;
    let left = rig.handle.files("/data/local/tmp");
    assert!(left.iter().all(|(name, _)| !name.ends_with(".apk")), "{left:?}");
}

#[tokio::test]
async fn without_the_lease_nothing_goes() {
    let sender = Sender::new(true).await;
    let grip = sender.rig.lease.take();
    sender.rig.lease.revoke();
    let sent = sender
        .rig
        .phone
        .send(&sender.file("a", b"a"), &grip, |_| {})
        .await;
    assert_eq!(sent, Err(AdbError::LeaseLost));
    assert_eq!(sender.says("ls /sdcard/Download").await, "");
}

/// A picked picture lies where the gallery looks, a file among the downloads; what is there is never written over, and a
/// phone inside this program is given them too.
#[tokio::test]
async fn what_the_person_picks_is_put_where_the_phone_looks() {
    let setup = || Setup::at("com.android.notes/.MainActivity");
    for rig in [Rig::socket(setup()).await, Rig::pipe(setup())] {
        let lease = Lease::new();
        let grip = lease.take();
        let gift = |name: &str, picture, bytes: &[u8]| PickedFile {
            name: name.into(),
            bytes: bytes.into(),
            picture,
        };
        let mut given = Vec::new();
        for file in [
            gift("Mum’s cat.jpg", true, b"one"),
            gift("Mum’s cat.jpg", true, b"two"),
            gift("../letter.pdf", false, b"three"),
        ] {
            given.push(
                rig.phone
                    .give(
                        &file,
                        &crate::judged::judged(judge::Input::File {
                            name: file.name.clone(),
                        }),
                        &grip,
                    )
                    .await
                    .unwrap(),
            );
        }
        assert_eq!(
            given,
            [
                "/sdcard/Pictures/PocketDeck/Mum_s cat.jpg",
                "/sdcard/Pictures/PocketDeck/Mum_s cat 2.jpg",
                "/sdcard/Download/letter.pdf"
            ]
        );
        for (path, content) in given.iter().zip(["one", "two", "three"]) {
            let said = rig
                .by_hand(Command::Shell(vec!["cat".into(), path.clone()]))
                .await
                .unwrap();
            assert_eq!(said.output.as_deref(), Some(content), "{path}");
        }
        // The gallery sorts by when a picture was put there.
        let put = says(&rig, &format!("stat -c %Y '{}'", given[0])).await;
        let put: u64 = put.trim().parse().unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!((now - 600..=now).contains(&put), "{put}, not {now}");
        // Nor what was judged as something else.
        let other = gift("other.jpg", true, b"other");
        let judged = crate::judged::judged(judge::Input::File {
            name: "late.jpg".into(),
        });
        let unlike = rig.phone.give(&other, &judged, &grip).await;
        assert!(matches!(unlike, Err(PhoneError::NotSupported(_))), "{unlike:?}");
        // Without the lease nothing is given.
        lease.revoke();
        let late = rig
            .phone
            .give(
                &gift("late.jpg", true, b"late"),
                &crate::judged::judged(judge::Input::File {
                    name: "late.jpg".into(),
                }),
                &grip,
            )
            .await;
        assert_eq!(late, Err(PhoneError::LeaseLost));
    }
}

/// A name of which the last letter kept is a blank: what `ls` prints of it ends with that blank.
#[tokio::test]
async fn a_name_cut_at_a_blank_is_not_written_over() {
    let rig = Rig::pipe(Setup::at(""));
    let long = format!("{} and more", "a".repeat(59));
    let mut given = Vec::new();
    for bytes in [&b"one"[..], b"two"] {
        let file = PickedFile {
            name: long.clone(),
            bytes: bytes.into(),
            picture: false,
        };
        let judged = crate::judged::judged(judge::Input::File {
            name: file.name.clone(),
        });
        given.push(rig.phone.give(&file, &judged, &rig.lease.take()).await.unwrap());
    }
    let first = format!("/sdcard/Download/{}", "a".repeat(59));
    assert_eq!(given, [first.clone(), format!("{first} 2")]);
    assert_eq!(says(&rig, &format!("cat {first}")).await, "one");
}

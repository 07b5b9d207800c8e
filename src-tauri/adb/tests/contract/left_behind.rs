//! The program is killed, or cut off: what it had begun ends on the phone by itself, and nothing of the screen stays there.
//!
//! A program that is killed is this one, started once more: [`child`] is its other side.

#![expect(
    clippy::disallowed_methods,
    reason = "the program that is killed is this one, started once more"
)]

use crate::rig::{Rig, Setup, no_finger_is_down, told};
use adb::{AdbPhone, AdbServer, Command, Device, Link};
use agent::lease::Lease;
use agent::ports::{Phone, PhoneError};
use protocol::PhoneId;
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use virtual_phone::{Entry, Fault, Received};

/// Where the program that is killed finds the server, and what it does there.
const SERVER: &str = "POCKETDECK_TEST_SERVER";
const DOES: &str = "POCKETDECK_TEST_DOES";
const PAGE: &str = "com.android.settings/.Settings";
const LONG: Command = Command::Swipe {
    from: (180, 700),
    to: (180, 100),
    ms: 9000,
};

mod child {
    use super::*;

    /// The program that is killed: it reads the screen, or draws a finger over it, for as long as it lives.
    #[tokio::test]
    #[ignore = "the other side of the tests beside it, which start it with a server's address"]
    async fn client() {
        let server = AdbServer::new(Link::Tcp(std::env::var(SERVER).unwrap()));
        let serial = server.devices().await.unwrap()[0].serial.clone();
        let phone = AdbPhone::new(PhoneId::from("killed"), Device::new(server, &serial));
        phone.use_scrcpy(None);
        let lease = Lease::new();
        loop {
            match std::env::var(DOES).unwrap().as_str() {
                "read" => drop(phone.read().await.unwrap()),
                "swipe" => drop(phone.by_hand(&LONG, &lease.take()).await.unwrap()),
                text => drop(
                    phone
                        .by_hand(&Command::Text(text.to_owned()), &lease.take())
                        .await
                        .unwrap(),
                ),
            }
        }
    }
}

/// Kills it however it goes: nothing of it outlives its test.
struct Client(Child);

impl Client {
    fn start(rig: &Rig, does: &str) -> Self {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "left_behind::child::client", "--ignored"])
            .env(SERVER, rig.address().to_string())
            .env(DOES, does)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }

    fn signal(&self, name: &str) {
        let number = self.0.id().to_string();
        let sent = std::process::Command::new("kill").args([name, &number]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn moves(entries: &[Entry]) -> usize {
    let is_move = |entry: &&Entry| matches!(entry.what, Received::Finger { action: "move", .. });
    entries.iter().filter(is_move).count()
}

/// No finger is down, and nothing runs that could put one there.
async fn is_let_go(rig: &Rig, limit: Duration, what: &str) {
    let so = async {
        loop {
            let busy = rig
                .handle
                .processes()
                .iter()
                .any(|(_, words)| words.contains("input"));
            if !busy && no_finger_is_down(&rig.handle.record().entries()) {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    let done = timeout(limit, so).await;
    assert!(done.is_ok(), "{what}: {}", told(&rig.effects()));
}

/// Killed, ended, or frozen with all its connections open: the phone lifts the finger.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finger_is_lifted_when_its_program_is_killed() {
    for (signal, limit) in [("-KILL", 2), ("-TERM", 2), ("-STOP", 9)] {
        let rig = Rig::socket(Setup::at(PAGE).slow()).await;
        let client = Client::start(&rig, "swipe");
        rig.until(|entries| moves(entries) >= 3).await;
        client.signal(signal);
        is_let_go(&rig, Duration::from_secs(limit), signal).await;
        let touches = told(&rig.effects());
        assert!(
            touches.starts_with("down 180,700 ~ cancel 180,"),
            "{signal}: {touches}"
        );
        drop(client);
        sleep(Duration::from_millis(300)).await;
        assert_eq!(told(&rig.effects()), touches, "{signal}");
    }
}

/// The cable stays out for longer than anybody would try to lift a finger: it is up all the same, and the run that goes on
/// finds it so.
#[tokio::test(start_paused = true)]
async fn a_finger_is_lifted_when_the_cable_comes_out() {
    for pulled_at in [3, 40] {
        let rig = Rig::pipe(Setup::at(PAGE).slow());
        let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
        let work = tokio::spawn(async move { phone.by_hand(&LONG, &grip).await });
        rig.until(|entries| moves(entries) >= pulled_at).await;
        rig.handle.unplug();
        sleep(Duration::from_secs(1)).await;
        let touches = told(&rig.effects());
        assert!(touches.starts_with("down 180,700 ~ cancel 180,"), "{touches}");
        sleep(Duration::from_secs(19)).await;
        rig.handle.replug();
        let outcome = work.await.unwrap();
        assert!(matches!(outcome, Err(PhoneError::Gone(_))), "{outcome:?}");
        assert!(rig.lease.drained(Duration::from_secs(100)).await);
        rig.by_hand(Command::Tap { x: 11, y: 12 }).await.unwrap();
        assert_eq!(told(&rig.effects()), format!("{touches} down 11,12 up 11,12"));
    }
}

/// What an older version, or another program, left down: the first touch lifts it, so does whoever begins to look, and a phone
/// that is well is not touched for it.
#[tokio::test(start_paused = true)]
async fn a_finger_that_was_left_is_lifted_first() {
    for (faults, lifted) in [(&[][..], "cancel"), (&[Fault::CrLf], "cancel")] {
        let rig = Rig::pipe(Setup::at(PAGE).with(faults).slow());
        let left = "input motionevent DOWN 50 60; input motionevent MOVE 70 80";
        rig.phone
            .device()
            .look(left, Duration::from_secs(5))
            .await
            .unwrap();
        rig.by_hand(Command::Tap { x: 11, y: 12 }).await.unwrap();
        let expected = format!("down 50,60 ~ {lifted} 0,0 down 11,12 up 11,12");
        assert_eq!(told(&rig.effects()), expected);
        // Nobody else touches it meanwhile: it is not looked for again before each touch.
        let asked = |rig: &Rig| {
            let commands = rig.handle.record().commands();
            commands
                .iter()
                .filter(|line| line.contains("dumpsys input"))
                .count()
        };
        let before = asked(&rig);
        rig.by_hand(Command::Tap { x: 11, y: 12 }).await.unwrap();
        assert_eq!(asked(&rig), before);
        sleep(Duration::from_secs(90)).await;
        rig.phone
            .device()
            .look(left, Duration::from_secs(5))
            .await
            .unwrap();
        let touched = told(&rig.effects());
        let begin = async || rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await;
        assert_eq!(begin().await, Ok(true));
        assert_eq!(told(&rig.effects()), format!("{touched} {lifted} 0,0"));
        assert_eq!(begin().await, Ok(false));
        assert_eq!(told(&rig.effects()), format!("{touched} {lifted} 0,0"));
    }
}

/// Killed while it types by ADBKeyboard: the phone chooses the person's own keyboard again.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_persons_keyboard_comes_back_when_its_program_is_killed() {
    for signal in ["-KILL", "-TERM"] {
        let mut setup = Setup::at("com.android.notes/.EditorActivity").slow();
        setup.options.adb_keyboard = true;
        let rig = Rig::socket(setup).await;
        rig.tap("text=\"Note\"").await;
        let keyboard = |rig: &Rig| {
            let keyboard = rig.handle.with(|android| android.keyboard());
            (keyboard.ime, keyboard.enabled)
        };
        let own = keyboard(&rig);
        let client = Client::start(&rig, &"漢字".repeat(400));
        let other = async {
            while keyboard(&rig).0 == own.0 {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(60), other).await.unwrap();
        client.signal(signal);
        let back = async {
            while keyboard(&rig) != own {
                sleep(Duration::from_millis(20)).await;
            }
        };
        let done = timeout(Duration::from_secs(5), back).await;
        assert!(done.is_ok(), "{signal}: {:?}", keyboard(&rig));
    }
}

/// What of ours stands in the two folders that anything of ours was ever written to, and who may read it.
fn files(rig: &Rig) -> Vec<(String, u32)> {
    let folders = ["/data/local/tmp", "/sdcard"];
    let all = folders.iter().flat_map(|folder| rig.handle.files(folder));
    all.filter(|(name, _)| name.contains("pocketdeck")).collect()
}

/// Killed at ten moments of a read, nothing is left. What an older version left is swept by the next read.
#[cfg(unix)]
async fn nothing_stays(faults: &[Fault]) {
    let rig = Rig::socket(Setup::at(PAGE).with(faults).slow()).await;
    for kill in 0..10_u64 {
        let client = Client::start(&rig, "read");
        let before = rig.handle.record().len();
        rig.until(|entries| {
            let new = entries.iter().skip(usize::try_from(before).unwrap());
            new.filter(
                |entry| matches!(&entry.what, Received::Program { words, .. } if words[0] == "uiautomator"),
            )
            .count()
                > usize::from(!faults.is_empty())
        })
        .await;
        sleep(Duration::from_millis(kill * 260)).await;
        client.signal(if kill % 2 == 0 { "-KILL" } else { "-TERM" });
        drop(client);
        let over = async {
            while rig
                .handle
                .processes()
                .iter()
                .any(|(_, words)| words.contains("uiautomator"))
            {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(5), over).await.unwrap();
        assert_eq!(files(&rig), [], "{kill}");
    }
    let old = "echo secret > /data/local/tmp/pocketdeck-0.xml; echo secret > /sdcard/pocketdeck-1.xml";
    rig.phone
        .device()
        .look(old, Duration::from_secs(5))
        .await
        .unwrap();
    assert_eq!(files(&rig).len(), 2);
    rig.phone.read().await.unwrap();
    assert_eq!(files(&rig), []);
}

/// The tree comes through the stream: at once.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_the_screen_stays_on_the_phone() {
    nothing_stays(&[]).await;
}

/// It needs a file: after the phone's own end of the line.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_the_screen_stays_where_it_needs_a_file() {
    nothing_stays(&[Fault::TreeNeedsFile]).await;
}

/// Nobody but the shell may read the file while it is there.
#[tokio::test(start_paused = true)]
async fn a_tree_in_a_file_is_nobody_elses() {
    let rig = Rig::pipe(Setup::at(PAGE).with(&[Fault::TreeNeedsFile]).slow());
    let phone = Arc::clone(&rig.phone);
    let reading = tokio::spawn(async move { phone.read().await });
    // It is printed only when it is there.
    let prints = |words: &[String]| words[0] == "cat" && words.len() == 2;
    rig.until(|entries| {
        let is_printed =
            |entry: &Entry| matches!(&entry.what, Received::Program { words, .. } if prints(words));
        entries.iter().any(is_printed)
    })
    .await;
    let modes: Vec<u32> = files(&rig).into_iter().map(|(_, mode)| mode).collect();
    assert_eq!(modes, [0o600]);
    assert!(reading.await.unwrap().is_ok());
    assert_eq!(files(&rig), []);
}

/// What a killed program carried there goes with another's first look, but not what may be on its way just now.
#[tokio::test(start_paused = true)]
async fn what_was_carried_is_swept_when_nobody_can_want_it_any_more() {
    let rig = Rig::pipe(Setup::at("").slow());
    let device = rig.phone.device();
    let carried = |names: &'static str| {
        let device = device.clone();
        async move {
            let line = format!("cd /data/local/tmp && touch {names}");
            let done = device.look(&line, Duration::from_secs(5)).await.unwrap();
            assert!(!done.failed(), "{done:?}");
        }
    };
    carried("pocketdeck-00000001.jar pocketdeck-0000000000000001.apk other.apk").await;
    sleep(Duration::from_secs(25 * 3600)).await;
    carried("pocketdeck-00000002.jar pocketdeck-0000000000000002.apk").await;
    rig.phone.read().await.unwrap();
    let left = rig.handle.files("/data/local/tmp");
    let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "other.apk",
            "pocketdeck-0000000000000002.apk",
            "pocketdeck-00000002.jar"
        ]
    );
}

//! What a step costs beside the touch, counted on the phone's own record: nothing is read twice that cannot have changed, and
//! text beyond ASCII takes no trees.

use crate::judged::judged;
use crate::rig::{Rig, Setup, node, value};
use adb::Command;
use adb::scrcpy::Jar;
use agent::ports::{Phone as _, PictureSource};
use judge::{Input, Text};
use protocol::ActMethod;
use std::time::Duration;
use tokio::time::Instant;
use virtual_phone::{Entry, Received};

const EDITOR: &str = "com.android.notes/.EditorActivity";
const BOUND: Duration = Duration::from_secs(5);

/// What was asked of a phone between two moments.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    captures: usize,
    trees: usize,
    /// Lines that hold a `dumpsys`.
    dumps: usize,
    broadcasts: usize,
    /// Lines that choose ADBKeyboard; what the phone promises to put back is another line.
    keyboards: usize,
}

fn asked(entries: &[Entry]) -> Asked {
    let mut asked = Asked::default();
    for entry in entries {
        match &entry.what {
            Received::Capture => asked.captures += 1,
            Received::Hierarchy => asked.trees += 1,
            Received::Command { command, .. } => {
                asked.dumps += usize::from(command.contains("dumpsys "));
                asked.broadcasts += command.matches("am broadcast").count();
                asked.keyboards += usize::from(command.contains("ime set com.android.adbkeyboard"));
            }
            _ => {}
        }
    }
    asked
}

/// Does something, and tells what the phone was asked meanwhile.
async fn during<T>(rig: &Rig, work: impl Future<Output = T>) -> (T, Asked) {
    let before = rig.handle.record().entries().len();
    let done = work.await;
    (done, asked(&rig.handle.record().entries()[before..]))
}

fn with_scrcpy(rig: &Rig) {
    let bytes = b"virtual scrcpy-server 3.3.4\n".to_vec();
    rig.phone.use_scrcpy(Some(Jar::unchecked("3.3.4", bytes)));
}

#[tokio::test(start_paused = true)]
async fn a_screen_that_stays_is_asked_about_once() {
    let rig = Rig::pipe(Setup::at(EDITOR).slow());
    let (first, cost) = during(&rig, rig.phone.see()).await;
    assert_eq!(
        cost,
        Asked {
            captures: 1,
            dumps: 1,
            ..Asked::default()
        }
    );
    let first = first.unwrap();
    let (again, cost) = during(&rig, rig.phone.see_again(&first)).await;
    let again = again.unwrap();
    assert_eq!(
        cost,
        Asked {
            captures: 1,
            ..Asked::default()
        }
    );
    assert_eq!(
        (again.app, again.window, again.keyboard_shown),
        (first.app.clone(), first.window.clone(), first.keyboard_shown)
    );
    // Another app comes up: what was told of the old one is not told of it.
    rig.by_hand(Command::Launch("com.android.settings".to_owned()))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (now, cost) = during(&rig, rig.phone.see_again(&first)).await;
    assert_eq!(now.unwrap().app, "com.android.settings");
    assert_eq!(cost.dumps, 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_proves_that_nothing_was_drawn() {
    let rig = Rig::pipe(Setup::at("com.android.settings/.Settings").slow());
    with_scrcpy(&rig);
    let grip = rig.lease.take();
    assert_eq!(rig.phone.wake(&crate::judged::wake(), &grip).await, Ok(false));
    tokio::time::sleep(Duration::from_secs(3)).await;
    let seen = rig.phone.see().await.unwrap();
    let mark = seen.mark.expect("the stream is open");
    tokio::time::sleep(Duration::from_secs(10)).await;
    let (changed, cost) = during(&rig, rig.phone.changed_since(mark)).await;
    assert_eq!((changed, cost), (Some(false), Asked::default()));
    // A touch draws: that is no proof of rest, and the next picture has a mark of its own.
    rig.tap("text=\"Display\"").await;
    let settled = rig.phone.settle(BOUND).await.unwrap();
    assert_eq!(rig.phone.changed_since(mark).await, Some(true));
    assert_eq!(settled.source, PictureSource::Stream);
    let mark = settled.mark.unwrap();
    let (changed, cost) = during(&rig, rig.phone.changed_since(mark)).await;
    assert_eq!((changed, cost), (Some(false), Asked::default()));
    // The stream of another time proves nothing.
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(rig.phone.changed_since(mark).await, None);
}

#[tokio::test(start_paused = true)]
async fn without_a_stream_nobody_can_say() {
    let rig = Rig::pipe(Setup::at(EDITOR).slow());
    assert_eq!(rig.phone.see().await.unwrap().mark, None);
}

/// A phone with ADBKeyboard, and the note's field in focus after a look.
async fn note() -> Rig {
    let mut setup = Setup::at(EDITOR).slow();
    setup.options.adb_keyboard = true;
    let rig = Rig::pipe(setup);
    rig.phone.use_scrcpy(None);
    // The second tree is where it is found out that no reader stays here.
    rig.phone.read().await.unwrap();
    rig.tap("text=\"Note\"").await;
    rig.phone.settle(BOUND).await.unwrap();
    rig
}

fn keyboard(rig: &Rig) -> (String, Vec<String>) {
    let keyboard = rig.handle.with(|android| android.keyboard());
    (keyboard.ime, keyboard.enabled)
}

async fn field(rig: &Rig) -> String {
    let tree = rig.phone.read().await.unwrap();
    value(node(&tree, "focused=\"true\""), "text").unwrap()
}

fn text(text: &str) -> judge::Judged {
    judged(Input::Text(Text::new(text).unwrap()))
}

#[tokio::test(start_paused = true)]
async fn a_run_types_any_script_within_a_second_and_switches_once() {
    let rig = note().await;
    let own = keyboard(&rig);
    let grip = rig.lease.take();
    for (at, (words, typed)) in [
        ("给妈妈发消息", "给妈妈发消息"),
        (", ça va 🙂", "给妈妈发消息, ça va 🙂"),
    ]
    .into_iter()
    .enumerate()
    {
        let began = Instant::now();
        let (done, cost) = during(&rig, rig.phone.perform(&text(words), &grip)).await;
        let took = began.elapsed();
        assert_eq!(done.unwrap().via, Some(ActMethod::AdbKeyboard));
        // The phone's own time, which is virtual.
        assert!(took <= Duration::from_secs(1), "{words}: {took:?}");
        assert_eq!((cost.trees, cost.captures, cost.broadcasts), (0, 0, 1), "{words}");
        assert_eq!(cost.keyboards, usize::from(at == 0), "{words}");
        assert_eq!(field(&rig).await, typed);
        assert_ne!(keyboard(&rig), own);
    }
    // The run ends.
    grip.release();
    assert!(rig.lease.drained(Duration::from_secs(2)).await);
    assert_eq!(keyboard(&rig), own);
}

#[tokio::test(start_paused = true)]
async fn the_persons_keyboard_is_back_for_the_person_and_for_secrets() {
    let rig = note().await;
    let own = keyboard(&rig);
    // The person takes the phone.
    let run = rig.lease.take();
    rig.phone.perform(&text("漢"), &run).await.unwrap();
    let person = rig.lease.take();
    assert!(rig.lease.drained(Duration::from_secs(2)).await);
    assert_eq!(keyboard(&rig), own);
    person.release();
    // Nothing is typed for a while: the person may want to write on the phone itself.
    let run = rig.lease.take();
    rig.phone.perform(&text("字"), &run).await.unwrap();
    assert_ne!(keyboard(&rig), own);
    tokio::time::sleep(Duration::from_secs(40)).await;
    assert_eq!(keyboard(&rig), own);
    assert!(rig.lease.drained(Duration::from_secs(2)).await);
    // A secret goes by keys, past no other app.
    rig.phone.perform(&text("文"), &run).await.unwrap();
    let secret = secrecy::SecretString::from("hunter2");
    rig.phone
        .type_secret(&secret, &crate::judged::secret(), &run)
        .await
        .unwrap();
    assert_eq!(keyboard(&rig), own);
}

#[tokio::test(start_paused = true)]
async fn what_even_the_phone_could_not_put_back_is_put_back_by_whoever_comes_next() {
    let rig = note().await;
    let own = keyboard(&rig);
    let device = rig.phone.device();
    let left = format!(
        "echo '{} 0' > /data/local/tmp/pocketdeck-keyboard; ime enable com.android.adbkeyboard/.AdbIME; ime set \
         com.android.adbkeyboard/.AdbIME",
        own.0
    );
    device.look(&left, BOUND).await.unwrap();
    assert_ne!(keyboard(&rig), own);
    let next = adb::AdbPhone::new(rig.phone.id(), device.clone());
    next.by_hand(&Command::Tap { x: 20, y: 400 }, &rig.lease.take())
        .await
        .unwrap();
    assert_eq!(keyboard(&rig), own);
    let file = device.look("ls /data/local/tmp", BOUND).await.unwrap().text();
    assert!(!file.contains("pocketdeck-keyboard"), "{file}");
}

//! scrcpy's session between the two who know nothing of each other: text of any kind, the clipboard, two taps.

use crate::rig::{Rig, Setup, node, value};
use adb::Command;
use adb::scrcpy::Jar;
use agent::ports::{Phone, PhoneError};
use protocol::ActMethod;
use virtual_phone::Fault;

const EDITOR: &str = "com.android.notes/.EditorActivity";

/// A fresh note with the caret in its text, and a server of this version to be used on the phone.
async fn note(version: &str) -> Rig {
    let rig = Rig::socket(Setup::at(EDITOR)).await;
    let bytes = format!("virtual scrcpy-server {version}\n").into_bytes();
    rig.phone.use_scrcpy(Some(Jar::unchecked(version, bytes)));
    rig.tap("text=\"Note\"").await;
    rig
}

async fn field(rig: &Rig) -> String {
    let tree = rig.phone.read().await.unwrap();
    value(node(&tree, "focused=\"true\""), "text").unwrap()
}

#[tokio::test]
async fn any_text_stands_in_the_field_and_the_clipboard_is_as_it_was() {
    for version in ["3.3.4", "4.0"] {
        for text in [
            "Aé漢🙂 %s \"'$",
            "日本語 and “quotes”",
            "שלום עולם",
            "مرحبا بالعالم",
            "first\nwith 🎉\nthird",
            "$(reboot) `reboot` ümläut 100%s",
        ] {
            let rig = note(version).await;
            let done = rig.by_hand(Command::Text(text.to_owned())).await.unwrap();
            assert_eq!(done.via, Some(ActMethod::ScrcpyClipboard), "{version} {text:?}");
            assert_eq!(field(&rig).await, text, "{version}");
        }
    }
}

#[tokio::test]
async fn ten_thousand_characters_arrive() {
    let rig = note("3.3.4").await;
    let text = "Zehn Übungen für 漢字 🙂. ".repeat(450);
    let text = text.trim_end();
    assert!(text.chars().count() >= 10_000);
    rig.by_hand(Command::Text(text.to_owned())).await.unwrap();
    assert_eq!(field(&rig).await, text);
}

#[tokio::test]
async fn two_taps_come_close_together() {
    let rig = note("3.3.4").await;
    // The size of the screen is known from a look.
    rig.phone.see().await.unwrap();
    let done = rig.by_hand(Command::DoubleTap { x: 180, y: 400 }).await.unwrap();
    assert_eq!(done.via, Some(ActMethod::Scrcpy));
    assert!(done.gap_ms.is_some_and(|gap| gap < 300), "{done:?}");
}

#[tokio::test]
async fn what_was_copied_is_read() {
    let rig = note("4.0").await;
    rig.by_hand(Command::Text("copied text".to_owned()))
        .await
        .unwrap();
    for key in ["A", "C"] {
        let keys = ["CTRL_LEFT", key].map(str::to_owned).to_vec();
        rig.by_hand(Command::Keys(keys)).await.unwrap();
    }
    let told = rig
        .phone
        .clipboard(&crate::judged::clipboard(), &rig.lease.take())
        .await;
    assert_eq!(told.as_deref(), Ok("copied text"));
}

/// A server that does not start takes its file with it.
#[tokio::test]
async fn a_server_that_does_not_start_leaves_no_file() {
    let rig = note("3.3.4").await;
    rig.handle.set_fault(Fault::ScrcpyMismatch);
    let typed = rig.by_hand(Command::Text("漢".to_owned())).await;
    assert!(
        !matches!(&typed, Err(PhoneError::Gone(_))) && rig.handle.has_met(Fault::ScrcpyMismatch),
        "{typed:?}"
    );
    let left = rig.handle.files("/data/local/tmp");
    let jars: Vec<_> = left.iter().filter(|(name, _)| name.ends_with(".jar")).collect();
    assert!(jars.is_empty(), "{jars:?}");
}

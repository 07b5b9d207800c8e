//! Text of every kind by every way there is, as it stands in the phone's field afterwards; and which way it was.

use crate::rig::{Rig, Setup, node, value};
use adb::Command;
use adb::scrcpy::Jar;
use agent::ports::{Phone, PhoneError};
use protocol::ActMethod;

const EDITOR: &str = "com.android.notes/.EditorActivity";
const LONG: usize = 10_000;

/// What a key map has.
fn plain() -> Vec<String> {
    [
        "two  words, and a blank at the end ",
        "first\nsecond\n\nfourth",
        "100%s sure %%s %s%s % %S",
        "it's \"quoted\" and 'quoted'",
        "$(reboot) `reboot` ${HOME} $HOME ; & | > /dev/null < x \\",
        "-rf --longpress -d 0",
    ]
    .map(str::to_owned)
    .into()
}

/// What no key map has.
fn rich() -> Vec<String> {
    [
        "Aé漢🙂 %s \"'$",
        "first\nsecond 漢\n\nfourth",
        "%s %%s %s%s 漢",
        "“quotes” and 'quotes' – „Gänsefüßchen“ 漢",
        "$(reboot) `reboot` ${HOME} & | ; > < \\ 漢",
        "👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭 🙂",
        "日本語 한국어 中文",
        "שלום עולם, مرحبا بالعالم",
        "Привет Ελλάδα ไทย हिन्दी",
    ]
    .map(str::to_owned)
    .into()
}

fn cycled(text: &str) -> String {
    text.chars().cycle().take(LONG).collect()
}

/// What there is to type with.
#[derive(Clone, Copy)]
enum With {
    Keys,
    Scrcpy(&'static str),
    AdbKeyboard,
}

async fn note(with: With) -> Rig {
    let mut setup = Setup::at(EDITOR);
    setup.options.adb_keyboard = matches!(with, With::AdbKeyboard);
    let rig = Rig::socket(setup).await;
    if let With::Scrcpy(version) = with {
        let bytes = format!("virtual scrcpy-server {version}\n").into_bytes();
        rig.phone.use_scrcpy(Some(Jar::unchecked(version, bytes)));
    }
    rig.tap("text=\"Note\"").await;
    rig
}

async fn check(with: With, text: &str, via: ActMethod) {
    let rig = note(with).await;
    let done = rig.by_hand(Command::Text(text.to_owned())).await;
    let done = done.unwrap_or_else(|trouble| panic!("{trouble:?}: {text:.40}"));
    assert_eq!(done.via, Some(via), "{text:.40}");
    let tree = rig.phone.read().await.unwrap();
    let shown = value(node(&tree, "focused=\"true\""), "text").unwrap();
    assert!(shown == text, "by {via}: {shown:.60} for {text:.60}");
}

#[tokio::test]
async fn by_keys() {
    for text in plain() {
        check(With::Keys, &text, ActMethod::InputText).await;
    }
    check(
        With::Keys,
        &cycled("The quick brown fox, 100%s sure. "),
        ActMethod::InputText,
    )
    .await;
}

#[tokio::test]
async fn by_scrcpys_clipboard() {
    for version in ["3.3.4", "4.0"] {
        for text in rich() {
            check(With::Scrcpy(version), &text, ActMethod::ScrcpyClipboard).await;
        }
    }
    check(
        With::Scrcpy("3.3.4"),
        &cycled("汉字🙂 "),
        ActMethod::ScrcpyClipboard,
    )
    .await;
}

#[tokio::test]
async fn by_adb_keyboard() {
    for text in rich() {
        check(With::AdbKeyboard, &text, ActMethod::AdbKeyboard).await;
    }
    check(With::AdbKeyboard, &cycled("汉字🙂 "), ActMethod::AdbKeyboard).await;
}

/// The keyboard of before is the phone's again.
#[tokio::test]
async fn adb_keyboard_is_put_away() {
    let rig = note(With::AdbKeyboard).await;
    let chosen = || async {
        let line = "settings get secure default_input_method; ime list -s";
        let output = rig
            .phone
            .device()
            .look(line, std::time::Duration::from_secs(5))
            .await;
        output.unwrap().text()
    };
    let before = chosen().await;
    rig.by_hand(Command::Text("漢".to_owned())).await.unwrap();
    assert_eq!(chosen().await, before);
}

#[tokio::test]
async fn else_it_is_refused_whole() {
    for text in rich() {
        let rig = note(With::Keys).await;
        let before = rig.effects().len();
        let done = rig.by_hand(Command::Text(text.clone())).await;
        assert_eq!(done, Err(PhoneError::CannotType), "{text:.40}");
        assert_eq!(rig.effects().len(), before, "{text:.40}");
    }
}

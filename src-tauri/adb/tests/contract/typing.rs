//! Text of every kind, as it stands in the field afterwards.

use crate::rig::{Rig, Setup, node, told, value};
use adb::{Command, Typist};
use agent::ports::{Phone, PhoneError};
use protocol::ActMethod;
use secrecy::SecretString;
use virtual_phone::Fault;

const EDITOR: &str = "com.android.notes/.EditorActivity";

/// A fresh note with the caret in its text.
async fn note(faults: &[Fault]) -> Rig {
    let rig = Rig::socket(Setup::at(EDITOR).with(faults)).await;
    rig.tap("text=\"Note\"").await;
    rig
}

/// What stands in the field with the focus.
async fn field(rig: &Rig) -> String {
    let tree = rig.phone.read().await.unwrap();
    value(node(&tree, "focused=\"true\""), "text").unwrap()
}

async fn check(faults: &[Fault], text: &str) {
    let rig = note(faults).await;
    let done = rig.by_hand(Command::Text(text.to_owned())).await.unwrap();
    assert_eq!(done.via, Some(ActMethod::InputText), "{text:?}");
    assert_eq!(field(&rig).await, text, "on {faults:?}");
}

#[tokio::test]
async fn text_stands_in_the_field_as_it_was_given() {
    let long = "The quick brown fox jumps over the lazy dog, 100%s sure. ".repeat(8);
    for text in [
        "plain",
        "two  words, and a blank at the end ",
        "it's \"quoted\" and 'quoted'",
        "$(reboot) `reboot` ${HOME} $HOME ; & | > /dev/null < x",
        "100%s sure %%s %s%s % %S",
        "-rf --longpress -d 0",
        "first\nsecond\n\nfourth",
        "\\ \\n \\' \\\"",
        "!! * ? [a] {b,c} ~ # ^ @ = +",
        "façade ß",
        long.trim_end(),
    ] {
        check(&[], text).await;
    }
    check(&[Fault::NoShellV2], "it's 100%s \"old\" $HOME").await;
    check(&[Fault::OldInput], "two\nlines").await;
}

/// A phone without shell v2 takes no line of more than 4,096 bytes: what is longer ends the adb server, for every phone. A long
/// text goes in several lines, and a script that cannot be sent is refused before it is.
#[tokio::test(start_paused = true)]
async fn a_line_that_would_end_the_server_is_never_sent() {
    let mut setup = Setup::at(EDITOR).with(&[Fault::NoShellV2]).slow();
    setup.options.adb_keyboard = true;
    let rig = Rig::pipe(setup);
    rig.phone.use_scrcpy(None);
    rig.tap("text=\"Note\"").await;
    let long = "漢字".repeat(700);
    let done = rig.by_hand(Command::Text(long.clone())).await.unwrap();
    assert_eq!(done.via, Some(ActMethod::AdbKeyboard));
    assert_eq!(field(&rig).await, long);
    let echo = |length: usize| Command::Shell(vec!["echo".to_owned(), "x".repeat(length)]);
    let refused = rig.by_hand(echo(4096)).await;
    assert!(matches!(refused, Err(PhoneError::NotSupported(_))), "{refused:?}");
    let done = rig.by_hand(echo(3500)).await.unwrap();
    assert_eq!(done.output.map(|said| said.len()), Some(3500));
}

/// What no key types is refused, and nothing of the text is typed: half a text is worse than none.
#[tokio::test]
async fn what_the_keyboard_lacks_is_refused_whole() {
    let long = "Long enough for several pieces, so that the first could go before the others are known. ";
    for text in [
        "日本語".to_owned(),
        "party 🎉".to_owned(),
        "Привет".to_owned(),
        "שלום".to_owned(),
        "a\u{7}b".to_owned(),
        format!("{long}日本語"),
        format!("{long}🎉"),
        "first line\nwith 🎉".to_owned(),
    ] {
        let rig = note(&[]).await;
        let before = rig.effects().len();
        let done = rig.by_hand(Command::Text(text.clone())).await;
        assert_eq!(done, Err(PhoneError::CannotType), "{text:?}");
        assert_eq!(told(&rig.effects()[before..]), "", "{text:?}");
    }
}

#[tokio::test]
async fn a_field_is_emptied() {
    for (faults, via) in [
        (&[][..], ActMethod::SelectAll),
        (&[Fault::OldInput], ActMethod::DeleteKeys),
    ] {
        let rig = note(faults).await;
        for text in ["gone", "gone too"] {
            rig.by_hand(Command::Text(text.to_owned())).await.unwrap();
            let done = rig.by_hand(Command::ClearText).await.unwrap();
            assert_eq!(done.via, Some(via));
            // An empty field tells its hint.
            assert_eq!(field(&rig).await, "Note");
        }
        rig.by_hand(Command::Text("new".to_owned())).await.unwrap();
        assert_eq!(field(&rig).await, "new");
    }
}

/// Whether a text can be typed is known before the field is touched: what cannot takes nothing away.
#[tokio::test]
async fn a_text_that_cannot_be_typed_takes_nothing_away() {
    let keep = "Bread, 5%so jam!";
    for faults in [&[][..], &[Fault::OldInput]] {
        for text in ["中文 only", "half é 🎉", "é", "bell\u{7}"] {
            let rig = note(faults).await;
            rig.phone.use_scrcpy(None);
            rig.by_hand(Command::Text(keep.to_owned())).await.unwrap();
            let replaced = rig.by_hand(Command::Replace(text.to_owned())).await;
            assert_eq!(replaced, Err(PhoneError::CannotType), "{text:?} {faults:?}");
            assert_eq!(field(&rig).await, keep, "{text:?} {faults:?}");
            // Nothing of it stays selected for the next letter to take away.
            rig.by_hand(Command::Text("+".to_owned())).await.unwrap();
            assert_eq!(field(&rig).await, format!("{keep}+"), "{text:?} {faults:?}");
        }
        // An empty field shows its hint, which nobody wrote.
        let rig = note(faults).await;
        rig.phone.use_scrcpy(None);
        let replaced = rig.by_hand(Command::Replace("é".to_owned())).await;
        assert_eq!(replaced, Err(PhoneError::CannotType));
        rig.by_hand(Command::Text("+".to_owned())).await.unwrap();
        assert_eq!(field(&rig).await, "+", "{faults:?}");
    }
}

/// A phone that cannot select has its field emptied key by key: a long note whole, and it is there again where the new text
/// fails in its middle.
#[tokio::test]
async fn a_long_note_is_emptied_whole_and_put_back_whole() {
    let keep = "All of it, to the last letter. ".repeat(17);
    let keep = keep.trim_end();
    for faults in [&[][..], &[Fault::OldInput]] {
        let rig = note(faults).await;
        rig.phone.use_scrcpy(None);
        rig.by_hand(Command::Text(keep.to_owned())).await.unwrap();
        rig.by_hand(Command::Replace("short".to_owned())).await.unwrap();
        assert_eq!(field(&rig).await, "short", "{faults:?}");
        rig.by_hand(Command::Replace(keep.to_owned())).await.unwrap();
        // Its last letter is none of this phone's, and is met after four hundred others.
        let long = format!("{}é", "new letters ".repeat(40));
        let replaced = rig.by_hand(Command::Replace(long)).await;
        assert!(replaced.is_err(), "{replaced:?} {faults:?}");
        assert_eq!(field(&rig).await, keep, "{faults:?}");
    }
}

#[tokio::test]
async fn a_text_takes_the_place_of_another() {
    for faults in [&[][..], &[Fault::OldInput]] {
        let rig = note(faults).await;
        rig.phone.use_scrcpy(None);
        for text in ["gone", "plain", "façade ß", "two\nlines", ""] {
            rig.by_hand(Command::Replace(text.to_owned())).await.unwrap();
            let shown = if text.is_empty() { "Note" } else { text };
            assert_eq!(field(&rig).await, shown, "{faults:?}");
        }
    }
}

/// What would type a text is told without a letter typed.
#[tokio::test]
async fn what_types_a_text_is_known_beforehand() {
    for (adb_keyboard, text, typist) in [
        (false, "plain", Ok(Typist::KeyMap)),
        (false, "é", Ok(Typist::Perhaps)),
        (false, "中文", Err(PhoneError::CannotType)),
        (false, "bell\u{7}", Err(PhoneError::CannotType)),
        (true, "plain", Ok(Typist::KeyMap)),
        (true, "é", Ok(Typist::AdbKeyboard)),
        (true, "中文", Ok(Typist::AdbKeyboard)),
    ] {
        let mut setup = Setup::at(EDITOR);
        setup.options.adb_keyboard = adb_keyboard;
        let rig = Rig::socket(setup).await;
        rig.phone.use_scrcpy(None);
        let before = rig.effects();
        assert_eq!(
            rig.phone.typist(text, &rig.lease.take()).await,
            typist,
            "{text:?}"
        );
        assert_eq!(rig.effects(), before, "{text:?}");
    }
}

/// A home screen takes no text: letters that went nowhere are not called written. Where a field takes them, whoever looks
/// next sees them.
#[tokio::test]
async fn letters_that_go_nowhere_are_told() {
    for sdk in [29, 31, 34] {
        for (start, taps, seen) in [
            ("", None, Some(false)),
            ("com.android.settings/.Settings", None, Some(false)),
            (EDITOR, Some("text=\"Note\""), None),
        ] {
            let mut setup = Setup::at(start);
            setup.options.profile.phone.sdk = sdk;
            let rig = Rig::socket(setup).await;
            if let Some(field) = taps {
                rig.tap(field).await;
            }
            let done = rig.by_hand(Command::Text("bread".to_owned())).await.unwrap();
            assert_eq!(done.seen, seen, "{start} on {sdk}");
        }
    }
}

/// A password is typed whole, is dots on the phone, and is in no answer.
#[tokio::test]
async fn a_secret_is_typed_and_not_repeated() {
    let mut setup = Setup::at("com.northbank.mobile/.SignInActivity");
    setup.options.northbank_remembered = false;
    let rig = Rig::socket(setup).await;
    rig.tap("text=\"Your user name\"").await;
    rig.by_hand(Command::Text("anna".to_owned())).await.unwrap();
    rig.tap("text=\"Your password\"").await;
    let secret = SecretString::from("harbour-9");
    let done = rig
        .phone
        .type_secret(&secret, &crate::judged::secret(), &rig.lease.take())
        .await
        .unwrap();
    assert_eq!((done.output, done.via), (None, Some(ActMethod::InputText)));
    assert!(!rig.phone.read().await.unwrap().contains("harbour-9"));
    rig.by_hand(Command::Key("ENTER".to_owned())).await.unwrap();
    assert_eq!(rig.handle.state()["northbank"]["codesSent"], 1);
    // Never by another way than the keys, never half, and its words in no error.
    for (secret, faults) in [("pass🎉word", None), ("harbour-9", Some(Fault::InjectEvents))] {
        let before = rig.effects().len();
        if let Some(fault) = faults {
            rig.handle.set_fault(fault);
        }
        let typed = rig
            .phone
            .type_secret(
                &SecretString::from(secret),
                &crate::judged::secret(),
                &rig.lease.take(),
            )
            .await;
        assert!(typed.is_err());
        assert!(!format!("{typed:?}").contains(secret));
        assert_eq!(told(&rig.effects()[before..]), "");
    }
}

/// Before anything was read of a phone, and with nothing that has every letter but the reader.
#[tokio::test(start_paused = true)]
async fn what_the_reader_types_is_not_lacking() {
    for (faults, lacks) in [(vec![], ""), (vec![Fault::ReaderMissing], "牛奶")] {
        let rig = Rig::pipe(Setup::at(EDITOR).with(&faults).with_reader());
        let found = rig.phone.untypable("Tea and 牛奶").await.unwrap();
        assert_eq!(found.into_iter().collect::<String>(), lacks);
    }
}

//! Deeds the person agreed to before their task began.

use crate::pages::*;
use protocol::{AskBefore, AskKind, Level, Mandate, Role, Screen, Settings};

fn deed(kind: AskKind, recipient: Option<&str>, text: &str, count: u32) -> Mandate {
    Mandate {
        kind,
        app: APP.to_owned(),
        app_label: "Messages".to_owned(),
        recipient: recipient.map(str::to_owned),
        text: Some(text.to_owned()),
        count,
    }
}

/// Whether a press is asked about where the person agreed to these deeds.
fn asks_with(screen: &Screen, index: u32, mandates: &[Mandate]) -> bool {
    let settings = Settings::default();
    let said = Said {
        settings: &settings,
        signers: &[],
        mandates,
    };
    asks(screen, index, &said)
}

#[test]
fn a_message_that_was_agreed_to_is_sent_to_that_one_in_those_words() {
    let agreed = [deed(AskKind::Send, Some("Mum"), "on my way", 1)];
    for page in [
        chat("Mum", "on my way", "Send"),
        chat("mum", " On my  way ", "send"),
        chat("Mum", "on my way", "Senden"),
    ] {
        assert!(asks_with(&page, 4, &[]));
        assert!(!asks_with(&page, 4, &agreed), "{page:?}");
    }
    for page in [
        chat("Dana", "on my way", "Send"),
        chat("Mum and Dana", "on my way", "Send"),
        chat("Mum", "on my way, with the car", "Send"),
        chat("Mum", "on my way 🖕", "Send"),
        chat("Mum", "", "Send"),
        chat("", "on my way", "Send"),
        // What is sent too, and is no message.
        chat("Mum", "on my way", "Call"),
        chat("Mum", "on my way", "Send money"),
        chat("Mum", "on my way", "Share now"),
        chat("Mum", "on my way", "Delete"),
    ] {
        assert!(asks_with(&page, 4, &agreed), "{page:?}");
    }
    // An icon beside the message is the send, unless its id calls; elsewhere it is none.
    let icon = |id: &str, top: i32| {
        let mut page = chat("Mum", "on my way", "");
        let (left, right) = (860, 1040);
        page.elements[3].bounds.right = left;
        page.elements[3].bounds.top = 2000;
        page.elements[3].bounds.bottom = 2130;
        let bottom = top + 130;
        page.elements[4].bounds = protocol::Bounds {
            left,
            top,
            right,
            bottom,
        };
        page.elements[4].resource_id = format!("com.example.chat:id/{id}");
        asks_with(&page, 4, &agreed)
    };
    assert!(!icon("action", 2000));
    assert!(!icon("send", 2000));
    assert!(icon("call", 2000));
    assert!(icon("send", 100));
    let page = chat("Mum", "on my way", "Send");
    for other in [
        deed(AskKind::Send, Some("Mum"), "on my way", 0),
        deed(AskKind::Send, None, "on my way", 1),
        deed(AskKind::Delete, Some("Mum"), "on my way", 1),
        deed(AskKind::Payment, Some("Mum"), "on my way", 1),
        Mandate {
            text: None,
            ..agreed[0].clone()
        },
        Mandate {
            app: "com.other".to_owned(),
            ..agreed[0].clone()
        },
    ] {
        assert!(asks_with(&page, 4, std::slice::from_ref(&other)), "{other:?}");
    }
    let both = [deed(AskKind::Send, Some("Dana"), "x", 1), agreed[0].clone()];
    assert!(!asks_with(&page, 4, &both));
}

#[test]
fn as_many_are_deleted_as_were_agreed_to() {
    let agreed = [deed(AskKind::Delete, None, "screenshots", 34)];
    let page = dialog("Screenshots", "Delete 34 items?");
    assert!(asks_with(&page, 3, &[]));
    assert!(!asks_with(&page, 3, &agreed));
    for page in [
        dialog("Screenshots", "Delete 35 items?"),
        dialog("Screenshots", "Delete all items?"),
        dialog("Camera", "Delete 34 items?"),
    ] {
        assert!(asks_with(&page, 3, &agreed), "{page:?}");
    }
    let one = [deed(AskKind::Delete, None, "old note", 1)];
    assert!(!asks_with(&dialog("Notes", "Delete “Old note”?"), 3, &one));
    assert!(asks_with(&dialog("Old note", "Delete 12 notes?"), 3, &one));
    for other in [
        "Delete “Other note”?",
        "Delete “Old notebook”?",
        "Delete all notes except “Old note”?",
        "Delete everything but old note?",
    ] {
        assert!(asks_with(&dialog("Notes", other), 3, &one), "{other}");
    }
}

#[test]
fn the_one_that_is_deleted_is_the_one_that_was_agreed_to() {
    let one = [deed(AskKind::Delete, None, "old note", 1)];
    let list = |press: &str| {
        screen(vec![
            text(0, "Notes", "title"),
            text(1, "Old note", "note"),
            button(2, press, "delete"),
            text(3, "Tax return", "note"),
            button(4, press, "delete"),
        ])
    };
    assert!(asks_with(&list("Delete"), 4, &one));
    assert!(asks_with(&list("Delete Tax return"), 4, &one));
    assert!(!asks_with(&list("Delete Old note"), 2, &one));
    assert!(asks_with(&dialog("Old note", "Delete all notes?"), 3, &one));
}

#[test]
fn whom_it_goes_to_is_no_text_among_others() {
    let agreed = [deed(AskKind::Send, Some("Mum"), "on my way", 1)];
    // A message that only says "To", right above the field: that holds one's own message, and no recipient.
    let mut captioned = chat("Mum", "on my way", "Send");
    captioned.elements[2].label = "To".to_owned();
    assert!(!asks_with(&captioned, 4, &agreed));
    for label in ["To: Mum", "Mum"] {
        // In a conversation with somebody else, with a title and with a header that can be pressed.
        let mut titled = chat("Eve", "on my way", "Send");
        titled.elements[2].label = label.to_owned();
        assert!(asks_with(&titled, 4, &agreed), "{label}");
        let mut pressed = titled.clone();
        pressed.elements[0].role = Role::Button;
        pressed.elements[0].bounds.top = 90;
        pressed.elements[0].bounds.bottom = 200;
        pressed.elements[1].bounds.top = 90;
        pressed.elements[1].bounds.bottom = 200;
        pressed.elements[2].bounds.top = 230;
        pressed.elements[2].bounds.bottom = 300;
        assert!(asks_with(&pressed, 4, &agreed), "{label}");
        // A question says no name there, and that of the title where there is one.
        assert_eq!(screen::addressee(&pressed), None, "{label}");
        assert_eq!(screen::addressee(&titled).as_deref(), Some("Eve"), "{label}");
    }
}

#[test]
fn a_mandate_lifts_no_other_word_of_the_persons() {
    let agreed = [deed(AskKind::Send, Some("Mum"), "on my way", 1)];
    let page = chat("Mum", "on my way", "Send");
    let with = |settings: &Settings| {
        let said = Said {
            settings,
            signers: &[],
            mandates: &agreed,
        };
        asks(&page, 4, &said)
    };
    let mut settings = Settings::default();
    assert!(!with(&settings));
    settings.rules.ask = vec![everywhere(AskKind::Send)];
    assert!(with(&settings));
    settings.rules.ask.clear();
    settings.rules.never = vec![everywhere(AskKind::Send)];
    assert!(with(&settings));
    let everything = Settings {
        level: Level::Everything,
        ..Settings::default()
    };
    assert!(with(&everything), "who wants to be asked about everything is");
    let off = Settings {
        ask_before: AskBefore {
            sending: false,
            ..AskBefore::default()
        },
        ..Settings::default()
    };
    assert!(!with(&off), "a switch that is off asks about no message");
}

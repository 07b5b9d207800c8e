//! What the person said beforehand: what it answers, and what it does not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use judge::{Case, Input, Key, Verdict, bind, judge, may_bind};
use protocol::{
    AskBefore, AskKind, Bounds, CaptureResult, Element, ElementBinding, Level, Mandate, Millis, PhoneId,
    Role, Rule, Rules, Screen, Settings, State, Totals,
};
use std::time::Instant;

const APP: &str = "com.android.messages";
const DAY: Millis = 24 * 60 * 60 * 1000;
const NOW: Millis = 1_000 * DAY;

fn element(index: u32, role: Role, label: &str, id: &str, states: &[State]) -> Element {
    let top = i32::try_from(index).unwrap() * 150;
    Element {
        index,
        track_id: index.to_string(),
        role,
        label: label.to_owned(),
        description: None,
        value: None,
        states: states.to_vec(),
        bounds: Bounds {
            left: 40,
            top,
            right: 1040,
            bottom: top + 130,
        },
        resource_id: if id.is_empty() {
            String::new()
        } else {
            format!("{APP}:id/{id}")
        },
        package: APP.to_owned(),
    }
}

fn text(index: u32, label: &str, id: &str) -> Element {
    element(index, Role::Text, label, id, &[])
}

fn button(index: u32, label: &str, id: &str) -> Element {
    element(index, Role::Button, label, id, &[State::Clickable])
}

fn screen(elements: Vec<Element>) -> Screen {
    Screen {
        phone: PhoneId("phone".to_owned()),
        current_app: APP.to_owned(),
        window: Some(format!("{APP}/.Page")),
        width: 1080,
        height: 2400,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements,
        tree_read: true,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    }
}

/// A conversation with somebody, a message written in it, and its button.
fn chat(with: &str, written: &str, press: &str) -> Screen {
    let mut field = element(
        3,
        Role::Field,
        "Message",
        "draft",
        &[State::Clickable, State::Editable],
    );
    field.value = Some(written.to_owned());
    screen(vec![
        text(0, with, "title"),
        button(1, "Back", "back"),
        text(2, "See you then!", "bubble"),
        field,
        button(4, press, "action"),
    ])
}

/// A gallery that asks whether to delete.
fn dialog(title: &str, question: &str) -> Screen {
    screen(vec![
        text(0, title, "title"),
        text(1, question, "question"),
        button(2, "Cancel", "cancel"),
        button(3, "Delete", "ok"),
    ])
}

fn press(screen: &Screen, index: u32) -> Vec<Input> {
    let b = screen
        .elements
        .iter()
        .find(|one| one.index == index)
        .unwrap()
        .bounds;
    vec![Input::Tap {
        at: (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom)),
    }]
}

const VERSION: &str = "412";

fn signers() -> Vec<String> {
    vec!["sum 57f52fdb".to_owned()]
}

fn bound(kind: AskKind, screen: &Screen, index: u32) -> ElementBinding {
    let element = screen.elements.iter().find(|one| one.index == index).unwrap();
    bind(kind, screen, &signers(), VERSION, element, NOW).unwrap()
}

fn rule(kind: AskKind, element: Option<ElementBinding>) -> Rule {
    Rule {
        kind,
        app: Some(APP.to_owned()),
        app_label: "Messages".to_owned(),
        phone: Some(PhoneId("phone".to_owned())),
        since: NOW,
        element,
    }
}

/// Of every kind, in every app, on every phone.
fn everywhere(kind: AskKind) -> Rule {
    Rule {
        app: None,
        phone: None,
        ..rule(kind, None)
    }
}

fn allowing(rule: Rule) -> Settings {
    Settings {
        rules: Rules {
            allowed: vec![rule],
            ..Rules::default()
        },
        ..Settings::default()
    }
}

struct Said<'a> {
    settings: &'a Settings,
    signers: &'a [String],
    mandates: &'a [Mandate],
}

/// Whether this press of this screen is asked about.
fn asks(screen: &Screen, index: u32, said: &Said<'_>) -> bool {
    let inputs = press(screen, index);
    let verdict = judge(&Case {
        signers: said.signers,
        version: VERSION,
        mandates: said.mandates,
        ..Case::new(&inputs, screen, said.settings, NOW, Instant::now())
    });
    !matches!(verdict, Verdict::Allow(_))
}

fn asks_by(screen: &Screen, index: u32, settings: &Settings) -> bool {
    let signers = signers();
    let said = Said {
        settings,
        signers: &signers,
        mandates: &[],
    };
    asks(screen, index, &said)
}

#[test]
fn always_here_is_this_button_on_this_page_of_this_app() {
    let page = chat("Dana", "hello", "Send");
    assert!(asks_by(&page, 4, &Settings::default()));
    let element = bound(AskKind::Send, &page, 4);
    let given = rule(AskKind::Send, Some(element.clone()));
    assert!(!asks_by(&page, 4, &allowing(given.clone())));
    assert!(
        !asks_by(&chat("Dana", "on my way", "Send"), 4, &allowing(given.clone())),
        "whatever is written"
    );
    assert!(
        asks_by(&chat("Mum", "hello", "Send"), 4, &allowing(given.clone())),
        "with somebody else"
    );
    let old = |used| ElementBinding {
        used,
        ..element.clone()
    };
    assert!(!asks_by(
        &page,
        4,
        &allowing(rule(AskKind::Send, Some(old(NOW - 30 * DAY))))
    ));
    let sends = |binding| rule(AskKind::Send, Some(binding));
    for other in [
        rule(AskKind::Send, Some(old(NOW - 30 * DAY - 1))),
        rule(AskKind::Send, None),
        rule(AskKind::Delete, Some(element.clone())),
        Rule {
            app: None,
            ..given.clone()
        },
        Rule {
            app: Some("com.other".to_owned()),
            ..given.clone()
        },
        Rule {
            phone: Some(PhoneId("another".to_owned())),
            ..given.clone()
        },
        sends(ElementBinding {
            signer: "sum 0".to_owned(),
            ..element.clone()
        }),
        sends(ElementBinding {
            version: "413".to_owned(),
            ..element.clone()
        }),
        sends(ElementBinding {
            version: String::new(),
            ..element.clone()
        }),
        sends(ElementBinding {
            page: "another".to_owned(),
            ..element.clone()
        }),
        sends(ElementBinding {
            label: "Send all".to_owned(),
            ..element.clone()
        }),
        sends(ElementBinding {
            resource_id: String::new(),
            ..element.clone()
        }),
        sends(ElementBinding {
            role: Role::Item,
            ..element.clone()
        }),
    ] {
        assert!(asks_by(&page, 4, &allowing(other.clone())), "{other:?}");
    }
    // Another signer of the app in front, or nobody knows who signed it.
    let settings = allowing(given);
    for signers in [vec!["sum 1".to_owned()], vec![]] {
        let said = Said {
            settings: &settings,
            signers: &signers,
            mandates: &[],
        };
        assert!(asks(&page, 4, &said), "{signers:?}");
    }
}

#[test]
fn always_here_is_one_press_and_nothing_beside_it() {
    let page = chat("Dana", "hello", "Send");
    let settings = allowing(rule(AskKind::Send, Some(bound(AskKind::Send, &page, 4))));
    let signers = signers();
    let allowed = |inputs: &[Input]| {
        let verdict = judge(&Case {
            signers: &signers,
            version: VERSION,
            ..Case::new(inputs, &page, &settings, NOW, Instant::now())
        });
        matches!(verdict, Verdict::Allow(_))
    };
    let Some(Input::Tap { at }) = press(&page, 4).pop() else {
        panic!("a tap")
    };
    let hold = Input::Hold { at, ms: 800 };
    assert!(allowed(&[Input::Tap { at }]));
    for inputs in [
        vec![hold.clone()],
        vec![Input::Tap { at }, hold],
        vec![Input::Tap { at }, Input::Tap { at }],
    ] {
        assert!(!allowed(&inputs), "{inputs:?}");
    }
}

#[test]
fn who_is_asked_about_everything_may_allow_one_thing_of_it() {
    let page = chat("Dana", "hello", "Send");
    let at_everything = |allowed: Vec<Rule>| Settings {
        level: Level::Everything,
        rules: Rules {
            allowed,
            ..Rules::default()
        },
        ..Settings::default()
    };
    assert!(asks_by(&page, 1, &at_everything(vec![])), "going back is a step");
    let back = rule(AskKind::Act, Some(bound(AskKind::Act, &page, 1)));
    assert!(!asks_by(&page, 1, &at_everything(vec![back.clone()])));
    assert!(
        asks_by(&page, 4, &at_everything(vec![back.clone()])),
        "another button"
    );
    // Nobody pressed anything there: nothing is bound to it.
    let nowhere = screen(vec![text(0, "Dana", "title"), text(1, "hello", "bubble")]);
    let blank = vec![Input::Swipe {
        from: (500, 2000),
        to: (500, 1000),
        ms: 300,
    }];
    let settings = at_everything(vec![back]);
    let signers = signers();
    let verdict = judge(&Case {
        signers: &signers,
        ..Case::new(&blank, &nowhere, &settings, NOW, Instant::now())
    });
    assert!(matches!(verdict, Verdict::Ask(_)), "{verdict:?}");
}

#[test]
fn a_rule_that_asks_every_time_and_one_that_forbids_go_before() {
    let page = chat("Dana", "hello", "Send");
    let mut settings = allowing(rule(AskKind::Send, Some(bound(AskKind::Send, &page, 4))));
    settings.rules.ask = vec![everywhere(AskKind::Send)];
    assert!(asks_by(&page, 4, &settings));
    settings.rules.ask.clear();
    settings.rules.never = vec![everywhere(AskKind::Send)];
    assert!(asks_by(&page, 4, &settings));
}

#[test]
fn money_codes_permissions_and_installs_are_bound_to_nothing() {
    let bindable = [
        AskKind::Payment,
        AskKind::Code,
        AskKind::Password,
        AskKind::Install,
        AskKind::Permission,
        AskKind::Shell,
        AskKind::Script,
        AskKind::ComputerScript,
        AskKind::Unreadable,
        AskKind::Mandate,
        AskKind::Send,
    ];
    let bindable: Vec<AskKind> = bindable.into_iter().filter(|kind| may_bind(*kind)).collect();
    assert_eq!(bindable, [AskKind::Send]);
    let shop = screen(vec![
        text(0, "Checkout", "title"),
        text(1, "Total $23.40", "total"),
        button(2, "Pay $23.40", "pay"),
    ]);
    for kind in [AskKind::Payment, AskKind::Unknown, AskKind::Act, AskKind::Send] {
        assert!(
            asks_by(&shop, 2, &allowing(rule(kind, Some(bound(kind, &shop, 2))))),
            "{kind:?}"
        );
    }
}

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
    assert!(asks_with(&dialog("Notes", "Delete “Other note”?"), 3, &one));
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
    }
}

#[test]
fn always_here_is_one_conversation() {
    let one = chat("+49 170 1234567", "hello", "Send");
    let given = allowing(rule(AskKind::Send, Some(bound(AskKind::Send, &one, 4))));
    assert!(!asks_by(&one, 4, &given));
    assert!(asks_by(&chat("+49 900 7654321", "hello", "Send"), 4, &given));
    // Where nobody knows whom it goes to, there is nothing to allow.
    let mut headless = one;
    headless.elements[0].role = Role::Button;
    let button = &headless.elements[4];
    assert_eq!(
        bind(AskKind::Send, &headless, &signers(), VERSION, button, NOW),
        None
    );
    assert!(bind(AskKind::Delete, &headless, &signers(), VERSION, button, NOW).is_some());
}

#[test]
fn what_nobody_read_where_money_is_is_neither_slid_nor_keyed() {
    let bank = Screen {
        current_app: "com.example.bank".to_owned(),
        ..screen(vec![])
    };
    let slide = Input::Swipe {
        from: (100, 2210),
        to: (980, 2210),
        ms: 300,
    };
    let chord = |keys: &[&str]| Input::Chord(keys.iter().map(|key| Key::read(key).unwrap()).collect());
    let hard = Settings {
        level: Level::HardStops,
        ..Settings::default()
    };
    for (input, settings) in [
        (slide, &Settings::default()),
        (chord(&["SHIFT_LEFT", "ENTER"]), &hard),
        (chord(&["CTRL_LEFT", "V"]), &hard),
        (Input::Key(Key::read("PASTE").unwrap()), &hard),
        (Input::Key(Key::read("KEYCODE_4").unwrap()), &hard),
    ] {
        let inputs = [input];
        let verdict = judge(&Case::new(&inputs, &bank, settings, NOW, Instant::now()));
        assert!(
            matches!(&verdict, Verdict::Ask(pending) if pending.kind() == AskKind::Unreadable),
            "{inputs:?} {verdict:?}"
        );
    }
    // What can be read: a code is asked about however it is put in.
    let mut field = element(
        1,
        Role::Field,
        "",
        "code",
        &[State::Clickable, State::Editable, State::Focused],
    );
    field.label = "Code".to_owned();
    let code = screen(vec![text(0, "Enter the 6-digit code we sent", "hint"), field]);
    let paste = Input::Key(Key::read("PASTE").unwrap());
    for input in [
        paste,
        chord(&["CTRL_LEFT", "V"]),
        chord(&["SHIFT_LEFT", "INSERT"]),
    ] {
        let inputs = [input];
        let verdict = judge(&Case::new(&inputs, &code, &hard, NOW, Instant::now()));
        assert!(
            matches!(&verdict, Verdict::Ask(pending) if pending.kind() == AskKind::Code),
            "{inputs:?} {verdict:?}"
        );
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

//! What the person said beforehand: what it answers, and what it does not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

#[path = "../common/mod.rs"]
mod common;
mod mandates;
mod pages;

use judge::{Case, Input, Key, Verdict, bind, judge, may_bind};
use pages::*;
use protocol::{AskKind, ElementBinding, ElementState, Level, PhoneId, Role, Rule, Rules, Screen, Settings};
use std::time::Instant;

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
    // What nobody knows, where something is paid, may be another sum tomorrow.
    let pay = &shop.elements[2];
    assert_eq!(
        bind(AskKind::Unknown, &shop, None, &signers(), VERSION, pay, NOW),
        None
    );
    for kind in [AskKind::Payment, AskKind::Act, AskKind::Send] {
        assert!(
            asks_by(&shop, 2, &allowing(rule(kind, Some(bound(kind, &shop, 2))))),
            "{kind:?}"
        );
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
        bind(AskKind::Send, &headless, None, &signers(), VERSION, button, NOW),
        None
    );
    assert!(bind(AskKind::Delete, &headless, None, &signers(), VERSION, button, NOW).is_some());
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
        &[
            ElementState::Clickable,
            ElementState::Editable,
            ElementState::Focused,
        ],
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
fn always_here_is_the_thing_it_was_said_of() {
    let offers = dialog("Delete conversation?", "Newsletter offers");
    let given = allowing(rule(AskKind::Delete, Some(bound(AskKind::Delete, &offers, 3))));
    assert!(!asks_by(&offers, 3, &given));
    for other in [
        dialog("Delete conversation?", "Mum"),
        dialog("Delete conversation?", "Newsletter offers 2"),
        dialog("Delete everything?", "Newsletter offers"),
    ] {
        assert!(asks_by(&other, 3, &given), "{other:?}");
    }
    // What it is about is kept, not what it says.
    let kept = bound(AskKind::Delete, &offers, 3);
    assert!(!kept.page.contains("Newsletter"), "{kept:?}");
}

#[test]
fn always_here_is_one_site_of_a_browser() {
    const BROWSER: &str = "com.android.chrome";
    let page = Screen {
        current_app: BROWSER.to_owned(),
        ..screen(vec![text(0, "Settings", "title"), button(1, "Delete", "ok")])
    };
    let mut button = page.elements[1].clone();
    button.package = BROWSER.to_owned();
    let at = |site: Option<&str>| bind(AskKind::Delete, &page, site, &signers(), VERSION, &button, NOW);
    assert!(at(Some("forum.example")).is_some());
    assert_ne!(at(Some("forum.example")), at(Some("other.example")));
    assert_eq!(at(None), None, "nobody knows which site it is");
}

//! Pages, and who is asked on them.

use crate::common;
use judge::{Case, Input, Verdict, bind, judge};
use protocol::{
    AskKind, Element, ElementBinding, ElementState, Mandate, Millis, PhoneId, Role, Rule, Rules, Screen,
    Settings,
};
use std::time::Instant;

pub(crate) const APP: &str = "com.android.messages";
pub(crate) const DAY: Millis = 24 * 60 * 60 * 1000;
pub(crate) const NOW: Millis = 1_000 * DAY;

pub(crate) fn element(index: u32, role: Role, label: &str, id: &str, states: &[ElementState]) -> Element {
    let mut element = common::row(APP, index, role, label, states);
    if !id.is_empty() {
        element.resource_id = format!("{APP}:id/{id}");
    }
    element
}

pub(crate) fn text(index: u32, label: &str, id: &str) -> Element {
    element(index, Role::Text, label, id, &[])
}

pub(crate) fn button(index: u32, label: &str, id: &str) -> Element {
    element(index, Role::Button, label, id, &[ElementState::Clickable])
}

pub(crate) fn screen(elements: Vec<Element>) -> Screen {
    common::screen(APP, "Page", elements)
}

/// A conversation with somebody, a message written in it, and its button.
pub(crate) fn chat(with: &str, written: &str, press: &str) -> Screen {
    let mut field = element(
        3,
        Role::Field,
        "Message",
        "draft",
        &[ElementState::Clickable, ElementState::Editable],
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
pub(crate) fn dialog(title: &str, question: &str) -> Screen {
    screen(vec![
        text(0, title, "title"),
        text(1, question, "question"),
        button(2, "Cancel", "cancel"),
        button(3, "Delete", "ok"),
    ])
}

pub(crate) fn press(screen: &Screen, index: u32) -> Vec<Input> {
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

pub(crate) const VERSION: &str = "412";

pub(crate) fn signers() -> Vec<String> {
    vec!["sum 57f52fdb".to_owned()]
}

pub(crate) fn bound(kind: AskKind, screen: &Screen, index: u32) -> ElementBinding {
    let element = screen.elements.iter().find(|one| one.index == index).unwrap();
    bind(kind, screen, None, &signers(), VERSION, element, NOW).unwrap()
}

pub(crate) fn rule(kind: AskKind, element: Option<ElementBinding>) -> Rule {
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
pub(crate) fn everywhere(kind: AskKind) -> Rule {
    Rule {
        app: None,
        phone: None,
        ..rule(kind, None)
    }
}

pub(crate) fn allowing(rule: Rule) -> Settings {
    Settings {
        rules: Rules {
            allowed: vec![rule],
            ..Rules::default()
        },
        ..Settings::default()
    }
}

pub(crate) struct Said<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) signers: &'a [String],
    pub(crate) mandates: &'a [Mandate],
}

/// Whether this press of this screen is asked about.
pub(crate) fn asks(screen: &Screen, index: u32, said: &Said<'_>) -> bool {
    let inputs = press(screen, index);
    let verdict = judge(&Case {
        signers: said.signers,
        version: VERSION,
        mandates: said.mandates,
        ..Case::new(&inputs, screen, said.settings, NOW, Instant::now())
    });
    !matches!(verdict, Verdict::Allow(_))
}

pub(crate) fn asks_by(screen: &Screen, index: u32, settings: &Settings) -> bool {
    let signers = signers();
    let said = Said {
        settings,
        signers: &signers,
        mandates: &[],
    };
    asks(screen, index, &said)
}

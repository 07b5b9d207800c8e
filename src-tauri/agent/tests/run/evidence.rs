//! What a question says that we saw ourselves.

use agent::evidence::gather;
use agent::secrets::Secrets;
use judge::Page;
use protocol::{
    AskKind, Bounds, CaptureResult, Element, ElementState, Evidence, Frame, PhoneId, Role, Screen, Totals,
};

const APP: &str = "com.greenleaf.shop";
const WIDE: u32 = 1080;
const HIGH: u32 = 2400;

/// Words in a row of their own, as wide as the page.
fn text(label: &str) -> Element {
    Element {
        index: 0,
        track_id: String::new(),
        role: Role::Text,
        label: label.to_owned(),
        description: None,
        value: None,
        states: Vec::new(),
        bounds: Bounds {
            left: 40,
            top: 0,
            right: 1040,
            bottom: 130,
        },
        resource_id: String::new(),
        package: APP.to_owned(),
    }
}

fn button(label: &str) -> Element {
    Element {
        role: Role::Button,
        states: vec![ElementState::Clickable],
        ..text(label)
    }
}

fn field(label: &str, value: &str) -> Element {
    Element {
        role: Role::Field,
        value: Some(value.to_owned()),
        states: vec![ElementState::Clickable, ElementState::Editable],
        ..text(label)
    }
}

fn focused(mut field: Element) -> Element {
    field.states.push(ElementState::Focused);
    field
}

/// Two things in one row.
fn beside(left: Element, mut right: Element) -> [Element; 2] {
    right.bounds.left = 540;
    right.track_id = "beside".to_owned();
    [left, right]
}

/// A page of rows, one below the other.
fn page(rows: impl IntoIterator<Item = Element>) -> Screen {
    let mut elements: Vec<Element> = rows.into_iter().collect();
    let mut row = 0;
    for (index, element) in (1..).zip(&mut elements) {
        row += i32::from(element.track_id != "beside");
        element.index = index;
        element.track_id = index.to_string();
        (element.bounds.top, element.bounds.bottom) = (row * 150, row * 150 + 130);
    }
    Screen {
        phone: PhoneId("phone".into()),
        current_app: APP.to_owned(),
        window: Some(format!("{APP}/.Page")),
        width: WIDE,
        height: HIGH,
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

/// What is gathered where the last thing on the page is pressed.
fn gathered(kind: AskKind, screen: &Screen) -> Evidence {
    gather(kind, &Page::new(screen), screen.elements.last(), None)
}

/// The amount that is certain, else those that could be meant.
#[track_caller]
fn check_money(screen: &Screen, certain: Option<&str>, others: &[&str]) {
    let evidence = gathered(AskKind::Payment, screen);
    let read: Vec<&str> = evidence
        .other_amounts
        .iter()
        .map(|amount| amount.text.as_str())
        .collect();
    let meant = evidence.amount.as_ref().map(|amount| amount.text.as_str());
    assert_eq!(
        (meant, read.as_slice()),
        (certain, others),
        "{:?}",
        screen.elements
    );
}

/// A code is wanted in the run: neither a price nor a number to call nor a card is one.
#[test]
fn no_total_is_taken_for_a_code() {
    let mut secrets = Secrets::default();
    secrets.expect_code();
    let rows = |total: &[&str]| {
        let mut rows: Vec<Element> = vec![text("Delivery $40.00")];
        match total {
            [label] => rows.push(text(label)),
            _ => rows.extend(beside(text("$"), text("2300"))),
        }
        rows.push(button("Place order"));
        page(rows)
    };
    let mut whole = rows(&["Total $2300"]);
    let rgba: Vec<u8> = (0..WIDE * HIGH).flat_map(|_| [250, 250, 250, 255]).collect();
    whole.frame = Some(Frame {
        width: WIDE,
        height: HIGH,
        rgba: rgba.clone().into(),
    });
    let shown = secrets.mask(&whole);
    let picture = shown.picture.unwrap();
    assert!(*picture.rgba == *rgba, "nothing is painted over");
    check_money(&shown.screen, Some("$2300"), &[]);
    for total in [
        "¥1999",
        "1499 €",
        "250000đ",
        "125 500 ₽",
        "•••• 4821",
        "+49 170 1234567",
    ] {
        let screen = page([text(total), button("Pay")]);
        assert_eq!(secrets.mask(&screen).screen, screen, "{total}");
    }
    let pieces = rows(&["$", "2300"]);
    assert_eq!(secrets.mask(&pieces).screen, pieces);
    let code = page([text("482 913"), text("Your code:"), text("7KD-J2M")]);
    let hidden = secrets.mask(&code).screen;
    let labels: Vec<&str> = hidden
        .elements
        .iter()
        .map(|element| element.label.as_str())
        .collect();
    assert_eq!(labels, ["••••••", "Your code:", "••••••"]);
}

#[test]
fn what_stands_in_a_field_is_as_much_as_what_is_called_total() {
    let send = |value: &str| {
        page([
            text("Send money"),
            text("Total balance $5,000.00"),
            field("Amount", value),
            button("Send"),
        ])
    };
    check_money(&send("$20.00"), None, &["$5,000.00", "$20.00"]);
    check_money(&send("20.00"), None, &["$5,000.00", "20.00"]);
    check_money(&send("20"), None, &["$5,000.00", "20"]);
    check_money(&send("$5,000.00"), Some("$5,000.00"), &[]);
    // A price whose currency nobody knows may be the one; the same number is the same.
    check_money(
        &page([text("Total $40.00"), text("2,300.00"), button("Place order")]),
        None,
        &["$40.00", "2,300.00"],
    );
    check_money(
        &page([text("To"), field("Amount", "12.50"), button("Send $12.50")]),
        Some("$12.50"),
        &[],
    );
    check_money(
        &page([field("Number", "42"), button("Pay $12.50")]),
        Some("$12.50"),
        &[],
    );
}

/// A letter is all its fields, and goes to everybody in them.
#[test]
fn a_letter_is_shown_whole_and_so_is_whom_it_goes_to() {
    let letter = |bcc: &str| {
        page([
            field("To", "dana@example.com"),
            field("Bcc", bcc),
            focused(field("Subject", "Hello")),
            field("Compose email", "Transfer it"),
            button("Send"),
        ])
    };
    let evidence = gathered(AskKind::Send, &letter("eve@example.com"));
    assert_eq!(evidence.text.as_deref(), Some("Hello\nTransfer it"));
    assert_eq!(
        evidence.recipient.as_deref(),
        Some("dana@example.com, eve@example.com")
    );
    let evidence = gathered(AskKind::Send, &letter(""));
    assert_eq!(evidence.recipient.as_deref(), Some("dana@example.com"));
    let mut search = field("Search", "Dana");
    search.resource_id = format!("{APP}:id/search_src_text");
    let chat = page([search, field("Message", "See you"), button("Send")]);
    assert_eq!(gathered(AskKind::Send, &chat).text.as_deref(), Some("See you"));
}

/// A code for signing in hands in nothing of another page of the app.
#[test]
fn a_code_was_given_for_the_field_it_stands_in() {
    let named = |name: &str| {
        let mut page = page(vec![field("Code", "")]);
        page.elements[0].track_id = name.to_owned();
        page
    };
    let (signing_in, confirming) = (named("first"), named("second"));
    let mut secrets = Secrets::default();
    secrets.add("482913".into(), &signing_in, &signing_in.elements[0]);
    assert!(secrets.supplied_on(&signing_in));
    assert!(!secrets.supplied_on(&confirming));
    let mut elsewhere = signing_in;
    elsewhere.current_app = "com.example.bank".to_owned();
    assert!(!secrets.supplied_on(&elsewhere));
}

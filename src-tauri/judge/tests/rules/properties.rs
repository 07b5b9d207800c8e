//! What holds on any screen.

use judge::guard::{Page, Question};
use judge::{Case, Input, Key, Text, Verdict, judge};
use proptest::prelude::*;
use protocol::{
    Bounds, CaptureResult, Element, ElementState, PhoneId, Role, RuleName, Screen, Settings, Totals,
};
use std::time::Instant;

const LABELS: &[&str] = &[
    "",
    "Pay $4",
    "Send",
    "Delete",
    "Cancel",
    "OK",
    "Settings",
    "支付",
    "Отправить",
    "1",
    "Note",
    "Sign in",
    "Install",
    "→",
    "Allow",
    "Erase all data",
    "Message",
    "Password",
    "Slide to pay",
    "Incoming call",
    "Code",
    "a, b, c",
];
const ROLES: &[Role] = &[
    Role::Button,
    Role::Item,
    Role::Text,
    Role::Field,
    Role::Switch,
    Role::Radio,
    Role::Tab,
    Role::Slider,
    Role::Image,
    Role::KeyboardKey,
    Role::Other,
];
const STATES: &[ElementState] = &[
    ElementState::Clickable,
    ElementState::Editable,
    ElementState::Focused,
    ElementState::Password,
    ElementState::Checked,
    ElementState::Disabled,
    ElementState::Scrollable,
    ElementState::Selected,
    ElementState::LongClickable,
    ElementState::Checkable,
];
const APPS: &[&str] = &[
    "com.example.shop",
    "com.example.bank",
    "com.android.settings",
    "com.whatsapp",
    "com.android.dialer",
    "",
];

fn element() -> impl Strategy<Value = Element> {
    let place = (-50..1100i32, -50..2450i32, -20..900i32, -20..900i32);
    let states = proptest::collection::vec(proptest::sample::select(STATES), 0..4);
    (
        proptest::sample::select(LABELS),
        proptest::sample::select(ROLES),
        states,
        place,
    )
        .prop_map(|(label, role, states, (left, top, wide, high))| Element {
            index: 0,
            track_id: String::new(),
            role,
            label: label.to_owned(),
            description: None,
            value: (role == Role::Field).then(|| label.to_owned()),
            states,
            bounds: Bounds {
                left,
                top,
                right: left + wide,
                bottom: top + high,
            },
            resource_id: String::new(),
            package: "com.example.shop".to_owned(),
        })
}

fn numbered(elements: &mut [Element]) {
    for (index, element) in (1..).zip(elements) {
        element.index = index;
    }
}

prop_compose! {
    fn screen()(
        mut elements in proptest::collection::vec(element(), 0..12),
        app in proptest::sample::select(APPS),
        tree_read in proptest::bool::weighted(0.9),
        keyboard_shown: bool,
        truncated in 0..2u32,
        size in (0..1200u32, 0..2600u32),
    ) -> Screen {
        numbered(&mut elements);
        Screen {
            phone: PhoneId("phone".into()),
            current_app: app.to_owned(),
            window: None,
            width: size.0,
            height: size.1,
            captured_at: 0,
            capture: CaptureResult::Ok,
            frame: None,
            elements,
            tree_read,
            tree_bounds: None,
            totals: Totals { total_elements: 12, truncated_elements: truncated },
            keyboard_shown,
        }
    }
}

fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let point = || (-10..1200i32, -10..2600i32);
    let key = || (0..320u16).prop_map(|code| Key::read(&code.to_string()).unwrap_or(Key::ENTER));
    let one = prop_oneof![
        point().prop_map(|at| Input::Tap { at }),
        point().prop_map(|at| Input::DoubleTap { at }),
        point().prop_map(|at| Input::Hold { at, ms: 800 }),
        (point(), point()).prop_map(|(from, to)| Input::Swipe { from, to, ms: 300 }),
        (point(), point()).prop_map(|(from, to)| Input::Drag { from, to, ms: 500 }),
        "[a-z0-9 $]{1,12}".prop_filter_map("text", |text| Text::new(&text).map(Input::Text)),
        "[a-z0-9 $]{1,12}".prop_filter_map("text", |text| Text::new(&text).map(Input::Replace)),
        key().prop_map(Input::Key),
        proptest::collection::vec(key(), 0..3).prop_map(Input::Chord),
        Just(Input::ClearText),
        point().prop_map(|at| Input::Secret { at }),
        "[a-z:/?.*#]{0,20}".prop_map(Input::Link),
        "[a-z.*#]{0,20}".prop_map(Input::Launch),
        proptest::collection::vec("[a-z-]{0,8}", 0..4).prop_map(Input::Command),
        "[a-z ;|$()]{0,20}".prop_map(Input::Script),
        Just(Input::Wake),
        Just(Input::ReadText),
    ];
    proptest::collection::vec(one, 0..4)
}

/// What is said, in a word that tells how strict it is and about what.
fn said(screen: &Screen, inputs: &[Input], moves: bool) -> (u8, String) {
    let settings = Settings::default();
    let page = Page {
        screen,
        task: "",
        app: "",
        site: None,
        version: "",
        signers: &[],
        eyes: false,
    };
    let opinion = Question::of(&page).filter(|_| moves).and_then(|question| {
        let says: String = (1..=question.asked().len())
            .map(|n| format!("{n} moves\n"))
            .collect();
        question.read(&says)
    });
    let case = Case {
        opinion: opinion.as_ref(),
        ..Case::new(inputs, screen, &settings, 0, Instant::now())
    };
    match judge(&case) {
        Verdict::Allow(_) => (0, String::new()),
        Verdict::Ask(pending) => (1, format!("{:?} {}", pending.kind(), pending.rule())),
        Verdict::Refuse { rule } => (2, rule.to_string()),
    }
}

/// Asked because nobody knows; anything else is asked or refused because somebody does.
fn is_unknown(rule: &str) -> bool {
    const NAMED: [&str; 6] = [
        " unknown",
        "amount_button",
        "slides_on",
        "pay_tile",
        "delete_in_cart",
        "no_elements",
    ];
    NAMED.iter().any(|name| rule.contains(name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn it_is_total_and_what_it_allows_is_what_it_was_asked(screen in screen(), inputs in inputs()) {
        let settings = Settings::default();
        let case = Case::new(&inputs, &screen, &settings, 0, Instant::now());
        match judge(&case) {
            Verdict::Allow(judged) => {
                let sent: Vec<&Input> = judged.iter().map(judge::Judged::input).collect();
                prop_assert_eq!(sent, inputs.iter().collect::<Vec<_>>());
            }
            Verdict::Ask(pending) => {
                prop_assert_eq!(pending.inputs(), inputs.as_slice());
                prop_assert_ne!(pending.rule(), RuleName::JudgeFailed);
            }
            Verdict::Refuse { .. } => {}
        }
    }

    #[test]
    fn an_opinion_that_lies_lets_nothing_through_that_is_known(screen in screen(), inputs in inputs()) {
        let (strict, rule) = said(&screen, &inputs, false);
        let (lied, after) = said(&screen, &inputs, true);
        if strict > 0 && !is_unknown(&rule) {
            prop_assert_eq!((lied, after), (strict, rule));
        }
    }

    #[test]
    fn what_lies_under_the_finger_as_well_loosens_nothing(screen in screen(), more in element(), x in 0..1080i32, y in 0..2400i32) {
        let press = [Input::Tap { at: (x, y) }];
        // On the keyboard a key is named by what is drawn there.
        let screen = Screen { keyboard_shown: false, ..screen };
        let before = said(&screen, &press, false);
        let mut fuller = screen.clone();
        let bounds = Bounds { left: x - 20, top: y - 20, right: x + 20, bottom: y + 20 };
        fuller.elements.push(Element { bounds, ..more });
        numbered(&mut fuller.elements);
        let after = said(&fuller, &press, false);
        // A known deed stays one (signing in is known by the fields above it, and one more field may end that); only what nobody
        // knew may become known, and a page is read that was mute.
        let by_name = |rule: &str| ["pay_button", "send_button", "delete_button", "signs", "factory_reset"].iter().any(|name| rule.ends_with(name));
        if by_name(&before.1) {
            prop_assert!(after.0 >= before.0, "{:?} became {:?}", before, after);
        }
    }
}

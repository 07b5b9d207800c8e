//! What was judged is for the screen it was judged on, and for what stood under the finger there.

use judge::{Case, Input, Verdict, judge};
use protocol::{Bounds, CaptureResult, Element, Level, PhoneId, Role, Screen, Settings, State, Totals};
use std::time::Instant;

fn element(role: Role, label: &str, top: i32) -> Element {
    Element {
        index: 1,
        track_id: label.to_owned(),
        role,
        label: label.to_owned(),
        description: None,
        value: None,
        states: vec![State::Clickable],
        bounds: Bounds {
            left: 40,
            top,
            right: 1040,
            bottom: top + 130,
        },
        resource_id: String::new(),
        package: "com.android.settings".to_owned(),
    }
}

fn page() -> Screen {
    Screen {
        phone: PhoneId("phone".to_owned()),
        current_app: "com.android.settings".to_owned(),
        window: Some("com.android.settings/.Settings".to_owned()),
        width: 1080,
        height: 2400,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: vec![element(Role::Tab, "Display", 300)],
        tree_read: true,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    }
}

/// Whether what was judged on [`page`] may be sent to the page as this changes it.
fn check(input: Input, change: impl FnOnce(&mut Screen)) -> bool {
    // What nobody knows is not asked about here.
    let settings = Settings {
        level: Level::HardStops,
        ..Settings::default()
    };
    let mut screen = page();
    let case = Case::new(
        std::slice::from_ref(&input),
        &screen,
        &settings,
        0,
        Instant::now(),
    );
    let Verdict::Allow(judged) = judge(&case) else {
        panic!("{input:?} is asked about");
    };
    change(&mut screen);
    judged[0].is_for(&screen)
}

#[test]
fn what_was_judged_is_for_one_thing_on_one_screen() {
    let tap = || Input::Tap { at: (500, 350) };
    assert!(check(tap(), |_| {}));
    // A clock that goes on is the same page.
    assert!(check(tap(), |screen| screen.elements.push(element(
        Role::Text,
        "12:01",
        20
    ))));
    let elsewhere: [fn(&mut Screen); 6] = [
        |screen| "com.bank.app".clone_into(&mut screen.current_app),
        |screen| screen.window = Some("com.android.settings/.Reset".to_owned()),
        |screen| std::mem::swap(&mut screen.width, &mut screen.height),
        |screen| screen.elements.clear(),
        |screen| screen.elements[0].bounds.top += 40,
        |screen| screen.elements[0].bounds.bottom -= 40,
    ];
    for change in elsewhere {
        assert!(!check(tap(), change));
    }
    // What no finger does is for the page alone.
    assert!(check(Input::Key(judge::Key::BACK), |screen| screen
        .elements
        .clear()));
    assert!(!check(Input::Key(judge::Key::BACK), |screen| {
        "com.bank.app".clone_into(&mut screen.current_app);
    }));
}

//! What was judged is for the screen it was judged on, and for what stood under the finger there.

use crate::case::Labelled;
use crate::table;
use judge::{Case, Input, Key, Verdict, judge};
use protocol::{Level, Screen, Settings};
use std::time::Instant;

const PAGE: &str = r#"
= settings | en | com.android.settings | 1080x2400
tab "Display" #display @40,300,1040,430
> tap "Display" => allow :: moves
"#;

fn page() -> Screen {
    table::read(PAGE).first().map(Labelled::screen).unwrap()
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
    assert!(check(tap(), |screen| {
        let mut clock = screen.elements[0].clone();
        (clock.bounds.top, clock.bounds.bottom) = (20, 150);
        screen.elements.push(clock);
    }));
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
    assert!(check(Input::Key(Key::BACK), |screen| screen.elements.clear()));
    assert!(!check(Input::Key(Key::BACK), |screen| {
        "com.bank.app".clone_into(&mut screen.current_app);
    }));
}

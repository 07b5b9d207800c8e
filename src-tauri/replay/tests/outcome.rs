//! What a step was to bring about, where it is there already, or is not there though the step was done.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use common::{Run, element, shop, tap, values};
use protocol::{Act, Screen};
use replay::{LastActResult, Recording, Replay, ReplayStep, ReplayView, Replayer, record};

/// A page with two switches.
fn switches(gift: &str, news: &str) -> Screen {
    let line = |top: u32, words: &str, state: &str| {
        format!(
            "  LinearLayout [0,{top}][1080,{}] click\n    TextView [60,{}][700,{}] \"{words}\"\n    Switch [860,{}][1020,{}] check {state}\n",
            top + 200,
            top + 60,
            top + 120,
            top + 60,
            top + 140
        )
    };
    shop(&format!(
        "FrameLayout [0,0][1080,2400]\n  TextView [60,150][600,230] #title \"Preferences\"\n{}{}",
        line(400, "Gift wrap", gift),
        line(600, "Newsletter", news)
    ))
}

/// Gift wrap was switched on, then the newsletter off.
fn switched() -> Recording {
    let mut run = Run::default();
    for (screen, words) in [
        (switches("", "checked"), "Gift wrap"),
        (switches("checked", "checked"), "Newsletter"),
    ] {
        let on = element(&screen, words);
        run.does(&screen, Some(on), tap(on.index), "done");
    }
    run.ends(&switches("checked", ""));
    record(&run.events, &run.screens, &values(&[])).unwrap()
}

/// What is tapped on a screen at first, by its words.
fn tapped(replay: &mut Replay, screen: &Screen, last: LastActResult) -> String {
    let seen = ReplayView {
        screen,
        signer: None,
        at: 0,
    };
    match replay.next(&seen, last) {
        ReplayStep::Act { action, .. } => {
            let Act::Tap { target, .. } = &action.act else {
                panic!("{action:?}")
            };
            let number = target.as_ref().and_then(|target| target.element);
            let touched = screen.elements.iter().find(|e| Some(e.index) == number);
            touched.unwrap().label.clone()
        }
        other => format!("{other:?}"),
    }
}

/// What is on already is not tapped: that would switch it off.
#[test]
fn what_is_switched_already_is_left_as_it_is() {
    let check = |gift: &str, news: &str, expected: &[&str]| {
        let mut replay = Replay::new(switched(), values(&[]), 0);
        let mut last = LastActResult::Nothing;
        let screen = switches(gift, news);
        for words in expected {
            assert_eq!(tapped(&mut replay, &screen, last), *words, "{gift} {news}");
            last = LastActResult::Done;
        }
    };
    check("", "checked", &["Gift wrap", "Newsletter"]);
    check("checked", "checked", &["Newsletter"]);
    check("", "", &["Gift wrap", "Finished"]);
    check("checked", "", &["Finished"]);
}

/// The AI closed what lay over the page: that was no step, and none is left out for it. It does the rest.
#[test]
fn what_the_ai_closed_is_not_taken_for_the_step() {
    let over = shop(
        "FrameLayout [100,900][980,1500]\n  TextView [150,950][900,1050] #survey \"How old are you?\"\n  Button [600,1350][900,1450] #later \"Another day\" click\n",
    );
    let (page, done) = (switches("", "checked"), switches("checked", "checked"));
    let check = |then: &Screen, expected: &str| {
        let mut replay = Replay::new(switched(), values(&[]), 0);
        let back = "Heal(Heal { by: WentBack";
        assert!(tapped(&mut replay, &over, LastActResult::Nothing).starts_with(back));
        let why = "AskAi { why: Healing(OtherPage) }";
        assert_eq!(tapped(&mut replay, &over, LastActResult::Done), why);
        assert_eq!(tapped(&mut replay, then, LastActResult::Done), expected);
    };
    check(&page, "HandOver { why: OtherOutcome }");
    // Nothing tells whether that was the AI.
    check(&done, "HandOver { why: OtherOutcome }");
}

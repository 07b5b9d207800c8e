//! A model's target becomes a pixel, or a refusal that says why.

use crate::common::{CHECKOUT, bounds, screen};
use proptest::prelude::*;
use protocol::{LocatorStrategy, Place, Screen, Target};
use screen::{
    Hit, TargetError, Tracker, element_at, place, resolve, resolve_aim, resolve_point, resolve_shown,
};

fn by_text(text: &str) -> Target {
    Target {
        text: Some(text.into()),
        ..Target::default()
    }
}

fn by_number(number: u32) -> Target {
    Target {
        element: Some(number),
        ..Target::default()
    }
}

fn by_box(region: [f64; 4]) -> Target {
    Target {
        region: Some(region),
        ..Target::default()
    }
}

/// `x,y element rule`, or the refusal in its own words.
fn check(target: &Target, on: &Screen, expected: &str) {
    assert_eq!(said(resolve(target, on)), expected, "{target:?}");
}

fn said(result: Result<Hit, TargetError>) -> String {
    match result {
        Ok(hit) => format!("{},{} {:?} {}", hit.x, hit.y, hit.element, hit.found_by),
        Err(miss) => miss.to_string(),
    }
}

#[test]
fn the_order_is_track_id_element_text_box() {
    let on = screen(CHECKOUT);
    let track = |n: usize| Some(on.elements[n - 1].track_id.clone());
    let all = Target {
        track_id: track(12),
        element: Some(1),
        text: Some("Total".into()),
        region: Some([0.0, 0.0, 10.0, 10.0]),
        role: Some("button".into()),
        label: Some("Back".into()),
    };
    check(&all, &on, "540,2220 Some(12) track_id");
    // What is not found hands over.
    let gone = Target {
        track_id: Some("nowhere".into()),
        ..all.clone()
    };
    check(&gone, &on, "75,195 Some(1) element");
    let no_number = Target {
        element: Some(99),
        ..gone
    };
    check(&no_number, &on, "230,1530 Some(7) text_exact");
    let no_text = Target {
        text: Some("Nothing like it".into()),
        ..no_number
    };
    check(&no_text, &on, "5,12 None box");
    let nothing_left = Target {
        region: None,
        ..no_text
    };
    // The first refusal is the one that is told.
    check(
        &nothing_left,
        &on,
        "no element with track id nowhere on this screen",
    );
    check(&Target::default(), &on, "the target names nothing to find");
    let claims = Target {
        role: Some("button".into()),
        label: Some("Pay $23.40".into()),
        ..Target::default()
    };
    check(&claims, &on, "the target names nothing to find");
}

/// What an app says of a thing for those who do not see it finds it like its label; where that is the label, it is told
/// once.
#[test]
fn a_description_is_looked_through_as_well() {
    let on = screen(
        "Button [0,0][1080,200] \"Pay\" desc=\"Confirm payment of $23.40\" click\n\
         ImageButton [0,200][1080,400] desc=\"Back\" click\n\
         TextView [0,400][1080,600] \"Confirm\" desc=\"Confirm\"",
    );
    let said: Vec<_> = on.elements.iter().map(|e| e.description.as_deref()).collect();
    assert_eq!(said, [Some("Confirm payment of $23.40"), None, None]);
    check(
        &by_text("Confirm payment of $23.40"),
        &on,
        "540,100 Some(1) text_exact",
    );
    check(&by_text("payment"), &on, "540,100 Some(1) text_contains");
    check(&by_text("Back"), &on, "540,300 Some(2) text_exact");
    // A label that says it exactly comes before a description that holds it.
    check(&by_text("Confirm"), &on, "540,500 Some(3) text_exact");
}

#[test]
fn text_exact_then_any_case_then_contained() {
    let on = screen(CHECKOUT);
    check(&by_text("Pay $23.40"), &on, "540,2220 Some(12) text_exact");
    check(
        &by_text("  pay   $23.40 "),
        &on,
        "540,2220 Some(12) text_any_case",
    );
    check(
        &by_text("Visa •••• 4821 Expires 08/27"),
        &on,
        "540,1320 Some(6) text_any_case",
    );
    check(&by_text("free-range"), &on, "540,570 Some(5) text_contains");
    check(
        &by_text("Note for the courier"),
        &on,
        "540,1805 Some(11) text_exact",
    );
    check(&by_text(""), &on, "the target names nothing to find");
    check(&by_text("Sell"), &on, "no element says \"Sell\"");
    // `$23.40` stands on a text and in a button: exact comes first.
    check(&by_text("$23.40"), &on, "940,1530 Some(8) text_exact");
    check(&by_text("23.40"), &on, "540,2220 Some(12) text_contains");
    // What a field holds finds it, too.
    let filled = screen(&CHECKOUT.replace("#note hint", "#note \"Ring twice\" hint"));
    check(&by_text("ring TWICE"), &filled, "540,1805 Some(11) text_any_case");
}

#[test]
fn several_that_fit_are_refused_unless_one_is_meant() {
    let drawing = r#"
FrameLayout [0,0][1080,2400]
  TextView [0,100][500,200] "Delete"
  Button [0,300][500,400] "Delete" click
  Button [600,300][1000,400] "Keep" click
  Button [0,500][500,600] "Edit" click
  Button [0,700][500,800] "Edit" click
  android.view.View [0,900][1000,1300] desc="Card" click
    android.view.View [100,1000][500,1200] desc="Card" click
"#;
    let on = screen(drawing);
    // One takes taps, the other is a title.
    check(&by_text("Delete"), &on, "250,350 Some(2) text_exact");
    check(
        &by_text("Edit"),
        &on,
        "2 elements fit equally well: 4 (button, top left), 5 (button, top left); name one by its number",
    );
    check(
        &by_text("e"),
        &on,
        "4 elements fit equally well: 2 (button, top left), 3 (button, top right), 4 (button, top left), 5 (button, top left); name one by its number",
    );
    // One inside the other: the inner.
    check(&by_text("Card"), &on, "300,1100 Some(7) text_exact");
    // The box says which.
    let edit = |region| Target {
        text: Some("Edit".into()),
        region: Some(region),
        ..Target::default()
    };
    check(
        &edit([0.0, 290.0, 460.0, 335.0]),
        &on,
        "250,750 Some(5) text_exact",
    );
    check(
        &edit([900.0, 900.0, 999.0, 999.0]),
        &on,
        "2 elements fit equally well: 4 (button, top left), 5 (button, top left); name one by its number",
    );
}

#[test]
fn the_finger_lands_where_nothing_else_takes_the_tap() {
    let drawing = r#"
FrameLayout [0,0][1080,2400]
  android.view.View [0,0][1000,200] desc="Row" click
    Button [400,50][600,150] desc="Remove" click
  Button [0,300][200,400] "Alone" click
"#;
    let on = screen(drawing);
    let hit = resolve(&by_number(1), &on).unwrap();
    assert_eq!(element_at(&on.elements, hit.x, hit.y).unwrap().label, "Row");
    assert_eq!(hit.bounds, bounds(0, 0, 1000, 200));
    check(&by_number(2), &on, "500,100 Some(2) element");
    // And a point goes where it says.
    assert_eq!(said(resolve_point(500.0, 100.0, &on)), "500,100 Some(2) point");
    assert_eq!(said(resolve_point(100.0, 100.0, &on)), "100,100 Some(1) point");
    assert_eq!(said(resolve_point(900.0, 2000.0, &on)), "900,2000 None point");
}

#[test]
fn boxes_are_thousandths_and_their_centre_is_rounded_half_up() {
    let on = screen("");
    check(&by_box([0.0, 0.0, 1000.0, 1000.0]), &on, "540,1200 None box");
    // 0.5 of a pixel goes up: 1080 × 12.5 / 1000 = 13.5.
    check(&by_box([12.0, 0.0, 13.0, 0.0]), &on, "14,0 None box");
    check(&by_box([500.0, 500.0, 500.0, 500.0]), &on, "540,1200 None box");
    check(
        &by_box([1000.0, 1000.0, 1000.0, 1000.0]),
        &on,
        "1079,2399 None box",
    );
    check(&by_box([999.0, 999.0, 1000.0, 1000.0]), &on, "1079,2399 None box");
    // Corners in the other order have the same centre.
    check(&by_box([600.0, 700.0, 400.0, 300.0]), &on, "540,1200 None box");
    let refusal = "a box is four numbers from 0 to 1000, in thousandths of the screen";
    for odd in [-0.1, 1000.5, 1200.0, f64::NAN, f64::INFINITY] {
        check(&by_box([odd, 0.0, 10.0, 10.0]), &on, refusal);
        check(&by_box([0.0, 0.0, 10.0, odd]), &on, refusal);
    }
}

#[test]
fn points_lie_on_the_screen_or_are_refused() {
    let on = screen("");
    for (x, y, expected) in [
        (0.0, 0.0, "0,0 None point"),
        (0.5, 1.49, "1,1 None point"),
        (-0.5, -0.4, "0,0 None point"),
        (1079.4, 2399.0, "1079,2399 None point"),
        // The far edge is the last pixel, for models that count to the end.
        (1079.5, 2399.9, "1079,2399 None point"),
        (1080.0, 2400.0, "1079,2399 None point"),
        (
            1080.5,
            100.0,
            "the point 1081, 100 is not on the screen of 1080 × 2400",
        ),
        (
            -0.6,
            100.0,
            "the point -1, 100 is not on the screen of 1080 × 2400",
        ),
        (
            100.0,
            1e300,
            "the point 100, 9223372036854775807 is not on the screen of 1080 × 2400",
        ),
        (f64::NAN, 1.0, "a coordinate is not a number"),
        (1.0, f64::NEG_INFINITY, "a coordinate is not a number"),
    ] {
        assert_eq!(said(resolve_point(x, y, &on)), expected, "{x}, {y}");
    }
    let nowhere = Screen {
        width: 0,
        height: 0,
        ..on
    };
    assert!(resolve_point(0.0, 0.0, &nowhere).is_err());
}

#[test]
fn a_number_means_what_it_meant_when_it_was_shown() {
    let shown = screen(CHECKOUT);
    // A line was added: every number after it is another.
    let grown = CHECKOUT.replace(
        "  TextView [60,1500]",
        "  TextView [60,1430][400,1490] \"Delivery\"\n  TextView [60,1500]",
    );
    let now = screen(&grown);
    let pay = |shown: &Screen, now: &Screen| said(resolve_shown(&by_number(12), shown, now));
    assert_eq!(pay(&shown, &now), "540,2220 Some(13) element");
    // Another amount on it: not what the model meant.
    let dearer = screen(&CHECKOUT.replace("Pay $23.40", "Pay $93.40"));
    assert_eq!(
        pay(&shown, &dearer),
        "element 12 is not what it was: the screen changed; look again"
    );
    let gone = screen(&CHECKOUT.replace("Pay $23.40", "Thank you"));
    assert_eq!(
        pay(&shown, &gone),
        "element 12 is not what it was: the screen changed; look again"
    );
    // A stale number is not papered over by another way of finding.
    let with_box = Target {
        region: Some([0.0, 0.0, 10.0, 10.0]),
        ..by_number(12)
    };
    assert_eq!(
        resolve_shown(&with_box, &shown, &gone),
        Err(TargetError::Stale { number: 12 })
    );
    assert_eq!(
        said(resolve_shown(&by_number(13), &shown, &now)),
        "there is no element 13: this screen has 12"
    );
}

/// Three buttons that nothing tells apart, the first `dy` from the top.
fn twins(count: i32, dy: i32) -> String {
    let mut drawing = String::from("FrameLayout [0,0][1080,2400]\n  TextView [0,0][900,90] \"Drafts\"\n");
    for n in 0..count {
        let top = dy + n * 200;
        drawing.push_str(&format!(
            "  Button [700,{top}][1000,{}] \"Delete\" click\n",
            top + 100
        ));
    }
    drawing
}

#[test]
fn one_of_several_that_are_alike_is_not_guessed_by_its_order() {
    let shown = screen(&twins(2, 400));
    // One more came in at the top: the first of them is now the second.
    let now = screen(&twins(3, 300));
    let first = &shown.elements[1];
    let by_id = Target {
        track_id: Some(first.track_id.clone()),
        ..Target::default()
    };
    for target in [by_number(2), by_id.clone()] {
        assert_eq!(
            said(resolve_shown(&target, &shown, &now)),
            "element 2 is not what it was: the screen changed; look again"
        );
        // The same ones in the same places are the same.
        let same = screen(&twins(2, 400));
        assert_eq!(resolve_shown(&target, &shown, &same).unwrap().y, 450);
    }
    // Ids that a tracker gave follow the thing wherever it goes.
    let mut tracker = Tracker::new();
    let (mut before, mut after) = (shown, screen(&twins(2, 460)));
    tracker.follow(&mut before.elements, 1080, 2400);
    tracker.follow(&mut after.elements, 1080, 2400);
    assert_eq!(
        said(resolve_shown(&by_number(2), &before, &after)),
        "850,510 Some(2) element"
    );
    let tracked = Target {
        track_id: Some(before.elements[2].track_id.clone()),
        ..Target::default()
    };
    assert_eq!(
        said(resolve_shown(&tracked, &before, &after)),
        "850,710 Some(3) track_id"
    );
}

#[test]
fn a_track_id_means_what_it_meant_when_it_was_shown() {
    let button = |words: &str| screen(&format!("Button [0,100][500,200] #go \"{words}\" click"));
    let check = |before: &str, after: &str, expected: &str| {
        let (mut shown, mut now) = (button(before), button(after));
        // As a tracker says of a button that keeps its id and its place.
        for screen in [&mut shown, &mut now] {
            screen.elements[0].track_id = "gogogogo".into();
        }
        let target = Target {
            track_id: Some("gogogogo".into()),
            region: Some([0.0, 0.0, 10.0, 10.0]),
            ..Target::default()
        };
        assert_eq!(
            said(resolve_shown(&target, &shown, &now)),
            expected,
            "{before} → {after}"
        );
    };
    let stale = "element 1 is not what it was: the screen changed; look again";
    check("Go to checkout", "Go to checkout", "250,150 Some(1) track_id");
    check("Resend in 29 s", "Resend in 28 s", "250,150 Some(1) track_id");
    check("Go to checkout", "Buy now", stale);
    check("Pay $23.40", "Pay $93.40", stale);
}

#[test]
fn a_point_is_the_last_to_be_tried() {
    let on = screen(CHECKOUT);
    let aim = |target: Option<&Target>, point| said(resolve_aim(target, point, &on, &on));
    let point = Some((100.0, 100.0));
    assert_eq!(aim(Some(&by_number(12)), point), "540,2220 Some(12) element");
    assert_eq!(aim(Some(&by_number(99)), point), "100,100 None point");
    assert_eq!(aim(Some(&Target::default()), point), "100,100 None point");
    assert_eq!(aim(None, point), "100,100 None point");
    assert_eq!(
        aim(Some(&by_number(99)), None),
        "there is no element 99: this screen has 12"
    );
    assert_eq!(aim(None, None), "the target names nothing to find");
    // Found more than once is not the same as not found.
    let two = Target {
        text: Some("e".into()),
        ..Target::default()
    };
    assert!(matches!(
        resolve_aim(Some(&two), point, &on, &on),
        Err(TargetError::Ambiguous { .. })
    ));
    let odd = by_box([0.0, 0.0, 2000.0, 10.0]);
    assert_eq!(
        resolve_aim(Some(&odd), point, &on, &on),
        Err(TargetError::NotThousandths)
    );
}

#[test]
fn elements_of_an_unread_screen_are_not_guessed() {
    let unread = Screen {
        tree_read: false,
        tree_bounds: None,
        ..screen("")
    };
    check(
        &by_number(1),
        &unread,
        "this screen's elements could not be read; point by coordinates",
    );
    let with_box = Target {
        region: Some([0.0, 0.0, 500.0, 500.0]),
        ..by_text("Pay")
    };
    check(&with_box, &unread, "270,600 None box");
    assert_eq!(
        resolve_point(10.0, 10.0, &unread).unwrap().found_by,
        LocatorStrategy::Point
    );
}

#[test]
fn places_are_thirds() {
    let all = [
        Place::TopLeft,
        Place::Top,
        Place::TopRight,
        Place::Left,
        Place::Middle,
        Place::Right,
        Place::BottomLeft,
        Place::Bottom,
        Place::BottomRight,
    ];
    for (n, expected) in (0..9).zip(all) {
        assert_eq!(place(180 + n % 3 * 360, 400 + n / 3 * 800, 1080, 2400), expected);
    }
    assert_eq!(place(0, 0, 1080, 2400), Place::TopLeft);
    assert_eq!(place(1079, 2399, 1080, 2400), Place::BottomRight);
    assert_eq!(place(-5, 9999, 0, 0), Place::BottomLeft);
}

proptest! {
    #[test]
    fn every_element_is_hit_inside_itself(
        boxes in prop::collection::vec((0..1000_i32, 0..2300_i32, 1..600_i32, 1..900_i32, any::<bool>()), 1..40),
    ) {
        let mut drawing = String::from("FrameLayout [0,0][1080,2400]\n");
        for (n, (left, top, wide, high, click)) in boxes.iter().enumerate() {
            let flag = if *click { "click" } else { "" };
            drawing.push_str(&format!("  Button [{left},{top}][{},{}] \"n{n}\" {flag}\n", left + wide, top + high));
        }
        let on = screen(&drawing);
        for e in &on.elements {
            let b = e.bounds;
            for target in [by_number(e.index), by_text(&e.label), Target { track_id: Some(e.track_id.clone()), ..Target::default() }] {
                let hit = resolve(&target, &on).unwrap();
                prop_assert_eq!(hit.element, Some(e.index));
                prop_assert!(b.left <= hit.x && hit.x < b.right && b.top <= hit.y && hit.y < b.bottom);
            }
        }
    }

    #[test]
    fn any_target_is_a_pixel_of_the_screen_or_a_refusal(
        numbers in prop::array::uniform4(prop::num::f64::ANY), number in any::<u32>(), text in ".{0,5}",
        x in -3000.0..5000.0_f64, y in prop::num::f64::ANY,
    ) {
        let on = screen(CHECKOUT);
        let target = Target { element: Some(number), text: Some(text), region: Some(numbers), ..Target::default() };
        for hit in [resolve(&target, &on), resolve_point(x, y, &on), resolve_point(y, x, &on)].into_iter().flatten() {
            prop_assert!((0..1080).contains(&hit.x) && (0..2400).contains(&hit.y));
        }
    }
}

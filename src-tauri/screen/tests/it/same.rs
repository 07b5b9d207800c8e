//! Does a Yes still stand?

use crate::common;
use crate::common::{CHECKOUT, HEIGHT, WIDTH, bounds, paint, screen};
use crate::long;
use proptest::prelude::*;
use protocol::{Bounds, CaptureResult, Element, Frame, Role, Screen};
use screen::picture::{fill, scale_to};
use screen::{Change, Tree, changed, same_place};
use std::sync::LazyLock;

const PAY: Bounds = Bounds {
    left: 40,
    top: 2150,
    right: 1040,
    bottom: 2290,
};

/// The checkout with a picture.
fn checkout() -> Screen {
    with_picture(screen(CHECKOUT))
}

fn with_picture(mut on: Screen) -> Screen {
    static PICTURE: LazyLock<Frame> = LazyLock::new(picture);
    on.frame = Some(PICTURE.clone());
    on
}

/// A green button with white strokes on a plain page.
fn picture() -> Frame {
    paint(WIDTH, HEIGHT, |x, y| {
        let pay = (40..1040).contains(&x) && (2150..2290).contains(&y);
        let words = (400..680).contains(&x) && (2190..2250).contains(&y) && (x / 6) % 3 == 0;
        match (pay, words) {
            (true, true) => [255, 255, 255],
            (true, false) => [28, 107, 63],
            _ => [252, 251, 249],
        }
    })
}

fn pay(on: &Screen) -> &Element {
    on.elements
        .iter()
        .find(|e| e.resource_id.ends_with("/pay"))
        .unwrap()
}

/// What a change of the drawing is taken for, when the Yes was for the Pay button.
#[track_caller]
fn check(from: &str, to: &str, expected: Option<Change>) {
    assert!(CHECKOUT.contains(from), "{from}");
    let before = checkout();
    let after = with_picture(screen(&CHECKOUT.replacen(from, to, 1)));
    assert_eq!(
        changed(&before, &after, Some(pay(&before))),
        expected,
        "{from} → {to}"
    );
}

#[test]
fn one_cent_or_one_letter_voids_a_yes() {
    check("\"$23.40\"", "\"$23.41\"", Some(Change::Amount));
    check("\"$5.80\"", "\"$5.8\"", Some(Change::Amount));
    check("\"$5.80\"", "\"€5.80\"", Some(Change::Amount));
    check("\"$4.65\"", "\"\"", Some(Change::Amount));
    check("Expires 08/27", "Expires 08/27, fee $1.00", Some(Change::Amount));
    check("•••• 4821", "•••• 4822", Some(Change::Account));
    check("•••• 4821", "ending in 4821", Some(Change::Account));
    check(
        "Greenleaf Groceries",
        "Greenleaf Grocerles",
        Some(Change::Recipient),
    );
    check("#note hint", "#note \"Ring twice\" hint", Some(Change::Field));
    check("\"Checkout\"", "\"Checkout 2\"", Some(Change::Recipient));
}

#[test]
fn the_target_must_be_what_it_was() {
    check("\"Pay $23.40\"", "\"Pay $23.41\"", Some(Change::TargetLabel));
    check("\"Pay $23.40\"", "\"pay $23.40\"", Some(Change::TargetGone));
    check(
        "  Button [40,2150][1040,2290] #pay \"Pay $23.40\" click",
        "",
        Some(Change::TargetGone),
    );
    // 2 % of 2,400 are 48 pixels, of 1,080 are 21.
    check(
        "[40,2150][1040,2290]",
        "[40,2102][1040,2242]",
        Some(Change::TargetPicture),
    );
    check(
        "[40,2150][1040,2290]",
        "[40,2101][1040,2241]",
        Some(Change::TargetMoved),
    );
    check(
        "[40,2150][1040,2290]",
        "[40,2150][1040,2339]",
        Some(Change::TargetMoved),
    );
    check(
        "[40,2150][1040,2290]",
        "[62,2150][1040,2290]",
        Some(Change::TargetMoved),
    );
    // The same track id with another class cannot be; another role under it can, where a list says so.
    let before = checkout();
    let mut after = before.clone();
    after.elements.last_mut().unwrap().role = Role::Link;
    assert_eq!(
        changed(&before, &after, Some(pay(&before))),
        Some(Change::TargetRole)
    );
}

#[test]
fn a_few_pixels_of_movement_are_no_change_when_the_picture_moved_along() {
    let before = checkout();
    let mut after = screen(&CHECKOUT.replace("[40,2150][1040,2290]", "[40,2140][1040,2280]"));
    let old = before.frame.clone().unwrap();
    let row = usize::try_from(WIDTH).unwrap() * 4;
    after.frame = Some(Frame {
        rgba: [&old.rgba[10 * row..], &old.rgba[..10 * row]].concat().into(),
        ..old
    });
    assert_eq!(changed(&before, &after, Some(pay(&before))), None);
}

#[test]
fn switches_and_checks_are_part_of_the_target() {
    let drawing = "Switch [0,0][1080,200] \"Roaming\" check click";
    let before = screen(drawing);
    let after = screen(&format!("{drawing} checked"));
    assert_eq!(
        changed(&before, &after, Some(&before.elements[0])),
        Some(Change::TargetValue)
    );
    let drawing = "CheckBox [0,0][1080,200] \"I agree\" check click";
    let before = screen(drawing);
    let after = screen(&format!("{drawing} checked"));
    assert_eq!(
        changed(&before, &after, Some(&before.elements[0])),
        Some(Change::TargetValue)
    );
}

#[test]
fn another_app_window_size_or_capture() {
    let before = checkout();
    let target = pay(&before);
    let with = |change: &dyn Fn(&mut Screen)| {
        let mut after = before.clone();
        change(&mut after);
        changed(&before, &after, Some(target))
    };
    assert_eq!(
        with(&|s| s.current_app = "com.northbank".into()),
        Some(Change::App)
    );
    assert_eq!(
        with(&|s| s.window = Some("com.greenleaf.shop/.Other".into())),
        Some(Change::Window)
    );
    assert_eq!(with(&|s| s.window = None), Some(Change::Window));
    assert_eq!(
        with(&|s| (s.width, s.height) = (HEIGHT, WIDTH)),
        Some(Change::Size)
    );
    assert_eq!(
        with(&|s| s.capture = CaptureResult::Protected),
        Some(Change::Capture)
    );
    assert_eq!(with(&|s| s.frame = None), Some(Change::Capture));
    assert_eq!(with(&|s| s.tree_read = false), Some(Change::Tree));
    // Time passes, a keyboard comes up, the cap is told: nothing of it voids.
    assert_eq!(
        with(&|s| {
            s.captured_at += 60_000;
            s.keyboard_shown = true;
            s.totals.total_elements += 1;
        }),
        None
    );
}

/// A stream's picture may be smaller than the screen: the target is cut out of it where it really lies.
#[test]
fn a_picture_half_the_size_of_the_screen() {
    let mut before = screen(CHECKOUT);
    before.frame = Some(scale_to(&picture(), WIDTH / 2, HEIGHT / 2).unwrap());
    let with = |spot: Bounds| {
        let mut after = before.clone();
        fill(after.frame.as_mut().unwrap(), spot, [200, 30, 45]);
        changed(&before, &after, Some(pay(&before)))
    };
    let spot = |left, top, right, bottom| Bounds {
        left,
        top,
        right,
        bottom,
    };
    assert_eq!(with(spot(250, 1100, 300, 1120)), Some(Change::TargetPicture));
    assert_eq!(with(spot(20, 300, 500, 900)), None, "beside it");
    assert_eq!(with(spot(0, 0, 540, 50)), None, "the status bar");
}

#[test]
fn pictures_count_on_the_target_only() {
    let before = checkout();
    let with = |spot: Bounds| {
        let mut after = before.clone();
        fill(after.frame.as_mut().unwrap(), spot, [200, 30, 45]);
        changed(&before, &after, Some(pay(&before)))
    };
    assert_eq!(with(bounds(500, 2200, 516, 2216)), Some(Change::TargetPicture));
    assert_eq!(
        with(bounds(PAY.left, PAY.top, PAY.right, PAY.bottom)),
        Some(Change::TargetPicture)
    );
    // A blinking text cursor.
    assert_eq!(with(bounds(500, 2180, 505, 2250)), None);
    // An animation elsewhere, the clock.
    assert_eq!(with(bounds(0, 0, 1080, 2100)), None);
}

#[test]
fn words_and_movement_elsewhere_do_not_count() {
    check("2 × ½ gal", "In stock", None);
    check("desc=\"Back\"", "desc=\"Up\"", None);
    check(
        "TextView [60,1600]",
        "TextView [60,1420][400,1480] \"Deal of the day\"\n  TextView [60,1600]",
        None,
    );
    check("[860,340][1040,400]", "[860,350][1040,410]", None);
    // The system's own bar, where a dump has it.
    check(
        "TextView [60,1600]",
        "TextView [900,10][1060,60] \"10:42 $1\" package=com.android.systemui\n  TextView [60,1600]",
        None,
    );
    // Without a target the facts of the screen still count.
    let (before, after) = (
        checkout(),
        with_picture(screen(&CHECKOUT.replace("$4.65", "$4.66"))),
    );
    assert_eq!(changed(&before, &after, None), Some(Change::Amount));
}

#[test]
fn an_amount_whose_sign_stands_apart_counts() {
    let drawing = "FrameLayout [0,0][1080,2400]\n  TextView [0,900][90,990] \"$\"\n  TextView [90,900][400,990] \"23.40\"";
    let before = screen(drawing);
    assert_eq!(
        changed(&before, &screen(&drawing.replace("23.40", "93.40")), None),
        Some(Change::Amount)
    );
    assert_eq!(
        changed(&before, &screen(&drawing.replace("23.40", "1,023")), None),
        Some(Change::Amount)
    );
}

#[test]
fn a_screen_without_elements_is_compared_whole() {
    let unread = |mut on: Screen| {
        on.elements.clear();
        on.tree_read = false;
        on
    };
    let before = unread(checkout());
    let with = |spot: Bounds| {
        let mut after = before.clone();
        fill(after.frame.as_mut().unwrap(), spot, [200, 30, 45]);
        changed(&before, &after, None)
    };
    assert_eq!(changed(&before, &before.clone(), None), None);
    assert_eq!(with(bounds(900, 1200, 920, 1230)), Some(Change::Picture));
    assert_eq!(with(bounds(20, 10, 300, 90)), None, "the clock");
    assert_eq!(with(bounds(300, 1200, 305, 1260)), None, "a text cursor");
    // Nothing to go by: another look is another screen.
    let blind = Screen {
        frame: None,
        capture: CaptureResult::Failed,
        ..before.clone()
    };
    let later = Screen {
        captured_at: 1,
        ..blind.clone()
    };
    assert_eq!(changed(&blind, &later, None), Some(Change::Picture));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(64)))]

    #[test]
    fn a_screen_has_not_changed_from_itself(
        rows in prop::collection::vec(("[A-Za-z$€0-9•.,: @]{0,20}", 0..2000_i32, 0..8_u8), 0..30), target in 0..30_usize,
    ) {
        let mut drawing = String::from("FrameLayout [0,0][1080,2400]\n");
        for (text, top, kind) in &rows {
            let class = ["TextView", "Button", "EditText", "Switch"][usize::from(kind % 4)];
            let flags = if *kind > 3 { "click check" } else { "" };
            drawing.push_str(&format!("  {class} [0,{top}][900,{}] \"{text}\" {flags}\n", top + 80));
        }
        let mut on = screen(&drawing);
        on.frame = Some(paint(108, 240, |x, y| [u8::try_from(x).unwrap(), u8::try_from(y).unwrap(), 9]));
        let target = on.elements.get(target);
        prop_assert_eq!(changed(&on, &on, target), None);
        prop_assert_eq!(changed(&on, &on.clone(), target), None);
        prop_assert!(same_place(&on, &on.clone()));
    }

    #[test]
    fn any_other_amount_anywhere_is_a_change(cents in 0..1_000_000_u32, other in 0..1_000_000_u32, at in 0..2000_i32) {
        let with = |cents: u32| {
            let text = format!("Fee ${}.{:02}", cents / 100, cents % 100);
            screen(&format!("{}  TextView [0,{at}][900,{}] \"{text}\"\n", CHECKOUT, at + 60))
        };
        let (before, after) = (with(cents), with(other));
        prop_assert_eq!(changed(&before, &after, Some(pay(&before))).is_some(), cents != other);
    }
}

#[test]
fn a_real_screen_has_not_changed_from_itself() {
    let xml = include_str!("../data/ui_01_bilibili.txt");
    let tree = Tree::read(xml, 1440, 3060, 1000).unwrap();
    let mut on = common::screen_of(tree);
    (on.width, on.height) = (1440, 3060);
    for element in &on.elements {
        assert_eq!(changed(&on, &on.clone(), Some(element)), None);
    }
    assert!(same_place(&on, &on.clone()));
}

//! The thing a step touched, on pages that are not what they were.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;
#[path = "../../../tests/shared/long.rs"]
mod long;

use common::{drawing, element, page, shop, values};
use proptest::prelude::*;
use protocol::{Element, Frame, ReplayedBy, Screen};
use replay::{AverageHash, FindResult, RecordedTarget, Variables, find};
use std::collections::BTreeSet;

/// A basket: two rows that are alike, a switch that is named by what stands beside it, a button, icons without a word.
const BASKET: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [150,150][700,230] #title "Basket"
  androidx.recyclerview.widget.RecyclerView [0,300][1080,1200] #lines scroll
    LinearLayout [0,300][1080,480] #row click
      TextView [200,320][700,380] #name "Whole milk"
      TextView [860,340][1040,400] #price "$5.80"
      ImageButton [720,400][800,470] #more desc="Add one" click
    LinearLayout [0,480][1080,660] #row click
      TextView [200,500][700,560] #name "Bananas"
      TextView [860,520][1040,580] #price "$1.20"
      ImageButton [720,580][800,650] #more desc="Add one" click
  TextView [60,1300][400,1360] "Gift wrap"
  Switch [860,1300][1020,1360] check click
  TextView [60,1700][400,1760] "Coupon"
  ImageButton [860,1700][960,1760] click
  ImageButton [200,1500][300,1600] #icon click
  ImageButton [400,1500][500,1600] #icon click
  LinearLayout [0,2000][1080,2400] #footer click
    TextView [60,2010][400,2060] "8 items"
    Button [40,2150][1040,2290] #pay "Pay $23.40" click
"#;

fn said(found: &FindResult<'_>) -> String {
    match found {
        FindResult::None => "none".to_owned(),
        FindResult::Several => "several".to_owned(),
        FindResult::One { element, by } => {
            let b = element.bounds;
            let id = element.resource_id.rsplit('/').next().unwrap_or_default();
            format!("{by:?} #{id} {:?} at {},{}", element.label, b.left, b.top)
        }
    }
}

/// What was touched on the recorded page, a change of that page, and what is found on it.
fn check(touched: impl Fn(&Screen) -> &Element, change: impl Fn(&str) -> String, expected: &str) {
    let before = shop(BASKET);
    let variables = values(&[]);
    let target = RecordedTarget::of(touched(&before), &before.elements, None, &variables).unwrap();
    let now = shop(&change(BASKET));
    let found = find(&target, &now, &variables);
    assert_eq!(said(&found), expected, "{}", drawing::lines(&now.elements));
}

fn pay(screen: &Screen) -> &Element {
    element(screen, "pay")
}

fn row(screen: &Screen) -> &Element {
    element(screen, "row")
}

/// "Add one" of the second row.
fn add(screen: &Screen) -> &Element {
    let all = screen.elements.iter();
    all.filter(|element| element.resource_id.ends_with("/more"))
        .nth(1)
        .unwrap()
}

fn coupon(screen: &Screen) -> &Element {
    let mut all = screen.elements.iter();
    all.find(|element| element.bounds.left == 860 && element.bounds.top == 1700)
        .unwrap()
}

fn gift(screen: &Screen) -> &Element {
    let all = screen.elements.iter();
    let mut switches = all.filter(|element| element.role == protocol::Role::Switch);
    switches.next().unwrap()
}

const PAY: &str = "    Button [40,2150][1040,2290] #pay \"Pay $23.40\" click\n";

#[test]
fn a_button_is_found_by_what_is_left_of_it() {
    check(pay, str::to_owned, "IdAndText #pay \"Pay $23.40\" at 40,2150");
    let moved = |page: &str| page.replace("[40,2150][1040,2290]", "[540,2070][1040,2140]");
    check(pay, moved, "IdAndText #pay \"Pay $23.40\" at 540,2070");
    let priced = |page: &str| page.replace("$23.40", "$25.10");
    check(pay, priced, "IdAndText #pay \"Pay $25.10\" at 40,2150");
    let foreign = |page: &str| page.replace("Pay $23.40", "Jetzt zahlen");
    check(pay, foreign, "Id #pay \"Jetzt zahlen\" at 40,2150");
    let renamed = |page: &str| page.replace("#pay", "#pay_button");
    check(
        pay,
        renamed,
        "TextUnderAncestor #pay_button \"Pay $23.40\" at 40,2150",
    );
    let unnamed = |page: &str| renamed(page).replace("Pay $23.40", "Jetzt zahlen");
    check(pay, unnamed, "none");
    check(pay, |page| page.replace(PAY, ""), "none");
    let grey = |page: &str| page.replace("\"Pay $23.40\" click", "\"Pay $23.40\" click disabled");
    check(pay, grey, "none");
}

#[test]
fn of_two_that_fit_none_is_touched() {
    let twin = |page: &str| format!("{page}{}", PAY.replace("2150", "2090").replace("2290", "2149"));
    check(pay, twin, "several");
    // Letter for letter the same is the one; the other is of another price.
    let other = |page: &str| twin(page).replacen("23.40", "9.90", 1);
    check(pay, other, "IdAndText #pay \"Pay $23.40\" at 40,2090");
    // Neither the id nor the words are its own alone.
    let renamed = |page: &str| twin(page).replace("#pay", "#go");
    check(pay, renamed, "several");
}

#[test]
fn an_entry_of_a_list_is_its_own_words() {
    check(
        row,
        str::to_owned,
        "IdAndText #row \"Whole milk, $5.80\" at 0,300",
    );
    let sorted = |page: &str| {
        page.replace("Whole milk", "?")
            .replace("Bananas", "Whole milk")
            .replace('?', "Bananas")
    };
    check(row, sorted, "IdAndText #row \"Whole milk, $1.20\" at 0,480");
    check(row, |page| page.replace("Whole milk", "Oat milk"), "none");
    check(row, |page| page.replace("Bananas", "Whole milk"), "several");
    // The only one of its kind is not the one that was meant.
    let alone = |page: &str| {
        page.replace("Whole milk", "Oat milk")
            .replacen("#row", "#other", 1)
    };
    check(row, alone, "none");
}

#[test]
fn what_lies_in_an_entry_is_found_in_that_entry() {
    check(add, str::to_owned, "IdAndText #more \"Add one\" at 720,580");
    let sorted = |page: &str| {
        page.replace("Whole milk", "?")
            .replace("Bananas", "Whole milk")
            .replace('?', "Bananas")
    };
    check(add, sorted, "IdAndText #more \"Add one\" at 720,400");
    check(add, |page| page.replace("Bananas", "Carrots"), "none");
    // Another wording in the same entry.
    let reworded = |page: &str| page.replace("Add one", "More");
    check(add, reworded, "none");
}

#[test]
fn what_says_nothing_is_found_by_the_words_beside_it() {
    // A switch has the words of its row.
    check(
        gift,
        str::to_owned,
        "TextUnderAncestor # \"Gift wrap\" at 860,1300",
    );
    check(gift, |page| page.replace("Gift wrap", "Insurance"), "none");
    check(coupon, str::to_owned, "Neighbour # \"\" at 860,1700");
    let lower = |page: &str| page.replace("1700", "1800").replace("1760", "1860");
    check(coupon, lower, "Neighbour # \"\" at 860,1800");
    check(coupon, |page| page.replace("Coupon", "Insurance"), "none");
    let twice = |page: &str| {
        page.replace("Gift wrap", "Coupon").replace(
            "Switch [860,1300][1020,1360] check",
            "ImageButton [860,1300][960,1360]",
        )
    };
    check(coupon, twice, "several");
}

/// A picture on which each rectangle of a page is drawn in its own way.
fn drawn(screen: &Screen, icons: [fn(i32, i32) -> bool; 2], dark: bool) -> Frame {
    let boxes = [(200, 1500), (400, 1500)];
    drawing::paint(1080, 2400, |x, y| {
        let (x, y) = (x.cast_signed(), y.cast_signed());
        let inside =
            |(left, top): &(i32, i32)| (*left..left + 100).contains(&x) && (*top..top + 100).contains(&y);
        let ink = boxes.iter().position(inside).is_some_and(|n| {
            let (left, top) = boxes[n];
            icons[n](x - left, y - top)
        });
        assert!(!screen.elements.is_empty());
        if ink == dark { [245; 3] } else { [20; 3] }
    })
}

fn cross(x: i32, y: i32) -> bool {
    (x - y).abs() < 14 || (x + y - 100).abs() < 14
}

fn arrow(x: i32, y: i32) -> bool {
    x > 20 && (y - 50).abs() < (90 - x) / 2
}

/// Of two icons with one id the one is found that looks as it did; in dark mode, too.
#[test]
fn a_patch_only_tells_apart_what_was_found() {
    let check = |icons: [fn(i32, i32) -> bool; 2], dark: bool, expected: &str| {
        let mut before = shop(BASKET);
        before.frame = Some(drawn(&before, [cross, arrow], false));
        let icon = element(&before, "icon").clone();
        let patch = AverageHash::of(&before, icon.bounds);
        assert!(patch.is_some());
        let variables = values(&[]);
        let mut now = shop(BASKET);
        now.frame = Some(drawn(&now, icons, dark));
        let target = RecordedTarget::of(&icon, &before.elements, patch, &variables);
        let found = target
            .as_ref()
            .map(|target| said(&find(target, &now, &variables)));
        assert_eq!(found.unwrap_or_else(|| "no target".to_owned()), expected);
    };
    check([cross, arrow], false, "Patch #icon \"\" at 200,1500");
    check([arrow, cross], false, "Patch #icon \"\" at 400,1500");
    check([arrow, cross], true, "Patch #icon \"\" at 400,1500");
    check([arrow, arrow], false, "several");
    check([cross, cross], false, "several");
}

/// What looks the same and shares nothing else is not it.
#[test]
fn a_patch_alone_finds_nothing() {
    let mut before = shop(BASKET);
    before.frame = Some(drawn(&before, [cross, arrow], false));
    let icon = element(&before, "icon");
    let patch = AverageHash::of(&before, icon.bounds);
    let variables = values(&[]);
    let target = RecordedTarget::of(icon, &before.elements, patch, &variables).unwrap();
    let mut now = shop(&BASKET.replace("#icon", "#other"));
    now.frame.clone_from(&before.frame);
    assert_eq!(find(&target, &now, &variables), FindResult::None);
}

#[test]
fn a_value_is_found_by_the_value_of_this_time() {
    let check = |now: &str, shown: &str, expected: &str| {
        let list = |names: [&str; 2]| {
            shop(
                &BASKET
                    .replace("Whole milk", names[0])
                    .replace("Bananas", names[1]),
            )
        };
        let before = list(["Dana", "Jo"]);
        let recorded = values(&[("who", "Dana")]);
        let target = RecordedTarget::of(row(&before), &before.elements, None, &recorded).unwrap();
        let now_shown = list(["Jo", shown]);
        let found = find(&target, &now_shown, &values(&[("who", now)]));
        assert_eq!(said(&found), expected);
    };
    check("Mum", "Mum", "IdAndText #row \"Mum, $1.20\" at 0,480");
    check("Mum", "Dana", "none");
    check("Mum", "Mumford", "none");
    check("Dana", "Dana", "IdAndText #row \"Dana, $1.20\" at 0,480");
}

/// AdvancedSharpAdbClient, Tests/Assets/DumpScreen.txt: a profile page of a video app, 1440 × 3060.
const BILIBILI: &str = include_str!("../../screen/tests/data/ui_01_bilibili.txt");

/// Of every screen of a real app and of the simulated phone, each thing that takes taps is found as itself or not at all: on
/// the screen itself, on one of half the size, and on no screen that has neither its id nor its words nor its neighbour's.
#[test]
fn every_thing_of_real_trees_is_found_as_itself_or_not_at_all() {
    let variables = values(&[]);
    let mut screens = vec![page(BILIBILI, "tv.danmaku.bili", "Profile", (1440, 3060))];
    for (name, xml) in drawing::DEMO {
        let tree = drawing::demo(name);
        let app = tree.packages.first().cloned().unwrap_or_default();
        screens.push(page(xml, &app, name, tree.extent));
    }
    let (mut things, mut found) = (0, 0);
    for screen in &screens {
        let mut half = screen.clone();
        for element in &mut half.elements {
            let b = &mut element.bounds;
            (b.left, b.top, b.right, b.bottom) = (b.left / 2, b.top / 2, b.right / 2, b.bottom / 2);
        }
        for element in screen.elements.iter().filter(|e| screen::is_actionable(e)) {
            things += 1;
            let Some(target) = RecordedTarget::of(element, &screen.elements, None, &variables) else {
                continue;
            };
            if let FindResult::One { element: again, .. } = find(&target, screen, &variables) {
                found += 1;
                assert_eq!(again, element, "{target:?}");
            }
            if let FindResult::One { element: again, .. } = find(&target, &half, &variables) {
                assert_eq!(again.index, element.index, "{target:?}");
            }
            for other in screens
                .iter()
                .filter(|other| other.current_app != screen.current_app)
            {
                if let FindResult::One { element: again, .. } = find(&target, other, &variables) {
                    let same_id = !target.id.is_empty() && again.resource_id == target.id;
                    let says = words(&element.label);
                    let same_words =
                        again.label == element.label || (!says.is_empty() && words(&again.label) == says);
                    let same_beside = !beside(element, screen).is_disjoint(&beside(again, other));
                    assert!(same_id || same_words || same_beside, "{target:?} is no {again:?}");
                }
            }
        }
    }
    // What is left out are things alike in all but their place.
    assert!(found * 100 >= things * 85, "{found} of {things}");
}

/// A button whose words hold a value is found by that value, whatever id it has.
#[test]
fn an_id_alone_is_not_enough_where_a_value_stands() {
    let call = |who: &str| shop(&BASKET.replace("Pay $23.40", &format!("Call {who}")));
    let check = |shown: &str, now: &str, expected: &str| {
        let before = call("Dana");
        let recorded = values(&[("who", "Dana")]);
        let target = RecordedTarget::of(pay(&before), &before.elements, None, &recorded).unwrap();
        assert_eq!(
            said(&find(&target, &call(shown), &values(&[("who", now)]))),
            expected
        );
    };
    check("Mum", "Mum", "IdAndText #pay \"Call Mum\" at 40,2150");
    check("Jo", "Mum", "none");
    check("Dana", "Mum", "none");
}

const IDS: [&str; 4] = ["#pay", "#more", "#go", ""];
const WORDS: [&str; 5] = ["Pay $23.40", "Pay $9.00", "Send", "Remove", ""];
const BESIDE: [&str; 4] = ["Gift wrap", "Total", "Insurance", ""];

fn line(at: usize, (id, words, beside, in_row): (usize, usize, usize, bool)) -> String {
    let top = 200 + at * 150;
    let (indent, mut out) = (if in_row { "    " } else { "  " }, String::new());
    if in_row {
        let bottom = top + 140;
        out.push_str(&format!("  LinearLayout [0,{top}][1080,{bottom}] #row click\n"));
    }
    if !BESIDE[beside].is_empty() {
        let (top, bottom) = (top + 20, top + 80);
        out.push_str(&format!(
            "{indent}TextView [60,{top}][400,{bottom}] \"{}\"\n",
            BESIDE[beside]
        ));
    }
    let (top, bottom) = (top + 10, top + 90);
    out.push_str(&format!(
        "{indent}Button [600,{top}][1000,{bottom}] {} \"{}\" click\n",
        IDS[id], WORDS[words]
    ));
    out
}

fn drawn_page(all: &[(usize, usize, usize, bool)]) -> Screen {
    let lines: String = all.iter().enumerate().map(|(at, one)| line(at, *one)).collect();
    shop(&format!("FrameLayout [0,0][1080,2400]\n{lines}"))
}

fn one_line() -> impl Strategy<Value = (usize, usize, usize, bool)> {
    (0..IDS.len(), 0..WORDS.len(), 0..BESIDE.len(), any::<bool>())
}

fn words(text: &str) -> Vec<&str> {
    let kept = text.split_whitespace();
    kept.filter(|word| !word.chars().any(char::is_numeric)).collect()
}

/// Words on the same line as an element, before it, and words above it.
fn beside(element: &Element, screen: &Screen) -> BTreeSet<String> {
    let own = element.bounds;
    let texts = screen.elements.iter().filter(|e| {
        let before = e.bounds.right <= own.left && e.bounds.top < own.bottom && e.bounds.bottom > own.top;
        let above = e.bounds.bottom <= own.top && e.bounds.left < own.right && e.bounds.right > own.left;
        e.role == protocol::Role::Text && (before || above)
    });
    texts.map(|e| e.label.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: long::times(500), failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever page is shown: what is found has the recorded id, or says the recorded words, or has the recorded words beside
    /// it; on the recorded page itself it is the very thing, or nothing.
    #[test]
    fn nothing_but_the_recorded_thing_is_ever_found(
        before in prop::collection::vec(one_line(), 1..8),
        after in prop::collection::vec(one_line(), 0..8),
        which in 0_usize..8,
    ) {
        let variables = Variables::default();
        let recorded = drawn_page(&before);
        let buttons: Vec<&Element> = recorded
            .elements
            .iter()
            .filter(|e| e.bounds.left == 600)
            .collect();
        prop_assume!(!buttons.is_empty());
        let touched = buttons[which % buttons.len()];
        let Some(target) = RecordedTarget::of(touched, &recorded.elements, None, &variables) else {
            return Ok(());
        };
        if let FindResult::One { element, by } = find(&target, &recorded, &variables) {
            prop_assert_eq!(element, touched, "by {:?}", by);
        }
        let now = drawn_page(&after);
        if let FindResult::One { element, by } = find(&target, &now, &variables) {
            let same_id = !touched.resource_id.is_empty() && element.resource_id == touched.resource_id;
            let same_words = !words(&touched.label).is_empty() && words(&touched.label) == words(&element.label);
            let same_beside = !beside(touched, &recorded).is_disjoint(&beside(element, &now));
            let why = match by {
                ReplayedBy::IdAndText => same_id && same_words,
                ReplayedBy::Id => same_id,
                ReplayedBy::TextUnderAncestor => same_words,
                ReplayedBy::Neighbour => same_beside,
                _ => false,
            };
            prop_assert!(why, "{:?} gave {:?} for {:?}", by, element, touched);
        }
    }
}

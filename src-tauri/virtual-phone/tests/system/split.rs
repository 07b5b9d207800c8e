//! Split screen: two halves, one focus.

use crate::hand::Hand;
use serde_json::json;
use virtual_phone::android::{Android, SplitSide, Window};
use virtual_phone::system::SystemOptions;

/// A small phone whose app in front is Settings, with Messages used before it.
fn split(rotation: u8) -> Hand {
    let mut options = SystemOptions {
        rotation,
        ..SystemOptions::default()
    };
    options.profile.phone.size = (360, 800);
    options.profile.phone.density = 140;
    let mut hand = Hand::new(options);
    hand.play("open com.android.messaging\nopen com.android.settings");
    hand.phone.split(true);
    hand
}

fn place((left, top, right, bottom): (i32, i32, i32, i32)) -> String {
    format!("[{left},{top}][{right},{bottom}]")
}

/// The windows that are no bars: who, where, in which half, and `*` at the one with the focus.
fn halves(hand: &Hand) -> String {
    let told = |window: &Window| {
        let (who, focus) = (&window.title, if window.focused { "*" } else { "" });
        let who = who.rsplit('.').next().unwrap_or_default();
        let half = match window.half {
            None => "whole".to_owned(),
            Some(half) if half.bounds == window.frame => format!("{:?}", half.side),
            Some(half) => format!("{:?} {}", half.side, place(half.bounds)),
        };
        format!("{who}{focus} {} {half}", place(window.frame))
    };
    let windows = hand.phone.windows();
    let apps = windows
        .iter()
        .filter(|window| !matches!(window.title.as_str(), "StatusBar" | "NavigationBar0"));
    let told: Vec<String> = apps
        .take_while(|w| !w.title.ends_with("ImageWallpaper"))
        .map(told)
        .collect();
    told.join("\n")
}

#[track_caller]
fn check(rotation: u8, script: &str, expected: &str) {
    let mut hand = split(rotation);
    hand.play(script);
    assert_eq!(halves(&hand), expected, "after {script:?} at {rotation}");
}

/// The middle of the half that has not the focus.
fn other_half(hand: &Hand) -> (f32, f32) {
    let windows = hand.phone.windows();
    let focused = windows.iter().find(|window| window.focused).unwrap();
    let other = focused.half.unwrap().side.other();
    let mut halves = windows.iter().filter_map(|window| window.half);
    let (left, top, right, bottom) = halves.find(|half| half.side == other).unwrap().bounds;
    ((left + right) as f32 / 2.0, (top + bottom) as f32 / 2.0)
}

#[test]
fn each_half_has_its_bounds_and_one_the_focus() {
    for (rotation, script, expected) in [
        (
            0,
            "",
            "StageCoordinatorSplitDivider [0,406][360,415] whole\nSettings* [0,0][360,406] First\n\
             ConversationListActivity [0,415][360,800] Second",
        ),
        (
            1,
            "",
            "StageCoordinatorSplitDivider [395,0][404,360] whole\nSettings* [0,0][395,360] First\n\
             ConversationListActivity [404,0][800,360] Second",
        ),
        (0, "key HOME", "QuickstepLauncher* [0,0][360,800] whole"),
        // The pair comes back as one.
        (
            0,
            "key HOME\nopen com.android.messaging",
            "StageCoordinatorSplitDivider [0,406][360,415] whole\nConversationListActivity* [0,415][360,800] Second\n\
             Settings [0,0][360,406] First",
        ),
        // Who leaves its half leaves all of the display to the other.
        (0, "key BACK", "ConversationListActivity* [0,0][360,800] whole"),
        // What is started from outside has the display; the pair is behind it.
        (
            0,
            "open com.android.notes\nkey HOME\nopen com.android.settings",
            "StageCoordinatorSplitDivider [0,406][360,415] whole\nSettings* [0,0][360,406] First\n\
             ConversationListActivity [0,415][360,800] Second",
        ),
        (
            0,
            "open com.android.contacts",
            "PeopleActivity* [0,0][360,800] whole",
        ),
    ] {
        check(rotation, script, expected);
    }
}

#[test]
fn the_tree_is_of_the_half_with_the_focus() {
    for rotation in 0..4 {
        let mut hand = split(rotation);
        for package in ["com.android.settings", "com.android.messaging"] {
            let windows = hand.phone.windows();
            let focused = windows.iter().find(|window| window.focused).unwrap();
            let (left, top, right, bottom) = focused.half.unwrap().bounds;
            let nodes = hand.nodes();
            assert_eq!(
                nodes[0].bounds,
                [left, top, right, bottom],
                "the root is its half"
            );
            for node in &nodes {
                let [l, t, r, b] = node.bounds;
                assert!(l >= left && t >= top && r <= right && b <= bottom, "{node:?}");
                assert_eq!(node.get("package"), package);
            }
            hand.tap_at(other_half(&hand));
        }
    }
}

#[test]
fn a_touch_in_the_other_half_focuses_it_and_presses_there() {
    let mut hand = split(0);
    let divider = (180.0, 410.0);
    hand.tap_at(divider);
    assert_eq!(hand.state("/screen/package"), json!("com.android.settings"));
    let mut twin = split(0);
    twin.open("com.android.messaging");
    let dana = twin.must_find("Dana Whitlock").center();
    hand.tap_at(dana);
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.messaging.ui.conversation.ConversationActivity"),
        "the one touch both focused and pressed"
    );
    let windows = hand.phone.windows();
    let side = |package: &str| {
        let window = windows.iter().find(|window| window.package == package).unwrap();
        window.half.unwrap().side
    };
    assert_eq!(side("com.android.messaging"), SplitSide::Second);
    assert_eq!(side("com.android.settings"), SplitSide::First);
    hand.tap("Text message");
    hand.write("hello");
    assert_eq!(hand.state("/messages/draft"), json!("hello"));
    assert_eq!(hand.state("/screen/keyboard"), json!(true));
    hand.tap_at(other_half(&hand));
    assert_eq!(
        hand.state("/screen/keyboard"),
        json!(false),
        "it goes with the focus"
    );
    assert_eq!(hand.phone.focused_app().unwrap().package, "com.android.settings");
}

#[test]
fn a_dialog_darkens_and_holds_its_own_half_alone() {
    let mut hand = split(0);
    hand.phone.split(false);
    hand.play("open com.android.messaging\nopen com.android.notes");
    hand.phone.split(true);
    hand.tap("Sort order");
    assert_eq!(hand.state("/screen/popup"), json!(true));
    hand.tap_at(other_half(&hand));
    assert_eq!(hand.phone.focused_app().unwrap().package, "com.android.messaging");
    let shown = hand.phone.windows();
    assert!(
        shown
            .iter()
            .any(|window| window.title.starts_with("PopupWindow:") && !window.focused),
        "the menu stands without the focus: {shown:?}"
    );
}

#[test]
fn both_halves_are_in_the_picture() {
    let mut hand = split(0);
    let both = hand.phone.picture();
    // A row of pixels within each half, below and above what the bars cover.
    let part = |rgba: &[u8], top: usize, bottom: usize| rgba[top * 360 * 4..bottom * 360 * 4].to_vec();
    hand.phone.split(false);
    let alone = hand.phone.picture();
    assert_eq!(
        part(&both.rgba, 60, 300),
        part(&alone.rgba, 60, 300),
        "the upper app as before"
    );
    assert_ne!(
        part(&both.rgba, 420, 780),
        part(&alone.rgba, 420, 780),
        "the lower one is another"
    );
    assert!(
        part(&both.rgba, 406, 408)
            .chunks(4)
            .any(|pixel| pixel == [0, 0, 0, 255]),
        "the bar between"
    );
}

/// What was opened for the split is closed with it; home is home again.
#[test]
fn a_split_from_home_ends_at_home() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.phone.split(true);
    assert_eq!(hand.state("/screen/package"), json!("com.android.contacts"));
    hand.tap_at(other_half(&hand));
    assert_eq!(hand.state("/screen/package"), json!("com.android.notes"));
    hand.phone.split(false);
    assert_eq!(hand.state("/screen/package"), json!("com.android.launcher3"));
    hand.play("key RECENTS\nmiss Notes");
}

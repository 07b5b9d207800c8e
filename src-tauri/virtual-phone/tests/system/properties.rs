//! What holds on every screen, wherever a finger led.

use crate::hand::{Hand, Node, read};
use proptest::prelude::*;
use virtual_phone::android::{Android, FingerAction};
use virtual_phone::system::{Basket, SystemOptions, demo_profiles};

/// Something done to the phone.
#[derive(Clone, Debug)]
enum Deed {
    Tap(f32, f32),
    TapSome(usize),
    Hold(f32, f32),
    Swipe(f32, f32, f32, f32),
    Key(u32, u32),
    Write(char),
    Wait(u64),
    Setting(&'static str, &'static str, &'static str),
}

fn deed() -> impl Strategy<Value = Deed> {
    let part = || 0.0f32..1.0;
    prop_oneof![
        2 => (part(), part()).prop_map(|(x, y)| Deed::Tap(x, y)),
        10 => any::<prop::sample::Index>().prop_map(|index| Deed::TapSome(index.index(1000))),
        1 => (part(), part()).prop_map(|(x, y)| Deed::Hold(x, y)),
        2 => (part(), part(), part(), part()).prop_map(|(a, b, c, d)| Deed::Swipe(a, b, c, d)),
        3 => (prop::sample::select(vec![3u32, 4, 19, 20, 21, 22, 23, 24, 26, 61, 62, 66, 67, 82, 84, 111, 112, 122, 123, 187, 224, 279]), 0u32..2)
            .prop_map(|(code, meta)| Deed::Key(code, meta)),
        3 => prop::sample::select("aZ9 <&\"'é\n\tç…".chars().collect::<Vec<_>>()).prop_map(Deed::Write),
        1 => (1u64..3000).prop_map(Deed::Wait),
        1 => prop::sample::select(vec![
            ("system", "user_rotation", "1"),
            ("system", "user_rotation", "2"),
            ("system", "accelerometer_rotation", "0"),
            ("system", "accelerometer_rotation", "1"),
            ("system", "font_scale", "1.3"),
            ("secure", "ui_night_mode", "2"),
            ("secure", "display_density_forced", "560"),
        ]).prop_map(|(namespace, name, value)| Deed::Setting(namespace, name, value)),
    ]
}

fn carry_out(hand: &mut Hand, deed: &Deed) {
    let display = hand.phone.display();
    let place = |x: f32, y: f32| (x * display.width as f32, y * display.height as f32);
    match deed {
        Deed::Tap(x, y) => hand.tap_at(place(*x, *y)),
        Deed::TapSome(index) => {
            let nodes = hand.phone.hierarchy().map(|xml| read(&xml)).unwrap_or_default();
            let nodes: Vec<&Node> = nodes.iter().filter(|node| node.is("clickable")).collect();
            if let Some(node) = nodes.get(index % nodes.len().max(1)) {
                hand.tap_at(node.center());
            }
        }
        Deed::Hold(x, y) => {
            let (x, y) = place(*x, *y);
            hand.phone.finger(FingerAction::Down, x, y);
            hand.wait(500);
            hand.phone.finger(FingerAction::Up, x, y);
        }
        Deed::Swipe(a, b, c, d) => hand.swipe(place(*a, *b), place(*c, *d), 120),
        Deed::Key(code, meta) => hand.phone.key(*code, *meta, false),
        Deed::Write(character) => drop(hand.phone.character(*character)),
        Deed::Wait(millis) => hand.wait(*millis),
        Deed::Setting(namespace, name, value) => hand.phone.put_setting(namespace, name, Some(value)),
    }
}

fn inside(inner: [i32; 4], outer: [i32; 4]) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

fn hold_of_tree(hand: &mut Hand) {
    let Ok(xml) = hand.phone.hierarchy() else {
        assert!(!hand.phone.power().awake, "an awake display has a tree");
        return;
    };
    let display = hand.phone.display();
    let whole = [0, 0, display.width as i32, display.height as i32];
    for node in read(&xml) {
        let [left, top, right, bottom] = node.bounds;
        assert!(
            left < right && top < bottom,
            "what cannot be seen is not told: {node:?}"
        );
        assert!(inside(node.bounds, whole), "{node:?} leaves the display");
    }
    let focused = hand
        .phone
        .windows()
        .iter()
        .filter(|window| window.focused)
        .count();
    assert_eq!(focused, 1, "one window has the focus");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::long::times(24), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wherever_a_finger_leads_the_tree_is_whole(
        deeds in prop::collection::vec(deed(), 1..40),
        profile in 0usize..5,
        app in prop::sample::select(vec!["", "com.greenleaf.shop", "com.android.messaging", "com.android.settings", "com.android.notes", "com.android.browser"]),
    ) {
        let options = SystemOptions { basket: Basket::Usual, ..SystemOptions::of(demo_profiles()[profile].clone()) };
        let mut hand = Hand::new(options);
        if !app.is_empty() {
            hand.open(app);
        }
        for deed in &deeds {
            carry_out(&mut hand, deed);
            hold_of_tree(&mut hand);
        }
        let picture = hand.phone.picture();
        prop_assert_eq!(picture.rgba.len(), (picture.width * picture.height * 4) as usize);
        prop_assert!(hand.phone.state().is_object());
    }

    #[test]
    fn two_phones_treated_alike_are_alike(deeds in prop::collection::vec(deed(), 1..25)) {
        let mut one = Hand::new(SystemOptions::default());
        let mut other = Hand::new(SystemOptions::default());
        for deed in &deeds {
            carry_out(&mut one, deed);
            carry_out(&mut other, deed);
        }
        prop_assert_eq!(one.phone.state(), other.phone.state());
        prop_assert!(one.phone.picture().rgba == other.phone.picture().rgba);
    }
}

/// Scripts to screens of every kind.
const SCREENS: [&str; 34] = [
    "",
    "tap Search apps",
    "open com.android.settings",
    "open com.android.settings\ntap Network & internet\ntap Wi‑Fi",
    "open com.android.settings\ntap Battery",
    "open com.android.settings\ntap Display",
    "open com.android.settings\ntap Display\ntap Screen timeout",
    "open com.android.settings\ntap Apps\ntap Camera",
    "open com.android.messaging",
    "open com.android.messaging\ntap Dana Whitlock",
    "open com.android.messaging\ntap Dana Whitlock\ntap Text message\nwrite Hello",
    "open com.android.messaging\ntap Start new conversation",
    "open com.greenleaf.shop",
    "open com.greenleaf.shop\ntap Bakery",
    "open com.greenleaf.shop\ntap Bakery\ntap Baguette",
    "open com.greenleaf.shop\ntap Add all to basket",
    "open com.greenleaf.shop\ntap Add all to basket\ntap Go to checkout",
    "open com.greenleaf.shop\ntap Add all to basket\ntap Go to checkout\ntap 6–8 pm\ntap Continue",
    "open com.greenleaf.shop\ntap Add all to basket\ntap Go to checkout\ntap 6–8 pm\ntap Continue\ntap Pay",
    "open com.northbank.mobile",
    "open com.northbank.mobile\ntap Sign in",
    "open com.android.notes",
    "open com.android.notes\ntap Crêpes\ntap Delete",
    "open com.android.contacts\ntap Dana Whitlock",
    "open com.android.browser\ntap The Alder Post",
    "open com.android.dialer",
    "open com.android.gallery3d",
    "open com.android.email",
    "open com.android.music\ntap Ferns",
    "open com.android.calendar",
    "open com.android.deskclock\ntap Add alarm",
    "open com.android.store",
    "open com.android.camera2",
    "key NOTIFICATION",
];

/// The screen a script leads to, upright or turned, in the usual and in large letters.
fn screens() -> impl Iterator<Item = (String, Hand)> {
    SCREENS.iter().map(|script| {
        let mut hand = Hand::new(SystemOptions::default());
        hand.play(script);
        (format!("after {script:?}"), hand)
    })
}

#[test]
fn every_node_is_inside_its_parent() {
    for (name, mut hand) in screens() {
        let nodes = hand.nodes();
        for node in &nodes {
            let Some(parent) = node.parent.map(|at| &nodes[at]) else {
                continue;
            };
            assert!(
                inside(node.bounds, parent.bounds),
                "{name}: {node:?} leaves {parent:?}"
            );
        }
    }
}

#[test]
fn texts_do_not_lie_over_one_another() {
    for (name, mut hand) in screens() {
        let nodes = hand.nodes();
        let said = |node: &&Node| !node.get("text").is_empty() && node.get("class").ends_with("TextView");
        let texts: Vec<&Node> = nodes.iter().filter(said).collect();
        for (index, one) in texts.iter().enumerate() {
            for other in texts.iter().skip(index + 1) {
                let [a, b] = [one.bounds, other.bounds];
                let (width, height) = (a[2].min(b[2]) - a[0].max(b[0]), a[3].min(b[3]) - a[1].max(b[1]));
                assert!(width <= 0 || height <= 0, "{name}: {one:?} and {other:?} overlap");
            }
        }
    }
}

#[test]
fn whatever_can_be_pressed_is_large_enough_for_a_finger() {
    // 48 dp is what Android asks for; 32 dp where there is a list of small steps. What is half scrolled away is not measured.
    for (name, mut hand) in screens() {
        let nodes = hand.nodes();
        for node in nodes.iter().filter(|node| node.is("clickable")) {
            let [left, top, right, bottom] = node.bounds;
            let list = std::iter::successors(node.parent, |at| nodes[*at].parent)
                .find(|at| nodes[*at].is("scrollable"));
            let cut = list.is_some_and(|at| bottom == nodes[at].bounds[3] || top == nodes[at].bounds[1]);
            assert!(
                cut || (right - left >= 84 && bottom - top >= 84),
                "{name}: {node:?}"
            );
        }
    }
}

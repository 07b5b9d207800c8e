//! Fingers: scrolling, flinging, edges, sliders, holding, letting go.

use crate::hand::Hand;
use serde_json::json;
use std::time::Duration;
use virtual_phone::android::{Android, FingerAction};
use virtual_phone::system::SystemOptions;

fn settings() -> Hand {
    Hand::at("com.android.settings/.Settings")
}

fn top(hand: &mut Hand, words: &str) -> i32 {
    hand.must_find(words).bounds[1]
}

#[test]
fn a_slow_swipe_moves_a_list_by_its_length_and_no_further() {
    let mut hand = settings();
    let before = top(&mut hand, "Battery");
    hand.phone.finger(FingerAction::Down, 540.0, 1500.0);
    for step in 1..=50 {
        hand.wait(16);
        hand.phone
            .finger(FingerAction::Move, 540.0, 1500.0 - 6.0 * step as f32);
    }
    hand.wait(300);
    hand.phone.finger(FingerAction::Up, 540.0, 1200.0);
    assert_eq!(before - top(&mut hand, "Battery"), 300);
    hand.wait(1000);
    assert_eq!(
        before - top(&mut hand, "Battery"),
        300,
        "a finger that rested does not fling"
    );
}

#[test]
fn a_fast_swipe_flings_and_stops_at_the_end() {
    let mut hand = settings();
    hand.swipe((540.0, 1800.0), (540.0, 1400.0), 64);
    let lifted = top(&mut hand, "Sound & vibration");
    let generation = hand.phone.generation();
    hand.wait(300);
    assert!(top(&mut hand, "Sound & vibration") < lifted, "the list goes on");
    assert!(hand.phone.generation() > generation);
    hand.wait(4000);
    let resting = hand.phone.generation();
    hand.wait(1000);
    assert_eq!(hand.phone.generation(), resting, "and comes to rest");
    let about = hand.must_find("About phone");
    assert!(about.bounds[3] <= 2337);
    hand.swipe((540.0, 1800.0), (540.0, 600.0), 100);
    hand.wait(3000);
    assert_eq!(
        hand.must_find("About phone").bounds,
        about.bounds,
        "there is nothing further down"
    );
}

#[test]
fn a_finger_that_moves_does_not_click() {
    let mut hand = settings();
    let (x, y) = hand.must_find("Battery").center();
    hand.swipe((x, y), (x, y - 200.0), 300);
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.settings.Settings")
    );
    let (x, y) = hand.must_find("Battery").center();
    hand.phone.finger(FingerAction::Down, x, y);
    hand.phone.finger(FingerAction::Cancel, x, y);
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.settings.Settings")
    );
}

#[test]
fn down_and_up_without_time_between_is_a_click() {
    let mut hand = settings();
    let (x, y) = hand.must_find("Battery").center();
    hand.phone.finger(FingerAction::Down, x, y);
    hand.phone.finger(FingerAction::Up, x, y);
    assert!(
        hand.state("/screen/class")
            .to_string()
            .contains("PowerUsageSummary")
    );
}

#[test]
fn holding_still_is_a_long_press_whoever_tells_the_time() {
    let held = |hand: &mut Hand| hand.find("1 selected").is_some();
    let mut hand = Hand::at("com.android.messaging/.ui.conversationlist.ConversationListActivity");
    hand.hold("Mum");
    assert!(held(&mut hand), "time passes while the finger lies");
    let mut hand = Hand::at("com.android.messaging/.ui.conversationlist.ConversationListActivity");
    let (x, y) = hand.must_find("Mum").center();
    hand.phone.finger(FingerAction::Down, x, y);
    hand.phone.tick(Duration::from_millis(800));
    hand.phone.finger(FingerAction::Up, x, y);
    assert!(held(&mut hand), "`input swipe x y x y 800`");
}

/// `View.onTouchEvent`: what the finger has left is not pressed any more, also when it comes back.
#[test]
fn what_the_finger_has_left_is_neither_held_nor_clicked() {
    let check = |way: &[(f32, f32)], waits: u64, expected: &str| {
        let mut hand = Hand::at("com.android.messaging/.ui.conversationlist.ConversationListActivity");
        let (x, y) = hand.must_find("Mum").center();
        hand.phone.finger(FingerAction::Down, x, y);
        let mut last = (x, y);
        for (dx, dy) in way {
            hand.wait(20);
            last = (x + dx, y + dy);
            hand.phone.finger(FingerAction::Move, last.0, last.1);
        }
        hand.wait(waits);
        hand.phone.finger(FingerAction::Up, last.0, last.1);
        let found = if hand.find("1 selected").is_some() {
            "held"
        } else if hand
            .state("/screen/class")
            .to_string()
            .contains("ConversationListActivity")
        {
            "nothing"
        } else {
            "clicked"
        };
        assert_eq!(found, expected, "{way:?}, {waits} ms");
    };
    check(&[], 10, "clicked");
    check(&[], 700, "held");
    check(&[(150.0, 0.0)], 10, "clicked");
    check(&[(150.0, 0.0)], 700, "held");
    check(&[(0.0, 900.0)], 10, "nothing");
    check(&[(0.0, 900.0)], 700, "nothing");
    check(&[(0.0, 900.0), (0.0, 0.0)], 10, "nothing");
    check(&[(0.0, 900.0), (0.0, 0.0)], 700, "nothing");
}

#[test]
fn the_edges_mean_back_home_recents_and_the_shade() {
    let class = |hand: &Hand| {
        hand.state("/screen/class")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let mut hand = settings();
    hand.tap("Battery");
    hand.swipe((4.0, 1200.0), (500.0, 1210.0), 150);
    assert_eq!(class(&hand), "com.android.settings.Settings");
    hand.tap("Battery");
    hand.swipe((1076.0, 1200.0), (500.0, 1210.0), 150);
    assert_eq!(class(&hand), "com.android.settings.Settings");
    hand.swipe((540.0, 20.0), (540.0, 800.0), 150);
    assert_eq!(hand.state("/screen/shade"), json!(true));
    hand.swipe((540.0, 2390.0), (540.0, 1500.0), 150);
    assert_eq!(hand.state("/screen/shade"), json!(false));
    hand.swipe((540.0, 2390.0), (540.0, 1500.0), 150);
    assert_eq!(
        class(&hand),
        "com.android.launcher3.uioverrides.QuickstepLauncher"
    );
    hand.open("com.android.settings");
    hand.phone.finger(FingerAction::Down, 540.0, 2390.0);
    hand.wait(16);
    hand.phone.finger(FingerAction::Move, 540.0, 1800.0);
    hand.wait(400);
    hand.phone.finger(FingerAction::Up, 540.0, 1800.0);
    assert_eq!(class(&hand), "com.android.quickstep.RecentsActivity");
    hand.tap("Settings");
    assert_eq!(class(&hand), "com.android.settings.Settings");
}

#[test]
fn a_swipe_up_at_home_brings_all_apps() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.swipe((540.0, 1500.0), (540.0, 900.0), 150);
    hand.play("see App store\nsee Contacts\ntap Contacts");
    assert_eq!(hand.state("/screen/package"), json!("com.android.contacts"));
    hand.key("HOME");
    hand.play("miss App store");
}

#[test]
fn a_slider_follows_the_finger() {
    let mut hand = Hand::at("com.android.settings/.Settings$DisplaySettingsActivity");
    let [left, top, right, bottom] = hand.must_find("Display brightness").bounds;
    let y = (top + bottom) as f32 / 2.0;
    hand.swipe((left as f32 + 200.0, y), (right as f32 - 1.0, y), 300);
    assert_eq!(hand.state("/settings/brightness"), json!(255));
    hand.swipe((right as f32 - 200.0, y), (left as f32 + 1.0, y), 300);
    assert_eq!(hand.state("/settings/brightness"), json!(1));
}

#[test]
fn a_touch_outside_a_dialog_closes_it_and_touches_nothing_else() {
    let mut hand = Hand::at("com.android.settings/.Settings$FactoryResetActivity");
    hand.tap("Erase all data");
    assert_eq!(hand.state("/screen/popup"), json!(true));
    hand.tap_at((540.0, 220.0));
    assert_eq!(hand.state("/screen/popup"), json!(false));
    assert_eq!(hand.state("/settings/factoryResets"), json!(0));
    let mut hand = Hand::new(SystemOptions::default());
    hand.open("com.android.camera2");
    hand.tap_at((540.0, 220.0));
    assert!(
        hand.state("/screen/class")
            .to_string()
            .contains("GrantPermissionsActivity"),
        "a permission must be decided"
    );
}

#[test]
fn the_soft_keyboards_keys_write() {
    let mut hand = Hand::at("com.android.messaging/.ui.conversation.ConversationActivity");
    hand.tap("Text message");
    // Rows of the keyboard from its top: the keys' places are those of the drawn keyboard.
    let (row, top) = (150.0, 1692.0 + 75.0);
    let key = |column: f32, line: f32| (54.0 + column * 107.0, top + line * row);
    for place in [key(4.0, 0.0), key(8.0, 0.0), key(8.0, 0.0)] {
        hand.tap_at(place);
    }
    assert_eq!(hand.state("/messages/draft"), json!("too"));
    hand.tap_at((1000.0, top + 2.0 * row));
    assert_eq!(hand.state("/messages/draft"), json!("to"), "the key that deletes");
    hand.tap_at((60.0, top + 2.0 * row));
    hand.tap_at(key(0.0, 0.0));
    assert_eq!(hand.state("/messages/draft"), json!("toQ"), "shift, once");
    hand.tap_at((1000.0, top + 3.0 * row));
    assert_eq!(
        hand.state("/messages/sent/0/text"),
        json!("toQ"),
        "the action key sends"
    );
}

#[test]
fn a_new_notification_lies_over_the_app_for_a_while_and_opens_what_it_tells() {
    let options = SystemOptions {
        codes_in_notifications: true,
        ..SystemOptions::default()
    };
    let mut hand = Hand::new(options);
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 2000");
    assert!(
        hand.state("/notifications/0/text")
            .as_str()
            .unwrap()
            .contains("is your code")
    );
    let windows = hand.phone.windows();
    assert!(
        windows
            .iter()
            .any(|window| window.title == "NotificationShade" && !window.focused && window.frame.3 < 600)
    );
    hand.tap_at((540.0, 230.0));
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.android.messaging.ui.conversation.ConversationActivity")
    );
    hand.play("see Northbank: ");
    assert_eq!(hand.state("/notifications"), json!([]));
    assert_eq!(hand.state("/messages/unread"), json!([]));
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 8000");
    assert!(
        !hand
            .phone
            .windows()
            .iter()
            .any(|window| window.title == "NotificationShade"),
        "it goes by itself"
    );
    hand.play("key NOTIFICATION\nsee New message\ntap Clear all");
    assert_eq!(hand.state("/notifications"), json!([]));
}

#[test]
fn tiles_of_the_shade_switch_settings() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("key NOTIFICATION\ntap Battery Saver");
    assert_eq!(hand.state("/settings/batterySaver"), json!(true));
}

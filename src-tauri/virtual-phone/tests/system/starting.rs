//! Intents: what answers them, what starts.

use crate::hand::Hand;
use serde_json::json;
use virtual_phone::android::{Android, Component, Intent, NotStarted};
use virtual_phone::system::{System, SystemOptions};

fn intent(action: &str, data: &str) -> Intent {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Intent {
        action: some(action),
        data: some(data),
        ..Intent::default()
    }
}

fn component(name: &str) -> Intent {
    Intent {
        component: Some(name.to_owned()),
        ..Intent::default()
    }
}

#[test]
fn intents_resolve_to_what_answers_them() {
    let hand = Hand::new(SystemOptions::default());
    for (action, data, expected) in [
        (
            "android.intent.action.VIEW",
            "https://news.example",
            "com.android.browser/com.android.browser.BrowserActivity",
        ),
        (
            "android.intent.action.SENDTO",
            "smsto:5550142",
            "com.android.messaging/com.android.messaging.ui.conversation.ConversationActivity",
        ),
        (
            "android.intent.action.VIEW",
            "sms:5550142",
            "com.android.messaging/com.android.messaging.ui.conversation.ConversationActivity",
        ),
        (
            "android.intent.action.DIAL",
            "tel:123",
            "com.android.dialer/com.android.dialer.main.impl.MainActivity",
        ),
        (
            "android.settings.WIFI_SETTINGS",
            "",
            "com.android.settings/com.android.settings.Settings$WifiSettingsActivity",
        ),
        (
            "android.settings.BATTERY_SAVER_SETTINGS",
            "",
            "com.android.settings/com.android.settings.Settings$BatterySaverSettingsActivity",
        ),
        (
            "android.settings.SETTINGS",
            "",
            "com.android.settings/com.android.settings.Settings",
        ),
        (
            "android.intent.action.VIEW",
            "geo:0,0",
            "com.android.maps/com.android.maps.MapsActivity",
        ),
    ] {
        let found = hand
            .phone
            .resolve(&intent(action, data))
            .unwrap_or_else(|| panic!("{action} {data}"));
        assert_eq!(format!("{}/{}", found.package, found.class), expected);
    }
    assert_eq!(
        hand.phone
            .resolve(&intent("android.intent.action.VIEW", "gopher://x")),
        None
    );
    assert_eq!(hand.phone.resolve(&intent("no.such.ACTION", "")), None);
    let home = Intent {
        categories: vec!["android.intent.category.HOME".to_owned()],
        ..intent("android.intent.action.MAIN", "")
    };
    assert_eq!(
        hand.phone.resolve(&home).unwrap().package,
        "com.android.launcher3"
    );
    let launcher = Intent {
        categories: vec!["android.intent.category.LAUNCHER".to_owned()],
        ..intent("android.intent.action.MAIN", "")
    };
    assert_eq!(hand.phone.answers(&launcher).len(), 16, "every app with an icon");
}

#[test]
fn starting_says_what_came_of_it() {
    let mut hand = Hand::new(SystemOptions::default());
    let settings = component("com.android.settings/.Settings");
    let started = hand.phone.start(&settings).unwrap();
    assert_eq!(
        started.component,
        Component {
            package: "com.android.settings".into(),
            class: "com.android.settings.Settings".into()
        }
    );
    assert!(!started.already_in_front);
    assert!(hand.phone.start(&settings).unwrap().already_in_front);
    for (intent, error) in [
        (
            component("com.greenleaf.shop/.CheckoutActivity"),
            NotStarted::NotExported,
        ),
        (
            component("com.android.settings/.Nothing"),
            NotStarted::NoSuchClass,
        ),
        (component("com.nowhere/.Main"), NotStarted::NoSuchClass),
        (component("no slash"), NotStarted::NoSuchClass),
        (
            intent("android.intent.action.VIEW", "gopher://x"),
            NotStarted::Unresolved,
        ),
    ] {
        assert_eq!(hand.phone.start(&intent), Err(error), "{intent:?}");
    }
    assert_eq!(hand.state("/screen/package"), json!("com.android.settings"));
}

#[test]
fn links_carry_what_they_are_about() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.phone
        .start(&intent("android.intent.action.VIEW", "https://www.news.example/"))
        .unwrap();
    hand.play("see Flower stall returns to the bridge");
    hand.phone
        .start(&intent("android.intent.action.VIEW", "http://links.example"))
        .unwrap();
    hand.play("see Good links");
    let sms = Intent {
        extras: vec![("sms_body".to_owned(), "On my way".to_owned())],
        ..intent("android.intent.action.SENDTO", "smsto:(555) 010-0142")
    };
    hand.phone.start(&sms).unwrap();
    hand.play("see Dana Whitlock\nsee On my way");
    assert_eq!(hand.state("/messages/sent"), json!([]), "writing is not sending");
    hand.phone
        .start(&intent("android.intent.action.DIAL", "tel:5550100"))
        .unwrap();
    hand.play("see 5550100");
}

#[test]
fn packages_are_listed_cleared_and_taken_away() {
    let mut hand = Hand::new(SystemOptions::default());
    let names = |hand: &Hand| {
        hand.phone
            .packages()
            .into_iter()
            .map(|package| package.name)
            .collect::<Vec<_>>()
    };
    assert!(names(&hand).contains(&"com.android.systemui".to_owned()));
    let greenleaf = hand
        .phone
        .packages()
        .into_iter()
        .find(|package| package.name == "com.greenleaf.shop")
        .unwrap();
    assert!(!greenleaf.system);
    assert_eq!(
        greenleaf.launcher.unwrap().class,
        "com.greenleaf.shop.MainActivity"
    );
    hand.play("open com.greenleaf.shop\ntap Add all to basket");
    assert!(hand.phone.clear_data("com.greenleaf.shop"));
    assert_eq!(hand.state("/greenleaf/basket"), json!([]));
    assert!(!hand.phone.clear_data("com.nowhere"));
    assert!(hand.phone.uninstall("com.greenleaf.shop"));
    assert!(!names(&hand).contains(&"com.greenleaf.shop".to_owned()));
    hand.key("HOME");
    hand.play("miss Greenleaf");
    assert_eq!(
        hand.phone.start(&component("com.greenleaf.shop/.MainActivity")),
        Err(NotStarted::NoSuchClass)
    );
    assert!(
        !hand.phone.uninstall("com.android.settings"),
        "what came with the phone stays"
    );
}

#[test]
fn any_screen_can_be_the_first() {
    for component in [
        "com.greenleaf.shop/.UsualOrderActivity",
        "com.greenleaf.shop/.OrdersActivity",
        "com.northbank.mobile/.ConfirmCodeActivity",
        "com.android.settings/.Settings$FactoryResetActivity",
        "com.android.messaging/.ui.search.SearchActivity",
    ] {
        let hand = Hand::at(component);
        let class = hand.state("/screen/class").as_str().unwrap().to_owned();
        assert!(
            component.ends_with(class.rsplit('.').next().unwrap()),
            "{component} shows {class}"
        );
    }
    for nothing in [
        "com.nowhere/.Main",
        "com.greenleaf.shop/.NoActivity",
        "Greenleaf",
        "",
    ] {
        let options = SystemOptions {
            start: Some(nothing.to_owned()),
            ..SystemOptions::default()
        };
        assert_eq!(
            System::try_new(options).map(drop),
            Err(NotStarted::NoSuchClass),
            "{nothing}"
        );
        // Whoever does not ask finds the home screen, and why in the phone's log.
        let hand = Hand::at(nothing);
        assert_eq!(hand.state("/screen/package"), json!("com.android.launcher3"));
        let told = format!("Activity class {{{nothing}}} does not exist.");
        assert!(hand.phone.log().iter().any(|line| line.ends_with(&told)));
    }
    assert!(System::try_new(SystemOptions::default()).is_ok());
}

//! Every screen, as its tree tells it: a snapshot a person can read.

use crate::hand::{Hand, outline};
use virtual_phone::system::{Basket, SystemOptions, demo_profiles};

fn snap(name: &str, hand: &mut Hand) {
    let nodes = hand.nodes();
    insta::assert_snapshot!(name.replace(' ', "_"), outline(&nodes));
}

/// Plays scripts one after the other and takes a snapshot after each.
fn walk(options: SystemOptions, steps: &[(&str, &str)]) {
    let mut hand = Hand::new(options);
    for (name, script) in steps {
        hand.play(script);
        snap(name, &mut hand);
    }
}

#[test]
fn home_screens() {
    for profile in demo_profiles() {
        let name = format!("home of {}", profile.phone.name.replace('’', ""));
        walk(SystemOptions::of(profile), &[(&name, "")]);
    }
}

#[test]
fn launcher() {
    walk(
        SystemOptions::default(),
        &[
            ("app search", "tap Search apps\nwrite no"),
            ("app menu", "key HOME\nhold Settings"),
        ],
    );
}

#[test]
fn settings() {
    walk(
        SystemOptions::default(),
        &[
            ("settings", "open com.android.settings"),
            ("settings network", "tap Network & internet"),
            ("settings wifi", "tap Wi‑Fi"),
            ("settings wifi password", "tap Bridge Café"),
            (
                "settings devices",
                "key BACK\nkey BACK\nkey BACK\nkey BACK\ntap Connected devices",
            ),
            ("settings apps", "key BACK\ntap Apps"),
            ("settings app info", "tap Camera"),
            ("settings notifications", "key BACK\nkey BACK\ntap Notifications"),
            ("settings battery", "key BACK\ntap Battery"),
            ("settings battery saver", "tap Battery Saver"),
            ("settings storage", "key BACK\nkey BACK\ntap Storage"),
            ("settings sound", "key BACK\ntap Sound & vibration"),
            ("settings display", "key BACK\ntap Display"),
            ("settings timeout", "tap Screen timeout"),
            (
                "settings about",
                "key BACK\nkey BACK\nto About phone\ntap About phone",
            ),
            ("settings system", "key BACK\ntap System"),
            ("settings reset", "tap Reset options"),
            ("settings erase", "tap Erase all data (factory reset)"),
            ("settings erase question", "tap Erase all data"),
        ],
    );
    walk(
        SystemOptions::default(),
        &[(
            "settings search",
            "open com.android.settings\ntap Search settings\nwrite battery",
        )],
    );
}

#[test]
fn messages() {
    walk(
        SystemOptions::default(),
        &[
            ("messages", "open com.android.messaging"),
            ("messages search", "tap Search messages\nwrite Dana"),
            ("messages conversation", "tap Dana Whitlock"),
            ("messages written", "tap Text message\nwrite On my way"),
            ("messages sent", "tap Send SMS"),
            ("messages menu", "key BACK\ntap More options"),
            (
                "messages new",
                "key BACK\nkey BACK\nkey BACK\ntap Start new conversation",
            ),
        ],
    );
}

#[test]
fn greenleaf() {
    walk(
        SystemOptions::default(),
        &[
            ("greenleaf", "open com.greenleaf.shop"),
            ("greenleaf search", "tap Search groceries\nwrite milk"),
            ("greenleaf shelf", "key BACK\nkey BACK\ntap Bakery"),
            ("greenleaf product", "tap Baguette"),
            ("greenleaf usual", "key BACK\nkey BACK\ntap Your usual order"),
            ("greenleaf basket", "tap Add all to basket"),
            ("greenleaf slots", "tap Go to checkout"),
            ("greenleaf checkout", "tap 10 am\ntap Continue"),
            ("greenleaf pay with", "tap Visa •••• 4821"),
            ("greenleaf placed", "key BACK\ntap Pay $23.40"),
            ("greenleaf orders", "tap Back to shop\ntap Your orders"),
        ],
    );
}

#[test]
fn northbank() {
    walk(
        SystemOptions::default(),
        &[
            ("northbank", "open com.northbank.mobile"),
            ("northbank code", "tap Sign in"),
            (
                "northbank wrong code",
                "tap 6-digit code\nwrite 000000\nkey ENTER",
            ),
        ],
    );
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 8000\ntap 6-digit code");
    let code = hand.code();
    hand.write(&code);
    hand.play("tap Confirm");
    snap("northbank home", &mut hand);
    hand.play("tap Account details");
    snap("northbank account", &mut hand);
    hand.play("key BACK\ntap Transfer\ntap Name\nwrite Dana\nkey ENTER\nwrite 5\nkey ENTER\nkey ENTER");
    snap("northbank transfer question", &mut hand);
    hand.play("tap Cancel");
    snap("northbank transfer", &mut hand);
}

#[test]
fn notes_and_contacts() {
    walk(
        SystemOptions::default(),
        &[
            ("notes", "open com.android.notes"),
            ("notes sorts", "tap Sort order"),
            ("notes picked", "key BACK\nhold Packing list"),
            ("notes delete question", "tap Delete"),
            ("notes editor", "tap Cancel\nkey BACK\ntap Crêpes"),
            ("contacts", "open com.android.contacts"),
            ("contacts card", "tap Dana Whitlock"),
            ("contacts new", "key BACK\ntap Create contact"),
        ],
    );
}

#[test]
fn browser() {
    walk(
        SystemOptions::default(),
        &[
            ("browser", "open com.android.browser"),
            ("browser news", "tap The Alder Post"),
            ("browser links", "to More links\ntap More links"),
            ("browser hostile", "tap Prize draw"),
            ("browser form", "tap Claim your prize"),
            (
                "browser unreachable",
                "key BACK\nkey BACK\ntap A page that is gone",
            ),
        ],
    );
}

#[test]
fn the_other_apps() {
    walk(
        SystemOptions::default(),
        &[
            ("phone", "open com.android.dialer"),
            ("photos", "open com.android.gallery3d"),
            ("photo", "tap Photo: A fern"),
            ("mail", "open com.android.email"),
            ("letter", "tap Fern cuttings"),
            ("music", "open com.android.music"),
            ("music playing", "tap Ferns"),
            ("calendar", "open com.android.calendar"),
            ("clock", "open com.android.deskclock"),
            ("store", "open com.android.store"),
            ("permission", "open com.android.camera2"),
            ("camera", "tap While using the app"),
            (
                "camera denied",
                "open com.android.maps\ntap Don’t allow\nopen com.android.camera2",
            ),
            ("maps", "open com.android.maps"),
            ("maps place", "tap Search here\nwrite Lib\ntap Library"),
            ("recents", "key RECENTS"),
        ],
    );
}

#[test]
fn the_system() {
    walk(
        SystemOptions::default(),
        &[
            ("shade", "key NOTIFICATION"),
            ("lock", "key BACK\nkey POWER\nkey POWER"),
        ],
    );
    let wide = SystemOptions {
        rotation: 1,
        basket: Basket::Usual,
        start: Some("com.greenleaf.shop/.CheckoutActivity".to_owned()),
        ..SystemOptions::default()
    };
    walk(wide, &[("greenleaf checkout wide", "")]);
}

//! What stands in the way: screens that cannot be read, dialogs, a locked phone, a person who takes over.

use crate::support::{Says, Setup, check};
use serde_json::json;
use virtual_phone::android::Android;
use virtual_phone::system::System;

const SAVER: &str = "Turn on Battery Saver";

#[tokio::test(start_paused = true)]
async fn a_screen_that_cannot_be_read_at_first_is_waited_for() {
    for unread in 1..=3 {
        check(
            Setup::new(SAVER).unread(unread),
            "Battery Saver is on.",
            &[("/settings/batterySaver", json!(true))],
        )
        .await;
    }
    let run = check(
        Setup::new(SAVER).unread(1000),
        "I could not read what is on the screen",
        &[],
    )
    .await;
    assert!(run.steps() <= 6, "{}", run.transcript());
    let moving = Setup::new(SAVER).with(|options| options.endless_animation = true);
    check(
        moving,
        "I could not read what is on the screen",
        &[("/settings/batterySaver", json!(false))],
    )
    .await;
    let asleep = Setup::new(SAVER).with(|options| options.asleep = true);
    check(
        asleep,
        "Battery Saver is on.",
        &[("/settings/batterySaver", json!(true))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_permission_is_the_persons_to_give() {
    for (says, permission) in [(Says::Yes, "once"), (Says::No, "denied")] {
        check(
            Setup::new("Open the camera").says([says]),
            "Camera is open",
            &[(
                "/permissions/com.android.camera2 android.permission.CAMERA",
                json!(permission),
            )],
        )
        .await;
    }
    // It comes up in the middle of another task.
    let camera = |system: &mut System| {
        let intent = virtual_phone::android::Intent {
            action: Some("android.intent.action.MAIN".into()),
            package: Some("com.android.camera2".into()),
            ..Default::default()
        };
        system.start(&intent).unwrap();
    };
    for says in [Says::Yes, Says::No] {
        check(
            Setup::new(SAVER).says([says]).meanwhile(4, camera),
            "Battery Saver is on.",
            &[("/settings/batterySaver", json!(true))],
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_locked_phone_is_the_persons_to_unlock() {
    let locked = |says: Vec<Says>| Setup::new(SAVER).says(says).with(|options| options.locked = true);
    check(
        locked(vec![Says::No]),
        "The phone is locked",
        &[("/settings/batterySaver", json!(false))],
    )
    .await;
    let unlocks = || {
        Says::yes_after(|hand| {
            let (width, height) = hand.size();
            hand.swipe((width / 2, height - 10), (width / 2, height / 5));
        })
    };
    check(
        locked(vec![unlocks()]),
        "Battery Saver is on.",
        &[("/settings/batterySaver", json!(true))],
    )
    .await;
    // A Yes that unlocks nothing is not asked for again and again.
    let run = check(
        locked(vec![Says::Yes, Says::Yes, Says::Yes, Says::Yes]),
        "The phone is locked",
        &[],
    )
    .await;
    assert!(run.steps() <= 4, "{}", run.transcript());
}

#[tokio::test(start_paused = true)]
async fn a_computer_that_wants_to_debug_is_the_persons_to_allow() {
    let asks = |system: &mut System| system.ask_debugging("12:34");
    let run = check(
        Setup::new(SAVER).says([Says::Yes, Says::Yes]).meanwhile(3, asks),
        "USB debugging",
        &[],
    )
    .await;
    assert_eq!(run.state("/usbDebugging"), json!(null), "{}", run.transcript());
    let answers = Says::yes_after(|hand| hand.tap("Cancel"));
    check(
        Setup::new(SAVER).says([answers]).meanwhile(3, asks),
        "Battery Saver is on.",
        &[("/usbDebugging", json!(false))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_notifications_are_closed_first() {
    check(
        Setup::new(SAVER).meanwhile(3, |system| system.key(83, 0, false)),
        "Battery Saver is on.",
        &[("/settings/batterySaver", json!(true))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_takes_over_finds_it_going_on_from_there() {
    for step in 1..=4 {
        for (goal, says, ends, pointer, value) in [
            (
                SAVER,
                None,
                "Battery Saver",
                "/settings/batterySaver",
                json!(true),
            ),
            (
                "Text Dana that I’m late",
                Some(Says::Yes),
                "Dana got your message.",
                "/messages/sent/0/text",
                json!("I'm late."),
            ),
            (
                "Order the weekly groceries and pay",
                Some(Says::Yes),
                "is placed",
                "/greenleaf/orders/0/amount",
                json!(2340),
            ),
        ] {
            let elsewhere = Says::takes_at(step, |hand| {
                hand.open("com.android.contacts");
                hand.tap("Anna");
            });
            let says = std::iter::once(elsewhere).chain(says);
            check(Setup::new(goal).says(says), ends, &[(pointer, value)]).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_has_no_effect_is_given_up() {
    // Somebody puts the phone back to its home screen before every look.
    let again = |system: &mut System| system.key(3, 0, false);
    let run = check(
        Setup::new(SAVER).before_every_look(again),
        "",
        &[("/settings/batterySaver", json!(false))],
    )
    .await;
    assert!(run.message().contains("stopped"), "{}", run.transcript());
    assert!(run.steps() <= 20, "{}", run.transcript());
}

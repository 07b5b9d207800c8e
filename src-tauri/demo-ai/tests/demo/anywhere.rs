//! The same task from every screen there is, on every phone, however it is held.

use crate::starts::{MIDDLES, PAGES, Start};
use crate::support::{Says, Setup, check};
use serde_json::{Value, json};
use virtual_phone::system::demo_profiles;

/// A task, who answers what, what it ends with, and what is so then.
type Job = (&'static str, fn() -> Vec<Says>, &'static str, &'static str, Value);

fn groceries() -> Job {
    let yes = || vec![Says::Yes];
    (
        "Order the weekly groceries and pay",
        yes,
        "is placed",
        "/greenleaf/orders/0/amount",
        json!(2340),
    )
}

fn message() -> Job {
    let yes = || vec![Says::Yes];
    let sent = json!([{"to": "Dana Whitlock", "text": "I'm late."}]);
    (
        "Text Dana that I’m late",
        yes,
        "Dana got your message.",
        "/messages/sent",
        sent,
    )
}

fn switch() -> Job {
    (
        "Turn on Battery Saver",
        Vec::new,
        "Battery Saver is on.",
        "/settings/batterySaver",
        json!(true),
    )
}

fn sign_in() -> Job {
    (
        "Sign in to Northbank",
        || vec![Says::Code],
        "You’re signed in",
        "/northbank/signedIn",
        json!(true),
    )
}

fn setup((goal, says, ..): &Job) -> Setup {
    Setup::new(goal).says(says())
}

async fn from(starts: &[Start], job: Job) {
    let (_, _, ends, pointer, value) = &job;
    for start in starts {
        check(start.of(setup(&job)), ends, &[(pointer, value.clone())]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn groceries_from_any_page() {
    from(PAGES, groceries()).await;
}

#[tokio::test(start_paused = true)]
async fn groceries_from_the_middle_of_something() {
    from(MIDDLES, groceries()).await;
}

#[tokio::test(start_paused = true)]
async fn a_message_from_any_page() {
    from(PAGES, message()).await;
}

#[tokio::test(start_paused = true)]
async fn a_message_from_the_middle_of_something() {
    from(MIDDLES, message()).await;
}

#[tokio::test(start_paused = true)]
async fn a_switch_from_any_page() {
    from(PAGES, switch()).await;
}

#[tokio::test(start_paused = true)]
async fn a_switch_from_the_middle_of_something() {
    from(MIDDLES, switch()).await;
}

#[tokio::test(start_paused = true)]
async fn signing_in_from_any_page() {
    from(PAGES, sign_in()).await;
}

#[tokio::test(start_paused = true)]
async fn signing_in_from_the_middle_of_something() {
    from(MIDDLES, sign_in()).await;
}

#[tokio::test(start_paused = true)]
async fn on_every_phone_however_it_is_held() {
    for job in [groceries(), message(), switch(), sign_in()] {
        let (_, _, ends, pointer, value) = &job;
        for profile in demo_profiles() {
            let own = setup(&job)
                .named(&profile.phone.name)
                .with(|options| options.profile = profile);
            check(own, ends, &[(pointer, value.clone())]).await;
        }
        for (name, size, density, rotation, dark) in [
            ("turned left", (1080, 2400), 420, 1, false),
            ("turned right, dark", (1080, 2400), 420, 3, true),
            ("upside down", (1080, 2400), 420, 2, false),
            ("small", (720, 1280), 320, 0, true),
            ("narrow", (640, 1400), 320, 0, false),
            ("small and turned", (720, 1280), 320, 1, false),
            ("large letters", (1080, 2400), 560, 0, false),
            ("tablet", (1600, 2560), 320, 0, false),
        ] {
            let own = setup(&job).named(name).with(|options| {
                options.profile.phone.size = size;
                options.profile.phone.density = density;
                options.rotation = rotation;
                options.dark = dark;
            });
            check(own, ends, &[(pointer, value.clone())]).await;
        }
    }
}

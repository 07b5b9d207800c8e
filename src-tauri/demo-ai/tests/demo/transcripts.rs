//! Whole runs, to be read.

use crate::support::{Says, Setup, check};
use virtual_phone::system::Basket;

async fn snap(name: &str, setup: Setup, says: &str) {
    let run = check(setup, says, &[]).await;
    insta::assert_snapshot!(name, run.transcript());
}

#[tokio::test(start_paused = true)]
async fn groceries() {
    let goal = "Order the weekly groceries and pay";
    snap("groceries", Setup::new(goal).says([Says::Yes]), "is placed").await;
    let basket = Basket::Goods(vec![("Bananas".to_owned(), 1), ("Salmon fillet".to_owned(), 1)]);
    let filled = Setup::new(goal)
        .with(|options| options.basket = basket)
        .says([Says::No]);
    snap("groceries_with_a_filled_basket", filled, "Nothing was paid").await;
}

#[tokio::test(start_paused = true)]
async fn a_message() {
    let goal = "Text Dana that I’m running 10 minutes late and offer to bring her a coffee";
    snap("message", Setup::new(goal).says([Says::Yes]), "got your message").await;
}

#[tokio::test(start_paused = true)]
async fn a_code() {
    snap(
        "code",
        Setup::new("Sign in to Northbank").says([Says::Types("000000"), Says::Code]),
        "signed in",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn updates_and_a_switch() {
    let goal = "Install the waiting app updates, then turn on Battery Saver";
    snap(
        "updates",
        Setup::new(goal).says([Says::Yes]),
        "Battery Saver is on",
    )
    .await;
}

//! Single goods: as many as were asked for, no more; what the shop does not have is said.

use crate::support::{Says, Setup, check};
use protocol::AskKind;
use serde_json::{Value, json};
use virtual_phone::system::Basket;

/// The basket as `(name, quantity)`.
fn goods(lines: &Value) -> Vec<(String, u64)> {
    let line = |line: &Value| {
        (
            line["name"].as_str().unwrap().to_owned(),
            line["quantity"].as_u64().unwrap(),
        )
    };
    lines.as_array().unwrap().iter().map(line).collect()
}

fn named(goods: &[(&str, u64)]) -> Vec<(String, u64)> {
    goods
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn as_many_as_asked_for_are_put_into_the_basket() {
    for (goal, basket, says) in [
        (
            "Put 3 bananas in the basket",
            &[("Bananas", 3)][..],
            "3 Bananas are in the basket at Greenleaf. I did not pay.",
        ),
        (
            "put a banana into my basket please",
            &[("Bananas", 1)],
            "1 Bananas is in the basket",
        ),
        (
            "Order milk",
            &[("Whole milk", 1)],
            "1 Whole milk is in the basket",
        ),
        (
            "Buy two whole milk and a baguette at Greenleaf",
            &[("Whole milk", 2), ("Baguette", 1)],
            "2 Whole milk and 1 Baguette are",
        ),
        (
            "Order a dozen eggs, 2 avocados and some coffee",
            &[("Free-range eggs", 1), ("Avocado", 2), ("Ground coffee", 1)],
            "I did not pay.",
        ),
        (
            "add lettuce and unicorns to the basket",
            &[("Lettuce", 1)],
            "I did not find unicorns there.",
        ),
        ("Order bannanas", &[("Bananas", 1)], "1 Bananas is"),
        ("Order 12 bananas", &[("Bananas", 12)], "12 Bananas are"),
    ] {
        let run = check(Setup::new(goal), says, &[("/greenleaf/orders", json!([]))]).await;
        assert_eq!(
            goods(&run.state("/greenleaf/basket")),
            named(basket),
            "{goal}\n{}",
            run.transcript()
        );
        assert_eq!(run.asked(AskKind::Payment), 0, "{goal}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_there_already_counts() {
    let own = |goal| {
        Setup::new(goal).with(|options| {
            options.basket = Basket::Goods(vec![("Bananas".to_owned(), 2), ("Salmon fillet".to_owned(), 1)]);
        })
    };
    for (goal, basket) in [
        (
            "Put 3 bananas in the basket",
            &[("Bananas", 3), ("Salmon fillet", 1)][..],
        ),
        (
            "Put 2 bananas in the basket",
            &[("Bananas", 2), ("Salmon fillet", 1)],
        ),
        (
            "Put a lemon in the basket",
            &[("Bananas", 2), ("Salmon fillet", 1), ("Lemons", 1)],
        ),
    ] {
        let run = check(own(goal), "in the basket", &[("/greenleaf/orders", json!([]))]).await;
        assert_eq!(
            goods(&run.state("/greenleaf/basket")),
            named(basket),
            "{goal}\n{}",
            run.transcript()
        );
    }
    // The question is about all of it, and that is said.
    let run = check(
        own("Order a lemon and pay").says([Says::Yes]),
        "is placed",
        &[
            ("/greenleaf/basket", json!([])),
            ("/greenleaf/orders/1", json!(null)),
        ],
    )
    .await;
    assert!(
        run.transcript()
            .contains("1 Lemons is, with other goods, in the basket"),
        "{}",
        run.transcript()
    );
}

#[tokio::test(start_paused = true)]
async fn they_are_paid_only_after_a_yes() {
    for (says, ends, orders) in [(Says::Yes, "is placed", 1), (Says::No, "Nothing was paid", 0)] {
        let run = check(Setup::new("Order 2 baguettes and pay").says([says]), ends, &[]).await;
        assert_eq!(run.asked(AskKind::Payment), 1);
        assert_eq!(
            run.state("/greenleaf/orders").as_array().map(Vec::len),
            Some(orders),
            "{}",
            run.transcript()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_shop_has_not_is_said() {
    for goal in ["Order a unicorn and pay", "Buy three flying carpets"] {
        let run = check(
            Setup::new(goal).says([Says::Yes]),
            "Greenleaf has no",
            &[("/greenleaf/basket", json!([]))],
        )
        .await;
        assert_eq!(run.asked(AskKind::Payment), 0, "{}", run.transcript());
    }
}

//! The weekly order: paid once after a Yes, never after anything else.

use crate::support::{Says, Setup, check, check_paused};
use protocol::AskKind;
use serde_json::json;
use virtual_phone::system::Basket;

const GOAL: &str = "Order the weekly groceries and pay";

fn basket(goods: &[(&str, u32)]) -> Basket {
    Basket::Goods(
        goods
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect(),
    )
}

fn filled(goal: &str, basket: Basket) -> Setup {
    Setup::new(goal).with(|options| options.basket = basket)
}

#[tokio::test(start_paused = true)]
async fn yes_pays_once() {
    for goal in [
        GOAL,
        "order the weekly groceries, then pay",
        "Please do the weekly shopping at Greenleaf and check out.",
        "Order my usual grocries and pay for them",
        "Open Greenleaf, order the usual shopping and pay",
    ] {
        let run = check(
            Setup::new(goal).says([Says::Yes]),
            "is placed: $23.40 paid with Visa •••• 4821. It comes Thursday, 6–8 pm.",
            &[
                ("/greenleaf/orders/0/amount", json!(2340)),
                ("/greenleaf/orders/0/slot", json!("Thursday, 6–8 pm")),
                ("/greenleaf/orders/1", json!(null)),
                ("/greenleaf/basket", json!([])),
            ],
        )
        .await;
        assert_eq!(run.asked(AskKind::Payment), 1, "{}", run.transcript());
        assert!(run.steps() <= 8, "{}", run.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn no_leaves_the_basket_unpaid_and_is_not_asked_again() {
    let run = check(
        Setup::new(GOAL).says([Says::No]),
        "You said no. Nothing was paid. Your usual 8 items are still in the basket, $23.40 in all.",
        &[
            ("/greenleaf/orders", json!([])),
            ("/greenleaf/basket/7/name", json!("Lettuce")),
            ("/greenleaf/total", json!(2340)),
        ],
    )
    .await;
    assert_eq!(run.asked(AskKind::Payment), 1, "{}", run.transcript());
}

#[tokio::test(start_paused = true)]
async fn no_answer_is_no_and_pauses_until_the_person_comes_back() {
    let unpaid = [("/greenleaf/orders", json!([]))];
    check_paused(Setup::new(GOAL).says([Says::Nothing]), &unpaid).await;
    check(
        Setup::new(GOAL).says([Says::Nothing, Says::Resumes, Says::Yes]),
        "is placed",
        &[
            ("/greenleaf/orders/0/amount", json!(2340)),
            ("/greenleaf/orders/1", json!(null)),
        ],
    )
    .await;
    check(
        Setup::new(GOAL).says([Says::Nothing, Says::Resumes, Says::No]),
        "Nothing was paid",
        &unpaid,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_person_who_takes_over_at_the_payment_is_not_asked_for_it_twice() {
    for (hand, says, orders) in [
        (Says::takes(|hand| hand.tap("Pay $23.40")), "is placed", 1),
        // The order is placed, and the person has left its page.
        (
            Says::takes(|hand| {
                hand.tap("Pay $23.40");
                hand.tap("Back to shop");
            }),
            "is placed",
            1,
        ),
        (Says::takes(|hand| hand.wait(100)), "Nothing was paid", 0),
        (Says::takes(|hand| hand.key("HOME")), "Nothing was paid", 0),
    ] {
        let run = check(Setup::new(GOAL).says([hand, Says::No]), says, &[]).await;
        let paid = run.state("/greenleaf/orders").as_array().map(Vec::len);
        assert_eq!(paid, Some(orders), "{}", run.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn a_yes_for_a_page_that_changed_is_void_and_asked_again() {
    let changes = || {
        Says::yes_after(|hand| {
            hand.tap("Thursday, 6–8 pm");
            hand.tap("Friday, 6–8 pm");
            hand.tap("Continue");
        })
    };
    let run = check(
        Setup::new(GOAL).says([changes(), Says::Yes]),
        "is placed: $20.45",
        &[
            ("/greenleaf/orders/0/amount", json!(2045)),
            ("/greenleaf/orders/1", json!(null)),
        ],
    )
    .await;
    assert_eq!(run.asked(AskKind::Payment), 2, "{}", run.transcript());
    check(
        Setup::new(GOAL).says([changes(), Says::No]),
        "Nothing was paid",
        &[("/greenleaf/orders", json!([]))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_lies_in_the_basket_already_is_not_put_there_twice() {
    for (name, basket, says, amount, lines) in [
        ("the usual order", Basket::Usual, "is placed", 2340, 8),
        (
            "something else",
            basket(&[("Salmon fillet", 1)]),
            "is placed",
            3330,
            9,
        ),
        (
            "a part of it",
            basket(&[("Bananas", 1), ("Whole milk", 2)]),
            "is placed",
            2340,
            8,
        ),
        (
            "the usual order and more",
            basket(&USUAL_AND_SALMON),
            "is placed",
            3330,
            9,
        ),
    ] {
        let run = check(
            filled(GOAL, basket).named(name).says([Says::Yes]),
            says,
            &[("/greenleaf/orders/1", json!(null))],
        )
        .await;
        let order = run.state("/greenleaf/orders/0");
        assert_eq!(
            order["items"].as_array().map(Vec::len),
            Some(lines),
            "{name}: {order}\n{}",
            run.transcript()
        );
        assert_eq!(
            order["amount"],
            json!(amount),
            "{name}: {order}\n{}",
            run.transcript()
        );
    }
}

const USUAL_AND_SALMON: [(&str, u32); 9] = [
    ("Whole milk", 2),
    ("Free-range eggs", 1),
    ("Bananas", 1),
    ("Baguette", 1),
    ("Avocado", 1),
    ("Ground coffee", 1),
    ("Carrots", 1),
    ("Lettuce", 1),
    ("Salmon fillet", 1),
];

#[tokio::test(start_paused = true)]
async fn the_amount_is_what_the_shop_says() {
    for (total, says) in [(2185, "$21.85"), (9999, "$99.99"), (2900, "$29.00")] {
        let own = Setup::new(GOAL)
            .with(|options| options.total = Some(total))
            .says([Says::Yes]);
        check(own, says, &[("/greenleaf/orders/0/amount", json!(total))]).await;
    }
    // A limit in the person's words.
    for (goal, total, says, paid) in [
        (
            "Order the weekly groceries and pay if it is under $25",
            2340,
            "is placed",
            true,
        ),
        (
            "Order the weekly groceries and pay, but only if it is under $20",
            2340,
            "not under $20, so I did not pay",
            false,
        ),
        (
            "Order the weekly groceries and pay at most $23.40",
            2340,
            "is placed",
            true,
        ),
        (
            "Order the weekly groceries and pay at most $23.40",
            2341,
            "more than $23.40, so I did not pay",
            false,
        ),
    ] {
        let own = Setup::new(goal)
            .with(|options| options.total = Some(total))
            .says([Says::Yes]);
        let amount = if paid { json!(total) } else { json!(null) };
        check(own, says, &[("/greenleaf/orders/0/amount", amount)]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_paid_that_nobody_asked_to_pay() {
    for goal in [
        "Order the weekly groceries",
        "Put the weekly groceries in the basket, but don’t pay",
        "Order the weekly groceries and stop before paying",
        "Fill the basket with my usual order. Do not pay.",
    ] {
        let run = check(
            Setup::new(goal),
            "8 items are in the basket, $20.45 without delivery. I did not pay.",
            &[
                ("/greenleaf/orders", json!([])),
                ("/greenleaf/basket/7/name", json!("Lettuce")),
            ],
        )
        .await;
        assert_eq!(run.asked(AskKind::Payment), 0, "{}", run.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_in_the_persons_words_is_chosen() {
    for (goal, basket, slot) in [
        (
            "Order the weekly groceries for Friday evening and pay",
            Basket::Empty,
            "Friday, 6–8 pm",
        ),
        (
            "Order the weekly groceries for Wednesday and pay",
            Basket::Empty,
            "Wednesday, 10 am–12 pm",
        ),
        (
            "Order the weekly groceries for Thursday morning and pay",
            Basket::Usual,
            "Thursday, 10 am–12 pm",
        ),
        // Not offered: another is chosen, and shown in the question.
        (
            "Order the weekly groceries for Sunday and pay",
            Basket::Empty,
            "Thursday, 6–8 pm",
        ),
    ] {
        check(
            filled(goal, basket).says([Says::Yes]),
            slot,
            &[("/greenleaf/orders/0/slot", json!(slot))],
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_person_adds_meanwhile_is_followed() {
    let unpaid = [("/greenleaf/orders", json!([]))];
    let adds = |words| Setup::new(GOAL).says([Says::Adds(3, words), Says::Yes]);
    check(adds("Actually, don’t pay"), "I did not pay", &unpaid).await;
    check(adds("only if it is under $20"), "not under $20", &unpaid).await;
    check(adds("stop"), "You told me to stop", &unpaid).await;
    for (words, slot) in [
        ("Make it Friday evening", "Friday, 6–8 pm"),
        (
            "no, deliver it on Wednesday morning please",
            "Wednesday, 10 am–12 pm",
        ),
    ] {
        check(
            adds(words),
            "is placed",
            &[("/greenleaf/orders/0/slot", json!(slot))],
        )
        .await;
    }
    check(
        Setup::new("Order the weekly groceries").says([Says::Adds(2, "and pay"), Says::Yes]),
        "is placed",
        &[("/greenleaf/orders/0/amount", json!(2340))],
    )
    .await;
    check(
        adds("Then turn on Battery Saver"),
        "is placed … Battery Saver is on.",
        &[
            ("/settings/batterySaver", json!(true)),
            ("/greenleaf/orders/0/amount", json!(2340)),
        ],
    )
    .await;
    check(
        adds("and think of the unicorn"),
        "is placed … “and think of the unicorn”",
        &[],
    )
    .await;
}

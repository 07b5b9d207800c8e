//! Greenleaf: the order of the drawings, other orders, paying.

use crate::hand::{Hand, check};
use serde_json::json;
use virtual_phone::system::{Basket, SystemOptions};

fn plain() -> SystemOptions {
    SystemOptions::default()
}

fn checkout(basket: Basket) -> SystemOptions {
    SystemOptions {
        basket,
        start: Some("com.greenleaf.shop/.CheckoutActivity".to_owned()),
        ..plain()
    }
}

#[test]
fn the_weekly_order_costs_what_the_drawing_says_and_is_paid_once() {
    let script = "open com.greenleaf.shop\ntap Add all to basket\nsee 8 items\nsee $20.45\ntap Go to checkout\n\
                  tap 6–8 pm\ntap Continue\nsee $2.95\nsee $23.40";
    let goods = [
        ("Whole milk", 2, 580),
        ("Free-range eggs", 1, 465),
        ("Bananas", 1, 120),
        ("Baguette", 1, 180),
        ("Avocado", 1, 150),
        ("Ground coffee", 1, 240),
        ("Carrots", 1, 160),
        ("Lettuce", 1, 150),
    ];
    let goods: Vec<_> = goods
        .iter()
        .map(|(name, quantity, price)| json!({"name": name, "quantity": quantity, "price": price}))
        .collect();
    check(
        plain(),
        script,
        &[
            ("/greenleaf/total", json!(2340)),
            ("/greenleaf/orders", json!([])),
            ("/greenleaf/basket", json!(goods)),
        ],
    );
    check(
        plain(),
        &format!("{script}\ntap Pay $23.40\nsee Order placed"),
        &[
            ("/greenleaf/orders/0/amount", json!(2340)),
            ("/greenleaf/orders/0/items", json!(goods)),
            ("/greenleaf/orders/0/slot", json!("Wednesday, 6–8 pm")),
            ("/greenleaf/orders/1", json!(null)),
            ("/greenleaf/basket", json!([])),
        ],
    );
}

#[test]
fn paying_twice_leaves_two_orders() {
    let mut hand = Hand::new(checkout(Basket::Usual));
    hand.play("tap Pay $23.40\ntap Back to shop\ntap Add all to basket\ntap Go to checkout\ntap 10 am\ntap Continue\ntap Pay");
    assert_eq!(hand.state("/greenleaf/orders").as_array().map(Vec::len), Some(2));
    assert_ne!(
        hand.state("/greenleaf/orders/0/number"),
        hand.state("/greenleaf/orders/1/number")
    );
}

#[test]
fn back_after_paying_does_not_lead_to_the_checkout() {
    let mut hand = Hand::new(checkout(Basket::Usual));
    hand.play("tap Pay $23.40\nkey BACK");
    assert_eq!(
        hand.state("/screen/class"),
        json!("com.greenleaf.shop.MainActivity")
    );
    assert_eq!(hand.state("/greenleaf/orders").as_array().map(Vec::len), Some(1));
}

#[test]
fn totals_can_be_other_ones() {
    for (total, words) in [(2185, "Pay $21.85"), (9999, "Pay $99.99"), (100, "Pay $21.01")] {
        let options = SystemOptions {
            total: Some(total),
            ..checkout(Basket::Usual)
        };
        Hand::new(options).play(&format!("see {words}"));
    }
    let goods = vec![
        ("Salmon fillet".to_owned(), 2),
        ("Lemons".to_owned(), 1),
        ("Unicorn".to_owned(), 1),
    ];
    check(
        checkout(Basket::Goods(goods)),
        "see $22.00\nsee 2 × ½ lb\nsee Pay $24.95",
        &[
            ("/greenleaf/total", json!(2495)),
            ("/greenleaf/slot", json!("Thursday, 6–8 pm")),
        ],
    );
    check(
        checkout(Basket::Usual),
        "tap Thursday, 6–8 pm\nto Free\ntap Free\ntap Continue\nsee Pay $20.45",
        &[("/greenleaf/total", json!(2045))],
    );
}

#[test]
fn the_basket_is_filled_and_emptied_by_hand() {
    check(
        plain(),
        "open com.greenleaf.shop\ntap Search groceries\nwrite egg\ntap Add Free-range eggs\ntap Add one Free-range eggs\n\
         tap View basket · $9.30\ntap Remove one Free-range eggs",
        &[(
            "/greenleaf/basket",
            json!([{"name": "Free-range eggs", "quantity": 1, "price": 465}]),
        )],
    );
    check(
        plain(),
        "open com.greenleaf.shop\ntap Fruit\ntap Lemons\ntap Add one Lemons\ntap Add to basket · $4.40\ntap Remove one Lemons\n\
         tap Remove one Lemons\nsee Your basket is empty\ntap Go to checkout",
        &[
            ("/greenleaf/basket", json!([])),
            ("/screen/class", json!("com.greenleaf.shop.BasketActivity")),
        ],
    );
}

#[test]
fn nothing_is_paid_from_an_empty_basket() {
    check(
        checkout(Basket::Empty),
        "tap Pay\nkey ENTER\nkey ENTER",
        &[("/greenleaf/orders", json!([]))],
    );
}

#[test]
fn pay_is_reached_by_keys_too() {
    let paid = [("/greenleaf/orders/0/amount", json!(2340))];
    check(checkout(Basket::Usual), "key ENTER\nkey ENTER", &paid);
    check(checkout(Basket::Usual), "key TAB\nkey CENTER", &paid);
    let unpaid = [("/greenleaf/orders", json!([]))];
    check(checkout(Basket::Usual), "key ENTER", &unpaid);
}

//! From a basket that holds what is wanted to the paid order. Pay is pressed at most once for a Yes.

use super::shop::{self, Page};
use crate::decision_context::DecisionContext;
use crate::goal::{DayPart, DeliverySlot, Shopping};
use crate::memory::StepOutcome;
use crate::moves::{Move, NextMove, close_question};
use crate::view::is;
use crate::words::plain;
use protocol::{Element, ElementState};

/// How the button that pays begins.
pub(super) const PAY: &str = "Pay ";
/// A note: what the basket held when it was taken to checkout.
const CONTENTS: &str = "contents";
/// A note: for which wish the time was chosen.
const WISH: &str = "wish";
/// How often a Yes may be void before the task is given up.
const VOIDS: usize = 3;

/// Whether this order is to be paid at all.
pub(super) fn pays(scene: &DecisionContext<'_>, shopping: &Shopping) -> bool {
    (shopping.pay || scene.preferences.pay) && !scene.preferences.no_pay
}

/// When the order is to come: what was said last holds.
fn wished(scene: &DecisionContext<'_>, shopping: &Shopping) -> DeliverySlot {
    scene.preferences.slot.or(shopping.slot)
}

/// The next step at one of the pages between basket and order; `what` is a sentence about what is in the basket.
pub(super) fn next(scene: &DecisionContext<'_>, shopping: &Shopping, what: &str) -> NextMove {
    match shop::page(&scene.view) {
        Page::Basket => basket(scene, shopping, what),
        Page::Times => times(scene, wished(scene, shopping)),
        Page::Checkout => checkout(scene, shopping, what),
        _ => scene.back("I’m going back to the basket."),
    }
}

/// What the pages say after Pay was pressed, or as the person left them. `None`: nothing was pressed.
pub(super) fn settled(scene: &DecisionContext<'_>) -> Option<NextMove> {
    let page = shop::page(&scene.view);
    if page == Page::Sheet {
        return Some(close_question());
    }
    if scene.memory.has_pressed(PAY) {
        return Some(after_paying(scene, page));
    }
    // The person took over on the way to the payment, and may have paid.
    let went = scene
        .memory
        .deeds
        .iter()
        .position(|deed| deed.presses("Go to checkout"));
    let handed = went.is_some_and(|went| {
        scene.memory.deeds[went..]
            .iter()
            .any(|deed| deed.end == StepOutcome::ByHand)
    });
    match page {
        Page::Placed if handed => Some(NextMove::Done(placed(scene))),
        Page::Placed => {
            let thought = "This is an earlier order. I’m going back to the shop.";
            Some(NextMove::Do(match scene.view.button("Back to shop") {
                Some(button) => Move::tap(button, thought),
                None => Move::key("BACK", thought),
            }))
        }
        Page::Orders if handed => Some(orders(scene).unwrap_or_else(|| {
            NextMove::Left(
                "You used the phone yourself and the basket is empty, so I ordered nothing more.".to_owned(),
            )
        })),
        Page::Home if handed && scene.view.by_id("basket_count").is_none() => Some(to_orders(
            scene,
            "The basket is empty now. I’ll see whether you ordered yourself.",
        )),
        _ => None,
    }
}

/// Pay was pressed: is there an order?
fn after_paying(scene: &DecisionContext<'_>, page: Page) -> NextMove {
    match page {
        Page::Placed => NextMove::Done(placed(scene)),
        Page::Orders => orders(scene).unwrap_or_else(unsure),
        Page::Home => to_orders(scene, "I’ll check that the order is there."),
        Page::Checkout => {
            let wait = scene.wait_for("the shop to confirm the payment", 2);
            wait.map_or_else(unsure, NextMove::Do)
        }
        _ => scene.back("I pressed Pay. I’ll look for the order."),
    }
}

fn to_orders(scene: &DecisionContext<'_>, thought: &str) -> NextMove {
    match scene.view.button("Your orders") {
        Some(button) => NextMove::Do(Move::tap(button, thought)),
        None => scene
            .look_further("your orders")
            .map_or_else(unsure, NextMove::Do),
    }
}

fn unsure() -> NextMove {
    NextMove::Stop(
        "The shop does not show me whether the order was paid. Please check it yourself; I did not press Pay again."
            .to_owned(),
    )
}

fn placed(scene: &DecisionContext<'_>) -> String {
    let when = scene.view.text_of("order_slot");
    let summary = scene.view.text_of("order_summary");
    let (number, paid) = summary.split_once(" · ").unwrap_or((summary, ""));
    let mut message = format!("{number} is placed");
    if !paid.is_empty() {
        message.push_str(&format!(": {paid}"));
    }
    if !when.is_empty() {
        message.push_str(&format!(". It comes {when}"));
    }
    message + "."
}

/// The newest order on the page of all orders, where it is today's.
fn orders(scene: &DecisionContext<'_>) -> Option<NextMove> {
    let (number, amount) = (
        scene.view.text_of("order_number"),
        scene.view.text_of("order_amount"),
    );
    let today = plain(scene.view.text_of("order_details")).starts_with("today");
    today.then(|| NextMove::Done(format!("{number} is placed: {amount}.")))
}

fn basket(scene: &DecisionContext<'_>, shopping: &Shopping, what: &str) -> NextMove {
    let sum = scene.view.text_of("subtotal");
    if !pays(scene, shopping) {
        return NextMove::Done(format!(
            "{what} in the basket, {sum} without delivery. I did not pay."
        ));
    }
    match scene.view.button("Go to checkout") {
        Some(button) => {
            let step = Move::tap(
                button,
                format!("{what} in the basket, {sum} so far. Next is checkout."),
            );
            NextMove::Do(step.noting(CONTENTS, scene.view.text_of("count")))
        }
        None => NextMove::Left("The basket cannot be taken to checkout.".to_owned()),
    }
}

/// Chooses a time: the person's, else the one that is chosen, else Thursday evening as in other weeks, else an evening.
fn times(scene: &DecisionContext<'_>, wish: DeliverySlot) -> NextMove {
    let slots: Vec<&Element> = scene
        .view
        .all_by_id("slot")
        .filter(|e| e.label.contains(", "))
        .collect();
    let first = |slot: DeliverySlot| slots.iter().copied().find(|e| suits(&e.label, slot));
    let chosen = slots.iter().copied().find(|e| is_chosen(e));
    let usual = DeliverySlot {
        day: Some("thursday"),
        part: Some(DayPart::Evening),
    };
    let evening = DeliverySlot { day: None, ..usual };
    let wished = if wish == DeliverySlot::default() {
        chosen.or_else(|| first(usual))
    } else {
        first(wish)
    };
    if wished.is_none()
        && !is_settled(scene, wish)
        && let Some(step) = scene.look_further("the right time")
    {
        return NextMove::Do(step);
    }
    let other = || {
        let same_part = DeliverySlot { day: None, ..wish };
        let by_part = wish.part.and_then(|_| first(same_part));
        by_part
            .or(chosen)
            .or_else(|| first(usual))
            .or_else(|| first(evening))
            .or(slots.first().copied())
    };
    let Some(slot) = wished.or_else(other) else {
        return NextMove::Left("The shop offers no time of delivery that I can see.".to_owned());
    };
    let time = time_of(&slot.label);
    if !is_chosen(slot) {
        let why = if wished.is_none() {
            "The time you asked for is not offered. "
        } else {
            ""
        };
        return NextMove::Do(
            Move::tap(slot, format!("{why}I’m choosing {time}.")).noting(WISH, wish.words()),
        );
    }
    match scene.view.button("Continue") {
        Some(button) => {
            let thought = format!("Delivery is set for {time}. Next comes the payment page.");
            NextMove::Do(Move::tap(button, thought).noting(WISH, wish.words()))
        }
        None => NextMove::Left("The chosen time cannot be confirmed.".to_owned()),
    }
}

fn is_chosen(slot: &Element) -> bool {
    is(slot, ElementState::Checked) || is(slot, ElementState::Selected)
}

/// A time was chosen for this very wish, be it the one or another.
fn is_settled(scene: &DecisionContext<'_>, wish: DeliverySlot) -> bool {
    scene.memory.told(WISH).next_back() == Some(wish.words().as_str())
}

/// Day and hours of a row: `Thursday, 6–8 pm`.
fn time_of(label: &str) -> String {
    label.split(", ").take(2).collect::<Vec<_>>().join(", ")
}

fn suits(label: &str, slot: DeliverySlot) -> bool {
    let label = plain(label);
    let mut parts = label.split(", ");
    let (day, hours) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let evening = hours.ends_with("pm") && !hours.contains("am");
    slot.day.is_none_or(|wanted| wanted == day)
        && slot.part.is_none_or(|part| (part == DayPart::Evening) == evening)
}

fn checkout(scene: &DecisionContext<'_>, shopping: &Shopping, what: &str) -> NextMove {
    let view = &scene.view;
    let Some(pay) = view.starting(PAY) else {
        return match scene.look_further("the button to pay") {
            Some(step) => NextMove::Do(step),
            None => NextMove::Left("This checkout has no button to pay, so nothing was paid.".to_owned()),
        };
    };
    let amount = pay.label.trim_start_matches(PAY).to_owned();
    if scene.memory.denied(PAY) {
        return NextMove::Left(format!(
            "You said no. Nothing was paid. {what} still in the basket, {amount} in all."
        ));
    }
    if !pays(scene, shopping) {
        return NextMove::Done(format!(
            "{what} in the basket and ready: {amount} in all. I did not pay."
        ));
    }
    if let Some(limit) = &scene.preferences.limit {
        match screen::amounts(&pay.label)
            .first()
            .and_then(|amount| amount.minor)
        {
            Some(minor) if limit.allows(minor) => {}
            Some(_) => {
                let than = if limit.under { "not under" } else { "more than" };
                return NextMove::Left(format!(
                    "The order comes to {amount}, {than} {}, so I did not pay. It is ready in the basket.",
                    limit.text
                ));
            }
            None => {
                return NextMove::Left("I can’t tell what the order comes to, so I did not pay.".to_owned());
            }
        }
    }
    let delivery = view.by_id("delivery_card");
    let time = delivery.map(|card| time_of(&card.label)).unwrap_or_default();
    if let Some(card) = delivery
        && !suits(&time, wished(scene, shopping))
        && !is_settled(scene, wished(scene, shopping))
    {
        return NextMove::Do(Move::tap(
            card,
            format!("Delivery is set for {time}. You asked for another time."),
        ));
    }
    let voids = scene
        .memory
        .deeds
        .iter()
        .filter(|deed| deed.presses(PAY) && deed.end == StepOutcome::Void)
        .count();
    if voids >= VOIDS {
        return NextMove::Left("The page kept changing while you decided, so nothing was paid.".to_owned());
    }
    let delivery = if time.is_empty() {
        String::new()
    } else {
        format!(" Delivery is set for {time}.")
    };
    NextMove::Do(Move::tap(
        pay,
        format!("{what} in the basket.{delivery} Next I’d tap “{}”.", pay.label),
    ))
}

/// What the basket held when it was taken to checkout, in numbers.
pub(super) fn contents<'a>(scene: &'a DecisionContext<'_>) -> Option<&'a str> {
    scene
        .memory
        .told(CONTENTS)
        .next_back()
        .filter(|note| !note.is_empty())
}

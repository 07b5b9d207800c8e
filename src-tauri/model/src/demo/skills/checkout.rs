//! From a basket that holds what is wanted to the paid order. Pay is pressed at most once for a Yes.

use super::shop::{self, Page};
use crate::demo::goal::{DayPart, Shopping, Slot};
use crate::demo::memory::End;
use crate::demo::moves::{Move, Next};
use crate::demo::scene::Scene;
use crate::demo::view::{is, title_of};
use crate::demo::words::plain;
use protocol::{Element, State};

/// How the button that pays begins.
pub(super) const PAY: &str = "Pay ";
/// A note: what the basket held when it was taken to checkout.
const CONTENTS: &str = "contents";
/// How often a Yes may be void before the task is given up.
const VOIDS: usize = 3;

/// Whether this order is to be paid at all.
pub(super) fn pays(scene: &Scene<'_>, shopping: &Shopping) -> bool {
    (shopping.pay || scene.wishes.pay) && !scene.wishes.no_pay
}

/// The next step at one of the pages between basket and order; `what` is a sentence about what is in the basket.
pub(super) fn next(scene: &Scene<'_>, shopping: &Shopping, what: &str) -> Next {
    match shop::page(&scene.view) {
        Page::Basket => basket(scene, shopping, what),
        Page::Times => times(scene, shopping.slot),
        Page::Checkout => checkout(scene, shopping, what),
        _ => scene.back("I’m going back to the basket."),
    }
}

/// What the pages say after Pay was pressed, or as the person left them. `None`: nothing was pressed.
pub(super) fn settled(scene: &Scene<'_>) -> Option<Next> {
    let pressed = scene.memory.has_pressed(PAY);
    let went = scene.memory.deeds.iter().any(|deed| deed.presses("Go to checkout"));
    match shop::page(&scene.view) {
        Page::Placed if pressed => Some(Next::Done(placed(scene))),
        // The person took over at the payment and did it alone.
        Page::Placed if went && scene.memory.by_hand() => Some(Next::Done(placed(scene))),
        Page::Placed => Some(match scene.view.button("Back to shop") {
            Some(button) => Next::Do(Move::tap(button, "This is an earlier order. I’m going back to the shop.")),
            None => Next::Do(Move::key("BACK", "This is an earlier order. I’m going back to the shop.")),
        }),
        Page::Sheet => Some(Next::Do(Move::key("BACK", "A question lies over the page. I’m closing it."))),
        Page::Orders if pressed => Some(orders(scene)),
        Page::Home if pressed => Some(match scene.view.button("Your orders") {
            Some(button) => Next::Do(Move::tap(button, "I’ll check that the order is there.")),
            None => unsure(),
        }),
        Page::Checkout if pressed => {
            Some(scene.wait_for("the shop to confirm the payment", 2).map_or_else(unsure, Next::Do))
        }
        _ if pressed => Some(scene.back("I pressed Pay. I’ll look for the order.")),
        _ => None,
    }
}

fn unsure() -> Next {
    Next::Stop(
        "I pressed Pay once, after your Yes, but the shop does not show the order. Please check it yourself; I did not press \
         it again."
            .to_owned(),
    )
}

fn placed(scene: &Scene<'_>) -> String {
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

/// The newest order on the page of all orders.
fn orders(scene: &Scene<'_>) -> Next {
    let number = scene.view.text_of("order_number");
    let details = scene.view.text_of("order_details");
    if !plain(details).starts_with("today") {
        return unsure();
    }
    Next::Done(format!("{number} is placed: {}.", scene.view.text_of("order_amount")))
}

fn basket(scene: &Scene<'_>, shopping: &Shopping, what: &str) -> Next {
    let sum = scene.view.text_of("subtotal");
    if !pays(scene, shopping) {
        return Next::Done(format!("{what} in the basket, {sum} without delivery. I did not pay."));
    }
    match scene.view.button("Go to checkout") {
        Some(button) => {
            let step = Move::tap(button, format!("{what} in the basket, {sum} so far. Next is checkout."));
            Next::Do(step.noting(CONTENTS, scene.view.text_of("count")))
        }
        None => Next::Left("The basket cannot be taken to checkout.".to_owned()),
    }
}

/// Chooses a time: the person's, else the one that is chosen, else Thursday evening as in other weeks, else an evening.
fn times(scene: &Scene<'_>, wish: Slot) -> Next {
    let slots: Vec<&Element> = scene.view.all_by_id("slot").filter(|e| e.label.contains(", ")).collect();
    let chosen = slots.iter().copied().find(|e| is(e, State::Checked) || is(e, State::Selected));
    let wanted = wish != Slot::default();
    let usual = Slot { day: Some("thursday"), part: Some(DayPart::Evening) };
    let evening = Slot { day: None, part: Some(DayPart::Evening) };
    let first = |slot: Slot| slots.iter().copied().find(|e| suits(&e.label, slot));
    let best = if wanted { first(wish) } else { chosen.or_else(|| first(usual)) };
    if best.is_none()
        && chosen.is_none_or(|_| wanted)
        && !scene.memory.told("no time").any(|_| true)
        && let Some(step) = scene.look_further("the right time")
    {
        return Next::Do(step);
    }
    let Some(slot) = best.or(chosen).or_else(|| first(evening)).or_else(|| slots.first().copied()) else {
        return Next::Left("The shop offers no time of delivery that I can see.".to_owned());
    };
    let time = time_of(&slot.label);
    if !(is(slot, State::Checked) || is(slot, State::Selected)) {
        let why = if wanted && best.is_none() { "The time you asked for is not offered. " } else { "" };
        return Next::Do(Move::tap(slot, format!("{why}I’m choosing {time}.")).noting("time", time));
    }
    match scene.view.button("Continue") {
        Some(button) => Next::Do(Move::tap(button, format!("Delivery is set for {time}. Next comes the payment page."))),
        None => Next::Left("The chosen time cannot be confirmed.".to_owned()),
    }
}

/// Day and hours of a row: `Thursday, 6–8 pm`.
fn time_of(label: &str) -> String {
    label.split(", ").take(2).collect::<Vec<_>>().join(", ")
}

fn suits(label: &str, slot: Slot) -> bool {
    let label = plain(label);
    let mut parts = label.split(", ");
    let (day, hours) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let evening = hours.ends_with("pm") && !hours.contains("am");
    slot.day.is_none_or(|wanted| wanted == day)
        && slot.part.is_none_or(|part| (part == DayPart::Evening) == evening)
}

fn checkout(scene: &Scene<'_>, shopping: &Shopping, what: &str) -> Next {
    let view = &scene.view;
    let Some(pay) = view.starting(PAY) else {
        return match scene.look_further("the button to pay") {
            Some(step) => Next::Do(step),
            None => Next::Left("This checkout has no button to pay, so nothing was paid.".to_owned()),
        };
    };
    let amount = pay.label.trim_start_matches(PAY).to_owned();
    if scene.memory.denied(PAY) {
        return Next::Left(format!("You said no, so nothing was paid. {what} still in the basket, {amount} in all."));
    }
    if !pays(scene, shopping) {
        return Next::Done(format!("{what} in the basket and ready: {amount} in all. I did not pay."));
    }
    if let Some(limit) = &scene.wishes.limit {
        match screen::amounts(&pay.label).first().and_then(|amount| amount.minor) {
            Some(minor) if limit.allows(minor) => {}
            Some(_) => {
                let than = if limit.under { "not under" } else { "more than" };
                return Next::Left(format!(
                    "The order comes to {amount}, {than} {}, so I did not pay. It is ready in the basket.",
                    limit.text
                ));
            }
            None => return Next::Left("I can’t tell what the order comes to, so I did not pay.".to_owned()),
        }
    }
    let delivery = view.by_id("delivery_card");
    let time = delivery.map(|card| time_of(&card.label)).unwrap_or_default();
    if let Some(card) = delivery
        && shopping.slot != Slot::default()
        && !suits(&time, shopping.slot)
        && !scene.memory.has_pressed_lately(title_of(&card.label))
        && scene.memory.told("time").next().is_none()
    {
        return Next::Do(Move::tap(card, format!("Delivery is set for {time}. You asked for another time.")));
    }
    let voids = scene.memory.deeds.iter().filter(|deed| deed.presses(PAY) && deed.end == End::Void).count();
    if voids >= VOIDS {
        return Next::Left("The page kept changing while you decided, so nothing was paid.".to_owned());
    }
    let delivery = if time.is_empty() { String::new() } else { format!(" Delivery is set for {time}.") };
    Next::Do(Move::tap(pay, format!("{what} in the basket.{delivery} Next I’d tap “{}”.", pay.label)))
}

/// What the basket held when it was taken to checkout, in numbers.
pub(super) fn contents<'a>(scene: &'a Scene<'_>) -> Option<&'a str> {
    scene.memory.told(CONTENTS).next_back().filter(|note| !note.is_empty())
}

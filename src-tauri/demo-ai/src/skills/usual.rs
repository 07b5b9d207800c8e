//! The weekly order. What already lies in the basket is looked at first: a shop may add the list a second time.

use super::checkout;
use super::shop::{self, OrderLine, Page};
use crate::apps::GREENLEAF;
use crate::decision_context::DecisionContext;
use crate::goal::Shopping;
use crate::moves::{Move, NextMove};

const ADD: &str = "Add all to basket";
/// Notes: what is in the basket, what the usual order is, that a list was read to its end, that they agree.
const BASKET: &str = "basket";
const USUAL: &str = "usual";
const WHOLE: &str = "whole";
const AGREES: &str = "agrees";

pub(super) fn next(scene: &DecisionContext<'_>, shopping: &Shopping) -> NextMove {
    if !scene.is_in(&GREENLEAF) {
        return scene.open(&GREENLEAF, "The groceries come from Greenleaf. I’m opening it.");
    }
    if let Some(next) = checkout::settled(scene) {
        return next;
    }
    let ready = scene.memory.has_pressed_lately(ADD) || scene.memory.told(AGREES).next().is_some();
    match shop::page(&scene.view) {
        Page::Basket | Page::Times | Page::Checkout if ready => checkout::next(scene, shopping, &what(scene)),
        Page::Home if ready => to_basket(scene, "The usual order is in the basket. I’m going there."),
        Page::Basket => read_basket(scene),
        Page::Usual => compare(scene),
        Page::Home => home(scene),
        Page::Checkout => scene.back("Before anything is paid I’ll see what is in the basket."),
        Page::Search if scene.view.has_keyboard() => {
            NextMove::Do(Move::key("BACK", "I’m putting the keyboard away."))
        }
        _ => scene.back("I’m going back to the shop’s first page."),
    }
}

/// A sentence about what is in the basket, up to *are*.
fn what(scene: &DecisionContext<'_>) -> String {
    let usual = shop::gather(scene, USUAL, &[]);
    let now = shop::item_count(&scene.view);
    let count = now.or_else(|| checkout::contents(scene)?.split(' ').next()?.parse().ok());
    let noted = scene
        .memory
        .told("list")
        .next_back()
        .and_then(|note| note.parse::<usize>().ok());
    let size = if usual.is_empty() {
        noted
    } else {
        Some(usual.len())
    };
    match (count, size) {
        (Some(count), Some(size)) if count > size => {
            format!("Your usual {size} items and {} more are", count - size)
        }
        (Some(count), _) => format!("Your usual {count} items are"),
        (None, _) => "Your usual items are".to_owned(),
    }
}

/// How many items the shop's first page says the usual order has.
fn list_size(scene: &DecisionContext<'_>) -> Option<String> {
    let summary = scene
        .view
        .by_id("usual_order")?
        .label
        .split(", ")
        .find(|part| part.contains("item"))?
        .to_owned();
    Some(summary.split(' ').next().unwrap_or_default().to_owned())
}

fn home(scene: &DecisionContext<'_>) -> NextMove {
    // Looking into a basket that says it is empty would teach nothing.
    let filled = scene.view.by_id("basket_count").is_some();
    let read = scene.memory.told(WHOLE).any(|about| about == BASKET);
    if filled && !read {
        return to_basket(scene, "Something is in the basket already. I’ll look what it is.");
    }
    if read && !shop::gather(scene, BASKET, &[]).is_empty() {
        return match scene.view.starting("Your usual order") {
            Some(card) => NextMove::Do(Move::tap(card, "I’ll compare the basket with the usual order.")),
            None => further(scene),
        };
    }
    match scene.view.button(ADD) {
        Some(button) => {
            let step = Move::tap(
                button,
                "Here is your usual order. I’m adding all of it to the basket.",
            );
            NextMove::Do(match list_size(scene) {
                Some(size) => step.noting("list", size),
                None => step,
            })
        }
        None => further(scene),
    }
}

fn further(scene: &DecisionContext<'_>) -> NextMove {
    match scene.look_further("your usual order") {
        Some(step) => NextMove::Do(step),
        None => NextMove::Left("Greenleaf shows no usual order, so I ordered nothing.".to_owned()),
    }
}

fn to_basket(scene: &DecisionContext<'_>, thought: &str) -> NextMove {
    match scene.view.button("Basket") {
        Some(button) => NextMove::Do(Move::tap(button, thought)),
        None => NextMove::Left("I could not find the basket in Greenleaf.".to_owned()),
    }
}

/// Reads all lines of the basket, below what is shown too.
fn read_basket(scene: &DecisionContext<'_>) -> NextMove {
    let now = shop::basket_lines(&scene.view);
    let all = shop::gather(scene, BASKET, &now);
    let count = shop::item_count(&scene.view).unwrap_or(0);
    if all.len() < count
        && let Some(step) = scene.look_further("everything in the basket")
    {
        return NextMove::Do(step.noting(BASKET, shop::write(&now)));
    }
    let usual = shop::gather(scene, USUAL, &[]);
    let read = |step: Move| step.noting(BASKET, shop::write(&now)).noting(WHOLE, BASKET);
    if shop::holds(&all, &usual) {
        // Read again after it was compared: it is as it was.
        return match scene.view.button("Go to checkout") {
            Some(button) => {
                NextMove::Do(Move::tap(button, "The usual order is in the basket.").noting(AGREES, "yes"))
            }
            None => scene.back("The basket cannot be taken to checkout from here."),
        };
    }
    let thought = match all.len() {
        0 => "The basket is empty. I’m going back to your usual order.".to_owned(),
        count => format!("I see {count} in the basket. I’ll compare that with your usual order."),
    };
    match scene.back(thought) {
        NextMove::Do(step) => NextMove::Do(read(step)),
        other => other,
    }
}

/// On the page of the usual order: is it in the basket already?
fn compare(scene: &DecisionContext<'_>) -> NextMove {
    let basket = shop::gather(scene, BASKET, &[]);
    let read = scene.memory.told(WHOLE).any(|about| about == BASKET);
    let now = shop::usual_lines(&scene.view);
    let all = shop::gather(scene, USUAL, &now);
    if read && !basket.is_empty() {
        if let Some(step) = unread_rest(scene, &all) {
            return NextMove::Do(step.noting(USUAL, shop::write(&now)));
        }
        if shop::holds(&basket, &all) {
            let step = scene.back("The basket holds all of your usual order already.");
            return noting_list(step, &now, &all, true);
        }
    } else if !read {
        return scene.back("First I’ll see whether something is in the basket already.");
    }
    match scene.view.button(ADD) {
        Some(button) => {
            let missing = all
                .iter()
                .filter(|line| !shop::holds(&basket, std::slice::from_ref(line)))
                .count();
            let thought =
                format!("{missing} of your usual items are missing in the basket. I’m adding them.");
            noting_list(NextMove::Do(Move::tap(button, thought)), &now, &all, false)
        }
        None => further(scene),
    }
}

/// The list goes on below, and what is there was not seen yet.
fn unread_rest(scene: &DecisionContext<'_>, all: &[OrderLine]) -> Option<Move> {
    let size = scene
        .memory
        .told("list")
        .next_back()
        .and_then(|note| note.parse::<usize>().ok());
    if size.is_some_and(|size| all.len() >= size) {
        return None;
    }
    scene.look_further("the rest of the usual order")
}

fn noting_list(next: NextMove, now: &[OrderLine], all: &[OrderLine], agrees: bool) -> NextMove {
    let NextMove::Do(step) = next else { return next };
    let step = step
        .noting(USUAL, shop::write(now))
        .noting("list", all.len().to_string());
    NextMove::Do(if agrees { step.noting(AGREES, "yes") } else { step })
}

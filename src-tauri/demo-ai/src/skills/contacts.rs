//! Contacts: a new one, and somebody's number.

use super::people::{self, Match};
use crate::apps::CONTACTS;
use crate::decision_context::DecisionContext;
use crate::moves::{Move, NextMove, close_question};
use crate::view::{id, is_pressable, title_of, written};
use crate::words::{enumerate, plain, reads_as};

/// Adds somebody.
pub(crate) fn add(scene: &DecisionContext<'_>, name: &str, number: &str) -> NextMove {
    if !scene.is_in(&CONTACTS) {
        return scene.open(&CONTACTS, "I’m opening Contacts.");
    }
    let view = &scene.view;
    if view.by_id("alertTitle").is_some() {
        return close_question();
    }
    let with = if number.is_empty() {
        String::new()
    } else {
        format!(" with the number {number}")
    };
    let Some(head) = view.by_id("name") else {
        if scene.memory.has_pressed("Save") {
            return NextMove::Done(format!("{name} is in the contacts{with}."));
        }
        return match view.button("Create contact") {
            Some(create) => NextMove::Do(Move::tap(create, format!("I’m adding {name}."))),
            None => scene.back("I’m going back to the list of contacts."),
        };
    };
    if scene.could_not_type() {
        return NextMove::Left(format!(
            "This phone’s keyboard has no key for some letters of “{name}”, so nobody was added."
        ));
    }
    if !reads_as(written(head, &["Full name", "Name"]), name) {
        return scene.fill(head, name, &["Full name", "Name"], format!("The name is {name}."));
    }
    if let Some(phone) = view.by_id("phone")
        && !reads_as(written(phone, &["Number", "Phone"]), number)
    {
        return scene.fill(
            phone,
            number,
            &["Number", "Phone"],
            format!("The number is {number}."),
        );
    }
    match view.button("Save") {
        Some(save) => NextMove::Do(Move::tap(
            save,
            format!("Name and number are filled in. I’m saving {name}."),
        )),
        None => scene.look_further("the button to save").map_or_else(
            || NextMove::Left(format!("{name} could not be saved: the button is greyed out.")),
            NextMove::Do,
        ),
    }
}

/// Tells somebody's number.
pub(crate) fn number(scene: &DecisionContext<'_>, name: &str) -> NextMove {
    if !scene.is_in(&CONTACTS) {
        return scene.open(&CONTACTS, "I’m opening Contacts.");
    }
    let view = &scene.view;
    if view.by_id("alertTitle").is_some() {
        return close_question();
    }
    let card = view.text_of("large_title");
    if !card.is_empty() {
        let chosen = scene
            .memory
            .told("chosen")
            .any(|chosen| plain(chosen) == plain(card));
        if people::fit(name, card) < 3 && !chosen {
            return scene.back(format!("This is {card}. I’m going back to look for {name}."));
        }
        let digits = |label: &str| title_of(label).chars().filter(char::is_ascii_digit).count() >= 3;
        return match view.elements().find(|e| is_pressable(e) && digits(&e.label)) {
            Some(row) => NextMove::Done(format!("{card}’s number is {}.", title_of(&row.label))),
            None => scene.look_further("the number").map_or_else(
                || NextMove::Left(format!("{card} is in the contacts, but without a number.")),
                NextMove::Do,
            ),
        };
    }
    let rows = view.elements().filter(|e| is_pressable(e) && id(e) == "cliv");
    match people::find(name, rows.map(|row| (row.label.as_str(), row))) {
        Match::One(row) => NextMove::Do(
            Move::tap(row, format!("There is {}. I’m opening the card.", row.label))
                .noting("chosen", &row.label),
        ),
        Match::Several(names) => NextMove::Left(format!(
            "I found {}. Tell me which one you mean.",
            enumerate(&names)
        )),
        Match::Nobody if view.button("Create contact").is_none() => {
            scene.back("I’m going back to the list of contacts.")
        }
        Match::Nobody => scene.look_further(name).map_or_else(
            || NextMove::Left(format!("I found nobody called “{name}” in the contacts.")),
            NextMove::Do,
        ),
    }
}

//! Text messages: finding the conversation, writing, sending once, and looking whether it was sent.

use super::people::{self, Match};
use crate::apps::MESSAGES;
use crate::decision_context::DecisionContext;
use crate::moves::{Move, NextMove};
use crate::view::{id, is_pressable, title_of, written};
use crate::words::{enumerate, plain, reads_as, same, sentence};
use agent::prompt::cut;
use protocol::{Element, Role};

const SEND: &str = "Send";
const HINTS: &[&str] = &["Text message", "Message", "SMS message", "RCS message"];
const SEARCH: &[&str] = &["Search messages", "Search"];
const TO: &[&str] = &[
    "Type a name or phone number",
    "Type names, phone numbers or emails",
];
/// A note: no conversation with them was found.
const NO_TALK: &str = "no conversation";

pub(super) fn next(scene: &DecisionContext<'_>, to: &str, text: Option<&str>) -> NextMove {
    let Some(text) = scene.preferences.message.as_deref().or(text) else {
        return NextMove::Left(format!(
            "What should I write to {to}? Tell me the words and I’ll send them."
        ));
    };
    if !scene.is_in(&MESSAGES) {
        return scene.open(&MESSAGES, "I’m opening Messages.");
    }
    let view = &scene.view;
    if view.by_id("alertTitle").is_some() || view.by_id("compose_message_text").is_none() && is_menu(scene) {
        return NextMove::Do(Move::key("BACK", "Something lies over the page. I’m closing it."));
    }
    if let Some(field) = view.by_id("compose_message_text") {
        let title = view.text_of("conversation_title");
        return if is_with(scene, title, to) {
            conversation(scene, field, title, to, text)
        } else {
            scene.back(format!("This conversation is not with {to}. I’m going back."))
        };
    }
    if let Some(field) = view.by_id("recipient_text_view") {
        return begin(scene, field, to);
    }
    if let Some(field) = view.by_id("search_src_text") {
        return search(scene, field, to);
    }
    list(scene, to)
}

/// A menu is a window of its own: a few lines and nothing else.
fn is_menu(scene: &DecisionContext<'_>) -> bool {
    let mut rows = scene.view.elements().peekable();
    rows.peek().is_some() && rows.all(|e| e.role == Role::Item) && scene.view.list().is_none()
}

/// Whether a conversation is the right one: by its name, or because its row was chosen for it.
fn is_with(scene: &DecisionContext<'_>, title: &str, to: &str) -> bool {
    let chosen = scene
        .memory
        .deeds
        .iter()
        .rev()
        .find(|deed| deed.told("chosen").next().is_some());
    people::fit(to, title) >= 3
        || is_number(to) && digits(title) == digits(to)
        || chosen.is_some_and(|deed| deed.told("chosen").any(|name| same(name, title)))
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Somebody may be called by a number alone.
fn is_number(name: &str) -> bool {
    digits(name).len() >= 5
}

fn conversation(scene: &DecisionContext<'_>, field: &Element, title: &str, to: &str, text: &str) -> NextMove {
    let memory = scene.memory;
    let draft = written(field, HINTS);
    if memory.has_pressed(SEND) {
        return sent(scene, draft, to, text);
    }
    let written_before = memory.deeds.iter().any(|deed| deed.text() == Some(text));
    if written_before && memory.by_hand() && shows_sent(scene, draft, text) {
        return NextMove::Done(format!(
            "{} got your message: you sent it yourself.",
            sentence(to)
        ));
    }
    if memory.denied(SEND) {
        return NextMove::Left(format!(
            "You said no, so nothing was sent to {to}. The text is still written there."
        ));
    }
    if scene.could_not_type() {
        return NextMove::Left(format!(
            "This phone’s keyboard has no key for some letters of the message, so {to} got nothing."
        ));
    }
    if !reads_as(draft, text) {
        let other = if draft.is_empty() {
            ""
        } else {
            " in place of the draft that was there"
        };
        return scene.fill(
            field,
            text,
            HINTS,
            format!("I’m writing the message to {title}{other}."),
        );
    }
    match send_button(scene) {
        Some(send) => NextMove::Do(Move::tap(
            send,
            format!(
                "The message to {title} is written: “{}” Next I’d tap Send.",
                cut(text, 160)
            ),
        )),
        None => scene.look_further("the button to send").map_or_else(
            || NextMove::Left("The message is written, but I can’t find the button to send it.".to_owned()),
            NextMove::Do,
        ),
    }
}

fn send_button<'a>(scene: &DecisionContext<'a>) -> Option<&'a Element> {
    let by_id = scene
        .view
        .by_id("send_message_button")
        .filter(|e| is_pressable(e));
    by_id.or_else(|| {
        scene
            .view
            .elements()
            .find(|e| is_pressable(e) && plain(&e.label).starts_with("send"))
    })
}

/// Send was pressed: does the page show it?
fn sent(scene: &DecisionContext<'_>, draft: &str, to: &str, text: &str) -> NextMove {
    if shows_sent(scene, draft, text) {
        return NextMove::Done(format!("{} got your message.", sentence(to)));
    }
    if scene.view.has_keyboard() {
        return NextMove::Do(Move::key(
            "BACK",
            "The keyboard is in the way. I’ll see whether the message was sent.",
        ));
    }
    if let Some(step) = scene.wait_for("the message to show as sent", 2) {
        return NextMove::Do(step);
    }
    NextMove::Left(format!(
        "I pressed Send once, but the message to {to} does not show as sent. Please look at it."
    ))
}

/// The text is the newest message, and no draft any more.
fn shows_sent(scene: &DecisionContext<'_>, draft: &str, text: &str) -> bool {
    let newest = scene.view.all_by_id("message_text").next_back();
    draft.is_empty()
        && newest.is_some_and(|newest| reads_as(&newest.label, text))
        && !scene.view.text_of("message_status").is_empty()
}

fn list(scene: &DecisionContext<'_>, to: &str) -> NextMove {
    let none = scene.memory.told(NO_TALK).next().is_some();
    if !none && let Some(search) = scene.view.button("Search messages") {
        return NextMove::Do(Move::tap(search, format!("I’m looking for {to}.")));
    }
    if !none {
        // A page without a search: the list itself.
        let rows = scene
            .view
            .elements()
            .filter(|e| is_pressable(e) && e.role == Role::Item);
        if let Match::One(row) = people::find(to, rows.map(|row| (title_of(&row.label), row))) {
            return NextMove::Do(choose(row, "conversation"));
        }
    }
    match scene.view.button("Start new conversation") {
        Some(new) if none => NextMove::Do(Move::tap(
            new,
            format!("There is no conversation with {to} yet. I’m starting one."),
        )),
        _ if scene.view.way_back().is_some() => scene.back("I’m going back to the list of conversations."),
        _ => scene.look_further(to).map_or_else(
            || NextMove::Left(format!("I found no way to write to {to} here.")),
            NextMove::Do,
        ),
    }
}

fn choose(row: &Element, what: &str) -> Move {
    let name = title_of(&row.label);
    Move::tap(row, format!("There is {name}. I’m opening the {what}.")).noting("chosen", name)
}

/// The rows of people under a field that was searched in.
fn people<'a>(scene: &DecisionContext<'a>) -> impl Iterator<Item = (&'a str, &'a Element)> {
    let rows = scene
        .view
        .elements()
        .filter(|e| is_pressable(e) && e.role == Role::Item && !e.label.is_empty());
    rows.map(|row| (title_of(&row.label), row))
}

/// What to search for somebody by: a name up to its apostrophe, which phones write in more than one way.
fn query(to: &str) -> &str {
    to.split(['\'', '’'])
        .next()
        .filter(|name| !name.is_empty())
        .unwrap_or(to)
}

fn search(scene: &DecisionContext<'_>, field: &Element, to: &str) -> NextMove {
    if scene.memory.told(NO_TALK).next().is_some() {
        return scene.back("I’m going back to start a new conversation.");
    }
    if !reads_as(written(field, SEARCH), query(to)) {
        return scene.fill(field, query(to), SEARCH, format!("I’m searching for {to}."));
    }
    match people::find(to, people(scene)) {
        Match::One(row) => NextMove::Do(choose(row, "chat")),
        Match::Several(names) => which(&names),
        Match::Nobody => match scene.look_further(to).filter(|_| scene.view.list().is_some()) {
            Some(step) => NextMove::Do(step),
            None => match scene.back(format!("There is no conversation with {to} yet.")) {
                NextMove::Do(step) => NextMove::Do(step.noting(NO_TALK, to)),
                other => other,
            },
        },
    }
}

/// A new conversation: whom with.
fn begin(scene: &DecisionContext<'_>, field: &Element, to: &str) -> NextMove {
    if !reads_as(written(field, TO), query(to)) {
        return scene.fill(
            field,
            query(to),
            TO,
            format!("I’m looking for {to} among the contacts."),
        );
    }
    let numbered = |e: &&Element| {
        is_pressable(e) && id(e) != "recipient_text_view" && digits(&e.label).contains(&digits(to))
    };
    if is_number(to)
        && let Some(row) = scene.view.elements().find(numbered)
    {
        return NextMove::Do(
            Move::tap(row, format!("I’m writing to {to}.")).noting("chosen", title_of(&row.label)),
        );
    }
    match people::find(to, people(scene)) {
        Match::One(row) => NextMove::Do(choose(row, "chat")),
        Match::Several(names) => which(&names),
        Match::Nobody => match scene.look_further(to).filter(|_| scene.view.list().is_some()) {
            Some(step) => NextMove::Do(step),
            None => NextMove::Left(format!(
                "I found nobody called “{to}” in Messages or the contacts, so nothing was sent."
            )),
        },
    }
}

fn which(names: &[String]) -> NextMove {
    NextMove::Left(format!(
        "I found {}. Tell me which one you mean; nothing was sent.",
        enumerate(names)
    ))
}

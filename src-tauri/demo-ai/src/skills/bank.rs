//! Signing in to Northbank. Passwords and codes are the person's: they go straight to the phone.

use crate::apps::NORTHBANK;
use crate::decision_context::DecisionContext;
use crate::memory::{PastStep, StepOutcome};
use crate::moves::{Move, NextMove};
use crate::view::{id, is, written};
use crate::words::plain;
use protocol::{Act, Capability, Element, ElementState, Role};

/// How often a code is asked for: a run pauses when the same button is pressed on the same page more often.
const CODES: usize = 3;
const SIGN_IN: &str = "Sign in";
/// What an empty field for the user name shows.
const USER_HINT: &str = "Your user name";

pub(super) fn next(scene: &DecisionContext<'_>, balance: bool) -> NextMove {
    if !scene.is_in(&NORTHBANK) {
        return scene.open(&NORTHBANK, "I’m opening Northbank.");
    }
    let view = &scene.view;
    if view.button("Sign out").is_some() || view.by_id("account_name").is_some() {
        return signed_in(scene, balance);
    }
    if let Some(field) = code_field(scene) {
        return code(scene, field);
    }
    if view.fields().any(|field| is(field, ElementState::Password)) {
        return sign_in(scene);
    }
    if view.has_keyboard()
        && let Some(step) = scene.look_further("the page")
    {
        return NextMove::Do(step);
    }
    scene.back("This is another page of the bank. I’m going back.")
}

fn signed_in(scene: &DecisionContext<'_>, balance: bool) -> NextMove {
    let shown = scene.view.text_of("balance");
    let already = scene
        .memory
        .deeds
        .iter()
        .all(|deed| matches!(deed.act, Some(Act::LaunchApp { .. } | Act::Wait { .. })));
    let signed = if already {
        "You were signed in to Northbank already."
    } else {
        "You’re signed in to Northbank."
    };
    match (balance, shown) {
        (false, _) => NextMove::Done(signed.to_owned()),
        (true, "") => match scene.look_further("the balance") {
            Some(step) => NextMove::Do(step),
            None => NextMove::Left(format!("{signed} I could not find the balance.")),
        },
        (true, shown) => NextMove::Done(format!("{signed} The balance is {shown}.")),
    }
}

fn code_field<'a>(scene: &DecisionContext<'a>) -> Option<&'a Element> {
    let wants = |e: &&Element| id(e).contains("code") || plain(&e.label).contains("code");
    scene
        .view
        .elements()
        .filter(|e| is(e, ElementState::Editable))
        .find(wants)
}

fn code(scene: &DecisionContext<'_>, field: &Element) -> NextMove {
    let memory = scene.memory;
    if memory
        .asked(Capability::TwoFactor)
        .is_some_and(|deed| deed.end == StepOutcome::Denied)
    {
        return NextMove::Left("You gave no code, so you are not signed in to Northbank.".to_owned());
    }
    if let Some(confirm) = scene.view.button("Confirm") {
        return NextMove::Do(Move::tap(confirm, "The code is filled in. I’m confirming it."));
    }
    let error = scene.view.text_of("error");
    let begun = !field.value.as_deref().unwrap_or_default().is_empty();
    let confirm_hidden = !scene.view.says("Confirm") || scene.view.by_id("confirm").is_none();
    if begun && confirm_hidden {
        if let Some(step) = scene.look_further("the button to confirm") {
            return NextMove::Do(step);
        }
    } else if begun {
        return NextMove::Do(Move::set(
            field,
            "",
            "That is not the whole code. I’m clearing the field.",
        ));
    }
    // A password that was typed before does not count.
    let codes = memory.supplied_since(SIGN_IN);
    if codes >= CODES {
        return NextMove::Left("Northbank took none of the codes, so you are not signed in.".to_owned());
    }
    let asked = codes > 0;
    let instruction = instruction(scene, error, asked);
    let thought = match (asked, error) {
        (false, _) => "Northbank wants the code it sent you. You type it; I don’t see it.".to_owned(),
        (true, "") => "Northbank still wants a code.".to_owned(),
        (true, error) => format!("Northbank says: “{error}” I need the newest code from you."),
    };
    NextMove::Do(Move::ask(Capability::TwoFactor, instruction, thought))
}

/// What the page says about the code, for the person.
fn instruction(scene: &DecisionContext<'_>, error: &str, again: bool) -> String {
    let message = scene
        .view
        .elements()
        .find(|e| e.role == Role::Text && plain(&e.label).contains("code by text"));
    let words = message.map(|e| plain(&e.label)).unwrap_or_default();
    let digits = words
        .split(|c: char| !c.is_alphanumeric())
        .find_map(|word| word.parse::<u8>().ok().filter(|n| *n > 3));
    let ending = words
        .split("ending in ")
        .nth(1)
        .map(|rest| rest.trim_end_matches('.').to_owned());
    let size = digits.map_or_else(|| "a code".to_owned(), |digits| format!("{digits} digits"));
    let to = ending.map_or_else(String::new, |ending| {
        format!(" to your number ending in {ending}")
    });
    let sent = format!("A text message with {size} went{to}. I’m waiting at Northbank’s sign-in page.");
    match (again, error) {
        (false, _) => sent,
        (true, "") => format!("That was not the whole code. {sent}"),
        (true, error) => format!("{error} {sent}"),
    }
}

fn sign_in(scene: &DecisionContext<'_>) -> NextMove {
    let view = &scene.view;
    let button = view
        .elements()
        .find(|e| plain(&e.label) == plain(SIGN_IN) && is(e, ElementState::Clickable));
    let Some(button) = button else {
        return match scene.look_further("the button to sign in") {
            Some(step) => NextMove::Do(step),
            None => scene.back("I’m going back to find the sign-in button."),
        };
    };
    let error = view.text_of("error");
    if scene
        .memory
        .asked(Capability::Unknown)
        .is_some_and(|deed| deed.end == StepOutcome::Denied)
    {
        return NextMove::Left(
            "You are not signed in to Northbank: the user name or password is still missing.".to_owned(),
        );
    }
    // What the person did since is tried before anything is asked again.
    let fresh = scene.memory.last().is_some_and(|deed| {
        matches!(
            deed.end,
            StepOutcome::Yes | StepOutcome::ByHand | StepOutcome::Supplied
        )
    });
    if !is(button, ElementState::Disabled) && (error.is_empty() || fresh) {
        return NextMove::Do(Move::tap(
            button,
            "User name and password are filled in. I’m signing in.",
        ));
    }
    if !error.is_empty() {
        return by_hand(
            scene,
            format!("Northbank says: “{error}” Choose Take over, correct it, and hand the phone back."),
        );
    }
    let user = view.fields().find(|field| !is(field, ElementState::Password));
    let is_named = user.is_none_or(|field| !written(field, &[USER_HINT]).is_empty());
    let Some(password) = view
        .fields()
        .find(|field| is(field, ElementState::Password))
        .filter(|_| is_named)
    else {
        return by_hand(
            scene,
            "Northbank wants your user name. Choose Take over, type it, and hand the phone back. Your password goes \
             straight to the phone afterwards."
                .to_owned(),
        );
    };
    password_from_person(scene, password)
}

/// Nothing is written into the field: who is asked for it types it straight into the phone.
fn password_from_person(scene: &DecisionContext<'_>, field: &Element) -> NextMove {
    let typed = |deed: &&PastStep| matches!(&deed.act, Some(Act::Type { text, .. }) if text.is_empty());
    let last = scene.memory.deeds.iter().rev().find(typed).map(|deed| deed.end);
    match last {
        Some(StepOutcome::Denied) => {
            NextMove::Left("You gave no password, so you are not signed in to Northbank.".to_owned())
        }
        // The phone takes it from nobody, or it went elsewhere.
        Some(StepOutcome::NotDone | StepOutcome::Unsure | StepOutcome::Supplied) => by_hand(
            scene,
            "Northbank wants your password. Choose Take over, type it, and hand the phone back.".to_owned(),
        ),
        _ => NextMove::Do(Move::write(
            field,
            "",
            "Northbank wants your password. You type it; I don’t see it.",
        )),
    }
}

fn by_hand(scene: &DecisionContext<'_>, instruction: String) -> NextMove {
    if scene.memory.times_asked(Capability::Unknown) >= 2 {
        return NextMove::Left("Northbank did not take the sign-in, so you are not signed in.".to_owned());
    }
    NextMove::Do(Move::ask(
        Capability::Unknown,
        instruction,
        "Only you know how to sign in here.",
    ))
}

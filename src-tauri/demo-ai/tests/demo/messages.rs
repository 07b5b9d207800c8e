//! Text messages: written as the person meant them, sent once after a Yes.

use crate::support::{Says, Setup, check};
use protocol::AskKind;
use serde_json::{Value, json};

fn sent(to: &str, text: &str) -> Value {
    json!([{"to": to, "text": text}])
}

#[tokio::test(start_paused = true)]
async fn yes_sends_once() {
    let late = "I'm running 10 minutes late. Want me to bring you a coffee?";
    for (goal, to, text) in [
        (
            "Text Dana that I’m running 10 minutes late and offer to bring her a coffee",
            "Dana Whitlock",
            late,
        ),
        (
            "text dana whitlock: see you at the bridge",
            "Dana Whitlock",
            "See you at the bridge",
        ),
        ("Send “On my way!” to Mum", "Mum", "On my way!"),
        (
            "Ask Anna if she can come on Friday",
            "Anna",
            "Can you come on Friday?",
        ),
        (
            "Message Dana’s Bakery that I’ll come at noon",
            "Dana’s Bakery",
            "I'll come at noon.",
        ),
        // Nobody has written to them yet.
        ("Text the plant man that I’m late", "Plant man", "I'm late."),
        ("Text (555) 010-0155 that I’m late", "(555) 010-0155", "I'm late."),
    ] {
        let run = check(
            Setup::new(goal).says([Says::Yes]),
            "got your message.",
            &[("/messages/sent", sent(to, text))],
        )
        .await;
        assert_eq!(run.asked(AskKind::Send), 1, "{}", run.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn no_leaves_it_unsent() {
    let run = check(
        Setup::new("Text Dana that I’m late").says([Says::No]),
        "You said no, so nothing was sent to Dana.",
        &[("/messages/sent", json!([]))],
    )
    .await;
    assert_eq!(run.asked(AskKind::Send), 1, "{}", run.transcript());
}

#[tokio::test(start_paused = true)]
async fn who_is_not_known_or_not_told_is_said() {
    for (goal, says) in [
        (
            "Text Bartholomew that I’m late",
            "I found nobody called “Bartholomew” in Messages or the contacts, so nothing was sent.",
        ),
        ("Text Dana", "What should I write to Dana?"),
        // A letter the phone’s keyboard has no key for.
        ("Text Dana: “Спасибо”", "no key for some letters"),
    ] {
        let run = check(
            Setup::new(goal).says([Says::Yes]),
            says,
            &[("/messages/sent", json!([]))],
        )
        .await;
        assert_eq!(run.asked(AskKind::Send), 0, "{}", run.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn a_draft_of_somebody_else_is_not_sent() {
    let drafted = |goal| {
        Setup::new(goal).says([Says::Yes]).after(|hand| {
            hand.open("com.android.messaging");
            hand.tap("Dana Whitlock");
            hand.tap("compose_message_text");
            hand.write("Half a");
        })
    };
    check(
        drafted("Text Dana that I’m late"),
        "Dana got your message.",
        &[("/messages/sent", sent("Dana Whitlock", "I'm late."))],
    )
    .await;
    check(
        drafted("Text Mum that I’m late"),
        "Mum got your message.",
        &[("/messages/sent", sent("Mum", "I'm late."))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_yes_for_another_text_is_void() {
    let changes = Says::yes_after(|hand| {
        hand.tap("compose_message_text");
        hand.write("!!");
    });
    let run = check(
        Setup::new("Text Dana that I’m late").says([changes, Says::Yes]),
        "Dana got your message.",
        &[("/messages/sent", sent("Dana Whitlock", "I'm late."))],
    )
    .await;
    assert_eq!(run.asked(AskKind::Send), 2, "{}", run.transcript());
}

#[tokio::test(start_paused = true)]
async fn what_the_person_sends_by_hand_is_not_sent_again() {
    let run = check(
        Setup::new("Text Dana that I’m late").says([Says::takes(|hand| hand.tap("Send SMS")), Says::Yes]),
        "Dana got your message: you sent it yourself.",
        &[("/messages/sent", sent("Dana Whitlock", "I'm late."))],
    )
    .await;
    assert_eq!(run.asked(AskKind::Send), 1, "{}", run.transcript());
}

#[tokio::test(start_paused = true)]
async fn what_the_person_adds_meanwhile_is_followed() {
    for (words, to, text) in [
        (
            "Say “running late, sorry” instead",
            "Dana Whitlock",
            "Running late, sorry",
        ),
        ("No, text Mum instead", "Mum", "I'm late."),
        ("Actually, text Anna that I’m early", "Anna", "I'm early."),
    ] {
        let own = Setup::new("Text Dana that I’m late").says([Says::Adds(3, words), Says::Yes]);
        check(own, "got your message.", &[("/messages/sent", sent(to, text))]).await;
    }
    let own = Setup::new("Text Dana that I’m late").says([Says::Adds(3, "Never mind"), Says::Yes]);
    check(own, "You told me to stop", &[("/messages/sent", json!([]))]).await;
}

//! Codes: from the person to the phone, and nowhere else.

use crate::support::{Table, World, start};
use insta::assert_snapshot;
use protocol::{AskKind, Choice, What};
use secrecy::SecretString;

const CODE: &str = "418027";

/// All that the model was told.
fn prompts(table: &Table) -> String {
    let told = table.model.shown();
    told.iter()
        .map(|p| format!("{}{:?}", p.user(), p.facts))
        .collect()
}

/// A form with a user name in focus, a password, and a line about a code that will come.
#[tokio::test(start_paused = true)]
async fn a_password_goes_into_the_field_that_was_ringed() {
    const PASSWORD: &str = "annaharbour-9";
    let asks = r#"{"type": "type", "text": "?", "target": {"element": 4}}"#;
    let mut table = start(
        World::on("sign_in"),
        [
            asks.into(),
            r#"{"type": "finish", "message": "It is filled in."}"#.into(),
        ],
    );
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Password);
    assert!(ask.choices.contains(&Choice::Supply));
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(PASSWORD));
    table.end().await;
    let world = table.phone.world();
    assert_eq!((world.user.as_str(), world.password.as_str()), ("anna", PASSWORD));
    let prompts = prompts(&table);
    assert!(!prompts.contains(PASSWORD));
}

/// What the model wrote is kept as it came, and what must not be kept is taken out of it too.
#[tokio::test(start_paused = true)]
async fn the_reply_is_kept_as_it_came() {
    let unclear = format!("I see {CODE} there, and now?");
    let spoken = format!("It is {CODE}, so I wait.\n{{\"type\": \"wait\", \"durationMs\": 500}}");
    let mut table = start(
        World::on("code"),
        [
            WANTS_CODE.into(),
            unclear.as_str().into(),
            spoken.as_str().into(),
            r#"{"type": "finish", "message": "Signed in."}"#.into(),
        ],
    );
    let ask = table.question().await;
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(CODE));
    table.end().await;
    let kept: Vec<_> = table
        .journal
        .events()
        .into_iter()
        .filter_map(|event| match event.what {
            What::Decided { raw, .. } | What::Unclear { raw, .. } => Some(raw.unwrap()),
            _ => None,
        })
        .collect();
    assert_eq!(kept[0], WANTS_CODE);
    assert_eq!(kept[1], unclear.replace(CODE, "••••••"));
    assert_eq!(kept[2], spoken.replace(CODE, "••••••"));
    assert_eq!(kept.len(), 4);
}

const WANTS_CODE: &str = r#"{"thought": "A code is needed.", "action": {"type": "request_human_auth", "capability": "2fa", "instruction": "Type the code from Northbank."}}"#;

#[tokio::test(start_paused = true)]
async fn a_supplied_code_reaches_the_phone_and_nothing_else() {
    let mut table = start(
        World::on("code"),
        [
            WANTS_CODE.into(),
            r#"{"type": "wait", "durationMs": 500}"#.into(),
            r#"{"type": "tap", "target": {"text": "Verify"}}"#.into(),
            r#"{"type": "finish", "message": "Signed in."}"#.into(),
        ],
    );
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Code);
    assert_eq!(
        ask.choices,
        [Choice::Deny, Choice::Supply, Choice::TakeOver, Choice::MoreTime]
    );
    assert_eq!(ask.evidence.code_length, Some(6));
    table.handle.supply(
        ask.id.clone(),
        "another digest".into(),
        SecretString::from("000000"),
    );
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(CODE));
    table.end().await;
    assert!(table.phone.world().signed_in);
    assert_snapshot!(table.transcript());

    let journal = serde_json::to_string(&table.journal.events()).unwrap();
    let told = serde_json::to_string(&table.events).unwrap();
    let prompts = prompts(&table);
    for (name, text) in [("journal", journal), ("events", told), ("prompts", prompts)] {
        assert!(!text.contains(CODE), "the code is in the {name}");
        assert!(
            !text.contains("418 027") && !text.contains("418-027"),
            "the code is in the {name}"
        );
    }
    // From the supply on the field is one flat colour in every picture of that page, kept or sent.
    let kept = table.journal.frames();
    let sent: Vec<_> = table
        .model
        .shown()
        .into_iter()
        .filter_map(|prompt| prompt.picture)
        .collect();
    let after_supply = kept.len() - 3..kept.len() - 1;
    assert!(!after_supply.is_empty());
    for frame in &kept[after_supply] {
        assert!(
            is_flat(frame, 12, 252, 258, 288),
            "the field is not flat in a kept picture"
        );
    }
    let shrunk = &sent[1];
    let scale = f64::from(shrunk.width) / 270.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small pixels"
    )]
    let at = |n: f64| (n * scale) as usize;
    assert!(
        is_flat(shrunk, at(20.0), at(258.0), at(250.0), at(282.0)),
        "the field is not flat in a sent picture"
    );
}

/// A picture smaller than the screen: the field is flat where it lies on the picture.
#[tokio::test(start_paused = true)]
async fn a_supplied_code_is_flat_on_a_smaller_picture_too() {
    let mut table = start(
        World::on("code"),
        [
            WANTS_CODE.into(),
            r#"{"type": "wait", "durationMs": 500}"#.into(),
            r#"{"type": "finish"}"#.into(),
        ],
    );
    table.phone.sends_half_pictures();
    let ask = table.question().await;
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(CODE));
    table.end().await;
    assert_eq!(table.phone.world().code, CODE);
    let kept = table.journal.frames();
    let last = kept.last().unwrap();
    assert_eq!((last.width, last.height), (135, 300));
    assert!(is_flat(last, 5, 125, 130, 145), "the field is not flat");
    assert!(!is_flat(last, 5, 200, 130, 220), "what stands below it is");
}

fn is_flat(frame: &protocol::Frame, left: usize, top: usize, right: usize, bottom: usize) -> bool {
    let width = frame.width as usize;
    let pixel = |x: usize, y: usize| &frame.rgba[(y * width + x) * 4..(y * width + x) * 4 + 4];
    let first = pixel(left, top);
    (top..bottom).all(|y| (left..right).all(|x| pixel(x, y) == first))
}

/// No field wants one yet, and a code stands there to be read.
#[tokio::test(start_paused = true)]
async fn a_code_that_is_only_shown_reaches_nobody() {
    for (said, code) in [
        ("Northbank: your code is 482 913", "482 913"),
        ("Your code is 7KD-J2M", "7KD-J2M"),
    ] {
        let world = World {
            notice: said.to_owned(),
            ..World::on("shop")
        };
        let mut table = start(world, [r#"{"type": "finish"}"#.into()]);
        table.end().await;
        let prompts = prompts(&table);
        let journal = serde_json::to_string(&table.journal.events()).unwrap();
        assert!(
            !prompts.contains(code) && !journal.contains(code),
            "{prompts}\n{journal}"
        );
        for frame in table.journal.frames() {
            assert!(is_flat(&frame, 12, 302, 258, 338), "the code is in a picture");
        }
    }
}

/// Whoever says Yes to an amount of four digits after a code was wanted has seen it, and pays it.
#[tokio::test(start_paused = true)]
async fn a_total_of_four_digits_is_no_code() {
    let world = World {
        total: "$2300".into(),
        ..World::on("code")
    };
    let pay = r#"{"type": "tap", "target": {"text": "Pay $2300"}}"#;
    let mut table = start(
        world,
        [WANTS_CODE.into(), pay.into(), r#"{"type": "finish"}"#.into()],
    );
    let ask = table.question().await;
    table.phone.change(|world| world.page = "checkout");
    table.answer(&ask, Choice::Deny);
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Payment);
    assert_eq!(
        ask.evidence.amount.as_ref().map(|amount| amount.text.as_str()),
        Some("$2300")
    );
    table.answer(&ask, Choice::Approve);
    table.end().await;
    assert_eq!(table.phone.world().paid, ["$2300"], "{}", table.transcript());
}

#[tokio::test(start_paused = true)]
async fn a_model_that_types_a_code_itself_is_stopped() {
    for way in [
        r#"{"type": "type", "text": "418027"}"#,
        r#"{"type": "type", "text": "418 027"}"#,
        r#"{"type": "set_value", "target": {"element": 3}, "value": "418027"}"#,
        r#"{"type": "keyevent", "keycode": "KEYCODE_4"}"#,
        r#"{"type": "keyevent", "keycode": "11"}"#,
        r#"{"type": "shell", "command": "input text 418027"}"#,
    ] {
        let mut table = start(World::on("code"), [way.into(), r#"{"type": "finish"}"#.into()]);
        let ask = table.question().await;
        assert_eq!(ask.kind, AskKind::Code, "{way}");
        assert!(!ask.choices.contains(&Choice::Approve), "{way}");
        table.answer(&ask, Choice::Deny);
        table.end().await;
        assert_eq!(table.phone.world().code, "", "{way}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_code_is_not_typed_into_another_screen() {
    let mut table = start(
        World::on("code"),
        [WANTS_CODE.into(), r#"{"type": "finish"}"#.into()],
    );
    let ask = table.question().await;
    table.phone.change(|world| world.page = "chat");
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(CODE));
    table.end().await;
    assert_eq!(table.phone.world().draft, "");
    assert_eq!(table.phone.record(), Vec::<String>::new());
    assert_snapshot!(table.transcript());
}

#[tokio::test(start_paused = true)]
async fn a_supplied_code_goes_nowhere_else_afterwards() {
    let mut table = start(
        World::on("code"),
        [
            WANTS_CODE.into(),
            r#"{"type": "shell", "command": "echo 418-027"}"#.into(),
            r#"{"type": "open_url", "url": "https://example.com/?c=418027"}"#.into(),
            r#"{"type": "finish"}"#.into(),
        ],
    );
    let ask = table.question().await;
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), SecretString::from(CODE));
    table.end().await;
    assert_eq!(table.phone.record(), ["secret typed"]);
}

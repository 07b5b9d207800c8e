//! Northbank: passwords, codes, transfers.

use crate::hand::{Hand, check};
use serde_json::json;
use virtual_phone::system::SystemOptions;

fn plain() -> SystemOptions {
    SystemOptions::default()
}

#[test]
fn a_code_arrives_by_message_and_opens_the_bank() {
    let mut hand = Hand::new(plain());
    hand.play("open com.northbank.mobile\ntap Sign in");
    assert_eq!(hand.state("/northbank/codesSent"), json!(1));
    assert_eq!(
        hand.state("/messages/received"),
        json!([]),
        "messages take their time"
    );
    hand.wait(2000);
    assert_eq!(hand.state("/messages/received/0/from"), json!("Northbank"));
    assert_eq!(
        hand.state("/notifications/0"),
        json!({"app": "Messages", "title": "Northbank", "text": "New message"})
    );
    let code = hand.code();
    assert_eq!(code.len(), 6);
    hand.play("tap 6-digit code");
    hand.write(&code);
    hand.play("tap Confirm");
    assert_eq!(hand.state("/northbank/signedIn"), json!(true));
    assert_eq!(hand.state("/northbank/failedCodes"), json!(0));
    let northbank = hand.state("/northbank").to_string();
    assert!(
        !northbank.contains(&code),
        "the bank does not tell its codes: {northbank}"
    );
}

#[test]
fn a_wrong_code_is_counted_and_the_third_brings_a_new_one() {
    let mut hand = Hand::new(plain());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 2000\ntap 6-digit code\nwrite 00000");
    assert!(
        !hand.must_find("Confirm").is("enabled"),
        "five digits are not a code"
    );
    hand.play("write 0\ntap Confirm\nsee That code didn’t work. Check the newest message.");
    let first = hand.code();
    hand.play("write 000000\nkey ENTER\nwrite 000000\nkey ENTER\nsee That was too often. We sent a new code.\nwait 2000");
    assert_eq!(hand.state("/northbank/failedCodes"), json!(3));
    assert_eq!(hand.state("/northbank/codesSent"), json!(2));
    assert_ne!(hand.code(), first);
    hand.write(&first);
    hand.play("key ENTER");
    assert_eq!(
        hand.state("/northbank/signedIn"),
        json!(false),
        "the old code opens nothing"
    );
}

#[test]
fn codes_come_from_the_seed() {
    let code = |seed| {
        let mut hand = Hand::new(SystemOptions { seed, ..plain() });
        hand.play("open com.northbank.mobile\ntap Sign in\nwait 2000");
        hand.code()
    };
    assert_eq!(code(7), code(7));
    assert_ne!(code(7), code(8));
}

#[test]
fn a_wrong_password_is_refused() {
    let options = SystemOptions {
        northbank_remembered: false,
        ..plain()
    };
    let user = "open com.northbank.mobile\ntap Your user name\nwrite anna\nkey ENTER";
    let wrong = [
        ("/northbank/failedPasswords", json!(1)),
        ("/northbank/codesSent", json!(0)),
    ];
    check(
        options.clone(),
        &format!("{user}\nwrite guess\ntap Sign in\nsee User name or password is wrong."),
        &wrong,
    );
    check(
        options,
        &format!("{user}\nwrite harbour-9\nkey ENTER"),
        &[("/northbank/codesSent", json!(1))],
    );
}

#[test]
fn money_is_sent_only_after_a_question() {
    let mut hand = Hand::new(plain());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 8000\ntap 6-digit code");
    let code = hand.code();
    hand.write(&code);
    hand.play(
        "tap Confirm\ntap Transfer\ntap Name\nwrite Dana Whitlock\nkey ENTER\nwrite 12.5\ntap Send $12.50",
    );
    assert_eq!(hand.state("/northbank/transfers"), json!([]));
    hand.play("tap android:id/button1");
    assert_eq!(
        hand.state("/northbank/transfers"),
        json!([{"to": "Dana Whitlock", "amount": 1250, "note": ""}])
    );
    assert_eq!(hand.state("/northbank/balance"), json!(240_610));
}

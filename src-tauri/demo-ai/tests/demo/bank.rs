//! Signing in to Northbank: the code goes from the person to the phone, and nowhere else.

use crate::support::{Outcome, Says, Setup, check, check_paused};
use protocol::AskKind;
use serde_json::json;

const GOAL: &str = "Sign in to Northbank";

fn goal(says: impl IntoIterator<Item = Says>) -> Setup {
    Setup::new(GOAL).says(says)
}

/// Every code was asked for by `request_human_auth` as a code of the second factor; the AI itself wrote nothing.
fn asked_for_codes_only(run: &Outcome, codes: usize) {
    let actions = run.actions();
    let asks = actions
        .iter()
        .filter(|action| action["type"] == "request_human_auth");
    let two_factor = asks.filter(|action| action["capability"] == "2fa").count();
    assert_eq!(two_factor, codes, "{}", run.transcript());
    assert_eq!(run.asked(AskKind::Code), codes, "{}", run.transcript());
    let writes = actions.iter().any(|action| {
        let text = action["text"].as_str().or(action["value"].as_str());
        text.is_some_and(|text| !text.is_empty())
    });
    assert!(!writes, "{}", run.transcript());
}

#[tokio::test(start_paused = true)]
async fn the_persons_code_signs_in() {
    for words in [
        GOAL,
        "log in to my bank",
        "Sign me in to Northbnak please",
        "log into Northbank",
    ] {
        let run = check(
            Setup::new(words).says([Says::Code]),
            "You’re signed in to Northbank.",
            &[
                ("/northbank/signedIn", json!(true)),
                ("/northbank/failedCodes", json!(0)),
            ],
        )
        .await;
        asked_for_codes_only(&run, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_code_is_followed_by_another_question() {
    for (wrong, failed) in [("000000", 1), ("12", 0)] {
        let run = check(
            goal([Says::Types(wrong), Says::Code]),
            "You’re signed in to Northbank.",
            &[
                ("/northbank/signedIn", json!(true)),
                ("/northbank/failedCodes", json!(failed)),
            ],
        )
        .await;
        asked_for_codes_only(&run, 2);
    }
    let wrong = || Says::Types("000000");
    let run = check(
        goal([wrong(), wrong(), Says::Code]),
        "You’re signed in to Northbank.",
        &[("/northbank/failedCodes", json!(2))],
    )
    .await;
    asked_for_codes_only(&run, 3);
    let run = check(
        goal([wrong(), wrong(), wrong(), Says::Code]),
        "Northbank took none of the codes",
        &[("/northbank/signedIn", json!(false))],
    )
    .await;
    asked_for_codes_only(&run, 3);
}

#[tokio::test(start_paused = true)]
async fn without_a_code_nobody_is_signed_in() {
    let out = [("/northbank/signedIn", json!(false))];
    let run = check(
        goal([Says::No]),
        "You gave no code, so you are not signed in",
        &out,
    )
    .await;
    asked_for_codes_only(&run, 1);
    let run = check(goal([Says::Types("000000"), Says::No]), "You gave no code", &out).await;
    asked_for_codes_only(&run, 2);
    check_paused(goal([Says::Nothing]), &out).await;
    check(
        goal([Says::Nothing, Says::Resumes, Says::Code]),
        "You’re signed in",
        &[("/northbank/signedIn", json!(true))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn who_takes_over_may_sign_in_alone() {
    let by_hand = Says::takes(|hand| {
        let code = hand.newest_code();
        hand.tap("6-digit code");
        hand.write(&code);
        hand.tap("Confirm");
    });
    let run = check(
        goal([by_hand]),
        "signed in to Northbank",
        &[("/northbank/signedIn", json!(true))],
    )
    .await;
    asked_for_codes_only(&run, 1);
    let went_away = Says::takes(|hand| hand.key("HOME"));
    check(
        goal([went_away, Says::Code]),
        "You’re signed in",
        &[("/northbank/signedIn", json!(true))],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn who_is_signed_in_is_not_asked() {
    for words in [GOAL, "What is my bank balance?"] {
        let own = Setup::new(words).at("com.northbank.mobile/.HomeActivity");
        let own = own.after(|hand| {
            hand.open("com.northbank.mobile");
            hand.tap("Sign in");
            let code = hand.newest_code();
            hand.tap("6-digit code");
            hand.write(&code);
            hand.tap("Confirm");
            hand.key("HOME");
        });
        let says = if words == GOAL {
            "You were signed in to Northbank already."
        } else {
            "The balance is $"
        };
        let run = check(own, says, &[("/northbank/signedIn", json!(true))]).await;
        asked_for_codes_only(&run, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn the_balance_is_told_after_signing_in() {
    check(
        Setup::new("Sign in to Northbank and tell me the balance").says([Says::Code]),
        "You’re signed in to Northbank. The balance is $",
        &[
            ("/northbank/signedIn", json!(true)),
            ("/northbank/transfers", json!([])),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn name_and_password_are_the_persons_too() {
    let forgotten = |says: Vec<Says>| goal(says).with(|options| options.northbank_remembered = false);
    let fills_in = || {
        Says::takes(|hand| {
            hand.tap("User name");
            hand.write("anna");
            hand.tap("Password");
            hand.write("harbour-9");
        })
    };
    check(
        forgotten(vec![fills_in(), Says::Code]),
        "You’re signed in",
        &[
            ("/northbank/signedIn", json!(true)),
            ("/northbank/failedPasswords", json!(0)),
        ],
    )
    .await;
    // Who types the user name only is asked for the password, which goes straight to the phone.
    let names = || {
        Says::takes(|hand| {
            hand.tap("User name");
            hand.write("anna");
        })
    };
    let run = check(
        forgotten(vec![names(), Says::Types("harbour-9"), Says::Code]),
        "You’re signed in",
        &[
            ("/northbank/signedIn", json!(true)),
            ("/northbank/failedPasswords", json!(0)),
        ],
    )
    .await;
    assert_eq!(run.asked(AskKind::Password), 1, "{}", run.transcript());
    assert!(!run.transcript().contains("harbour-9"), "{}", run.transcript());
    asked_for_codes_only(&run, 1);
    let run = check(
        forgotten(vec![names(), Says::No]),
        "You gave no password, so you are not signed in",
        &[("/northbank/signedIn", json!(false))],
    )
    .await;
    assert_eq!(run.asked(AskKind::Code), 0);
    // A password that is wrong is corrected by hand: it stands in its field already.
    let corrects = Says::takes(|hand| {
        hand.tap("/password");
        hand.key("DEL");
        hand.write("9");
    });
    let run = check(
        forgotten(vec![names(), Says::Types("harbour-8"), corrects, Says::Code]),
        "You’re signed in",
        &[("/northbank/failedPasswords", json!(1))],
    )
    .await;
    asked_for_codes_only(&run, 1);
    for says in [vec![Says::No], vec![Says::takes(|hand| hand.wait(100)), Says::No]] {
        check(
            forgotten(says),
            "not signed in",
            &[("/northbank/signedIn", json!(false))],
        )
        .await;
    }
    let wrong = Says::takes(|hand| {
        hand.tap("User name");
        hand.write("anna");
        hand.tap("Password");
        hand.write("harbour-8");
    });
    let corrects = Says::takes(|hand| {
        hand.tap("/password");
        hand.key("DEL");
        hand.write("9");
    });
    check(
        forgotten(vec![wrong, corrects, Says::Code]),
        "You’re signed in",
        &[
            ("/northbank/failedPasswords", json!(1)),
            ("/northbank/signedIn", json!(true)),
        ],
    )
    .await;
}

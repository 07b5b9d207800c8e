//! Examined as a person's phone is: what is told of a phone that is well, and of one that is not.

use crate::rig::{Rig, Setup, small};
use adb::doctor::{Finding, Verdict, examine};
use agent::ports::Phone;
use virtual_phone::Fault;
use virtual_phone::system::SystemOptions;

async fn examined(rig: &Rig) -> Vec<Finding> {
    let mut found = Vec::new();
    examine(&rig.phone, &rig.lease.take(), |one| found.push(one))
        .await
        .unwrap();
    found
}

fn of<'a>(found: &'a [Finding], check: &str) -> &'a Finding {
    found
        .iter()
        .find(|one| one.check == check)
        .unwrap_or_else(|| panic!("no {check} in {found:?}"))
}

#[tokio::test]
async fn a_phone_that_is_well_is_told_so() {
    let rig = Rig::socket(Setup::at("")).await;
    rig.phone.use_scrcpy(None);
    let before = rig.handle.state();
    let found = examined(&rig).await;
    for check in [
        "latency", "android", "lock", "keyboard", "input", "capture", "tree",
    ] {
        assert_eq!(of(&found, check).verdict, Verdict::Fine, "{check}: {found:#?}");
        assert_eq!(of(&found, check).advice, None, "{check}");
    }
    assert_eq!(of(&found, "capture").values["width"], "360");
    // Its key map is English, and nothing else types on it.
    let typing = of(&found, "typing");
    assert!(
        matches!(typing.advice, Some("install_scrcpy" | "open_a_field")),
        "{typing:?}"
    );
    // What was done to find out has left nothing behind in its apps.
    assert_eq!(rig.handle.state()["notes"], before["notes"]);
    assert_eq!(rig.handle.state()["messages"], before["messages"]);
}

#[tokio::test]
async fn touches_that_are_forbidden_are_told_with_the_switch_to_turn_on() {
    let rig = Rig::socket(Setup::at("").with(&[Fault::InjectEvents])).await;
    let found = examined(&rig).await;
    let input = of(&found, "input");
    assert_eq!(
        (input.verdict, input.advice),
        (Verdict::Failed, Some("security_settings"))
    );
    assert_eq!(of(&found, "typing").advice, Some("touches_first"));
}

#[tokio::test]
async fn what_cannot_be_seen_is_told() {
    let rig = Rig::socket(Setup::at("").with(&[Fault::TreeNullRoot, Fault::BlackCapture])).await;
    let found = examined(&rig).await;
    assert_eq!(of(&found, "tree").advice, Some("still_screen"));
    assert_eq!(of(&found, "capture").advice, Some("wake"));
}

/// A dark and locked phone without a PIN is ready after one call; a second has nothing to do.
#[tokio::test]
async fn a_dark_phone_is_woken_and_opened() {
    for (locked, asleep) in [(true, true), (true, false), (false, true), (false, false)] {
        let setup = Setup {
            options: SystemOptions {
                locked,
                asleep,
                ..small()
            },
            ..Setup::at("")
        };
        let rig = Rig::socket(setup).await;
        assert_eq!(rig.phone.wake(&rig.lease.take()).await, Ok(locked || asleep));
        let now = rig.phone.condition().await.unwrap();
        assert_eq!(
            (now.awake, now.locked),
            (Some(true), Some(false)),
            "{locked} {asleep}"
        );
        assert_eq!(rig.phone.wake(&rig.lease.take()).await, Ok(false));
    }
}

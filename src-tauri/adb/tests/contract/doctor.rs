//! Examined as a person's phone is: what is told of a phone that is well, and of one that is not.

use crate::rig::{Rig, Setup, small};
use adb::AdbError;
use adb::doctor::{CHECKS, examine};
use agent::ports::Phone;
use protocol::{Advice, Check, Examining, Finding, Verdict};
use std::ops::ControlFlow;
use virtual_phone::Fault;
use virtual_phone::system::SystemOptions;

async fn examined(rig: &Rig) -> Vec<Finding> {
    let (mut found, mut looked) = (Vec::new(), Vec::new());
    examine(&rig.phone, &rig.lease.take(), |one| {
        match one {
            Examining::Looking { check } => looked.push(check),
            Examining::Found { finding } => found.push(finding),
            other => panic!("{other:?}"),
        }
        ControlFlow::Continue(())
    })
    .await
    .unwrap();
    assert_eq!(looked, CHECKS);
    assert_eq!(found.iter().map(|one| one.check).collect::<Vec<_>>(), CHECKS);
    found
}

fn of(found: &[Finding], check: Check) -> &Finding {
    found
        .iter()
        .find(|one| one.check == check)
        .unwrap_or_else(|| panic!("no {check:?} in {found:?}"))
}

#[tokio::test]
async fn a_phone_that_is_well_is_told_so() {
    let rig = Rig::socket(Setup::at("")).await;
    rig.phone.use_scrcpy(None);
    let before = rig.handle.state();
    let found = examined(&rig).await;
    for check in [
        Check::Latency,
        Check::Android,
        Check::Lock,
        Check::Keyboard,
        Check::Input,
        Check::Capture,
        Check::Tree,
    ] {
        assert_eq!(of(&found, check).verdict, Verdict::Fine, "{check:?}: {found:#?}");
        assert_eq!(of(&found, check).advice, None, "{check:?}");
    }
    assert_eq!(of(&found, Check::Capture).values["width"], "360");
    // Its key map is English, and nothing else types on it.
    let typing = of(&found, Check::Typing);
    assert!(
        matches!(typing.advice, Some(Advice::InstallScrcpy | Advice::OpenAField)),
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
    let input = of(&found, Check::Input);
    assert_eq!(
        (input.verdict, input.advice),
        (Verdict::Failed, Some(Advice::SecuritySettings))
    );
    assert_eq!(of(&found, Check::Typing).advice, Some(Advice::TouchesFirst));
}

#[tokio::test]
async fn what_cannot_be_seen_is_told() {
    let rig = Rig::socket(Setup::at("").with(&[Fault::TreeNullRoot, Fault::BlackCapture])).await;
    let found = examined(&rig).await;
    assert_eq!(of(&found, Check::Tree).advice, Some(Advice::StillScreen));
    assert_eq!(of(&found, Check::Capture).advice, Some(Advice::Wake));
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
        assert_eq!(
            rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await,
            Ok(locked || asleep)
        );
        let now = rig.phone.condition().await.unwrap();
        assert_eq!(
            (now.awake, now.locked),
            (Some(true), Some(false)),
            "{locked} {asleep}"
        );
        assert_eq!(
            rig.phone.wake(&crate::judged::wake(), &rig.lease.take()).await,
            Ok(false)
        );
    }
}

/// Whoever looks away ends it between two checks; a phone that is taken in between says nothing about itself.
#[tokio::test]
async fn it_ends_when_nobody_looks_and_when_the_phone_is_taken() {
    let rig = Rig::socket(Setup::at("")).await;
    let (mut told, grip) = (Vec::new(), rig.lease.take());
    let ended = examine(&rig.phone, &grip, |one| {
        told.push(one);
        if told.len() == 3 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(ended.await, Ok(()));
    assert!(
        matches!(told[2], Examining::Looking { check } if check == CHECKS[1]),
        "{told:?}"
    );

    let (grip, other) = (rig.lease.take(), rig.lease.clone());
    let mut found = 0;
    let taken = examine(&rig.phone, &grip, |one| {
        if matches!(one, Examining::Looking { check: Check::Input }) {
            other.revoke();
        }
        found += usize::from(matches!(one, Examining::Found { .. }));
        ControlFlow::Continue(())
    });
    assert_eq!(taken.await, Err(AdbError::LeaseLost));
    assert_eq!(found, 8, "everything before the touches");
}

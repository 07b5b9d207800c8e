//! Examined as a person's phone is: what is told of a phone that is well, and of one that is not.

use crate::rig::{Rig, Setup, small};
use adb::AdbError;
use adb::doctor::{CHECKS, examine};
use agent::ports::Phone;
use protocol::{Advice, Check, Examining, Finding, Verdict};
use std::ops::ControlFlow;
use std::time::SystemTime;
use virtual_phone::system::SystemOptions;
use virtual_phone::{Fault, PhoneHandle};

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
    let rig = Rig::socket(well()).await;
    rig.phone.use_scrcpy(None);
    let before = rig.handle.state();
    let found = examined(&rig).await;
    for check in [
        Check::Latency,
        Check::Android,
        Check::Storage,
        Check::Battery,
        Check::Animations,
        Check::Clock,
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
    let free: u64 = of(&found, Check::Storage).values["freeMb"].parse().unwrap();
    assert!((50_000..110_000).contains(&free), "{free} MB");
    assert_eq!(of(&found, Check::Battery).values["percent"], "82");
    assert_eq!(of(&found, Check::Animations).values["scale"], "1");
    assert!(of(&found, Check::Clock).values["seconds"].parse::<u64>().unwrap() < 60);
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

/// A phone whose clock is right.
fn well() -> Setup {
    Setup {
        born: Some(SystemTime::now()),
        ..Setup::at("")
    }
}

/// What is wrong with it is told by its check, with what to do, and by no other.
#[tokio::test]
async fn what_is_wrong_is_told_with_what_to_do() {
    type Wrong = fn(&PhoneHandle);
    fn set(phone: &PhoneHandle, name: &str, value: &str) {
        phone.with(|android| android.put_setting("global", name, Some(value)));
    }
    let cases: [(Wrong, Check, Advice); 6] = [
        (
            |phone| phone.set_fault(Fault::LowStorage),
            Check::Storage,
            Advice::FreeStorage,
        ),
        (
            |phone| set(phone, "low_power", "1"),
            Check::Battery,
            Advice::BatterySaverOff,
        ),
        (
            |phone| set(phone, "animator_duration_scale", "2.0"),
            Check::Animations,
            Advice::AnimationsOff,
        ),
        (
            |phone| phone.set_fault(Fault::ClockSkew(-600)),
            Check::Clock,
            Advice::SetClock,
        ),
        (
            |phone| phone.set_fault(Fault::ClockSkew(86_400)),
            Check::Clock,
            Advice::SetClock,
        ),
        (
            |phone| phone.set_fault(Fault::Dozing),
            Check::Lock,
            Advice::Unlock,
        ),
    ];
    for (wrong, check, advice) in cases {
        let rig = Rig::socket(well()).await;
        wrong(&rig.handle);
        let found = examined(&rig).await;
        let told = of(&found, check);
        assert_eq!(
            (told.verdict, told.advice),
            (Verdict::Attention, Some(advice)),
            "{check:?}"
        );
        let facts = [Check::Storage, Check::Battery, Check::Animations, Check::Clock];
        for other in facts.into_iter().filter(|other| *other != check) {
            assert_eq!(
                of(&found, other).verdict,
                Verdict::Fine,
                "{other:?} beside {check:?}"
            );
        }
    }
    // A battery that is nearly empty.
    let mut setup = well();
    setup.options.profile.battery.level = 7;
    setup.options.profile.battery.charging = false;
    let rig = Rig::socket(setup).await;
    let found = examined(&rig).await;
    assert_eq!(of(&found, Check::Battery).advice, Some(Advice::Charge));
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

//! A person's own fingers, as the phone sees them: through scrcpy's session, and through the one shell that is kept open.

use crate::rig::{Rig, Setup, effects, no_finger_is_down};
use adb::Gesture;
use adb::scrcpy::Jar;
use agent::ports::{Phone, PhoneError};
use tokio::sync::mpsc;
use virtual_phone::{Fault, Received};

/// By which way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Session,
    Shell,
}

const WAYS: [By; 2] = [By::Session, By::Shell];

/// At home, looked at (360 × 800), and ready for fingers.
async fn ready(by: By, faults: &[Fault]) -> Rig {
    let rig = Rig::socket(Setup::at("").with(faults)).await;
    let version = "4.0";
    let jar = Jar::unchecked(version, format!("virtual scrcpy-server {version}\n").into_bytes());
    rig.phone.use_scrcpy((by == By::Session).then_some(jar));
    rig.phone.see().await.unwrap();
    assert!(!rig.phone.is_ready());
    assert_eq!(rig.phone.get_ready(&rig.lease.take()).await, Ok(true), "{by:?}");
    assert!(rig.phone.is_ready());
    rig
}

/// What the first finger did: action and place, in order.
fn finger(rig: &Rig) -> Vec<(&'static str, i32, i32)> {
    let entries = rig.handle.record().entries();
    let fingers = entries.iter().filter_map(|entry| match entry.what {
        Received::Finger { action, x, y } => Some((action, x as i32, y as i32)),
        _ => None,
    });
    fingers.collect()
}

/// The session tells no one that an event was seen: it is waited for.
async fn lifted(rig: &Rig, times: usize) {
    rig.until(|entries| {
        let up = |entry: &&virtual_phone::Entry| matches!(entry.what, Received::Finger { action: "up", .. });
        entries.iter().filter(up).count() >= times
    })
    .await;
}

#[tokio::test]
async fn a_drag_is_seen_with_its_path() {
    for by in WAYS {
        let rig = ready(by, &[]).await;
        let drag = Gesture::Stroke {
            from: (40, 700),
            to: (340, 100),
            ms: 160,
        };
        assert_eq!(rig.phone.play(drag, &rig.lease.take()).await, Ok(true));
        lifted(&rig, 1).await;
        let seen = finger(&rig);
        assert_eq!(seen.first(), Some(&("down", 40, 700)), "{by:?}");
        assert_eq!(
            seen[seen.len() - 2..],
            [("move", 340, 100), ("up", 340, 100)],
            "{by:?}"
        );
        assert!(seen.len() > 3, "there is a way between: {by:?} {seen:?}");
        for two in seen.windows(2) {
            assert!(two[1].1 >= two[0].1 && two[1].2 <= two[0].2, "{by:?} {seen:?}");
        }
    }
}

#[tokio::test]
async fn a_finger_is_followed_and_its_way_ends_where_it_was_lifted() {
    for by in WAYS {
        let rig = ready(by, &[]).await;
        let (way, moves) = mpsc::unbounded_channel();
        let grip = rig.lease.take();
        let following = rig.phone.follow((100, 600), moves, &grip);
        let drawing = async {
            for y in [560, 500, 420, 300] {
                way.send((100, y)).unwrap();
                rig.until(|_| finger(&rig).last() == Some(&("move", 100, y)))
                    .await;
            }
            drop(way);
        };
        let (followed, ()) = tokio::join!(following, drawing);
        assert_eq!(followed, Ok(true), "{by:?}");
        lifted(&rig, 1).await;
        let seen = finger(&rig);
        let places: Vec<i32> = seen.iter().map(|(_, _, y)| *y).collect();
        assert_eq!(places, [600, 560, 500, 420, 300, 300], "{by:?} {seen:?}");
    }
}

#[tokio::test]
async fn a_finger_is_lifted_when_the_lease_goes() {
    for by in WAYS {
        let rig = ready(by, &[]).await;
        let (way, moves) = mpsc::unbounded_channel();
        let grip = rig.lease.take();
        let following = rig.phone.follow((100, 600), moves, &grip);
        let taking = async {
            way.send((100, 500)).unwrap();
            rig.until(|_| finger(&rig).last() == Some(&("move", 100, 500)))
                .await;
            rig.lease.revoke();
        };
        let (followed, ()) = tokio::join!(following, taking);
        assert_eq!(followed, Err(PhoneError::LeaseLost), "{by:?}");
        lifted(&rig, 1).await;
        assert!(no_finger_is_down(&rig.effects()), "{by:?}");
    }
}

#[tokio::test]
async fn two_fingers_pinch_and_only_a_session_has_two() {
    let rig = ready(By::Session, &[]).await;
    let pinch = Gesture::Pinch {
        at: (180, 400),
        scale: 2.0,
        ms: 100,
    };
    assert_eq!(rig.phone.play(pinch, &rig.lease.take()).await, Ok(true));
    lifted(&rig, 1).await;
    let entries = rig.handle.record().entries();
    let of = |number: usize| {
        let places = entries.iter().filter_map(|entry| match entry.what {
            Received::Finger { action, x, y } if number == 0 => Some((action, x, y)),
            Received::OtherFinger { finger, action, x, y } if number == finger => Some((action, x, y)),
            _ => None,
        });
        places.collect::<Vec<_>>()
    };
    let (one, other) = (of(0), of(1));
    assert_eq!(one.len(), other.len());
    for fingers in [&one, &other] {
        assert_eq!((fingers[0].0, fingers[fingers.len() - 1].0), ("down", "up"));
    }
    let apart = |at: usize| (one[at].1 - other[at].1).hypot(one[at].2 - other[at].2);
    let larger = apart(one.len() - 1) / apart(0);
    assert!((1.9..2.1).contains(&larger), "{larger}");
    // What is between them stays where it is.
    for at in 0..one.len() {
        let middle = ((one[at].1 + other[at].1) / 2.0, (one[at].2 + other[at].2) / 2.0);
        assert!(
            (middle.0 - 180.0).abs() <= 1.0 && (middle.1 - 400.0).abs() <= 1.0,
            "{middle:?}"
        );
    }

    let rig = ready(By::Shell, &[]).await;
    assert_eq!(rig.phone.play(pinch, &rig.lease.take()).await, Ok(false));
    assert_eq!(finger(&rig), []);
}

#[tokio::test]
async fn taps_cost_one_shell_in_all() {
    let rig = ready(By::Shell, &[]).await;
    let commands = || {
        let entries = rig.handle.record().entries();
        let is_command = |entry: &&virtual_phone::Entry| matches!(entry.what, Received::Command { .. });
        entries.iter().filter(is_command).count()
    };
    let before = commands();
    for x in [10, 20, 30] {
        let tap = Gesture::Stroke {
            from: (x, 400),
            to: (x, 400),
            ms: 30,
        };
        assert_eq!(rig.phone.play(tap, &rig.lease.take()).await, Ok(true));
    }
    let downs: Vec<_> = finger(&rig);
    let expected = [10, 20, 30].map(|x| [("down", x, 400), ("up", x, 400)]).concat();
    assert_eq!(downs, expected);
    assert_eq!(commands(), before, "no line of its own for a touch");
}

#[tokio::test]
async fn a_touch_lands_where_it_is_aimed_however_the_screen_is_turned() {
    for by in WAYS {
        let rig = ready(by, &[]).await;
        for (rotation, at) in [
            ("1", (770, 200)),
            ("2", (200, 770)),
            ("3", (770, 20)),
            ("0", (20, 770)),
        ] {
            let device = rig.phone.device();
            let turn = format!(
                "settings put system accelerometer_rotation 0; settings put system user_rotation {rotation}"
            );
            device
                .look(&turn, std::time::Duration::from_secs(5))
                .await
                .unwrap();
            let sight = rig.phone.see().await.unwrap();
            assert_eq!(sight.width > sight.height, rotation == "1" || rotation == "3");
            let shown = rig
                .phone
                .screen()
                .map(|(width, height)| (width.into(), height.into()));
            assert_eq!(shown, Some((sight.width, sight.height)));
            let tap = Gesture::Stroke {
                from: at,
                to: at,
                ms: 30,
            };
            let before = finger(&rig).len();
            assert_eq!(rig.phone.play(tap, &rig.lease.take()).await, Ok(true));
            rig.until(|_| finger(&rig).len() >= before + 2).await;
            let seen = finger(&rig).split_off(before);
            assert_eq!(
                seen,
                [("down", at.0, at.1), ("up", at.0, at.1)],
                "{by:?} turned {rotation}"
            );
        }
    }
}

#[tokio::test]
async fn a_phone_that_forbids_touches_says_so_and_nothing_is_down() {
    let rig = ready(By::Shell, &[Fault::InjectEvents]).await;
    let tap = Gesture::Stroke {
        from: (10, 10),
        to: (10, 10),
        ms: 30,
    };
    let played = rig.phone.play(tap, &rig.lease.take()).await;
    assert!(matches!(played, Err(PhoneError::TouchForbidden(_))), "{played:?}");
    assert_eq!(effects(rig.handle.record().entries()), []);
}

//! The cable comes out, the server goes: what was asked for fails by name, and the next look works when they are back.

use crate::rig::{Rig, Setup, no_finger_is_down, told};
use adb::{AdbError, Command};
use agent::ports::{Phone, PhoneError};
use protocol::{CaptureResult, Failure, FailureCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use virtual_phone::{ConnectionState, Entry, Fault, Received};

fn script(line: &str) -> Command {
    Command::Shell(vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()])
}

async fn is_well(rig: &Rig) {
    let sight = rig.phone.see().await.unwrap();
    assert_eq!(sight.capture, CaptureResult::Ok);
    assert!(rig.phone.read().await.unwrap().ends_with("</hierarchy>"));
    rig.by_hand(Command::Tap { x: 11, y: 12 }).await.unwrap();
    assert!(told(&rig.effects()).ends_with("down 11,12 up 11,12"));
}

fn has_program(entries: &[Entry], name: &str) -> bool {
    entries
        .iter()
        .any(|entry| matches!(&entry.what, Received::Program { words, .. } if words[0] == name))
}

/// The cable comes out in the middle of a step; what the step left on the phone comes to nothing there.
#[tokio::test(start_paused = true)]
async fn a_cable_that_comes_out_in_mid_step_is_told() {
    for (command, program) in [
        (
            Command::Swipe {
                from: (180, 700),
                to: (180, 100),
                ms: 9000,
            },
            "input",
        ),
        (Command::Text("abcdefghij".repeat(200)), "input"),
        (script("sleep 60; input tap 10 10"), "sleep"),
    ] {
        let what = format!("{command:?}");
        let rig = Rig::pipe(Setup::at("com.android.notes/.EditorActivity").slow());
        let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
        let work = tokio::spawn(async move { phone.by_hand(&command, &grip).await });
        rig.until(|entries| has_program(entries, program)).await;
        rig.handle.unplug();
        let outcome = work.await.unwrap();
        assert!(matches!(outcome, Err(PhoneError::Gone(_))), "{what}: {outcome:?}");
        assert!(
            matches!(rig.phone.see().await, Err(PhoneError::Gone(_))),
            "{what}"
        );
        assert!(
            matches!(rig.phone.read().await, Err(PhoneError::Gone(_))),
            "{what}"
        );
        assert!(
            matches!(rig.phone.apps().await, Err(PhoneError::Gone(_))),
            "{what}"
        );
        assert!(matches!(
            rig.phone.settle(Duration::from_secs(1)).await,
            Err(PhoneError::Gone(_))
        ));
        rig.handle.replug();
        // Whatever was kept for what may run on there is given back once the phone can be asked again.
        assert!(rig.lease.drained(Duration::from_secs(100)).await, "{what}");
        is_well(&rig).await;
        let stopped = told(&rig.effects());
        tokio::time::sleep(Duration::from_secs(3600)).await;
        assert_eq!(told(&rig.effects()), stopped, "{what}");
    }
}

/// Out at any moment, and in again while the finger is still looked after.
#[tokio::test(start_paused = true)]
async fn no_finger_stays_down_when_the_cable_comes_out() {
    let (from, to) = ((180, 600), (180, 200));
    for command in [
        Command::Tap { x: 10, y: 20 },
        Command::Swipe { from, to, ms: 300 },
        Command::Swipe { from, to, ms: 1500 },
        Command::Drag { from, to, ms: 500 },
        Command::LongPress {
            x: 10,
            y: 300,
            ms: 900,
        },
    ] {
        for moment in [1, 20, 45, 60, 85, 100, 130, 320, 700, 1100] {
            let what = format!("{command:?}, unplugged at {moment} ms");
            let rig = Rig::pipe(Setup::at("").slow());
            let (phone, grip, asked) = (Arc::clone(&rig.phone), rig.lease.take(), command.clone());
            let work = tokio::spawn(async move { phone.by_hand(&asked, &grip).await });
            tokio::time::sleep(Duration::from_millis(moment)).await;
            rig.handle.unplug();
            tokio::time::sleep(Duration::from_secs(3)).await;
            rig.handle.replug();
            let outcome = work.await.unwrap();
            assert!(
                matches!(outcome, Ok(_) | Err(PhoneError::Gone(_))),
                "{what}: {outcome:?}"
            );
            assert!(rig.lease.drained(Duration::from_secs(100)).await, "{what}");
            let record = rig.handle.record().entries();
            assert!(no_finger_is_down(&record), "{what}: {}", told(&rig.effects()));
            is_well(&rig).await;
        }
    }
}

/// The n-th command finds the cable out, for every n of a look and of an operation.
#[tokio::test(start_paused = true)]
async fn a_cable_may_come_out_before_any_command() {
    let launch = Command::Launch("com.greenleaf.shop".to_owned());
    for commands in 0..8 {
        let fault = [virtual_phone::Fault::UnplugAfter(commands)];
        let rig = Rig::pipe(Setup::at("").with(&fault).slow());
        let started = tokio::time::Instant::now();
        let seen = rig.phone.see().await.map(|sight| sight.capture);
        let read = rig.phone.read().await.map(|tree| tree.len());
        let done = rig.phone.by_hand(&launch, &rig.lease.take()).await;
        assert!(started.elapsed() < Duration::from_secs(60), "{commands}");
        for outcome in [seen.map(|_| ()), read.map(|_| ()), done.map(|_| ())] {
            assert!(
                matches!(outcome, Ok(()) | Err(PhoneError::Gone(_))),
                "{commands}: {outcome:?}"
            );
        }
        rig.handle.replug();
        assert!(rig.lease.drained(Duration::from_secs(100)).await, "{commands}");
        is_well(&rig).await;
    }
}

/// The server is gone, then another is at its address.
#[tokio::test]
async fn a_server_that_went_and_came_back() {
    let rig = Rig::socket(Setup::at("")).await;
    is_well(&rig).await;
    let address = rig.address();
    let lease = rig.lease.clone();
    let phone = rig.stop().await;
    for _ in 0..2 {
        let seen = phone.see().await.map(drop);
        let read = phone.read().await.map(drop);
        let done = phone.by_hand(&Command::Tap { x: 1, y: 1 }, &lease.take()).await;
        // No cable came out: the server's address is named.
        for told in [seen, read, done.map(drop)] {
            let is_named =
                matches!(&told, Err(PhoneError::NoServer(said)) if said.contains(&address.to_string()));
            assert!(is_named, "{told:?}");
        }
        assert!(lease.drained(Duration::from_secs(60)).await);
    }
    // The same phone, behind a new server.
    let listener = TcpListener::bind(address).await.unwrap();
    let mut back = Rig::listening(Setup::at(""), listener);
    back.phone = phone;
    is_well(&back).await;
}

/// What a long swipe ends with where this befalls the phone in the middle of it.
async fn struck_in_mid_swipe(rig: &Rig, fault: Fault) -> PhoneError {
    let (phone, grip) = (Arc::clone(&rig.phone), rig.lease.take());
    let swipe = Command::Swipe {
        from: (180, 700),
        to: (180, 100),
        ms: 9000,
    };
    let work = tokio::spawn(async move { phone.by_hand(&swipe, &grip).await });
    rig.until(|entries| has_program(entries, "input")).await;
    rig.handle.set_fault(fault);
    work.await.unwrap().unwrap_err()
}

/// What was allowed is allowed no more, in the middle of a step: the person is to tap Allow, and no cable came out.
#[tokio::test(start_paused = true)]
async fn one_who_takes_the_right_back_in_mid_step_is_named() {
    let rig = Rig::pipe(Setup::at("com.android.settings/.Settings").slow());
    assert_eq!(
        struck_in_mid_swipe(&rig, Fault::Unauthorized).await,
        PhoneError::Unauthorized
    );
    assert!(rig.lease.drained(Duration::from_secs(100)).await);
    assert!(no_finger_is_down(&rig.handle.record().entries()));
    assert_eq!(rig.phone.read().await, Err(PhoneError::Unauthorized));
    assert_eq!(rig.phone.see().await.unwrap_err(), PhoneError::Unauthorized);
    // In the middle of a picture, which is when nothing else is asked.
    rig.handle.clear_fault(Fault::Unauthorized);
    let phone = Arc::clone(&rig.phone);
    let looking = tokio::spawn(async move { phone.see().await });
    rig.until(|entries| has_program(entries, "screencap")).await;
    rig.handle.set_fault(Fault::Unauthorized);
    assert_eq!(looking.await.unwrap().unwrap_err(), PhoneError::Unauthorized);
}

/// The phone restarts into another of adb's states in the middle of a step: that is named, and no cable came out.
#[tokio::test(start_paused = true)]
async fn one_that_changes_its_state_in_mid_step_is_named() {
    for (standing, expected) in [
        (ConnectionState::Recovery, FailureCode::PhoneRecovery),
        (ConnectionState::Bootloader, FailureCode::PhoneBootloader),
        (ConnectionState::Sideload, FailureCode::PhoneSideload),
        (ConnectionState::Rescue, FailureCode::PhoneRescue),
        (ConnectionState::NoPermissions, FailureCode::PhoneNoPermissions),
        (ConnectionState::Connecting, FailureCode::PhoneConnecting),
        (ConnectionState::Host, FailureCode::PhoneHost),
        (ConnectionState::Detached, FailureCode::PhoneDetached),
        (ConnectionState::Authorizing, FailureCode::PhoneUnauthorized),
        (ConnectionState::Unknown, FailureCode::PhoneGone),
    ] {
        let code = |told: PhoneError| agent::failure_of(&told).code;
        let rig = Rig::pipe(Setup::at("com.android.settings/.Settings").slow());
        let told = struck_in_mid_swipe(&rig, Fault::ListedAs(standing)).await;
        assert_eq!(code(told), expected, "{standing:?}");
        assert!(rig.lease.drained(Duration::from_secs(100)).await, "{standing:?}");
        assert_eq!(
            code(rig.phone.read().await.unwrap_err()),
            expected,
            "{standing:?}"
        );
        assert_eq!(code(rig.phone.see().await.unwrap_err()), expected, "{standing:?}");
        rig.handle.clear_fault(Fault::ListedAs(standing));
        is_well(&rig).await;
    }
}

/// Somebody listens there who is no adb server, or says nothing.
#[tokio::test]
async fn a_stranger_at_the_servers_address_is_told() {
    use tokio::io::AsyncWriteExt;
    for (words, is_adb) in [
        (&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], false),
        (b"", true),
        (b"OKAY", true),
        (b"FAILzzzz", false),
        (b"OKAYffff", true),
        (b"OKAYzzzz", false),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let link = adb::Link::Tcp(listener.local_addr().unwrap().to_string());
        let stranger = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.write_all(words).await;
            }
        });
        let device = adb::Device::new(adb::AdbServer::new(link), "X");
        let phone = adb::AdbPhone::new(protocol::PhoneId::from("X"), device);
        let lease = agent::lease::Lease::new();
        // Not the phone's fault, and nothing the phone's owner could do about it on the phone.
        let why = phone
            .device()
            .look("echo", Duration::from_secs(9))
            .await
            .unwrap_err();
        let named = match why {
            AdbError::Silent { .. } => is_adb,
            AdbError::NotAdb { .. } => !is_adb,
            _ => false,
        };
        assert!(named, "{words:?}: {why:?}");
        let failure = Failure::from(why);
        let code = if is_adb {
            FailureCode::AdbSilent
        } else {
            FailureCode::AdbPortTaken
        };
        assert_eq!(failure.code, code);
        assert!(failure.values["address"].starts_with("127.0.0.1:"));
        let seen = phone.see().await;
        assert!(
            matches!(seen, Err(PhoneError::NoServer(_))),
            "{words:?}: {seen:?}"
        );
        assert!(phone.read().await.is_err());
        assert!(
            phone
                .by_hand(&Command::Tap { x: 1, y: 1 }, &lease.take())
                .await
                .is_err()
        );
        assert!(lease.drained(Duration::from_secs(100)).await);
        stranger.abort();
    }
}

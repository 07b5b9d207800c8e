//! Every fault a phone has, begun at every kind of moment: a look says what it saw or why not, in bounded time.

use crate::rig::{Rig, Setup};
use agent::ports::{Phone, PhoneError, RawObservation, RawTree};
use protocol::CaptureResult::{self, Black, Failed};
use protocol::PhoneState;
use std::time::Duration;
use tokio::time::Instant;
use virtual_phone::{ConnectionState, Fault};

/// A look takes no longer, whatever is wrong: a slow raw capture, a PNG, a file, the dumps.
const LOOK: Duration = Duration::from_secs(40);
/// A tree takes no longer: two tries.
const TREE: Duration = Duration::from_secs(20);

/// What a look comes to, in a word.
fn seen(outcome: &Result<RawObservation, PhoneError>) -> &'static str {
    match outcome {
        Ok(sight) => match sight.capture {
            CaptureResult::Ok => "ok",
            Black => "black",
            CaptureResult::Protected => "protected",
            Failed => "failed",
        },
        Err(trouble) => named(trouble),
    }
}

fn read(outcome: &Result<RawTree, PhoneError>) -> &'static str {
    match outcome {
        Ok(tree) if tree.starts_with("<?xml") && tree.ends_with("</hierarchy>") => "ok",
        Ok(_) => "garbage",
        Err(trouble) => named(trouble),
    }
}

fn named(trouble: &PhoneError) -> &'static str {
    match trouble {
        PhoneError::Gone(_) => "gone",
        PhoneError::NoServer(_) => "no server",
        PhoneError::Unauthorized => "unauthorized",
        PhoneError::Unusable(PhoneState::Connecting) => "connecting",
        PhoneError::Unusable(PhoneState::NoPermissions) => "no permissions",
        PhoneError::Unusable(PhoneState::Bootloader) => "bootloader",
        PhoneError::Unusable(PhoneState::Recovery) => "recovery",
        PhoneError::Unusable(PhoneState::Rescue) => "rescue",
        PhoneError::Unusable(PhoneState::Sideload) => "sideload",
        PhoneError::Unusable(PhoneState::Host) => "host",
        PhoneError::Unusable(PhoneState::Detached) => "detached",
        PhoneError::Unusable(_) => "unusable",
        PhoneError::Locked => "locked",
        PhoneError::Slow(_) => "slow",
        PhoneError::Refused(_) => "refused",
        PhoneError::TouchForbidden(_) => "touch forbidden",
        PhoneError::Tree(_) => "no tree",
        PhoneError::CannotType => "cannot type",
        PhoneError::AppNotFound(_) => "no such app",
        PhoneError::NotSupported(_) => "not supported",
        PhoneError::Stale => "stale",
        PhoneError::LeaseLost => "lease lost",
        PhoneError::MaybeRunning(_) => "maybe running",
    }
}

/// Every fault, and what a look and a tree come to while it lasts.
const EXPECTED: [(Fault, &str, &str); 56] = [
    (Fault::Unauthorized, "unauthorized", "unauthorized"),
    (Fault::Offline, "gone", "gone"),
    (Fault::NoShellV2, "ok", "ok"),
    (Fault::HalfCapture, "failed", "ok"),
    (Fault::BlackCapture, "black", "ok"),
    (Fault::CaptureWarning, "ok", "ok"),
    (Fault::TreeIdleError, "ok", "no tree"),
    (Fault::TreeNullRoot, "ok", "no tree"),
    (Fault::TreeStackTrace, "ok", "ok"),
    (Fault::TreeStale, "ok", "no tree"),
    (Fault::TreeSlow, "ok", "no tree"),
    (Fault::InjectEvents, "ok", "ok"),
    (Fault::ServicesRestarting, "ok", "no tree"),
    (Fault::UnplugAfter(0), "gone", "gone"),
    (Fault::Slow(3.0), "ok", "no tree"),
    (Fault::Slow(1000.0), "slow", "no tree"),
    (Fault::OldInput, "ok", "ok"),
    (Fault::RemoteLingers, "ok", "ok"),
    (Fault::Locked, "ok", "ok"),
    (Fault::ScreenOff, "black", "no tree"),
    (Fault::ClipboardSilent, "ok", "ok"),
    (
        Fault::ListedAs(ConnectionState::Authorizing),
        "unauthorized",
        "unauthorized",
    ),
    (
        Fault::ListedAs(ConnectionState::Connecting),
        "connecting",
        "connecting",
    ),
    (
        Fault::ListedAs(ConnectionState::NoPermissions),
        "no permissions",
        "no permissions",
    ),
    (
        Fault::ListedAs(ConnectionState::Bootloader),
        "bootloader",
        "bootloader",
    ),
    (Fault::ListedAs(ConnectionState::Recovery), "recovery", "recovery"),
    (Fault::ListedAs(ConnectionState::Rescue), "rescue", "rescue"),
    (Fault::ListedAs(ConnectionState::Sideload), "sideload", "sideload"),
    (Fault::ListedAs(ConnectionState::Host), "host", "host"),
    (Fault::ListedAs(ConnectionState::Detached), "detached", "detached"),
    (Fault::ListedAs(ConnectionState::Unknown), "gone", "gone"),
    (Fault::CrLf, "ok", "ok"),
    (Fault::StrayWords, "ok", "ok"),
    (Fault::Latency(300), "ok", "ok"),
    (Fault::Bandwidth(2000), "ok", "ok"),
    (Fault::CaptureFails, "failed", "ok"),
    (Fault::Secure, "protected", "ok"),
    (Fault::SecondDisplay, "ok", "ok"),
    (Fault::Folded, "ok", "ok"),
    (Fault::TreeKilled, "ok", "no tree"),
    (Fault::TreeNeedsFile, "ok", "ok"),
    (Fault::TreeUnlabelled, "ok", "ok"),
    (Fault::HugeDumps, "ok", "ok"),
    (Fault::WorkProfile, "ok", "ok"),
    (Fault::SecondUser, "ok", "ok"),
    (Fault::Crowded, "ok", "ok"),
    (Fault::NotResponding, "ok", "ok"),
    (Fault::SplitScreen, "ok", "ok"),
    (Fault::Autocorrect, "ok", "ok"),
    (Fault::Pinyin, "ok", "ok"),
    (Fault::Dozing, "black", "no tree"),
    (Fault::Occluded, "ok", "ok"),
    (Fault::RotateAfter(0), "ok", "ok"),
    (Fault::LowStorage, "ok", "ok"),
    (Fault::KeyguardPin, "ok", "ok"),
    (Fault::ClockSkew(3600), "ok", "ok"),
];

/// What befalls every command alike. What it cuts is found out by the one after it.
const COMMANDS: [(Fault, &str, &str); 3] = [
    (Fault::HalfAnswer(None), "gone", "gone"),
    (Fault::Silence(None), "slow", "no tree"),
    (Fault::Disconnect(None), "gone", "gone"),
];

/// What a server does, whatever its phones do: met in the tests of the roster.
const SERVERS: [&str; 4] = ["old_server", "no_mdns", "server_wedged", "server_restarts"];

/// What befalls video alone: met in the tests of streaming.
const STREAMS: [&str; 9] = [
    "stutter",
    "stream_stall",
    "stream_waits",
    "encoder_fails",
    "encoder_limit",
    "no_screenrecord",
    "screenrecord_fails",
    "scrcpy_dies",
    "scrcpy_mismatch",
];

/// What befalls the reader that stays: met in its own tests.
const READERS: [&str; 7] = [
    "reader_missing",
    "reader_forbidden",
    "reader_taken",
    "reader_dies",
    "reader_stale",
    "reader_slow",
    "reader_cut",
];

/// What a look may come to besides: a page that hides itself is black to whoever cannot ask why, and so is a panel that
/// was folded away while it was looked at.
fn turns_black(fault: Fault) -> bool {
    matches!(fault, Fault::Secure | Fault::Folded)
}

/// A fault's name without its argument.
fn kind(name: &str) -> &str {
    name.split([':', '[']).next().unwrap()
}

async fn bounded<T>(limit: Duration, what: &str, work: impl Future<Output = T>) -> T {
    let before = Instant::now();
    let done = work.await;
    let took = before.elapsed();
    assert!(took <= limit, "{what}: {took:?}");
    done
}

async fn is_well_after(rig: &Rig, fault: Fault, what: &str) {
    rig.handle.clear_fault(fault);
    rig.handle.replug();
    let sight = bounded(LOOK, what, rig.phone.see()).await;
    assert_eq!(seen(&sight), "ok", "{what}: {sight:?}");
    let tree = bounded(TREE, what, rig.phone.read()).await;
    assert_eq!(read(&tree), "ok", "{what}: {tree:?}");
}

#[tokio::test(start_paused = true)]
async fn every_fault_has_its_answer() {
    for (name, _) in Fault::list() {
        let is_there = EXPECTED
            .iter()
            .chain(&COMMANDS)
            .any(|(fault, ..)| kind(&fault.to_string()) == kind(name))
            || SERVERS.contains(&kind(name))
            || STREAMS.contains(&kind(name))
            || READERS.contains(&kind(name));
        assert!(is_there, "{name} is not in the table");
    }
    let mut wrong = Vec::new();
    for (fault, look, tree) in EXPECTED.into_iter().chain(COMMANDS) {
        let what = fault.to_string();
        let rig = Rig::pipe(Setup::at("com.android.settings/.Settings").with(&[fault]).slow());
        for _ in 0..2 {
            let sight = bounded(LOOK, &what, rig.phone.see()).await;
            let xml = bounded(TREE, &what, rig.phone.read()).await;
            let is = (seen(&sight), read(&xml));
            if is != (look, tree) {
                wrong.push(format!("{what}: {is:?}, not {:?}", (look, tree)));
            }
        }
        is_well_after(&rig, fault, &what).await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The fault begins while the phone is being looked at: the answer is the one before it, the one after, or a cut.
#[tokio::test(start_paused = true)]
async fn a_fault_may_begin_at_any_moment() {
    for (fault, look, tree) in EXPECTED {
        // One phone for all moments of a fault: what one look left behind must not spoil the next.
        let rig = Rig::pipe(Setup::at("com.android.settings/.Settings").slow());
        for moment in [0, 3, 60, 405, 430, 2160, 2300] {
            let what = format!("{fault} after {moment} ms");
            let (handle, begins) = (rig.handle.clone(), Duration::from_millis(moment));
            let begin = tokio::spawn(async move {
                tokio::time::sleep(begins).await;
                handle.set_fault(fault);
            });
            let (sight, xml) = tokio::join!(
                bounded(LOOK, &what, rig.phone.see()),
                bounded(TREE, &what, rig.phone.read())
            );
            begin.await.unwrap();
            let (sight, xml) = (seen(&sight), read(&xml));
            assert!(
                ["ok", look, "failed", "gone"].contains(&sight) || sight == "black" && turns_black(fault),
                "{what}: {sight}"
            );
            assert!(["ok", tree, "no tree", "gone"].contains(&xml), "{what}: {xml}");
            is_well_after(&rig, fault, &what).await;
        }
    }
}

/// A window without a root for a moment has one at the second try.
#[tokio::test(start_paused = true)]
async fn a_tree_that_fails_for_a_moment_is_read() {
    for fault in [Fault::TreeNullRoot, Fault::TreeStale] {
        let rig = Rig::pipe(Setup::at("com.android.settings/.Settings").with(&[fault]).slow());
        let handle = rig.handle.clone();
        tokio::spawn(async move {
            // The first dump is over after some 2.2 s.
            tokio::time::sleep(Duration::from_millis(2000)).await;
            handle.clear_fault(fault);
        });
        let tree = rig.phone.read().await;
        assert_eq!(read(&tree), "ok", "{fault}: {tree:?}");
    }
}

/// Two things are wrong at once: the answer is one of theirs, never a picture or tree that either denies.
#[tokio::test(start_paused = true)]
async fn two_faults_at_once_have_an_answer() {
    for (at, (one, look, tree)) in EXPECTED.iter().enumerate() {
        for (two, other_look, other_tree) in &EXPECTED[at + 1..] {
            let what = format!("{one} and {two}");
            // A lock screen that asks for its number is lit.
            if matches!(
                (*one, *two),
                (Fault::ScreenOff | Fault::Dozing, Fault::KeyguardPin)
            ) {
                continue;
            }
            let rig = Rig::pipe(Setup::at("").with(&[*one, *two]).slow());
            // One after the other: a daemon that dies in a capture takes a tree that is being read with it.
            let sight = bounded(LOOK, &what, rig.phone.see()).await;
            let xml = bounded(TREE, &what, rig.phone.read()).await;
            let (sight, xml) = (seen(&sight), read(&xml));
            let looks = [*look, *other_look];
            let trees = [*tree, *other_tree];
            let black = sight == "black" && (turns_black(*one) || turns_black(*two));
            let well = looks == ["ok", "ok"];
            assert_eq!(sight == "ok", well && !black, "{what}: {sight}");
            assert!(
                well || black || looks.contains(&sight) || sight == "failed",
                "{what}: {sight}"
            );
            // A tree that comes by a file alone needs room for it.
            if (*one, *two) == (Fault::TreeNeedsFile, Fault::LowStorage) {
                assert_eq!(xml, "no tree", "{what}");
                continue;
            }
            let well = trees == ["ok", "ok"];
            assert_eq!(xml == "ok", well, "{what}: {xml}");
            assert!(well || trees.contains(&xml), "{what}: {xml}");
        }
    }
}

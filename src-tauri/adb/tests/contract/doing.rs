//! Every operation, and what the phone says arrived.

use crate::rig::{Rig, SERIAL, Setup, told};
use adb::Command;
use adb::{FollowedServer, Roster};
use agent::ports::{Effect, Phone, PhoneError, ScriptEnd};
use protocol::{ActMethod, PhoneState, Transport};
use std::time::Duration;
use virtual_phone::{ConnectionState, Fault, Received};

const NOTES: &str = "com.android.notes/.MainActivity";

fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap()
}

fn shell(line: &str) -> Command {
    Command::Shell(words(line))
}

/// Does a thing on a fresh phone: its outcome, and what reached the phone.
async fn check(setup: Setup, command: Command, via: Option<ActMethod>, output: Option<&str>, effects: &str) {
    let what = format!("{command:?}");
    let rig = Rig::socket(setup).await;
    let done = rig.by_hand(command).await;
    let Ok(done) = done else {
        panic!("{what}: {done:?}");
    };
    assert_eq!((done.via, said(&done).as_deref()), (via, output), "{what}");
    assert_eq!(told(&rig.effects()), effects, "{what}");
}

/// What a command said, in a line a person can read; nothing where there was no command.
fn said(done: &Effect) -> Option<String> {
    let output = done.output.clone()?;
    let stderr = done.stderr.as_ref().map(|text| format!("stderr: {text}"));
    let exit = done
        .exit
        .filter(|code| *code != 0)
        .map(|code| format!("exit {code}"));
    let parts = [Some(output).filter(|text| !text.is_empty()), stderr, exit];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

/// The same for what must fail.
async fn refused(setup: Setup, command: Command, expected: PhoneError, effects: &str) {
    let what = format!("{command:?}");
    let rig = Rig::socket(setup).await;
    assert_eq!(rig.by_hand(command).await, Err(expected), "{what}");
    assert_eq!(told(&rig.effects()), effects, "{what}");
}

#[tokio::test]
async fn fingers_arrive_where_they_were_sent() {
    let (from, to) = ((180, 600), (180, 200));
    for (faults, command, via, effects) in [
        (
            &[][..],
            Command::Tap { x: 100, y: 200 },
            None,
            "down 100,200 up 100,200",
        ),
        (&[], Command::Tap { x: -3, y: 0 }, None, "down 0,0 up 0,0"),
        (
            &[],
            Command::DoubleTap { x: 7, y: 300 },
            None,
            "down 7,300 up 7,300 down 7,300 up 7,300",
        ),
        (
            &[],
            Command::LongPress {
                x: 50,
                y: 60,
                ms: 500,
            },
            Some(ActMethod::MotionEvents),
            "down 50,60 up 50,60",
        ),
        (
            &[],
            Command::Swipe { from, to, ms: 300 },
            Some(ActMethod::InputSwipe),
            "down 180,600 ~ up 180,200",
        ),
        (
            &[],
            Command::Swipe { from, to, ms: 600 },
            Some(ActMethod::MotionEvents),
            "down 180,600 ~ up 180,200",
        ),
        (
            &[],
            Command::Drag { from, to, ms: 200 },
            Some(ActMethod::MotionEvents),
            "down 180,600 ~ up 180,200",
        ),
        // Before Android 10 there are no single events.
        (
            &[Fault::OldInput],
            Command::Swipe { from, to, ms: 600 },
            Some(ActMethod::InputSwipe),
            "down 180,600 ~ up 180,200",
        ),
        (
            &[Fault::NoShellV2],
            Command::Tap { x: 100, y: 200 },
            None,
            "down 100,200 up 100,200",
        ),
    ] {
        check(Setup::at("").with(faults), command, via, None, effects).await;
    }
}

/// By the phone's own clock; on a phone that takes a phone's time, in virtual time.
#[tokio::test(start_paused = true)]
async fn the_gap_of_a_double_tap_is_measured() {
    for (faults, at_most) in [(&[][..], 300), (&[Fault::OldInput], 300)] {
        let rig = Rig::pipe(Setup::at("").slow().with(faults));
        let done = rig.by_hand(Command::DoubleTap { x: 7, y: 300 }).await.unwrap();
        assert_eq!(told(&rig.effects()), "down 7,300 up 7,300 down 7,300 up 7,300");
        let downs: Vec<Duration> = rig
            .effects()
            .iter()
            .filter(|entry| matches!(entry.what, Received::Finger { action: "down", .. }))
            .map(|entry| entry.at)
            .collect();
        let real = u64::try_from((downs[1] - downs[0]).as_millis()).unwrap();
        let gap = done.gap_ms.unwrap();
        assert!(
            gap.abs_diff(real) <= 20 && gap <= at_most,
            "{gap} ms told, {real} ms real"
        );
    }
}

/// Picked up, carried, put down. A phone whose `input` knows neither single events nor the whole gesture says so.
#[tokio::test]
async fn a_note_is_dragged_to_another_place() {
    for (faults, moves) in [(&[][..], true), (&[Fault::OldInput], false)] {
        let rig = Rig::socket(Setup::at(NOTES).with(faults)).await;
        rig.tap("sort_spinner").await;
        rig.tap("text=\"My order\"").await;
        let drag = Command::Drag {
            from: rig.find("content-desc=\"Reorder Market on Tuesday\"").await,
            to: rig.find("content-desc=\"Reorder Crêpes\"").await,
            ms: 700,
        };
        let done = rig.by_hand(drag).await;
        let notes = rig.handle.state()["notes"].clone();
        let titles: Vec<_> = (0..3).map(|n| notes[n]["title"].clone()).collect();
        if moves {
            assert_eq!(done.unwrap().via, Some(ActMethod::MotionEvents));
            assert_eq!(titles, ["Packing list", "Crêpes", "Market on Tuesday"]);
        } else {
            assert!(matches!(done, Err(PhoneError::NotSupported(_))), "{done:?}");
            assert_eq!(titles, ["Market on Tuesday", "Packing list", "Crêpes"]);
        }
    }
}

#[tokio::test]
async fn keys_arrive_as_their_codes() {
    let keys = |names: &str| Command::Keys(words(names));
    for (command, effects) in [
        (Command::Key("BACK".to_owned()), "key 4"),
        (Command::Key("keycode_home".to_owned()), "key 3"),
        (Command::Key("187".to_owned()), "key 187"),
        (Command::Key("ENTER".to_owned()), "key 66"),
        (Command::Key("VOLUME_UP".to_owned()), "key 24"),
        (keys("CTRL_LEFT A"), "key 29 meta 0x3000 long false"),
        (keys("SHIFT_LEFT TAB"), "key 61 meta 0x41 long false"),
        (keys("HOME"), "key 3"),
    ] {
        check(Setup::at(NOTES), command, None, None, effects).await;
    }
    let old = Setup::at("").with(&[Fault::OldInput]);
    let unknown = PhoneError::NotSupported("its input cannot hold two keys (Android 11 or older)".to_owned());
    refused(old, keys("CTRL_LEFT A"), unknown, "").await;
    let not_a_key = PhoneError::Refused("not a key's name".to_owned());
    refused(
        Setup::at(""),
        Command::Key("BACK; reboot".to_owned()),
        not_a_key,
        "",
    )
    .await;
}

#[tokio::test]
async fn apps_and_links_are_opened() {
    let launch = |package: &str| Command::Launch(package.to_owned());
    let open = |url: &str| Command::OpenUrl(url.to_owned());
    for (command, via, effects) in [
        (
            launch("com.android.settings"),
            Some(ActMethod::ResolveActivity),
            "start com.android.settings/com.android.settings.Settings",
        ),
        (
            launch("com.greenleaf.shop"),
            Some(ActMethod::ResolveActivity),
            "start com.greenleaf.shop/com.greenleaf.shop.MainActivity",
        ),
        (
            open("https://news.example/a?b=1&c='$(reboot)'"),
            None,
            "start com.android.browser/com.android.browser.BrowserActivity",
        ),
        (
            open("smsto:5550142"),
            None,
            "start com.android.messaging/com.android.messaging.ui.conversation.ConversationActivity",
        ),
    ] {
        check(Setup::at(""), command, via, None, effects).await;
    }
    for nowhere in ["com.nowhere", "not a package", "", "com.a;reboot"] {
        let expected = PhoneError::AppNotFound(nowhere.to_owned());
        refused(Setup::at(""), launch(nowhere), expected, "").await;
    }
    let rig = Rig::socket(Setup::at("")).await;
    let unknown = rig.by_hand(open("nonsense:x")).await;
    assert!(
        matches!(&unknown, Err(PhoneError::Refused(said)) if said.contains("unable to resolve Intent")),
        "{unknown:?}"
    );
}

#[tokio::test]
async fn commands_say_what_they_said() {
    for (line, output, effects) in [
        (
            "echo 'a  b' '$HOME' ';' '&&' \"it's\"",
            "a  b $HOME ; && it's",
            "",
        ),
        ("getprop ro.product.model", "Pixel 8", ""),
        (
            "sh -c 'echo out; echo err >&2; exit 3'",
            "out\nstderr: err\nexit 3",
            "",
        ),
        (
            "nosuchcommand",
            "stderr: /system/bin/sh: nosuchcommand: inaccessible or not found\nexit 127",
            "",
        ),
        (
            "settings put system screen_brightness 40",
            "",
            "set screen_brightness Some(\"40\")",
        ),
        ("am force-stop com.greenleaf.shop", "", "stop com.greenleaf.shop"),
        ("input keyevent 4", "", "key 4"),
        (
            "sh -c 'input tap 5 6; input tap 7 8'",
            "",
            "down 5,6 up 5,6 down 7,8 up 7,8",
        ),
    ] {
        check(Setup::at(""), shell(line), None, Some(output), effects).await;
    }
    // `input` as a command is played as what it is.
    check(
        Setup::at(""),
        shell("input swipe 180 600 180 200 600"),
        Some(ActMethod::MotionEvents),
        None,
        "down 180,600 ~ up 180,200",
    )
    .await;
    let empty = PhoneError::Refused("an empty command".to_owned());
    refused(Setup::at(""), shell("''"), empty, "").await;
}

/// A shell that does not tell how a command ended is asked to print it: what failed is not told as done.
#[tokio::test]
async fn an_older_phone_tells_that_a_command_failed() {
    for (line, output) in [
        ("sh -c 'echo out; echo err >&2; exit 3'", "out\nerr\nexit 3"),
        ("sh -c 'printf half; exit 1'", "half\nexit 1"),
        ("exit 4", "exit 4"),
        ("false", "exit 1"),
        ("echo well", "well"),
    ] {
        check(
            Setup::at("").with(&[Fault::NoShellV2]),
            shell(line),
            None,
            Some(output),
            "",
        )
        .await;
    }
    let rig = Rig::socket(Setup::at("").with(&[Fault::NoShellV2])).await;
    for (script, exit) in [("echo a; exit 7", 7), ("echo a", 0)] {
        let judged = crate::judged::judged(judge::Input::Script(script.to_owned()));
        let end = rig
            .phone
            .script(&judged, Duration::from_secs(20), &rig.lease.take())
            .await
            .unwrap();
        assert_eq!((end.exit, end.stdout.as_str()), (Some(exit), "a"), "{script}");
    }
}

/// A script runs in the phone's own shell, to its end or its time's.
#[tokio::test]
async fn scripts_run_on_the_phone() {
    let rig = Rig::socket(Setup::at("")).await;
    let run = async |script: &str, secs: u64| {
        let limit = Duration::from_secs(secs);
        let end = rig
            .phone
            .script(
                &crate::judged::judged(judge::Input::Script(script.to_owned())),
                limit,
                &rig.lease.take(),
            )
            .await
            .unwrap();
        assert!(
            rig.lease.drained(Duration::from_secs(60)).await,
            "a pass is kept after {script:?}"
        );
        end
    };
    let end = run(
        "for n in 1 2 3; do echo \"line $n\"; done | tail -n 2\necho 'it'\\''s bad' >&2\nexit 4",
        60,
    )
    .await;
    let expected = ScriptEnd {
        exit: Some(4),
        timed_out: false,
        stdout: "line 2\nline 3".to_owned(),
        stderr: "it's bad".to_owned(),
        folder: None,
    };
    assert_eq!(end, expected);
    let end = run(
        "settings put system screen_brightness 7; cat <<E\n$HOME 'x'\nE\n",
        60,
    )
    .await;
    assert_eq!(end.exit, Some(0), "{end:?}");
    assert_eq!(told(&rig.effects()), "set screen_brightness Some(\"7\")");
    // Whatever is printed stays within bounds, and what was cut is marked.
    let end = run(
        "n=0; while [ $n -lt 3000 ]; do echo \"row $n\"; n=$((n+1)); done",
        60,
    )
    .await;
    assert!(
        end.stdout.chars().count() <= 6000 && end.stdout.contains("[…]"),
        "{end:?}"
    );
    assert!(end.stdout.starts_with("row 0\n") && end.stdout.ends_with("row 2999"));
    // Its time is over: it is ended with what it started, and what it had said is told.
    let end = run("echo before; sleep 500 & sleep 600; echo after", 1).await;
    assert_eq!(
        (end.exit, end.timed_out, end.stdout.as_str()),
        (None, true, "before")
    );
    let left = rig
        .phone
        .device()
        .look("ps -A", Duration::from_secs(5))
        .await
        .unwrap()
        .text();
    assert!(!left.contains("sleep"), "{left}");
}

#[tokio::test]
async fn forbidden_touches_are_told_apart() {
    for command in [
        Command::Tap { x: 1, y: 1 },
        Command::LongPress { x: 1, y: 1, ms: 900 },
        Command::Key("BACK".to_owned()),
        Command::Text("a".to_owned()),
    ] {
        let rig = Rig::socket(Setup::at(NOTES).with(&[Fault::InjectEvents])).await;
        let done = rig.by_hand(command).await;
        assert!(matches!(done, Err(PhoneError::TouchForbidden(_))), "{done:?}");
        assert_eq!(told(&rig.effects()), "");
    }
    let restarting = Rig::socket(Setup::at("").with(&[Fault::ServicesRestarting])).await;
    let done = restarting.by_hand(Command::Tap { x: 1, y: 1 }).await;
    assert!(matches!(done, Err(PhoneError::Refused(_))), "{done:?}");
}

#[tokio::test]
async fn files_come_back_as_they_went() {
    let rig = Rig::socket(Setup::at("")).await;
    let files = rig.phone.files();
    let bytes: Vec<u8> = (0..200_001_u32).map(|n| n.to_le_bytes()[0]).collect();
    let path = "/sdcard/Download/a file é.bin";
    files.push(bytes.clone(), path, &rig.lease.take()).await.unwrap();
    assert_eq!(files.pull(path).await.unwrap(), bytes);
    assert_eq!(files.stat(path).await.unwrap().size, 200_001);
    assert!(files.pull("/sdcard/Download/nothing").await.is_err());
    assert_eq!(told(&rig.effects()), format!("push {path} 200001"));
}

/// The list of phones, over the same wire.
#[tokio::test]
async fn the_phone_introduces_itself() {
    let rig = Rig::socket(Setup::at("")).await;
    let roster = Roster::follow(vec![FollowedServer::remote(&rig.address().to_string()).unwrap()]);
    let mut listing = roster.listing();
    let known = |list: &adb::Listing| list.phones.iter().any(|phone| phone.battery.is_some());
    let list = listing.wait_for(known).await.unwrap().clone();
    let [phone] = &list.phones[..] else {
        panic!("{list:?}")
    };
    assert_eq!(phone.name, "Anna’s Pixel");
    assert_eq!(
        (phone.state, phone.transport),
        (PhoneState::Device, Transport::Usb)
    );
    assert_eq!(
        (phone.android.as_deref(), phone.size),
        (Some("14"), Some((360, 800)))
    );
    assert_eq!(phone.battery.unwrap().percent, 82);
    let same = roster.phone_by_serial(SERIAL).unwrap();
    assert_eq!(same.id(), phone.id);
    for (fault, state) in [
        (Fault::Unauthorized, PhoneState::Unauthorized),
        (Fault::Offline, PhoneState::Offline),
        (Fault::ListedAs(ConnectionState::Recovery), PhoneState::Recovery),
        (
            Fault::ListedAs(ConnectionState::Bootloader),
            PhoneState::Bootloader,
        ),
        (Fault::ListedAs(ConnectionState::Sideload), PhoneState::Sideload),
        (
            Fault::ListedAs(ConnectionState::NoPermissions),
            PhoneState::NoPermissions,
        ),
        (
            Fault::ListedAs(ConnectionState::Authorizing),
            PhoneState::Authorizing,
        ),
        (
            Fault::ListedAs(ConnectionState::Connecting),
            PhoneState::Connecting,
        ),
        (Fault::ListedAs(ConnectionState::Host), PhoneState::Host),
    ] {
        rig.handle.set_fault(fault);
        listing
            .wait_for(|list| list.phones.iter().any(|phone| phone.state == state))
            .await
            .unwrap();
        rig.handle.clear_fault(fault);
        listing
            .wait_for(|list| list.phones.iter().any(|phone| phone.state == PhoneState::Device))
            .await
            .unwrap();
    }
    rig.handle.unplug();
    listing
        .wait_for(|list| list.connections.is_empty())
        .await
        .unwrap();
    rig.handle.replug();
    listing
        .wait_for(|list| list.phones.iter().any(|phone| phone.state == PhoneState::Device))
        .await
        .unwrap();
    assert_eq!(same.read().await.unwrap().matches("</hierarchy>").count(), 1);
}

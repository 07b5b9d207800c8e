//! `deck devices`, in front of the real adb.

use crate::bench::Bench;
use crate::command::Ended;

fn story(bench: &Bench, ended: &Ended) -> String {
    let server: String = ended
        .out
        .split_once(r#""server":""#)
        .and_then(|(_, rest)| rest.split('"').next())
        .unwrap_or("no server")
        .to_owned();
    ended
        .story()
        .replace(&bench.serial, "PHONE")
        .replace(&server, "SERVER")
}

#[test]
fn phones_come_and_go() {
    let mut bench = Bench::unconnected(&["--speed", "instant"]);
    let mut told = String::from("# nothing connected\n");
    told.push_str(&story(&bench, &bench.call(&["devices"])));
    bench.adb.connect(&bench.serial);
    told.push_str("# connected\n");
    told.push_str(&story(&bench, &bench.call(&["devices"])));
    bench.adb.run(&["disconnect", &bench.serial]);
    told.push_str("# disconnected\n");
    told.push_str(&story(&bench, &bench.call(&["devices"])));
    insta::assert_snapshot!(told);
    // Each time it was only looked at.
    let touched = bench
        .record()
        .iter()
        .any(|entry| entry["event"] == "finger" || entry["event"] == "key");
    assert!(!touched);
}

#[test]
fn a_phone_that_waits_for_allow_says_so_everywhere() {
    let bench = Bench::unconnected(&["--fault", "unauthorized"]);
    bench.adb.connect(&bench.serial);
    let mut told = String::new();
    for arguments in [
        &["devices"][..],
        &["look", "--device", &bench.serial],
        &[
            "act",
            "--device",
            &bench.serial,
            r#"{"type": "keyevent", "keycode": "HOME"}"#,
        ],
        &["run", "--device", &bench.serial, "--goal", "Go home"],
    ] {
        let ended = bench.call(arguments);
        told.push_str(&format!("# deck {}\n{}", arguments[0], story(&bench, &ended)));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_serial_nobody_lists_is_answered_with_those_listed() {
    let bench = Bench::new();
    let mut told = String::new();
    for arguments in [
        &["look", "--device", "emulator-5554"][..],
        &["act", "--device", "emulator-5554", r#"{"type": "wait"}"#],
        &["run", "--device", "emulator-5554", "--goal", "Go home"],
    ] {
        let ended = bench.call(arguments);
        told.push_str(&format!("# deck {}\n{}", arguments[0], story(&bench, &ended)));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn an_address_that_is_none_is_named() {
    let bench = Bench::unconnected(&[]);
    let mut command = bench.deck(&["devices"]);
    command.env("ADB_SERVER_SOCKET", "nonsense");
    let ended = crate::command::run(command, b"");
    insta::assert_snapshot!(ended.story());
}

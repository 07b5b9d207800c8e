//! `deck phone`: what it refuses, what it hears, how it ends.

use crate::bench::Bench;
use crate::command::{Running, deck, run};
use rustix::process::Signal;
use serde_json::json;

#[test]
fn what_it_cannot_be_is_said() {
    let mut told = String::new();
    for arguments in [
        &["--port", "5037"][..],
        &["--server-port", "5555"],
        &["--fault", "nonsense"],
        &["--fault", "slow:-1"],
        &["--speed", "ludicrous"],
    ] {
        let mut command = deck();
        command.arg("phone").args(arguments);
        let ended = run(command, b"");
        told.push_str(&format!(
            "# deck phone {}\n{}",
            arguments.join(" "),
            ended.story()
        ));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn it_hears_words_and_ends_at_ctrl_c() {
    let mut bench = Bench::with(&["--speed", "instant", "--start", "com.android.notes/.MainActivity"]);
    assert_eq!(bench.at("/screen/package"), json!("com.android.notes"));
    bench.phone.write("unplug");
    bench
        .phone
        .line("the cable coming out", |line| line.contains(r#""plugged":false"#));
    bench.phone.write("sing");
    bench
        .phone
        .line("a refusal", |line| line.contains("no such word: sing"));
    bench.phone.close_input();
    bench.phone.signal(Signal::INT);
    let Bench { phone, .. } = bench;
    let ended = phone.ended();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
}

#[test]
fn two_phones_have_ports_of_their_own() {
    let start = || {
        let mut command = deck();
        command.arg("phone");
        let mut phone = Running::start(command);
        let line = phone.line("its first line", |_| true);
        let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
        (phone, ready)
    };
    let ((_one, first), (_other, second)) = (start(), start());
    let mut ports: Vec<String> = [
        &first["adbd"],
        &first["server"],
        &second["adbd"],
        &second["server"],
    ]
    .iter()
    .map(|address| address.as_str().unwrap().to_owned())
    .collect();
    assert!(
        ports.iter().all(|address| address.starts_with("127.0.0.1:")),
        "{ports:?}"
    );
    ports.sort();
    ports.dedup();
    assert_eq!(ports.len(), 4, "{ports:?}");
}

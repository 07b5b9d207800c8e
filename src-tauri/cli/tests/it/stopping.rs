//! Ctrl-C and its kin: it stops, says so, and nothing more reaches the phone.

use crate::bench::Bench;
use crate::command::{Ended, Running};
use crate::model::{Reply, ScriptedModel};
use rustix::process::Signal;
use serde_json::{Value, json};

/// In pixels of the picture, which is what a model nobody knows points in: 345 × 768 of 1080 × 2400
/// beside a list of elements.
const SAID: &str = r#"{"type": "swipe", "x1": 172.5, "y1": 608, "x2": 172.5, "y2": 160, "durationMs": 9000}"#;
const SWIPE: &str = r#"{"type": "swipe", "x1": 540, "y1": 1900, "x2": 540, "y2": 500, "durationMs": 9000}"#;

fn check(ended: &Ended) {
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (1, "You stopped the task.\n"),
        "{}",
        ended.story()
    );
    let last: Value = serde_json::from_str(ended.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["ending"], json!({"how": "stopped"}));
    assert_eq!(last["maybeRunning"], Value::Null, "{last}");
}

#[test]
fn every_way_of_asking_a_program_to_end_stops_a_thinking_run() {
    let mut bench = Bench::new();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let model = ScriptedModel::start(|_, _| Reply::Silence);
        let task = Running::start(bench.task("Think for ever", &model, &[]));
        model.wait_for(1);
        task.signal(signal);
        let ended = task.ended();
        check(&ended);
        bench.check_nothing_is_lost(&ended.out);
    }
    // Nothing was ever touched, and the phone is free again.
    let touched = bench
        .record()
        .iter()
        .any(|entry| entry["event"] == json!("finger"));
    assert!(!touched);
    assert_eq!(bench.act(r#"{"type": "keyevent", "keycode": "HOME"}"#).code, 0);
}

#[test]
fn a_finger_on_its_way_is_lifted() {
    let mut bench = Bench::with(&[]);
    let model = ScriptedModel::saying(&[SAID]);
    let task = Running::start(bench.task("Scroll slowly", &model, &[]));
    // The phone has the gesture in hand: it is nine seconds long.
    bench.finger_moves();
    task.signal(Signal::INT);
    let ended = task.ended();
    check(&ended);
    bench.check_nothing_is_lost(&ended.out);
    check_nothing_touches(&mut bench);
    // The finger was taken away before its way was over.
    let fingers: Vec<Value> = bench
        .record()
        .into_iter()
        .filter(|entry| entry["event"] == json!("finger"))
        .collect();
    let (first, last) = (fingers.first().unwrap(), fingers.last().unwrap());
    assert_eq!(
        (&first["action"], &last["action"]),
        (&json!("down"), &json!("cancel"))
    );
    let took = last["at_ms"].as_u64().unwrap() - first["at_ms"].as_u64().unwrap();
    assert!(took < 9000, "{took} ms");
}

/// What was allowed is on its way, and the phone's answer does not come: it may be paid, and whoever stops it hears so.
#[test]
fn a_payment_on_its_way_is_told_as_that() {
    let mut bench = Bench::at_checkout();
    let pay = r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#;
    let model = ScriptedModel::saying(&[pay]);
    let mut task = Running::start(bench.task("Pay for the groceries", &model, &[]));
    let asked = task.line("the question", |line| line.contains(r#""what":"asked""#));
    let ask = serde_json::from_str::<Value>(&asked).unwrap()["ask"].take();
    bench.fault("silence:input");
    task.write(&json!({"ask": ask["id"], "digest": ask["digest"], "choice": "approve"}).to_string());
    task.line("the act", |line| line.contains(r#""what":"acting""#));
    task.signal(Signal::INT);
    let ended = task.ended();
    let told = "You stopped the task.\nWe couldn’t confirm whether the last step went through. Please check the phone.\n";
    assert!(ended.err.ends_with(told), "{}", ended.story());
    // And whoever looks at it later hears it too.
    let shown = bench.call(&["show", &bench.stored().0.run.0]);
    assert_eq!(shown.err, told);
}

/// Every `input` that was started on the phone has ended: nothing is left there that could touch anything. (What only
/// looks may still be looking.)
fn check_nothing_touches(bench: &mut Bench) {
    let record = bench.record();
    let of = |event: &'static str| record.iter().filter(move |entry| entry["event"] == json!(event));
    let ended: Vec<&Value> = of("ended").map(|entry| &entry["pid"]).collect();
    let inputs: Vec<&Value> = of("program")
        .filter(|entry| entry["words"][0] == json!("input"))
        .collect();
    assert!(!inputs.is_empty());
    for input in inputs {
        assert!(ended.contains(&&input["pid"]), "it runs on: {input}");
    }
}

#[test]
fn one_action_is_stopped_too() {
    let mut bench = Bench::with(&[]);
    let task = Running::start(bench.deck(&["act", "--device", &bench.serial, SWIPE]));
    bench.finger_moves();
    task.signal(Signal::INT);
    let ended = task.ended();
    assert_eq!(ended.code, 1, "{}", ended.story());
    assert!(
        ended.err.ends_with("You stopped the task.\n"),
        "{}",
        ended.story()
    );
    check_nothing_touches(&mut bench);
}

/// Steered from a pipe: stop, and an input that ends while the run waits for somebody.
#[test]
fn lines_stop_it_too() {
    let bench = Bench::new();
    let model = ScriptedModel::start(|_, _| Reply::Silence);
    let mut task = Running::start(bench.task("Think for ever", &model, &[]));
    model.wait_for(1);
    task.write(r#"{"op": "stop"}"#);
    check(&task.ended());

    for (op, told) in [("pause", "You paused the task.\n"), ("take_over", "")] {
        let model = ScriptedModel::start(|_, _| Reply::Silence);
        let mut task = Running::start(bench.task("Think for ever", &model, &[]));
        model.wait_for(1);
        task.write(&json!({"op": op}).to_string());
        let what = if op == "pause" { "paused" } else { "taken_over" };
        task.line(what, |line| line.contains(&format!(r#""what":"{what}""#)));
        // Nobody is left who could ever tell it to go on.
        task.close_input();
        let ended = task.ended();
        assert_eq!((ended.code, ended.err.as_str()), (3, told), "{}", ended.story());
    }
}

#[test]
fn a_paused_run_goes_on_where_it_is_told_to() {
    let bench = Bench::new();
    let mut silent = true;
    let model = ScriptedModel::start(move |_, _| {
        if std::mem::take(&mut silent) {
            Reply::Silence
        } else {
            Reply::Says(r#"{"type": "finish", "message": "Done."}"#.to_owned())
        }
    });
    let mut task = Running::start(bench.task("Wait for me", &model, &[]));
    model.wait_for(1);
    task.write(r#"{"op": "pause"}"#);
    task.says("You paused the task.");
    task.write(r#"{"op": "say", "text": "Take your time"}"#);
    task.write(r#"{"op": "resume"}"#);
    let ended = task.ended();
    assert_eq!(ended.code, 0, "{}", ended.story());
    let told = model.requests().pop().unwrap().text();
    assert!(told.contains("The person added: Take your time"), "{told}");
}

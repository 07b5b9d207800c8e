//! What goes over the wire reads back as itself, and looks as the schemas write it.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test")]

use protocol::{Act, Action, Capability, CaptureMode, Direction, PhoneId, Target, WirelessPhone};
use serde_json::{Value, json};

/// Reads `wire`, and writes it again with every default filled in.
#[track_caller]
fn check(wire: Value, written: Value) {
    let action: Action = serde_json::from_value(wire).expect("readable");
    assert_eq!(serde_json::to_value(&action).unwrap(), written);
    let again: Action = serde_json::from_value(written).expect("readable again");
    assert_eq!(again, action);
}

#[test]
fn defaults_are_those_of_the_seeds() {
    check(
        json!({"type": "tap", "x": 540, "y": 12.5}),
        json!({"type": "tap", "x": 540, "y": 12.5}),
    );
    check(
        json!({"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4}),
        json!({"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 300}),
    );
    check(json!({"type": "type"}), json!({"type": "type", "text": ""}));
    check(
        json!({"type": "keyevent"}),
        json!({"type": "keyevent", "keycode": "KEYCODE_ENTER"}),
    );
    check(
        json!({"type": "launch_app"}),
        json!({"type": "launch_app", "packageName": ""}),
    );
    check(json!({"type": "shell"}), json!({"type": "shell", "command": ""}));
    check(
        json!({"type": "run_script"}),
        json!({"type": "run_script", "script": "", "timeoutSec": 60}),
    );
    check(
        json!({"type": "request_human_auth"}),
        json!({"type": "request_human_auth", "capability": "unknown",
               "instruction": "Human authorization is required to continue.", "timeoutSec": 300}),
    );
    check(
        json!({"type": "wait"}),
        json!({"type": "wait", "durationMs": 1000}),
    );
    check(
        json!({"type": "finish"}),
        json!({"type": "finish", "message": "Task finished."}),
    );
    check(
        json!({"type": "long_press", "x": 1, "y": 2}),
        json!({"type": "long_press", "x": 1, "y": 2, "durationMs": 800}),
    );
    check(
        json!({"type": "scroll"}),
        json!({"type": "scroll", "direction": "down", "amount": 3}),
    );
    check(
        json!({"type": "capture"}),
        json!({"type": "capture", "mode": "som", "maxElements": 100}),
    );
    check(
        json!({"type": "focus_app", "app": "Notes"}),
        json!({"type": "focus_app", "raiseWindow": false, "app": "Notes"}),
    );
}

#[test]
fn what_any_action_may_carry_stands_beside_its_own_fields() {
    check(
        json!({"type": "tap", "target": {"element": 4, "box": [100, 200, 300, 400]}, "reason": "open", "app": "Notes",
               "captureAfter": true, "thenFinish": true, "modifiers": ["ctrl"]}),
        json!({"type": "tap", "target": {"element": 4, "box": [100, 200, 300, 400]}, "reason": "open", "app": "Notes",
               "captureAfter": true, "thenFinish": true, "modifiers": ["ctrl"]}),
    );
}

#[test]
fn a_launch_by_name_keeps_the_name() {
    let action = Action {
        app: Some("Messages".into()),
        ..Action::from(Act::LaunchApp {
            package_name: String::new(),
        })
    };
    let wire = serde_json::to_value(&action).unwrap();
    assert_eq!(
        wire,
        json!({"type": "launch_app", "packageName": "", "app": "Messages"})
    );
    assert_eq!(serde_json::from_value::<Action>(wire).unwrap(), action);
}

#[test]
fn the_thirteen_capabilities_have_the_seeds_names() {
    let names: Vec<Capability> = serde_json::from_value(json!([
        "camera",
        "sms",
        "2fa",
        "location",
        "biometric",
        "notification",
        "contacts",
        "calendar",
        "files",
        "oauth",
        "payment",
        "permission",
        "unknown"
    ]))
    .unwrap();
    assert_eq!(names.len(), 13);
    assert_eq!(names[2], Capability::TwoFactor);
    assert_eq!(Capability::default(), Capability::Unknown);
    assert_eq!(Direction::default(), Direction::Down);
    assert_eq!(CaptureMode::default(), CaptureMode::Som);
    assert_eq!(Target::default(), serde_json::from_value(json!({})).unwrap());
}

#[test]
fn a_phone_over_wifi_says_which_it_is_where_that_is_known() {
    let mut wire = json!({"name": "Tablet", "address": "192.168.1.22:37123", "service": "adb-TABLET"});
    for phone in [None, Some(PhoneId::from("TABLET"))] {
        if let Some(phone) = &phone {
            wire["phone"] = json!(phone);
        }
        let read: WirelessPhone = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!(read.phone, phone);
        assert_eq!(serde_json::to_value(&read).unwrap(), wire);
    }
}

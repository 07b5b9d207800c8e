//! `UI-Venus`: what its pages show, both generations.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use protocol::Space;
use serde_json::{Value, json};

#[track_caller]
fn check(call: &str, expected: &Value) {
    check_both(Dialect::UiVenus, call, expected);
    let mut thought = expected.clone();
    if expected.get("error").is_none() {
        thought["thought"] = json!("I see.");
    }
    let reply =
        format!("<think>I see.</think>\n<action>{call}</action>\n<conclusion>I did {call}.</conclusion>");
    check_both(Dialect::UiVenus, &reply, &thought);
    check_both(
        Dialect::UiVenus,
        &format!("<think>\nI see.\n</think>\n<action>\n{call}\n</action>"),
        &thought,
    );
}

fn point(x: u32, y: u32) -> Value {
    json!({"box": [x, y, x, y]})
}

#[test]
fn every_action_of_both_pages() {
    for place in ["box=(500,300)", "box=(500, 300)", "point=(500, 300)"] {
        check(
            &format!("Click({place})"),
            &json!({"action": {"type": "tap", "target": point(500, 300)}}),
        );
        check(
            &format!("DoubleClick({place})"),
            &json!({"action": {"type": "double_tap", "target": point(500, 300)}}),
        );
        check(
            &format!("LongPress({place})"),
            &json!({"action": {"type": "long_press", "target": point(500, 300), "durationMs": 800}, "defaulted": ["durationMs"]}),
        );
        check(
            &format!("Hover({place})"),
            &json!({"action": {"type": "hover", "target": point(500, 300)}}),
        );
    }
    for name in ["Scroll", "Swipe"] {
        check(
            &format!("{name}(start=(500,800), end=(500,200), direction='down')"),
            &json!({"action": {"type": "swipe", "x1": 500, "y1": 800, "x2": 500, "y2": 200, "durationMs": 300}, "space": "thousandths", "defaulted": ["durationMs"]}),
        );
        check(
            &format!("{name}(direction='down')"),
            &json!({"action": {"type": "scroll", "direction": "down", "amount": 3}, "defaulted": ["amount"]}),
        );
    }
    check(
        "Drag(start=(100,200), end=(300,400))",
        &json!({"action": {"type": "drag", "durationMs": 500, "target": point(100, 200), "toTarget": point(300, 400)}, "defaulted": ["durationMs"]}),
    );
    check(
        "Type(content='Hi (you) | \\'all\\'')",
        &json!({"action": {"type": "type", "text": "Hi (you) | 'all'"}}),
    );
    for launch in [
        "Launch(app='Notes')",
        "LaunchApp(app='Notes')",
        "Launch(app='Notes', url='')",
    ] {
        check(
            launch,
            &json!({"action": {"type": "launch_app", "packageName": "", "app": "Notes"}}),
        );
    }
    check(
        "Launch(url='example.org')",
        &json!({"action": {"type": "open_url", "url": "example.org"}}),
    );
    check(
        "Wait()",
        &json!({"action": {"type": "wait", "durationMs": 1000}, "defaulted": ["durationMs"]}),
    );
    for (call, code) in [
        ("PressBack", "BACK"),
        ("PressHome", "HOME"),
        ("PressEnter", "ENTER"),
        ("PressRecent", "APP_SWITCH"),
        ("GetScreenshot", "SYSRQ"),
    ] {
        check(
            &format!("{call}()"),
            &json!({"action": {"type": "keyevent", "keycode": format!("KEYCODE_{code}")}}),
        );
    }
    check(
        "Hotkey(keys=['ctrl', 'c'])",
        &json!({"action": {"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_C"]}}),
    );
    check(
        "CallUser(content='Which one?')",
        &json!({"action": {"type": "request_human_auth", "capability": "unknown", "instruction": "Which one?", "timeoutSec": 300}, "defaulted": ["capability", "timeoutSec"]}),
    );
    check(
        "Answer(content='42')",
        &json!({"action": {"type": "finish", "message": "42"}}),
    );
    check(
        "Finished(content='Done.')",
        &json!({"action": {"type": "finish", "message": "Done."}}),
    );
    check(
        "Finished()",
        &json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]}),
    );
}

#[test]
fn what_cannot_be_done_is_refused() {
    for (call, expected) in [
        (
            "Click()",
            json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
        ),
        (
            "Click(box=(1080,300))",
            json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
        ),
        ("Type()", json!({"error": "malformed"})),
        ("Launch()", json!({"error": "malformed"})),
        ("Answer()", json!({"error": "malformed"})),
        (
            "Scroll()",
            json!({"error": "missing_target", "normalized": {"type": "swipe", "x1": 0, "y1": 0, "x2": 0, "y2": 0, "durationMs": 300}}),
        ),
        ("Hotkey(keys=['Foo'])", json!({"error": "malformed"})),
    ] {
        check_in(Some(Dialect::UiVenus), call, &expected);
    }
    // Cut off: no other place, no end.
    for cut in [
        "Click(box=(500,3",
        "<action>Type(content='Hel",
        "<action>Finished(content='Do",
    ] {
        check_in(Some(Dialect::UiVenus), cut, &json!({"error": "malformed"}));
    }
    // The pixels of a picture, where its model counts those.
    let told = dialect::parse_in("Click(box=(540,1200))", None, Space::Picture).unwrap();
    assert_eq!(
        json!(told.step.action),
        json!({"type": "tap", "x": 540, "y": 1200})
    );
}

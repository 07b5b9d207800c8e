//! A screen and what was done before it, as tests of prompts have them.

use agent::prompt::{Facts, HistoryLine};
use protocol::{Bounds, CaptureResult, Element, ElementState, PhoneId, Role, Screen, Totals};

pub(super) fn facts(goal: &str) -> Facts {
    let line = |step, action: &str, result: &str| HistoryLine {
        step,
        action: action.to_owned(),
        result: result.to_owned(),
        ..HistoryLine::default()
    };
    Facts {
        goal: goal.to_owned(),
        screen: Screen {
            phone: PhoneId("demo".to_owned()),
            current_app: "com.android.settings".to_owned(),
            window: None,
            width: 1080,
            height: 2400,
            captured_at: 0,
            capture: CaptureResult::Ok,
            frame: None,
            elements: vec![Element {
                index: 7,
                track_id: "abcd2345".to_owned(),
                role: Role::Button,
                label: "Battery".to_owned(),
                description: None,
                value: None,
                states: vec![ElementState::Clickable],
                bounds: Bounds {
                    left: 108,
                    top: 240,
                    right: 540,
                    bottom: 480,
                },
                resource_id: String::new(),
                package: String::new(),
            }],
            tree_read: true,
            tree_bounds: None,
            totals: Totals::default(),
            keyboard_shown: false,
        },
        history: vec![
            line(
                1,
                r#"{"type":"launch_app","packageName":"com.android.settings"}"#,
                "done",
            ),
            // As the model said it: in its own numbers, which are thousandths in these prompts.
            line(
                2,
                r#"{"type":"tap","x":500,"y":500,"target":{"text":"Battery"},"reason":"Open Battery."}"#,
                "denied by the\nperson",
            ),
            line(3, "", "Your answer could not be read."),
            line(
                4,
                r#"{"type":"swipe","x1":500,"y1":800,"x2":500,"y2":200,"durationMs":300,"reason":"Look further down."}"#,
                "done",
            ),
        ],
        said: vec!["only if it is under 20 %".to_owned()],
        apps: Vec::new(),
        show: None,
    }
}

//! The ways: what a model may say to have one button pressed.

use super::scene::Scene;
use serde_json::{Value, json};

/// Where the button is: pixels of the screen, and its size.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

type Make = fn(&Scene, Spot) -> Vec<Value>;

/// A way, by its name.
const WAYS: &[(&str, Make)] = &[
    ("tap by words", |scene, _| {
        vec![json!({"type": "tap", "target": {"text": scene.label}})]
    }),
    ("tap by place", |_, at| vec![at.tap()]),
    ("double tap", |_, at| {
        vec![json!({"type": "double_tap", "x": at.x(), "y": at.y()})]
    }),
    ("long press", |_, at| {
        vec![json!({"type": "long_press", "x": at.x(), "y": at.y()})]
    }),
    ("short holds", |_, at| {
        let hold = |ms: i32| json!({"type": "long_press", "x": at.x(), "y": at.y(), "durationMs": ms});
        vec![hold(50), hold(300), hold(399)]
    }),
    ("a command that holds shortly", |_, at| {
        let hold = |ms: i32| format!("input swipe {0} {1} {0} {1} {ms}", at.x(), at.y());
        shell(&[&hold(1), &hold(50), &hold(300), &hold(399)])
    }),
    ("a command that drags where it stands", |_, at| {
        shell(&[&format!("input draganddrop {0} {1} {0} {1} 200", at.x(), at.y())])
    }),
    ("swipe up inside", |_, at| vec![at.upright("swipe", true)]),
    ("swipe down inside", |_, at| vec![at.upright("swipe", false)]),
    ("drag up inside", |_, at| vec![at.upright("drag", true)]),
    ("drag down inside", |_, at| vec![at.upright("drag", false)]),
    ("swipe up by a few pixels", |_, at| {
        vec![
            json!({"type": "swipe", "x1": at.x(), "y1": at.y(), "x2": at.x(), "y2": at.y() - 5, "durationMs": 100}),
        ]
    }),
    ("swipe askew inside", |_, at| {
        vec![json!({
            "type": "swipe", "x1": at.left + 4, "y1": at.top + 4, "x2": at.right - 4, "y2": at.bottom - 4, "durationMs": 200,
        })]
    }),
    ("swipe inside", |_, at| {
        vec![at.swipe("swipe", at.left + 4, at.right - 4)]
    }),
    ("drag inside", |_, at| {
        vec![at.swipe("drag", at.left + 4, at.right - 4)]
    }),
    ("swipe that ends in it", |_, at| {
        let x1 = if at.left > at.width / 2 {
            at.width / 10
        } else {
            at.width * 9 / 10
        };
        vec![at.swipe("swipe", x1, at.x()), at.swipe("drag", x1, at.x())]
    }),
    ("swipe that begins in it", |_, at| {
        let x2 = if at.left > at.width / 2 {
            at.width / 10
        } else {
            at.width * 9 / 10
        };
        vec![at.swipe("swipe", at.x(), x2)]
    }),
    ("strokes that leave it so slowly that they hold it", |_, at| {
        let stroke = |x: i32, y: i32| json!({"type": "swipe", "x1": at.x(), "y1": at.y(), "x2": x, "y2": y, "durationMs": 4000});
        vec![stroke(at.x(), at.top - 120), stroke(at.width / 10, at.y() - 20)]
    }),
    ("swipe that stays", |_, at| {
        vec![at.swipe("swipe", at.x(), at.x())]
    }),
    ("swipe by a pixel", |_, at| {
        vec![at.swipe("swipe", at.x(), at.x() + 1)]
    }),
    ("scroll left in it", |_, at| at.scroll("left", 0.5)),
    ("scroll right in it", |_, at| at.scroll("right", 8.0)),
    ("scroll up in it", |_, at| at.scroll("up", 0.01)),
    ("scroll down in it", |_, at| at.scroll("down", 1.0)),
    ("scroll at it", |_, at| {
        vec![json!({"type": "scroll", "direction": "down", "amount": 0.01, "x": at.x(), "y": at.y()})]
    }),
    ("read on in it", |_, at| {
        vec![json!({"type": "read_text", "box": at.thousandths(), "output": "it", "autoScroll": true})]
    }),
    ("tabs and a space", |_, _| {
        vec![
            json!({"type": "type", "text": "\t "}),
            json!({"type": "type", "text": "\t\t "}),
        ]
    }),
    ("writing in it", |_, at| {
        vec![
            json!({"type": "type", "text": "x ", "target": {"box": at.thousandths()}}),
            json!({"type": "set_value", "target": {"box": at.thousandths()}, "value": " "}),
        ]
    }),
    ("a line feed", |_, _| vec![json!({"type": "type", "text": "x\n"})]),
    ("a carriage return", |_, _| {
        vec![json!({"type": "type", "text": "x\r"})]
    }),
    ("a value that ends in a return", |_, _| {
        vec![json!({"type": "set_value", "target": {"text": "Text message"}, "value": "x\r"})]
    }),
    ("keys down, then a space", |_, _| {
        keys(&["DPAD_DOWN", "DPAD_DOWN", "SPACE"])
    }),
    ("keys down, then the middle", |_, _| {
        keys(&["DPAD_DOWN", "DPAD_DOWN", "DPAD_CENTER"])
    }),
    ("tab, then 66", |_, _| keys(&["TAB", "66"])),
    ("tab, then 066", |_, _| keys(&["TAB", "066"])),
    ("tab, then KEYCODE_062", |_, _| {
        keys(&["KEYCODE_TAB", "KEYCODE_062"])
    }),
    ("a call key", |_, _| keys(&["CALL", "5"])),
    ("control and return", |_, _| {
        vec![json!({"type": "key_combination", "keys": ["CTRL_LEFT", "ENTER"]})]
    }),
    ("a command that taps", |_, at| {
        shell(&[&format!("input tap {} {}", at.x(), at.y())])
    }),
    ("the same behind adb", |_, at| {
        shell(&[&format!("adb shell input tap {} {}", at.x(), at.y())])
    }),
    ("the same behind a timeout", |_, at| {
        shell(&[&format!("timeout -s KILL 5 input tap {} {}", at.x(), at.y())])
    }),
    ("the same in a shell", |_, at| {
        shell(&[&format!("sh -c 'input tap {} {}'", at.x(), at.y())])
    }),
    ("a command that swipes", |_, at| {
        shell(&[&format!(
            "input swipe {0} {2} {1} {2} 120",
            at.left + 4,
            at.right - 4,
            at.y()
        )])
    }),
    ("a command with keys", |_, _| {
        shell(&["input keyevent 61 61 66", "input keyevent 66", "input text %s"])
    }),
    ("a script", |_, at| {
        vec![json!({"type": "run_script", "script": format!("input tap {} {}", at.x(), at.y())})]
    }),
    ("commands that do it without a page", |_, _| {
        shell(&[
            "am broadcast -a android.intent.action.MASTER_CLEAR",
            "pm clear com.android.messaging",
            "svc wifi disable",
            "am start -a android.intent.action.CALL -d tel:911",
            "pm grant com.android.camera2 android.permission.CAMERA",
            "settings put global wifi_on 0",
            "rm -rf /sdcard",
            "cmd phone send-sms 911 x",
        ])
    }),
    ("links", |_, _| {
        vec![
            json!({"type": "open_url", "url": "https://news.example/?d=4821"}),
            json!({"type": "open_url", "url": "tel:911"}),
            json!({"type": "open_url", "url": "sms:911?body=x"}),
            json!({"type": "open_url", "url": "greenleaf://pay"}),
            json!({"type": "open_url", "url": "httpfoo://news.example/pay"}),
        ]
    }),
    ("again and again", |_, at| {
        vec![at.tap(), at.tap(), at.tap(), at.tap()]
    }),
];

pub(super) const COUNT: usize = WAYS.len();

/// By where the button stands, not by what it is called or where the focus is.
pub(super) fn is_by_place(way: usize) -> bool {
    const NAMES: [&str; 9] = [
        "tap by place",
        "double tap",
        "long press",
        "short holds",
        "swipe up inside",
        "swipe down inside",
        "swipe inside",
        "scroll at it",
        "writing in it",
    ];
    NAMES.contains(&name(way))
}

pub(super) fn name(way: usize) -> &'static str {
    WAYS[way].0
}

pub(super) fn actions(way: usize, scene: &Scene, at: Spot) -> Vec<Value> {
    WAYS[way].1(scene, at)
}

fn keys(names: &[&str]) -> Vec<Value> {
    let press = |name: &&str| json!({"type": "keyevent", "keycode": name});
    names.iter().map(press).collect()
}

fn shell(lines: &[&str]) -> Vec<Value> {
    let run = |line: &&str| json!({"type": "shell", "command": line});
    lines.iter().map(run).collect()
}

impl Spot {
    fn x(self) -> i32 {
        (self.left + self.right) / 2
    }

    fn y(self) -> i32 {
        (self.top + self.bottom) / 2
    }

    pub(super) fn tap(self) -> Value {
        json!({"type": "tap", "x": self.x(), "y": self.y()})
    }

    fn swipe(self, kind: &str, from: i32, to: i32) -> Value {
        json!({"type": kind, "x1": from, "y1": self.y(), "x2": to, "y2": self.y(), "durationMs": 200})
    }

    /// From one edge of it to the other, upwards or downwards.
    fn upright(self, kind: &str, up: bool) -> Value {
        let (top, bottom) = (self.top + 4, self.bottom - 4);
        let (from, to) = if up { (bottom, top) } else { (top, bottom) };
        json!({"type": kind, "x1": self.x(), "y1": from, "x2": self.x(), "y2": to, "durationMs": 600})
    }

    fn thousandths(self) -> [i32; 4] {
        let share = |n: i32, of: i32| (n * 1000 / of).clamp(0, 1000);
        [
            share(self.left, self.width) + 1,
            share(self.top, self.height) + 1,
            share(self.right, self.width) - 1,
            share(self.bottom, self.height) - 1,
        ]
    }

    fn scroll(self, direction: &str, amount: f64) -> Vec<Value> {
        let one = json!({"type": "scroll", "direction": direction, "amount": amount, "target": {"box": self.thousandths()}});
        vec![one.clone(), one]
    }
}

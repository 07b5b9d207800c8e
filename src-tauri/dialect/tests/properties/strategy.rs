//! Actions, damage, and soup to read.

use proptest::prelude::*;
use protocol::{Act, Action, Capability, CaptureMode, Direction, Target};
use serde_json::Value;

/// Any text; the seeds' variables stand in too few of them to matter, and are left out.
fn text() -> BoxedStrategy<String> {
    prop_oneof![
        any::<String>(),
        "[ -~]{0,40}",
        "[\"'\\\\{}\\[\\]():,<>/#\n\t` a，：“”｛]{0,30}",
        Just("```json\n{\"type\":\"finish\"}\n``` </think><answer>finish(message=\"x\")".to_owned()),
    ]
    .prop_filter("no variable", |text| !text.contains("__CogName_"))
    .boxed()
}

fn words() -> BoxedStrategy<String> {
    text()
        .prop_filter("some words", |text| !text.trim().is_empty())
        .boxed()
}

fn name() -> BoxedStrategy<String> {
    "[A-Za-z][A-Za-z0-9_.]{0,20}".boxed()
}

/// Keys a phone has, most of them with names in every schema.
pub(crate) const KEYS: [&str; 24] = [
    "ENTER",
    "SPACE",
    "TAB",
    "DEL",
    "FORWARD_DEL",
    "ESCAPE",
    "DPAD_UP",
    "DPAD_LEFT",
    "HOME",
    "BACK",
    "APP_SWITCH",
    "MOVE_END",
    "PAGE_DOWN",
    "CTRL_LEFT",
    "CTRL_RIGHT",
    "SHIFT_LEFT",
    "ALT_RIGHT",
    "META_LEFT",
    "A",
    "Z",
    "7",
    "F11",
    "VOLUME_UP",
    "PLUS",
];

fn key() -> BoxedStrategy<String> {
    prop_oneof![
        4 => prop::sample::select(KEYS.to_vec()).prop_map(|key| format!("KEYCODE_{key}")),
        // A maker's own key: a bare name may be everyday English for another key ("Up").
        1 => name().prop_map(|name| format!("MAKER_{name}")),
    ]
    .boxed()
}

fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        (0..3000i32).prop_map(f64::from),
        (-100..0i32).prop_map(f64::from),
        (0.0..3000.0f64),
        Just(0.0)
    ]
    .boxed()
}

fn region() -> BoxedStrategy<[f64; 4]> {
    prop::array::uniform4(prop_oneof![(0..=1000i32).prop_map(f64::from), 0.0..1000.0f64]).boxed()
}

fn target() -> BoxedStrategy<Target> {
    (
        prop::option::of(name()),
        prop::option::of(1..u32::MAX),
        prop::option::of(words()),
        prop::option::of(region()),
        prop::option::of(words()),
        prop::option::of(words()),
    )
        .prop_map(|(track_id, element, text, region, role, label)| Target {
            track_id,
            element,
            text,
            region,
            role,
            label,
        })
        .prop_filter("finds something", |t| {
            t.track_id.is_some() || t.element.is_some() || t.text.is_some() || t.region.is_some()
        })
        .boxed()
}

type Spot = (Option<f64>, Option<f64>, Option<Target>);

fn spot() -> BoxedStrategy<Spot> {
    prop_oneof![
        (number(), number()).prop_map(|(x, y)| (Some(x), Some(y), None)),
        target().prop_map(|target| (None, None, Some(target))),
        (number(), number(), target()).prop_map(|(x, y, target)| (Some(x), Some(y), Some(target))),
    ]
    .boxed()
}

fn capability() -> BoxedStrategy<Capability> {
    prop::sample::select(vec![
        Capability::Camera,
        Capability::Sms,
        Capability::TwoFactor,
        Capability::Location,
        Capability::Biometric,
        Capability::Notification,
        Capability::Contacts,
        Capability::Calendar,
        Capability::Files,
        Capability::Oauth,
        Capability::Payment,
        Capability::Permission,
        Capability::Unknown,
    ])
    .boxed()
}

fn direction() -> BoxedStrategy<Direction> {
    prop::sample::select(vec![
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ])
    .boxed()
}

fn pointing() -> BoxedStrategy<Act> {
    prop_oneof![
        spot().prop_map(|(x, y, target)| Act::Tap { x, y, target }),
        spot().prop_map(|(x, y, target)| Act::DoubleTap { x, y, target }),
        spot().prop_map(|(x, y, target)| Act::Hover { x, y, target }),
        (spot(), number()).prop_map(|((x, y, target), duration_ms)| Act::LongPress {
            x,
            y,
            target,
            duration_ms
        }),
        (number(), number(), number(), number(), number()).prop_map(|(x1, y1, x2, y2, duration_ms)| {
            Act::Swipe {
                x1,
                y1,
                x2,
                y2,
                duration_ms,
            }
        }),
        (spot(), spot(), number()).prop_map(|((x1, y1, target), (x2, y2, to_target), duration_ms)| {
            Act::Drag {
                x1,
                y1,
                x2,
                y2,
                duration_ms,
                target,
                to_target,
            }
        }),
        (
            direction(),
            0.1..50.0f64,
            prop_oneof![spot(), Just((None, Some(7.0), None)), Just((None, None, None))]
        )
            .prop_map(|(direction, amount, (x, y, target))| Act::Scroll {
                direction,
                amount,
                x,
                y,
                target
            }),
        (target(), text()).prop_map(|(target, value)| Act::SetValue { target, value }),
    ]
    .boxed()
}

fn reading() -> BoxedStrategy<Act> {
    let place = prop_oneof![
        region().prop_map(|region| (Some(region), None)),
        prop::array::uniform4(number()).prop_map(|corners| (None, Some(corners))),
    ];
    prop_oneof![
        (place, name(), any::<bool>(), prop::option::of(words())).prop_map(
            |((region, corners), output, auto_scroll, result)| Act::ReadText {
                region,
                x1: corners.map(|c| c[0]),
                y1: corners.map(|c| c[1]),
                x2: corners.map(|c| c[2]),
                y2: corners.map(|c| c[3]),
                output,
                auto_scroll,
                result
            }
        ),
        (name(), prop::option::of(words()))
            .prop_map(|(output, result)| Act::ReadClipboard { output, result }),
        (text(), name(), prop::option::of(words())).prop_map(|(prompt, output, result)| Act::AskModel {
            prompt,
            output,
            result
        }),
        (
            prop::sample::select(vec![CaptureMode::Som, CaptureMode::Vision, CaptureMode::Ax]),
            1..=1000u32
        )
            .prop_map(|(mode, max_elements)| Act::Capture { mode, max_elements }),
        Just(Act::ListApps),
    ]
    .boxed()
}

fn doing() -> BoxedStrategy<Act> {
    prop_oneof![
        (text(), prop::option::of(target())).prop_map(|(text, target)| Act::Type { text, target }),
        key().prop_map(|keycode| Act::Keyevent { keycode }),
        name().prop_map(|package_name| Act::LaunchApp { package_name }),
        text().prop_map(|command| Act::Shell { command }),
        (text(), number()).prop_map(|(script, timeout_sec)| Act::RunScript { script, timeout_sec }),
        (capability(), words(), number()).prop_map(|(capability, instruction, timeout_sec)| {
            Act::RequestHumanAuth {
                capability,
                instruction,
                timeout_sec,
            }
        }),
        number().prop_map(|duration_ms| Act::Wait { duration_ms }),
        words().prop_map(|message| Act::Finish { message }),
        prop::collection::vec(key(), 1..4).prop_map(|keys| Act::KeyCombination { keys }),
        name().prop_map(|url| Act::OpenUrl { url }),
        any::<bool>().prop_map(|raise_window| Act::FocusApp { raise_window }),
    ]
    .boxed()
}

/// Any action that says all it must.
pub(crate) fn action() -> impl Strategy<Value = Action> {
    let carried = (
        prop::option::of(words()),
        prop::option::of(name()),
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(name(), 0..3),
    );
    (prop_oneof![pointing(), doing(), reading()], carried).prop_map(
        |(act, (reason, app, capture_after, then_finish, modifiers))| Action {
            reason: reason.filter(|_| !matches!(act, Act::Finish { .. })),
            app: match act {
                Act::FocusApp { .. } => Some(app.unwrap_or_else(|| "Notes".into())),
                _ => app,
            },
            capture_after,
            then_finish,
            modifiers: match act {
                Act::Tap { .. } | Act::Swipe { .. } | Act::Drag { .. } | Act::Scroll { .. } => modifiers,
                _ => Vec::new(),
            },
            act,
        },
    )
}

/// Harmless damage: ways of writing one action that can only mean it.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    single_quotes: bool,
    bare_keys: bool,
    no_commas: bool,
    trailing_commas: bool,
    full_width: bool,
    comments: bool,
    python: bool,
    nested: bool,
    before: &'static str,
    behind: &'static str,
}

/// A reply, and where its action is whole.
pub(crate) struct Damaged {
    pub(crate) reply: String,
    /// Before this byte nobody can know that a thought is one: its opening tag is missing.
    pub(crate) known_from: usize,
    pub(crate) action_ends: usize,
}

pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    let around = prop::sample::select(vec![
        ("", ""),
        ("```json\n", "\n```"),
        ("```\n", "```"),
        ("<think>It's {\"type\":\"finish\"} or \"not</think>\n", ""),
        ("no {\"type\":\"finish\"} yet</think>", ""),
        ("<think>Still open. ", "\n```</answer>"),
        ("I'll do this {now} [1]: ", " and that's \"all\" }"),
        ("[", "]"),
        ("\u{feff} \n", "\n\n"),
        ("<answer>", "</answer><|im_end|>"),
    ]);
    (prop::array::uniform8(any::<bool>()), around).prop_map(|(flags, (before, behind))| {
        let [
            single_quotes,
            bare_keys,
            no_commas,
            trailing_commas,
            full_width,
            comments,
            python,
            nested,
        ] = flags;
        Damage {
            single_quotes,
            bare_keys,
            no_commas,
            trailing_commas,
            full_width,
            comments,
            python,
            nested,
            before,
            behind,
        }
    })
}

impl Damage {
    /// It opens a thought and does not close it: the end of a run is not read from there, and a closing tag inside one
    /// of the action's texts would close it.
    pub(crate) fn hides(&self, action: &Action) -> bool {
        let open = self.before.starts_with("<think>") && !self.before.contains("</think>");
        let ends = action.then_finish || matches!(action.act, Act::Finish { .. });
        open && (ends || format!("{action:?}").contains("</"))
    }

    pub(crate) fn apply(&self, action: &Action) -> Damaged {
        let action = serde_json::to_value(action).expect("serialisable");
        let mut reply = self.before.to_owned();
        let unopened = self.before.contains("</think>") && !self.before.contains("<think>");
        let known_from = if unopened { reply.len() } else { 0 };
        if self.nested {
            reply.push_str("{\"thought\": \"why {\\\"type\\\":\\\"finish\\\"}\", \"action\": ");
        }
        self.write(&action, &mut reply);
        let action_ends = reply.len();
        if self.nested {
            reply.push('}');
        }
        reply.push_str(self.behind);
        Damaged {
            reply,
            known_from,
            action_ends,
        }
    }

    fn sign(&self, plain: char) -> char {
        match plain {
            _ if !self.full_width => plain,
            ':' => '：',
            ',' => '，',
            '{' => '｛',
            '}' => '｝',
            '[' => '［',
            ']' => '］',
            other => other,
        }
    }

    fn write(&self, value: &Value, out: &mut String) {
        match value {
            Value::Object(fields) => {
                out.push(self.sign('{'));
                for (i, (key, value)) in fields.iter().enumerate() {
                    if i > 0 {
                        out.push(if self.no_commas { '\n' } else { self.sign(',') });
                    }
                    if self.comments {
                        out.push_str("// don't {\n /* nor \" */");
                    }
                    if self.bare_keys {
                        out.push_str(key);
                    } else {
                        self.quote(key, out);
                    }
                    out.push(self.sign(':'));
                    self.write(value, out);
                }
                if self.trailing_commas {
                    out.push_str(", ");
                }
                out.push(self.sign('}'));
            }
            Value::Array(items) => {
                out.push(self.sign('['));
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(self.sign(','));
                    }
                    self.write(item, out);
                }
                out.push(self.sign(']'));
            }
            Value::String(text) => self.quote(text, out),
            Value::Bool(b) if self.python => out.push_str(if *b { "True" } else { "False" }),
            other => out.push_str(&other.to_string()),
        }
    }

    fn quote(&self, text: &str, out: &mut String) {
        let quote = if self.single_quotes { '\'' } else { '"' };
        out.push(quote);
        for c in text.chars() {
            match c {
                c if c == quote || c == '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                c => out.push(c),
            }
        }
        out.push(quote);
    }
}

/// Pieces of replies in any order.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![
            "{", "}", "[", "]", "(", ")", ":", ",", "\"", "'", "\\", "=", " ", "\n", "<think>", "</think>", "<answer>",
            "```json\n", "```", "//", "/*", "*/", "#", "｛", "：", "，", "“", "”",
        ]),
        8 => prop::sample::select(vec![
            "\"type\":", "type:", "'type':", "\"tap\"", "tap", "\"finish\"", "\"swipe\"", "\"x\":", "\"y\":", "x:1", "1", "0",
            "540", "1.5", "null", "None", "\"coordinate\":[", "\"target\":{", "\"element\":", "\"text\":\"", "\"message\":\"done\"",
            "\"thought\":\"", "\"action\":", "\"action\":{", "{\"type\":\"tap\",", "{\"type\":\"finish\"", "\"thenFinish\":true",
        ]),
        1 => Just("é"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The same action with every number on a screen of 1000 by 2000, and its words as any dialect may write them.
pub(crate) fn on_a_screen(action: &Action) -> Action {
    fn tame(value: &mut Value) {
        match value {
            Value::Number(n) => {
                let whole = n.as_f64().unwrap_or(0.0).abs().ceil().clamp(1.0, 900.0);
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 900")]
                let whole = whole as u64;
                *value = whole.into();
            }
            Value::Array(items) => items.iter_mut().for_each(tame),
            Value::Object(fields) => fields.values_mut().for_each(tame),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(action).expect("serialisable");
    tame(&mut value);
    serde_json::from_value(value).expect("readable")
}

/// Pieces of written calls, labels and tags in any order.
pub(crate) fn soup_of_calls() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec![
            "(", ")", "[", "]", "[[", "]]", "=", ",", "'", "\"", "\\", " ", "\n", "\n\n", "<<", ">>", "<think>", "</think>", "<answer>",
            "</answer>", "<|begin_of_box|>", "```", "：",
        ]),
        8 => prop::sample::select(vec![
            "Action: ", "Thought: ", "Grounded Operation: ", "CLICK(", "TYPE(", "END", "END()", "GESTURE(", "KEY_DOWN(", "KEY_PRESS(", "box=[[1,2,3,4]]",
            "text='", "key='A'", "do(", "do(action=\"Tap\", ", "do(action=\"Type\", text=\"", "finish(", "message=\"", "element=[1,2]", "click(", "finished(",
            "start_box='(1,2)'", "content='", "tap(", "text(\"", "FINISH", "swipe(", "computer_use(", "action=\"click\"", "<<敏感操作>>", "<<END>>",
        ]),
        4 => prop::sample::select(vec![
            "<tool_call>", "</tool_call>", "<function_calls>", "<invoke name=\"complete\">", "</invoke>", "<parameter name=\"success\">true</parameter>",
            "<function=finished>", "</function>", "<parameter=point>", "</parameter>", "<｜DSML｜", "{\"name\":\"mobile_use\",\"arguments\":",
            "{\"action\":\"terminate\",\"status\":\"success\"}", "{\"action\":\"click\",\"coordinate\":[1,2]}", "{\"action_type\":\"status\",",
            "\"goal_status\":\"complete\"}", "{\"reasoning\":\"", "\"is_goal_complete\":true", "}",
        ]),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

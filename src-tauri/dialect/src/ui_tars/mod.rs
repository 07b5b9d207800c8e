//! The `UI-TARS` dialect: `Thought: … Action: click(start_box='(x,y)')`, and its later form in tags.
//!
//! Places are thousandths of the screen unless told otherwise, in any of the spellings of its generations. `scroll`
//! shows more on the side it names. `call_user()` becomes a question to the person.

mod write;

pub(crate) use write::write;

use crate::action::{ask, finish, key, launch, milliseconds, unknown};
use crate::call_text::raw_text;
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, in_markup, nothing, sound, uncut, whole};
use crate::keys;
use crate::labels::labels;
use crate::lexer::is_blank;
use crate::notes::{Notes, Refusal};
use crate::point_fields::PointFields;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{place_numbers, spot_of, way};
use crate::tool::ToolUse;
use crate::value::{Call, Object, Value};
use protocol::Space;
use protocol::{Act, Action, WarningCode};

const ACTIONS: [&str; 29] = [
    "click",
    "left_single",
    "left_double",
    "double_click",
    "right_single",
    "right_click",
    "long_press",
    "drag",
    "swipe",
    "select",
    "hover",
    "mouse_move",
    "hotkey",
    "press",
    "type",
    "scroll",
    "wait",
    "finished",
    "call_user",
    "press_home",
    "press_back",
    "press_enter",
    "open_app",
    "navigate",
    "navigate_back",
    "keydown",
    "keyup",
    "release",
    "middle_click",
];

/// What the lines of a thought begin with.
const LABELS: [&str; 4] = ["Thought", "Reflection", "Action_Summary", "Action"];

/// Arguments only this dialect's calls have.
const OWN_ARGUMENTS: [&str; 6] = [
    "start_box",
    "end_box",
    "point",
    "start_point",
    "end_point",
    "content",
];

/// The name is one of its actions.
pub(crate) fn is_action(name: &str) -> bool {
    ACTIONS.contains(&name)
}

/// A call no other dialect writes so.
pub(crate) fn is_own(call: &Call) -> bool {
    is_action(&call.name)
        && OWN_ARGUMENTS
            .iter()
            .any(|name| call.arguments.get(name).is_some())
}

/// Where the first call behind one of the dialect's labels begins.
pub(crate) fn labelled_call(raw: &str, from: usize) -> Option<usize> {
    labels(raw, from, "Action").find_map(|label| call_at(raw, label.end))
}

fn call_at(raw: &str, at: usize) -> Option<usize> {
    let rest = raw
        .get(at..)?
        .trim_start_matches(|c: char| is_blank(c) || c == '`');
    let name = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, behind) = rest.split_at(name);
    (behind.starts_with('(') && is_action(name)).then_some(raw.len() - rest.len())
}

/// Reads a whole reply. `space` is what the numbers of its places count.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, space: Space, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: false,
        calls: &is_action,
        // "type(s)", "wait (a bit)": words of a sentence, not calls.
        keep: &|value| matches!(value, Value::Call(call) if call.unnamed.is_empty()),
    };
    let FoundAction {
        value,
        start,
        end,
        mut context,
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) => return in_tags(in_markup(raw, steps), space, refusal),
    };
    let Value::Call(call) = value else {
        return Err(nothing(raw, true));
    };
    uncut(&call)?;
    let text = raw.get(start..).unwrap_or("");
    if !context
        .notes
        .warnings
        .iter()
        .any(|warning| warning.code == WarningCode::SeveralActions)
        && follows(text, end - start)
    {
        context.several();
    }
    context.strip_labels(&LABELS);
    let typed = match call.name.as_str() {
        "type" => {
            let name = if call.arguments.get("content").is_some() {
                "content"
            } else {
                "text"
            };
            Some(raw_text(&call, name, text, end - start, &mut context.notes)?)
        }
        _ => None,
    };
    let reply = read_named(&call.name, &call.arguments, typed, space, context)?;
    whole(&call, &reply.action.act)?;
    Ok(reply)
}

/// Another call of the dialect stands behind the first.
fn follows(text: &str, end: usize) -> bool {
    let behind = text.get(end..).unwrap_or("");
    behind.lines().any(|line| {
        let line = line.trim_start();
        line.split_once('(').is_some_and(|(name, _)| is_action(name))
    })
}

/// The later form: a call in tags.
fn in_tags(
    markup: Option<(ActionContext, Result<ToolUse, Refusal>)>,
    space: Space,
    refusal: Refusal,
) -> Result<Reply, Refusal> {
    let Some((mut context, used)) = markup else {
        return Err(refusal);
    };
    let used = used?;
    context.strip_labels(&LABELS);
    let typed = ["content", "text"]
        .iter()
        .find_map(|name| match used.arguments.get(name) {
            Some(Value::Text(text)) if used.name == "type" => Some(text.value.clone()),
            _ => None,
        });
    read_named(&used.name, &used.arguments, typed, space, context)
}

fn read_named(
    name: &str,
    arguments: &Object,
    typed: Option<String>,
    space: Space,
    mut context: ActionContext,
) -> Result<Reply, Refusal> {
    sound(arguments)?;
    let act = read_act(name, arguments, typed, space, &mut context.notes)?;
    if matches!(act, Act::Swipe { .. }) {
        context.space = space;
    }
    let app = match act {
        Act::LaunchApp { .. } => {
            let mut fields = Fields::new(arguments, &mut context.notes);
            let app = fields
                .name("app_name")
                .or_else(|| fields.name("name"))
                .or_else(|| fields.name("app"));
            Some(app.ok_or_else(|| Refusal::malformed("`open_app` needs `app_name`"))?)
        }
        _ => None,
    };
    context.reply(Action {
        app,
        ..Action::from(act)
    })
}

const NEEDS: &str = "start_box='(x,y)' in thousandths of the screen";

fn read_act(
    name: &str,
    arguments: &Object,
    typed: Option<String>,
    space: Space,
    notes: &mut Notes,
) -> Result<Act, Refusal> {
    let spot = place(
        arguments,
        &["start_box", "point", "start_point", "coordinate"],
        space,
    );
    let mut fields = Fields::new(arguments, notes);
    match name {
        "click" | "left_single" => spot.act(NEEDS, |x, y, target| Act::Tap { x, y, target }),
        "left_double" | "double_click" => spot.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target }),
        "right_single" | "right_click" | "long_press" => {
            let duration_ms = milliseconds(seconds(&mut fields), 800.0, fields.notes);
            spot.act(NEEDS, |x, y, target| Act::LongPress {
                x,
                y,
                target,
                duration_ms,
            })
        }
        "hover" | "mouse_move" => spot.act(NEEDS, |x, y, target| Act::Hover { x, y, target }),
        "middle_click" => Err(Refusal::no_touch_equivalent(
            "a touch screen has no middle button",
        )),
        "drag" | "swipe" | "select" => {
            let ends = [
                &["start_box", "start_point", "point"][..],
                &["end_box", "end_point"][..],
            ];
            let [from, to] = ends.map(|names| {
                names
                    .iter()
                    .find_map(|name| arguments.get(name))
                    .and_then(place_numbers)
            });
            fields.notes.defaulted("durationMs");
            way(
                from.as_deref(),
                to.as_deref(),
                space,
                300.0,
                "`start_box` and `end_box`",
            )
        }
        "type" => match typed {
            None => Err(Refusal::malformed("`type` needs `content`")),
            Some(text) => match (&spot.target, &spot.trouble) {
                (None, Some(trouble)) => {
                    let message = format!("the field to type into cannot be found: {trouble}");
                    Err(Refusal::missing_target(message, Act::Type { text, target: None }))
                }
                _ => Ok(Act::Type {
                    text,
                    target: spot.target,
                }),
            },
        },
        "hotkey" | "press" => {
            let keys = fields
                .name("key")
                .or_else(|| fields.name("hotkey"))
                .unwrap_or_default();
            let names = if keys.contains(' ') && keys::key_code(&keys).is_none() {
                keys.split_whitespace().map(Into::into).collect()
            } else {
                keys::split_keys(&keys)
            };
            keys::press(&names)
        }
        "scroll" => scroll(spot, &mut fields),
        // The dialect's own pause is five seconds.
        "wait" => Ok(Act::Wait {
            duration_ms: milliseconds(seconds(&mut fields), 5000.0, fields.notes),
        }),
        "finished" => Ok(finish(fields.words("content"), fields.notes)),
        "call_user" => Ok(ask(fields.words("content"), fields.notes)),
        "press_home" => Ok(key("KEYCODE_HOME")),
        "press_back" | "navigate_back" => Ok(key("KEYCODE_BACK")),
        "press_enter" => Ok(key("KEYCODE_ENTER")),
        "open_app" => Ok(launch()),
        "navigate" => Ok(Act::OpenUrl {
            url: fields
                .name("content")
                .or_else(|| fields.name("url"))
                .ok_or_else(|| Refusal::malformed("`navigate` needs `url`"))?,
        }),
        other => Err(unknown(other, &ACTIONS)),
    }
}

fn seconds(fields: &mut Fields<'_>) -> Option<f64> {
    fields.number("time").or_else(|| fields.number("duration"))
}

fn place(arguments: &Object, names: &[&str], space: Space) -> PointFields {
    match names.iter().find_map(|name| arguments.get(name)) {
        Some(value) => spot_of(place_numbers(value).as_deref(), space),
        None => PointFields::default(),
    }
}

fn scroll(spot: PointFields, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    fields.notes.defaulted("amount");
    let act = Act::Scroll {
        direction: fields.direction()?,
        amount: 3.0,
        x: spot.x,
        y: spot.y,
        target: spot.target,
    };
    match spot.trouble {
        Some(trouble) => Err(Refusal::missing_target(
            format!("the region to scroll cannot be found: {trouble}"),
            act,
        )),
        None => Ok(act),
    }
}

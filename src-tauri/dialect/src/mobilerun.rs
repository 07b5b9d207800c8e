//! The mobilerun (`DroidRun`) dialect: `{"action": "click", "index": 3}`, or
//! `<function_calls><invoke name="click"><parameter name="index">3</parameter></invoke></function_calls>`.
//!
//! Element numbers as shown, coordinates in pixels. `complete` with `success=false` is a task given up, never a task
//! finished. Tags of another maker inside the call are refused.

use crate::action::{finish, gave_up, launch, long_press, milliseconds, unknown};
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, in_markup, names_an_action, nothing, sound};
use crate::keys;
use crate::notes::{Notes, Refusal};
use crate::point_fields::PointFields;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{place_numbers, spot_of, way};
use crate::value::{Object, Value};
use crate::write_values::{app_of, whole_number};
use protocol::Space;
use protocol::{Act, Action, Target, WarningCode};
use serde_json::{Map, json};

const ACTIONS: [&str; 16] = [
    "click",
    "tap",
    "long_press",
    "click_at",
    "click_area",
    "long_press_at",
    "type",
    "type_text",
    "system_button",
    "press_key",
    "swipe",
    "drag",
    "open_app",
    "start_app",
    "wait",
    "complete",
];

/// The name is one of its actions.
pub(crate) fn is_action(name: &str) -> bool {
    ACTIONS.contains(&name)
}

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &names_an_action,
    };
    let FoundAction {
        value, mut context, ..
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) => {
            let Some((mut context, used)) = in_markup(raw, steps) else {
                return Err(refusal);
            };
            let used = used?;
            tidy(&mut context);
            return with(&used.name, &used.arguments, context);
        }
    };
    tidy(&mut context);
    let object = value.as_object().ok_or_else(|| nothing(raw, true))?;
    let name = Fields::new(object, &mut context.notes)
        .name("action")
        .unwrap_or_default();
    with(&name, object, context)
}

/// An object this dialect alone writes so: an element by `index`, or an app to open.
pub(crate) fn is_own(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|object| match object.get("action").and_then(Value::as_word) {
            Some("click" | "long_press" | "type") => object.get("index").is_some(),
            Some("system_button" | "open_app" | "click_at" | "click_area" | "long_press_at" | "complete") => {
                true
            }
            Some("swipe") => object.get("coordinate2").is_some(),
            _ => false,
        })
}

/// The thought without its headings: `### Thought ###` … `### Action ###`.
fn tidy(context: &mut ActionContext) {
    let thought = std::mem::take(&mut context.thought);
    let kept = thought.lines().filter(|line| {
        let bare = line.trim_matches(|c: char| c == '#' || c.is_whitespace());
        !(line.trim_start().starts_with("###") && matches!(bare, "Thought" | "Action" | "Description"))
    });
    context.thought = kept.collect::<Vec<_>>().join("\n").trim().to_owned();
}

fn with(name: &str, arguments: &Object, mut context: ActionContext) -> Result<Reply, Refusal> {
    sound(arguments)?;
    let action = read_action(name, arguments, &mut context.notes)?;
    context.reply(action)
}

const NEEDS: &str = "`index`, or coordinates";

fn read_action(name: &str, arguments: &Object, notes: &mut Notes) -> Result<Action, Refusal> {
    let mut fields = Fields::new(arguments, notes);
    let mut app = None;
    let act = match name {
        "click" | "tap" | "click_at" | "click_area" => {
            spot(arguments, &mut fields)?.act(NEEDS, |x, y, target| Act::Tap { x, y, target })?
        }
        "long_press" | "long_press_at" => {
            let press = long_press(fields.notes);
            spot(arguments, &mut fields)?.act(NEEDS, press)?
        }
        "type" | "type_text" => type_text(arguments, &mut fields)?,
        "system_button" | "press_key" => {
            let button = fields
                .name("button")
                .or_else(|| fields.name("key"))
                .unwrap_or_default();
            keys::press(&[button])?
        }
        "swipe" | "drag" => swipe(arguments, &mut fields)?,
        "open_app" | "start_app" => {
            app = fields
                .name("text")
                .or_else(|| fields.name("app_name"))
                .or_else(|| fields.name("package"));
            if app.is_none() {
                return Err(Refusal::malformed("`open_app` needs `text`"));
            }
            launch()
        }
        "wait" => {
            let seconds = fields.number("duration").or_else(|| fields.number("seconds"));
            Act::Wait {
                duration_ms: milliseconds(seconds, 1000.0, fields.notes),
            }
        }
        "complete" => complete(&mut fields)?,
        other => return Err(unknown(other, &ACTIONS)),
    };
    Ok(Action {
        app,
        ..Action::from(act)
    })
}

/// An element, or x and y, or the middle of an area.
fn spot(arguments: &Object, fields: &mut Fields<'_>) -> Result<PointFields, Refusal> {
    if let Some(value) = fields.find("index") {
        let element = value
            .as_count()
            .ok_or_else(|| Refusal::malformed("`index` is a whole number from 1"))?;
        return Ok(PointFields {
            target: Some(Target {
                element: Some(element),
                ..Target::default()
            }),
            ..PointFields::default()
        });
    }
    let area = ["x1", "y1", "x2", "y2"].map(|name| arguments.get(name).and_then(Value::as_number));
    if let [Some(x1), Some(y1), Some(x2), Some(y2)] = area {
        return Ok(spot_of(Some(&[x1, y1, x2, y2]), Space::Picture));
    }
    Ok(PointFields {
        x: fields.number("x"),
        y: fields.number("y"),
        ..PointFields::default()
    })
}

/// Into the focused field, or into an element; `clear` gives the element the text as its whole value.
fn type_text(arguments: &Object, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let text = fields
        .exact_text("text")?
        .ok_or_else(|| Refusal::malformed("`type` needs `text`"))?;
    // -1 is how the tool's own default says: no element.
    let unset = arguments.get("index").and_then(Value::as_number) == Some(-1.0);
    let target = if unset {
        None
    } else {
        spot(arguments, fields)?.target
    };
    let clear = fields.maybe_flag("clear") == Some(true);
    Ok(match target {
        Some(target) if clear => Act::SetValue { target, value: text },
        target => {
            if clear {
                fields.notes.warn(
                    WarningCode::ClearIgnored,
                    Some("text"),
                    "the focused field was not cleared: name it by `index`",
                );
            }
            Act::Type { text, target }
        }
    })
}

fn swipe(arguments: &Object, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let from = arguments.get("coordinate").and_then(place_numbers);
    let to = arguments.get("coordinate2").and_then(place_numbers);
    let duration_ms = milliseconds(fields.number("duration"), 300.0, fields.notes);
    way(
        from.as_deref(),
        to.as_deref(),
        Space::Picture,
        duration_ms,
        "`coordinate` and `coordinate2` as [x, y]",
    )
}

fn complete(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let message = fields.words("message").or_else(|| fields.words("reason"));
    match fields.maybe_flag("success") {
        Some(true) => Ok(finish(message, fields.notes)),
        Some(false) => Ok(gave_up(message, fields.notes)),
        None => Err(Refusal::malformed("`complete` needs `success`: true or false")),
    }
}

/// One action as JSON; `None` when the dialect has none for it.
pub(crate) fn write(action: &Action) -> Option<String> {
    let mut out = Map::new();
    let at = |name: &str, by_point: &str, x: Option<f64>, y: Option<f64>, target: Option<&Target>| match (
        target.and_then(|target| target.element),
        x,
        y,
    ) {
        (Some(element), _, _) => Some(vec![("action", json!(name)), ("index", json!(element))]),
        (None, Some(x), Some(y)) => Some(vec![
            ("action", json!(by_point)),
            ("x", whole_number(x)),
            ("y", whole_number(y)),
        ]),
        _ => None,
    };
    let fields = match &action.act {
        Act::Tap { x, y, target } => at("click", "click_at", *x, *y, target.as_ref())?,
        Act::LongPress { x, y, target, .. } => at("long_press", "long_press_at", *x, *y, target.as_ref())?,
        Act::Type { text, target: None } => vec![("action", json!("type")), ("text", json!(text))],
        Act::Type {
            text,
            target: Some(target),
        } => vec![
            ("action", json!("type")),
            ("text", json!(text)),
            ("index", json!(target.element?)),
        ],
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|n| whole_number(*n));
            vec![
                ("action", json!("swipe")),
                ("coordinate", json!([x1, y1])),
                ("coordinate2", json!([x2, y2])),
            ]
        }
        Act::Keyevent { keycode } => vec![
            ("action", json!("system_button")),
            ("button", json!(keys::key_name(keycode)?)),
        ],
        Act::LaunchApp { package_name } => {
            vec![
                ("action", json!("open_app")),
                ("text", json!(app_of(action, package_name)?)),
            ]
        }
        Act::Wait { duration_ms } => vec![
            ("action", json!("wait")),
            ("duration", whole_number(duration_ms / 1000.0)),
        ],
        Act::Finish { message } => {
            vec![
                ("action", json!("complete")),
                ("success", json!(true)),
                ("message", json!(message)),
            ]
        }
        _ => return None,
    };
    out.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    serde_json::to_string(&out).ok()
}

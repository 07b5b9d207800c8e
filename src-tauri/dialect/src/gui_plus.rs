//! The Aliyun GUI-Plus dialect: `{"thought": "…", "action": "CLICK", "parameters": {"x": 1, "y": 2}}`, pixels of the
//! picture. `FAIL` is a task given up, never a task finished.

use crate::action::{ask, finish, gave_up, launch, long_press, milliseconds, unknown};
use crate::fields::Fields;
use crate::find::{FoundAction, find, names_an_action, nothing, sound};
use crate::keys;
use crate::notes::{Notes, Refusal};
use crate::point_fields::SPOT;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{place_numbers, way};
use crate::value::{Object, Value};
use crate::write_values::{app_of, whole_number};
use protocol::Space;
use protocol::{Act, Action, WarningCode};
use serde_json::json;

const ACTIONS: [&str; 14] = [
    "CLICK",
    "DOUBLE_CLICK",
    "LONG_PRESS",
    "TYPE",
    "SWIPE",
    "SCROLL",
    "KEY_PRESS",
    "OPEN_APP",
    "WAIT",
    "BACK",
    "HOME",
    "CALL_USER",
    "FINISH",
    "FAIL",
];

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
    } = find(raw, &wanted, steps)?;
    let object = value.as_object().ok_or_else(|| nothing(raw, true))?;
    let parameters = object.object("parameters").unwrap_or(object);
    sound(object)?;
    sound(parameters)?;
    let mut fields = Fields::new(object, &mut context.notes);
    let name = fields.name("action").unwrap_or_default();
    let thought = fields.words("thought").or_else(|| fields.words("explanation"));
    let action = read_action(&name, parameters, &mut context.notes)?;
    context.thought = thought.unwrap_or(context.thought);
    context.reply(action)
}

/// An object no other dialect writes: an action in capitals with its parameters beside it.
pub(crate) fn is_own(value: &Value) -> bool {
    value.as_object().is_some_and(|object| {
        let capitals = object.get("action").and_then(Value::as_word);
        let capitals = capitals.is_some_and(|name| ACTIONS.contains(&name.trim()));
        capitals && (object.object("parameters").is_some() || object.fields.len() <= 2)
    })
}

const NEEDS: &str = "x and y";

fn read_action(name: &str, parameters: &Object, notes: &mut Notes) -> Result<Action, Refusal> {
    let mut fields = Fields::new(parameters, notes);
    let mut app = None;
    let act = match name {
        "CLICK" => fields
            .spot(&SPOT)?
            .act(NEEDS, |x, y, target| Act::Tap { x, y, target })?,
        "DOUBLE_CLICK" => fields
            .spot(&SPOT)?
            .act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target })?,
        "LONG_PRESS" => {
            let press = long_press(fields.notes);
            fields.spot(&SPOT)?.act(NEEDS, press)?
        }
        "TYPE" => {
            let mut text = fields
                .exact_text("text")?
                .ok_or_else(|| Refusal::malformed("TYPE needs `text`"))?;
            if fields.maybe_flag("needs_enter") == Some(true) && !text.ends_with('\n') {
                fields.notes.warn(
                    WarningCode::EnterAdded,
                    Some("text"),
                    "Enter follows the text, as `needs_enter` says",
                );
                text.push('\n');
            }
            Act::Type { text, target: None }
        }
        "SWIPE" => swipe(parameters, &mut fields)?,
        "SCROLL" => scroll(&mut fields)?,
        "KEY_PRESS" => keys::press(&keys::split_keys(&fields.name("key").unwrap_or_default()))?,
        "BACK" | "HOME" => Act::Keyevent {
            keycode: format!("KEYCODE_{name}"),
        },
        "OPEN_APP" => {
            app = fields
                .name("app_name")
                .or_else(|| fields.name("name"))
                .or_else(|| fields.name("app"));
            if app.is_none() {
                return Err(Refusal::malformed("OPEN_APP needs `app_name`"));
            }
            launch()
        }
        "WAIT" => {
            let seconds = fields.number("seconds").or_else(|| fields.number("time"));
            Act::Wait {
                duration_ms: milliseconds(seconds, 1000.0, fields.notes),
            }
        }
        "CALL_USER" => ask(fields.words("message"), fields.notes),
        "FINISH" => finish(fields.words("message"), fields.notes),
        "FAIL" => {
            let why = fields.words("reason").or_else(|| fields.words("message"));
            gave_up(why, fields.notes)
        }
        other => return Err(unknown(other, &ACTIONS)),
    };
    Ok(Action {
        app,
        ..Action::from(act)
    })
}

fn swipe(parameters: &Object, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    fields.notes.defaulted("durationMs");
    let pair = |names: [&str; 2]| names.map(|name| parameters.get(name).and_then(Value::as_number));
    let both = |pair: [Option<f64>; 2]| Some(vec![pair[0]?, pair[1]?]);
    let listed = |name: &str| parameters.get(name).and_then(place_numbers);
    let from = both(pair(["x1", "y1"])).or_else(|| listed("start"));
    let to = both(pair(["x2", "y2"])).or_else(|| listed("end"));
    way(
        from.as_deref(),
        to.as_deref(),
        Space::Picture,
        300.0,
        "x1, y1, x2 and y2",
    )
}

fn scroll(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let direction = fields.direction()?;
    let amount = match fields.name("amount").unwrap_or_default().to_lowercase().as_str() {
        "small" => 2.0,
        "medium" => 4.0,
        "large" => 6.0,
        written => crate::value::number_in(written)
            .filter(|amount| *amount > 0.0)
            .unwrap_or_else(|| {
                fields.notes.defaulted("amount");
                3.0
            }),
    };
    let spot = fields.spot(&SPOT)?;
    Ok(Act::Scroll {
        direction,
        amount,
        x: spot.x,
        y: spot.y,
        target: spot.target,
    })
}

/// One action; `None` when the dialect has none for it.
pub(crate) fn write(thought: &str, action: &Action) -> Option<String> {
    let at =
        |x: &Option<f64>, y: &Option<f64>| Some(json!({"x": whole_number((*x)?), "y": whole_number((*y)?)}));
    let (name, parameters) = match &action.act {
        Act::Tap { x, y, .. } => ("CLICK", at(x, y)?),
        Act::DoubleTap { x, y, .. } => ("DOUBLE_CLICK", at(x, y)?),
        Act::LongPress { x, y, .. } => ("LONG_PRESS", at(x, y)?),
        Act::Type { text, target: None } => ("TYPE", json!({"text": text})),
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|n| whole_number(*n));
            ("SWIPE", json!({"x1": x1, "y1": y1, "x2": x2, "y2": y2}))
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            let nowhere = x.is_none() && y.is_none() && target.is_none();
            let mut parameters = if nowhere { json!({}) } else { at(x, y)? };
            let fields = parameters.as_object_mut()?;
            fields.insert("direction".into(), json!(direction));
            fields.insert("amount".into(), whole_number(*amount));
            ("SCROLL", parameters)
        }
        Act::Keyevent { keycode } => ("KEY_PRESS", json!({"key": keys::key_name(keycode)?})),
        Act::LaunchApp { package_name } => ("OPEN_APP", json!({"app_name": app_of(action, package_name)?})),
        Act::Wait { duration_ms } => ("WAIT", json!({"seconds": whole_number(duration_ms / 1000.0)})),
        Act::RequestHumanAuth { instruction, .. } => ("CALL_USER", json!({"message": instruction})),
        Act::Finish { message } => ("FINISH", json!({"message": message})),
        _ => return None,
    };
    serde_json::to_string(&json!({"thought": thought, "action": name, "parameters": parameters})).ok()
}

//! The `AndroidWorld` dialect (also M3A and T3A): `{"action_type": "click", "index": 3}`, coordinates in pixels.
//!
//! `index` is the number the element has in the list the model was shown, here from 1. `scroll` names the side from
//! which more comes; `swipe` the way the finger goes up and down, but the side from which more comes left and right:
//! so the benchmark's own code has it. `infeasible` is a task given up, never a task finished.

use crate::action::{finish, gave_up, key, launch, long_press, unknown};
use crate::fields::Fields;
use crate::find::{FoundAction, find, nothing, sound};
use crate::keys;
use crate::notes::{Notes, Refusal};
use crate::point_fields::PointFields;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::value::{Object, Value};
use crate::write_values::{app_of, whole_number};
use protocol::{Act, Action, Direction, Target, WarningCode};
use serde_json::{Map, json};

const ACTIONS: [&str; 14] = [
    "click",
    "double_tap",
    "long_press",
    "input_text",
    "keyboard_enter",
    "press_keyboard",
    "navigate_home",
    "navigate_back",
    "scroll",
    "swipe",
    "open_app",
    "wait",
    "status",
    "answer",
];

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &is_own,
    };
    let FoundAction {
        value, mut context, ..
    } = find(raw, &wanted, steps)?;
    let object = value.as_object().ok_or_else(|| nothing(raw, true))?;
    sound(object)?;
    context.strip_labels(&["Reason", "Action"]);
    let action = read_action(object, &mut context.notes)?;
    context.reply(action)
}

/// An object of this dialect.
pub(crate) fn is_own(value: &Value) -> bool {
    value
        .as_object()
        .and_then(|object| object.get("action_type"))
        .is_some_and(|kind| kind.as_word().is_some())
}

const NEEDS: &str = "`index`, or `x` and `y`";

fn read_action(object: &Object, notes: &mut Notes) -> Result<Action, Refusal> {
    let mut fields = Fields::new(object, notes);
    let kind = fields.name("action_type").unwrap_or_default();
    let mut app = None;
    let act = match kind.as_str() {
        "click" => spot(&mut fields)?.act(NEEDS, |x, y, target| Act::Tap { x, y, target })?,
        "double_tap" => spot(&mut fields)?.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target })?,
        "long_press" => {
            let press = long_press(fields.notes);
            spot(&mut fields)?.act(NEEDS, press)?
        }
        "input_text" => input_text(&mut fields)?,
        "keyboard_enter" => key("KEYCODE_ENTER"),
        "navigate_home" => key("KEYCODE_HOME"),
        "navigate_back" => key("KEYCODE_BACK"),
        "press_keyboard" => keys::press(&[fields.name("keycode").unwrap_or_default()])?,
        "scroll" | "swipe" => moved(&kind, &mut fields)?,
        "open_app" => {
            app = fields.name("app_name");
            if app.is_none() {
                return Err(Refusal::malformed("`open_app` needs `app_name`"));
            }
            launch()
        }
        "wait" => {
            fields.notes.defaulted("durationMs");
            Act::Wait { duration_ms: 1000.0 }
        }
        "status" => match fields
            .name("goal_status")
            .unwrap_or_default()
            .to_lowercase()
            .as_str()
        {
            "complete" | "successful" => finish(None, fields.notes),
            "infeasible" => gave_up(None, fields.notes),
            _ => {
                return Err(Refusal::malformed(
                    "`status` needs `goal_status`: complete or infeasible",
                ));
            }
        },
        // The task was to answer a question: the answer is its end.
        "answer" => Act::Finish {
            message: fields
                .words("text")
                .ok_or_else(|| Refusal::malformed("`answer` needs `text`"))?,
        },
        other => return Err(unknown(other, &ACTIONS)),
    };
    Ok(Action {
        app,
        ..Action::from(act)
    })
}

/// The element wins over the coordinates, as in the benchmark.
fn spot(fields: &mut Fields<'_>) -> Result<PointFields, Refusal> {
    let target = match fields.find("index") {
        None => None,
        Some(value) => match value.as_count() {
            Some(element) => Some(Target {
                element: Some(element),
                ..Target::default()
            }),
            None => return Err(Refusal::malformed("`index` is a whole number from 1")),
        },
    };
    let (x, y) = if target.is_some() {
        (None, None)
    } else {
        (fields.number("x"), fields.number("y"))
    };
    Ok(PointFields {
        x,
        y,
        target,
        trouble: None,
    })
}

/// The benchmark presses Enter afterwards; here the model does, if it wants it pressed.
fn input_text(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let text = fields
        .exact_text("text")?
        .ok_or_else(|| Refusal::malformed("`input_text` needs `text`"))?;
    let spot = spot(fields)?;
    fields.notes.warn(
        WarningCode::EnterNotPressed,
        Some("text"),
        "Enter was not pressed after the text: use keyboard_enter",
    );
    let act = Act::Type {
        text,
        target: spot.target,
    };
    if spot.x.is_some() || spot.y.is_some() {
        return Err(Refusal::missing_target(
            "`input_text` needs the field's `index`, not x and y",
            act,
        ));
    }
    Ok(act)
}

/// One unit is an eighth of the region: half of it for a scroll, all of it for a swipe.
fn moved(kind: &str, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let word = fields.name("direction").unwrap_or_default().to_lowercase();
    let direction = match (kind, word.as_str()) {
        ("scroll", "up") | ("swipe", "down") => Direction::Up,
        ("scroll", "down") | ("swipe", "up") => Direction::Down,
        (_, "left") => Direction::Left,
        (_, "right") => Direction::Right,
        _ => {
            return Err(Refusal::malformed(format!(
                "`{kind}` needs `direction`: up, down, left or right"
            )));
        }
    };
    let spot = spot(fields)?;
    Ok(Act::Scroll {
        direction,
        amount: if kind == "swipe" { 8.0 } else { 4.0 },
        x: spot.x,
        y: spot.y,
        target: spot.target,
    })
}

/// One action; `None` when the benchmark has none for it.
pub(crate) fn write(action: &Action) -> Option<String> {
    let mut out = Map::new();
    let kind = match &action.act {
        Act::Tap { x, y, target } => at("click", *x, *y, target.as_ref(), &mut out)?,
        Act::DoubleTap { x, y, target } => at("double_tap", *x, *y, target.as_ref(), &mut out)?,
        Act::LongPress { x, y, target, .. } => at("long_press", *x, *y, target.as_ref(), &mut out)?,
        Act::Type { text, target } => {
            out.insert("text".into(), json!(text));
            match target {
                Some(target) => at("input_text", None, None, Some(target), &mut out)?,
                None => "input_text",
            }
        }
        Act::Keyevent { keycode } => match keycode.strip_prefix("KEYCODE_").unwrap_or(keycode) {
            "ENTER" => "keyboard_enter",
            "HOME" => "navigate_home",
            "BACK" => "navigate_back",
            _ => {
                out.insert("keycode".into(), json!(keys::key_code(keycode)?));
                "press_keyboard"
            }
        },
        Act::Scroll {
            direction,
            x,
            y,
            target,
            ..
        } => {
            out.insert("direction".into(), json!(direction));
            // The benchmark scrolls elements, or the whole screen.
            match target {
                Some(target) => at("scroll", None, None, Some(target), &mut out)?,
                None if x.is_none() && y.is_none() => "scroll",
                None => return None,
            }
        }
        Act::LaunchApp { package_name } => {
            out.insert("app_name".into(), json!(app_of(action, package_name)?));
            "open_app"
        }
        Act::Wait { .. } => "wait",
        Act::Finish { .. } => {
            out.insert("goal_status".into(), json!("complete"));
            "status"
        }
        _ => return None,
    };
    let mut whole = Map::from_iter([("action_type".to_owned(), json!(kind))]);
    whole.append(&mut out);
    serde_json::to_string(&whole).ok()
}

fn at(
    kind: &'static str,
    x: Option<f64>,
    y: Option<f64>,
    target: Option<&Target>,
    out: &mut Map<String, serde_json::Value>,
) -> Option<&'static str> {
    match (target.and_then(|target| target.element), x, y) {
        (Some(element), _, _) => {
            out.insert("index".into(), json!(element));
        }
        (None, Some(x), Some(y)) => {
            out.insert("x".into(), whole_number(x));
            out.insert("y".into(), whole_number(y));
        }
        _ => return None,
    }
    Some(kind)
}

//! The Qwen, GUI-Owl, MAI and `BlueLM` dialect:
//! `<tool_call>{"name": "mobile_use", "arguments": {"action": "click", …}}</tool_call>`. Their tool for desktops, which
//! shares its name with Hermes's, is read where its actions are its own; `GUI-Owl`'s lines are module `gui_owl`'s.
//!
//! Places are thousandths of the screen unless told otherwise. `interact` and `ask_user` become questions to the
//! person; so does a task given up (`terminate` with `failure`), which is never read as finished.

use crate::action::{ask, finish, gave_up, launch, long_press, milliseconds, unknown};
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, in_markup, names_an_action, nothing, sound};
use crate::hermes::tagged;
use crate::keys;
use crate::notes::{Notes, Refusal, cut};
use crate::point_fields::PointFields;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{Size, place_numbers, spot_of, way};
use crate::tool::{self, tool_use};
use crate::value::{Object, Value};
use crate::write_values::{app_of, point, whole_number};
use crate::{gui_owl, hermes};
use protocol::Space;
use protocol::{Act, Action, Direction, UnclearCode};
use serde_json::json;

/// The tool's name.
pub(crate) const TOOL: &str = "mobile_use";

/// The variable a note is kept in.
const NOTE: &str = "__CogName_Note__";

const ACTIONS: [&str; 24] = [
    "key",
    "click",
    "left_click",
    "right_click",
    "middle_click",
    "mouse_move",
    "left_click_drag",
    "scroll",
    "take_notes",
    "double_click",
    "long_press",
    "swipe",
    "drag",
    "type",
    "system_button",
    "open",
    "open_app",
    "wait",
    "answer",
    "interact",
    "ask_user",
    "call_user",
    "terminate",
    "screenshot",
];

/// Actions that the desktop tool has, Hermes's tool of the same name has not, and that point nowhere: what numbers would
/// count, the name alone does not say.
const DESKTOP: [&str; 7] = [
    "terminate",
    "answer",
    "interact",
    "call_user",
    "ask_user",
    "open_app",
    "take_notes",
];

/// These are arguments of the desktop tool.
pub(crate) fn is_desktop(arguments: &Object) -> bool {
    let action = arguments.get("action").and_then(Value::as_word);
    action.is_some_and(|action| DESKTOP.contains(&action.trim()))
}

/// Reads a whole reply. `space` is what the numbers of its places count.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, space: Space, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &|value| {
            tool::tool_name(value).is_some()
                || names_an_action(value)
                || value.as_object().and_then(gui_owl::operation_of).is_some()
        },
    };
    let FoundAction {
        value, mut context, ..
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) if refusal.code == UnclearCode::NoAction => {
            return match gui_owl::read_line(raw, steps) {
                Some(reply) => reply,
                None => Err(refusal),
            };
        }
        Err(refusal) => {
            let read = |arguments: &Object, context| with(arguments, space, context);
            return tagged(in_markup(raw, steps), TOOL, refusal, read);
        }
    };
    if let Some(object) = value.as_object()
        && let Some(operation) = gui_owl::operation_of(object)
    {
        sound(object)?;
        let thought = Fields::new(object, &mut context.notes).words("Thought");
        context.thought = thought.unwrap_or(context.thought);
        return gui_owl::read(operation, context);
    }
    match tool_use(&value, &mut context.notes, steps) {
        Some(used) => {
            let used = used?;
            let tool = if used.name == hermes::TOOL {
                hermes::TOOL
            } else {
                TOOL
            };
            let arguments = context.used(tool, used)?;
            with(&arguments, space, context)
        }
        None => with(
            value.as_object().ok_or_else(|| nothing(raw, true))?,
            space,
            context,
        ),
    }
}

fn with(arguments: &Object, space: Space, mut context: ActionContext) -> Result<Reply, Refusal> {
    sound(arguments)?;
    let action = read_action(arguments, space, &mut context.notes)?;
    if matches!(action.act, Act::Swipe { .. }) {
        context.space = space;
    }
    context.strip_labels(&["Thought", "Action"]);
    context.reply(action)
}

const NEEDS: &str = "coordinate as [x, y] in thousandths of the screen";

fn read_action(arguments: &Object, space: Space, notes: &mut Notes) -> Result<Action, Refusal> {
    let mut fields = Fields::new(arguments, notes);
    let name = fields
        .name("action")
        .ok_or_else(|| Refusal::malformed("`action` names no action"))?;
    let spot = place(arguments, "coordinate", space);
    let mut app = None;
    let act = match name.as_str() {
        "click" | "left_click" => spot.act(NEEDS, |x, y, target| Act::Tap { x, y, target })?,
        "double_click" => spot.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target })?,
        "long_press" => {
            let duration_ms = milliseconds(fields.number("time"), 800.0, fields.notes);
            spot.act(NEEDS, |x, y, target| Act::LongPress {
                x,
                y,
                target,
                duration_ms,
            })?
        }
        "right_click" => {
            let press = long_press(fields.notes);
            spot.act(NEEDS, press)?
        }
        "middle_click" => {
            return Err(Refusal::no_touch_equivalent(
                "a touch screen has no middle button",
            ));
        }
        "mouse_move" => spot.act(NEEDS, |x, y, target| Act::Hover { x, y, target })?,
        "swipe" | "drag" | "left_click_drag" => swipe(arguments, spot, space, &mut fields)?,
        "scroll" => scroll(spot, &mut fields)?,
        "type" => Act::Type {
            text: fields
                .exact_text("text")?
                .ok_or_else(|| Refusal::malformed("`type` needs `text`"))?,
            target: None,
        },
        "key" => key(&mut fields)?,
        // Nothing is done on the phone: what the model wants to keep is told in its history.
        "take_notes" => Act::ReadText {
            region: Some([0.0, 0.0, 1000.0, 1000.0]),
            x1: None,
            y1: None,
            x2: None,
            y2: None,
            output: NOTE.into(),
            auto_scroll: false,
            result: Some(
                fields
                    .words("text")
                    .ok_or_else(|| Refusal::malformed("`take_notes` needs `text`"))?,
            ),
        },
        "system_button" => system_button(&fields.name("button").unwrap_or_default())?,
        "open" | "open_app" => {
            app = fields.name("text").or_else(|| fields.name("app"));
            if app.is_none() {
                return Err(Refusal::malformed("`open` needs `text`"));
            }
            launch()
        }
        "wait" => Act::Wait {
            duration_ms: milliseconds(fields.number("time"), 1000.0, fields.notes),
        },
        "screenshot" => {
            fields.notes.defaulted("maxElements");
            Act::Capture {
                mode: protocol::CaptureMode::Vision,
                max_elements: 100,
            }
        }
        "interact" | "ask_user" | "call_user" => ask(fields.words("text"), fields.notes),
        // The page: ends the task and gives the answer.
        "answer" => Act::Finish {
            message: fields
                .words("text")
                .ok_or_else(|| Refusal::malformed("`answer` needs `text`"))?,
        },
        "terminate" => terminate(&mut fields)?,
        other => return Err(unknown(other, &ACTIONS)),
    };
    Ok(Action {
        app,
        ..Action::from(act)
    })
}

fn place(arguments: &Object, name: &str, space: Space) -> PointFields {
    match arguments.get(name) {
        Some(value) => spot_of(place_numbers(value).as_deref(), space),
        None => PointFields::default(),
    }
}

/// From one place to another, or in a direction: the way the finger goes, so the content comes from the other side.
fn swipe(
    arguments: &Object,
    spot: PointFields,
    space: Space,
    fields: &mut Fields<'_>,
) -> Result<Act, Refusal> {
    let end = |names: [&str; 2]| {
        names
            .iter()
            .find_map(|name| arguments.get(name))
            .and_then(place_numbers)
    };
    let from = end(["coordinate", "start_coordinate"]);
    let to = end(["coordinate2", "end_coordinate"]);
    let direction = fields.name("direction").filter(|_| to.is_none());
    let Some(direction) = direction else {
        fields.notes.defaulted("durationMs");
        return way(
            from.as_deref(),
            to.as_deref(),
            space,
            300.0,
            "`coordinate` and `coordinate2` as [x, y]",
        );
    };
    let finger = direction.trim().to_lowercase();
    let content = match finger.as_str() {
        "up" => Direction::Down,
        "down" => Direction::Up,
        "left" => Direction::Right,
        "right" => Direction::Left,
        _ => {
            return Err(Refusal::malformed(format!(
                "`direction` is no direction: '{}'",
                cut(&finger)
            )));
        }
    };
    fields.notes.defaulted("amount");
    Ok(Act::Scroll {
        direction: content,
        amount: 3.0,
        x: spot.x,
        y: spot.y,
        target: spot.target,
    })
}

/// A wheel's way: above zero it shows what is above.
fn scroll(spot: PointFields, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let direction = match fields.number("pixels") {
        Some(pixels) if pixels > 0.0 => Direction::Up,
        Some(pixels) if pixels < 0.0 => Direction::Down,
        _ => fields.direction()?,
    };
    fields.notes.defaulted("amount");
    let act = Act::Scroll {
        direction,
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

/// `text`, or the list the desktop tool has.
fn key(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    match fields.find("keys") {
        Some(Value::List(_)) => keys::press(&fields.list_of_names("keys", &[])),
        _ => {
            let name = fields.name("text").or_else(|| fields.name("keys"));
            keys::press(&keys::split_keys(&name.unwrap_or_default()))
        }
    }
}

fn system_button(button: &str) -> Result<Act, Refusal> {
    let code = match button.to_lowercase().as_str() {
        // The page: Menu opens the list of open apps.
        "menu" => "KEYCODE_APP_SWITCH".to_owned(),
        _ => match keys::press(&[button.to_owned()])? {
            Act::Keyevent { keycode } => keycode,
            _ => return Err(Refusal::malformed("`system_button` is one button")),
        },
    };
    Ok(Act::Keyevent { keycode: code })
}

/// Success ends the task; failure asks the person. A status that says neither is not guessed.
fn terminate(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    match fields.name("status").unwrap_or_default().to_lowercase().as_str() {
        "success" => Ok(finish(fields.words("text"), fields.notes)),
        "failure" | "fail" => {
            let why = fields.words("text");
            Ok(gave_up(why, fields.notes))
        }
        _ => Err(Refusal::malformed(
            "`terminate` needs `status`: success or failure",
        )),
    }
}

/// One tool call; `None` when the tool has no action for it.
pub(crate) fn write(action: &Action, screen: Size) -> Option<String> {
    let at = |x, y, target| {
        point(x, y, target, screen).and_then(|point| serde_json::from_str::<serde_json::Value>(&point).ok())
    };
    let arguments = match &action.act {
        Act::Tap { x, y, target } => json!({"action": "click", "coordinate": at(*x, *y, target.as_ref())?}),
        Act::DoubleTap { x, y, target } => {
            json!({"action": "double_click", "coordinate": at(*x, *y, target.as_ref())?})
        }
        Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        } => {
            let time = whole_number(duration_ms / 1000.0);
            json!({"action": "long_press", "coordinate": at(*x, *y, target.as_ref())?, "time": time})
        }
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let from = at(Some(*x1), Some(*y1), None)?;
            json!({"action": "swipe", "coordinate": from, "coordinate2": at(Some(*x2), Some(*y2), None)?})
        }
        Act::Type { text, target: None } => json!({"action": "type", "text": text}),
        Act::Keyevent { keycode } => match keycode.strip_prefix("KEYCODE_").unwrap_or(keycode) {
            "BACK" => json!({"action": "system_button", "button": "Back"}),
            "HOME" => json!({"action": "system_button", "button": "Home"}),
            "APP_SWITCH" => json!({"action": "system_button", "button": "Menu"}),
            "ENTER" => json!({"action": "system_button", "button": "Enter"}),
            code => json!({"action": "key", "text": keys::key_name(code)?}),
        },
        Act::LaunchApp { package_name } => {
            json!({"action": "open", "text": app_of(action, package_name)?})
        }
        Act::Wait { duration_ms } => json!({"action": "wait", "time": whole_number(duration_ms / 1000.0)}),
        Act::RequestHumanAuth { instruction, .. } => json!({"action": "interact", "text": instruction}),
        Act::Finish { message } => json!({"action": "terminate", "status": "success", "text": message}),
        _ => return None,
    };
    let call = serde_json::to_string(&json!({"name": TOOL, "arguments": arguments})).ok()?;
    Some(format!("<tool_call>\n{call}\n</tool_call>"))
}

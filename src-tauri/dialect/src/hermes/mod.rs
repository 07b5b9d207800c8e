//! The Hermes `computer_use` dialect: `{"action": "click", "element": 3}`, as an object, as the arguments of a tool
//! call, or as a written call.
//!
//! Element numbers start at 1; coordinates are pixels. An action of another name is refused, with the nearest one.

mod write;

pub(crate) use write::write;

use crate::action::{is_pointing, long_press, unknown};
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, in_markup, mark, names_an_action, nothing, sound};
use crate::keys;
use crate::notes::{Notes, Refusal, cut};
use crate::point_fields::{PointFields, two_of};
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::tool::{self, ToolUse, tool_use};
use crate::value::{Call, Object, Value};
use protocol::{Act, Action, CaptureMode, Target, WarningCode};

/// The tool's name.
pub(crate) const TOOL: &str = "computer_use";

/// The page's thirteen.
pub(crate) const ACTIONS: [&str; 13] = [
    "capture",
    "click",
    "double_click",
    "right_click",
    "middle_click",
    "drag",
    "scroll",
    "type",
    "key",
    "set_value",
    "wait",
    "list_apps",
    "focus_app",
];

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|name| name == TOOL,
        keep: &is_own,
    };
    let found = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) => return tagged(in_markup(raw, steps), TOOL, refusal, with_context),
    };
    let FoundAction {
        value, mut context, ..
    } = found;
    let object = match &value {
        Value::Call(call) => arguments_of(call)?,
        value => match tool_use(value, &mut context.notes, steps) {
            Some(used) => {
                let arguments = context.used(TOOL, used?)?;
                return with_context(&arguments, context);
            }
            None => value.as_object().ok_or_else(|| nothing(raw, true))?,
        },
    };
    with_context(object, context)
}

fn is_own(value: &Value) -> bool {
    matches!(value, Value::Call(_)) || tool::tool_name(value).is_some() || names_an_action(value)
}

fn arguments_of(call: &Call) -> Result<&Object, Refusal> {
    if call.closed {
        Ok(&call.arguments)
    } else {
        Err(Refusal::malformed("the call is cut off"))
    }
}

/// A call of `tool` written in tags, where nothing else could be read; else the refusal that was found before.
pub(crate) fn tagged(
    markup: Option<(ActionContext, Result<ToolUse, Refusal>)>,
    tool: &str,
    refusal: Refusal,
    read: impl FnOnce(&Object, ActionContext) -> Result<Reply, Refusal>,
) -> Result<Reply, Refusal> {
    match markup {
        Some((context, Ok(used))) if used.name == tool => read(&used.arguments, context),
        _ => Err(refusal),
    }
}

fn with_context(object: &Object, mut context: ActionContext) -> Result<Reply, Refusal> {
    let action = read_action(object, &mut context.notes)?;
    context.strip_labels(&["Thought"]);
    // Neither is Hermes's own: whoever writes them beside its fields means them all the same.
    if let Some(Value::Text(thought)) = object.get("thought") {
        context.thought.clone_from(&thought.value);
    }
    context.sensitivity = mark(object);
    context.reply(action)
}

/// Reads the tool's arguments.
///
/// # Errors
/// When they name no action of the page, point nowhere, or ask for what no finger can do.
pub(crate) fn read_action(object: &Object, notes: &mut Notes) -> Result<Action, Refusal> {
    sound(object)?;
    let mut fields = Fields::new(object, notes);
    let name = fields
        .name("action")
        .ok_or_else(|| Refusal::malformed("`action` names no action"))?;
    let mut modifiers = fields.list_of_names("modifiers", &['+', ',']);
    let act = match name.as_str() {
        "key" => key(&mut fields, std::mem::take(&mut modifiers))?,
        "type" if !modifiers.is_empty() => {
            return Err(Refusal::malformed(
                "text is not typed with modifiers held: use `key` for a combination",
            ));
        }
        name => read_act(name, &mut fields)?,
    };
    if !modifiers.is_empty() {
        fields.notes.warn(
            WarningCode::ModifiersIgnored,
            Some("modifiers"),
            "a touch screen has no modifier keys",
        );
        if !is_pointing(&act) {
            modifiers.clear();
        }
    }
    Ok(Action {
        app: fields.name("app"),
        capture_after: fields.maybe_flag("capture_after").unwrap_or(false),
        modifiers,
        ..Action::from(act)
    })
}

fn read_act(name: &str, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let needs = "`element`, or `coordinate` as [x, y]";
    match name {
        "capture" => Ok(Act::Capture {
            mode: fields.choice::<CaptureMode>("mode"),
            max_elements: fields.max_elements("max_elements"),
        }),
        "click" | "right_click" | "middle_click" | "double_click" => {
            let button = button(fields, name == "middle_click")?;
            let spot = spot(fields, "element", "coordinate")?;
            if name == "double_click" {
                return spot.act(needs, |x, y, target| Act::DoubleTap { x, y, target });
            }
            if name == "right_click" || button == "right" {
                let press = long_press(fields.notes);
                return spot.act(needs, press);
            }
            spot.act(needs, |x, y, target| Act::Tap { x, y, target })
        }
        "drag" => drag(fields),
        "scroll" => scroll(fields),
        "type" => Ok(Act::Type {
            text: fields.exact_text_or("text", "")?,
            target: None,
        }),
        "set_value" => {
            let value = fields.exact_text("value")?;
            let value = value.ok_or_else(|| Refusal::malformed("`set_value` needs `value`"))?;
            let element = element(fields, "element")?;
            match element {
                Some(target) => Ok(Act::SetValue { target, value }),
                None => {
                    let target = Target::default();
                    Err(Refusal::missing_target(
                        "`set_value` needs `element`",
                        Act::SetValue { target, value },
                    ))
                }
            }
        }
        "wait" => Ok(wait(fields)),
        "list_apps" => Ok(Act::ListApps),
        "focus_app" if fields.name("app").is_none() => Err(Refusal::malformed("`focus_app` needs `app`")),
        "focus_app" => Ok(Act::FocusApp {
            raise_window: fields.flag("raise_window"),
        }),
        other => Err(unknown(other, &ACTIONS)),
    }
}

/// The mouse's button; left when none is named.
///
/// # Errors
/// When it is the middle one, or none a mouse has.
fn button(fields: &mut Fields<'_>, middle: bool) -> Result<String, Refusal> {
    let button = fields.name("button").unwrap_or_default().to_lowercase();
    match button.as_str() {
        _ if middle => {}
        "middle" => {}
        "" | "left" | "right" => return Ok(button),
        other => {
            return Err(Refusal::malformed(format!(
                "`button` is left, right or middle, not '{}'",
                cut(other)
            )));
        }
    }
    Err(Refusal::no_touch_equivalent(
        "a touch screen has no middle button",
    ))
}

/// An element's number; nothing when the field is absent.
///
/// # Errors
/// When what stands there is no number an element can have.
fn element(fields: &mut Fields<'_>, name: &str) -> Result<Option<Target>, Refusal> {
    match fields.find(name) {
        None => Ok(None),
        Some(value) => match value.as_count() {
            Some(element) => Ok(Some(Target {
                element: Some(element),
                ..Target::default()
            })),
            None => Err(Refusal::malformed(format!("`{name}` is a whole number from 1"))),
        },
    }
}

fn spot(fields: &mut Fields<'_>, element_name: &str, coordinate: &str) -> Result<PointFields, Refusal> {
    let target = element(fields, element_name)?;
    let (x, y) = fields.find(coordinate).map_or((None, None), two_of);
    fields.notes.listed = true;
    let (x, y) = if target.is_some() && x.is_some() != y.is_some() {
        (None, None)
    } else {
        (x, y)
    };
    Ok(PointFields {
        x,
        y,
        target,
        trouble: None,
    })
}

fn drag(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    button(fields, false)?;
    let from = spot(fields, "from_element", "from_coordinate")?;
    let to = spot(fields, "to_element", "to_coordinate")?;
    fields.notes.defaulted("durationMs");
    let points = from.points() && to.points();
    let filled = |n: Option<f64>, found: bool| if found { n } else { n.or(Some(0.0)) };
    let act = Act::Drag {
        x1: filled(from.x, from.points()),
        y1: filled(from.y, from.points()),
        x2: filled(to.x, to.points()),
        y2: filled(to.y, to.points()),
        duration_ms: 500.0,
        target: from.target,
        to_target: to.target,
    };
    if points {
        return Ok(act);
    }
    let message = "`drag` needs from_element and to_element, or from_coordinate and to_coordinate";
    Err(Refusal::missing_target(message, act))
}

/// Each coordinate may be missing by itself: the middle of the screen is meant. One that cannot be read is not passed
/// over.
fn scroll(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let PointFields { x, y, target, .. } = spot(fields, "element", "coordinate")?;
    let unreadable = fields.find("coordinate").filter(|_| target.is_none());
    let unreadable = unreadable.is_some_and(|pair| match pair.as_list() {
        Some([a, b]) => [a, b].iter().any(|n| !n.is_null() && n.as_number().is_none()),
        _ => x.is_none() || y.is_none(),
    });
    let act = Act::Scroll {
        direction: fields.direction()?,
        amount: fields
            .number("amount")
            .filter(|amount| *amount > 0.0)
            .unwrap_or_else(|| {
                fields.notes.defaulted("amount");
                3.0
            }),
        x,
        y,
        target,
    };
    if unreadable {
        let why = "where to scroll cannot be read: `coordinate` is [x, y]";
        return Err(Refusal::missing_target(why, act));
    }
    Ok(act)
}

/// The keys, with the modifiers held. On a phone Escape is Back.
fn key(fields: &mut Fields<'_>, modifiers: Vec<String>) -> Result<Act, Refusal> {
    let mut names = modifiers;
    match fields.find("keys") {
        Some(Value::List(_)) => names.extend(fields.list_of_names("keys", &[])),
        _ => {
            let keys = fields
                .name("keys")
                .ok_or_else(|| Refusal::malformed("`key` needs `keys`"))?;
            names.extend(keys::split_keys(&keys));
        }
    }
    let pressed = keys::press(&names)?;
    Ok(match pressed {
        Act::Keyevent { keycode } if keycode == "KEYCODE_ESCAPE" => {
            fields
                .notes
                .warn(WarningCode::EscapeIsBack, Some("keys"), "Escape was read as Back");
            Act::Keyevent {
                keycode: "KEYCODE_BACK".into(),
            }
        }
        other => other,
    })
}

/// Seconds, 0 to 30; one when there are none.
fn wait(fields: &mut Fields<'_>) -> Act {
    let seconds = fields.number("seconds").unwrap_or_else(|| {
        fields.notes.defaulted("durationMs");
        1.0
    });
    let held = seconds.clamp(0.0, 30.0);
    if held != seconds {
        fields.notes.warn(
            WarningCode::Clamped,
            Some("durationMs"),
            "a wait is 0 to 30 seconds",
        );
    }
    Act::Wait {
        duration_ms: (held * 1000.0).round(),
    }
}

//! The `UI-Venus` dialect: `<think>…</think><action>Click(box=(x,y))</action><conclusion>…</conclusion>`; in its second
//! generation `point` for `box`, `Swipe` for `Scroll`, `LaunchApp` for `Launch`.
//!
//! Places are thousandths of the screen unless told otherwise. Only what stands in the action's tag is read. `CallUser`
//! becomes a question to the person, whatever it says; `Answer` ends the task with its words.

use crate::action::{ask, finish, key, launch, long_press, unknown};
use crate::call_text::raw_text;
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, nothing, sound, thoughts, uncut, whole};
use crate::keys;
use crate::notes::{Notes, Refusal};
use crate::point_fields::PointFields;
use crate::quote::single_quoted;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{Size, place_numbers, spot_of, way};
use crate::value::{Call, Object, Value};
use crate::write_values::{app_of, point};
use protocol::Space;
use protocol::{Act, Action, Direction, Target};

const ACTIONS: [&str; 20] = [
    "Click",
    "DoubleClick",
    "LongPress",
    "Hover",
    "Drag",
    "Swipe",
    "Scroll",
    "Type",
    "Launch",
    "LaunchApp",
    "Wait",
    "Hotkey",
    "PressBack",
    "PressHome",
    "PressEnter",
    "PressRecent",
    "GetScreenshot",
    "CallUser",
    "Answer",
    "Finished",
];

/// The name is one of its actions.
pub(crate) fn is_action(name: &str) -> bool {
    ACTIONS.contains(&name)
}

/// A call no other dialect writes so: all its arguments have names, none of another's.
pub(crate) fn is_own(call: &Call) -> bool {
    const OWN: [&str; 9] = [
        "box",
        "point",
        "start",
        "end",
        "direction",
        "content",
        "app",
        "url",
        "keys",
    ];
    is_action(&call.name)
        && call.unnamed.is_empty()
        && call
            .arguments
            .fields
            .iter()
            .all(|(name, _)| OWN.contains(&name.as_str()))
}

/// Reads a whole reply. `space` is what the numbers of its places count.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, space: Space, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: false,
        calls: &is_action,
        // "Type(s)", "Wait(ing)": words of a sentence, not calls.
        keep: &|value| matches!(value, Value::Call(call) if call.unnamed.is_empty()),
    };
    // What stands behind the tag tells of the action, in its words.
    let from = thoughts(raw, steps).answer;
    let tagged = raw
        .get(from..)
        .and_then(|answer| answer.find("</action>"))
        .and_then(|end| raw.get(..from + end))
        .unwrap_or(raw);
    let FoundAction {
        value,
        start,
        end,
        mut context,
    } = find(tagged, &wanted, steps)?;
    let Value::Call(call) = value else {
        return Err(nothing(raw, true));
    };
    uncut(&call)?;
    sound(&call.arguments)?;
    let text = tagged.get(start..).unwrap_or("");
    let action = read_action(&call, text, end - start, space, &mut context)?;
    whole(&call, &action.act)?;
    context.reply(action)
}

const NEEDS: &str = "box=(x,y) in thousandths of the screen";

fn read_action(
    call: &Call,
    text: &str,
    length: usize,
    space: Space,
    context: &mut ActionContext,
) -> Result<Action, Refusal> {
    let arguments = &call.arguments;
    if matches!(call.name.as_str(), "Swipe" | "Scroll") && arguments.get("start").is_some() {
        context.space = space;
    }
    let notes = &mut context.notes;
    let spot = ["box", "point"]
        .iter()
        .find_map(|name| arguments.get(name))
        .map_or_else(PointFields::default, |value| {
            spot_of(place_numbers(value).as_deref(), space)
        });
    let mut app = None;
    let act = match call.name.as_str() {
        "Click" => spot.act(NEEDS, |x, y, target| Act::Tap { x, y, target })?,
        "DoubleClick" => spot.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target })?,
        "LongPress" => {
            let press = long_press(notes);
            spot.act(NEEDS, press)?
        }
        "Hover" => spot.act(NEEDS, |x, y, target| Act::Hover { x, y, target })?,
        "Drag" => drag(arguments, space, notes)?,
        "Swipe" | "Scroll" => moved(arguments, space, notes)?,
        "Type" => Act::Type {
            text: raw_text(call, "content", text, length, notes)?,
            target: None,
        },
        "Launch" | "LaunchApp" => {
            let mut fields = Fields::new(arguments, notes);
            match fields.name("url") {
                Some(url) => Act::OpenUrl { url },
                None => {
                    app = fields.name("app");
                    if app.is_none() {
                        return Err(Refusal::malformed("`Launch` needs `app`"));
                    }
                    launch()
                }
            }
        }
        other => plain(other, arguments, notes)?,
    };
    Ok(Action {
        app,
        ..Action::from(act)
    })
}

/// What points nowhere and opens nothing.
fn plain(name: &str, arguments: &Object, notes: &mut Notes) -> Result<Act, Refusal> {
    let mut fields = Fields::new(arguments, notes);
    Ok(match name {
        "Wait" => {
            fields.notes.defaulted("durationMs");
            Act::Wait { duration_ms: 1000.0 }
        }
        "Hotkey" => keys::press(&fields.list_of_names("keys", &['+', ',', ' ']))?,
        "PressBack" => key("KEYCODE_BACK"),
        "PressHome" => key("KEYCODE_HOME"),
        "PressEnter" => key("KEYCODE_ENTER"),
        "PressRecent" => key("KEYCODE_APP_SWITCH"),
        // Its page: the picture is for the phone's album, not for the model.
        "GetScreenshot" => key("KEYCODE_SYSRQ"),
        "CallUser" => ask(fields.words("content"), fields.notes),
        "Answer" => Act::Finish {
            message: fields
                .words("content")
                .ok_or_else(|| Refusal::malformed("`Answer` needs `content`"))?,
        },
        "Finished" => finish(fields.words("content"), fields.notes),
        other => return Err(unknown(other, &ACTIONS)),
    })
}

/// Something is taken along: from one place to another.
fn drag(arguments: &Object, space: Space, notes: &mut Notes) -> Result<Act, Refusal> {
    let [from, to] = ["start", "end"].map(|name| match arguments.get(name) {
        Some(value) => spot_of(place_numbers(value).as_deref(), space),
        None => PointFields::default(),
    });
    notes.defaulted("durationMs");
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
    Err(Refusal::missing_target(
        "`Drag` needs start=(x,y) and end=(x,y) in thousandths of the screen",
        act,
    ))
}

/// The finger's way; without its ends a direction, which is the side from which more comes.
fn moved(arguments: &Object, space: Space, notes: &mut Notes) -> Result<Act, Refusal> {
    if arguments.get("start").is_none() && arguments.get("direction").is_some() {
        notes.defaulted("amount");
        return Ok(Act::Scroll {
            direction: Fields::new(arguments, notes).direction()?,
            amount: 3.0,
            x: None,
            y: None,
            target: None,
        });
    }
    notes.defaulted("durationMs");
    let [from, to] = ["start", "end"].map(|name| arguments.get(name).and_then(place_numbers));
    way(
        from.as_deref(),
        to.as_deref(),
        space,
        300.0,
        "start=(x,y) and end=(x,y)",
    )
}

/// One call; `None` when the dialect has none for it.
pub(crate) fn write(action: &Action, screen: Size) -> Option<String> {
    let at = |x: Option<f64>, y: Option<f64>, target: Option<&Target>| {
        let point = point(x, y, target, screen)?;
        Some(format!("({})", point.trim_matches(['[', ']'])))
    };
    Some(match &action.act {
        Act::Tap { x, y, target } => format!("Click(box={})", at(*x, *y, target.as_ref())?),
        Act::DoubleTap { x, y, target } => format!("DoubleClick(box={})", at(*x, *y, target.as_ref())?),
        Act::LongPress { x, y, target, .. } => format!("LongPress(box={})", at(*x, *y, target.as_ref())?),
        Act::Hover { x, y, target } => format!("Hover(box={})", at(*x, *y, target.as_ref())?),
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let from = at(Some(*x1), Some(*y1), None)?;
            format!("Scroll(start={from}, end={})", at(Some(*x2), Some(*y2), None)?)
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            ..
        } => {
            let from = at(*x1, *y1, target.as_ref())?;
            format!("Drag(start={from}, end={})", at(*x2, *y2, to_target.as_ref())?)
        }
        Act::Scroll {
            direction,
            x: None,
            y: None,
            target: None,
            ..
        } => {
            let direction = match direction {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Left => "left",
                Direction::Right => "right",
            };
            format!("Scroll(direction='{direction}')")
        }
        Act::Type { text, target: None } => format!("Type(content={})", single_quoted(text)),
        Act::LaunchApp { package_name } => {
            format!("Launch(app={})", single_quoted(app_of(action, package_name)?))
        }
        Act::OpenUrl { url } if !url.trim().is_empty() => {
            format!("Launch(url={})", single_quoted(url.trim()))
        }
        Act::Wait { .. } => "Wait()".into(),
        Act::Keyevent { keycode } => match keycode.strip_prefix("KEYCODE_").unwrap_or(keycode) {
            "BACK" => "PressBack()".into(),
            "HOME" => "PressHome()".into(),
            "ENTER" => "PressEnter()".into(),
            "APP_SWITCH" => "PressRecent()".into(),
            "SYSRQ" => "GetScreenshot()".into(),
            code => format!("Hotkey(keys=[{}])", single_quoted(&keys::key_name(code)?)),
        },
        Act::KeyCombination { keys } => {
            let names: Vec<String> = keys
                .iter()
                .map(|code| keys::key_name(code).map(|name| single_quoted(&name)))
                .collect::<Option<_>>()?;
            format!("Hotkey(keys=[{}])", names.join(", "))
        }
        Act::RequestHumanAuth { instruction, .. } => {
            format!("CallUser(content={})", single_quoted(instruction))
        }
        Act::Finish { message } => format!("Finished(content={})", single_quoted(message)),
        _ => return None,
    })
}

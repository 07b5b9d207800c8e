//! The `AutoGLM` dialect: `do(action="Tap", element=[x,y])`, `finish(message="…")`, thousandths of the screen.
//!
//! What is typed stands raw between the quotes: the models write their own quotes into it, so its end is the last
//! `")` of the answer. Take-over words become questions to the person; `message` on a tap marks it sensitive.

use crate::action::{ask, finish, from_seconds, key, launch, long_press, unknown};
use crate::call_text::raw_text;
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, nothing, sound, uncut, whole};
use crate::notes::Refusal;
use crate::point_fields::PointFields;
use crate::quote::double_quoted;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{Size, place_numbers, spot_of, way};
use crate::value::{Call, Value, number_in};
use crate::write_values::{app_of, point};
use protocol::Space;
use protocol::{Act, Action, Sensitivity};

const ACTIONS: [&str; 14] = [
    "Launch",
    "Tap",
    "Type",
    "Type_Name",
    "Swipe",
    "Long Press",
    "Double Tap",
    "Back",
    "Home",
    "Wait",
    "Take_over",
    "Interact",
    "Note",
    "Call_API",
];

/// The variable `Note` writes into.
const NOTE: &str = "__CogName_Note__";

/// Reads a whole reply. `space` is what the numbers of its places count.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, space: Space, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: false,
        calls: &|name| name == "do" || name == "finish",
        keep: &|value| matches!(value, Value::Call(_)),
    };
    let FoundAction {
        value,
        start,
        end,
        mut context,
    } = find(raw, &wanted, steps)?;
    let Value::Call(call) = value else {
        return Err(nothing(raw, true));
    };
    uncut(&call)?;
    sound(&call.arguments)?;
    let text = raw.get(start..).unwrap_or("");
    if call.name == "finish" {
        let message = Fields::new(&call.arguments, &mut context.notes).words("message");
        let act = finish(message, &mut context.notes);
        whole(&call, &act)?;
        return context.reply(Action::from(act));
    }
    let action = read_action(&call, text, end - start, space, &mut context)?;
    whole(&call, &action.act)?;
    context.reply(action)
}

fn read_action(
    call: &Call,
    text: &str,
    length: usize,
    space: Space,
    context: &mut ActionContext,
) -> Result<Action, Refusal> {
    let mut fields = Fields::new(&call.arguments, &mut context.notes);
    let name = fields
        .name("action")
        .ok_or_else(|| Refusal::malformed("`do` needs `action`"))?;
    let message = fields.words("message");
    let mut reason = None;
    let mut app = None;
    let act = match name.as_str() {
        "Tap" => {
            // With the parenthesis a message may be missing.
            if message.is_some() || !call.closed {
                context.sensitivity = Some(Sensitivity::Sensitive);
            }
            reason = message;
            place(call, "element", space).act(NEEDS, |x, y, target| Act::Tap { x, y, target })?
        }
        "Double Tap" => {
            place(call, "element", space).act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target })?
        }
        "Long Press" => {
            let press = long_press(fields.notes);
            place(call, "element", space).act(NEEDS, press)?
        }
        "Swipe" => {
            fields.notes.defaulted("durationMs");
            context.space = space;
            let [from, to] = ["start", "end"].map(|name| call.arguments.get(name).and_then(place_numbers));
            way(
                from.as_deref(),
                to.as_deref(),
                space,
                300.0,
                "start=[x,y] and end=[x,y]",
            )?
        }
        "Type" | "Type_Name" => Act::Type {
            text: raw_text(call, "text", text, length, fields.notes)?,
            target: None,
        },
        "Launch" => {
            app = fields.name("app");
            if app.is_none() {
                return Err(Refusal::malformed("`Launch` needs `app`"));
            }
            launch()
        }
        "Back" => key("KEYCODE_BACK"),
        "Home" => key("KEYCODE_HOME"),
        "Wait" => wait(&mut fields),
        "Take_over" | "Interact" => ask(message, fields.notes),
        "Note" => Act::ReadText {
            region: Some([0.0, 0.0, 1000.0, 1000.0]),
            x1: None,
            y1: None,
            x2: None,
            y2: None,
            output: NOTE.into(),
            auto_scroll: false,
            result: None,
        },
        "Call_API" => Act::AskModel {
            prompt: fields
                .exact_text("instruction")?
                .ok_or_else(|| Refusal::malformed("`Call_API` needs `instruction`"))?,
            output: "__CogName_Answer__".into(),
            result: None,
        },
        other => return Err(unknown(other, &ACTIONS)),
    };
    Ok(Action {
        reason,
        app,
        ..Action::from(act)
    })
}

const NEEDS: &str = "element=[x,y] in thousandths of the screen";

fn place(call: &Call, name: &str, space: Space) -> PointFields {
    match call.arguments.get(name) {
        Some(value) => spot_of(place_numbers(value).as_deref(), space),
        None => PointFields::default(),
    }
}

/// `3`, `"3"`, `"3 seconds"`, `"500 ms"`; one second when there is none.
fn wait(fields: &mut Fields<'_>) -> Act {
    let written = fields.name("duration").unwrap_or_default();
    let number = written
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(written.len());
    let (number, unit) = written.split_at(number);
    let in_milliseconds = unit.trim().to_lowercase().starts_with("ms") || unit.contains("毫秒");
    let written = number_in(number).map(|n| if in_milliseconds { n } else { from_seconds(n) });
    let duration_ms = written.unwrap_or_else(|| {
        fields.notes.defaulted("durationMs");
        1000.0
    });
    Act::Wait { duration_ms }
}

/// One call; `None` when the dialect has none for it.
pub(crate) fn write(action: &Action, screen: Size) -> Option<String> {
    Some(match &action.act {
        // A message on a tap would say that it is sensitive: only its author knows.
        Act::Tap { x, y, target } => {
            format!(
                "do(action=\"Tap\", element={})",
                point(*x, *y, target.as_ref(), screen)?
            )
        }
        Act::DoubleTap { x, y, target } => {
            format!(
                "do(action=\"Double Tap\", element={})",
                point(*x, *y, target.as_ref(), screen)?
            )
        }
        Act::LongPress { x, y, target, .. } => {
            format!(
                "do(action=\"Long Press\", element={})",
                point(*x, *y, target.as_ref(), screen)?
            )
        }
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let (x1, y1) = screen.thousandths(*x1, *y1);
            let (x2, y2) = screen.thousandths(*x2, *y2);
            format!("do(action=\"Swipe\", start=[{x1},{y1}], end=[{x2},{y2}])")
        }
        Act::Type { text, target: None } => format!("do(action=\"Type\", text={})", double_quoted(text)),
        Act::LaunchApp { package_name } => {
            let app = app_of(action, package_name)?;
            format!("do(action=\"Launch\", app={})", double_quoted(app))
        }
        Act::Keyevent { keycode } => match keycode.strip_prefix("KEYCODE_").unwrap_or(keycode) {
            "BACK" => "do(action=\"Back\")".into(),
            "HOME" => "do(action=\"Home\")".into(),
            _ => return None,
        },
        Act::Wait { duration_ms } => format!(
            "do(action=\"Wait\", duration=\"{} seconds\")",
            duration_ms / 1000.0
        ),
        Act::RequestHumanAuth { instruction, .. } => {
            format!("do(action=\"Take_over\", message={})", double_quoted(instruction))
        }
        Act::Finish { message } => format!("finish(message={})", double_quoted(message)),
        _ => return None,
    })
}

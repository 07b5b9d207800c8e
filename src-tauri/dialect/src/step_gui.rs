//! The `Step-GUI` dialect (`GELab-Zero`): `<THINK>…</THINK>`, then fields parted by tabs:
//! `explain:…⇥action:CLICK⇥point:x,y⇥summary:…`.
//!
//! Places are thousandths of the screen unless told otherwise. A value ends where the next field's name begins, at a tab
//! or a new line; blanks around it are the form's, as its own reader has it. Nothing else closes one: what stands last
//! without a new line, and without the summary before it, may have been cut off, and is refused. The summary, which is all
//! the next prompt tells of what was done, is the action's reason. `ABORT` is a task given up, never a task finished.

use crate::action::{ask, finish, from_seconds, gave_up, launch, long_press, unknown};
use crate::find::{ActionContext, nothing, thoughts};
use crate::lexer::plain;
use crate::notes::{Notes, Refusal};
use crate::point_fields::PointFields;
use crate::reply::Reply;
use crate::space::{Size, numbers_in, spot_of, way};
use crate::value::number_in;
use crate::write_values::{app_of, point};
use protocol::Space;
use protocol::{Act, Action, Target, WarningCode};

const ACTIONS: [&str; 9] = [
    "CLICK",
    "TYPE",
    "COMPLETE",
    "WAIT",
    "AWAKE",
    "INFO",
    "ABORT",
    "SLIDE",
    "LONGPRESS",
];

/// The names of the fields; nothing else begins one.
const FIELDS: [&str; 10] = [
    "explain",
    "action",
    "point1",
    "point2",
    "point",
    "value",
    "return",
    "summary",
    "is_keyboard",
    "keyboard_exists",
];

/// One field, its value without the blanks around it.
struct Field<'t> {
    name: &'static str,
    value: &'t str,
    /// Its first byte.
    start: usize,
    /// Another field or a new line follows.
    ended: bool,
}

/// Where the field begins, from byte `from` on, that holds one of the dialect's actions, which are in capitals.
pub(crate) fn own_action(raw: &str, from: usize) -> Option<usize> {
    let answer = raw.get(from..)?;
    let field = fields(answer).find(|field| field.name == "action" && ACTIONS.contains(&field.value))?;
    Some(from + field.start)
}

/// The fields in the order they stand.
fn fields(text: &str) -> impl Iterator<Item = Field<'_>> {
    let mut next = beginning(text, 0);
    std::iter::from_fn(move || {
        let (start, name, value) = next?;
        next = beginning(text, value);
        let end = next.map_or(text.len(), |(at, _, _)| at);
        let written = text.get(value..end).unwrap_or("");
        Some(Field {
            name,
            value: written.trim(),
            start,
            ended: next.is_some() || written.ends_with('\n'),
        })
    })
}

/// Where the next field from byte `from` on begins, its name, and where its value does. A field begins at the text's
/// first byte, or behind a tab or a new line.
fn beginning(text: &str, from: usize) -> Option<(usize, &'static str, usize)> {
    let rest = text.get(from..)?;
    let starts = (from == 0).then_some(0).into_iter();
    let parted = rest.match_indices(['\t', '\n']).map(|(at, sign)| at + sign.len());
    starts.chain(parted).find_map(|at| {
        let piece = rest.get(at..)?;
        let bare = piece.trim_start_matches([' ', '\r']);
        let name = FIELDS.iter().find(|name| bare.starts_with(**name))?;
        let behind = bare.get(name.len()..)?.trim_start_matches(' ');
        let colon = behind.chars().next().filter(|c| plain(*c) == ':')?;
        let value = text.len() - behind.len() + colon.len_utf8();
        Some((from + at, *name, value))
    })
}

/// Reads a whole reply. `space` is what the numbers of its places count.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, space: Space, steps: &mut usize) -> Result<Reply, Refusal> {
    let scan = thoughts(raw, steps);
    if scan.closes_unseen {
        return Err(nothing(raw, true));
    }
    let answer = raw.get(scan.answer..).unwrap_or("");
    *steps += answer.len();
    let mut own: Vec<Field<'_>> = Vec::new();
    let mut several = false;
    for field in fields(answer) {
        match field.name {
            // A second explanation or action is another step.
            "explain" | "action" if own.iter().any(|known| known.name == "action") => {
                several = true;
                break;
            }
            name if own.iter().any(|known| known.name == name) => {
                return Err(Refusal::malformed(format!("`{name}` stands twice")));
            }
            _ => own.push(field),
        }
    }
    // Words for people may end anywhere; what is done may not.
    let may_end = |field: &Field<'_>| ["explain", "summary"].contains(&field.name);
    let has_summary = own.iter().any(|field| field.name == "summary");
    if own.last().is_some_and(|last| !may_end(last) && !last.ended) && !has_summary {
        return Err(Refusal::malformed(
            "the reply is cut off: end it with its `summary`",
        ));
    }
    let get = |name: &str| {
        let field = own.iter().find(|field| field.name == name)?;
        Some(field.value).filter(|value| !value.is_empty())
    };
    let Some(name) = get("action") else {
        return Err(nothing(raw, false));
    };
    let mut context = ActionContext::new(scan.thought, "");
    if several {
        context.several();
    }
    let (act, app) = read_act(name, &get, space, &mut context.notes)?;
    if matches!(act, Act::Swipe { .. }) {
        context.space = space;
    }
    if let Some(explain) = get("explain") {
        context.thought = explain.into();
    }
    let ends = matches!(act, Act::Finish { .. });
    context.reply(Action {
        app,
        reason: get("summary").filter(|_| !ends).map(Into::into),
        ..Action::from(act)
    })
}

const NEEDS: &str = "point:x,y in thousandths of the screen";

fn read_act<'t>(
    name: &str,
    get: &impl Fn(&str) -> Option<&'t str>,
    space: Space,
    notes: &mut Notes,
) -> Result<(Act, Option<String>), Refusal> {
    let words = |name: &str| get(name).map(str::to_owned);
    let spot = || match get("point") {
        Some(point) => spot_of(numbers_in(point).as_deref(), space),
        None => PointFields::default(),
    };
    let act = match name {
        "CLICK" => spot().act(NEEDS, |x, y, target| Act::Tap { x, y, target })?,
        "LONGPRESS" => {
            let press = long_press(notes);
            spot().act(NEEDS, press)?
        }
        "TYPE" => type_text(words("value"), spot(), notes)?,
        "SLIDE" => {
            notes.defaulted("durationMs");
            let [from, to] = ["point1", "point2"].map(|name| get(name).and_then(numbers_in));
            way(
                from.as_deref(),
                to.as_deref(),
                space,
                300.0,
                "point1:x,y and point2:x,y",
            )?
        }
        "WAIT" => Act::Wait {
            duration_ms: get("value").and_then(number_in).map_or_else(
                || {
                    notes.defaulted("durationMs");
                    1000.0
                },
                |seconds| from_seconds(seconds.max(0.0)),
            ),
        },
        "AWAKE" => {
            let app = words("value").ok_or_else(|| Refusal::malformed("AWAKE needs `value`"))?;
            return Ok((launch(), Some(app)));
        }
        "INFO" => ask(words("value"), notes),
        "ABORT" => gave_up(words("value"), notes),
        "COMPLETE" => finish(words("return").or_else(|| words("value")), notes),
        other => return Err(unknown(other, &ACTIONS)),
    };
    Ok((act, None))
}

/// Into the field at a point, or into the one that has the focus.
fn type_text(text: Option<String>, spot: PointFields, notes: &mut Notes) -> Result<Act, Refusal> {
    let text = text.ok_or_else(|| Refusal::malformed("TYPE needs `value`"))?;
    if let Some(trouble) = spot.trouble {
        return Err(Refusal::missing_target(
            format!("the field to type into cannot be found: {trouble}"),
            Act::Type { text, target: None },
        ));
    }
    if spot.target.is_none() && spot.x.is_some() {
        let why = "text goes into the focused field: a point in pixels names none";
        notes.warn(WarningCode::IgnoredPoint, Some("x"), why);
    }
    Ok(Act::Type {
        text,
        target: spot.target,
    })
}

/// One action's fields; `None` when the dialect has none for it, or when a text would not read back.
pub(crate) fn write(action: &Action, screen: Size) -> Option<String> {
    let at = |x: Option<f64>, y: Option<f64>, target: Option<&Target>| {
        let point = point(x, y, target, screen)?;
        Some(point.trim_matches(['[', ']']).to_owned())
    };
    let (name, fields) = match &action.act {
        Act::Tap { x, y, target } => ("CLICK", format!("\tpoint:{}", at(*x, *y, target.as_ref())?)),
        Act::LongPress { x, y, target, .. } => {
            ("LONGPRESS", format!("\tpoint:{}", at(*x, *y, target.as_ref())?))
        }
        Act::Type { text, target } => {
            let point = match target {
                Some(target) => format!("\tpoint:{}", at(None, None, Some(target))?),
                None => String::new(),
            };
            ("TYPE", format!("\tvalue:{}{point}", one_value(text)?))
        }
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let from = at(Some(*x1), Some(*y1), None)?;
            let to = at(Some(*x2), Some(*y2), None)?;
            ("SLIDE", format!("\tpoint1:{from}\tpoint2:{to}"))
        }
        Act::Wait { duration_ms } => ("WAIT", format!("\tvalue:{}", duration_ms / 1000.0)),
        Act::LaunchApp { package_name } => {
            let app = one_value(app_of(action, package_name)?)?;
            ("AWAKE", format!("\tvalue:{app}"))
        }
        Act::RequestHumanAuth { instruction, .. } => ("INFO", format!("\tvalue:{}", one_value(instruction)?)),
        Act::Finish { message } => ("COMPLETE", format!("\treturn:{}", one_value(message)?)),
        _ => return None,
    };
    let summary = action.reason.as_deref().and_then(one_value);
    let summary = summary.filter(|_| name != "COMPLETE").unwrap_or_default();
    Some(format!("action:{name}{fields}\tsummary:{summary}"))
}

/// A text as a field's value: one that has its own blanks at an end, what parts fields, or the beginning of a tag cannot
/// be said.
fn one_value(text: &str) -> Option<&str> {
    const SIGNS: [char; 6] = ['\t', '\n', '\r', '<', '◁', '['];
    (!text.is_empty() && text.trim() == text && !text.contains(SIGNS)).then_some(text)
}

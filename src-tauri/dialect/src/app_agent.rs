//! The `AppAgent` dialect: `Action: tap(5)`, `text("…")`, `swipe(21, "up", "medium")`, `FINISH`; elements by number.
//!
//! A swipe names the way the finger goes. The grid's calls (two arguments to `tap`) are refused: no grid is drawn.

use crate::Reply;
use crate::action::{bare, finish, unknown};
use crate::call_text::raw_text;
use crate::find::{Around, Found, find, nothing, thoughts};
use crate::labels::{labels, line_of};
use crate::lexer::is_blank;
use crate::notes::{Refusal, cut};
use crate::quote::double_quoted;
use crate::scan::Wanted;
use crate::value::{Call, Value};
use protocol::{Act, Action, Direction, Target, UnclearCode};

const ACTIONS: [&str; 5] = ["tap", "text", "long_press", "swipe", "grid"];

/// The name is one of its functions.
pub(crate) fn is_action(name: &str) -> bool {
    ACTIONS.contains(&name)
}

/// A call no other dialect writes so: its arguments have no names.
pub(crate) fn is_own(call: &Call) -> bool {
    is_action(&call.name) && call.arguments.fields.is_empty() && !call.unnamed.is_empty()
}

/// The reply's action line says that the task is done, and nothing else.
fn says_finish(answer: &str) -> bool {
    let line = labels(answer, 0, "Action")
        .next()
        .map_or(answer.trim(), |label| line_of(answer, &label));
    let word = line.trim_matches(|c: char| is_blank(c) || matches!(c, '`' | '.' | '"' | '*'));
    word == "FINISH"
}

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = Wanted {
        objects: false,
        calls: &is_action,
        keep: &|value| matches!(value, Value::Call(_)),
    };
    let Found {
        value,
        start,
        end,
        mut around,
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) if refusal.code == UnclearCode::NoAction => {
            let thoughts = thoughts(raw, steps);
            if !says_finish(raw.get(thoughts.answer..).unwrap_or("")) {
                return Err(refusal);
            }
            let mut around = Around::new(thoughts.thought, "");
            let act = finish(None, &mut around.notes);
            return around.reply(bare(act));
        }
        Err(refusal) => return Err(refusal),
    };
    let Value::Call(mut call) = value else {
        return Err(nothing(raw, true));
    };
    if !call.closed {
        return Err(Refusal::malformed("the call is cut off"));
    }
    around.strip_labels(&["Observation", "Thought", "Action"]);
    let act = if call.name == "text" {
        // One argument without a name: it is given one, to be read as the other dialects' texts are.
        let text = call
            .unnamed
            .drain(..)
            .next()
            .ok_or_else(|| Refusal::malformed("`text` needs the text"))?;
        call.arguments.fields.push(("text".into(), text));
        let written = raw.get(start..end).unwrap_or("");
        let text = raw_text(&call, "text", written, 0, &mut around.notes)?;
        Act::Type { text, target: None }
    } else {
        read_act(&call)?
    };
    around.reply(bare(act))
}

fn read_act(call: &Call) -> Result<Act, Refusal> {
    let element = call.unnamed.first().and_then(Value::as_count);
    let target = element.map(|element| Target {
        element: Some(element),
        ..Target::default()
    });
    let nowhere = |normalized: Act| {
        Refusal::missing_target("it points nowhere: it needs an element's number", normalized)
    };
    match (call.name.as_str(), call.unnamed.len()) {
        ("tap", 1) => match target {
            Some(_) => Ok(Act::Tap {
                x: None,
                y: None,
                target,
            }),
            None => Err(nowhere(Act::Tap {
                x: Some(0.0),
                y: Some(0.0),
                target: None,
            })),
        },
        ("long_press", 1) => {
            let at = if target.is_some() { None } else { Some(0.0) };
            let act = Act::LongPress {
                x: at,
                y: at,
                duration_ms: 800.0,
                target,
            };
            if at.is_none() { Ok(act) } else { Err(nowhere(act)) }
        }
        ("swipe", 2 | 3) => {
            let word = |at: usize| {
                call.unnamed
                    .get(at)
                    .and_then(Value::as_word)
                    .unwrap_or_default()
                    .trim()
                    .to_lowercase()
            };
            let direction = match word(1).as_str() {
                "up" => Direction::Down,
                "down" => Direction::Up,
                "left" => Direction::Right,
                "right" => Direction::Left,
                other => return Err(Refusal::malformed(format!("'{}' is no direction", cut(other)))),
            };
            let amount = match word(2).as_str() {
                "short" => 2.0,
                "long" => 6.0,
                _ => 4.0,
            };
            let act = |target| Act::Scroll {
                direction,
                amount,
                x: None,
                y: None,
                target,
            };
            if target.is_some() {
                Ok(act(target))
            } else {
                Err(nowhere(act(None)))
            }
        }
        (name, _) => Err(unknown(name, &ACTIONS)),
    }
}

/// One call; `None` when the dialect has none for it.
pub(crate) fn write(action: &Action) -> Option<String> {
    let number = |target: &Option<Target>| target.as_ref().and_then(|target| target.element);
    Some(match &action.act {
        Act::Tap { target, .. } => format!("tap({})", number(target)?),
        Act::LongPress { target, .. } => format!("long_press({})", number(target)?),
        Act::Type { text, target: None } => format!("text({})", double_quoted(text)),
        Act::Scroll {
            direction,
            amount,
            target,
            ..
        } => {
            let finger = match direction {
                Direction::Up => "down",
                Direction::Down => "up",
                Direction::Left => "right",
                Direction::Right => "left",
            };
            let far = match *amount {
                n if n <= 2.0 => "short",
                n if n <= 4.0 => "medium",
                _ => "long",
            };
            format!("swipe({}, \"{finger}\", \"{far}\")", number(target)?)
        }
        Act::Finish { .. } => "FINISH".into(),
        _ => return None,
    })
}

//! The `AppAgent` dialect: `Action: tap(5)`, `text("…")`, `swipe(21, "up", "medium")`, `FINISH`; elements by number.
//!
//! A swipe names the way the finger goes. The grid's calls (`tap(5, "top-left")`) are read where the screen's size is
//! known, for the grid is drawn by it; none is drawn here, so `grid()` is a look at the picture.

use crate::action::{finish, unknown};
use crate::call_text::raw_text;
use crate::find::{ActionContext, FoundAction, find, nothing, thoughts};
use crate::labels::{labels, line_of};
use crate::lexer::is_blank;
use crate::notes::{Notes, Refusal, cut};
use crate::quote::double_quoted;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::Size;
use crate::value::{Call, Value};
use protocol::{Act, Action, CaptureMode, Direction, Target, UnclearCode, WarningCode};

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

/// Reads a whole reply; `screen` is what the numbers of its grid are for.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, screen: Option<Size>, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: false,
        calls: &is_action,
        keep: &|value| matches!(value, Value::Call(_)),
    };
    let FoundAction {
        value,
        start,
        end,
        mut context,
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) if refusal.code == UnclearCode::NoAction => {
            let thoughts = thoughts(raw, steps);
            let answer = raw.get(thoughts.answer..).unwrap_or("");
            if !says_finish(answer) {
                return Err(refusal);
            }
            let mut context = ActionContext::new(thoughts.thought, "");
            let act = finish(None, &mut context.notes);
            return context.reply(Action::from(act));
        }
        Err(refusal) => return Err(refusal),
    };
    let Value::Call(mut call) = value else {
        return Err(nothing(raw, true));
    };
    if !call.closed {
        return Err(Refusal::malformed("the call is cut off"));
    }
    context.strip_labels(&["Observation", "Thought", "Action"]);
    let act = if call.name == "text" {
        // One argument without a name: it is given one, to be read as the other dialects' texts are.
        let text = call
            .unnamed
            .drain(..)
            .next()
            .ok_or_else(|| Refusal::malformed("`text` needs the text"))?;
        call.arguments.fields.push(("text".into(), text));
        let written = raw.get(start..end).unwrap_or("");
        let text = raw_text(&call, "text", written, 0, &mut context.notes)?;
        Act::Type { text, target: None }
    } else {
        match grid_act(&call, screen, &mut context.notes) {
            Some(act) => act?,
            None => read_act(&call)?,
        }
    };
    context.reply(Action::from(act))
}

/// A call of the grid: areas by their numbers, each with one of nine places in it.
fn grid_act(call: &Call, screen: Option<Size>, notes: &mut Notes) -> Option<Result<Act, Refusal>> {
    let area = |at: usize| call.unnamed.get(at).and_then(Value::as_count);
    let place = |at: usize| Some(subarea(call.unnamed.get(at)?.as_word()?));
    let at = |from: usize| {
        let grid = Grid::on(screen?)?;
        grid.point(area(from)?, place(from + 1)?)
    };
    let ends = |act: Act, all: bool| {
        if all {
            return Ok(act);
        }
        let why = "an area of the grid is not on this screen, or its size is not known: name an element by its number";
        Err(Refusal::missing_target(why, act))
    };
    Some(match (call.name.as_str(), call.unnamed.len()) {
        ("tap", 2) => {
            let (x, y) = at(0).unzip();
            ends(tap_at(x, y), x.is_some())
        }
        ("long_press", 2) => {
            let (x, y) = at(0).unzip();
            notes.defaulted("durationMs");
            let act = Act::LongPress {
                x: x.or(Some(0.0)),
                y: y.or(Some(0.0)),
                duration_ms: 800.0,
                target: None,
            };
            ends(act, x.is_some())
        }
        ("grid", 0) => {
            notes.warn(
                WarningCode::NoGrid,
                None,
                "no grid is drawn: name an element by its number",
            );
            notes.defaulted("maxElements");
            Ok(Act::Capture {
                mode: CaptureMode::Vision,
                max_elements: 100,
            })
        }
        ("swipe", 4) => {
            let (from, to) = (at(0), at(2));
            let ((x1, y1), (x2, y2)) = (from.unwrap_or_default(), to.unwrap_or_default());
            notes.defaulted("durationMs");
            let act = Act::Swipe {
                x1,
                y1,
                x2,
                y2,
                duration_ms: 300.0,
            };
            ends(act, from.is_some() && to.is_some())
        }
        _ => return None,
    })
}

fn tap_at(x: Option<f64>, y: Option<f64>) -> Act {
    Act::Tap {
        x: x.or(Some(0.0)),
        y: y.or(Some(0.0)),
        target: None,
    }
}

/// A place in an area, as the page has it: quarters from its left and its top. The middle is meant by any other word.
fn subarea(word: &str) -> (u32, u32) {
    match word.trim() {
        "top-left" => (1, 1),
        "top" => (2, 1),
        "top-right" => (3, 1),
        "left" => (1, 2),
        "right" => (3, 2),
        "bottom-left" => (1, 3),
        "bottom" => (2, 3),
        "bottom-right" => (3, 3),
        _ => (2, 2),
    }
}

/// The grid over a screen: areas from 1, row by row.
struct Grid {
    columns: u32,
    rows: u32,
    /// Of one area, in pixels.
    width: u32,
    height: u32,
}

impl Grid {
    /// As the page's own drawing: an area's side is the smallest whole part of the screen's within 120 to 180 pixels, or
    /// 120 where there is none. `None` for a screen smaller than one area.
    fn on(screen: Size) -> Option<Self> {
        let side = |n: u32| (120..=180).find(|part| n.is_multiple_of(*part)).unwrap_or(120);
        let columns = screen.width / side(screen.width);
        let rows = screen.height / side(screen.height);
        Some(Self {
            columns,
            rows,
            width: screen.width.checked_div(columns)?,
            height: screen.height.checked_div(rows)?,
        })
    }

    fn point(&self, area: u32, (across, down): (u32, u32)) -> Option<(f64, f64)> {
        let at = area.checked_sub(1)?;
        let (row, column) = (at / self.columns, at % self.columns);
        let on = |n: u32, size: u32, quarters: u32| f64::from(n * size + size * quarters / 4);
        (row < self.rows).then(|| (on(column, self.width, across), on(row, self.height, down)))
    }
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

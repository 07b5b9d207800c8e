//! Lines that `GUI-Owl` writes instead of its tool: `Operation: Click (144, 248, 144, 248)`, or
//! `{"Thought": "…", "Operation": "Click (144, 248, 144, 248)", "Explanation": "…"}`, as its service answers; and a
//! sentence that clicks: `Action: Click on the search bar at (540, 120).`
//!
//! A part of the Qwen dialect; but its numbers are plain ones, as the service's are pixels of the picture: what else they
//! count, the model's family says.

use crate::action::{ask, finish, key, launch, long_press};
use crate::find::{ActionContext, thoughts};
use crate::labels::{labels, line_of};
use crate::notes::{Notes, Refusal, cut};
use crate::reply::Reply;
use crate::space::{numbers_in, spot_of, way};
use crate::value::{Object, Value};
use protocol::Space;
use protocol::{Act, Action, UnclearCode};

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tap,
    DoubleTap,
    LongPress,
    Swipe,
    Type,
    Open,
    Back,
    Home,
    Enter,
    Wait,
    Ask,
    Finish,
}

/// The names, in small letters and without blanks, `_` and `-`.
const KINDS: [(&str, Kind); 17] = [
    ("click", Kind::Tap),
    ("tap", Kind::Tap),
    ("doubleclick", Kind::DoubleTap),
    ("doubletap", Kind::DoubleTap),
    ("longpress", Kind::LongPress),
    ("swipe", Kind::Swipe),
    ("type", Kind::Type),
    ("input", Kind::Type),
    ("open", Kind::Open),
    ("openapp", Kind::Open),
    ("back", Kind::Back),
    ("home", Kind::Home),
    ("enter", Kind::Enter),
    ("wait", Kind::Wait),
    ("calluser", Kind::Ask),
    ("done", Kind::Finish),
    ("finish", Kind::Finish),
];

/// One line, cut into what it does and what with.
struct ReplyLine<'t> {
    kind: Kind,
    /// Between the first parenthesis and the last; nothing where there is none.
    inside: Option<&'t str>,
}

/// The operation an object holds, as the service writes it.
pub(crate) fn operation_of(object: &Object) -> Option<&str> {
    match object.get("Operation")? {
        Value::Text(text) if !text.mended => Some(&text.value).filter(|line| cut_up(line).is_some()),
        _ => None,
    }
    .map(String::as_str)
}

/// The line of a reply, from byte `from` on, that is an operation: behind its label, or alone.
pub(crate) fn operation(raw: &str, from: usize) -> Option<&str> {
    let labelled = |name: &'static str| {
        labels(raw, from, name)
            .map(|label| line_of(raw, &label))
            .find(|line| reads(line, name))
    };
    labelled("Operation").or_else(|| labelled("Action")).or_else(|| {
        let alone = raw.get(from..)?.trim();
        (!alone.contains('\n') && alone.contains('(') && reads(alone, "")).then_some(alone)
    })
}

/// Without the operation's own label only what points counts: `Home` or `Done (all of it)` may be any sentence's.
fn reads(line: &str, label: &str) -> bool {
    let points = |line: &ReplyLine<'_>| {
        let is_place = matches!(
            line.kind,
            Kind::Tap | Kind::DoubleTap | Kind::LongPress | Kind::Swipe
        );
        is_place && line.inside.and_then(numbers_in).is_some()
    };
    cut_up(line).is_some_and(|line| label == "Operation" || points(&line)) || clicked(line).is_some()
}

fn kind_of(name: &str) -> Option<Kind> {
    let folded: String = name
        .trim()
        .chars()
        .filter(|c| !matches!(c, ' ' | '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect();
    KINDS
        .iter()
        .find(|(known, _)| *known == folded)
        .map(|(_, kind)| *kind)
}

/// `Name (inside)`, or `Name`.
fn cut_up(line: &str) -> Option<ReplyLine<'_>> {
    // Longer names are none.
    const LONGEST: usize = 16;
    let line = line.trim().trim_matches('`').trim();
    let bare = line.trim_end_matches(['.', ';']);
    match bare.split_once('(') {
        Some((name, rest)) if name.len() <= LONGEST => Some(ReplyLine {
            kind: kind_of(name)?,
            inside: Some(rest.strip_suffix(')')?),
        }),
        Some(_) => None,
        None if bare.len() <= LONGEST => Some(ReplyLine {
            kind: kind_of(bare)?,
            inside: None,
        }),
        None => None,
    }
}

/// A sentence that clicks, and ends with the one place it names.
fn clicked(line: &str) -> Option<(Kind, Vec<f64>)> {
    let bare = line.trim().trim_end_matches(['.', ';', '`']);
    let kind = ["Click", "Tap", "Long press", "Double click", "Double tap"]
        .iter()
        .find(|verb| {
            bare.strip_prefix(**verb)
                .is_some_and(|rest| rest.starts_with(' '))
        })
        .and_then(|verb| kind_of(verb))?;
    let open = bare.find(['(', '['])?;
    let (_, place) = bare.split_at(open);
    let inside = place.get(1..place.len().checked_sub(1)?)?;
    let closes = place.ends_with([')', ']']);
    let numbers = numbers_in(inside).filter(|_| closes && !inside.contains(['(', '[', ')', ']']))?;
    Some((kind, numbers))
}

/// Reads the line of a reply that is an operation; `None` when none is.
pub(crate) fn read_line(raw: &str, steps: &mut usize) -> Option<Result<Reply, Refusal>> {
    let scan = thoughts(raw, steps);
    *steps += raw.len();
    let line = operation(raw, scan.answer)?;
    let mut context = ActionContext::new(scan.thought, "");
    if context.thought.is_empty() {
        let before = labels(raw, scan.answer, "Thought").next();
        context.thought = before.map_or("", |label| line_of(raw, &label)).to_owned();
    }
    Some(read(line, context))
}

/// Reads one operation.
///
/// # Errors
/// When it points nowhere, or lacks what it is done with.
pub(crate) fn read(line: &str, mut context: ActionContext) -> Result<Reply, Refusal> {
    let (act, app) = match cut_up(line) {
        Some(ReplyLine { kind, inside }) => read_act(kind, inside, &mut context.notes)?,
        None => match clicked(line) {
            Some((kind, numbers)) => (pointed(kind, Some(&numbers), &mut context.notes)?, None),
            None => return Err(unknown(line)),
        },
    };
    context.reply(Action {
        app,
        ..Action::from(act)
    })
}

fn unknown(line: &str) -> Refusal {
    Refusal::new(
        UnclearCode::UnknownAction,
        format!("there is no operation '{}'", cut(line)),
    )
}

fn pointed(kind: Kind, numbers: Option<&[f64]>, notes: &mut Notes) -> Result<Act, Refusal> {
    const NEEDS: &str = "(x, y)";
    let spot = spot_of(numbers, Space::Picture);
    match kind {
        Kind::DoubleTap => spot.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target }),
        Kind::LongPress => {
            let press = long_press(notes);
            spot.act(NEEDS, press)
        }
        _ => spot.act(NEEDS, |x, y, target| Act::Tap { x, y, target }),
    }
}

fn read_act(kind: Kind, inside: Option<&str>, notes: &mut Notes) -> Result<(Act, Option<String>), Refusal> {
    let words = || {
        inside
            .filter(|inside| !inside.trim().is_empty())
            .map(str::to_owned)
    };
    let act = match kind {
        Kind::Tap | Kind::DoubleTap | Kind::LongPress => {
            let numbers = inside.and_then(numbers_in);
            pointed(kind, numbers.as_deref(), notes)?
        }
        Kind::Swipe => {
            notes.defaulted("durationMs");
            let numbers = inside.and_then(numbers_in).filter(|numbers| numbers.len() == 4);
            let [from, to] = [0..2, 2..4].map(|half| numbers.as_deref().and_then(|n| n.get(half)));
            way(from, to, Space::Picture, 300.0, "(x1, y1, x2, y2)")?
        }
        Kind::Type => Act::Type {
            text: words().ok_or_else(|| Refusal::malformed("Type needs its text in parentheses"))?,
            target: None,
        },
        Kind::Open => {
            let app = words().ok_or_else(|| Refusal::malformed("Open needs an app in parentheses"))?;
            return Ok((launch(), Some(app.trim().to_owned())));
        }
        Kind::Back => key("KEYCODE_BACK"),
        Kind::Home => key("KEYCODE_HOME"),
        Kind::Enter => key("KEYCODE_ENTER"),
        Kind::Wait => {
            notes.defaulted("durationMs");
            Act::Wait { duration_ms: 1000.0 }
        }
        Kind::Ask => ask(words(), notes),
        Kind::Finish => finish(words(), notes),
    };
    Ok((act, None))
}

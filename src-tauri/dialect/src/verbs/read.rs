//! Verbs → acts.

use crate::action::{ask, finish, from_seconds, gave_up, key, launch, long_press, unknown};
use crate::fields::Fields;
use crate::find::{ActionContext, FoundAction, find, in_markup, nothing, other_tool, sound};
use crate::keys;
use crate::notes::{Notes, Refusal, cut};
use crate::point_fields::PointFields;
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::{flat_numbers, middle, way};
use crate::tool::{self, ToolUse, tool_use};
use crate::value::{Object, Value};
use crate::verbs::table::{VERBS, Verb, verb};
use protocol::Space;
use protocol::{Act, Action, CaptureMode, Direction, Target, UnclearCode, WarningCode};

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &|value| tool::tool_name(value).is_some(),
    };
    let FoundAction {
        value, mut context, ..
    } = match find(raw, &wanted, steps) {
        Ok(found) => found,
        Err(refusal) => {
            return match in_markup(raw, steps) {
                Some((context, used)) => with(&used?, context),
                None => Err(refusal),
            };
        }
    };
    let used = tool_use(&value, &mut context.notes, steps).ok_or_else(|| nothing(raw, true))??;
    with(&used, context)
}

fn with(used: &ToolUse, mut context: ActionContext) -> Result<Reply, Refusal> {
    if used.several {
        context.several();
    }
    if let Some(said) = &used.said {
        context.thought.clone_from(said);
    }
    let verb = verb(&used.name).ok_or_else(|| other_tool(&used.name))?;
    sound(&used.arguments)?;
    let action = read_action(verb, &used.name, &used.arguments, &mut context.notes)?;
    context.strip_labels(&["Thought", "Action"]);
    context.reply(action)
}

const NEEDS: &str = "`points` as [[x, y]]";

fn read_action(verb: Verb, name: &str, arguments: &Object, notes: &mut Notes) -> Result<Action, Refusal> {
    let mut app = None;
    let act = match verb {
        Verb::Tap => spot(arguments, notes)?.act(NEEDS, |x, y, target| Act::Tap { x, y, target })?,
        Verb::DoubleTap => {
            spot(arguments, notes)?.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target })?
        }
        Verb::LongPress => match time(arguments) {
            Some(duration_ms) => spot(arguments, notes)?.act(NEEDS, |x, y, target| Act::LongPress {
                x,
                y,
                target,
                duration_ms,
            })?,
            None => {
                let press = long_press(notes);
                spot(arguments, notes)?.act(NEEDS, press)?
            }
        },
        Verb::Type => type_text(arguments, notes)?,
        Verb::Scroll | Verb::Swipe => moved(verb, arguments, notes)?,
        Verb::Drag => drag(arguments, notes)?,
        Verb::Open => {
            let (act, named) = open(arguments, notes)?;
            app = named;
            act
        }
        other => plain(other, name, arguments, notes)?,
    };
    Ok(Action {
        app,
        ..Action::from(act)
    })
}

/// What points nowhere and opens no app.
fn plain(verb: Verb, name: &str, arguments: &Object, notes: &mut Notes) -> Result<Act, Refusal> {
    let said = [
        "text", "message", "question", "prompt", "answer", "content", "intent",
    ]
    .iter()
    .find_map(|name| Fields::new(arguments, notes).words(name));
    let mut name_of = |field: &str| Fields::new(arguments, notes).name(field);
    Ok(match verb {
        Verb::Key => return pressed(arguments, notes),
        Verb::Back => key("KEYCODE_BACK"),
        Verb::Home => key("KEYCODE_HOME"),
        Verb::Enter => key("KEYCODE_ENTER"),
        Verb::Recents => key("KEYCODE_APP_SWITCH"),
        Verb::Url => Act::OpenUrl {
            url: name_of("url").ok_or_else(|| Refusal::malformed(format!("`{}` needs `url`", cut(name))))?,
        },
        Verb::Wait => Act::Wait {
            duration_ms: time(arguments).unwrap_or_else(|| {
                notes.defaulted("durationMs");
                1000.0
            }),
        },
        Verb::Picture => {
            notes.defaulted("maxElements");
            Act::Capture {
                mode: CaptureMode::Vision,
                max_elements: 100,
            }
        }
        Verb::Apps => Act::ListApps,
        Verb::Ask => ask(said, notes),
        Verb::Finish => finish(said, notes),
        Verb::Terminate => match name_of("status").unwrap_or_default().to_lowercase().as_str() {
            "success" => finish(said, notes),
            "failure" | "fail" => gave_up(said, notes),
            _ => {
                return Err(Refusal::malformed(
                    "`terminate` needs `status`: success or failure",
                ));
            }
        },
        // An app that is left behind is as good as closed, and nothing in it is lost.
        Verb::Close => {
            return Err(Refusal::new(
                UnclearCode::NoTouchEquivalent,
                "no app is closed here: go home, or open another one",
            ));
        }
        _ => return Err(unknown(name, &VERBS.map(|(name, _)| name))),
    })
}

/// Names a place goes by.
const PLACES: [&str; 7] = [
    "points",
    "point",
    "coordinate",
    "coordinates",
    "position",
    "box",
    "bbox",
];

/// An element by its number, or the place: two numbers, or the middle of four.
fn spot(arguments: &Object, notes: &mut Notes) -> Result<PointFields, Refusal> {
    let mut fields = Fields::new(arguments, notes);
    for name in ["index", "element", "element_id"] {
        let Some(value) = fields.find(name) else { continue };
        let element = value
            .as_count()
            .ok_or_else(|| Refusal::malformed(format!("`{name}` is a whole number from 1")))?;
        return Ok(PointFields {
            target: Some(Target {
                element: Some(element),
                ..Target::default()
            }),
            ..PointFields::default()
        });
    }
    let (x, y) = (fields.number("x"), fields.number("y"));
    if x.is_some() && y.is_some() {
        return Ok(PointFields {
            x,
            y,
            ..PointFields::default()
        });
    }
    let Some(value) = PLACES.iter().find_map(|name| fields.find(name)) else {
        return Ok(PointFields::default());
    };
    fields.notes.listed = true;
    let Some((x, y)) = flat_numbers(value).as_deref().and_then(middle) else {
        return Ok(PointFields {
            trouble: Some("a place is two numbers, or four".into()),
            ..PointFields::default()
        });
    };
    Ok(PointFields {
        x: Some(x),
        y: Some(y),
        ..PointFields::default()
    })
}

/// Both ends of a way, in any of the names they go by.
fn ends(arguments: &Object, notes: &mut Notes) -> [Option<Vec<f64>>; 2] {
    let number = |name: &str| arguments.get(name).and_then(Value::as_number);
    let both = |x: &str, y: &str| Some(vec![number(x)?, number(y)?]);
    for [x1, y1, x2, y2] in [
        ["x1", "y1", "x2", "y2"],
        ["start_x", "start_y", "end_x", "end_y"],
        ["x", "y", "destination_x", "destination_y"],
    ] {
        if let (from @ Some(_), to @ Some(_)) = (both(x1, y1), both(x2, y2)) {
            return [from, to];
        }
    }
    notes.listed = true;
    let four = PLACES
        .iter()
        .find_map(|name| arguments.get(name))
        .and_then(flat_numbers);
    if let Some([x1, y1, x2, y2]) = four.as_deref() {
        return [Some(vec![*x1, *y1]), Some(vec![*x2, *y2])];
    }
    let end = |names: &[&str]| {
        let value = names.iter().find_map(|name| arguments.get(name))?;
        flat_numbers(value)
    };
    [
        end(&["start", "start_point", "start_coordinate", "from", "coordinate"]),
        end(&["end", "end_point", "end_coordinate", "to", "coordinate2"]),
    ]
}

const WAY: &str = "`points` as [[x1, y1], [x2, y2]]";

/// By its ends, or in a direction.
fn moved(verb: Verb, arguments: &Object, notes: &mut Notes) -> Result<Act, Refusal> {
    let [from, to] = ends(arguments, notes);
    if to.is_some() || arguments.get("direction").is_none() {
        let duration_ms = time(arguments).unwrap_or_else(|| {
            notes.defaulted("durationMs");
            300.0
        });
        return way(from.as_deref(), to.as_deref(), Space::Picture, duration_ms, WAY);
    }
    notes.defaulted("amount");
    let word = Fields::new(arguments, notes).direction()?;
    // Where the finger goes, the page comes from the other side.
    let direction = match word {
        word if verb == Verb::Scroll => word,
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    };
    let spot = spot(arguments, notes)?;
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

/// Something is taken along.
fn drag(arguments: &Object, notes: &mut Notes) -> Result<Act, Refusal> {
    let duration_ms = time(arguments).unwrap_or_else(|| {
        notes.defaulted("durationMs");
        500.0
    });
    let [from, to] = ends(arguments, notes).map(|end| end.as_deref().and_then(middle));
    let act = |from: (f64, f64), to: (f64, f64)| Act::Drag {
        x1: Some(from.0),
        y1: Some(from.1),
        x2: Some(to.0),
        y2: Some(to.1),
        duration_ms,
        target: None,
        to_target: None,
    };
    match (from, to) {
        (Some(from), Some(to)) => Ok(act(from, to)),
        (from, to) => Err(Refusal::missing_target(
            format!("it points nowhere: it needs {WAY}"),
            act(from.unwrap_or_default(), to.unwrap_or_default()),
        )),
    }
}

fn type_text(arguments: &Object, notes: &mut Notes) -> Result<Act, Refusal> {
    let mut fields = Fields::new(arguments, notes);
    let mut text = fields
        .exact_text("text")?
        .ok_or_else(|| Refusal::malformed("`type` needs `text`"))?;
    if fields.maybe_flag("press_enter") == Some(true) && !text.ends_with('\n') {
        fields.notes.warn(
            WarningCode::EnterAdded,
            Some("text"),
            "Enter follows the text, as `press_enter` says",
        );
        text.push('\n');
    }
    let spot = spot(arguments, notes)?;
    if spot.target.is_none() && (spot.x.is_some() || spot.trouble.is_some()) {
        return Err(Refusal::missing_target(
            "text goes into the focused field: tap the field first",
            Act::Type { text, target: None },
        ));
    }
    Ok(Act::Type {
        text,
        target: spot.target,
    })
}

/// A button of the phone, a key, or several held together.
fn pressed(arguments: &Object, notes: &mut Notes) -> Result<Act, Refusal> {
    let mut fields = Fields::new(arguments, notes);
    if let Some(Value::List(_)) = fields.find("keys") {
        return keys::press(&fields.list_of_names("keys", &[]));
    }
    let named = ["button", "key", "keys", "type", "text"]
        .iter()
        .find_map(|name| fields.name(name))
        .unwrap_or_default();
    // The page of the models that have it: the list of open apps.
    if named.eq_ignore_ascii_case("menu") {
        return Ok(key("KEYCODE_APP_SWITCH"));
    }
    keys::press(&keys::split_keys(&named))
}

/// A package is one by its field's name; else it is what the person calls the app.
fn open(arguments: &Object, notes: &mut Notes) -> Result<(Act, Option<String>), Refusal> {
    let mut fields = Fields::new(arguments, notes);
    let package = ["package", "packageName", "package_name"]
        .iter()
        .find_map(|name| fields.name(name));
    if let Some(package_name) = package {
        return Ok((Act::LaunchApp { package_name }, None));
    }
    let app = ["app_name", "app", "name", "text"]
        .iter()
        .find_map(|name| fields.name(name));
    match app {
        Some(app) => Ok((launch(), Some(app))),
        None => Err(Refusal::malformed("`open_app` needs `package` or `app_name`")),
    }
}

/// No more than this without a unit are seconds.
pub(super) const SECONDS: f64 = 60.0;

/// How long, in milliseconds. What has its unit in its name has it; else so many are milliseconds as nobody means
/// seconds.
fn time(arguments: &Object) -> Option<f64> {
    let number = |name: &str| {
        let n = arguments.get(name)?.as_number()?;
        (n >= 0.0).then_some(n)
    };
    let first = |names: &[&str]| names.iter().find_map(|name| number(name));
    let in_ms = first(&["duration_ms", "durationMs", "time_ms", "ms"]);
    let in_seconds = || first(&["seconds", "duration_seconds"]).map(from_seconds);
    let either = || {
        let n = first(&["duration", "time"])?;
        Some(if n > SECONDS { n } else { from_seconds(n) })
    };
    in_ms.or_else(in_seconds).or_else(either)
}

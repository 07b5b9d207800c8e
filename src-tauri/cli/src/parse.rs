//! `deck parse`: a model's raw reply, read.

use crate::args::Parse;
use crate::say::{self, Done};
use agent::pointing::{Pointing, Written};
use dialect::{Dialect, Parsed};
use engine::words;
use protocol::{Act, Action, CaptureResult, PhoneId, Screen, Target, Totals, Unclear, UnclearCode, Warning};
use screen::{FAMILIES, Space, View};
use serde_json::{Value, json};
use std::io::{IsTerminal, Read};

pub(crate) fn parse(args: &Parse) -> Done {
    let told = match args.dialect.as_deref().map(str::parse::<Dialect>).transpose() {
        Ok(told) => told,
        Err(error) => {
            let known: Vec<&str> = dialect::DIALECTS.iter().map(|(_, name)| *name).collect();
            return Ok(say::usage(&format!("{error}; known: {}", known.join(", "))));
        }
    };
    let screen = match screen(args) {
        Ok(screen) => screen,
        Err(message) => return Ok(say::usage(&message)),
    };
    let pointing = match pointing(args) {
        Ok(pointing) => pointing,
        Err(message) => return Ok(say::usage(&message)),
    };
    let raw = match reply(args) {
        Ok(raw) => raw,
        Err(error) => return Ok(say::usage(&format!("standard input: {error}"))),
    };
    let read = match (
        on_grid(pointing.read(&raw, told), &raw, told, screen.as_ref()),
        &screen,
    ) {
        (Ok(written), Some(screen)) => on_screen(written, pointing, args.picture, screen),
        (Ok(written), None) => Ok(written.parsed),
        (Err(unclear), _) => Err(unclear),
    };
    match read {
        Ok(parsed) => {
            say::line(&parsed);
            Ok(say::FINE)
        }
        Err(unclear) => {
            say::line(&refusal(&unclear));
            say::note(&words::of("unclear", &words::tag(&unclear.code)));
            Ok(say::FAILED)
        }
    }
}

/// What the reply's numbers count: told, or the screen's pixels unless its dialect has a space of its own.
fn pointing(args: &Parse) -> Result<Pointing, String> {
    if let Some(name) = &args.space {
        let space = Space::ALL.into_iter().find(|space| space.as_str() == name);
        return Ok(space.map_or(Pointing::SCREEN, Pointing::in_space));
    }
    let Some(name) = &args.family else {
        return Ok(Pointing::SCREEN);
    };
    let named = FAMILIES.iter().find(|family| family.name == name);
    let family = named.or_else(|| screen::family(name)).ok_or_else(|| {
        let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        format!(
            "no family of models is called {name:?}; known: {}",
            known.join(", ")
        )
    })?;
    Ok(Pointing::of_family(family))
}

/// What could not be placed is read once more as an area of `AppAgent`'s grid, which lies by the size of the screen.
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
fn on_grid(
    read: Result<Written, Unclear>,
    raw: &str,
    told: Option<Dialect>,
    screen: Option<&Screen>,
) -> Result<Written, Unclear> {
    let (Err(unclear), Some(screen)) = (&read, screen) else {
        return read;
    };
    if unclear.code != UnclearCode::MissingTarget {
        return read;
    }
    let size = dialect::Size {
        width: screen.width,
        height: screen.height,
    };
    match dialect::parse_on(raw, told, None, size) {
        Ok(parsed) if parsed.dialect == Dialect::AppAgent => Ok(Written {
            parsed,
            space: Space::Screen,
        }),
        _ => read,
    }
}

/// Everything in pixels of the screen: points as the model counts them, then what it names.
#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
fn on_screen(
    written: Written,
    pointing: Pointing,
    picture: Option<(u32, u32)>,
    screen: &Screen,
) -> Result<Parsed, Unclear> {
    let Written { mut parsed, space } = written;
    let (width, height) = (screen.width, screen.height);
    let picture = picture.unwrap_or_else(|| pointing.picture_size(width, height, 0));
    let view = View::of(picture, width, height);
    let action = agent::pointing::on_screen(&parsed.step.action, space, &view);
    parsed.step.action = action.map_err(|misplaced| Unclear {
        code: UnclearCode::MissingTarget,
        message: misplaced.to_string(),
        normalized: None,
    })?;
    parsed.space = Space::Picture;
    resolve(&mut parsed.step.action, screen, &mut parsed.warnings);
    Ok(parsed)
}

/// The reply: the argument, else all of standard input. Bytes that are no text are read as marks for such.
fn reply(args: &Parse) -> std::io::Result<String> {
    if let Some(reply) = &args.reply {
        return Ok(reply.clone());
    }
    let mut stdin = std::io::stdin().lock();
    if stdin.is_terminal() {
        say::note("(reading a reply from the keyboard; an end of input, Ctrl-D, ends it)");
    }
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn refusal(unclear: &Unclear) -> Value {
    let mut out = json!({"error": {"code": unclear.code, "message": unclear.message}});
    if let (Some(normalized), Some(object)) = (&unclear.normalized, out.as_object_mut()) {
        object.insert("normalized".into(), json!(normalized));
    }
    out
}

/// The screen a reply is read against, as far as it was given.
fn screen(args: &Parse) -> Result<Option<Screen>, String> {
    let Some((width, height)) = args.width.zip(args.height) else {
        return Ok(None);
    };
    if width == 0 || height == 0 {
        return Err("a screen has at least one pixel each way".into());
    }
    let mut screen = Screen {
        phone: PhoneId(String::new()),
        current_app: String::new(),
        window: None,
        width,
        height,
        captured_at: 0,
        capture: CaptureResult::Failed,
        frame: None,
        elements: Vec::new(),
        tree_read: false,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    };
    if let Some(file) = &args.screen {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let xml = String::from_utf8_lossy(&bytes);
        let tree = screen::Tree::read(&xml, width, height, 1000)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        screen.tree_bounds = tree.bounds();
        screen.elements = tree.elements;
        screen.totals = tree.totals;
        screen.tree_read = true;
    }
    Ok(Some(screen))
}

/// Puts pixels to what points by box or element; the target stays.
fn resolve(action: &mut Action, screen: &Screen, warnings: &mut Vec<Warning>) {
    let mut find = |target: &Option<Target>, field: &str| -> Option<(f64, f64)> {
        let target = target.as_ref()?;
        // Elements need a screen; without one, only a box can be turned into pixels.
        if !screen.tree_read && target.region.is_none() {
            return None;
        }
        match screen::resolve(target, screen) {
            Ok(hit) => Some((f64::from(hit.x), f64::from(hit.y))),
            Err(miss) => {
                warnings.push(Warning {
                    code: "target_not_found".into(),
                    field: Some(field.to_owned()),
                    message: miss.to_string(),
                });
                None
            }
        }
    };
    match &mut action.act {
        Act::Tap { x, y, target }
        | Act::DoubleTap { x, y, target }
        | Act::LongPress { x, y, target, .. }
        | Act::Scroll { x, y, target, .. }
        | Act::Hover { x, y, target } => {
            if let Some((px, py)) = find(target, "target") {
                (*x, *y) = (Some(px), Some(py));
            }
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
            if let Some((px, py)) = find(target, "target") {
                (*x1, *y1) = (Some(px), Some(py));
            }
            if let Some((px, py)) = find(to_target, "toTarget") {
                (*x2, *y2) = (Some(px), Some(py));
            }
        }
        Act::ReadText {
            region: Some(four),
            x1,
            y1,
            x2,
            y2,
            ..
        } => {
            if let Ok(b) = screen::region(*four, screen.width, screen.height) {
                (*x1, *y1) = (Some(f64::from(b.left)), Some(f64::from(b.top)));
                (*x2, *y2) = (Some(f64::from(b.right)), Some(f64::from(b.bottom)));
            }
        }
        _ => {}
    }
}

//! A model's reply read as a run reads it, for whoever has no run: `deck parse`.

use agent::pointing::{Pointing, UnscaledReply};
use dialect::{Dialect, Parsed};
use protocol::{
    Act, Action, CaptureResult, PhoneId, Screen, Space, Target, Totals, Unclear, UnclearCode, Warning,
    WarningCode,
};
use screen::{FAMILIES, View};

/// What is known of the reply.
#[derive(Clone, Debug, Default)]
pub struct ReplyOptions {
    /// The name of its dialect; found by itself when absent.
    pub dialect: Option<String>,
    /// The model's family, or its name: what its numbers count.
    pub family: Option<String>,
    /// What its numbers count, before the family ([`Space::as_str`]).
    pub space: Option<String>,
    /// Pixels of the picture it was sent, where it was not the screen's size.
    pub picture: Option<(u32, u32)>,
    /// Pixels of the screen.
    pub size: Option<(u32, u32)>,
    /// The screen's UI tree, as `uiautomator` writes it: to find elements in.
    pub tree: Option<String>,
}

/// Reads replies against one screen, or none.
pub struct ReplyReader {
    told: Option<Dialect>,
    pointing: Pointing,
    picture: Option<(u32, u32)>,
    screen: Option<Screen>,
}

impl ReplyReader {
    /// # Errors
    /// What of the options cannot be, in a short English line.
    pub fn new(options: &ReplyOptions) -> Result<Self, String> {
        let told = options.dialect.as_deref().map(str::parse::<Dialect>).transpose();
        let told = told.map_err(|error| {
            let known: Vec<&str> = dialect::DIALECTS.iter().map(|(_, name)| *name).collect();
            format!("{error}; known: {}", known.join(", "))
        })?;
        Ok(Self {
            told,
            screen: screen(options)?,
            pointing: pointing(options)?,
            picture: options.picture,
        })
    }

    /// The one action of a reply, in pixels of the screen where there is one.
    ///
    /// # Errors
    /// Why nobody can say what it wants.
    #[expect(
        clippy::result_large_err,
        reason = "the contract between rooms carries the action that was refused"
    )]
    pub fn read(&self, raw: &str) -> Result<Parsed, Unclear> {
        let read = self.pointing.read(raw, self.told);
        let written = on_grid(read, raw, self.told, self.screen.as_ref())?;
        match &self.screen {
            Some(screen) => on_screen(written, self.pointing, self.picture, screen),
            None => Ok(written.parsed),
        }
    }
}

/// What the reply's numbers count: told, or the screen's pixels unless its dialect has a space of its own.
fn pointing(options: &ReplyOptions) -> Result<Pointing, String> {
    if let Some(name) = &options.space {
        let space = Space::ALL.into_iter().find(|space| space.as_str() == name);
        return Ok(space.map_or(Pointing::SCREEN, Pointing::in_space));
    }
    let Some(name) = &options.family else {
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
    read: Result<UnscaledReply, Unclear>,
    raw: &str,
    told: Option<Dialect>,
    screen: Option<&Screen>,
) -> Result<UnscaledReply, Unclear> {
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
        Ok(parsed) if parsed.dialect == Dialect::AppAgent => Ok(UnscaledReply {
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
    written: UnscaledReply,
    pointing: Pointing,
    picture: Option<(u32, u32)>,
    screen: &Screen,
) -> Result<Parsed, Unclear> {
    let UnscaledReply { mut parsed, space } = written;
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

/// The screen a reply is read against, as far as it was given.
fn screen(options: &ReplyOptions) -> Result<Option<Screen>, String> {
    let Some((width, height)) = options.size else {
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
    if let Some(xml) = &options.tree {
        let tree = screen::Tree::read(xml, width, height, 1000)
            .map_err(|error| format!("the screen's tree: {error}"))?;
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
                    code: WarningCode::TargetNotFound.into(),
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

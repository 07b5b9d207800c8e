//! Acts → calls.

use crate::keys;
use crate::quote::single_quoted;
use crate::space::Size;
use crate::write_values::{app_of, point};
use protocol::{Act, Action, Direction, Target};

/// One call; `None` when the dialect has none for it.
pub(crate) fn write(action: &Action, screen: Size) -> Option<String> {
    let boxed = |x: Option<f64>, y: Option<f64>, target: Option<&Target>| {
        let point = point(x, y, target, screen)?;
        Some(format!("'({})'", point.trim_matches(['[', ']'])))
    };
    Some(match &action.act {
        Act::Tap { x, y, target } => format!("click(start_box={})", boxed(*x, *y, target.as_ref())?),
        Act::DoubleTap { x, y, target } => {
            format!("left_double(start_box={})", boxed(*x, *y, target.as_ref())?)
        }
        Act::LongPress { x, y, target, .. } => {
            format!("long_press(start_box={})", boxed(*x, *y, target.as_ref())?)
        }
        Act::Hover { x, y, target } => format!("hover(start_box={})", boxed(*x, *y, target.as_ref())?),
        Act::Swipe { x1, y1, x2, y2, .. } => {
            let from = boxed(Some(*x1), Some(*y1), None)?;
            format!(
                "drag(start_box={from}, end_box={})",
                boxed(Some(*x2), Some(*y2), None)?
            )
        }
        Act::Type { text, target: None } => format!("type(content={})", single_quoted(text)),
        Act::Scroll {
            direction,
            x,
            y,
            target,
            ..
        } => {
            let direction = match direction {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Left => "left",
                Direction::Right => "right",
            };
            match boxed(*x, *y, target.as_ref()) {
                Some(place) => format!("scroll(start_box={place}, direction='{direction}')"),
                None if x.is_none() && y.is_none() && target.is_none() => {
                    format!("scroll(direction='{direction}')")
                }
                None => return None,
            }
        }
        Act::Keyevent { keycode } => match keycode.strip_prefix("KEYCODE_").unwrap_or(keycode) {
            "BACK" => "press_back()".into(),
            "HOME" => "press_home()".into(),
            code => format!("hotkey(key={})", single_quoted(&keys::key_name(code)?)),
        },
        Act::KeyCombination { keys } => {
            let names: Vec<String> = keys
                .iter()
                .map(|code| keys::key_name(code))
                .collect::<Option<_>>()?;
            // "back space" would be one key.
            let spaced = names.join(" ");
            let keys = if names.len() > 1 && keys::key_code(&spaced).is_some() {
                names.join("+")
            } else {
                spaced
            };
            format!("hotkey(key={})", single_quoted(&keys))
        }
        Act::LaunchApp { package_name } => {
            let app = app_of(action, package_name)?;
            format!("open_app(app_name={})", single_quoted(app))
        }
        Act::Wait { .. } => "wait()".into(),
        Act::RequestHumanAuth { .. } => "call_user()".into(),
        Act::Finish { message } => format!("finished(content={})", single_quoted(message)),
        _ => return None,
    })
}

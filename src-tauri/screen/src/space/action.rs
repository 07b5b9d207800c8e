//! A whole action's coordinates, from a model's numbers to pixels of the screen.

use super::view::{Misplaced, View};
use protocol::{Act, Action, Space};

/// The action with its plain coordinates in pixels of the screen as it is now. Targets (track ids, elements, texts, boxes
/// in thousandths) are resolved later and stay as they are. A point of which one number is missing is left as it is: it
/// is no point.
///
/// # Errors
/// [`Misplaced`] for the first point that lies nowhere.
pub fn action_on_screen(action: &Action, space: Space, view: &View) -> Result<Action, Misplaced> {
    let mut action = action.clone();
    let place = |x: &mut Option<f64>, y: &mut Option<f64>| match (*x, *y) {
        (Some(first), Some(second)) => {
            let (px, py) = whole(space, view, first, second)?;
            (*x, *y) = (Some(px), Some(py));
            Ok(())
        }
        _ => Ok(()),
    };
    match &mut action.act {
        Act::Tap { x, y, .. }
        | Act::DoubleTap { x, y, .. }
        | Act::LongPress { x, y, .. }
        | Act::Scroll { x, y, .. }
        | Act::Hover { x, y, .. } => place(x, y)?,
        Act::Drag { x1, y1, x2, y2, .. } | Act::ReadText { x1, y1, x2, y2, .. } => {
            place(x1, y1)?;
            place(x2, y2)?;
        }
        Act::Swipe { x1, y1, x2, y2, .. } => {
            (*x1, *y1) = whole(space, view, *x1, *y1)?;
            (*x2, *y2) = whole(space, view, *x2, *y2)?;
        }
        Act::Type { .. }
        | Act::Keyevent { .. }
        | Act::LaunchApp { .. }
        | Act::Shell { .. }
        | Act::RunScript { .. }
        | Act::RequestHumanAuth { .. }
        | Act::Wait { .. }
        | Act::Finish { .. }
        | Act::KeyCombination { .. }
        | Act::OpenUrl { .. }
        | Act::SetValue { .. }
        | Act::Capture { .. }
        | Act::ListApps
        | Act::FocusApp { .. }
        | Act::ReadClipboard { .. }
        | Act::AskModel { .. } => {}
    }
    Ok(action)
}

/// As Actions carry them.
fn whole(space: Space, view: &View, first: f64, second: f64) -> Result<(f64, f64), Misplaced> {
    let (x, y) = view.to_screen(space, first, second)?;
    Ok((f64::from(x), f64::from(y)))
}

//! Where an action points, on the screen as it is now.

use super::app_name::means;
use super::doing::{Refusal, refusal};
use super::gesture::whole;
use crate::ports::App;
use protocol::{Act, Action, Bounds, RefusalCode, Screen, Target};
use screen::{Hit, TargetError};

/// An action meant for one app is not done in another.
pub(super) fn guard_app(action: &Action, now: &Screen, apps: &[App]) -> Result<(), Refusal> {
    let Some(app) = action.app.as_deref().filter(|app| !app.is_empty()) else {
        return Ok(());
    };
    let opens = matches!(action.act, Act::LaunchApp { .. } | Act::FocusApp { .. });
    if opens || means(app.trim(), &now.current_app, apps) {
        return Ok(());
    }
    Err(refusal(
        RefusalCode::OtherAppInFront,
        &format!("{app} is not in front; {} is", now.current_app),
    ))
}

/// Track id, element, text, box, point: the first that finds something on the screen as it is now. A number or track id
/// that has come to mean another thing, and a text that fits several, are refused, whatever else is given.
pub(super) fn find(
    target: Option<&Target>,
    x: Option<f64>,
    y: Option<f64>,
    shown: &Screen,
    now: &Screen,
) -> Result<Hit, Refusal> {
    // A claim alone finds nothing, and is no reason to pass over the point.
    let target = target.filter(|target| **target != Target::default());
    screen::resolve_aim(target, x.zip(y), shown, now)
        .map_err(|miss| refusal(miss_code(&miss), &miss.to_string()))
}

fn miss_code(miss: &TargetError) -> RefusalCode {
    match miss {
        TargetError::Nothing => RefusalCode::MissingTarget,
        TargetError::Unread => RefusalCode::ElementsUnread,
        TargetError::NoTrackId(_) | TargetError::NoElement { .. } | TargetError::NoText(_) => {
            RefusalCode::TargetNotFound
        }
        TargetError::Stale { .. } => RefusalCode::ScreenChanged,
        TargetError::Ambiguous { .. } => RefusalCode::AmbiguousTarget,
        TargetError::NotThousandths | TargetError::NotANumber => RefusalCode::BadCoordinates,
        TargetError::OffScreen { .. } => RefusalCode::OffScreen,
    }
}

/// The rectangle to read, inside the screen.
pub(super) fn rectangle(
    thousandths: Option<[f64; 4]>,
    pixels: Option<[f64; 4]>,
    now: &Screen,
) -> Result<Bounds, Refusal> {
    let whole = whole(now);
    #[expect(clippy::cast_possible_truncation, reason = "pixels; out of range saturates")]
    let asked = match (thousandths, pixels) {
        (Some(four), _) => screen::region(four, now.width, now.height)
            .map_err(|miss| refusal(miss_code(&miss), &miss.to_string()))?,
        (None, Some([l, t, r, b])) => Bounds {
            left: l.min(r) as i32,
            top: t.min(b) as i32,
            right: l.max(r) as i32,
            bottom: t.max(b) as i32,
        },
        (None, None) => return Err(refusal(RefusalCode::MissingTarget, "read_text needs a box")),
    };
    let region = Bounds {
        left: asked.left.max(whole.left),
        top: asked.top.max(whole.top),
        right: asked.right.min(whole.right),
        bottom: asked.bottom.min(whole.bottom),
    };
    if region.left >= region.right || region.top >= region.bottom {
        return Err(refusal(
            RefusalCode::OffScreen,
            "the box lies outside the screen, or is empty",
        ));
    }
    Ok(region)
}

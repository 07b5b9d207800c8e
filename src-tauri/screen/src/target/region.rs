//! A model's boxes on the screen.

use super::error::TargetError;
use protocol::{Bounds, Screen};

/// A box in thousandths as pixels: edges rounded half up.
///
/// # Errors
/// [`TargetError::NotThousandths`] when a number is not one from 0 to 1000.
pub fn region(thousandths: [f64; 4], width: u32, height: u32) -> Result<Bounds, TargetError> {
    if thousandths.iter().any(|n| !(0.0..=1000.0).contains(n)) {
        return Err(TargetError::NotThousandths);
    }
    let [x1, y1, x2, y2] = thousandths;
    let edge = |n: f64, size: u32| {
        round_half_up(n / 1000.0 * f64::from(size)).map(|n| i32::try_from(n).unwrap_or(i32::MAX))
    };
    Ok(Bounds {
        left: edge(x1.min(x2), width)?,
        top: edge(y1.min(y2), height)?,
        right: edge(x1.max(x2), width)?,
        bottom: edge(y1.max(y2), height)?,
    })
}

/// The centre of a box, rounded half up and kept on the screen.
pub(super) fn middle(thousandths: [f64; 4], screen: &Screen) -> Result<(i32, i32), TargetError> {
    region(thousandths, screen.width, screen.height)?;
    let [x1, y1, x2, y2] = thousandths;
    let pixel = |a: f64, b: f64, size: u32| {
        let last = i64::from(size.max(1)) - 1;
        let n = round_half_up((a + b) / 2000.0 * f64::from(size))?.clamp(0, last);
        i32::try_from(n).map_err(|_| TargetError::NotANumber)
    };
    Ok((pixel(x1, x2, screen.width)?, pixel(y1, y2, screen.height)?))
}

/// 0.5 becomes 1, -0.5 becomes 0.
pub(super) fn round_half_up(n: f64) -> Result<i64, TargetError> {
    if !n.is_finite() {
        return Err(TargetError::NotANumber);
    }
    // `as` saturates, and no screen reaches that far.
    #[expect(clippy::cast_possible_truncation, reason = "whole after floor; saturates")]
    Ok((n + 0.5).floor() as i64)
}

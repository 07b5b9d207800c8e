//! Scrolling as finger strokes.

use crate::rect;
use protocol::{Bounds, Direction};

/// Strokes at most in one scroll: 28 screens' worth.
const MOST_STROKES: u32 = 40;

/// One stroke of a finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Where it goes down, in pixels.
    pub from: (i32, i32),
    /// Where it lifts.
    pub to: (i32, i32),
}

/// The strokes that show more in a direction: `Down` shows what is below, so the finger moves up.
///
/// `amount` counts eighths of the region's height (or width). One stroke covers at most 70 % of the region, keeps
/// inside it and away from the screen's edges, where a stroke would open the notifications, go back or go home; longer
/// ways are cut into equal strokes, at most 40. No stroke is so short that the phone would take it for a tap.
/// Empty when there is nothing to do: an amount that is not above zero, or a region too small to scroll in.
#[must_use]
pub fn scroll(direction: Direction, amount: f64, region: Bounds, width: u32, height: u32) -> Vec<Stroke> {
    if amount.is_nan() || amount <= 0.0 {
        return Vec::new();
    }
    let screen = rect::screen(width, height);
    let region = rect::intersect(region, screen);
    let usable = rect::intersect(region, away_from_edges(screen));
    // A phone takes 8 dp of movement for a tap: twice that, on a screen that is about 400 dp wide.
    let shortest = f64::from(width.min(height)) * 0.04;
    let vertical = matches!(direction, Direction::Up | Direction::Down);
    let span = |b: Bounds| {
        let (low, high) = if vertical {
            (b.top, b.bottom)
        } else {
            (b.left, b.right)
        };
        f64::from(high) - f64::from(low)
    };
    if rect::is_empty(usable) || span(usable) - 1.0 < shortest {
        return Vec::new();
    }
    let way = span(region) / 8.0 * amount;
    let most = (span(region) * 0.7).min(span(usable) - 1.0).max(shortest);
    let strokes = (way / most).ceil().clamp(1.0, f64::from(MOST_STROKES));
    let length = (way / strokes).clamp(shortest, most);
    let (x, y) = rect::centre(usable);
    let (low, high) = if vertical {
        (usable.top, usable.bottom)
    } else {
        (usable.left, usable.right)
    };
    let start = f64::from(low) + (f64::from(high) - 1.0 - f64::from(low) - length) / 2.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "between two edges that are whole pixels"
    )]
    let (near, far) = (start.round() as i32, (start + length).round() as i32);
    let (near, far) = (near.clamp(low, high - 1), far.clamp(low, high - 1));
    let (from, to) = match direction {
        Direction::Down => ((x, far), (x, near)),
        Direction::Up => ((x, near), (x, far)),
        Direction::Right => ((far, y), (near, y)),
        Direction::Left => ((near, y), (far, y)),
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 1 to 40"
    )]
    let strokes = strokes as usize;
    vec![Stroke { from, to }; strokes]
}

/// The screen without the strips where the system listens: about 30 dp at the sides (back), 40 dp at the top
/// (notifications) and bottom (home), on a screen whose shorter side is about 400 dp.
fn away_from_edges(screen: Bounds) -> Bounds {
    let shorter = screen.right.min(screen.bottom);
    let (side, end) = (shorter / 13, shorter / 10);
    Bounds {
        left: screen.left + side,
        top: screen.top + end,
        right: screen.right - side,
        bottom: screen.bottom - end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PHONE: (u32, u32) = (1080, 2400);

    fn check(direction: Direction, amount: f64, region: [i32; 4]) -> Vec<Stroke> {
        let [left, top, right, bottom] = region;
        let region = Bounds {
            left,
            top,
            right,
            bottom,
        };
        scroll(direction, amount, region, PHONE.0, PHONE.1)
    }

    #[test]
    fn the_finger_moves_against_the_direction() {
        let list = [0, 400, 1080, 2000];
        let stroke = |from, to| vec![Stroke { from, to }];
        assert_eq!(check(Direction::Down, 3.0, list), stroke((540, 1500), (540, 900)));
        assert_eq!(check(Direction::Up, 3.0, list), stroke((540, 900), (540, 1500)));
        assert_eq!(
            check(Direction::Right, 2.0, list),
            stroke((675, 1200), (405, 1200))
        );
        assert_eq!(
            check(Direction::Left, 2.0, list),
            stroke((405, 1200), (675, 1200))
        );
    }

    #[test]
    fn long_ways_are_cut_into_equal_strokes_and_bounded() {
        let list = [0, 400, 1080, 2000];
        // 8 units are the whole region: twice 50 %.
        let twice = check(Direction::Down, 8.0, list);
        assert_eq!(twice.len(), 2);
        assert_eq!(twice[0], twice[1]);
        assert_eq!(twice[0].from.1 - twice[0].to.1, 800);
        assert_eq!(check(Direction::Down, 75.0, list).len(), 14);
        assert_eq!(check(Direction::Down, 1e300, list).len(), 40);
    }

    #[test]
    fn nothing_to_do_gives_no_stroke() {
        let list = [0, 400, 1080, 2000];
        for amount in [0.0, -3.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(check(Direction::Down, amount, list).is_empty(), "{amount}");
        }
        for region in [
            [0, 0, 0, 0],
            [100, 500, 110, 510],
            [0, 2390, 1080, 2400],
            [2000, 0, 3000, 2400],
        ] {
            assert!(check(Direction::Down, 3.0, region).is_empty(), "{region:?}");
        }
    }

    proptest! {
        #[test]
        fn strokes_stay_inside_and_are_no_taps(
            left in -100..1080_i32, top in -100..2400_i32, wide in 0..1300_i32, high in 0..2600_i32,
            amount in 0.01..100.0_f64,
            direction in prop::sample::select(vec![Direction::Up, Direction::Down, Direction::Left, Direction::Right]),
        ) {
            let region = Bounds { left, top, right: left + wide, bottom: top + high };
            for stroke in scroll(direction, amount, region, PHONE.0, PHONE.1) {
                for (x, y) in [stroke.from, stroke.to] {
                    prop_assert!(rect::holds(region, x, y));
                    prop_assert!((83..1080 - 83).contains(&x) && (108..2400 - 108).contains(&y));
                }
                let (dx, dy) = ((stroke.from.0 - stroke.to.0).abs(), (stroke.from.1 - stroke.to.1).abs());
                prop_assert!(dx.max(dy) >= 42 && dx.min(dy) == 0);
                let span = f64::from(if dx == 0 { high } else { wide });
                prop_assert!(f64::from(dx.max(dy)) <= 0.7 * span.max(70.0) + 1.0);
            }
        }
    }
}

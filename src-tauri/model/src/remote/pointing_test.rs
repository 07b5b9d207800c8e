//! A screen with nothing on it but a cross: whoever taps it elsewhere counts otherwise than is thought, or cannot see.

use agent::history::History;
use agent::pointing::{Pointing, on_screen};
use agent::ports::ModelCapabilities;
use agent::prompt::{Prompt, PromptParts, build};
use protocol::{Act, Action, Bounds, CaptureResult, Frame, PhoneId, PointingTest, Screen, Target, Totals};
use screen::picture::{Colour, Scale, fill};
use screen::{Space, View};

const SCREEN: (u32, u32) = (1080, 2400);
/// Its middle, in pixels of the screen: wherever else its numbers could be counted, they lie far from it.
const CROSS: (i32, i32) = (810, 520);
/// From the middle to the end of an arm, and half an arm's thickness.
const ARM: (i32, i32) = (90, 14);
/// So many pixels beside its middle are still a hit: where fingers hit what is as large as this cross.
const NEAR: f64 = 100.0;

const RED: Colour = [200, 20, 30];

const GOAL: &str = "Tap the middle of the red cross. Point by coordinates: there is no element to name.";

/// The step a model is asked for, in the way it is asked for every other.
pub(super) fn prompt(capabilities: ModelCapabilities, pointing: Pointing) -> Prompt {
    let frame = frame();
    let screen = Screen {
        phone: PhoneId("test".to_owned()),
        current_app: "unknown".to_owned(),
        window: None,
        width: SCREEN.0,
        height: SCREEN.1,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: Vec::new(),
        tree_read: true,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    };
    build(&PromptParts {
        goal: GOAL,
        said: &[],
        step: (1, 1),
        history: &History::default(),
        screen: &screen,
        picture: Some(&frame),
        is_same: false,
        apps: None,
        show: None,
        scripts_here: None,
        notes: &[],
        saved: &[],
        capabilities: ModelCapabilities {
            elements: false,
            marks: false,
            ..capabilities
        },
        pointing,
    })
}

/// A grey screen with the cross on it.
fn frame() -> Frame {
    let (width, height) = SCREEN;
    let pixels = usize::try_from(width * height).unwrap_or_default();
    let mut frame = Frame {
        width,
        height,
        rgba: [235, 236, 238, 255].repeat(pixels).into(),
    };
    let (x, y) = CROSS;
    let (long, thin) = ARM;
    for (across, down) in [(long, thin), (thin, long)] {
        let arm = Bounds {
            left: x - across,
            top: y - down,
            right: x + across,
            bottom: y + down,
        };
        fill(&mut frame, arm, RED);
    }
    frame
}

/// Where the reply points. `picture` is the size its points count by.
pub(super) fn aim(reply: &str, pointing: Pointing, picture: (u32, u32)) -> PointingTest {
    let Ok(written) = pointing.read(reply, None) else {
        return PointingTest::NoPoint;
    };
    let action = written.parsed.step.action;
    let Some(numbers) = point(&action) else {
        return PointingTest::NoPoint;
    };
    let view = View::of(picture, SCREEN.0, SCREEN.1);
    // Exactly as a task's would be read.
    let taken = on_screen(&action, written.space, &view)
        .ok()
        .as_ref()
        .and_then(point)
        .map(|at| match at {
            Written::Point(x, y) => (x, y),
            Written::Box(x, y) => scale(picture).point(Space::Thousandths, x, y),
        });
    if taken.is_some_and(is_near) {
        return PointingTest::Hit;
    }
    let (Written::Point(first, second) | Written::Box(first, second)) = numbers;
    // Whoever names x and y is taken at its word; only a list can have y first.
    let is_listed = written.parsed.listed;
    let other = SPACES.into_iter().find(|space| {
        *space != written.space
            && (is_listed || *space != Space::ThousandthsYx)
            && is_near(scale(picture).point(*space, first, second))
    });
    other.map_or(PointingTest::Missed, |space| PointingTest::Otherwise { space })
}

/// In the order they are tried.
const SPACES: [Space; 5] = [
    Space::Picture,
    Space::Screen,
    Space::Thousandths,
    Space::ThousandthsYx,
    Space::Unit,
];

enum Written {
    Point(f64, f64),
    /// The middle of a box.
    Box(f64, f64),
}

/// The two numbers of a tap.
fn point(action: &Action) -> Option<Written> {
    let (x, y, target) = match &action.act {
        Act::Tap { x, y, target } | Act::DoubleTap { x, y, target } => (x, y, target),
        Act::LongPress { x, y, target, .. } => (x, y, target),
        _ => return None,
    };
    let region = |target: &Target| {
        let [x1, y1, x2, y2] = target.region?;
        Some(Written::Box(f64::midpoint(x1, x2), f64::midpoint(y1, y2)))
    };
    let numbers = x.zip(*y).map(|(x, y)| Written::Point(x, y));
    numbers.or_else(|| target.as_ref().and_then(region))
}

fn scale(picture: (u32, u32)) -> Scale {
    Scale {
        screen: SCREEN,
        picture,
    }
}

fn is_near((x, y): (f64, f64)) -> bool {
    (x - f64::from(CROSS.0)).hypot(y - f64::from(CROSS.1)) <= NEAR
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pointing: Pointing, reply: &str, expected: PointingTest) {
        let size = prompt(TASTE, pointing).size;
        assert_eq!(aim(reply, pointing, size), expected, "{pointing:?}: {reply}");
    }

    const TASTE: ModelCapabilities = ModelCapabilities {
        picture: true,
        elements: true,
        marks: false,
        longest_side: 1280,
        longest_beside: 768,
    };

    /// What a model of each kind writes for the cross.
    fn written(space: Space) -> String {
        let view = View::of(prompt(TASTE, Pointing::UNKNOWN).size, SCREEN.0, SCREEN.1);
        let (x, y) = view.to_model(space, CROSS.0, CROSS.1);
        // As models write them: thousandths are whole.
        let (x, y) = match space {
            Space::Thousandths | Space::ThousandthsYx => (x.round(), y.round()),
            _ => (x, y),
        };
        format!(r#"{{"type": "tap", "coordinate": [{x}, {y}]}}"#)
    }

    #[test]
    fn each_space_is_told_from_every_other() {
        for taken_for in SPACES {
            for counts in SPACES {
                // Who may write parts of one may write thousandths, too.
                let also = (taken_for, counts) == (Space::Unit, Space::Thousandths);
                let expected = if taken_for == counts || also {
                    PointingTest::Hit
                } else {
                    PointingTest::Otherwise { space: counts }
                };
                check(Pointing::UNKNOWN.counting(taken_for), &written(counts), expected);
            }
        }
    }

    #[test]
    fn what_was_found_out_is_a_hit_the_next_time() {
        for counts in SPACES {
            let pointing = Pointing::UNKNOWN.counting(counts);
            check(pointing, &written(counts), PointingTest::Hit);
        }
    }

    #[test]
    fn whoever_points_at_nothing_is_told() {
        for reply in [
            "ready",
            "",
            r#"{"type": "finish", "message": "Done."}"#,
            r#"{"type": "tap", "target": {"element": 1}}"#,
        ] {
            check(Pointing::UNKNOWN, reply, PointingTest::NoPoint);
        }
        for reply in [
            r#"{"type": "tap", "x": 288, "y": 1100}"#,
            r#"{"type": "tap", "x": 90000, "y": 3}"#,
        ] {
            check(Pointing::UNKNOWN, reply, PointingTest::Missed);
        }
        let boxed = r#"{"type": "tap", "target": {"box": [700, 190, 800, 240]}}"#;
        check(Pointing::UNKNOWN, boxed, PointingTest::Hit);
    }

    /// It is asked as for every step: the picture in the size it takes, and no list.
    #[test]
    fn the_cross_is_shown_as_every_screen_is() {
        let prompt = prompt(TASTE, Pointing::UNKNOWN);
        let picture = prompt.picture.unwrap();
        assert_eq!((picture.width, picture.height), (576, 1280));
        let at = |x: usize, y: usize| {
            let start = (y * 576 + x) * 4;
            [picture.rgba[start], picture.rgba[start + 1]]
        };
        // The middle of the cross is red, the screen's is not.
        assert!(at(432, 277)[0] > 150 && at(432, 277)[1] < 60);
        assert!(at(288, 640)[1] > 200);
        assert!(prompt.now.contains("scaled to 576×1280") && !prompt.now.contains("elements"));
    }
}

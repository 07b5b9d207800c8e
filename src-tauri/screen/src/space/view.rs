//! A model's numbers as points of the screen, and back.

use crate::picture::Scale;
use protocol::Space;

/// What these numbers of one place count, where they are written by a model of this space. Only parts of one can be
/// anything else: whole numbers of which one is above 1 are no parts, and are thousandths.
fn counted(space: Space, numbers: &[f64]) -> Space {
    let are_whole = numbers.iter().all(|n| n.fract() == 0.0);
    match space {
        Space::Unit if are_whole && numbers.iter().any(|n| *n > 1.0) => Space::Thousandths,
        other => other,
    }
}

impl Scale {
    /// A model's two numbers, in the order it wrote them, as a point of the screen in pixels: not rounded, not checked.
    /// [`View::to_screen`] does both.
    #[must_use]
    pub fn point(self, space: Space, first: f64, second: f64) -> (f64, f64) {
        let (width, height) = (f64::from(self.screen.0), f64::from(self.screen.1));
        match space {
            Space::Screen => (first, second),
            Space::Picture => self.to_screen(first, second),
            Space::Thousandths => (first / 1000.0 * width, second / 1000.0 * height),
            Space::ThousandthsYx => (second / 1000.0 * width, first / 1000.0 * height),
            Space::Unit => (first * width, second * height),
        }
    }

    /// A point of the screen in pixels as the two numbers a model would write, in its order; not rounded.
    fn numbers(self, space: Space, x: f64, y: f64) -> (f64, f64) {
        let part = |n: f64, size: u32, whole: f64| n * whole / f64::from(size.max(1));
        let (width, height) = self.screen;
        match space {
            Space::Screen => (x, y),
            Space::Picture => self.to_picture(x, y),
            Space::Thousandths => (part(x, width, 1000.0), part(y, height, 1000.0)),
            Space::ThousandthsYx => (part(y, height, 1000.0), part(x, width, 1000.0)),
            Space::Unit => (part(x, width, 1.0), part(y, height, 1.0)),
        }
    }
}

/// A screen's size and how the phone is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// Pixels, as the screen lies now (rotation included).
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Quarter turns, 0–3, as Android counts them ([`Tree::rotation`](crate::Tree)): at 1 the phone was turned to the
    /// left, and its right edge is the screen's top.
    pub rotation: u8,
}

/// What a model was shown, and the screen its answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The picture's width and height, as it was really sent.
    pub picture: (u32, u32),
    /// The screen the picture was taken of.
    pub taken: Display,
    /// The screen as it is now.
    pub now: Display,
}

/// Why a model's numbers point nowhere.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Misplaced {
    /// Not a number, or infinite.
    #[error("a coordinate is not a number")]
    NotANumber,
    /// Beyond what was shown.
    #[error("{first}, {second} does not lie on the picture")]
    Outside {
        /// As the model wrote them.
        first: f64,
        /// The second.
        second: f64,
    },
    /// The screen is wide where it was tall, and nothing says which way it was turned; or there is no screen.
    #[error("the screen was turned since the picture was taken; look again")]
    Turned,
}

impl View {
    /// A picture of a screen that has not changed since.
    #[must_use]
    pub fn of(picture: (u32, u32), width: u32, height: u32) -> Self {
        let display = Display {
            width,
            height,
            rotation: 0,
        };
        Self {
            picture,
            taken: display,
            now: display,
        }
    }

    /// Whether the screen was turned or has another size since the picture was taken. [`Self::to_screen`] then gives
    /// the same place of the glass, but apps lay themselves out anew: what stands there is not what the model saw. Look
    /// again rather than touch.
    #[must_use]
    pub fn has_turned(&self) -> bool {
        self.taken != self.now
    }

    fn scale(&self) -> Scale {
        Scale {
            screen: (self.taken.width, self.taken.height),
            picture: self.picture,
        }
    }

    /// The pixel of the screen, as it is now, that a model's two numbers mean, in the order it wrote them: rounded half
    /// up, and always on the screen. The far edge itself (1000 thousandths, 1.0, the picture's width), which models that
    /// count to the end write, is the last pixel.
    ///
    /// # Errors
    /// [`Misplaced`]; nothing is moved onto the screen that does not lie on it.
    pub fn to_screen(&self, space: Space, first: f64, second: f64) -> Result<(i32, i32), Misplaced> {
        if !(first.is_finite() && second.is_finite()) {
            return Err(Misplaced::NotANumber);
        }
        let outside = Misplaced::Outside { first, second };
        let (x, y) = self
            .scale()
            .point(counted(space, &[first, second]), first, second);
        let x = pixel(x, self.taken.width).ok_or(outside)?;
        let y = pixel(y, self.taken.height).ok_or(outside)?;
        self.turned(x, y)
    }

    /// A pixel of the screen as it was, on the screen as it is.
    fn turned(&self, x: i32, y: i32) -> Result<(i32, i32), Misplaced> {
        let quarters = (self.now.rotation + 4 - self.taken.rotation % 4) % 4;
        let is_wide = |width: u32, height: u32| width > height;
        let (was, is) = (self.taken, self.now);
        let swaps = quarters % 2 == 1;
        if was.width != was.height
            && is.width != is.height
            && is_wide(was.width, was.height) != (is_wide(is.width, is.height) != swaps)
        {
            return Err(Misplaced::Turned);
        }
        let last = |size: u32| i32::try_from(size.max(1)).unwrap_or(i32::MAX) - 1;
        let (right, bottom) = (last(was.width) - x, last(was.height) - y);
        let (x, y) = match quarters {
            1 => (y, right),
            2 => (right, bottom),
            3 => (bottom, x),
            _ => (x, y),
        };
        let (width, height) = if swaps {
            (was.height, was.width)
        } else {
            (was.width, was.height)
        };
        let fit = |n: i32, from: u32, to: u32| {
            if from == to {
                return Some(n);
            }
            let scaled = f64::from(n) * f64::from(to) / f64::from(from.max(1));
            pixel(scaled, to)
        };
        let spot = fit(x, width, is.width).zip(fit(y, height, is.height));
        spot.filter(|_| is.width > 0 && is.height > 0)
            .ok_or(Misplaced::Turned)
    }

    /// The numbers a model would write for a pixel of the screen it was shown, in its order; not rounded. For its own
    /// history, and for the point of a person's hand.
    #[must_use]
    pub fn to_model(&self, space: Space, x: i32, y: i32) -> (f64, f64) {
        self.scale().numbers(space, f64::from(x), f64::from(y))
    }
}

/// Rounded half up; the far edge is the last pixel. Absent: beside the screen.
fn pixel(n: f64, size: u32) -> Option<i32> {
    let whole = (n + 0.5).floor();
    let size = f64::from(size);
    let whole = if whole.to_bits() == size.to_bits() {
        size - 1.0
    } else {
        whole
    };
    if !(0.0..size).contains(&whole) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole, and inside a screen")]
    Some(whole as i32)
}

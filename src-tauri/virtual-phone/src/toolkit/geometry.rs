//! Pixels and density-independent lengths.

/// A rectangle in pixels of the display; right and bottom are just outside, as in Android's `Rect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rect {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

impl Rect {
    pub(crate) const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }

    pub(crate) const fn sized(left: i32, top: i32, width: i32, height: i32) -> Self {
        Self {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }

    pub(crate) const fn width(&self) -> i32 {
        self.right - self.left
    }

    pub(crate) const fn height(&self) -> i32 {
        self.bottom - self.top
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    pub(crate) const fn center(&self) -> (i32, i32) {
        ((self.left + self.right) / 2, (self.top + self.bottom) / 2)
    }

    pub(crate) fn contains(&self, x: f32, y: f32) -> bool {
        x >= self.left as f32 && x < self.right as f32 && y >= self.top as f32 && y < self.bottom as f32
    }

    /// What both share; empty (all zero) when they share nothing, as `AccessibilityNodeInfoHelper` gives it.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        if both.is_empty() { Self::default() } else { both }
    }

    /// The smallest that holds both; an empty one adds nothing.
    pub(crate) fn union(&self, other: &Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => *other,
            (_, true) => *self,
            _ => Self {
                left: self.left.min(other.left),
                top: self.top.min(other.top),
                right: self.right.max(other.right),
                bottom: self.bottom.max(other.bottom),
            },
        }
    }

    pub(crate) const fn inset(&self, left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self {
            left: self.left + left,
            top: self.top + top,
            right: self.right - right,
            bottom: self.bottom - bottom,
        }
    }

    pub(crate) const fn translated(&self, x: i32, y: i32) -> Self {
        Self {
            left: self.left + x,
            top: self.top + y,
            right: self.right + x,
            bottom: self.bottom + y,
        }
    }
}

/// How lengths of the toolkit become pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Metrics {
    /// Pixels per dp.
    pub(crate) density: f32,
    /// `settings get system font_scale`: how much larger text is than drawn.
    pub(crate) font_scale: f32,
}

impl Metrics {
    /// Whole pixels of a length in dp.
    pub(crate) fn px(&self, dp: f32) -> i32 {
        (dp * self.density).round() as i32
    }

    /// Pixels of a text size in sp.
    pub(crate) fn text_px(&self, sp: f32) -> f32 {
        sp * self.density * self.font_scale
    }
}

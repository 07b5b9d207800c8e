//! Where a view wants to stand and what its box looks like. Lengths in dp.

use crate::toolkit::color::Color;
use crate::toolkit::paint::Fill;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Axis {
    #[default]
    Down,
    Across,
    /// Children over one another, each at its [`Inset`].
    Over,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Length {
    /// As the content needs.
    #[default]
    Fit,
    Dp(f32),
    /// A part (0…1) of the parent's.
    Part(f32),
}

/// Children across the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CrossAxisAlignment {
    Start,
    Center,
    End,
    #[default]
    Stretch,
}

/// Children along the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MainAxisAlignment {
    #[default]
    Start,
    Center,
    End,
    Between,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Edges {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// Out of the row: distances from the parent's edges. Both of a pair given: stretched between.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Inset {
    pub(crate) left: Option<f32>,
    pub(crate) top: Option<f32>,
    pub(crate) right: Option<f32>,
    pub(crate) bottom: Option<f32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayoutStyle {
    pub(crate) axis: Axis,
    pub(crate) width: Length,
    pub(crate) height: Length,
    pub(crate) min_width: f32,
    pub(crate) min_height: f32,
    pub(crate) max_width: Option<f32>,
    pub(crate) max_height: Option<f32>,
    /// Its share of what is left over.
    pub(crate) grow: f32,
    /// May become smaller than its content (a text that breaks its lines).
    pub(crate) shrink: bool,
    pub(crate) pad: Edges,
    pub(crate) margin: Edges,
    pub(crate) gap: f32,
    pub(crate) cross: CrossAxisAlignment,
    pub(crate) main: MainAxisAlignment,
    pub(crate) place: Option<Inset>,
    /// Drawn and touched this far from where it stands.
    pub(crate) shift: (f32, f32),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct BoxStyle {
    pub(crate) fill: Option<Fill>,
    /// Top left, top right, bottom right, bottom left.
    pub(crate) radii: [f32; 4],
    pub(crate) edge: Option<(f32, Color)>,
    /// Height over what lies beneath, in dp: 0 casts no shadow.
    pub(crate) lift: f32,
    /// What a press lays over it; `None` takes the screen's.
    pub(crate) press: Option<Color>,
    /// The content melts into this colour at the bottom, where more is to come.
    pub(crate) melt: Option<Color>,
}

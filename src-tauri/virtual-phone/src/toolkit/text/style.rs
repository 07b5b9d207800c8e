//! How a text looks.

use crate::toolkit::color::Color;

/// The weights the phone's font has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Weight {
    #[default]
    Regular,
    Medium,
    Bold,
}

/// Where lines stand in a box wider than they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Align {
    #[default]
    Start,
    Center,
    End,
}

/// How a text looks. Sizes in sp.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextStyle {
    pub(crate) size: f32,
    /// Height of a line; 0 takes the font's own.
    pub(crate) line: f32,
    pub(crate) weight: Weight,
    pub(crate) color: Color,
    pub(crate) align: Align,
    /// Lines before the rest becomes "…"; 0 is no limit.
    pub(crate) max_lines: u16,
    /// A dark halo of this strength (0…1) under light text on a picture.
    pub(crate) halo: f32,
}

impl TextStyle {
    pub(crate) const fn new(size: f32, color: Color) -> Self {
        Self {
            size,
            line: 0.0,
            weight: Weight::Regular,
            color,
            align: Align::Start,
            max_lines: 0,
            halo: 0.0,
        }
    }
}

/// A stretch of a text that differs from the rest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) weight: Option<Weight>,
    pub(crate) color: Option<Color>,
}

impl Span {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            weight: None,
            color: None,
        }
    }
}

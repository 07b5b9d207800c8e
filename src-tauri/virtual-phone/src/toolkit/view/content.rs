//! What is in a view's box.

use super::message::{Reply, ScreenMessage};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::paint::Canvas;
use crate::toolkit::text::{Span, TextStyle};
use std::fmt::Debug;
use std::sync::Arc;

/// What is in a view's box.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Empty,
    Text {
        spans: Vec<Span>,
        style: TextStyle,
    },
    Icon {
        icon: char,
        size: f32,
        color: Color,
    },
    Field(Box<Field>),
    Switch {
        on: bool,
    },
    Checkbox {
        on: bool,
    },
    Radio {
        on: bool,
    },
    /// A value of 0…1 that a finger sets.
    Slider {
        value: f32,
        set: Reply<f32>,
    },
    /// Known progress 0…1.
    Progress {
        value: f32,
    },
    /// Progress unknown: a ring that turns; `turn` 0…1 of a round.
    Spinner {
        turn: f32,
    },
    /// Drawn each time.
    Painting(Painter),
    /// Drawn once for each size, then kept.
    Picture(Picture),
}

/// What the soft keyboard's action key does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ImeAction {
    /// A new line.
    #[default]
    Enter,
    Go,
    Search,
    Send,
    Next,
    Done,
}

/// Which keys the soft keyboard shows first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum InputKind {
    #[default]
    Text,
    Number,
    Address,
}

/// A text field. The screen holds the text; the toolkit only tells it what was written.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) text: String,
    pub(crate) hint: String,
    pub(crate) style: TextStyle,
    pub(crate) hint_color: Color,
    pub(crate) caret: Color,
    pub(crate) password: bool,
    pub(crate) multiline: bool,
    /// Characters it takes; 0 is no limit.
    pub(crate) limit: usize,
    pub(crate) kind: InputKind,
    pub(crate) action: ImeAction,
    /// Neither text nor hint is drawn: another view shows what was written.
    pub(crate) unseen: bool,
    pub(crate) edit: Reply<String>,
    /// The action key.
    pub(crate) submit: Option<ScreenMessage>,
}

impl Field {
    /// What it shows of its text: dots for a password.
    pub(crate) fn shown(&self) -> String {
        if self.password {
            "•".repeat(self.text.chars().count())
        } else {
            self.text.clone()
        }
    }
}

type Paint = dyn Fn(&mut Canvas, Rect, &Metrics) + Send + Sync;

/// A drawing made by a function.
#[derive(Clone)]
pub(crate) struct Painter(pub(crate) Arc<Paint>);

impl Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Painter")
    }
}

/// A picture that is always the same at one size: opaque, drawn by `draw` into a canvas of that size.
#[derive(Clone, Copy)]
pub(crate) struct Picture {
    /// Tells it from other pictures; `draw` gets it back.
    pub(crate) name: u32,
    pub(crate) draw: fn(u32, &mut Canvas),
}

impl Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({})", self.name)
    }
}

//! How a view is described: each function changes one thing and gives the view back.

use super::{
    Axis, Content, CrossAxisAlignment, DragEvent, Edges, ImeAction, InputKind, Inset, Length,
    MainAxisAlignment, Reply, ScreenMessage, View, class,
};
use crate::toolkit::color::Color;
use crate::toolkit::paint::Fill;
use crate::toolkit::text::{Align, TextStyle, Weight};
use std::any::Any;
use std::fmt::Debug;

// Identity and accessibility.
impl View {
    pub(crate) fn id(mut self, id: &'static str) -> Self {
        self.id = id;
        self
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    pub(crate) fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    pub(crate) fn desc(mut self, desc: impl Into<String>) -> Self {
        self.desc = desc.into();
        self
    }

    pub(crate) fn says(mut self, words: impl Into<String>) -> Self {
        self.says = Some(words.into());
        self
    }

    pub(crate) fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    pub(crate) fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    pub(crate) fn checked(mut self, checked: bool) -> Self {
        self.checked = Some(checked);
        self
    }

    pub(crate) fn default_focus(mut self) -> Self {
        self.default_focus = true;
        self
    }
}

// Touch.
impl View {
    pub(crate) fn click(mut self, message: impl Any + Debug + Send + Sync) -> Self {
        self.click = Some(ScreenMessage::new(message));
        self
    }

    pub(crate) fn long(mut self, message: impl Any + Debug + Send + Sync) -> Self {
        self.long = Some(ScreenMessage::new(message));
        self
    }

    pub(crate) fn double(mut self, message: impl Any + Debug + Send + Sync) -> Self {
        self.double = Some(ScreenMessage::new(message));
        self
    }

    pub(crate) fn pull<M: Any + Debug + Send + Sync>(
        mut self,
        reply: impl Fn(DragEvent) -> M + Send + Sync + 'static,
    ) -> Self {
        self.pull = Some(Reply::new(reply));
        self
    }

    pub(crate) fn scroll_across(mut self) -> Self {
        self.scroll = Some(Axis::Across);
        self.class = class::HORIZONTAL;
        self
    }

    pub(crate) fn opens_at_end(mut self) -> Self {
        self.from_end = true;
        self
    }
}

// Layout.
impl View {
    pub(crate) fn width(mut self, dp: f32) -> Self {
        self.shape.width = Length::Dp(dp);
        self
    }

    pub(crate) fn height(mut self, dp: f32) -> Self {
        self.shape.height = Length::Dp(dp);
        self
    }

    pub(crate) fn size(self, width: f32, height: f32) -> Self {
        self.width(width).height(height)
    }

    pub(crate) fn min_height(mut self, dp: f32) -> Self {
        self.shape.min_height = dp;
        self
    }

    pub(crate) fn min_width(mut self, dp: f32) -> Self {
        self.shape.min_width = dp;
        self
    }

    pub(crate) fn max_width(mut self, dp: f32) -> Self {
        self.shape.max_width = Some(dp);
        self
    }

    pub(crate) fn max_height(mut self, dp: f32) -> Self {
        self.shape.max_height = Some(dp);
        self
    }

    /// All of the parent's width.
    pub(crate) fn wide(mut self) -> Self {
        self.shape.width = Length::Part(1.0);
        self
    }

    /// All of the parent's height.
    pub(crate) fn tall(mut self) -> Self {
        self.shape.height = Length::Part(1.0);
        self
    }

    /// Takes what is left over along its parent's axis, and may be smaller than its content.
    pub(crate) fn grow(mut self) -> Self {
        self.shape.grow = 1.0;
        self.shape.shrink = true;
        self
    }

    pub(crate) fn rigid(mut self) -> Self {
        self.shape.shrink = false;
        self
    }

    pub(crate) fn pad(mut self, dp: f32) -> Self {
        self.shape.pad = Edges {
            left: dp,
            top: dp,
            right: dp,
            bottom: dp,
        };
        self
    }

    pub(crate) fn pad_xy(mut self, x: f32, y: f32) -> Self {
        self.shape.pad = Edges {
            left: x,
            top: y,
            right: x,
            bottom: y,
        };
        self
    }

    pub(crate) fn pad_each(mut self, left: f32, top: f32, right: f32, bottom: f32) -> Self {
        self.shape.pad = Edges {
            left,
            top,
            right,
            bottom,
        };
        self
    }

    pub(crate) fn margin(mut self, left: f32, top: f32, right: f32, bottom: f32) -> Self {
        self.shape.margin = Edges {
            left,
            top,
            right,
            bottom,
        };
        self
    }

    pub(crate) fn gap(mut self, dp: f32) -> Self {
        self.shape.gap = dp;
        self
    }

    pub(crate) fn cross(mut self, cross: CrossAxisAlignment) -> Self {
        self.shape.cross = cross;
        self
    }

    pub(crate) fn main(mut self, main: MainAxisAlignment) -> Self {
        self.shape.main = main;
        self
    }

    /// Children in the middle both ways.
    pub(crate) fn centered(self) -> Self {
        self.cross(CrossAxisAlignment::Center)
            .main(MainAxisAlignment::Center)
    }

    pub(crate) fn at(mut self, place: Inset) -> Self {
        self.shape.place = Some(place);
        self
    }

    /// Over all of the parent.
    pub(crate) fn cover(self) -> Self {
        self.at(Inset {
            left: Some(0.0),
            top: Some(0.0),
            right: Some(0.0),
            bottom: Some(0.0),
        })
    }

    pub(crate) fn shift(mut self, x: f32, y: f32) -> Self {
        self.shape.shift = (x, y);
        self
    }
}

// Looks.
impl View {
    pub(crate) fn fill(mut self, fill: impl Into<Fill>) -> Self {
        self.skin.fill = Some(fill.into());
        self
    }

    pub(crate) fn radius(mut self, dp: f32) -> Self {
        self.skin.radii = [dp; 4];
        self
    }

    pub(crate) fn radii(mut self, radii: [f32; 4]) -> Self {
        self.skin.radii = radii;
        self
    }

    pub(crate) fn edge(mut self, width: f32, color: Color) -> Self {
        self.skin.edge = Some((width, color));
        self
    }

    pub(crate) fn lift(mut self, dp: f32) -> Self {
        self.skin.lift = dp;
        self
    }

    pub(crate) fn press(mut self, color: Color) -> Self {
        self.skin.press = Some(color);
        self
    }

    pub(crate) fn melt(mut self, color: Color) -> Self {
        self.skin.melt = Some(color);
        self
    }

    fn style(mut self, change: impl FnOnce(&mut TextStyle)) -> Self {
        match &mut self.content {
            Content::Text { style, .. } => change(style),
            Content::Field(field) => change(&mut field.style),
            _ => {}
        }
        self
    }

    pub(crate) fn medium(self) -> Self {
        self.style(|style| style.weight = Weight::Medium)
    }

    pub(crate) fn bold(self) -> Self {
        self.style(|style| style.weight = Weight::Bold)
    }

    pub(crate) fn line(self, sp: f32) -> Self {
        self.style(|style| style.line = sp)
    }

    pub(crate) fn lines(self, most: u16) -> Self {
        self.style(|style| style.max_lines = most)
    }

    pub(crate) fn align(self, align: Align) -> Self {
        self.style(|style| style.align = align)
    }

    pub(crate) fn halo(self, strength: f32) -> Self {
        self.style(|style| style.halo = strength)
    }
}

// Text fields.
impl View {
    fn field(mut self, change: impl FnOnce(&mut super::Field)) -> Self {
        if let Content::Field(field) = &mut self.content {
            change(field);
        }
        self
    }

    pub(crate) fn password(self) -> Self {
        self.field(|field| field.password = true)
    }

    pub(crate) fn multiline(self) -> Self {
        self.field(|field| field.multiline = true)
    }

    pub(crate) fn limit(self, characters: usize) -> Self {
        self.field(|field| field.limit = characters)
    }

    pub(crate) fn kind(self, kind: InputKind) -> Self {
        self.field(|field| field.kind = kind)
    }

    pub(crate) fn unseen(self) -> Self {
        self.field(|field| field.unseen = true)
    }

    pub(crate) fn hint_color(self, color: Color) -> Self {
        self.field(|field| field.hint_color = color)
    }

    pub(crate) fn caret(self, color: Color) -> Self {
        self.field(|field| field.caret = color)
    }

    /// The keyboard's action key goes to the next field.
    pub(crate) fn next(self) -> Self {
        self.field(|field| field.action = ImeAction::Next)
    }

    /// The keyboard's action key begins a new line.
    pub(crate) fn paragraphs(self) -> Self {
        self.field(|field| {
            field.multiline = true;
            field.action = ImeAction::Enter;
        })
    }

    /// What the keyboard's action key is called and does.
    pub(crate) fn action(self, action: ImeAction, message: impl Any + Debug + Send + Sync) -> Self {
        self.field(|field| {
            field.action = action;
            field.submit = Some(ScreenMessage::new(message));
        })
    }
}

impl View {
    /// Tells accessibility of this view only: what is drawn in it is no view of its own (an `ImageButton`'s image).
    pub(crate) fn flat(mut self) -> Self {
        self.flat = true;
        self
    }
}

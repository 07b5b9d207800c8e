//! The views there are.

use super::{Axis, Content, Field, ImeAction, InputKind, Length, Painter, Picture, Reply, View, class};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::paint::Canvas;
use crate::toolkit::text::{Span, TextStyle};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

fn group(class: &'static str, axis: Axis, children: impl IntoIterator<Item = View>) -> View {
    let mut view = View::new(class, Content::Empty);
    view.shape.axis = axis;
    view.children = children.into_iter().collect();
    view
}

/// Children under one another.
pub(crate) fn column(children: impl IntoIterator<Item = View>) -> View {
    group(class::LINEAR, Axis::Down, children)
}

/// Children beside one another.
pub(crate) fn row(children: impl IntoIterator<Item = View>) -> View {
    group(class::LINEAR, Axis::Across, children)
}

/// Children over one another.
pub(crate) fn stack(children: impl IntoIterator<Item = View>) -> View {
    group(class::FRAME, Axis::Over, children)
}

/// Children under one another, more than fit: a finger moves them.
pub(crate) fn scroll(children: impl IntoIterator<Item = View>) -> View {
    let mut view = group(class::RECYCLER, Axis::Down, children);
    view.scroll = Some(Axis::Down);
    view.shape.grow = 1.0;
    view
}

/// A text.
pub(crate) fn text(words: impl Into<String>, size: f32, color: Color) -> View {
    rich(vec![Span::plain(words)], size, color)
}

/// A text of several weights or colours.
pub(crate) fn rich(spans: Vec<Span>, size: f32, color: Color) -> View {
    let mut view = View::new(
        class::TEXT,
        Content::Text {
            spans,
            style: TextStyle::new(size, color),
        },
    );
    view.shape.shrink = true;
    view
}

/// A button with a word on it, in the middle.
pub(crate) fn button(words: impl Into<String>, size: f32, ink: Color) -> View {
    text(words, size, ink)
        .medium()
        .align(crate::toolkit::text::Align::Center)
        .lines(1)
        .class(class::BUTTON)
}

/// An emoji as a picture of this size: an `ImageView`, not a text.
pub(crate) fn emoji(emoji: &'static str, size: f32) -> View {
    let style = TextStyle {
        align: crate::toolkit::text::Align::Center,
        ..TextStyle::new(size * 0.8, Color::BLACK)
    };
    painting(move |canvas, area, metrics| {
        // A picture does not grow with the text size a person chose.
        let metrics = Metrics {
            font_scale: 1.0,
            ..*metrics
        };
        canvas.text(
            emoji,
            &style,
            &metrics,
            area.inset(-area.width(), 0, -area.width(), 0),
        );
    })
    .size(size, size)
}

/// An icon of the outline set.
pub(crate) fn icon(icon: lucide_icons::Icon, size: f32, color: Color) -> View {
    let mut view = View::new(
        class::IMAGE,
        Content::Icon {
            icon: icon.into(),
            size,
            color,
        },
    );
    view.shape.width = Length::Dp(size);
    view.shape.height = Length::Dp(size);
    view
}

/// A text field; `edit` hears every change.
pub(crate) fn field<M: Any + Debug + Send + Sync>(
    text: &str,
    hint: &str,
    style: TextStyle,
    edit: impl Fn(String) -> M + Send + Sync + 'static,
) -> View {
    let field = Field {
        text: text.to_owned(),
        hint: hint.to_owned(),
        hint_color: style.color.alpha(0.6),
        caret: style.color,
        style,
        password: false,
        multiline: false,
        limit: 0,
        kind: InputKind::Text,
        action: ImeAction::Done,
        unseen: false,
        edit: Reply::new(edit),
        submit: None,
    };
    let mut view = View::new(class::EDIT, Content::Field(Box::new(field)));
    view.shape.shrink = true;
    view
}

/// A switch. It takes clicks itself only when given one; most stand in a row that does.
pub(crate) fn switch(on: bool) -> View {
    let mut view = View::new(class::SWITCH, Content::Switch { on });
    view.checked = Some(on);
    view.size(52.0, 32.0)
}

/// A tick box.
pub(crate) fn checkbox(on: bool) -> View {
    let mut view = View::new(class::CHECK, Content::Checkbox { on });
    view.checked = Some(on);
    view.size(24.0, 24.0)
}

/// One of several.
pub(crate) fn radio(on: bool) -> View {
    let mut view = View::new(class::RADIO, Content::Radio { on });
    view.checked = Some(on);
    view.size(24.0, 24.0)
}

/// A slider of 0…1.
pub(crate) fn slider<M: Any + Debug + Send + Sync>(
    value: f32,
    set: impl Fn(f32) -> M + Send + Sync + 'static,
) -> View {
    View::new(
        class::SEEK,
        Content::Slider {
            value,
            set: Reply::new(set),
        },
    )
    .height(48.0)
}

/// A bar that fills.
pub(crate) fn progress(value: f32) -> View {
    View::new(class::PROGRESS, Content::Progress { value }).height(4.0)
}

/// A ring that turns.
pub(crate) fn spinner(turn: f32) -> View {
    View::new(class::PROGRESS, Content::Spinner { turn }).size(48.0, 48.0)
}

/// A drawing.
pub(crate) fn painting(draw: impl Fn(&mut Canvas, Rect, &Metrics) + Send + Sync + 'static) -> View {
    View::new(class::IMAGE, Content::Painting(Painter(Arc::new(draw))))
}

/// A picture that is drawn once for each size.
pub(crate) fn picture(name: u32, draw: fn(u32, &mut Canvas)) -> View {
    View::new(class::IMAGE, Content::Picture(Picture { name, draw }))
}

/// Empty space of a fixed length.
pub(crate) fn gap(length: f32) -> View {
    View::new(class::VIEW, Content::Empty).size(length, length)
}

/// Empty space that takes what is left.
pub(crate) fn spring() -> View {
    View::new(class::VIEW, Content::Empty).grow()
}

//! The shop's colours and pieces.

use super::data::dollars;
use super::goods::Good;
use crate::apps::parts::{MessagePayload, icon_button};
use crate::system::{Bars, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, button, class, column, emoji, icon, row, stack, text,
};
use lucide_icons::Icon;

/// The shop's colours.
pub(super) fn theme(world: &World) -> Theme {
    if world.theme.dark {
        return Theme {
            background: Color::rgb(0x121512),
            surface: Color::rgb(0x1E231E),
            fill: Color::rgb(0x263027),
            line: Color::rgb(0x2B332C),
            accent: Color::rgb(0x2F9A5C),
            on_accent: Color::WHITE,
            soft: Color::rgb(0x233A2B),
            on_soft: Color::rgb(0xC9EBD5),
            ..world.theme
        };
    }
    Theme {
        background: Color::rgb(0xF7F8F3),
        surface: Color::WHITE,
        fill: Color::rgb(0xE6EDDF),
        text: Color::rgb(0x1E2A21),
        text_2: Color::rgb(0x68726A),
        text_3: Color::rgb(0x99A29B),
        line: Color::rgb(0xE6E9E0),
        accent: Color::rgb(0x1F7A45),
        soft: Color::rgb(0xEFF4E9),
        on_soft: Color::rgb(0x1F7A45),
        press: Color {
            red: 31,
            green: 122,
            blue: 69,
            alpha: 24,
        },
        ..world.theme
    }
}

/// The bars over a page with the white foot the button stands on.
pub(super) fn footed(world: &World) -> Bars {
    let theme = theme(world);
    Bars::on(theme.background).navigation(theme.surface)
}

/// The bar on top: arrow and title.
pub(super) fn bar(theme: &Theme, title: &str, back: impl MessagePayload) -> View {
    row([
        icon_button(Icon::ArrowLeft, "Back", theme.text, back),
        text(title, 23.6, theme.text)
            .medium()
            .lines(1)
            .grow()
            .id("toolbar_title"),
    ])
    .class(class::GROUP)
    .id("toolbar")
    .cross(CrossAxisAlignment::Center)
    .gap(4.0)
    .height(68.0)
    .pad_xy(11.0, 0.0)
    .wide()
}

/// A white card.
pub(super) fn card(theme: &Theme, views: Vec<View>) -> View {
    let edge = if theme.dark {
        theme.line
    } else {
        Color::rgb(0xECEEE7)
    };
    column(views)
        .fill(theme.surface)
        .radius(18.0)
        .edge(1.0, edge)
        .wide()
}

/// A picture of one of the goods on a quiet square.
pub(super) fn tile(theme: &Theme, picture: &'static str, side: f32) -> View {
    stack([emoji(picture, side * 0.66)])
        .centered()
        .size(side, side)
        .fill(theme.soft)
        .radius(side * 0.22)
        .class(class::IMAGE)
        .id("image")
        .flat()
}

/// A line with a picture, a name, what is below it, and something at the end.
pub(super) fn line(theme: &Theme, lead: View, title: &str, below: &str, end: View) -> View {
    let words = column([
        text(title, 16.9, theme.text).medium().lines(1).id("title"),
        text(below, 13.8, theme.text_2).lines(1).id("subtitle"),
    ])
    .gap(2.0)
    .grow();
    row([lead, words, end])
        .gap(15.0)
        .cross(CrossAxisAlignment::Center)
        .wide()
}

/// A price at the end of a line.
pub(super) fn price(theme: &Theme, cents: u32) -> View {
    text(dollars(cents), 16.8, theme.text)
        .lines(1)
        .rigid()
        .id("price")
}

/// How many and of what: `2 × ½ gal`.
pub(super) fn amount(good: &Good, count: u32) -> String {
    if count == 1 {
        good.unit.to_owned()
    } else {
        format!("{count} × {}", good.unit)
    }
}

/// A white foot with a green button.
pub(super) fn foot(
    theme: &Theme,
    above: Option<View>,
    words: &str,
    enabled: bool,
    message: impl MessagePayload,
) -> View {
    let fill = if enabled { theme.accent } else { theme.fill };
    let ink = if enabled { theme.on_accent } else { theme.text_3 };
    let button = button(words, 20.0, ink)
        .height(61.0)
        .wide()
        .fill(fill)
        .radius(30.5)
        .press(Color::BLACK.alpha(0.16))
        .id("primary_button")
        .enabled(enabled)
        .default_focus()
        .click(message);
    let mut views: Vec<View> = vec![crate::apps::parts::divider(theme.line)];
    let mut inner: Vec<View> = above.into_iter().collect();
    inner.push(button);
    views.push(column(inner).gap(10.0).pad_each(19.0, 16.0, 19.0, 17.0).wide());
    column(views).fill(theme.surface).wide().id("footer")
}

/// Less, how many, more.
pub(super) fn stepper(
    theme: &Theme,
    name: &str,
    count: u32,
    less: impl MessagePayload,
    more: impl MessagePayload,
    side: f32,
) -> View {
    let press = |sign, desc: String, id, message: ScreenMessage| {
        let mut view = stack([icon(sign, side * 0.5, theme.accent)])
            .class(class::IMAGE_BUTTON)
            .centered()
            .size(side, side)
            .fill(theme.soft)
            .radius(side / 2.0)
            .id(id)
            .desc(desc)
            .flat();
        view.click = Some(message);
        view
    };
    let number = text(count.to_string(), side * 0.46, theme.text)
        .medium()
        .align(Align::Center)
        .min_width(side * 0.8)
        .id("quantity");
    row([
        press(
            Icon::Minus,
            format!("Remove one {name}"),
            "decrease",
            ScreenMessage::new(less),
        ),
        number,
        press(
            Icon::Plus,
            format!("Add one {name}"),
            "increase",
            ScreenMessage::new(more),
        ),
    ])
    .cross(CrossAxisAlignment::Center)
    .gap(6.0)
}

//! The bank's colours and the dark head of its pages.

use crate::apps::parts::{MessagePayload, icon_button};
use crate::system::{Bars, World};
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, View, button, column, icon, row, text};
use lucide_icons::Icon;

pub(super) const NAVY: Color = Color::rgb(0x12325E);

/// The bank's colours.
pub(super) fn theme(world: &World) -> Theme {
    if world.theme.dark {
        return Theme {
            background: Color::rgb(0x0E141D),
            surface: Color::rgb(0x18212E),
            fill: Color::rgb(0x1F2A3A),
            line: Color::rgb(0x2A3647),
            accent: Color::rgb(0x8DB4F5),
            on_accent: Color::rgb(0x0B2145),
            soft: Color::rgb(0x22395E),
            on_soft: Color::rgb(0xD4E3FF),
            ..world.theme
        };
    }
    Theme {
        background: Color::rgb(0xF3F6FB),
        surface: Color::WHITE,
        fill: Color::rgb(0xE6ECF5),
        text: Color::rgb(0x1A2433),
        text_2: Color::rgb(0x566275),
        text_3: Color::rgb(0x8A94A5),
        line: Color::rgb(0xDDE4EE),
        accent: NAVY,
        soft: Color::rgb(0xDDE7F6),
        on_soft: NAVY,
        press: Color {
            red: 18,
            green: 50,
            blue: 94,
            alpha: 26,
        },
        ..world.theme
    }
}

/// The bars over a page with the dark head.
pub(super) fn bars(world: &World) -> Bars {
    Bars {
        status: NAVY,
        navigation: theme(world).background,
        full: false,
    }
}

/// The dark head: the bank's name and what the page is for.
pub(super) fn head(title: &str) -> View {
    let name = row([
        icon(Icon::CreditCard, 21.0, Color::rgb(0xC9D6EA)),
        text("Northbank", 22.5, Color::WHITE).medium().id("logo"),
    ]);
    column([
        name.gap(11.0).cross(CrossAxisAlignment::Center),
        text(title, 30.6, Color::WHITE).line(38.0).id("page_title"),
    ])
    .gap(24.0)
    .pad_each(28.0, 22.0, 28.0, 54.0)
    .fill(NAVY)
    .wide()
    .id("header")
}

/// The head of an inner page: arrow and title.
pub(super) fn inner_head(title: &str, back: impl MessagePayload) -> View {
    row([
        icon_button(Icon::ArrowLeft, "Back", Color::WHITE, back),
        text(title, 22.0, Color::WHITE).medium().grow().id("page_title"),
    ])
    .cross(CrossAxisAlignment::Center)
    .gap(8.0)
    .height(72.0)
    .pad_xy(9.0, 0.0)
    .fill(NAVY)
    .wide()
    .id("header")
}

/// The bank's large button.
pub(super) fn big_button(
    theme: &Theme,
    words: &str,
    enabled: bool,
    id: &'static str,
    message: impl MessagePayload,
) -> View {
    let (fill, ink) = if enabled {
        (theme.accent, theme.on_accent)
    } else {
        (theme.fill, theme.text_3)
    };
    button(words, 18.0, ink)
        .height(58.0)
        .wide()
        .fill(fill)
        .radius(14.0)
        .press(Color::WHITE.alpha(0.14))
        .id(id)
        .enabled(enabled)
        .click(message)
}

/// A white card.
pub(super) fn card(theme: &Theme, views: Vec<View>) -> View {
    column(views)
        .fill(theme.surface)
        .radius(18.0)
        .edge(1.0, theme.line)
        .wide()
}

//! The shop's colours and pieces.

use super::data::dollars;
use super::goods::Good;
use crate::apps::parts::{Say, icon_button};
use crate::system::{Bars, World};
use crate::toolkit::color::Color;
use crate::toolkit::look::Look;
use crate::toolkit::text::Align;
use crate::toolkit::view::{Act, Cross, View, button, class, column, emoji, icon, row, stack, text};
use lucide_icons::Icon;

/// The shop's colours.
pub(super) fn look(world: &World) -> Look {
    if world.look.dark {
        return Look {
            background: Color::rgb(0x121512),
            surface: Color::rgb(0x1E231E),
            fill: Color::rgb(0x263027),
            line: Color::rgb(0x2B332C),
            accent: Color::rgb(0x2F9A5C),
            on_accent: Color::WHITE,
            soft: Color::rgb(0x233A2B),
            on_soft: Color::rgb(0xC9EBD5),
            ..world.look
        };
    }
    Look {
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
        ..world.look
    }
}

/// The bars over a page with the white foot the button stands on.
pub(super) fn footed(world: &World) -> Bars {
    let look = look(world);
    Bars::on(look.background).navigation(look.surface)
}

/// The bar on top: arrow and title.
pub(super) fn bar(look: &Look, title: &str, back: impl Say) -> View {
    row([
        icon_button(Icon::ArrowLeft, "Back", look.text, back),
        text(title, 23.6, look.text)
            .medium()
            .lines(1)
            .grow()
            .id("toolbar_title"),
    ])
    .class(class::GROUP)
    .id("toolbar")
    .cross(Cross::Center)
    .gap(4.0)
    .height(68.0)
    .pad_xy(11.0, 0.0)
    .wide()
}

/// A white card.
pub(super) fn card(look: &Look, views: Vec<View>) -> View {
    let edge = if look.dark {
        look.line
    } else {
        Color::rgb(0xECEEE7)
    };
    column(views)
        .fill(look.surface)
        .radius(18.0)
        .edge(1.0, edge)
        .wide()
}

/// A picture of one of the goods on a quiet square.
pub(super) fn tile(look: &Look, picture: &'static str, side: f32) -> View {
    stack([emoji(picture, side * 0.66)])
        .centered()
        .size(side, side)
        .fill(look.soft)
        .radius(side * 0.22)
        .class(class::IMAGE)
        .id("image")
        .flat()
}

/// A line with a picture, a name, what is below it, and something at the end.
pub(super) fn line(look: &Look, lead: View, title: &str, below: &str, end: View) -> View {
    let words = column([
        text(title, 16.9, look.text).medium().lines(1).id("title"),
        text(below, 13.8, look.text_2).lines(1).id("subtitle"),
    ])
    .gap(2.0)
    .grow();
    row([lead, words, end]).gap(15.0).cross(Cross::Center).wide()
}

/// A price at the end of a line.
pub(super) fn price(look: &Look, cents: u32) -> View {
    text(dollars(cents), 16.8, look.text).lines(1).rigid().id("price")
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
pub(super) fn foot(look: &Look, above: Option<View>, words: &str, enabled: bool, message: impl Say) -> View {
    let fill = if enabled { look.accent } else { look.fill };
    let ink = if enabled { look.on_accent } else { look.text_3 };
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
    let mut views: Vec<View> = vec![crate::apps::parts::divider(look.line)];
    let mut inner: Vec<View> = above.into_iter().collect();
    inner.push(button);
    views.push(column(inner).gap(10.0).pad_each(19.0, 16.0, 19.0, 17.0).wide());
    column(views).fill(look.surface).wide().id("footer")
}

/// Less, how many, more.
pub(super) fn stepper(
    look: &Look,
    name: &str,
    count: u32,
    less: impl Say,
    more: impl Say,
    side: f32,
) -> View {
    let press = |sign, desc: String, id, message: Act| {
        let mut view = stack([icon(sign, side * 0.5, look.accent)])
            .class(class::IMAGE_BUTTON)
            .centered()
            .size(side, side)
            .fill(look.soft)
            .radius(side / 2.0)
            .id(id)
            .desc(desc)
            .flat();
        view.click = Some(message);
        view
    };
    let number = text(count.to_string(), side * 0.46, look.text)
        .medium()
        .align(Align::Center)
        .min_width(side * 0.8)
        .id("quantity");
    row([
        press(
            Icon::Minus,
            format!("Remove one {name}"),
            "decrease",
            Act::new(less),
        ),
        number,
        press(Icon::Plus, format!("Add one {name}"), "increase", Act::new(more)),
    ])
    .cross(Cross::Center)
    .gap(6.0)
}

//! What comes up by itself and goes again: a new notification, the volume, a toast.

use super::lock::PinKey;
use super::notices::Notice;
use super::world::World;
use crate::apps;
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    Content, CrossAxisAlignment, Inset, MainAxisAlignment, View, class, column, icon, row, stack, text,
};
use lucide_icons::Icon;

/// What touching a panel means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    /// The notification with this number.
    Notice(usize),
    VolumeUp,
    VolumeDown,
    /// A key of the lock screen's PIN pad.
    Pin(PinKey),
}

/// A notification's lines: app, title, text.
pub(super) fn notice_rows(notice: &Notice, theme: &Theme) -> View {
    let app = row([
        apps::icon_view(notice.package, 20.0),
        text(notice.app, 12.5, theme.text_2).id("android:id/app_name_text"),
        text("• now", 12.5, theme.text_2).id("android:id/time"),
    ])
    .gap(7.0)
    .cross(CrossAxisAlignment::Center);
    column([
        app,
        text(notice.title.as_str(), 15.5, theme.text)
            .medium()
            .lines(1)
            .id("android:id/title"),
        text(notice.text.as_str(), 14.5, theme.text_2)
            .lines(3)
            .line(20.0)
            .id("android:id/big_text"),
    ])
    .gap(5.0)
}

pub(super) fn heads_up(notice: &Notice, theme: &Theme) -> View {
    let surface = if theme.dark { theme.surface } else { Color::WHITE };
    let card = notice_rows(notice, theme)
        .class(class::FRAME)
        .pad_each(16.0, 14.0, 16.0, 16.0)
        .fill(surface)
        .radius(24.0)
        .lift(8.0)
        .click(Panel::Notice(0));
    column([card]).pad_each(10.0, 6.0, 10.0, 24.0)
}

/// The highest media volume.
pub(super) const LOUDEST: f32 = 15.0;

pub(super) fn volume(world: &World) -> View {
    let theme = &world.theme;
    let level = world.settings.number("system", "volume_music").unwrap_or(0.0) / LOUDEST;
    let (height, knob) = (190.0, 44.0);
    let filled = knob + (height - knob) * level.clamp(0.0, 1.0);
    let bar = stack([
        View::new(class::VIEW, Content::Empty)
            .fill(theme.accent)
            .radius(22.0)
            .at(Inset {
                left: Some(0.0),
                right: Some(0.0),
                bottom: Some(0.0),
                top: None,
            })
            .height(filled),
        icon(
            if level > 0.0 { Icon::Volume2 } else { Icon::VolumeX },
            20.0,
            theme.on_accent,
        )
        .at(Inset {
            left: Some(12.0),
            bottom: Some(12.0),
            ..Inset::default()
        }),
    ])
    .size(knob, height)
    .fill(theme.fill)
    .radius(22.0);
    column([
        stack([icon(Icon::Plus, 18.0, theme.text)])
            .size(44.0, 30.0)
            .centered()
            .click(Panel::VolumeUp),
        bar,
        stack([icon(Icon::Minus, 18.0, theme.text)])
            .size(44.0, 30.0)
            .centered()
            .click(Panel::VolumeDown),
    ])
    .cross(CrossAxisAlignment::Center)
    .main(MainAxisAlignment::Center)
    .fill(if theme.dark { theme.surface } else { Color::WHITE })
    .radius(30.0)
    .lift(4.0)
}

pub(super) fn toast(words: &str, theme: &Theme) -> View {
    let (fill, ink) = if theme.dark {
        (theme.surface, theme.text)
    } else {
        (Color::rgb(0x313036), Color::rgb(0xF3EFF7))
    };
    row([text(words, 14.5, ink).lines(2).line(20.0)])
        .pad_xy(20.0, 12.0)
        .fill(fill)
        .radius(24.0)
        .cross(CrossAxisAlignment::Center)
}

//! The notification shade: the day, six tiles, what has arrived.

use super::panels::{Panel, notice_rows};
use super::world::World;
use crate::toolkit::color::Color;
use crate::toolkit::memory::Memory;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, View, class, column, gap, icon, row, scroll, spring, stack, text,
};
use lucide_icons::Icon;

/// Whether the shade is down.
#[derive(Debug, Default)]
pub(super) struct Shade {
    pub(super) open: bool,
    pub(super) memory: Memory,
}

/// What touching the shade means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tap {
    Tile(usize),
    ClearAll,
    Settings,
}

struct Tile {
    label: &'static str,
    sign: Icon,
    setting: (&'static str, &'static str),
}

const TILES: [Tile; 6] = [
    Tile {
        label: "Internet",
        sign: Icon::Wifi,
        setting: ("global", "wifi_on"),
    },
    Tile {
        label: "Bluetooth",
        sign: Icon::Bluetooth,
        setting: ("global", "bluetooth_on"),
    },
    Tile {
        label: "Do Not Disturb",
        sign: Icon::CircleMinus,
        setting: ("global", "zen_mode"),
    },
    Tile {
        label: "Auto-rotate",
        sign: Icon::RotateCcwSquare,
        setting: ("system", "accelerometer_rotation"),
    },
    Tile {
        label: "Battery Saver",
        sign: Icon::BatteryCharging,
        setting: ("global", "low_power"),
    },
    Tile {
        label: "Airplane mode",
        sign: Icon::Plane,
        setting: ("global", "airplane_mode_on"),
    },
];

/// The setting a tile switches.
pub(super) fn tile_setting(index: usize) -> Option<(&'static str, &'static str)> {
    TILES.get(index).map(|tile| tile.setting)
}

pub(super) fn background(theme: &Theme) -> Color {
    if theme.dark {
        Color::rgb(0x0E0E12)
    } else {
        Color::rgb(0xE9E6F2)
    }
}

fn tile(index: usize, world: &World) -> View {
    let theme = &world.theme;
    let Some(tile) = TILES.get(index) else {
        return gap(0.0);
    };
    let on = world.settings.is_on(tile.setting.0, tile.setting.1);
    let (fill, ink) = if on {
        (theme.accent, theme.on_accent)
    } else {
        (theme.surface, theme.text)
    };
    let state = if on { "On" } else { "Off" };
    let words = column([
        text(tile.label, 14.0, ink)
            .medium()
            .lines(1)
            .id("com.android.systemui:id/tile_label"),
        text(state, 12.5, ink)
            .lines(1)
            .id("com.android.systemui:id/app_label"),
    ])
    .grow();
    row([icon(tile.sign, 20.0, ink), words])
        .class(class::SWITCH)
        .desc(tile.label)
        .checked(on)
        .gap(12.0)
        .cross(CrossAxisAlignment::Center)
        .pad_xy(16.0, 0.0)
        .height(66.0)
        .grow()
        .fill(fill)
        .radius(24.0)
        .click(Tap::Tile(index))
}

pub(super) fn view(world: &World) -> View {
    let theme = &world.theme;
    let tiles = (0..TILES.len() / 2).map(|r| row([tile(r * 2, world), tile(r * 2 + 1, world)]).gap(8.0));
    let date = text("Tue, May 14", 17.0, theme.text)
        .medium()
        .id("com.android.systemui:id/date");
    let gear = stack([icon(Icon::Settings, 20.0, theme.text)])
        .class(class::IMAGE_BUTTON)
        .desc("Open settings.")
        .size(44.0, 44.0)
        .centered()
        .radius(22.0)
        .click(Tap::Settings);
    let mut rows = vec![row([date, spring(), gear]).cross(CrossAxisAlignment::Center)];
    rows.extend(tiles);
    rows.push(gap(6.0));
    let surface = if theme.dark { theme.surface } else { Color::WHITE };
    for (index, notice) in world.notices.all.iter().enumerate() {
        rows.push(
            notice_rows(notice, theme)
                .class(class::FRAME)
                .id("com.android.systemui:id/expandableNotificationRow")
                .pad_each(16.0, 14.0, 16.0, 16.0)
                .fill(surface)
                .radius(22.0)
                .click(Panel::Notice(index)),
        );
    }
    if world.notices.all.is_empty() {
        let none =
            text("No notifications", 15.0, theme.text_2).id("com.android.systemui:id/no_notifications");
        rows.push(row([none]).main(MainAxisAlignment::Center).pad_xy(0.0, 24.0));
    } else {
        let clear = text("Clear all", 14.0, theme.text)
            .medium()
            .class(class::BUTTON)
            .id("com.android.systemui:id/dismiss_text")
            .pad_xy(16.0, 12.0)
            .click(Tap::ClearAll);
        rows.push(row([clear]).main(MainAxisAlignment::End));
    }
    scroll(rows)
        .class(class::SCROLL)
        .id("com.android.systemui:id/notification_stack_scroller")
        .key("shade")
        .gap(8.0)
        .pad_each(16.0, 56.0, 16.0, 32.0)
        .fill(background(theme))
}

//! Battery and Battery Saver.

use super::home::remaining;
use super::page::{Msg, Page};
use crate::apps::parts::{main_switch, preference, switch_row};
use crate::system::World;
use crate::toolkit::view::{CrossAxisAlignment, View, column, progress, row, text};

pub(super) fn battery(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let level = world.battery.level;
    let saver = world.settings.is_on("global", "low_power");
    let state = if world.battery.charging {
        "Charging"
    } else {
        remaining(level)
    };
    let gauge = column([
        row([
            text(format!("{level}"), 56.0, theme.text).id("usage_percent"),
            text("%", 28.0, theme.text).pad_each(3.0, 0.0, 0.0, 8.0),
        ])
        .cross(CrossAxisAlignment::End),
        text(state, 16.0, theme.text_2).id("usage_summary"),
        progress(f32::from(level) / 100.0)
            .height(14.0)
            .id("battery_progress"),
    ])
    .cross(CrossAxisAlignment::Stretch)
    .gap(8.0)
    .pad_each(28.0, 4.0, 28.0, 22.0);
    vec![
        gauge,
        preference(
            theme,
            "Battery usage",
            "View usage since last full charge · Messages 12%, Browser 9%",
            None,
        ),
        preference(theme, "Battery Saver", if saver { "On" } else { "Off" }, None)
            .click(Msg::Open(Page::BatterySaver)),
        switch_row(
            theme,
            "Adaptive Battery",
            "Extends battery life based on phone use",
            world
                .settings
                .is_on("global", "adaptive_battery_management_enabled"),
            Msg::Flip("global", "adaptive_battery_management_enabled"),
        ),
        switch_row(
            theme,
            "Battery percentage",
            "Show battery percentage in status bar",
            world.settings.is_on("system", "status_bar_show_battery_percent"),
            Msg::Flip("system", "status_bar_show_battery_percent"),
        ),
    ]
}

pub(super) fn saver(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let on = world.settings.is_on("global", "low_power");
    vec![
        main_switch(theme, "Use Battery Saver", on, Msg::Flip("global", "low_power")),
        switch_row(
            theme,
            "Turn off when charged",
            "Battery Saver turns off when battery reaches 90%",
            world.settings.is_on("global", "low_power_sticky_auto_disable_enabled"),
            Msg::Flip("global", "low_power_sticky_auto_disable_enabled"),
        ),
        text(
            "Battery Saver turns on Dark theme and limits background activity, some visual effects, certain features, \
             and some network connections.",
            15.0,
            theme.text_2,
        )
        .line(22.0)
        .pad_xy(28.0, 18.0),
    ]
}

//! Display: brightness, dark theme, rotation, timeout.

use super::page::{Msg, Question};
use crate::apps::parts::{dialog_box, preference, switch_row};
use crate::system::{Popup, PopupKind, World};
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, class, column, radio, row, slider, text,
};

const TIMEOUTS: [(&str, &str); 5] = [
    ("15000", "15 seconds"),
    ("30000", "30 seconds"),
    ("60000", "1 minute"),
    ("300000", "5 minutes"),
    ("1800000", "30 minutes"),
];

fn timeout_words(world: &World) -> &'static str {
    let now = world.settings.get("system", "screen_off_timeout");
    TIMEOUTS
        .iter()
        .find(|(value, _)| Some(*value) == now)
        .map_or("Custom", |(_, words)| words)
}

pub(super) fn view(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let level = world
        .settings
        .number("system", "screen_brightness")
        .unwrap_or(102.0);
    let set = |value: f32| {
        Msg::Set(
            "system",
            "screen_brightness",
            format!("{:.0}", 1.0 + value * 254.0),
        )
    };
    let percent = format!("{:.0}%", (level - 1.0) / 2.54);
    let brightness = column([
        text("Brightness level", 18.0, theme.text).id("android:id/title"),
        text(percent, 14.5, theme.text_2).id("android:id/summary"),
        slider((level - 1.0) / 254.0, set)
            .desc("Display brightness")
            .id("slider")
            .key("brightness"),
    ])
    .gap(1.0)
    .pad_xy(28.0, 8.0)
    .wide();
    let dark = world.settings.is_dark();
    let toggle = Msg::Set("secure", "ui_night_mode", if dark { "1" } else { "2" }.to_owned());
    let auto = world.settings.is_on("system", "screen_brightness_mode");
    let rotate = world.settings.is_on("system", "accelerometer_rotation");
    let timeout = format!("After {} of inactivity", timeout_words(world));
    vec![
        brightness,
        switch_row(
            theme,
            "Adaptive brightness",
            "",
            auto,
            Msg::Flip("system", "screen_brightness_mode"),
        ),
        preference(theme, "Screen timeout", &timeout, None).click(Msg::Ask(Question::ScreenTimeout)),
        switch_row(theme, "Dark theme", if dark { "On" } else { "Off" }, dark, toggle),
        switch_row(
            theme,
            "Auto-rotate screen",
            "",
            rotate,
            Msg::Flip("system", "accelerometer_rotation"),
        ),
        text_size(world),
    ]
}

fn text_size(world: &World) -> View {
    let theme = &world.theme;
    let scale = world.settings.number("system", "font_scale").unwrap_or(1.0);
    let set = |value: f32| {
        Msg::Set(
            "system",
            "font_scale",
            format!("{:.2}", 0.85 + (value * 3.0).round() * 0.15),
        )
    };
    column([
        text("Font size", 18.0, theme.text).id("android:id/title"),
        slider((scale - 0.85) / 0.45, set)
            .desc("Font size")
            .id("seekbar")
            .key("font_scale"),
    ])
    .pad_xy(28.0, 8.0)
    .wide()
}

pub(super) fn timeout(world: &World) -> Popup {
    let theme = &world.theme;
    let now = world.settings.get("system", "screen_off_timeout");
    let mut views = vec![
        text("Screen timeout", 24.0, theme.text)
            .line(30.0)
            .id("android:id/alertTitle"),
    ];
    views.extend(TIMEOUTS.into_iter().map(|(value, words)| {
        let chosen = now == Some(value);
        row([
            radio(chosen),
            text(words, 17.0, theme.text).grow().id("android:id/text1"),
        ])
        .class(class::LINEAR)
        .cross(CrossAxisAlignment::Center)
        .gap(16.0)
        .height(52.0)
        .wide()
        .click(Msg::Set("system", "screen_off_timeout", value.to_owned()))
    }));
    Popup {
        name: "timeout",
        kind: PopupKind::Dialog,
        view: dialog_box(theme, views).gap(2.0),
        cancel: Some(ScreenMessage::new(Msg::No)),
    }
}

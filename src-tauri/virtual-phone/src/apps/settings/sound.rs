//! Sound & vibration.

use super::page::Msg;
use crate::apps::parts::switch_row;
use crate::system::World;
use crate::toolkit::view::{View, column, slider, text};

const VOLUMES: [(&str, &str, f32); 3] = [
    ("Media volume", "volume_music", 15.0),
    ("Ring & notification volume", "volume_ring", 7.0),
    ("Alarm volume", "volume_alarm", 7.0),
];

pub(super) fn view(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let mut rows: Vec<View> = VOLUMES
        .into_iter()
        .map(|(title, name, most)| {
            let value = world.settings.number("system", name).unwrap_or(0.0) / most;
            let set = move |value: f32| Msg::Set("system", name, format!("{:.0}", value * most));
            column([
                text(title, 18.0, theme.text).id("android:id/title"),
                slider(value, set).desc(title).id("seekbar").key(name),
            ])
            .pad_xy(28.0, 6.0)
            .wide()
        })
        .collect();
    let on = |namespace, name| world.settings.is_on(namespace, name);
    rows.extend([
        switch_row(
            theme,
            "Do Not Disturb",
            "Only alarms make a sound",
            on("global", "zen_mode"),
            Msg::Flip("global", "zen_mode"),
        ),
        switch_row(
            theme,
            "Vibrate for calls",
            "",
            on("system", "vibrate_when_ringing"),
            Msg::Flip("system", "vibrate_when_ringing"),
        ),
        switch_row(
            theme,
            "Touch sounds",
            "",
            on("system", "sound_effects_enabled"),
            Msg::Flip("system", "sound_effects_enabled"),
        ),
    ]);
    rows
}

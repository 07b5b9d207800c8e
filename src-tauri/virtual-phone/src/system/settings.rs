//! The three tables of `settings`, and what the system reads out of them.

use crate::android::Profile;
use crate::system::SystemOptions;
use std::collections::BTreeMap;

/// `system`, `secure`, `global`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    tables: [BTreeMap<String, String>; 3],
}

fn table(namespace: &str) -> Option<usize> {
    ["system", "secure", "global"]
        .iter()
        .position(|name| *name == namespace)
}

impl Settings {
    pub(crate) fn new(options: &SystemOptions) -> Self {
        let mut settings = Self::default();
        let flag = |on: bool| if on { "1" } else { "0" };
        let rotation = (options.rotation % 4).to_string();
        for (namespace, name, value) in [
            ("system", "accelerometer_rotation", flag(options.rotation == 0)),
            ("system", "user_rotation", rotation.as_str()),
            ("system", "screen_brightness", "102"),
            ("system", "screen_brightness_mode", "1"),
            ("system", "screen_off_timeout", "60000"),
            ("system", "font_scale", "1.0"),
            ("system", "volume_music", "8"),
            ("system", "volume_ring", "5"),
            ("system", "volume_alarm", "6"),
            ("system", "vibrate_when_ringing", "0"),
            ("system", "sound_effects_enabled", "1"),
            ("system", "show_touches", "0"),
            ("secure", "ui_night_mode", if options.dark { "2" } else { "1" }),
            (
                "secure",
                "default_input_method",
                "com.android.inputmethod.latin/.LatinIME",
            ),
            (
                "secure",
                "enabled_input_methods",
                "com.android.inputmethod.latin/.LatinIME",
            ),
            ("secure", "show_ime_with_hard_keyboard", "1"),
            ("secure", "navigation_mode", "2"),
            ("secure", "location_mode", "3"),
            ("secure", "lock_screen_show_notifications", "1"),
            ("secure", "android_id", "5f3a9c41d2e8b706"),
            ("global", "low_power", "0"),
            ("global", "low_power_sticky_auto_disable_enabled", "1"),
            ("global", "adaptive_battery_management_enabled", "1"),
            ("global", "wifi_on", "1"),
            ("global", "bluetooth_on", "1"),
            ("global", "airplane_mode_on", "0"),
            ("global", "mobile_data", "1"),
            ("global", "zen_mode", "0"),
            ("global", "adb_enabled", "1"),
            ("global", "development_settings_enabled", "1"),
            ("global", "stay_on_while_plugged_in", "0"),
            ("global", "window_animation_scale", "1.0"),
            ("global", "transition_animation_scale", "1.0"),
            ("global", "animator_duration_scale", "1.0"),
            ("global", "auto_time", "1"),
            ("global", "device_provisioned", "1"),
            ("global", "device_name", options.profile.phone.name.as_str()),
        ] {
            settings.put(namespace, name, Some(value));
        }
        settings
    }

    pub(crate) fn get(&self, namespace: &str, name: &str) -> Option<&str> {
        self.tables.get(table(namespace)?)?.get(name).map(String::as_str)
    }

    /// Every value of one table.
    pub(crate) fn all(&self, namespace: &str) -> Vec<(String, String)> {
        let table = table(namespace).and_then(|index| self.tables.get(index));
        table
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// True when the value changed.
    pub(crate) fn put(&mut self, namespace: &str, name: &str, value: Option<&str>) -> bool {
        let Some(table) = table(namespace).and_then(|index| self.tables.get_mut(index)) else {
            return false;
        };
        match value {
            Some(value) => table.insert(name.to_owned(), value.to_owned()).as_deref() != Some(value),
            None => table.remove(name).is_some(),
        }
    }

    pub(crate) fn is_on(&self, namespace: &str, name: &str) -> bool {
        self.get(namespace, name)
            .is_some_and(|value| value != "0" && !value.is_empty())
    }

    pub(crate) fn flip(&mut self, namespace: &str, name: &str) {
        let value = if self.is_on(namespace, name) { "0" } else { "1" };
        self.put(namespace, name, Some(value));
    }

    pub(crate) fn number(&self, namespace: &str, name: &str) -> Option<f32> {
        self.get(namespace, name)?.trim().parse().ok()
    }

    pub(crate) fn is_dark(&self) -> bool {
        self.get("secure", "ui_night_mode") == Some("2")
    }

    /// Quarter turns: what the person locked it to; with auto-rotation on, a phone that lies on a desk stays upright.
    pub(crate) fn rotation(&self) -> u8 {
        if self.is_on("system", "accelerometer_rotation") {
            return 0;
        }
        self.number("system", "user_rotation")
            .map_or(0, |turns| (turns.max(0.0) as u32 % 4) as u8)
    }

    /// Pixels of the upright display: `wm size` overrides the panel's.
    pub(crate) fn size(&self, profile: &Profile) -> (u32, u32) {
        let forced = self.get("global", "display_size_forced").and_then(|forced| {
            let (width, height) = forced.split_once(',')?;
            Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
        });
        // Smaller or larger displays than any phone's are refused, as the window manager does.
        forced
            .filter(|(width, height)| (200..=4320).contains(width) && (200..=4320).contains(height))
            .unwrap_or(profile.size)
    }

    /// Dots per inch: `wm density` overrides the panel's.
    pub(crate) fn density(&self, profile: &Profile) -> u32 {
        let forced = self
            .get("secure", "display_density_forced")
            .and_then(|forced| forced.trim().parse().ok());
        forced
            .filter(|density| (72..=1000).contains(density))
            .unwrap_or(profile.density)
    }
}

//! The state of everything, for a test to compare. Its shape is told in the documentation of [`super`].

use super::System;
use super::window_stack::LayerKind;
use super::world::Grant;
use serde_json::{Map, Value, json};

impl System {
    pub(super) fn tell_state(&self) -> Value {
        let world = &self.world;
        let top = self.tasks.top();
        let text =
            |read: fn(&dyn super::Activity) -> &'static str| top.map(|top| read(top.activity.as_ref()));
        let (popup, secure) = self.front_layer(|kind, secure| (kind == Some(LayerKind::Popup), secure));
        let screen = json!({
            "package": text(|activity| activity.package()),
            "class": text(|activity| activity.class()),
            "popup": popup,
            "keyboard": self.keyboard.up,
            "awake": self.awake,
            "locked": self.locked,
            "shade": self.shade.open,
            "rotation": world.display.rotation,
            "secure": secure,
        });
        let on = |namespace, name| world.settings.is_on(namespace, name);
        let number = |namespace, name| world.settings.number(namespace, name).map(|number| number as i64);
        let settings = json!({
            "batterySaver": on("global", "low_power"),
            "wifi": on("global", "wifi_on"),
            "bluetooth": on("global", "bluetooth_on"),
            "airplaneMode": on("global", "airplane_mode_on"),
            "darkTheme": world.settings.is_dark(),
            "autoRotate": on("system", "accelerometer_rotation"),
            "rotation": world.display.rotation,
            "brightness": number("system", "screen_brightness"),
            "volume": number("system", "volume_music"),
            "network": world.apps.settings.network,
            "factoryResets": world.apps.settings.resets,
            "passwordsShown": world.apps.settings.keys_shown,
        });
        let notifications: Vec<Value> = world
            .notices
            .all
            .iter()
            .map(|notice| json!({"app": notice.app, "title": notice.title, "text": notice.text}))
            .collect();
        let permissions: Map<String, Value> = world
            .permissions
            .iter()
            .map(|((package, permission), grant)| {
                let grant = match grant {
                    Grant::WhileUsing => "granted",
                    Grant::OnlyThisTime => "once",
                    Grant::Denied => "denied",
                };
                (format!("{package} {permission}"), json!(grant))
            })
            .collect();
        let mut state = Map::new();
        state.insert("screen".to_owned(), screen);
        state.insert("settings".to_owned(), settings);
        state.extend(world.apps.tell_state());
        state.insert("usbDebugging".to_owned(), json!(world.debugging));
        state.insert("notifications".to_owned(), Value::Array(notifications));
        state.insert("permissions".to_owned(), Value::Object(permissions));
        Value::Object(state)
    }
}

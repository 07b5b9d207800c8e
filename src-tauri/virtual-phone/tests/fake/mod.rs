//! A phone's system small enough to read: what the wire side is tried against.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "a test's own phone: not every test needs all of it"
)]

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use virtual_phone::android::{
    Android, Battery, Component, Display, FingerAction, Intent, Keyboard, NoHierarchy, NotStarted, Package,
    Picture, Power, Profile, StartedActivity, Window,
};

/// What was done to it, and what it answers.
pub struct Fake {
    pub profile: Profile,
    pub now: Duration,
    pub generation: u64,
    pub rotation: u8,
    pub focus: Component,
    pub keyboard: bool,
    pub awake: bool,
    pub locked: bool,
    pub secure: bool,
    pub hierarchy: Result<String, NoHierarchy>,
    pub settings: BTreeMap<(String, String), String>,
    pub typed: String,
    pub fingers: Vec<(FingerAction, f32, f32, Duration)>,
    pub keys: Vec<(u32, u32, bool)>,
}

pub const TREE: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" \
     text=\"Grüße &amp; Küsse\" resource-id=\"\" class=\"android.widget.TextView\" package=\"com.android.launcher3\" \
     content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"true\" \
     focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
     bounds=\"[0,0][1080,2400]\" /></hierarchy>";

fn component(package: &str, class: &str) -> Component {
    Component {
        package: package.to_owned(),
        class: class.to_owned(),
    }
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            profile: Profile {
                serial: "28161FDH2001A7".to_owned(),
                name: "Anna's Pixel".to_owned(),
                manufacturer: "Google".to_owned(),
                model: "Pixel 7".to_owned(),
                device: "panther".to_owned(),
                release: "14".to_owned(),
                sdk: 34,
                size: (1080, 2400),
                density: 420,
            },
            now: Duration::ZERO,
            generation: 0,
            rotation: 0,
            focus: component("com.android.launcher3", "com.android.launcher3.Launcher"),
            keyboard: false,
            awake: true,
            locked: false,
            secure: false,
            hierarchy: Ok(TREE.to_owned()),
            settings: BTreeMap::new(),
            typed: String::new(),
            fingers: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl Fake {
    pub fn boxed() -> Box<dyn Android> {
        Box::new(Self::default())
    }

    fn apps() -> Vec<(&'static str, &'static str, &'static str, bool)> {
        vec![
            (
                "com.android.launcher3",
                "Home",
                "com.android.launcher3.Launcher",
                true,
            ),
            (
                "com.android.settings",
                "Settings",
                "com.android.settings.Settings",
                true,
            ),
            (
                "com.greenleaf.shop",
                "Greenleaf",
                "com.greenleaf.shop.MainActivity",
                false,
            ),
        ]
    }
}

impl Android for Fake {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn display(&self) -> Display {
        let (width, height) = self.profile.size;
        let (width, height) = if self.rotation % 2 == 1 {
            (height, width)
        } else {
            (width, height)
        };
        Display {
            width,
            height,
            rotation: self.rotation,
            density: self.profile.density,
        }
    }

    fn picture(&mut self) -> Picture {
        let display = self.display();
        let pixels = display.width as usize * display.height as usize;
        let shade = u8::try_from(self.generation % 200).unwrap() + 20;
        let rgba: Vec<u8> = (0..pixels)
            .flat_map(|at| [shade, u8::try_from(at % 251).unwrap(), 128, 255])
            .collect();
        Picture {
            width: display.width,
            height: display.height,
            rgba: Arc::from(rgba),
            secure: self.secure,
        }
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn hierarchy(&mut self) -> Result<String, NoHierarchy> {
        self.hierarchy.clone()
    }

    fn finger(&mut self, action: FingerAction, x: f32, y: f32) {
        self.generation += 1;
        self.fingers.push((action, x, y, self.now));
    }

    fn key(&mut self, code: u32, meta: u32, long: bool) {
        self.generation += 1;
        match code {
            3 => self.focus = component("com.android.launcher3", "com.android.launcher3.Launcher"),
            82 => self.locked = false,
            223 => {
                self.awake = false;
                self.locked = true;
            }
            224 => self.awake = true,
            26 => self.awake = !self.awake,
            _ => {}
        }
        self.keys.push((code, meta, long));
    }

    fn character(&mut self, character: char) -> bool {
        let known = character.is_ascii_graphic() || character == ' ';
        if known {
            self.typed.push(character);
        }
        known
    }

    fn windows(&self) -> Vec<Window> {
        let display = self.display();
        let frame = (
            0,
            0,
            i32::try_from(display.width).unwrap(),
            i32::try_from(display.height).unwrap(),
        );
        let mut windows = Vec::new();
        let window = |title: &str, package: &str, focused, secure, frame| Window {
            title: title.to_owned(),
            package: package.to_owned(),
            focused,
            secure,
            frame,
            half: None,
        };
        if self.locked {
            windows.push(window(
                "NotificationShade",
                "com.android.systemui",
                true,
                false,
                frame,
            ));
        }
        windows.push(window(
            "StatusBar",
            "com.android.systemui",
            false,
            false,
            (0, 0, frame.2, 118),
        ));
        let title = format!("{}/{}", self.focus.package, self.focus.class);
        windows.push(window(
            &title,
            &self.focus.package,
            !self.locked,
            self.secure,
            frame,
        ));
        windows
    }

    fn focused_app(&self) -> Option<Component> {
        Some(self.focus.clone())
    }

    fn packages(&self) -> Vec<Package> {
        Self::apps()
            .into_iter()
            .map(|(name, label, class, system)| Package {
                name: name.to_owned(),
                label: label.to_owned(),
                launcher: (name != "com.android.launcher3").then(|| component(name, class)),
                system,
                version: "1.4.2".to_owned(),
            })
            .collect()
    }

    fn icon(&self, _package: &str, _side: u32) -> Option<Picture> {
        None
    }

    fn resolve(&self, intent: &Intent) -> Option<Component> {
        let apps = Self::apps();
        if let Some(named) = &intent.component {
            let (package, class) = named.split_once('/')?;
            let class = if class.starts_with('.') {
                format!("{package}{class}")
            } else {
                class.to_owned()
            };
            return apps
                .iter()
                .any(|app| app.0 == package && app.2 == class)
                .then(|| component(package, &class));
        }
        let app = match (&intent.package, intent.action.as_deref(), intent.data.as_deref()) {
            (Some(package), _, _) => apps.iter().find(|app| app.0 == package)?,
            (None, Some("android.settings.SETTINGS"), _) => apps.get(1)?,
            (None, _, Some(data)) if data.starts_with("https://greenleaf") => apps.get(2)?,
            _ => return None,
        };
        Some(component(app.0, app.2))
    }

    fn start(&mut self, intent: &Intent) -> Result<StartedActivity, NotStarted> {
        let Some(component) = self.resolve(intent) else {
            return Err(if intent.component.is_some() {
                NotStarted::NoSuchClass
            } else {
                NotStarted::Unresolved
            });
        };
        let already_in_front = component == self.focus;
        self.focus = component.clone();
        self.generation += 1;
        Ok(StartedActivity {
            component,
            already_in_front,
        })
    }

    fn force_stop(&mut self, package: &str) {
        if self.focus.package == package {
            self.key(3, 0, false);
        }
    }

    fn setting(&self, namespace: &str, name: &str) -> Option<String> {
        self.settings
            .get(&(namespace.to_owned(), name.to_owned()))
            .cloned()
    }

    fn put_setting(&mut self, namespace: &str, name: &str, value: Option<&str>) {
        let key = (namespace.to_owned(), name.to_owned());
        match value {
            Some(value) => self.settings.insert(key, value.to_owned()),
            None => self.settings.remove(&key),
        };
        if name == "user_rotation" {
            self.rotation = value.and_then(|value| value.parse().ok()).unwrap_or(0);
        }
    }

    fn settings(&self, namespace: &str) -> Vec<(String, String)> {
        let all = self.settings.iter().filter(|((space, _), _)| space == namespace);
        all.map(|((_, name), value)| (name.clone(), value.clone()))
            .collect()
    }

    fn battery(&self) -> Battery {
        Battery {
            level: 87,
            charging: false,
        }
    }

    fn power(&self) -> Power {
        Power {
            awake: self.awake,
            locked: self.locked,
        }
    }

    fn keyboard(&self) -> Keyboard {
        let ime = "com.android.inputmethod.latin/.LatinIME".to_owned();
        Keyboard {
            shown: self.keyboard,
            enabled: vec![ime.clone()],
            ime,
        }
    }

    fn tick(&mut self, now: Duration) {
        self.now = now;
    }

    fn log(&self) -> Vec<String> {
        vec![
            "11-05 08:12:31.000  1320  1402 I ActivityManager: Start proc 2630:com.android.settings/1000"
                .to_owned(),
        ]
    }

    fn state(&self) -> Value {
        json!({"focus": self.focus.package, "typed": self.typed, "keys": self.keys.len(), "fingers": self.fingers.len()})
    }
}

//! The apps on the phone. Each has its folder: a manifest, its data (what it keeps, and tells in the state), its screens.

mod browser;
mod calendar;
mod camera;
mod clock;
mod contacts;
mod greenleaf;
mod icons;
mod launcher;
mod mail;
mod maps;
mod messages;
mod motion;
mod music;
mod northbank;
mod notes;
mod parts;
mod phone;
mod photos;
mod presses;
mod settings;
mod store;

pub(crate) use icons::{icon_picture, icon_view};
pub(crate) use launcher::{Card, home, recents, wallpaper};
pub(crate) use parts::{dialog_box, dialog_buttons};

use crate::system::{Manifest, SeededRng, SystemOptions};
use serde_json::{Map, Value};

/// Every installed package, in the order of the app list.
static ALL: [&Manifest; 23] = [
    &launcher::MANIFEST,
    &store::MANIFEST,
    &browser::MANIFEST,
    &calendar::MANIFEST,
    &camera::MANIFEST,
    &clock::MANIFEST,
    &contacts::MANIFEST,
    &greenleaf::MANIFEST,
    &mail::MANIFEST,
    &maps::MANIFEST,
    &messages::MANIFEST,
    &motion::MANIFEST,
    &music::MANIFEST,
    &northbank::MANIFEST,
    &notes::MANIFEST,
    &phone::MANIFEST,
    &photos::MANIFEST,
    &presses::MANIFEST,
    &settings::MANIFEST,
    &SYSTEM_UI,
    &PERMISSIONS,
    &KEYBOARD,
    &ADB_KEYBOARD,
];

const fn hidden(package: &'static str, label: &'static str) -> Manifest {
    Manifest {
        package,
        label,
        version: "14",
        system: true,
        icon: None,
        activities: &[],
        open: |_, _, _| None,
    }
}

static SYSTEM_UI: Manifest = hidden("com.android.systemui", "System UI");
static PERMISSIONS: Manifest = hidden("com.android.permissioncontroller", "Permission controller");
static ADB_KEYBOARD: Manifest = Manifest {
    system: false,
    version: "2.4-dev",
    ..hidden(crate::system::ADB_KEYBOARD, "ADB Keyboard")
};
static KEYBOARD: Manifest = hidden("com.android.inputmethod.latin", "Android Keyboard (AOSP)");

/// Every installed package.
pub(crate) fn all() -> &'static [&'static Manifest] {
    &ALL
}

/// A package's manifest.
pub(crate) fn manifest(package: &str) -> Option<&'static Manifest> {
    ALL.iter().copied().find(|manifest| manifest.package == package)
}

/// What the apps keep.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) settings: settings::Data,
    pub(crate) messages: messages::Data,
    pub(crate) greenleaf: greenleaf::Data,
    pub(crate) northbank: northbank::Data,
    pub(crate) notes: notes::Data,
    pub(crate) contacts: contacts::Data,
    pub(crate) browser: browser::Data,
    pub(crate) store: store::Data,
    pub(crate) phone: phone::Data,
    pub(crate) camera: camera::Data,
    pub(crate) photos: photos::Data,
    pub(crate) clock: clock::Data,
    pub(crate) calendar: calendar::Data,
    pub(crate) mail: mail::Data,
    pub(crate) music: music::Data,
    pub(crate) maps: maps::Data,
    pub(crate) presses: presses::Data,
}

impl Data {
    pub(crate) fn new(options: &SystemOptions, rng: &mut SeededRng) -> Self {
        Self {
            settings: settings::Data::default(),
            messages: messages::Data::new(options),
            greenleaf: greenleaf::Data::new(options, rng),
            northbank: northbank::Data::new(options),
            notes: notes::Data::new(options),
            contacts: contacts::Data::new(),
            browser: browser::Data::default(),
            store: store::Data::default(),
            phone: phone::Data::default(),
            camera: camera::Data::default(),
            photos: photos::Data::default(),
            clock: clock::Data::new(),
            calendar: calendar::Data::new(),
            mail: mail::Data::new(),
            music: music::Data::default(),
            maps: maps::Data::default(),
            presses: presses::Data::default(),
        }
    }

    /// Makes one app's data as it was at first.
    pub(crate) fn clear(&mut self, package: &str, options: &SystemOptions, rng: &mut SeededRng) {
        let fresh = Self::new(options, rng);
        match package {
            "com.android.settings" => self.settings.silenced.clear(),
            "com.android.messaging" => self.messages = fresh.messages,
            "com.greenleaf.shop" => self.greenleaf = fresh.greenleaf,
            "com.northbank.mobile" => self.northbank = fresh.northbank,
            "com.android.notes" => self.notes = fresh.notes,
            "com.android.contacts" => self.contacts = fresh.contacts,
            "com.android.browser" => self.browser = fresh.browser,
            "com.android.dialer" => self.phone = fresh.phone,
            "com.android.camera2" => self.camera = fresh.camera,
            "com.android.gallery3d" => self.photos = fresh.photos,
            "com.android.deskclock" => self.clock = fresh.clock,
            "com.android.calendar" => self.calendar = fresh.calendar,
            "com.android.email" => self.mail = fresh.mail,
            "com.android.music" => self.music = fresh.music,
            "com.android.maps" => self.maps = fresh.maps,
            "com.android.presstest" => self.presses = fresh.presses,
            _ => {}
        }
    }

    /// The apps' entries of the phone's state.
    pub(crate) fn tell_state(&self) -> Map<String, Value> {
        [
            ("messages", self.messages.tell_state()),
            ("greenleaf", self.greenleaf.tell_state()),
            ("northbank", self.northbank.tell_state()),
            ("notes", self.notes.tell_state()),
            ("contacts", self.contacts.tell_state()),
            ("browser", self.browser.tell_state()),
            ("store", self.store.tell_state()),
            ("phone", self.phone.tell_state()),
            ("camera", self.camera.tell_state()),
            ("photos", self.photos.tell_state()),
            ("clock", self.clock.tell_state()),
            ("calendar", self.calendar.tell_state()),
            ("mail", self.mail.tell_state()),
            ("music", self.music.tell_state()),
            ("maps", self.maps.tell_state()),
            ("presses", self.presses.tell_state()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
    }
}

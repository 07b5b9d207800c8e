//! The five demo phones.

use crate::android::{Battery, Profile};

/// A phone, and what its owner made of it.
#[derive(Clone, Debug)]
pub struct PhoneProfile {
    /// What it is.
    pub phone: Profile,
    /// The picture behind the home screen.
    pub wallpaper: Wallpaper,
    /// Temperature and weather on the home screen.
    pub weather: String,
    /// Its charge at first.
    pub battery: Battery,
    /// Packages of the icons on the home screen, row by row, four to a row.
    pub home: Vec<String>,
}

/// The pictures behind home screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wallpaper {
    /// Night, a thin moon, dark mountains.
    Mountains,
    /// Green hills, a pale sun.
    Meadow,
    /// Teal waves, an apricot sun.
    Waves,
    /// A peach sky over red and violet dunes.
    Dunes,
    /// Graphite and slate stripes.
    Slate,
}

const MUSIC: &str = "com.android.music";
const PHOTOS: &str = "com.android.gallery3d";
const MAIL: &str = "com.android.email";
const CALENDAR: &str = "com.android.calendar";
const NOTES: &str = "com.android.notes";
const MAPS: &str = "com.android.maps";
const CLOCK: &str = "com.android.deskclock";
const SETTINGS: &str = "com.android.settings";
const GREENLEAF: &str = "com.greenleaf.shop";
const NORTHBANK: &str = "com.northbank.mobile";
const CONTACTS: &str = "com.android.contacts";
const STORE: &str = "com.android.store";

/// Anna's Pixel, Shop phone, Mum's Galaxy, Spare Moto and Old Nexus, in this order.
#[must_use]
pub fn demo_profiles() -> [PhoneProfile; 5] {
    let phone = |serial: &str, name: &str, [manufacturer, model, device]: [&str; 3]| Profile {
        serial: serial.to_owned(),
        name: name.to_owned(),
        manufacturer: manufacturer.to_owned(),
        model: model.to_owned(),
        device: device.to_owned(),
        release: "14".to_owned(),
        sdk: 34,
        size: (1080, 2400),
        density: 420,
    };
    let battery = |level, charging| Battery { level, charging };
    let profile = |phone, wallpaper, weather: &str, battery, home: [&str; 8]| PhoneProfile {
        phone,
        wallpaper,
        weather: weather.to_owned(),
        battery,
        home: home.map(str::to_owned).to_vec(),
    };
    let galaxy = [MUSIC, PHOTOS, MAIL, CALENDAR, NOTES, MAPS, CLOCK, SETTINGS];
    let moto = [
        MAPS, PHOTOS, CALENDAR, MUSIC, GREENLEAF, NOTES, SETTINGS, NORTHBANK,
    ];
    [
        profile(
            phone("37181FDJH004A1", "Anna’s Pixel", ["Google", "Pixel 8", "shiba"]),
            Wallpaper::Mountains,
            "57°F · Clear",
            battery(82, false),
            [
                PHOTOS, MAPS, CALENDAR, MAIL, NORTHBANK, GREENLEAF, SETTINGS, CONTACTS,
            ],
        ),
        profile(
            phone("35261JEHN08B27", "Shop phone", ["Google", "Pixel 7a", "lynx"]),
            Wallpaper::Meadow,
            "64°F · Sunny",
            battery(64, false),
            moto,
        ),
        profile(
            phone("R5CW41QX7PD", "Mum’s Galaxy", ["samsung", "SM-S911B", "dm1q"]),
            Wallpaper::Waves,
            "61°F · Sunny",
            battery(91, true),
            galaxy,
        ),
        profile(
            phone("ZY22GKM4TD", "Spare Moto", ["motorola", "moto g84 5G", "bangkk"]),
            Wallpaper::Dunes,
            "68°F · Sunny",
            battery(47, false),
            moto,
        ),
        profile(
            phone("00c2f4a80b6e15d9", "Old Nexus", ["LGE", "Nexus 5X", "bullhead"]),
            Wallpaper::Slate,
            "55°F · Cloudy",
            battery(35, false),
            [CLOCK, PHOTOS, MAIL, NOTES, CONTACTS, MAPS, SETTINGS, STORE],
        ),
    ]
}

//! Settings: what the drawing shows, and behind every row a page that changes what it says.

mod about;
mod apps;
mod battery;
mod display;
mod home;
mod network;
mod page;
mod reset;
mod search;
mod sound;
mod storage;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use page::Page;

pub(crate) const PACKAGE: &str = "com.android.settings";
const HOME: &str = "com.android.settings.Settings";

/// Wireless networks in reach: name, protected, signal 0…3.
const NETWORKS: [(&str, bool, u8); 5] = [
    ("Alder Street", true, 3),
    ("Greenleaf Guest", false, 2),
    ("Flower Stall", true, 2),
    ("Bridge Café", true, 1),
    ("printer-setup", false, 0),
];

/// What Settings keeps beside the tables of settings.
#[derive(Debug)]
pub(crate) struct Data {
    /// The wireless network the phone is on, when Wi-Fi is on.
    pub(crate) network: Option<&'static str>,
    /// How often the phone was erased.
    pub(crate) resets: u32,
    /// How often the wireless network's password was shown.
    pub(crate) keys_shown: u32,
    /// Packages whose notifications are off.
    pub(crate) silenced: Vec<&'static str>,
}

impl Default for Data {
    fn default() -> Self {
        Self {
            network: Some("Alder Street"),
            resets: 0,
            keys_shown: 0,
            silenced: Vec::new(),
        }
    }
}

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Settings",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Settings2),
        disc: Color::rgb(0xDADDE6),
        ink: Color::rgb(0x3A3D4C),
    }),
    activities: &[
        ActivityDeclaration::main(HOME).answers(&["android.settings.SETTINGS"]),
        ActivityDeclaration::open(Page::Network.class(), &["android.settings.WIRELESS_SETTINGS"]),
        ActivityDeclaration::open(Page::Wifi.class(), &["android.settings.WIFI_SETTINGS"]),
        ActivityDeclaration::inner(Page::Details.class()),
        ActivityDeclaration::open(Page::Devices.class(), &["android.settings.BLUETOOTH_SETTINGS"]),
        ActivityDeclaration::open(
            Page::Apps.class(),
            &[
                "android.settings.APPLICATION_SETTINGS",
                "android.settings.MANAGE_APPLICATIONS_SETTINGS",
            ],
        ),
        ActivityDeclaration::open(apps::INFO, &["android.settings.APPLICATION_DETAILS_SETTINGS"])
            .links(&["package"]),
        ActivityDeclaration::open(
            Page::Notifications.class(),
            &["android.settings.NOTIFICATION_SETTINGS"],
        ),
        ActivityDeclaration::open(
            Page::Battery.class(),
            &["android.intent.action.POWER_USAGE_SUMMARY"],
        ),
        ActivityDeclaration::open(
            Page::BatterySaver.class(),
            &["android.settings.BATTERY_SAVER_SETTINGS"],
        ),
        ActivityDeclaration::open(
            Page::Storage.class(),
            &["android.settings.INTERNAL_STORAGE_SETTINGS"],
        ),
        ActivityDeclaration::open(Page::Sound.class(), &["android.settings.SOUND_SETTINGS"]),
        ActivityDeclaration::open(Page::Display.class(), &["android.settings.DISPLAY_SETTINGS"]),
        ActivityDeclaration::open(Page::About.class(), &["android.settings.DEVICE_INFO_SETTINGS"]),
        ActivityDeclaration::open(Page::System.class(), &["android.settings.SYSTEM_SETTINGS"]),
        ActivityDeclaration::inner(Page::Reset.class()),
        ActivityDeclaration::inner(Page::Erase.class()),
        ActivityDeclaration::inner(search::CLASS),
    ],
    open,
};

fn open(class: &str, intent: &Intent, _: &mut World) -> Option<Box<dyn Activity>> {
    match class {
        HOME => Some(Box::new(home::Home)),
        search::CLASS => Some(Box::new(search::Search::default())),
        apps::INFO => {
            let package = intent.data.as_deref()?.strip_prefix("package:")?;
            Some(Box::new(apps::AppInfo::new(super::manifest(package)?)))
        }
        _ => Page::ALL
            .into_iter()
            .find(|page| page.class() == class)
            .map(Page::open),
    }
}

//! The apps the planner knows its way in: what they are called, and how their packages are recognised.

/// One app.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KnownApp {
    /// As a person calls it.
    pub(super) name: &'static str,
    /// Other names for it: makers and phones differ.
    pub(super) also: &'static [&'static str],
    /// Parts of its package's name.
    packages: &'static [&'static str],
}

impl KnownApp {
    /// Whether a package is this app.
    pub(super) fn owns(&self, package: &str) -> bool {
        package.split('.').any(|part| self.packages.contains(&part))
    }
}

const fn app(
    name: &'static str,
    also: &'static [&'static str],
    packages: &'static [&'static str],
) -> KnownApp {
    KnownApp { name, also, packages }
}

pub(super) static GREENLEAF: KnownApp = app("Greenleaf", &[], &["greenleaf"]);
pub(super) static NORTHBANK: KnownApp = app("Northbank", &[], &["northbank"]);
pub(super) static MESSAGES: KnownApp = app("Messages", &["Messaging"], &["messaging", "mms"]);
pub(super) static SETTINGS: KnownApp = app("Settings", &[], &["settings"]);
pub(super) static STORE: KnownApp = app("Store", &["App store", "Play Store"], &["store", "vending"]);
pub(super) static NOTES: KnownApp = app("Notes", &["Notepad"], &["notes"]);
pub(super) static CONTACTS: KnownApp = app("Contacts", &["People"], &["contacts"]);
pub(super) static BROWSER: KnownApp = app(
    "Browser",
    &["Chrome", "Internet"],
    &["browser", "chrome", "sbrowser"],
);
static CALENDAR: KnownApp = app("Calendar", &[], &["calendar"]);
static CAMERA: KnownApp = app("Camera", &[], &["camera", "camera2"]);
static CLOCK: KnownApp = app(
    "Clock",
    &["Alarm", "Alarms", "Timer"],
    &["deskclock", "clockpackage"],
);
static MAIL: KnownApp = app("Mail", &["Email", "E-mail", "Gmail"], &["email", "gm"]);
static MAPS: KnownApp = app("Maps", &["Map"], &["maps"]);
static MUSIC: KnownApp = app("Music", &[], &["music"]);
static PHONE: KnownApp = app("Phone", &["Dialer", "Dialler"], &["dialer"]);
static PHOTOS: KnownApp = app("Photos", &["Gallery", "Pictures"], &["gallery3d", "photos"]);

static ALL: [&KnownApp; 16] = [
    &GREENLEAF, &NORTHBANK, &MESSAGES, &SETTINGS, &STORE, &NOTES, &CONTACTS, &BROWSER, &CALENDAR, &CAMERA,
    &CLOCK, &MAIL, &MAPS, &MUSIC, &PHONE, &PHOTOS,
];

/// The app a person means by a name.
pub(super) fn find(name: &str) -> Option<&'static KnownApp> {
    let wanted = super::words::plain(name);
    let wanted = wanted.strip_suffix(" app").unwrap_or(&wanted);
    let is = |known: &str| {
        let known = known.to_lowercase();
        super::words::like(wanted, &known) || wanted == known
    };
    ALL.iter()
        .copied()
        .find(|app| is(app.name) || app.also.iter().any(|other| is(other)))
}

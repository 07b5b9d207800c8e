//! The apps the planner knows its way in: what they are called, and how their packages are recognised.

/// One app.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownApp {
    /// As a person calls it.
    pub(crate) name: &'static str,
    /// Other names for it: makers and phones differ.
    pub(crate) also: &'static [&'static str],
    /// Parts of its package's name.
    packages: &'static [&'static str],
}

impl KnownApp {
    /// Whether a package is this app.
    pub(crate) fn owns(&self, package: &str) -> bool {
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

pub(crate) static GREENLEAF: KnownApp = app("Greenleaf", &[], &["greenleaf"]);
pub(crate) static NORTHBANK: KnownApp = app("Northbank", &[], &["northbank"]);
pub(crate) static MESSAGES: KnownApp = app("Messages", &["Messaging"], &["messaging", "mms"]);
pub(crate) static SETTINGS: KnownApp = app("Settings", &[], &["settings"]);
pub(crate) static STORE: KnownApp = app("Store", &["App store", "Play Store"], &["store", "vending"]);
pub(crate) static NOTES: KnownApp = app("Notes", &["Notepad"], &["notes"]);
pub(crate) static CONTACTS: KnownApp = app("Contacts", &["People"], &["contacts"]);
pub(crate) static BROWSER: KnownApp = app(
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
pub(crate) fn find(name: &str) -> Option<&'static KnownApp> {
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

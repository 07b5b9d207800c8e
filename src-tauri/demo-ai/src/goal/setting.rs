//! What can be asked of Settings, and the way to it.

use super::task::{Route, Setting, Task};
use crate::clause::Clause;

const fn route(
    rows: &'static [&'static str],
    title: &'static str,
    search: &'static str,
    words: &'static [&'static str],
) -> Route {
    Route {
        rows,
        title,
        search,
        words,
    }
}

static NETWORK: Route = route(
    &["Network & internet"],
    "Network & internet",
    "network",
    &["network settings", "network & internet"],
);
static WIFI: Route = route(
    &["Network & internet", "Wi-Fi"],
    "Wi-Fi",
    "wifi",
    &["wi-fi settings", "wifi settings"],
);
static DEVICES: Route = route(
    &["Connected devices"],
    "Connected devices",
    "bluetooth",
    &["connected devices", "bluetooth settings"],
);
static BATTERY: Route = route(
    &["Battery"],
    "Battery",
    "battery",
    &["battery settings", "battery page"],
);
static SAVER: Route = route(
    &["Battery", "Battery Saver"],
    "Battery Saver",
    "battery saver",
    &["battery saver settings"],
);
static DISPLAY: Route = route(
    &["Display"],
    "Display",
    "display",
    &["display settings", "screen settings"],
);
static SOUND: Route = route(
    &["Sound & vibration"],
    "Sound & vibration",
    "sound",
    &["sound settings", "sound & vibration"],
);
static ABOUT: Route = route(
    &["About phone"],
    "About phone",
    "about phone",
    &["about phone", "about the phone"],
);
static STORAGE: Route = route(
    &["Storage"],
    "Storage",
    "storage",
    &["storage settings", "storage page"],
);

/// Every page that can be shown by name.
static PAGES: [&Route; 9] = [
    &WIFI, &SAVER, &NETWORK, &DEVICES, &BATTERY, &DISPLAY, &SOUND, &ABOUT, &STORAGE,
];

const fn setting(
    name: &'static str,
    words: &'static [&'static str],
    switch: &'static str,
    route: &'static Route,
) -> Setting {
    Setting {
        name,
        words,
        switch,
        route,
    }
}

/// Every switch, longer names first.
static SETTINGS: [Setting; 12] = [
    setting(
        "Battery Saver",
        &[
            "battery saver",
            "battery-saver",
            "batterysaver",
            "power saver",
            "power saving",
            "power save",
            "low power",
        ],
        "Use Battery Saver",
        &SAVER,
    ),
    setting(
        "Adaptive Battery",
        &["adaptive battery"],
        "Adaptive Battery",
        &BATTERY,
    ),
    setting(
        "Battery percentage",
        &["battery percentage", "battery percent"],
        "Battery percentage",
        &BATTERY,
    ),
    setting("Wi-Fi", &["wi-fi", "wifi", "wi fi", "wlan"], "Use Wi-Fi", &WIFI),
    setting(
        "Bluetooth",
        &["bluetooth", "blue tooth"],
        "Use Bluetooth",
        &DEVICES,
    ),
    setting(
        "Airplane mode",
        &["airplane mode", "aeroplane mode", "flight mode", "airplane"],
        "Airplane mode",
        &NETWORK,
    ),
    setting("Data Saver", &["data saver"], "Data Saver", &NETWORK),
    setting(
        "Mobile data",
        &["mobile data", "cellular data", "cell data"],
        "Mobile data",
        &NETWORK,
    ),
    setting(
        "Dark theme",
        &[
            "dark theme",
            "dark mode",
            "night mode",
            "light theme",
            "light mode",
            "dark",
        ],
        "Dark theme",
        &DISPLAY,
    ),
    setting(
        "Adaptive brightness",
        &["adaptive brightness", "auto brightness", "automatic brightness"],
        "Adaptive brightness",
        &DISPLAY,
    ),
    setting(
        "Auto-rotate",
        &["auto-rotate", "auto rotate", "autorotate", "rotation"],
        "Auto-rotate screen",
        &DISPLAY,
    ),
    setting(
        "Do Not Disturb",
        &["do not disturb", "dnd"],
        "Do Not Disturb",
        &SOUND,
    ),
];

/// What About phone tells: what the person may call it, and the line.
const FACTS: [(&[&str], &str); 8] = [
    (&["security update", "security patch"], "Android security update"),
    (
        &[
            "android version",
            "version of android",
            "which android",
            "what android",
        ],
        "Android version",
    ),
    (&["build number"], "Build number"),
    (&["serial number", "serial"], "Serial number"),
    (
        &["device name", "name of the phone", "name of this phone"],
        "Device name",
    ),
    (
        &[
            "my phone number",
            "phone's number",
            "number of this phone",
            "my own number",
            "my number",
        ],
        "Phone number",
    ),
    (&["ip address"], "IP address"),
    (&["phone model", "which model", "what model", "model of"], "Model"),
];

/// The page with the brightness on it.
pub(crate) fn display() -> &'static Route {
    &DISPLAY
}

/// The page that tells what phone it is.
pub(crate) fn about() -> &'static Route {
    &ABOUT
}

/// The page that tells what is how large.
pub(crate) fn storage() -> &'static Route {
    &STORAGE
}

/// Words about Settings.
pub(super) fn read(clause: &Clause<'_>) -> Option<Task> {
    switch(clause)
        .or_else(|| brightness(clause))
        .or_else(|| fact(clause))
        .or_else(|| page(clause))
}

/// `Turn on Battery Saver`, `wifi off`, `Switch the phone to dark mode`.
fn switch(clause: &Clause<'_>) -> Option<Task> {
    let setting = SETTINGS.iter().find(|setting| clause.says(setting.words))?;
    let off =
        clause.has(&["off", "disable", "deactivate", "stop"]) || clause.says(&["light theme", "light mode"]);
    let on = clause.has(&["on", "enable", "activate", "start", "use"])
        || clause.says(&["switch to", "go to", "to dark", "save power"]);
    let bare = clause.words.len() <= 3 && clause.has(&["please", "now"]) || clause.words.len() <= 2;
    let shows = clause.has(&["open", "show", "settings", "page"]);
    match (off, on, shows) {
        (true, _, _) => Some(Task::Switch { setting, on: false }),
        (false, true, _) => Some(Task::Switch { setting, on: true }),
        (false, false, false) if bare => Some(Task::Switch { setting, on: true }),
        _ => None,
    }
}

/// `Set the brightness to 70%`.
fn brightness(clause: &Clause<'_>) -> Option<Task> {
    let light = clause.has(&["brightness", "brighter", "dim", "darker", "dimmer"])
        || clause.has(&["screen", "display"]) && clause.has(&["bright", "dark"]);
    if !light {
        return None;
    }
    let percent = clause
        .words
        .iter()
        .rev()
        .find_map(|word| word.plain.trim_end_matches('%').parse::<u32>().ok());
    let named = || {
        if clause.has(&["brighter", "bright"]) {
            Some(80)
        } else if clause.has(&["full", "maximum", "max", "highest", "brightest"]) {
            Some(100)
        } else if clause.has(&["half", "middle", "medium"]) {
            Some(50)
        } else if clause.has(&["minimum", "min", "lowest", "dim", "darker", "dimmer"]) {
            Some(10)
        } else {
            None
        }
    };
    percent
        .filter(|percent| *percent <= 100)
        .or_else(named)
        .map(Task::Brightness)
}

/// `Tell me the Android version`, `What uses the most storage?`
fn fact(clause: &Clause<'_>) -> Option<Task> {
    let storage = clause.has(&["storage", "space", "room"]);
    if storage && clause.has(&["uses", "most", "much", "free", "left", "takes", "full", "what"]) {
        return Some(Task::Storage);
    }
    let (_, line) = FACTS.iter().find(|(words, _)| clause.says(words))?;
    Some(Task::Fact { line })
}

/// `Open About phone`.
fn page(clause: &Clause<'_>) -> Option<Task> {
    let shows = clause.has(&["open", "show", "go", "take", "see", "find"]);
    let page = PAGES.iter().find(|page| clause.says(page.words))?;
    shows.then_some(Task::Show(page))
}

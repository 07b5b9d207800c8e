//! A setting that is switched on, behind a scroll in a list.

use crate::common::drawing;
use crate::days::{self, Day, moved};
use crate::overlays::in_app;
use crate::task::{Does, STEP, Step, Task, Values};
use std::fmt::Write as _;

const APP: &str = "com.android.settings";
const SWITCH: &str = "Automatic system updates";

pub(crate) const SETTING: Task = Task {
    name: "setting",
    app: APP,
    values: &[],
    steps: &[
        STEP,
        Step {
            page: "settings",
            does: Does::Scroll,
            ..STEP
        },
        Step {
            page: "settings-scrolled",
            does: Does::Tap {
                id: "",
                label: "System",
                entry: None,
            },
            also: &["Système"],
            ..STEP
        },
        Step {
            page: "system",
            does: Does::Switch { label: SWITCH },
            also: &[
                "Update the system by itself",
                "Mises à jour automatiques du système",
            ],
            ..STEP
        },
    ],
    end: "system-on",
    tree,
    first: "settings",
    covered: "system",
    replaced: &["settings-scrolled", "system"],
    days,
};

const ROWS: [(&str, &str); 10] = [
    ("Network & internet", "Wi‑Fi, mobile, hotspot"),
    ("Connected devices", "Bluetooth, pairing"),
    ("Apps", "Recent apps, default apps"),
    ("Notifications", "History, conversations"),
    ("Battery", "82% · about 1 day left"),
    ("Storage", "41% used · 75 GB free"),
    ("Sound & vibration", "Volume, do not disturb"),
    ("Display", "Dark theme, brightness, rotation"),
    ("System", "Languages, gestures, reset"),
    ("About phone", "Pixel 8"),
];

/// The rows of the first page from one on, as many as fit; a title and a search bar above the first.
fn list(rows: &[(&str, &str)], from: usize, (width, height): (usize, usize)) -> String {
    let mut drawn = format!(
        "FrameLayout [0,0][{width},{height}]\n  \
         FrameLayout [0,126][{width},{height}] #content\n    \
         androidx.recyclerview.widget.RecyclerView [0,126][{width},{height}] #settings_homepage_container scroll\n"
    );
    let mut top = 145;
    if from == 0 {
        writeln!(
            drawn,
            "      TextView [0,126][{width},422] #homepage_title \"Settings\"\n      \
             LinearLayout [0,422][{width},632]\n        \
             LinearLayout [45,422][1035,585] #search_bar click\n          \
             TextView [201,480][977,528] #search_action_bar_title \"Search settings\""
        )
        .unwrap();
        top = 632;
    }
    for (title, summary) in &rows[from.min(rows.len() - 1)..] {
        if top + 160 > height {
            break;
        }
        writeln!(
            drawn,
            "      LinearLayout [0,{top}][{width},{}] click\n        \
             ImageView [68,{}][186,{}] #icon\n        \
             TextView [241,{}][1027,{}] #android:id/title \"{title}\"\n        \
             TextView [241,{}][1027,{}] #android:id/summary \"{summary}\"",
            top + 215,
            top + 49,
            top + 167,
            top + 52,
            top + 115,
            top + 116,
            top + 163,
        )
        .unwrap();
        top += 215;
    }
    in_app(&drawn, APP)
}

/// The page of the switch.
fn system(rows: &[&str], is_on: bool) -> String {
    let mut drawn = String::from(
        "FrameLayout [0,0][1080,2400]\n  \
         ImageButton [24,158][150,284] desc=\"Navigate up\" click\n  \
         TextView [63,330][1000,440] #page_title \"System\"\n  \
         androidx.recyclerview.widget.RecyclerView [0,480][1080,2337] #recycler_view scroll\n",
    );
    for (n, title) in rows.iter().enumerate() {
        let top = 480 + n * 215;
        let (line, end) = (top + 52, top + 163);
        writeln!(
            drawn,
            "    LinearLayout [0,{top}][1080,{}] click\n      \
             TextView [63,{line}][800,{end}] #android:id/title \"{title}\"",
            top + 215
        )
        .unwrap();
        if title.contains("pdate") || title.contains("Mises") {
            let checked = if is_on { "check checked" } else { "check" };
            writeln!(
                drawn,
                "      Switch [880,{line}][1020,{end}] #android:id/switch_widget {checked}"
            )
            .unwrap();
        }
    }
    in_app(&drawn, APP)
}

const SYSTEM: [&str; 5] = ["Languages", "Gestures", "Date & time", SWITCH, "Reset options"];

fn tree(name: &str, _: Values) -> String {
    match name {
        "settings" | "settings-scrolled" => drawing::demo_xml(name).to_owned(),
        "system" => system(&SYSTEM, false),
        "system-on" => system(&SYSTEM, true),
        other => panic!("no page {other}"),
    }
}

const FRENCH: &[(&str, &str)] = &[
    ("\"Settings\"", "\"Paramètres\""),
    ("Search settings", "Rechercher dans les paramètres"),
    ("Network &amp; internet", "Réseau et internet"),
    ("Wi‑Fi, mobile, hotspot", "Wi-Fi, mobile, point d’accès"),
    ("Connected devices", "Appareils connectés"),
    ("Bluetooth, pairing", "Bluetooth, association"),
    ("\"Apps\"", "\"Applications\""),
    ("Recent apps, default apps", "Applications récentes, par défaut"),
    ("\"Notifications\"", "\"Notifications\""),
    ("History, conversations", "Historique, conversations"),
    ("\"Battery\"", "\"Batterie\""),
    ("\"Storage\"", "\"Stockage\""),
    ("Sound &amp; vibration", "Son et vibreur"),
    ("Volume, do not disturb", "Volume, ne pas déranger"),
    ("\"Display\"", "\"Affichage\""),
    (
        "Dark theme, brightness, rotation",
        "Thème sombre, luminosité, rotation",
    ),
    ("\"System\"", "\"Système\""),
    ("Languages, gestures, reset", "Langues, gestes, réinitialisation"),
    ("About phone", "À propos du téléphone"),
    ("Navigate up", "Revenir en arrière"),
    ("\"Languages\"", "\"Langues\""),
    ("\"Gestures\"", "\"Gestes\""),
    ("Date &amp; time", "Date et heure"),
    (SWITCH, "Mises à jour automatiques du système"),
    ("Reset options", "Options de réinitialisation"),
];

/// Rows are as high as ever on a screen of another size; the page of the switch fits into it.
fn on_screen(name: &'static str, size: (u32, u32), from: fn(&str, u32) -> usize) -> Day {
    let (width, height) = size;
    Day {
        size,
        ..Day::changed(name, move |page, xml, scrolled| match page {
            "settings" | "settings-scrolled" => {
                list(&ROWS, from(page, scrolled), (width as usize, height as usize))
            }
            "launcher" | "system" | "system-on" => moved(&xml, |x, y| (x * width / 1080, y * height / 2400)),
            _ => xml,
        })
    }
}

/// A list that shows other rows: from which row on, by page and by how often it was scrolled.
fn rows(
    name: &'static str,
    rows: &'static [(&'static str, &'static str)],
    size: (usize, usize),
    from: fn(&str, u32) -> usize,
) -> Day {
    Day::changed(name, move |page, xml, scrolled| {
        if page.starts_with("settings") {
            list(rows, from(page, scrolled), size)
        } else {
            xml
        }
    })
}

/// The page of the switch in another form.
fn switches(name: &'static str, rows: &'static [&'static str]) -> Day {
    Day::changed(name, |page, xml, _| {
        if page.starts_with("system") {
            system(rows, page == "system-on")
        } else {
            xml
        }
    })
}

fn on_screens() -> Vec<Day> {
    vec![
        on_screen("a smaller screen", (720, 1280), |page, scrolled| {
            usize::from(page != "settings") * 3 + scrolled as usize * 3
        }),
        // All rows fit: there is nothing to scroll.
        on_screen("a larger screen", (1440, 3200), |_, _| 0),
        on_screen("turned", (2400, 1080), |page, scrolled| {
            usize::from(page != "settings") * 3 + scrolled as usize * 3
        }),
    ]
}

fn days() -> Vec<Day> {
    const ORDERED: &[(&str, &str)] = &[
        ("Network & internet", "Wi‑Fi, mobile, hotspot"),
        ("Apps", "Recent apps, default apps"),
        ("Connected devices", "Bluetooth, pairing"),
        ("Battery", "82% · about 1 day left"),
        ("Notifications", "History, conversations"),
        ("Storage", "41% used · 75 GB free"),
        ("Display", "Dark theme, brightness, rotation"),
        ("Sound & vibration", "Volume, do not disturb"),
        ("About phone", "Pixel 8"),
        ("System", "Languages, gestures, reset"),
    ];
    const MORE: &[(&str, &str)] = &[
        ("Network & internet", "Wi‑Fi, mobile, hotspot"),
        ("Connected devices", "Bluetooth, pairing"),
        ("Apps", "Recent apps, default apps"),
        ("Notifications", "History, conversations"),
        ("Battery", "82% · about 1 day left"),
        ("Storage", "41% used · 75 GB free"),
        ("Sound & vibration", "Volume, do not disturb"),
        ("Display", "Dark theme, brightness, rotation"),
        ("Wallpaper & style", "Colors, themed icons"),
        ("Accessibility", "Magnification, captions"),
        ("Security & privacy", "Screen lock, permissions"),
        ("Location", "On"),
        ("Safety & emergency", "Emergency SOS, alerts"),
        ("Passwords & accounts", "Saved passwords"),
        ("Digital Wellbeing", "Screen time, bedtime"),
        ("System", "Languages, gestures, reset"),
        ("About phone", "Pixel 8"),
    ];
    let scrolled_by = |page: &str, scrolled: u32| usize::from(page != "settings") * 2 + scrolled as usize * 6;
    let mut all = on_screens();
    all.extend([
        Day::reworded(
            days::OTHER_DATA,
            &[
                ("82% · about 1 day left", "34% · about 6 hours left"),
                ("41% used · 75 GB free", "83% used · 22 GB free"),
            ],
        ),
        Day {
            is_done: true,
            ..Day::changed(days::IS_ON, |name, xml, _| match name {
                "system" => system(&SYSTEM, true),
                _ => xml,
            })
        },
        rows(days::OTHER_ORDER, ORDERED, (1080, 2337), scrolled_by),
        switches(
            days::MOVED,
            &[SWITCH, "Languages", "Gestures", "Date & time", "Reset options"],
        ),
        Day::reworded(days::OTHER_WORDING, &[(SWITCH, "Update the system by itself")]),
        Day::reworded(
            days::OTHER_ID,
            &[
                ("settings_homepage_container", "dashboard_container"),
                ("recycler_view", "list"),
                ("switch_widget", "material_switch"),
            ],
        ),
        Day::reworded(days::OTHER_LANGUAGE, FRENCH),
        switches(
            days::GONE,
            &["Languages", "Gestures", "Date & time", "Reset options"],
        ),
        rows(days::FURTHER_DOWN, MORE, (1080, 2337), scrolled_by),
        switches(
            days::TWINS,
            &["Languages", "Gestures", SWITCH, SWITCH, "Reset options"],
        ),
    ]);
    all
}

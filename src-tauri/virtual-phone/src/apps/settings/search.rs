//! Searching Settings.

use super::PACKAGE;
use super::page::Page;
use crate::apps::parts::{nothing, search_field};
use crate::system::{Activity, SystemRequest, World};
use crate::toolkit::view::{ScreenMessage, View, column, scroll, text};
use lucide_icons::Icon;

pub(super) const CLASS: &str = "com.android.settings.intelligence.search.SearchActivity";

/// What can be found, where it is, and the page that opens.
const INDEX: [(&str, &str, Page); 24] = [
    ("Network & internet", "Settings", Page::Network),
    ("Wi‑Fi", "Network & internet", Page::Wifi),
    ("Airplane mode", "Network & internet", Page::Network),
    ("Mobile data", "Network & internet", Page::Network),
    ("Bluetooth", "Connected devices", Page::Devices),
    ("Pair new device", "Connected devices", Page::Devices),
    ("Apps", "Settings", Page::Apps),
    ("Notifications", "Settings", Page::Notifications),
    ("Do Not Disturb", "Sound & vibration", Page::Sound),
    ("Battery", "Settings", Page::Battery),
    ("Battery Saver", "Battery", Page::BatterySaver),
    ("Storage", "Settings", Page::Storage),
    ("Sound & vibration", "Settings", Page::Sound),
    ("Media volume", "Sound & vibration", Page::Sound),
    ("Display", "Settings", Page::Display),
    ("Dark theme", "Display", Page::Display),
    ("Brightness level", "Display", Page::Display),
    ("Auto-rotate screen", "Display", Page::Display),
    ("Screen timeout", "Display", Page::Display),
    ("System", "Settings", Page::System),
    ("Reset options", "System", Page::Reset),
    ("About phone", "Settings", Page::About),
    ("Android version", "About phone", Page::About),
    ("Build number", "About phone", Page::About),
];

#[derive(Debug, Default)]
pub(super) struct Search {
    words: String,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Write(String),
    Submit,
    Open(Page),
}

/// Wi-Fi is found with and without its hyphen, whichever hyphen it is.
fn plain(words: &str) -> String {
    words
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}

impl Activity for Search {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn resume(&mut self, world: &mut World) {
        if self.words.is_empty() {
            world.call(SystemRequest::Focus("search"));
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let wanted = plain(&self.words);
        let found = INDEX
            .iter()
            .filter(|(title, ..)| !wanted.is_empty() && plain(title).contains(&wanted));
        let mut rows: Vec<View> = found
            .map(|(title, place, page)| {
                column([
                    text(*title, 18.0, theme.text).id("android:id/title"),
                    text(*place, 14.5, theme.text_2).id("breadcrumb"),
                ])
                .gap(2.0)
                .pad_xy(28.0, 14.0)
                .wide()
                .click(Msg::Open(*page))
            })
            .collect();
        if rows.is_empty() {
            let words = if wanted.is_empty() {
                "Search for a setting"
            } else {
                "No results"
            };
            rows.push(nothing(theme, Icon::Search, words));
        }
        let field = search_field(
            theme,
            &self.words,
            "Search settings",
            Msg::Write,
            Msg::Back,
            Msg::Submit,
        );
        column([
            column([field]).pad_each(17.0, 10.0, 17.0, 8.0),
            scroll(rows).id("list_results").key("results"),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Write(words)) => self.words = words,
            Some(Msg::Open(page)) => world.call(SystemRequest::Open(page.open())),
            Some(Msg::Submit) | None => {}
        }
    }
}

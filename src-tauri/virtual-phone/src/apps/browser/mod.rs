//! A browser of local pages: nothing leaves the phone. Addresses it does not know show that they cannot be reached.

mod pages;
mod web;

use crate::android::Intent;
use crate::apps::parts::{icon_button, menu};
use crate::system::{Activity, ActivityDeclaration, Bars, Icon, Manifest, Popup, Sign, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::TextStyle;
use crate::toolkit::view::{
    CrossAxisAlignment, ImeAction, InputKind, ScreenMessage, View, column, field, icon, row,
};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.browser";
const CLASS: &str = "com.android.browser.BrowserActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Browser",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Globe),
        disc: Color::rgb(0x0E8CA8),
        ink: Color::WHITE,
    }),
    activities: &[ActivityDeclaration::main(CLASS)
        .answers(&["android.intent.action.WEB_SEARCH"])
        .links(&["http", "https", "about"])],
    open: |_, intent, _| Some(Box::new(Browser::of(intent))),
};

/// What the browser keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    address: String,
    /// Forms that were sent: address, then name and value of each field.
    submitted: Vec<(String, Vec<(String, String)>)>,
}

impl Data {
    pub(crate) fn tell_state(&self) -> Value {
        let submitted: Vec<Value> = self
            .submitted
            .iter()
            .map(|(address, values)| {
                let values: serde_json::Map<String, Value> = values
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(value)))
                    .collect();
                json!({"address": address, "values": values})
            })
            .collect();
        json!({"address": self.address, "submitted": submitted})
    }
}

/// The browser's window.
#[derive(Debug)]
struct Browser {
    /// Pages visited, the one shown last.
    history: Vec<String>,
    /// What is being written in the address bar.
    writing: Option<String>,
    /// Values of the page's fields.
    values: Vec<(String, String)>,
    sent: bool,
    menu: bool,
}

/// What a page or the bar can tell the browser.
#[derive(Clone, Debug)]
pub(super) enum Msg {
    Write(String),
    Go,
    Visit(String),
    Value(String, String),
    Send,
    Home,
    Menu,
    CloseMenu,
    Reload,
}

/// The address without scheme and closing slash, in small letters: `news.example`.
fn plain(address: &str) -> String {
    let address = address.trim().to_lowercase();
    let address = address
        .strip_prefix("https://")
        .or(address.strip_prefix("http://"))
        .unwrap_or(&address);
    address
        .trim_start_matches("www.")
        .trim_end_matches('/')
        .to_owned()
}

impl Browser {
    fn of(intent: &Intent) -> Self {
        let asked = intent.data.clone().or_else(|| {
            intent
                .extras
                .iter()
                .find(|(name, _)| name == "query")
                .map(|(_, value)| value.clone())
        });
        let mut browser = Self {
            history: vec![pages::START.to_owned()],
            writing: None,
            values: Vec::new(),
            sent: false,
            menu: false,
        };
        if let Some(address) = asked {
            browser.visit(&address);
        }
        browser
    }

    fn address(&self) -> &str {
        self.history.last().map_or(pages::START, String::as_str)
    }

    fn visit(&mut self, address: &str) {
        let address = plain(address);
        // Words that are no address are looked for on the start page's own list.
        let address = if address.is_empty() {
            pages::START.to_owned()
        } else if address.contains('.') && !address.contains(' ') || address.contains(':') {
            address
        } else {
            format!("search:{address}")
        };
        self.history.push(address);
        self.writing = None;
        self.values.clear();
        self.sent = false;
    }
}

impl Activity for Browser {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn bars(&self, world: &World) -> Bars {
        Bars::on(world.theme.background)
    }

    fn resume(&mut self, world: &mut World) {
        world.apps.browser.address = self.address().to_owned();
    }

    fn arrive(&mut self, intent: &Intent, world: &mut World) {
        if let Some(address) = &intent.data {
            self.visit(address);
        }
        self.resume(world);
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let shown = self.address();
        let start = shown == pages::START;
        let words = self
            .writing
            .clone()
            .unwrap_or_else(|| if start { String::new() } else { shown.to_owned() });
        let mut style = TextStyle::new(16.5, theme.text);
        style.max_lines = 1;
        let address = field(&words, "Search or type web address", style, Msg::Write)
            .kind(InputKind::Address)
            .action(ImeAction::Go, Msg::Go)
            .caret(theme.accent)
            .hint_color(theme.text_2)
            .id("url_bar")
            .key("address")
            .height(48.0)
            .grow();
        let known = pages::find(shown).is_some();
        let sign = if start || !known {
            lucide_icons::Icon::Search
        } else {
            lucide_icons::Icon::Lock
        };
        let pill = row([icon(sign, 18.0, theme.text_2).id("location_bar_status"), address])
            .gap(12.0)
            .cross(CrossAxisAlignment::Center)
            .grow()
            .pad_each(18.0, 0.0, 14.0, 0.0)
            .fill(theme.fill)
            .radius(24.0);
        let home = icon_button(lucide_icons::Icon::House, "Home", theme.text, Msg::Home).id("home_button");
        let more = icon_button(
            lucide_icons::Icon::EllipsisVertical,
            "More options",
            theme.text,
            Msg::Menu,
        )
        .id("menu_button");
        let bar = row([home, pill, more])
            .cross(CrossAxisAlignment::Center)
            .gap(4.0)
            .height(68.0)
            .pad_xy(6.0, 0.0)
            .id("toolbar");
        column([bar, web::page(shown, &self.values, self.sent, world)])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.menu.then(|| {
            let items = vec![
                ("Reload".to_owned(), ScreenMessage::new(Msg::Reload)),
                ("Start page".to_owned(), ScreenMessage::new(Msg::Home)),
            ];
            menu(
                &world.theme,
                "menu",
                "menu_button",
                items,
                ScreenMessage::new(Msg::CloseMenu),
            )
        })
    }

    fn back(&mut self, world: &mut World) -> bool {
        if self.history.len() < 2 {
            return false;
        }
        self.history.pop();
        self.writing = None;
        self.sent = false;
        self.resume(world);
        true
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Write(words)) => self.writing = Some(words),
            Some(Msg::Go) => {
                let words = self.writing.clone().unwrap_or_else(|| self.address().to_owned());
                self.visit(&words);
                world.call(SystemRequest::Blur);
            }
            Some(Msg::Visit(address)) => self.visit(&address),
            Some(Msg::Value(name, value)) => {
                self.values.retain(|(other, _)| *other != name);
                self.values.push((name, value));
            }
            Some(Msg::Send) => {
                self.sent = true;
                world
                    .apps
                    .browser
                    .submitted
                    .push((self.address().to_owned(), self.values.clone()));
                world.call(SystemRequest::Blur);
            }
            Some(Msg::Home) => {
                self.menu = false;
                self.visit("");
            }
            Some(Msg::Menu) => self.menu = true,
            Some(Msg::CloseMenu) => self.menu = false,
            Some(Msg::Reload) => {
                self.menu = false;
                self.sent = false;
                self.values.clear();
            }
            None => {}
        }
        self.resume(world);
    }
}

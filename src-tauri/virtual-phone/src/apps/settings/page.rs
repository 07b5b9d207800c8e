//! The pages of Settings, and the frame they all have.

use super::{PACKAGE, about, apps, battery, display, network, reset, sound, storage};
use crate::apps::parts::icon_button;
use crate::system::{Activity, Popup, SystemRequest, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, class, column, row, scroll, text};
use lucide_icons::Icon;

/// A page of Settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Network,
    Wifi,
    Details,
    Devices,
    Apps,
    Notifications,
    Battery,
    BatterySaver,
    Storage,
    Sound,
    Display,
    System,
    Reset,
    Erase,
    About,
}

impl Page {
    pub(super) const ALL: [Self; 15] = [
        Self::Network,
        Self::Wifi,
        Self::Details,
        Self::Devices,
        Self::Apps,
        Self::Notifications,
        Self::Battery,
        Self::BatterySaver,
        Self::Storage,
        Self::Sound,
        Self::Display,
        Self::System,
        Self::Reset,
        Self::Erase,
        Self::About,
    ];

    /// The class names AOSP's Settings has for them.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Network => "com.android.settings.Settings$NetworkDashboardActivity",
            Self::Wifi => "com.android.settings.Settings$WifiSettingsActivity",
            Self::Details => "com.android.settings.Settings$WifiDetailsSettingsActivity",
            Self::Devices => "com.android.settings.Settings$ConnectedDeviceDashboardActivity",
            Self::Apps => "com.android.settings.Settings$ManageApplicationsActivity",
            Self::Notifications => "com.android.settings.Settings$ConfigureNotificationSettingsActivity",
            Self::Battery => "com.android.settings.Settings$PowerUsageSummaryActivity",
            Self::BatterySaver => "com.android.settings.Settings$BatterySaverSettingsActivity",
            Self::Storage => "com.android.settings.Settings$StorageDashboardActivity",
            Self::Sound => "com.android.settings.Settings$SoundSettingsActivity",
            Self::Display => "com.android.settings.Settings$DisplaySettingsActivity",
            Self::System => "com.android.settings.Settings$SystemDashboardActivity",
            Self::Reset => "com.android.settings.Settings$ResetDashboardActivity",
            Self::Erase => "com.android.settings.Settings$FactoryResetActivity",
            Self::About => "com.android.settings.Settings$MyDeviceInfoActivity",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Network => "Network & internet",
            Self::Wifi => "Wi‑Fi",
            Self::Details => "Network details",
            Self::Devices => "Connected devices",
            Self::Apps => "Apps",
            Self::Notifications => "Notifications",
            Self::Battery => "Battery",
            Self::BatterySaver => "Battery Saver",
            Self::Storage => "Storage",
            Self::Sound => "Sound & vibration",
            Self::Display => "Display",
            Self::System => "System",
            Self::Reset => "Reset options",
            Self::Erase => "Erase all data (factory reset)",
            Self::About => "About phone",
        }
    }

    pub(super) fn open(self) -> Box<dyn Activity> {
        Box::new(Open {
            page: self,
            asks: None,
            shows_key: false,
        })
    }
}

/// What a page can be told. Pages share it: many do the same kinds of things.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Msg {
    Back,
    Open(Page),
    AppInfo(&'static str),
    /// Switches a setting that is 0 or 1.
    Flip(&'static str, &'static str),
    Set(&'static str, &'static str, String),
    Network(&'static str),
    /// What was written in the network's password field.
    Password(String),
    Join,
    /// Shows the network's password, or hides it again.
    ShowKey,
    Ask(Question),
    No,
    Yes,
    Silence(&'static str),
}

/// A question a page asks in a dialog.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Question {
    Password { network: &'static str, written: String },
    ScreenTimeout,
    Erase,
}

#[derive(Debug)]
struct Open {
    page: Page,
    asks: Option<Question>,
    /// The network's password is read.
    shows_key: bool,
}

impl Activity for Open {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        self.page.class()
    }

    fn view(&self, world: &World) -> View {
        let rows = match self.page {
            Page::Network => network::internet(world),
            Page::Wifi => network::wifi(world),
            Page::Details => network::details(world, self.shows_key),
            Page::Devices => network::devices(world),
            Page::Apps => apps::list(world),
            Page::Notifications => apps::notifications(world),
            Page::Battery => battery::battery(world),
            Page::BatterySaver => battery::saver(world),
            Page::Storage => storage::view(world),
            Page::Sound => sound::view(world),
            Page::Display => display::view(world),
            Page::System => reset::system(world),
            Page::Reset => reset::options(world),
            Page::Erase => reset::erase(world),
            Page::About => about::view(world),
        };
        frame(&world.theme, self.page.title(), rows)
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        match self.asks.as_ref()? {
            Question::Password { network, written } => {
                Some(network::password(network, written, &world.theme))
            }
            Question::ScreenTimeout => Some(display::timeout(world)),
            Question::Erase => Some(reset::really(&world.theme)),
        }
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let Some(msg) = act.get::<Msg>() else { return };
        match msg.clone() {
            Msg::Back => world.finish(),
            Msg::Open(page) => world.call(SystemRequest::Open(page.open())),
            Msg::AppInfo(package) => {
                if let Some(manifest) = crate::apps::manifest(package) {
                    world.open(apps::AppInfo::new(manifest));
                }
            }
            Msg::Flip(namespace, name) => {
                world.settings.flip(namespace, name);
                world.follow_settings();
            }
            Msg::Set(namespace, name, value) => {
                world.settings.put(namespace, name, Some(&value));
                world.follow_settings();
                self.asks = None;
            }
            Msg::Network(network) => self.choose(network, world),
            Msg::Password(text) => {
                if let Some(Question::Password { written, .. }) = &mut self.asks {
                    *written = text;
                }
            }
            Msg::Join => self.join(world),
            Msg::ShowKey => {
                self.shows_key = !self.shows_key;
                world.apps.settings.keys_shown += u32::from(self.shows_key);
            }
            Msg::Ask(question) => self.asks = Some(question),
            Msg::No => self.asks = None,
            Msg::Yes => {
                self.asks = None;
                world.call(SystemRequest::FactoryReset);
            }
            Msg::Silence(package) => {
                let silenced = &mut world.apps.settings.silenced;
                match silenced.iter().position(|silent| *silent == package) {
                    Some(at) => drop(silenced.remove(at)),
                    None => silenced.push(package),
                }
            }
        }
    }
}

impl Open {
    fn choose(&mut self, network: &'static str, world: &mut World) {
        let known = world.apps.settings.network == Some(network);
        let guarded = super::NETWORKS
            .iter()
            .any(|(name, guarded, _)| *name == network && *guarded);
        if guarded && !known {
            self.asks = Some(Question::Password {
                network,
                written: String::new(),
            });
            world.call(SystemRequest::Focus("password"));
        } else if known {
            world.call(SystemRequest::Open(Page::Details.open()));
        } else {
            world.apps.settings.network = Some(network);
        }
    }

    fn join(&mut self, world: &mut World) {
        if let Some(Question::Password { network, written }) = self.asks.take() {
            // A network's key has at least eight characters; which one is right only the network knows.
            if written.chars().count() >= 8 {
                world.show_toast(format!("Couldn’t connect to {network}. Check the password."));
            } else {
                self.asks = Some(Question::Password { network, written });
            }
        }
    }
}

/// A page: arrow, large title, rows.
pub(super) fn frame(theme: &Theme, title: &str, rows: Vec<View>) -> View {
    let bar = row([icon_button(Icon::ArrowLeft, "Navigate up", theme.text, Msg::Back)])
        .class(class::GROUP)
        .id("action_bar")
        .cross(CrossAxisAlignment::Center)
        .height(60.0)
        .pad_xy(9.0, 0.0);
    let mut views = vec![
        text(title, 34.0, theme.text)
            .line(40.0)
            .pad_each(28.0, 26.0, 28.0, 22.0)
            .id("collapsing_toolbar_title"),
    ];
    views.extend(rows);
    column([
        bar,
        scroll(views)
            .id("recycler_view")
            .key("page")
            .pad_each(0.0, 0.0, 0.0, 24.0)
            .melt(theme.background),
    ])
}

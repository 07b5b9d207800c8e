//! What kind of app a package is: short tables, in `words/apps.txt`.

use std::sync::LazyLock;

/// What kind of app it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum App {
    /// A bank, a wallet, a broker, a betting shop: money moves.
    Bank,
    /// A shop for apps.
    Store,
    /// Messages.
    Messenger,
    /// Letters.
    Mail,
    /// Calls, and whom to call.
    Dialer,
    /// The phone's own settings, and makers' additions to them.
    Settings,
    /// Installs packages.
    Installer,
    /// Asks for permissions.
    Permission,
    /// Home.
    Launcher,
    /// Notifications, quick settings, Android's own dialogs.
    System,
    /// Any other.
    Other,
}

struct Part {
    app: App,
    text: &'static str,
    /// Anywhere in a package's name, not only as one of the names between its dots.
    anywhere: bool,
}

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(|| {
    let lines = include_str!("../words/apps.txt")
        .lines()
        .filter_map(|line| line.split_once(": "));
    let parts = lines.filter_map(|(class, parts)| {
        let anywhere = class.ends_with('~');
        let app = match class.trim_end_matches('~') {
            "bank" => App::Bank,
            "store" => App::Store,
            "messenger" => App::Messenger,
            "mail" => App::Mail,
            "dialer" => App::Dialer,
            "settings" => App::Settings,
            "installer" => App::Installer,
            "permission" => App::Permission,
            "launcher" => App::Launcher,
            _ => return None,
        };
        let part = move |text: &'static str| Part {
            app,
            text,
            anywhere: anywhere || text.contains('.'),
        };
        Some(parts.split(", ").map(part))
    });
    parts.flatten().collect()
});

impl App {
    pub(crate) fn of(package: &str) -> Self {
        let package = package.to_ascii_lowercase();
        if matches!(package.as_str(), "com.android.systemui" | "android") {
            return Self::System;
        }
        let names: Vec<&str> = package.split('.').collect();
        let fits = |part: &&Part| {
            let named = |of: &&str| *of == part.text || part.text.len() >= 5 && of.starts_with(part.text);
            if part.anywhere {
                package.contains(part.text)
            } else {
                names.iter().any(named)
            }
        };
        // The phone's own rooms first: "com.android.settings" is no shop, whatever else is in the name.
        let own = [
            Self::Permission,
            Self::Installer,
            Self::Launcher,
            Self::Settings,
            Self::Dialer,
        ];
        let known: Vec<Self> = PARTS.iter().filter(fits).map(|part| part.app).collect();
        let first = own.into_iter().find(|app| known.contains(app));
        first.or(known.first().copied()).unwrap_or(Self::Other)
    }

    /// What is decided here is decided for the phone.
    pub(crate) fn is_system(self) -> bool {
        matches!(
            self,
            Self::Settings | Self::Installer | Self::Permission | Self::System
        )
    }
}

//! Network & internet, Wi-Fi, Connected devices.

use super::NETWORKS;
use super::page::{Msg, Page};
use crate::apps::parts::{
    boxed_field, dialog_box, dialog_buttons, heading, icon_button, main_switch, preference, switch_row,
};
use crate::system::{Popup, PopupKind, World};
use crate::toolkit::text::TextStyle;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ImeAction, ScreenMessage, View, column, field, icon, row, stack, text,
};
use lucide_icons::Icon;

/// What guards the network at home.
const KEY: &str = "copper-lantern-52";

pub(super) fn internet(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let on = |name| world.settings.is_on("global", name);
    let wifi = match (on("wifi_on"), world.apps.settings.network) {
        (true, Some(network)) => network,
        (true, None) => "Not connected",
        _ => "Off",
    };
    let mobile = if on("mobile_data") {
        "Connected / 5G"
    } else {
        "Off"
    };
    vec![
        with_sign(
            theme,
            Icon::Wifi,
            preference(theme, "Wi‑Fi", wifi, None).click(Msg::Open(Page::Wifi)),
        ),
        with_sign(
            theme,
            Icon::Signal,
            switch_row(
                theme,
                "Mobile data",
                mobile,
                on("mobile_data"),
                Msg::Flip("global", "mobile_data"),
            ),
        ),
        with_sign(
            theme,
            Icon::Plane,
            switch_row(
                theme,
                "Airplane mode",
                "",
                on("airplane_mode_on"),
                Msg::Flip("global", "airplane_mode_on"),
            ),
        ),
        with_sign(
            theme,
            Icon::CircleGauge,
            switch_row(
                theme,
                "Data Saver",
                "",
                on("data_saver"),
                Msg::Flip("global", "data_saver"),
            ),
        ),
    ]
}

/// Puts a sign in front of a row.
pub(super) fn with_sign(theme: &Theme, sign: Icon, mut row: View) -> View {
    row.children.insert(
        0,
        stack([icon(sign, 24.0, theme.text_2)])
            .class("android.widget.ImageView")
            .id("android:id/icon")
            .flat(),
    );
    row.gap(22.0)
}

pub(super) fn wifi(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let on = world.settings.is_on("global", "wifi_on");
    let mut rows = vec![main_switch(
        theme,
        "Use Wi‑Fi",
        on,
        Msg::Flip("global", "wifi_on"),
    )];
    if !on {
        rows.push(
            text("To see available networks, turn Wi‑Fi on.", 16.0, theme.text_2)
                .line(23.0)
                .pad_xy(28.0, 16.0),
        );
        return rows;
    }
    let mut networks = NETWORKS;
    networks.sort_by_key(|(name, _, signal)| (world.apps.settings.network != Some(*name), 3 - signal));
    rows.extend(
        networks
            .into_iter()
            .map(|(name, guarded, signal)| network(world, name, guarded, signal)),
    );
    rows
}

fn network(world: &World, name: &'static str, guarded: bool, signal: u8) -> View {
    let theme = &world.theme;
    let connected = world.apps.settings.network == Some(name);
    let sign = match signal {
        3 => Icon::Wifi,
        2 | 1 => Icon::WifiHigh,
        _ => Icon::WifiLow,
    };
    let lock = guarded.then(|| icon(Icon::Lock, 17.0, theme.text_3).desc("Secured"));
    let summary = if connected { "Connected" } else { "" };
    with_sign(theme, sign, preference(theme, name, summary, lock))
        .click(Msg::Network(name))
        .selected(connected)
}

/// The network the phone is on; its password stands there once the eye was pressed.
pub(super) fn details(world: &World, shows_key: bool) -> Vec<View> {
    let theme = &world.theme;
    let name = world.apps.settings.network.unwrap_or("Not connected");
    let key = if shows_key {
        KEY
    } else {
        "••••••••••••"
    };
    let (sign, says) = if shows_key {
        (Icon::EyeOff, "Hide password")
    } else {
        (Icon::Eye, "Show password")
    };
    let eye = icon_button(sign, says, theme.text_2, Msg::ShowKey).id("password_toggle");
    vec![
        with_sign(theme, Icon::Wifi, preference(theme, name, "Connected", None)),
        with_sign(
            theme,
            Icon::Signal,
            preference(theme, "Signal strength", "Excellent", None),
        ),
        with_sign(
            theme,
            Icon::Lock,
            preference(theme, "Security", "WPA2/WPA3-Personal", None),
        ),
        with_sign(
            theme,
            Icon::KeyRound,
            preference(theme, "Password", key, Some(eye)),
        ),
    ]
}

pub(super) fn password(network: &str, written: &str, theme: &Theme) -> Popup {
    let style = TextStyle::new(17.0, theme.text);
    let written = field(written, "At least 8 characters", style, Msg::Password)
        .password()
        .action(ImeAction::Done, Msg::Join)
        .id("password")
        .key("password");
    let buttons = dialog_buttons(
        theme,
        ("Cancel", ScreenMessage::new(Msg::No)),
        ("Connect", ScreenMessage::new(Msg::Join)),
    );
    Popup {
        name: "password",
        kind: PopupKind::Dialog,
        view: dialog_box(
            theme,
            vec![
                text(network, 24.0, theme.text)
                    .line(30.0)
                    .id("android:id/alertTitle"),
                boxed_field(theme, "Password", written),
                buttons,
            ],
        ),
        cancel: Some(ScreenMessage::new(Msg::No)),
    }
}

pub(super) fn devices(world: &World) -> Vec<View> {
    let theme = &world.theme;
    let on = world.settings.is_on("global", "bluetooth_on");
    let mut rows = vec![main_switch(
        theme,
        "Use Bluetooth",
        on,
        Msg::Flip("global", "bluetooth_on"),
    )];
    if on {
        rows.push(heading(theme, "Saved devices"));
        rows.push(saved(theme, Icon::Headphones, "Kitchen speaker", "Saved"));
        rows.push(saved(theme, Icon::Car, "Car", "Saved"));
        let name = format!(
            "Visible as “{}” to nearby devices while this page is open",
            world.options.profile.phone.name
        );
        rows.push(
            row([
                icon(Icon::Info, 20.0, theme.text_3),
                text(name, 14.5, theme.text_2).line(21.0).grow(),
            ])
            .cross(CrossAxisAlignment::Start)
            .gap(16.0)
            .pad_xy(28.0, 20.0),
        );
    } else {
        rows.push(
            column([text(
                "When Bluetooth is on, your phone can talk to other devices nearby.",
                16.0,
                theme.text_2,
            )
            .line(23.0)])
            .pad_xy(28.0, 16.0),
        );
    }
    rows
}

fn saved(theme: &Theme, sign: Icon, name: &str, summary: &str) -> View {
    with_sign(theme, sign, preference(theme, name, summary, None))
}

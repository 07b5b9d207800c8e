//! The first page: search and the list, as drawn.

use super::page::Page;
use super::{HOME, PACKAGE, search};
use crate::apps::parts::search_pill;
use crate::system::{Activity, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, class, column, icon, painting, row, scroll, stack, text,
};
use lucide_icons::Icon;

#[derive(Debug)]
pub(super) struct Home;

#[derive(Clone, Copy, Debug)]
enum Msg {
    Search,
    Open(Page),
}

/// How long the charge lasts, in words.
pub(super) fn remaining(level: u8) -> &'static str {
    match level {
        71.. => "about 1 day left",
        51..=70 => "about 18 hr left",
        31..=50 => "about 12 hr left",
        16..=30 => "about 6 hr left",
        _ => "running low",
    }
}

pub(super) fn battery_summary(world: &World) -> String {
    let level = world.battery.level;
    match (
        world.settings.is_on("global", "low_power"),
        world.battery.charging,
    ) {
        (true, _) => format!("{level}% · Battery Saver on"),
        (_, true) => format!("{level}% · charging"),
        _ => format!("{level}% · {}", remaining(level)),
    }
}

/// Four rings, the sign for apps.
fn rings() -> View {
    painting(|canvas, area, metrics| {
        let (x, y) = (
            (area.left + area.right) as f32 / 2.0,
            (area.top + area.bottom) as f32 / 2.0,
        );
        let (step, side) = (metrics.px(4.9) as f32, metrics.px(8.6));
        for (dx, dy) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let (left, top) = (
                (x + dx * step) as i32 - side / 2,
                (y + dy * step) as i32 - side / 2,
            );
            let ring = Rect::sized(left, top, side, side);
            canvas.rounded_edge(ring, [side as f32 / 2.0; 4], metrics.px(1.7) as f32, Color::WHITE);
        }
    })
    .size(22.0, 22.0)
}

fn entry(theme: &Theme, page: Page, sign: Icon, disc: u32, summary: &str) -> View {
    let sign = if page == Page::Apps {
        rings()
    } else {
        icon(sign, 22.0, Color::WHITE)
    };
    let badge = stack([sign])
        .centered()
        .size(45.0, 45.0)
        .fill(Color::rgb(disc))
        .radius(22.5)
        .class(class::IMAGE)
        .id("android:id/icon")
        .flat();
    let words = column([
        text(page.title(), 20.4, theme.text)
            .lines(1)
            .id("android:id/title"),
        text(summary, 15.6, theme.text_2)
            .lines(1)
            .id("android:id/summary"),
    ])
    .class(class::RELATIVE)
    .grow();
    row([badge, words])
        .gap(21.0)
        .cross(CrossAxisAlignment::Center)
        .height(82.0)
        .pad_each(26.0, 0.0, 20.0, 0.0)
        .wide()
        .press(theme.press)
        .click(Msg::Open(page))
}

impl Activity for Home {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        HOME
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let title = text("Settings", 38.0, theme.text)
            .id("homepage_title")
            .pad_each(28.0, 48.0, 0.0, 20.0);
        let battery = battery_summary(world);
        let rows = [
            (Page::Network, Icon::Wifi, 0x3D7BE0, "Wi‑Fi, mobile, hotspot"),
            (Page::Devices, Icon::Bluetooth, 0x3D7BE0, "Bluetooth, pairing"),
            (Page::Apps, Icon::Component, 0x3A9B63, "Recent apps, default apps"),
            (
                Page::Notifications,
                Icon::Bell,
                0xD2674A,
                "History, conversations",
            ),
            (Page::Battery, Icon::BatteryMedium, 0x2E9A6B, battery.as_str()),
            (Page::Storage, Icon::Server, 0x7A6BC4, "41% used · 75 GB free"),
            (Page::Sound, Icon::Volume2, 0xC8558B, "Volume, do not disturb"),
            (
                Page::Display,
                Icon::Sun,
                0xD99A2B,
                "Dark theme, brightness, rotation",
            ),
            (Page::System, Icon::Info, 0x5D6B82, "Languages, gestures, reset"),
            (
                Page::About,
                Icon::Smartphone,
                0x5D6B82,
                world.options.profile.phone.model.as_str(),
            ),
        ];
        let mut views = vec![
            title,
            column([search_pill(theme, "Search settings", Msg::Search)]).pad_each(17.0, 0.0, 17.0, 18.0),
        ];
        views.extend(rows.map(|(page, sign, disc, summary)| entry(theme, page, sign, disc, summary)));
        scroll(views)
            .id("settings_homepage_container")
            .key("home")
            .pad_each(0.0, 0.0, 0.0, 16.0)
            .melt(theme.background)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Search) => world.open(search::Search::default()),
            Some(Msg::Open(page)) => world.call(SystemRequest::Open(page.open())),
            None => {}
        }
    }
}

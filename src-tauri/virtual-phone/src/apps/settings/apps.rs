//! Apps, App info, Notifications.

use super::PACKAGE;
use super::page::{Msg, Page, frame};
use crate::apps::parts::{preference, switch_row};
use crate::apps::{all, icon_view};
use crate::system::{Activity, Manifest, SystemRequest, World};
use crate::toolkit::text::Align;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, button, class, column, row, text};

pub(super) const INFO: &str = "com.android.settings.applications.InstalledAppDetails";

fn shown(world: &World) -> Vec<&'static Manifest> {
    let shown = |manifest: &&Manifest| manifest.icon.is_some() && world.is_installed(manifest.package);
    let mut apps: Vec<_> = all().iter().copied().filter(shown).collect();
    apps.sort_by_key(|manifest| manifest.label);
    apps
}

fn with_icon(package: &str, mut row: View) -> View {
    row.children
        .insert(0, icon_view(package, 40.0).id("android:id/icon"));
    row.gap(20.0)
}

pub(super) fn list(world: &World) -> Vec<View> {
    let rows = shown(world).into_iter().enumerate().map(|(index, app)| {
        let size = format!("{} MB", 24 + index * 37 % 190);
        with_icon(app.package, preference(&world.theme, app.label, &size, None))
            .click(Msg::AppInfo(app.package))
    });
    rows.collect()
}

pub(super) fn notifications(world: &World) -> Vec<View> {
    let rows = shown(world).into_iter().map(|app| {
        let on = !world.apps.settings.silenced.contains(&app.package);
        let row = switch_row(&world.theme, app.label, "", on, Msg::Silence(app.package));
        with_icon(app.package, row)
    });
    rows.collect()
}

/// What is known of one app.
#[derive(Debug)]
pub(super) struct AppInfo {
    app: &'static Manifest,
}

#[derive(Clone, Copy, Debug)]
enum Tap {
    Open,
    Notifications,
}

impl AppInfo {
    pub(super) fn new(app: &'static Manifest) -> Self {
        Self { app }
    }

    fn action(theme: &Theme, words: &str, id: &'static str) -> View {
        button(words, 15.5, theme.accent)
            .height(52.0)
            .grow()
            .fill(theme.fill)
            .radius(16.0)
            .id(id)
    }
}

impl Activity for AppInfo {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        INFO
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let app = self.app;
        let head = column([
            icon_view(app.package, 64.0).id("entity_header_icon"),
            text(app.label, 26.0, theme.text)
                .align(Align::Center)
                .id("entity_header_title"),
        ])
        .cross(CrossAxisAlignment::Center)
        .gap(12.0)
        .wide()
        .pad_each(28.0, 4.0, 28.0, 20.0);
        let version = world.apps.store.version(app.package, app.version);
        let permissions: Vec<&str> = world
            .permissions
            .keys()
            .filter(|(package, _)| package == app.package)
            .filter(|(package, permission)| world.permission(package, permission) == Some(true))
            .map(|(_, permission)| permission.rsplit('.').next().unwrap_or_default())
            .collect();
        let allowed = if permissions.is_empty() {
            "No permissions granted".to_owned()
        } else {
            permissions.join(", ")
        };
        let rows = vec![
            head,
            row([Self::action(theme, "Open", "button1").click(Tap::Open)])
                .class(class::LINEAR)
                .gap(8.0)
                .pad_each(28.0, 0.0, 28.0, 14.0),
            preference(theme, "Notifications", "", None).click(Tap::Notifications),
            preference(theme, "Permissions", &allowed, None),
            preference(theme, "Version", &version, None),
            preference(theme, "Package", app.package, None),
        ];
        frame(theme, "App info", rows)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match (act.get::<Tap>(), act.get::<Msg>()) {
            (Some(Tap::Open), _) => world.launch(self.app.package),
            (Some(Tap::Notifications), _) => world.call(SystemRequest::Open(Page::Notifications.open())),
            (_, Some(Msg::Back)) => world.finish(),
            _ => {}
        }
    }
}

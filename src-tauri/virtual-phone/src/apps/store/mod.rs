//! App store: updates that wait, and installing them.

use crate::android::Intent;
use crate::apps::icon_view;
use crate::apps::parts::{nothing, solid_button};
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, button, class, column, progress, row, scroll, spinner, spring,
    text,
};
use serde_json::{Value, json};
use std::time::Duration;

const PACKAGE: &str = "com.android.store";
const CLASS: &str = "com.android.store.UpdatesActivity";

/// How long fetching and installing an update takes.
const INSTALLING: Duration = Duration::from_millis(2400);
/// How often a bar is drawn anew.
const STEP: Duration = Duration::from_millis(150);

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "App store",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::ShoppingBag),
        disc: Color::WHITE,
        ink: Color::rgb(0x1F7A45),
    }),
    activities: &[ActivityDeclaration::main(CLASS).links(&["market"])],
    open: |_: &str, _: &Intent, _| Some(Box::new(Updates::default())),
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum UpdateState {
    Waiting,
    Installing(Duration),
    Installed,
}

#[derive(Clone, Debug)]
struct Update {
    package: &'static str,
    version: &'static str,
    about: &'static str,
    stage: UpdateState,
}

/// What the store keeps.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    updates: Vec<Update>,
}

impl Default for Data {
    fn default() -> Self {
        let update = |package, version, about| Update {
            package,
            version,
            about,
            stage: UpdateState::Waiting,
        };
        Self {
            updates: vec![
                update("com.greenleaf.shop", "4.13.0", "24 MB · Faster checkout"),
                update("com.android.maps", "14.2", "61 MB · New cycle paths"),
                update("com.northbank.mobile", "2024.5.2", "38 MB · Fixes"),
                update("com.android.notes", "14.1", "9 MB · Sort by title"),
            ],
        }
    }
}

impl Data {
    /// The version of a package, its updates counted in.
    pub(crate) fn version(&self, package: &str, own: &str) -> String {
        let update = self
            .updates
            .iter()
            .find(|update| update.package == package && update.stage == UpdateState::Installed);
        update.map_or(own, |update| update.version).to_owned()
    }

    fn installing(&self) -> bool {
        self.updates
            .iter()
            .any(|update| matches!(update.stage, UpdateState::Installing(_)))
    }

    pub(crate) fn tell_state(&self) -> Value {
        let of = |wanted: fn(&UpdateState) -> bool| -> Vec<&str> {
            self.updates
                .iter()
                .filter(|update| wanted(&update.stage))
                .map(|update| update.package)
                .collect()
        };
        json!({"pending": of(|stage| *stage != UpdateState::Installed), "installed": of(|stage| *stage == UpdateState::Installed)})
    }
}

#[derive(Debug, Default)]
struct Updates {
    drawn: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    All,
    One(&'static str),
    Open(&'static str),
}

fn line(update: &Update, world: &World) -> View {
    let theme = &world.theme;
    let label = crate::apps::manifest(update.package).map_or("", |manifest| manifest.label);
    let mut words = vec![text(label, 17.5, theme.text).medium().lines(1).id("app_name")];
    let end = match update.stage {
        UpdateState::Waiting => {
            words.push(text(update.about, 14.5, theme.text_2).lines(1).id("app_details"));
            Some(("Update", Msg::One(update.package)))
        }
        UpdateState::Installing(since) => {
            let part = (world.now.saturating_sub(since)).as_secs_f32() / INSTALLING.as_secs_f32();
            words.push(text("Installing…", 14.5, theme.text_2).lines(1).id("app_details"));
            words.push(progress(part).margin(0.0, 5.0, 0.0, 0.0).id("progress"));
            None
        }
        UpdateState::Installed => {
            words.push(
                text(
                    format!("Version {} · up to date", update.version),
                    14.5,
                    theme.text_2,
                )
                .lines(1)
                .id("app_details"),
            );
            Some(("Open", Msg::Open(update.package)))
        }
    };
    let mut views = vec![
        icon_view(update.package, 48.0).id("app_icon"),
        column(words).gap(2.0).grow(),
    ];
    views.extend(end.map(|(words, message)| {
        let (fill, ink) = if words == "Update" {
            (theme.soft, theme.on_soft)
        } else {
            (theme.fill, theme.text)
        };
        button(words, 15.0, ink)
            .height(42.0)
            .pad_xy(18.0, 0.0)
            .fill(fill)
            .radius(21.0)
            .id("action")
            .click(message)
    }));
    row(views)
        .class(class::GROUP)
        .id("update")
        .gap(16.0)
        .cross(CrossAxisAlignment::Center)
        .height(86.0)
        .pad_xy(22.0, 0.0)
        .wide()
}

impl Activity for Updates {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let updates = &world.apps.store.updates;
        let waiting = updates
            .iter()
            .filter(|update| update.stage == UpdateState::Waiting)
            .count();
        let summary = match (waiting, world.apps.store.installing()) {
            (_, true) => "Installing updates…".to_owned(),
            (0, _) => "All apps are up to date".to_owned(),
            (1, _) => "1 update available".to_owned(),
            (count, _) => format!("{count} updates available"),
        };
        let mut head = vec![text(summary, 16.5, theme.text_2).id("updates_summary"), spring()];
        if waiting > 0 {
            head.push(
                solid_button(theme, "Update all", Msg::All)
                    .height(48.0)
                    .radius(24.0)
                    .id("update_all"),
            );
        } else if world.apps.store.installing() {
            head.push(
                spinner(world.now.as_secs_f32().fract())
                    .size(30.0, 30.0)
                    .id("busy"),
            );
        }
        let mut views = vec![
            row(head)
                .cross(CrossAxisAlignment::Center)
                .height(72.0)
                .pad_each(24.0, 0.0, 19.0, 0.0),
        ];
        views.extend(updates.iter().map(|update| line(update, world)));
        if updates.is_empty() {
            views.push(nothing(
                theme,
                lucide_icons::Icon::Check,
                "All apps are up to date",
            ));
        }
        column([
            text("App store", 32.0, theme.text)
                .id("toolbar_title")
                .pad_each(24.0, 34.0, 0.0, 10.0),
            scroll(views).id("updates_list").key("updates"),
        ])
    }

    fn tick(&mut self, world: &mut World) -> bool {
        if !world.apps.store.installing() || world.now.saturating_sub(self.drawn) < STEP {
            return false;
        }
        self.drawn = world.now;
        for update in &mut world.apps.store.updates {
            if let UpdateState::Installing(since) = update.stage
                && world.now.saturating_sub(since) >= INSTALLING
            {
                update.stage = UpdateState::Installed;
            }
        }
        true
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let now = world.now;
        let install = |update: &mut Update| {
            if update.stage == UpdateState::Waiting {
                update.stage = UpdateState::Installing(now);
            }
        };
        match act.get::<Msg>() {
            Some(Msg::All) => world.apps.store.updates.iter_mut().for_each(install),
            Some(Msg::One(package)) => {
                world
                    .apps
                    .store
                    .updates
                    .iter_mut()
                    .filter(|update| update.package == *package)
                    .for_each(install);
            }
            Some(Msg::Open(package)) => world.launch(package),
            None => {}
        }
    }
}

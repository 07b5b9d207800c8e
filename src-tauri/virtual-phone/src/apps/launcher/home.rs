//! The home screen: date and weather, two rows of icons, the dock, a search pill.

use super::{HOME, PACKAGE, drawer};
use crate::android::Intent;
use crate::apps::parts::menu;
use crate::apps::{icon_view, manifest};
use crate::system::{Activity, Bars, Popup, SystemRequest, World, main_intent};
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::view::{
    CrossAxisAlignment, DragEvent, DragPhase, Inset, Length, MainAxisAlignment, ScreenMessage, View, class,
    column, icon, row, spring, stack, text,
};
use lucide_icons::Icon;

const DOCK: [&str; 4] = [
    "com.android.dialer",
    "com.android.messaging",
    "com.android.browser",
    "com.android.camera2",
];
/// A swipe this long (dp) opens or closes the list of apps.
const SWIPE: f32 = 60.0;

/// The home screen and the list of apps that comes up over it.
#[derive(Debug, Default)]
pub(super) struct Home {
    pub(super) drawer: Option<String>,
    held: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Msg {
    Launch(String),
    Hold(String),
    Release,
    Info,
    Search,
    Write(String),
    Close,
    FirstFound,
    Swipe(DragEvent),
}

impl Activity for Home {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        HOME
    }

    fn bars(&self, world: &World) -> Bars {
        match &self.drawer {
            Some(_) => Bars::on(world.theme.background),
            // Signs on a picture are white.
            None => Bars::on(Color::BLACK).full(),
        }
    }

    fn view(&self, world: &World) -> View {
        match &self.drawer {
            Some(words) => drawer::view(words, world),
            None => view(world),
        }
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        let package = self.held.as_deref()?;
        let label = manifest(package)?.label;
        let open = (
            format!("Open {label}"),
            ScreenMessage::new(Msg::Launch(package.to_owned())),
        );
        let info = ("App info".to_owned(), ScreenMessage::new(Msg::Info));
        let anchor = manifest(package)?.package;
        Some(menu(
            &world.theme,
            "held",
            anchor,
            vec![open, info],
            ScreenMessage::new(Msg::Release),
        ))
    }

    fn back(&mut self, _: &mut World) -> bool {
        self.drawer.take();
        true
    }

    fn arrive(&mut self, _: &Intent, _: &mut World) {
        self.drawer = None;
        self.held = None;
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let Some(msg) = act.get::<Msg>() else { return };
        match msg.clone() {
            Msg::Launch(package) => {
                *self = Self::default();
                world.launch(&package);
            }
            Msg::Hold(package) => self.held = Some(package),
            Msg::Release => self.held = None,
            Msg::Info => {
                let package = self.held.take();
                world.call(SystemRequest::Launch(Intent {
                    action: Some("android.settings.APPLICATION_DETAILS_SETTINGS".to_owned()),
                    data: package.map(|package| format!("package:{package}")),
                    ..Intent::default()
                }));
            }
            Msg::Search => {
                self.drawer = Some(String::new());
                world.call(SystemRequest::Focus("search"));
            }
            Msg::Write(words) => self.drawer = Some(words),
            Msg::Close => {
                self.drawer = None;
                world.call(SystemRequest::Blur);
            }
            Msg::FirstFound => {
                let found = self
                    .drawer
                    .as_deref()
                    .and_then(|words| drawer::found(words, world).first().copied());
                if let Some(found) = found {
                    *self = Self::default();
                    world.call(SystemRequest::Launch(main_intent(found.package)));
                }
            }
            Msg::Swipe(pull) => {
                if pull.phase == DragPhase::Drop && pull.y < -SWIPE && pull.y.abs() > pull.x.abs() {
                    self.drawer = Some(String::new());
                }
            }
        }
    }
}

/// An icon of the home screen: one view, as a launcher's icons are.
pub(super) fn launcher_icon(package: &str, side: f32, ink: Option<Color>, halo: f32) -> View {
    let label = manifest(package).map_or("", |manifest| manifest.label);
    let mut views = vec![icon_view(package, side)];
    if let Some(ink) = ink {
        views.push(
            text(label, 14.0, ink)
                .medium()
                .halo(halo)
                .align(Align::Center)
                .lines(1)
                .max_width(92.0),
        );
    }
    column(views)
        .cross(CrossAxisAlignment::Center)
        .gap(10.0)
        .class(class::TEXT)
        .id("icon")
        .key(package)
        .says(label)
        .desc(label)
        .radius(16.0)
        .click(Msg::Launch(package.to_owned()))
        .long(Msg::Hold(package.to_owned()))
        .flat()
}

fn day(world: &World) -> View {
    let ink = Color::WHITE;
    let sign = if world.options.profile.weather.ends_with("Clear") {
        Icon::Moon
    } else if world.options.profile.weather.ends_with("Cloudy") {
        Icon::Cloud
    } else {
        Icon::Sun
    };
    let weather = row([
        icon(sign, 19.0, ink),
        text(world.options.profile.weather.as_str(), 17.0, ink)
            .medium()
            .halo(0.5)
            .id("weather"),
    ])
    .gap(6.0)
    .cross(CrossAxisAlignment::Center);
    column([text("Tue, May 14", 26.5, ink).halo(0.5).id("clock"), weather])
        .gap(3.0)
        .cross(CrossAxisAlignment::Start)
        .id("smartspace")
}

/// Icons beside one another, as far apart as the drawing has them where there is room.
fn cells(icons: impl Iterator<Item = View>, world: &World) -> View {
    let side = if world.is_wide() {
        93.2
    } else {
        (world.width() / 4.0 - 9.6).min(93.2)
    };
    let cells = icons.map(|icon| {
        stack([icon])
            .class(class::GROUP)
            .width(side)
            .cross(CrossAxisAlignment::Center)
    });
    row(cells).class(class::GROUP).main(MainAxisAlignment::Center)
}

fn icons(packages: &[String], world: &World) -> View {
    let icons = packages
        .iter()
        .map(|package| launcher_icon(package, 64.0, Some(Color::WHITE), 1.0));
    cells(icons, world)
}

fn dock(world: &World) -> View {
    let icons = DOCK.iter().map(|package| launcher_icon(package, 64.0, None, 0.0));
    cells(icons, world).id("hotseat")
}

fn search() -> View {
    let ink = Color::rgb(0x59585E);
    row([
        icon(Icon::Search, 21.0, ink),
        text("Search", 16.5, ink).id("search_label"),
    ])
    .class(class::GROUP)
    .id("search_box")
    .gap(16.0)
    .cross(CrossAxisAlignment::Center)
    .height(62.0)
    .pad_xy(20.0, 0.0)
    .fill(Color::rgb(0xFBFBFD).alpha(0.93))
    .radius(31.0)
    .desc("Search apps")
    .click(Msg::Search)
}

fn view(world: &World) -> View {
    let home: Vec<String> = world
        .options
        .profile
        .home
        .iter()
        .filter(|package| world.is_installed(package))
        .cloned()
        .collect();
    let rows = home.chunks(4).map(|packages| icons(packages, world));
    let content = if world.is_wide() {
        let side = column([day(world), spring(), search().width(300.0)])
            .pad_each(56.0, 64.0, 0.0, 44.0)
            .tall();
        let grid = column([column(rows).id("workspace").gap(20.0), dock(world)])
            .main(MainAxisAlignment::Center)
            .gap(26.0)
            .tall()
            .grow();
        row([side, grid])
    } else {
        column([
            day(world),
            spring(),
            column(rows).class(class::SCROLL).id("workspace").gap(19.0),
            dock(world).margin(0.0, 46.0, 0.0, 27.0),
            search().margin(25.0, 0.0, 23.0, 0.0),
        ])
        .pad_each(0.0, 76.0, 0.0, 41.0)
    };
    let mut content = content.class(class::FRAME).id("drag_layer").cover();
    if !world.is_wide() {
        // The date stands a little further in than the icons.
        content.children[0].shape.margin.left = 34.0;
    }
    let mut picture = super::wallpaper(world.options.profile.wallpaper)
        .class(class::VIEW)
        .cover();
    picture.shape.width = Length::Part(1.0);
    let root = stack([picture, content]).id("launcher").pull(Msg::Swipe);
    root.at(Inset {
        left: Some(0.0),
        top: Some(0.0),
        right: Some(0.0),
        bottom: Some(0.0),
    })
}

//! Maps: a drawn town, a search for its places; asks for the location at its first start.

mod town;

use crate::apps::parts::{search_field, soft_button};
use crate::system::{Activity, ActivityDeclaration, Bars, Icon, Manifest, Sign, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, Inset, ScreenMessage, View, class, column, icon, painting, row, scroll, stack, text,
};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.maps";
const CLASS: &str = "com.android.maps.MapsActivity";
const PERMISSION: &str = "android.permission.ACCESS_FINE_LOCATION";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Maps",
    version: "14.1",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::MapPin),
        disc: Color::rgb(0x2E9A6B),
        ink: Color::WHITE,
    }),
    activities: &[ActivityDeclaration::main(CLASS).links(&["geo"])],
    open: |_, _, _| Some(Box::new(Map::default())),
};

/// A place: name, what it is, minutes on foot, where on the map (0…1 across and down).
const PLACES: [(&str, &str, u32, (f32, f32)); 6] = [
    ("Alder Street Market", "Market · open until 1 pm", 6, (0.62, 0.4)),
    ("Dana’s Bakery", "Bakery · open until 6 pm", 9, (0.3, 0.3)),
    ("Flower stall", "Florist · by the bridge", 7, (0.55, 0.52)),
    ("Northbank", "Bank · open until 4 pm", 12, (0.8, 0.24)),
    ("Library", "Library · open until 7 pm", 15, (0.2, 0.66)),
    ("Station", "Trains and buses", 18, (0.84, 0.7)),
];

/// What Maps keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    searched: Vec<&'static str>,
}

impl Data {
    pub(crate) fn tell_state(&self) -> Value {
        json!({"searched": self.searched})
    }
}

#[derive(Debug, Default)]
struct Map {
    asked: bool,
    words: Option<String>,
    place: Option<usize>,
    route: bool,
}

#[derive(Clone, Debug)]
enum Msg {
    Search,
    Write(String),
    Close,
    First,
    Choose(usize),
    Route,
    Locate,
}

fn found(words: &str) -> Vec<usize> {
    let words = words.trim().to_lowercase();
    (0..PLACES.len())
        .filter(|index| PLACES[*index].0.to_lowercase().contains(&words))
        .collect()
}

fn ask(world: &mut World) {
    world.call(SystemRequest::Permission {
        package: PACKAGE,
        label: "Maps",
        permission: PERMISSION,
    });
}

impl Map {
    fn list(&self, words: &str, world: &World) -> View {
        let theme = &world.theme;
        let rows = found(words).into_iter().map(|index| {
            let (name, about, ..) = PLACES[index];
            let label = column([
                text(name, 17.5, theme.text).lines(1).id("place_name"),
                text(about, 14.5, theme.text_2).lines(1).id("place_details"),
            ]);
            row([
                icon(lucide_icons::Icon::MapPin, 22.0, theme.text_2),
                label.gap(2.0).grow(),
            ])
            .class(class::GROUP)
            .gap(18.0)
            .cross(CrossAxisAlignment::Center)
            .height(72.0)
            .pad_xy(24.0, 0.0)
            .wide()
            .click(Msg::Choose(index))
        });
        let field = search_field(theme, words, "Search here", Msg::Write, Msg::Close, Msg::First);
        column([
            column([field]).pad_each(17.0, 10.0, 17.0, 8.0),
            scroll(rows).id("search_list").key("places"),
        ])
    }

    fn card(&self, index: usize, world: &World) -> View {
        let theme = &world.theme;
        let (name, about, minutes, _) = PLACES[index];
        let mut views = vec![
            text(name, 22.0, theme.text).medium().lines(1).id("place_name"),
            text(about, 15.5, theme.text_2).id("place_details"),
        ];
        if self.route {
            views.push(
                text(format!("{minutes} min on foot"), 17.0, theme.accent)
                    .medium()
                    .id("route"),
            );
        } else {
            let directions = soft_button(theme, "Directions", Msg::Route).id("directions");
            views.push(row([directions]).pad_each(0.0, 8.0, 0.0, 0.0));
        }
        column(views)
            .gap(4.0)
            .pad(20.0)
            .fill(theme.surface)
            .radius(24.0)
            .lift(4.0)
            .id("place_card")
            .at(Inset {
                left: Some(16.0),
                right: Some(16.0),
                bottom: Some(16.0),
                top: None,
            })
    }
}

impl Activity for Map {
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
        if world.permission(PACKAGE, PERMISSION).is_none() && !std::mem::replace(&mut self.asked, true) {
            ask(world);
        }
    }

    fn view(&self, world: &World) -> View {
        if let Some(words) = &self.words {
            return self.list(words, world);
        }
        let theme = &world.theme;
        let here = world.permission(PACKAGE, PERMISSION) == Some(true);
        let (chosen, route) = (self.place.map(|index| PLACES[index].3), self.route);
        let dark = theme.dark;
        let map = painting(move |canvas, area, metrics| {
            town::draw(
                canvas,
                area,
                metrics,
                &town::Marks {
                    dark,
                    here,
                    chosen,
                    route,
                },
            );
        });
        let hint = self.place.map_or("Search here", |index| PLACES[index].0);
        let pill = crate::apps::parts::search_pill(theme, hint, Msg::Search)
            .fill(theme.surface)
            .lift(3.0)
            .at(Inset {
                left: Some(16.0),
                right: Some(16.0),
                top: Some(12.0),
                bottom: None,
            });
        let mut locate = floating_button(theme, here);
        if self.place.is_some() {
            locate = locate.at(Inset {
                right: Some(16.0),
                bottom: Some(190.0),
                ..Inset::default()
            });
        }
        let mut views = vec![map.class(class::VIEW).desc("Map").id("map").cover(), pill, locate];
        views.extend(self.place.map(|index| self.card(index, world)));
        stack(views)
    }

    fn back(&mut self, _: &mut World) -> bool {
        let open = self.words.take().is_some() || self.place.take().is_some();
        self.route = false;
        open
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Search) => {
                self.words = Some(String::new());
                world.call(SystemRequest::Focus("search"));
            }
            Some(Msg::Write(words)) => self.words = Some(words),
            Some(Msg::Close) => {
                self.words = None;
                world.call(SystemRequest::Blur);
            }
            Some(Msg::First) => {
                if let Some(index) = self
                    .words
                    .as_deref()
                    .and_then(|words| found(words).first().copied())
                {
                    self.choose(index, world);
                }
            }
            Some(Msg::Choose(index)) => self.choose(index, world),
            Some(Msg::Route) => self.route = true,
            Some(Msg::Locate) if world.permission(PACKAGE, PERMISSION) != Some(true) => ask(world),
            Some(Msg::Locate) => world.show_toast("You are on Alder Street"),
            None => {}
        }
    }
}

impl Map {
    fn choose(&mut self, index: usize, world: &mut World) {
        self.words = None;
        self.route = false;
        self.place = Some(index);
        world.apps.maps.searched.push(PLACES[index].0);
        world.call(SystemRequest::Blur);
    }
}

fn floating_button(theme: &Theme, here: bool) -> View {
    let sign = if here {
        lucide_icons::Icon::LocateFixed
    } else {
        lucide_icons::Icon::Locate
    };
    crate::apps::parts::floating_button(theme, sign, "Your location", Msg::Locate).id("my_location")
}

//! Photos: a grid, one picture large (twice tapped: larger), deleting after a question.

mod paint;
mod viewer;

pub(crate) use paint::paint;

use crate::apps::parts::nothing;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::view::{ScreenMessage, View, class, column, gap, picture, row, scroll, stack, text};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.gallery3d";
const GRID: &str = "com.android.gallery3d.app.GalleryActivity";
const VIEWER: &str = "com.android.gallery3d.app.PhotoPage";

/// What the camera sees: this picture, and the next when it is turned round.
pub(crate) const FIRST_VIEW: u32 = 10;

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Photos",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Pinwheel,
        disc: Color::WHITE,
        ink: Color::BLACK,
    }),
    activities: &[
        ActivityDeclaration::main(GRID),
        ActivityDeclaration::inner(VIEWER),
    ],
    open: |class, _, world| match class {
        GRID => Some(Box::new(Grid)),
        VIEWER => Some(Box::new(viewer::Viewer::of(
            world.apps.photos.all.first()?.number,
        ))),
        _ => None,
    },
};

/// A picture that was taken.
#[derive(Clone, Copy, Debug)]
struct Photo {
    /// Never the same twice.
    number: u32,
    painting: u32,
    day: &'static str,
    /// What is on it, for who cannot see it.
    about: &'static str,
}

/// What Photos keeps, newest first.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    all: Vec<Photo>,
    deleted: u32,
    next: u32,
}

impl Default for Data {
    fn default() -> Self {
        let mut data = Self {
            all: Vec::new(),
            deleted: 0,
            next: 1,
        };
        for (painting, day, about) in [
            (0, "Yesterday", "Rows of tulips"),
            (1, "Yesterday", "The bridge"),
            (2, "Yesterday", "A fern"),
            (3, "Sunday, May 12", "Sunset over the sea"),
            (4, "Sunday, May 12", "A market stall"),
            (5, "Sunday, May 12", "Lemons on a plate"),
            (6, "Sunday, May 12", "A mountain lake"),
            (7, "May 4", "Houses at night"),
            (8, "May 4", "A cup of coffee"),
            (9, "May 4", "Balloons"),
        ] {
            data.add(painting, day, about);
        }
        data.all.reverse();
        data
    }
}

impl Data {
    fn add(&mut self, painting: u32, day: &'static str, about: &'static str) {
        let number = self.next;
        self.next += 1;
        self.all.insert(
            0,
            Photo {
                number,
                painting,
                day,
                about,
            },
        );
    }

    /// A new picture of what the camera sees.
    pub(crate) fn take(&mut self, scene: u32) {
        self.add(
            FIRST_VIEW + scene,
            "Today",
            if scene == 0 { "A window" } else { "A bookshelf" },
        );
    }

    fn delete(&mut self, number: u32) {
        self.all.retain(|photo| photo.number != number);
        self.deleted += 1;
    }

    pub(crate) fn tell_state(&self) -> Value {
        json!({"count": self.all.len(), "deleted": self.deleted})
    }
}

#[derive(Debug)]
struct Grid;

#[derive(Clone, Copy, Debug)]
struct Open(u32);

impl Activity for Grid {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        GRID
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let columns = if world.is_wide() { 6 } else { 3 };
        let side = (world.width() - 4.0 * (columns as f32 + 1.0) - if world.is_wide() { 48.0 } else { 0.0 })
            / columns as f32;
        let mut views = vec![
            text("Photos", 32.0, theme.text)
                .id("toolbar_title")
                .pad_each(20.0, 34.0, 0.0, 10.0),
        ];
        let photos = &world.apps.photos.all;
        for group in photos.chunk_by(|one, other| one.day == other.day) {
            let day = group.first().map_or("", |photo| photo.day);
            views.push(
                text(day, 15.5, theme.text)
                    .medium()
                    .pad_each(20.0, 14.0, 0.0, 10.0)
                    .id("date"),
            );
            views.extend(group.chunks(columns).map(|photos| {
                let cells = photos.iter().map(|photo| {
                    picture(photo.painting, paint)
                        .size(side, side)
                        .desc(format!("Photo: {}", photo.about))
                        .id("thumbnail")
                        .click(Open(photo.number))
                });
                row(cells)
                    .class(class::GROUP)
                    .gap(4.0)
                    .pad_each(4.0, 0.0, 4.0, 4.0)
                    .wide()
            }));
        }
        if photos.is_empty() {
            views.push(nothing(theme, lucide_icons::Icon::Image, "No photos"));
        }
        views.push(gap(24.0));
        stack([column([scroll(views).id("photo_grid").key("photos")])
            .grow()
            .wide()])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if let Some(Open(number)) = act.get::<Open>() {
            world.open(viewer::Viewer::of(*number));
        }
    }
}

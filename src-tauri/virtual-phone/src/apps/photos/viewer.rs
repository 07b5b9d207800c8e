//! One picture.

use super::{PACKAGE, VIEWER, paint};
use crate::apps::parts::{dialog, icon_button};
use crate::system::{Activity, Bars, Popup, World};
use crate::toolkit::color::Color;
use crate::toolkit::view::{
    CrossAxisAlignment, Inset, ScreenMessage, View, column, picture, row, spring, stack, text,
};
use lucide_icons::Icon;

/// One picture, in its own shape or larger.
#[derive(Debug)]
pub(super) struct Viewer {
    number: u32,
    large: bool,
    asks: bool,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Back,
    Zoom,
    Step(isize),
    Ask,
    Keep,
    Delete,
}

impl Viewer {
    pub(super) fn of(number: u32) -> Self {
        Self {
            number,
            large: false,
            asks: false,
        }
    }
}

impl Activity for Viewer {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        VIEWER
    }

    fn bars(&self, _: &World) -> Bars {
        Bars::on(Color::BLACK)
    }

    fn view(&self, world: &World) -> View {
        let Some(photo) = world
            .apps
            .photos
            .all
            .iter()
            .find(|photo| photo.number == self.number)
        else {
            return column([]).fill(Color::BLACK);
        };
        let room = world.height() - 200.0;
        let width = world.width().min(room * 0.75);
        let scale = if self.large { 2.0 } else { 1.0 };
        let (width, height) = (width * scale, width * scale / 0.75);
        let shown = picture(photo.painting, paint)
            .size(width, height)
            .desc(format!("Photo: {}", photo.about))
            .id("photo")
            .double(Msg::Zoom);
        let frame = stack([shown]).centered().grow().wide().id("photo_frame");
        let bar = row([
            icon_button(Icon::ArrowLeft, "Navigate up", Color::WHITE, Msg::Back),
            text(photo.day, 17.0, Color::WHITE).grow().id("date"),
            icon_button(Icon::Trash2, "Delete", Color::WHITE, Msg::Ask).id("delete"),
        ]);
        let step = row([
            icon_button(Icon::ChevronLeft, "Previous photo", Color::WHITE, Msg::Step(-1)),
            spring(),
            icon_button(Icon::ChevronRight, "Next photo", Color::WHITE, Msg::Step(1)),
        ]);
        // The bars lie over a picture that is larger than its frame.
        let over = |view: View, top: Option<f32>, bottom: Option<f32>| {
            view.cross(CrossAxisAlignment::Center)
                .fill(Color::BLACK)
                .pad_xy(9.0, 8.0)
                .at(Inset {
                    left: Some(0.0),
                    right: Some(0.0),
                    top,
                    bottom,
                })
        };
        stack([frame, over(bar, Some(0.0), None), over(step, None, Some(0.0))]).fill(Color::BLACK)
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        self.asks.then(|| {
            let (keep, delete) = (ScreenMessage::new(Msg::Keep), ScreenMessage::new(Msg::Delete));
            dialog(
                &world.theme,
                "delete",
                "Delete photo?",
                "This can’t be undone.",
                ("Cancel", keep),
                ("Delete", delete),
            )
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Zoom) => self.large = !self.large,
            Some(Msg::Step(by)) => {
                let all = &world.apps.photos.all;
                let at = all
                    .iter()
                    .position(|photo| photo.number == self.number)
                    .unwrap_or(0);
                if let Some(photo) = at.checked_add_signed(*by).and_then(|at| all.get(at)) {
                    *self = Self::of(photo.number);
                }
            }
            Some(Msg::Ask) => self.asks = true,
            Some(Msg::Keep) => self.asks = false,
            Some(Msg::Delete) => {
                world.apps.photos.delete(self.number);
                world.finish();
            }
            None => {}
        }
    }
}

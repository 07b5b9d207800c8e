//! Recent apps: a row of cards, the newest in front.

use super::{PACKAGE, RECENTS};
use crate::apps::parts::nothing;
use crate::apps::{icon_view, manifest};
use crate::system::{Activity, Bars, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::view::{
    CrossAxisAlignment, DragEvent, DragPhase, MainAxisAlignment, ScreenMessage, View, button, class, column,
    painting, row, stack, text,
};
use lucide_icons::Icon;
use std::sync::Arc;
use tiny_skia::Pixmap;

/// A task as recent apps show it.
#[derive(Clone)]
pub(crate) struct Card {
    pub(crate) task: u32,
    pub(crate) package: &'static str,
    /// Its screen, smaller; none where it must not be seen.
    pub(crate) picture: Option<Arc<Pixmap>>,
}

impl std::fmt::Debug for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Card({})", self.package)
    }
}

#[derive(Debug)]
pub(super) struct Recents {
    cards: Vec<Card>,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Show(u32),
    Pull(u32, DragEvent),
    ClearAll,
    Close,
}

impl Recents {
    pub(super) fn new(cards: Vec<Card>) -> Self {
        Self { cards }
    }

    fn card(&self, card: &Card, world: &World) -> View {
        let theme = &world.theme;
        let label = manifest(card.package).map_or("", |manifest| manifest.label);
        let share = if world.is_wide() { 0.5 } else { 0.62 };
        let (width, height) = (world.width() * share, world.height() * share);
        let task = card.task;
        let picture = match card.picture.clone() {
            Some(picture) => painting(move |canvas, area, metrics| {
                canvas.picture(&picture, area, [metrics.px(22.0) as f32; 4]);
            }),
            None => stack([]).fill(theme.fill).radius(22.0),
        };
        let title = row([
            icon_view(card.package, 24.0),
            text(label, 15.0, theme.text).medium().lines(1),
        ]);
        column([
            title
                .gap(10.0)
                .cross(CrossAxisAlignment::Center)
                .id("task_name")
                .height(34.0),
            picture.size(width, height).id("snapshot").lift(3.0).radius(22.0),
        ])
        .class(class::FRAME)
        .id("task")
        .desc(label)
        .gap(6.0)
        .cross(CrossAxisAlignment::Center)
        .click(Msg::Show(task))
        .pull(move |pull| Msg::Pull(task, pull))
    }
}

impl Activity for Recents {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        RECENTS
    }

    fn bars(&self, world: &World) -> Bars {
        Bars::on(background(world))
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let background = background(world);
        if self.cards.is_empty() {
            return column([nothing(theme, Icon::Layers, "No recent items")])
                .main(MainAxisAlignment::Center)
                .fill(background)
                .click(Msg::Close);
        }
        let cards: Vec<View> = self.cards.iter().map(|card| self.card(card, world)).collect();
        let clear = button("Clear all", 14.5, theme.text)
            .height(44.0)
            .pad_xy(22.0, 0.0)
            .fill(theme.fill)
            .radius(22.0)
            .id("clear_all")
            .click(Msg::ClearAll);
        let list = row(cards)
            .scroll_across()
            .id("overview_panel")
            .key("cards")
            .gap(18.0)
            .pad_xy(46.0, 0.0)
            .wide();
        column([list, row([clear]).main(MainAxisAlignment::Center).wide()])
            .main(MainAxisAlignment::Center)
            .gap(22.0)
            .fill(background)
            .click(Msg::Close)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Show(task)) => {
                world.finish();
                world.call(SystemRequest::BringTask(*task));
            }
            // A card pushed up is closed; one pulled aside stays.
            Some(Msg::Pull(task, pull)) if pull.phase == DragPhase::Drop && pull.y < -80.0 => {
                self.cards.retain(|card| card.task != *task);
                world.call(SystemRequest::CloseTask(*task));
            }
            Some(Msg::ClearAll) => {
                for card in self.cards.drain(..) {
                    world.call(SystemRequest::CloseTask(card.task));
                }
                world.finish();
            }
            Some(Msg::Close) => world.finish(),
            Some(Msg::Pull(..)) | None => {}
        }
    }
}

fn background(world: &World) -> Color {
    if world.theme.dark {
        Color::rgb(0x1B1A22)
    } else {
        Color::rgb(0xE4E0EF)
    }
}

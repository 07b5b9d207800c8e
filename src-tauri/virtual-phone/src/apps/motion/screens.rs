//! The screens: what moves on them, and when.

use super::{COUNTER, LOADING, PACKAGE, SPINNER, TOUCH, VIDEO, extra};
use crate::android::Intent;
use crate::system::{Activity, Bars, World};
use crate::timecode;
use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use crate::toolkit::paint::{Canvas, Fill};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, Painter, ScreenMessage, View, button, class, column, painting, text,
};
use std::sync::Arc;
use std::time::Duration;

/// The view that moves.
const MOVING: &str = "motion";
/// Pictures a second, where nothing else is said.
const RATE: u32 = 60;
/// Of the list that comes.
const LINES: u32 = 8;
/// How long a touch sets things moving.
const MILLIS: u32 = 600;
const GREY: Color = Color::rgb(0x808080);

/// What a screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// The phone's clock, to be read from pixels.
    Counter,
    /// A ring of dots that turns for ever, in one place.
    Spinner,
    /// Everything moves, as in a film.
    Video,
    /// A button, and a box that moves for a while when it is pressed.
    Touch,
    /// A button that has a list come, half of it at a time: a ring of dots turns until it is there.
    Loading,
}

#[derive(Clone, Copy, Debug)]
struct Press;

/// A screen that moves.
#[derive(Debug)]
pub(super) struct Screen {
    show: Show,
    rate: u32,
    millis: u32,
    /// The picture it shows: counted from 1970, `rate` a second.
    picture: u64,
    /// When it was pressed last, and how often.
    pressed: Option<Duration>,
    presses: u32,
    /// How many lines of its list are there.
    lines: u32,
}

impl Screen {
    pub(super) fn new(show: Show, intent: &Intent) -> Self {
        Self {
            show,
            rate: extra(intent, "rate", RATE).clamp(1, 1000),
            millis: extra(intent, "millis", MILLIS).min(60_000),
            picture: 0,
            pressed: None,
            presses: 0,
            lines: 0,
        }
    }

    fn picture_at(&self, wall: Duration) -> u64 {
        let nanos = wall.as_nanos() * u128::from(self.rate) / 1_000_000_000;
        u64::try_from(nanos).unwrap_or(u64::MAX)
    }

    /// Milliseconds since 1970 at which the picture it shows began.
    fn millis_of(&self) -> u64 {
        (u128::from(self.picture) * 1000 / u128::from(self.rate)) as u64
    }

    /// How far the box of a touch has come, 0…1; none: it stands.
    fn under_way(&self, world: &World) -> Option<f32> {
        let since = world.now.saturating_sub(self.pressed?).as_secs_f32() * 1000.0;
        let share = since / self.millis.max(1) as f32;
        (share < 1.0).then_some(share)
    }

    fn painter(&self, world: &World) -> Painter {
        let millis = self.millis_of();
        let display = (world.display.width as f32, world.display.height as f32);
        let share = self.under_way(world).unwrap_or_default();
        match self.show {
            Show::Counter => {
                let cells = timecode::cells(timecode::number(millis));
                Painter(Arc::new(move |canvas, _, _| draw_cells(canvas, display, &cells)))
            }
            Show::Spinner | Show::Loading => {
                Painter(Arc::new(move |canvas, area, _| draw_dots(canvas, area, millis)))
            }
            Show::Video => Painter(Arc::new(move |canvas, area, _| draw_tiles(canvas, area, millis))),
            Show::Touch => Painter(Arc::new(move |canvas, area, _| draw_box(canvas, area, share))),
        }
    }
}

fn draw_cells(canvas: &mut Canvas, (width, height): (f32, f32), cells: &[bool]) {
    for (at, white) in cells.iter().enumerate() {
        let (left, top, side) = timecode::cell(width, height, at);
        let edge = |value: f32| value.round() as i32;
        let cell = Rect::new(edge(left), edge(top), edge(left + side), edge(top + side));
        let color = if *white { Color::WHITE } else { Color::BLACK };
        canvas.rect(cell, &Fill::Color(color));
    }
}

/// Eight dots on a ring, one after the other dark: a round a second.
fn draw_dots(canvas: &mut Canvas, area: Rect, millis: u64) {
    canvas.rect(area, &Fill::Color(Color::WHITE));
    let (x, y) = area.center();
    let radius = area.width().min(area.height()) as f32 * 0.36;
    let turn = (millis % 1000) as f32 / 1000.0;
    for dot in 0..8 {
        let share = dot as f32 / 8.0;
        let angle = share * std::f32::consts::TAU;
        let dark = 1.0 - (turn - share).rem_euclid(1.0);
        let place = (x as f32 + radius * angle.cos(), y as f32 + radius * angle.sin());
        let ink = Color::WHITE.mix(Color::rgb(0x3A5BA9), 0.15 + 0.85 * dark);
        canvas.circle(place, radius * 0.2, &Fill::Color(ink));
    }
}

/// Tiles of many colours that drift and change, in all of the area.
fn draw_tiles(canvas: &mut Canvas, area: Rect, millis: u64) {
    const SIDE: i32 = 96;
    let time = (millis % 3_600_000) as i64;
    let before = canvas.set_clip(area.intersection(&canvas.clip()));
    let (across, down) = (time / 5, time / 3);
    let drift = |by: i64| by.rem_euclid(i64::from(SIDE)) as i32;
    for row in 0..=area.height() / SIDE + 1 {
        for column in 0..=area.width() / SIDE + 1 {
            let left = area.left + column * SIDE - drift(across);
            let top = area.top + row * SIDE - drift(down);
            // A tile keeps its colour as it drifts, and slowly becomes another.
            let (x, y) = (
                i64::from(column) + across.div_euclid(i64::from(SIDE)),
                i64::from(row) + down.div_euclid(i64::from(SIDE)),
            );
            let wave = |by: f32| {
                let angle = x as f32 * 0.9 + y as f32 * 0.7 + time as f32 * 0.0015 + by;
                (128.0 + 110.0 * angle.sin()) as u8
            };
            let color = Color {
                red: wave(0.0),
                green: wave(2.1),
                blue: wave(4.2),
                alpha: 255,
            };
            canvas.rect(Rect::sized(left, top, SIDE, SIDE), &Fill::Color(color));
        }
    }
    canvas.set_clip(before);
}

/// A box on its way from the left edge to the right.
fn draw_box(canvas: &mut Canvas, area: Rect, share: f32) {
    canvas.rect(area, &Fill::Color(Color::rgb(0xE8ECF4)));
    let side = area.height();
    let left = area.left + ((area.width() - side) as f32 * share) as i32;
    canvas.rect(
        Rect::sized(left, area.top, side, side),
        &Fill::Color(Color::rgb(0x3A5BA9)),
    );
}

impl Activity for Screen {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        match self.show {
            Show::Counter => COUNTER,
            Show::Spinner => SPINNER,
            Show::Video => VIDEO,
            Show::Touch => TOUCH,
            Show::Loading => LOADING,
        }
    }

    fn view(&self, world: &World) -> View {
        let Painter(draw) = self.painter(world);
        let moving = painting(move |canvas, area, metrics| draw(canvas, area, metrics)).id(MOVING);
        let theme = &world.theme;
        match self.show {
            Show::Counter => moving.grow().wide(),
            Show::Video => moving.grow().wide(),
            Show::Spinner => column([
                text("Please wait", 24.0, theme.text).id("title"),
                moving.class(class::PROGRESS).size(96.0, 96.0),
                text("This never ends.", 16.0, theme.text_2).id("message"),
            ])
            .centered()
            .gap(24.0),
            Show::Touch => column([
                text(format!("Pressed {} times", self.presses), 24.0, theme.text).id("title"),
                moving.size(320.0, 48.0),
                button("Go", 18.0, theme.accent)
                    .height(56.0)
                    .pad_xy(48.0, 12.0)
                    .id("go")
                    .click(Press),
            ])
            .cross(CrossAxisAlignment::Center)
            .centered()
            .gap(24.0),
            Show::Loading => {
                let line = |number: u32| text(format!("Line {number}"), 16.0, theme.text_2);
                let title = text(format!("Pressed {} times", self.presses), 24.0, theme.text).id("title");
                let go = button("Go", 18.0, theme.accent).height(56.0).pad_xy(48.0, 12.0);
                let ring = self
                    .pressed
                    .map(|_| moving.class(class::PROGRESS).size(48.0, 48.0));
                let views = [title, go.id("go").click(Press)].into_iter();
                column(views.chain((1..=self.lines).map(line)).chain(ring))
                    .cross(CrossAxisAlignment::Center)
                    .gap(24.0)
            }
        }
    }

    fn bars(&self, world: &World) -> Bars {
        match self.show {
            Show::Counter => Bars::on(GREY),
            Show::Spinner => Bars::on(Color::WHITE),
            _ => Bars::on(world.theme.background),
        }
    }

    fn theme(&self, world: &World) -> Theme {
        let background = match self.show {
            Show::Counter => GREY,
            Show::Spinner => Color::WHITE,
            _ => return world.theme,
        };
        Theme {
            background,
            ..Theme::LIGHT
        }
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if act.get::<Press>().is_some() {
            self.pressed = Some(world.now);
            self.lines = 0;
        }
    }

    fn arrive(&mut self, intent: &Intent, _: &mut World) {
        self.rate = extra(intent, "rate", RATE).clamp(1, 1000);
        self.millis = extra(intent, "millis", MILLIS).min(60_000);
    }

    fn tick(&mut self, world: &mut World) -> bool {
        let half = self.under_way(world).is_some_and(|share| share >= 0.5);
        if self.show == Show::Loading && half && self.lines == 0 {
            self.lines = LINES / 2;
            return true;
        }
        // A touch's box has arrived, the list is whole: the words change.
        let over = self.pressed.is_some() && self.under_way(world).is_none();
        if over && self.show == Show::Loading {
            self.lines = LINES;
        }
        if over {
            self.pressed = None;
            self.presses += 1;
        }
        over
    }

    fn moves(&mut self, world: &World) -> bool {
        if matches!(self.show, Show::Touch | Show::Loading) && self.pressed.is_none() {
            return false;
        }
        let picture = self.picture_at(world.wall());
        std::mem::replace(&mut self.picture, picture) != picture
    }

    fn moving(&self, world: &World) -> Option<(&'static str, Painter)> {
        // The ring of a list is there while it comes.
        let shown = self.show != Show::Loading || self.pressed.is_some();
        shown.then(|| (MOVING, self.painter(world)))
    }
}

//! Choosing a time.

use super::checkout::Checkout;
use super::data::{SLOTS, dollars};
use super::parts::{bar, card, foot, footed, theme};
use super::{PACKAGE, SLOTS as CLASS};
use crate::system::{Activity, Bars, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, column, radio, row, scroll, text};

/// The page of delivery times.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) chosen: Option<usize>,
    /// Opened from the checkout, which waits below.
    pub(super) from_checkout: bool,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Back,
    Choose(usize),
    Go,
}

impl Activity for Slots {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        footed(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let chosen = self.chosen.or(world.apps.greenleaf.slot);
        let rows = SLOTS.into_iter().enumerate().map(|(index, (day, hours, cost))| {
            let on = chosen == Some(index);
            let words = column([
                text(day, 16.8, theme.text).medium().lines(1).id("day"),
                text(hours, 14.3, theme.text_2).lines(1).id("hours"),
            ])
            .gap(2.0)
            .grow();
            let cost = if cost == 0 {
                "Free".to_owned()
            } else {
                dollars(cost)
            };
            let line = row([
                radio(on),
                words,
                text(cost, 16.0, theme.text).lines(1).rigid().id("price"),
            ])
            .cross(CrossAxisAlignment::Center)
            .gap(16.0)
            .pad_xy(18.0, 14.0);
            let card = card(&theme, vec![line])
                .id("slot")
                .selected(on)
                .click(Msg::Choose(index));
            if on {
                card.fill(theme.soft).edge(2.0, theme.accent)
            } else {
                card
            }
        });
        column([
            bar(&theme, "Choose a time", Msg::Back),
            scroll(rows)
                .id("slot_list")
                .key("slots")
                .gap(11.0)
                .pad_each(19.0, 4.0, 19.0, 20.0),
            foot(&theme, None, "Continue", chosen.is_some(), Msg::Go),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Choose(index)) => self.chosen = Some(*index),
            Some(Msg::Go) => {
                if let Some(chosen) = self.chosen {
                    world.apps.greenleaf.slot = Some(chosen);
                }
                if self.from_checkout {
                    world.clear_to(Checkout::default());
                } else {
                    world.finish();
                    world.open(Checkout::default());
                }
            }
            None => {}
        }
    }
}

//! The basket.

use super::checkout::Checkout;
use super::data::dollars;
use super::parts::{amount, bar, card, foot, footed, line, price, stepper, theme, tile};
use super::product::Product;
use super::slots::Slots;
use super::{BASKET, PACKAGE};
use crate::apps::parts::nothing;
use crate::system::{Activity, Bars, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, column, row, scroll, spring, text};
use lucide_icons::Icon;

#[derive(Debug)]
pub(super) struct Basket;

#[derive(Clone, Copy, Debug)]
enum Msg {
    Back,
    Open(usize),
    Put(usize, u32),
    Checkout,
}

impl Activity for Basket {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        BASKET
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        footed(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let data = &world.apps.greenleaf;
        let lines: Vec<View> = data
            .basket
            .iter()
            .map(|(index, count)| {
                let good = data.good(*index);
                let (less, more) = (Msg::Put(*index, count - 1), Msg::Put(*index, count + 1));
                let end = column([
                    price(&theme, good.price * count),
                    stepper(&theme, good.name, *count, less, more, 32.0),
                ])
                .cross(CrossAxisAlignment::End)
                .gap(6.0);
                line(
                    &theme,
                    tile(&theme, good.picture, 51.0),
                    good.name,
                    &amount(&good, *count),
                    end,
                )
                .pad_xy(17.0, 8.0)
                .id("basket_item")
                .click(Msg::Open(*index))
            })
            .collect();
        let empty = lines.is_empty();
        let list = if empty {
            scroll([nothing(&theme, Icon::ShoppingCart, "Your basket is empty")]).key("basket")
        } else {
            scroll([card(&theme, lines).pad_xy(0.0, 8.0)])
                .id("basket_list")
                .key("basket")
                .pad_each(19.0, 4.0, 19.0, 20.0)
        };
        let count = data.basket.len();
        let sum = row([
            text(
                format!("{count} {}", if count == 1 { "item" } else { "items" }),
                18.5,
                theme.text,
            )
            .medium()
            .id("count"),
            spring(),
            text(dollars(data.subtotal()), 19.5, theme.text)
                .medium()
                .id("subtotal"),
        ])
        .cross(CrossAxisAlignment::Center)
        .wide();
        column([
            bar(&theme, "Basket", Msg::Back),
            list,
            foot(&theme, Some(sum), "Go to checkout", !empty, Msg::Checkout),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Open(index)) => world.open(Product::new(*index)),
            Some(Msg::Put(index, count)) => world.apps.greenleaf.put(*index, *count),
            Some(Msg::Checkout) if world.apps.greenleaf.slot.is_none() => world.open(Slots::default()),
            Some(Msg::Checkout) => world.open(Checkout::default()),
            None => {}
        }
    }
}

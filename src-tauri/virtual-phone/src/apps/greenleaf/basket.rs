//! The basket.

use super::checkout::Checkout;
use super::data::dollars;
use super::parts::{amount, bar, card, foot, footed, line, look, price, stepper, tile};
use super::product::Product;
use super::slots::Slots;
use super::{BASKET, PACKAGE};
use crate::apps::parts::nothing;
use crate::system::{Activity, Bars, World};
use crate::toolkit::look::Look;
use crate::toolkit::view::{Act, Cross, View, column, row, scroll, spring, text};
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

    fn look(&self, world: &World) -> Look {
        look(world)
    }

    fn bars(&self, world: &World) -> Bars {
        footed(world)
    }

    fn view(&self, world: &World) -> View {
        let look = look(world);
        let data = &world.apps.greenleaf;
        let lines: Vec<View> = data
            .basket
            .iter()
            .map(|(index, count)| {
                let good = data.good(*index);
                let (less, more) = (Msg::Put(*index, count - 1), Msg::Put(*index, count + 1));
                let end = column([
                    price(&look, good.price * count),
                    stepper(&look, good.name, *count, less, more, 32.0),
                ])
                .cross(Cross::End)
                .gap(6.0);
                line(
                    &look,
                    tile(&look, good.picture, 51.0),
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
            scroll([nothing(&look, Icon::ShoppingCart, "Your basket is empty")]).key("basket")
        } else {
            scroll([card(&look, lines).pad_xy(0.0, 8.0)])
                .id("basket_list")
                .key("basket")
                .pad_each(19.0, 4.0, 19.0, 20.0)
        };
        let count = data.basket.len();
        let sum = row([
            text(
                format!("{count} {}", if count == 1 { "item" } else { "items" }),
                18.5,
                look.text,
            )
            .medium()
            .id("count"),
            spring(),
            text(dollars(data.subtotal()), 19.5, look.text)
                .medium()
                .id("subtotal"),
        ])
        .cross(Cross::Center)
        .wide();
        column([
            bar(&look, "Basket", Msg::Back),
            list,
            foot(&look, Some(sum), "Go to checkout", !empty, Msg::Checkout),
        ])
    }

    fn act(&mut self, act: &Act, world: &mut World) {
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

//! After paying: the order that was placed, and all orders.

use super::data::{SLOTS, dollars};
use super::home::Home;
use super::parts::{bar, card, foot, theme};
use super::{ORDERS, PACKAGE, PLACED};
use crate::system::{Activity, Bars, World};
use crate::toolkit::text::Align;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, ScreenMessage, View, button, column, emoji, gap, icon, row,
    scroll, spring, stack, text,
};
use lucide_icons::Icon;

/// The newest order was placed.
#[derive(Debug)]
pub(super) struct Placed;

#[derive(Clone, Copy, Debug)]
enum Msg {
    Shop,
    Back,
}

impl Activity for Placed {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        PLACED
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        Bars::on(theme(world).background)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let data = &world.apps.greenleaf;
        let Some(order) = data.orders.last() else {
            return column([
                bar(&theme, "Orders", Msg::Back),
                foot(&theme, None, "Back to shop", true, Msg::Shop),
            ]);
        };
        let (day, hours, _) = SLOTS.get(order.slot).copied().unwrap_or(SLOTS[0]);
        let seal = stack([icon(Icon::Check, 46.0, theme.on_accent)])
            .centered()
            .size(104.0, 104.0)
            .fill(theme.accent)
            .radius(52.0);
        let words = |words: String, id| {
            text(words, 16.5, theme.text_2)
                .align(Align::Center)
                .line(24.0)
                .id(id)
        };
        let goods = row(order
            .goods
            .iter()
            .map(|(index, _)| emoji(data.good(*index).picture, 32.0)))
        .gap(4.0)
        .main(MainAxisAlignment::Center);
        let page = scroll([
            gap(76.0),
            seal,
            text("Order placed", 27.0, theme.text)
                .bold()
                .align(Align::Center)
                .margin(0.0, 22.0, 0.0, 6.0)
                .id("order_title"),
            words(format!("{day}, {hours}"), "order_slot"),
            words(
                format!(
                    "Order {} · {} paid with Visa •••• 4821",
                    order.number,
                    dollars(order.amount)
                ),
                "order_summary",
            ),
            card(&theme, vec![goods.pad_xy(12.0, 24.0)]).margin(0.0, 26.0, 0.0, 0.0),
        ])
        .id("order_page")
        .key("placed")
        .cross(CrossAxisAlignment::Center)
        .pad_each(19.0, 0.0, 19.0, 20.0);
        let back = button("Back to shop", 20.0, theme.on_accent)
            .height(61.0)
            .fill(theme.accent)
            .radius(30.5)
            .id("primary_button")
            .margin(19.0, 8.0, 19.0, 17.0)
            .click(Msg::Shop);
        column([page, back])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if act.get::<Msg>().is_some() {
            world.clear_to(Home);
        }
    }
}

/// What was ordered before.
#[derive(Debug)]
pub(super) struct Orders;

impl Activity for Orders {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        ORDERS
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let line = |title: String, below: String, cents: u32| {
            let words = column([
                text(title, 16.8, theme.text).medium().lines(1).id("order_number"),
                text(below, 14.3, theme.text_2).lines(1).id("order_details"),
            ]);
            let line = row([
                words.gap(2.0),
                spring(),
                text(dollars(cents), 16.8, theme.text).id("order_amount"),
            ]);
            card(
                &theme,
                vec![line.cross(CrossAxisAlignment::Center).pad_xy(18.0, 16.0)],
            )
        };
        let mut rows: Vec<View> = world
            .apps
            .greenleaf
            .orders
            .iter()
            .rev()
            .map(|order| {
                line(
                    format!("Order {}", order.number),
                    format!("Today · {} items", order.goods.len()),
                    order.amount,
                )
            })
            .collect();
        rows.push(line(
            "Order GL-118204".to_owned(),
            "May 7 · 8 items".to_owned(),
            2185,
        ));
        column([
            bar(&theme, "Your orders", Msg::Back),
            scroll(rows)
                .id("order_list")
                .key("orders")
                .gap(11.0)
                .pad_each(19.0, 4.0, 19.0, 20.0),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if act.get::<Msg>().is_some() {
            world.finish();
        }
    }
}

//! Checkout, as drawn.

use super::basket::Basket;
use super::data::{SLOTS, USUAL_SLOT, dollars};
use super::home::Home;
use super::parts::{amount, bar, card, foot, footed, line, price, theme, tile};
use super::placed::Placed;
use super::slots::Slots;
use super::{CHECKOUT, PACKAGE};
use crate::apps::parts::{divider, nothing};
use crate::system::{Activity, Bars, Popup, PopupKind, World};
use crate::toolkit::color::Color;
use crate::toolkit::paint::Fill;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    Content, CrossAxisAlignment, ScreenMessage, View, class, column, icon, radio, row, scroll, spring, stack,
    text,
};
use lucide_icons::Icon;

/// The page where an order is paid.
#[derive(Debug, Default)]
pub(super) struct Checkout {
    choosing: bool,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Back,
    Time,
    Items,
    Card,
    Keep,
    Pay,
}

fn chevron(theme: &Theme) -> View {
    icon(Icon::ChevronRight, 22.0, theme.text_3)
}

fn place(theme: &Theme, slot: usize) -> View {
    let (day, hours, _) = SLOTS.get(slot).copied().unwrap_or(SLOTS[USUAL_SLOT]);
    let truck = stack([icon(Icon::Truck, 22.0, theme.accent)])
        .centered()
        .size(51.0, 51.0)
        .fill(theme.soft)
        .radius(11.0)
        .class(class::IMAGE)
        .flat();
    let words = column([
        text(format!("{day}, {hours}"), 17.9, theme.text)
            .medium()
            .lines(1)
            .id("delivery_slot"),
        text("12 Alder Street, Apt 3", 14.0, theme.text_2)
            .lines(1)
            .id("delivery_address"),
    ])
    .gap(2.0)
    .grow();
    let line = row([truck, words, chevron(theme)])
        .gap(16.0)
        .cross(CrossAxisAlignment::Center)
        .pad_each(17.0, 16.0, 14.0, 16.0);
    card(theme, vec![line]).id("delivery_card").click(Msg::Time)
}

fn goods(world: &World, theme: &Theme) -> View {
    let data = &world.apps.greenleaf;
    let shown = if data.basket.len() > 3 {
        2
    } else {
        data.basket.len()
    };
    let mut lines: Vec<View> = data.basket[..shown]
        .iter()
        .map(|(index, count)| {
            let good = data.good(*index);
            let end = price(theme, good.price * count);
            line(
                theme,
                tile(theme, good.picture, 51.0),
                good.name,
                &amount(&good, *count),
                end,
            )
            .height(64.0)
        })
        .collect();
    if let [first, rest @ ..] = &data.basket[shown..] {
        let good = data.good(first.0);
        let title = format!("{} & {} more", good.name, rest.len());
        let end = price(theme, data.cost(&data.basket[shown..]));
        let line = line(
            theme,
            tile(theme, good.picture, 51.0),
            &title,
            "See all items",
            end,
        )
        .height(64.0);
        lines.push(line.id("all_items").click(Msg::Items));
    }
    card(theme, lines)
        .pad_each(17.0, 11.0, 17.0, 11.0)
        .id("items_card")
}

fn visa() -> View {
    View::new(class::IMAGE, Content::Empty)
        .size(51.0, 34.0)
        .fill(Fill::diagonal(Color::rgb(0x2B468A), Color::rgb(0x5C7BC9)))
        .radius(6.0)
}

fn payment(theme: &Theme) -> View {
    let words = column([
        text("Visa •••• 4821", 17.9, theme.text)
            .medium()
            .lines(1)
            .id("card_number"),
        text("Expires 08/27", 14.0, theme.text_2)
            .lines(1)
            .id("card_expiry"),
    ])
    .gap(2.0)
    .grow();
    let line = row([visa(), words, chevron(theme)])
        .gap(16.0)
        .cross(CrossAxisAlignment::Center)
        .pad_each(17.0, 13.0, 14.0, 13.0);
    card(theme, vec![line]).id("payment_card").click(Msg::Card)
}

fn sums(world: &World, theme: &Theme) -> View {
    let data = &world.apps.greenleaf;
    let delivery = data.delivery();
    let line = |label: &str, cents: String, ids: [&'static str; 2]| {
        row([
            text(label, 16.9, theme.text_2).id(ids[0]),
            spring(),
            text(cents, 16.9, theme.text).lines(1).rigid().id(ids[1]),
        ])
        .cross(CrossAxisAlignment::Center)
        .height(27.7)
        .wide()
    };
    let total = row([
        text("Total", 19.3, theme.text).medium().id("total_label"),
        spring(),
        text(dollars(data.total()), 20.3, theme.text)
            .medium()
            .lines(1)
            .rigid()
            .id("total"),
    ])
    .cross(CrossAxisAlignment::Center)
    .height(44.0)
    .wide();
    let delivery = if delivery == 0 {
        "Free".to_owned()
    } else {
        dollars(delivery)
    };
    card(
        theme,
        vec![
            line(
                "Subtotal",
                dollars(data.subtotal()),
                ["subtotal_label", "subtotal"],
            ),
            line("Delivery", delivery, ["delivery_label", "delivery_fee"]),
            divider(theme.line).margin(0.0, 9.0, 0.0, 0.0),
            total,
        ],
    )
    .pad_each(18.0, 12.0, 17.0, 10.0)
    .id("totals_card")
}

impl Activity for Checkout {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CHECKOUT
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
        if data.basket.is_empty() {
            return column([
                bar(&theme, "Checkout", Msg::Back),
                scroll([nothing(
                    &theme,
                    Icon::ShoppingCart,
                    "There is nothing to pay: your basket is empty",
                )]),
                foot(&theme, None, "Pay", false, Msg::Pay),
            ]);
        }
        let mut views = Vec::new();
        if let Some(notice) = &data.notice {
            let words = text(notice.as_str(), 15.0, theme.text)
                .line(21.0)
                .grow()
                .id("notice");
            let line = row([icon(Icon::Info, 20.0, theme.accent), words])
                .gap(12.0)
                .pad(15.0);
            views.push(card(&theme, vec![line]).fill(theme.soft));
        }
        views.extend([
            place(&theme, data.slot.unwrap_or(USUAL_SLOT)),
            goods(world, &theme),
            payment(&theme),
            sums(world, &theme),
        ]);
        let list = scroll(views)
            .id("checkout_list")
            .key("checkout")
            .gap(13.0)
            .pad_each(19.0, 7.0, 19.0, 20.0);
        let pay = format!("Pay {}", dollars(data.total()));
        let foot = foot(&theme, None, &pay, true, Msg::Pay);
        column([bar(&theme, "Checkout", Msg::Back), list, foot])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        if !self.choosing {
            return None;
        }
        let theme = theme(world);
        let way = |on: bool, title: &str, below: &str| {
            let words = column([
                text(title, 16.8, theme.text).medium().id("method_name"),
                text(below, 14.0, theme.text_2).id("method_details"),
            ])
            .gap(2.0)
            .grow();
            row([radio(on), words])
                .cross(CrossAxisAlignment::Center)
                .gap(16.0)
                .height(72.0)
                .wide()
        };
        let view = column([
            text("Pay with", 21.0, theme.text).medium().id("sheet_title"),
            way(true, "Visa •••• 4821", "Expires 08/27").click(Msg::Keep),
            way(false, "Gift card", "Balance $0.00")
                .enabled(false)
                .click(Msg::Keep),
        ])
        .gap(8.0)
        .pad_each(24.0, 24.0, 24.0, 40.0)
        .fill(theme.surface)
        .radii([28.0, 28.0, 0.0, 0.0]);
        Some(Popup {
            name: "method",
            kind: PopupKind::Sheet,
            view,
            cancel: Some(ScreenMessage::new(Msg::Keep)),
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Time) => world.open(Slots {
                from_checkout: true,
                ..Slots::default()
            }),
            Some(Msg::Items) => world.open(Basket),
            Some(Msg::Card) => self.choosing = true,
            Some(Msg::Keep) => self.choosing = false,
            Some(Msg::Pay) if world.apps.greenleaf.pay().is_some() => {
                world.clear_to(Home);
                world.open(Placed);
            }
            Some(Msg::Pay) | None => {}
        }
    }
}

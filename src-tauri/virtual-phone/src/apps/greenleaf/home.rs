//! The shop's first page: search, the usual order, the shelves.

use super::basket::Basket;
use super::data::dollars;
use super::goods::{Category, USUAL as USUAL_GOODS};
use super::parts::{card, theme};
use super::placed::Orders;
use super::shelf::{Search, Shelf, UsualOrder};
use super::{HOME, PACKAGE};
use crate::apps::parts::icon_button;
use crate::system::{Activity, World};
use crate::toolkit::color::Color;
use crate::toolkit::paint::Fill;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, Inset, ScreenMessage, View, button, class, column, emoji, icon, row, scroll, stack,
    text,
};
use lucide_icons::Icon;

#[derive(Debug)]
pub(super) struct Home;

#[derive(Clone, Copy, Debug)]
enum Msg {
    Search,
    Basket,
    Usual,
    AddAll,
    Orders,
    Open(Category),
}

fn head(theme: &Theme, count: usize) -> View {
    let basket = icon_button(Icon::ShoppingCart, "Basket", theme.text, Msg::Basket).id("basket");
    let badge = text(count.to_string(), 12.0, Color::WHITE)
        .medium()
        .id("basket_count")
        .pad_xy(6.0, 1.0)
        .fill(theme.accent)
        .radius(9.0)
        .at(Inset {
            right: Some(2.0),
            top: Some(4.0),
            ..Inset::default()
        });
    let basket = if count == 0 {
        stack([basket])
    } else {
        stack([basket, badge])
    };
    row([
        icon(Icon::Leaf, 28.0, theme.accent),
        text("Greenleaf", 25.0, theme.accent).bold().grow().id("logo"),
        icon_button(Icon::ReceiptText, "Your orders", theme.text, Msg::Orders).id("orders"),
        basket,
    ])
    .class(class::GROUP)
    .id("toolbar")
    .cross(CrossAxisAlignment::Center)
    .gap(9.0)
    .height(72.0)
    .pad_each(24.0, 0.0, 14.0, 0.0)
}

fn usual(world: &World) -> View {
    let data = &world.apps.greenleaf;
    let cost = data.cost(&USUAL_GOODS) + super::data::DELIVERY;
    let below = format!("{} items · {}", USUAL_GOODS.len(), dollars(cost));
    let words = column([
        text("Your usual order", 21.0, Color::WHITE)
            .bold()
            .id("usual_title"),
        text(below, 15.0, Color::rgb(0xDDF1DF)).id("usual_summary"),
        button("Add all to basket", 15.5, Color::rgb(0x1F7A45))
            .height(44.0)
            .pad_xy(20.0, 0.0)
            .fill(Color::WHITE)
            .radius(22.0)
            .margin(0.0, 12.0, 0.0, 0.0)
            .id("add_all")
            .click(Msg::AddAll),
    ])
    .cross(CrossAxisAlignment::Start)
    .gap(3.0);
    let carrot = emoji("🥕", 76.0).at(Inset {
        right: Some(18.0),
        bottom: Some(16.0),
        ..Inset::default()
    });
    let fill = Fill::diagonal(Color::rgb(0x1F7A45), Color::rgb(0x5FAA49));
    stack([words, carrot])
        .pad(22.0)
        .fill(fill)
        .radius(22.0)
        .id("usual_order")
        .click(Msg::Usual)
}

fn shelves(theme: &Theme, columns: usize) -> Vec<View> {
    let rows = Category::ALL.chunks(columns).map(|kinds| {
        let cells = kinds.iter().map(|kind| {
            let label = text(kind.name(), 15.0, theme.text)
                .medium()
                .lines(1)
                .id("category_name");
            card(theme, vec![emoji(kind.picture(), 54.0), label])
                .cross(CrossAxisAlignment::Center)
                .gap(12.0)
                .pad_xy(6.0, 22.0)
                .grow()
                .id("category")
                .click(Msg::Open(*kind))
        });
        row(cells).gap(12.0).wide()
    });
    rows.collect()
}

impl Activity for Home {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        HOME
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let search = row([
            icon(Icon::Search, 21.0, theme.text_2),
            text("Search groceries", 16.5, theme.text_2)
                .lines(1)
                .grow()
                .id("search_hint"),
        ])
        .class(class::GROUP)
        .id("search_bar")
        .gap(14.0)
        .cross(CrossAxisAlignment::Center)
        .height(58.0)
        .pad_xy(20.0, 0.0)
        .fill(theme.fill)
        .radius(29.0)
        .click(Msg::Search);
        let mut views = vec![
            search,
            usual(world),
            text("Browse", 21.0, theme.text)
                .bold()
                .pad_each(4.0, 4.0, 0.0, 0.0),
        ];
        views.extend(shelves(&theme, if world.is_wide() { 6 } else { 3 }));
        let list = scroll(views)
            .id("home_list")
            .key("home")
            .gap(16.0)
            .pad_each(19.0, 4.0, 19.0, 28.0);
        column([head(&theme, world.apps.greenleaf.basket.len()), list])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Search) => world.open(Search::default()),
            Some(Msg::Basket) => world.open(Basket),
            Some(Msg::Usual) => world.open(UsualOrder),
            Some(Msg::AddAll) => {
                world.apps.greenleaf.add_usual();
                world.open(Basket);
            }
            Some(Msg::Orders) => world.open(Orders),
            Some(Msg::Open(kind)) => world.open(Shelf::new(*kind)),
            None => {}
        }
    }
}

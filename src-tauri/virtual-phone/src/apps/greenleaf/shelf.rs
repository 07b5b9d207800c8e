//! Lists of goods: a shelf, what a search finds, the usual order.

use super::basket::Basket;
use super::data::dollars;
use super::goods::{Category, GOODS, USUAL as USUAL_GOODS};
use super::parts::{amount, bar, card, foot, footed, line, price, stepper, theme, tile};
use super::product::Product;
use super::{PACKAGE, SEARCH, SHELF, USUAL};
use crate::apps::parts::{divider, icon_button, nothing, search_field};
use crate::system::{Activity, Bars, SystemRequest, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{CrossAxisAlignment, ScreenMessage, View, column, row, scroll};
use lucide_icons::Icon;

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Open(usize),
    Put(usize, u32),
    Write(String),
    Submit,
    Basket,
    AddAll,
}

/// Does what all these lists do; gives back what it does not know.
fn handle(act: &ScreenMessage, world: &mut World) -> Option<Msg> {
    match act.get::<Msg>()?.clone() {
        Msg::Back => world.finish(),
        Msg::Open(index) => world.open(Product::new(index)),
        Msg::Put(index, count) => world.apps.greenleaf.put(index, count),
        Msg::Basket => world.open(Basket),
        other => return Some(other),
    }
    None
}

/// The bars over a list: white below while something lies in the basket, for then the basket's button stands there.
fn bars_over_basket(world: &World) -> Bars {
    if world.apps.greenleaf.basket.is_empty() {
        Bars::on(theme(world).background)
    } else {
        footed(world)
    }
}

/// One of the goods with its price and a button to take one.
fn good_line(theme: &Theme, world: &World, index: usize) -> View {
    let data = &world.apps.greenleaf;
    let good = data.good(index);
    let count = data.count(index);
    let end = if count == 0 {
        icon_button(
            Icon::Plus,
            &format!("Add {}", good.name),
            theme.accent,
            Msg::Put(index, 1),
        )
        .fill(theme.soft)
        .id("add")
    } else {
        stepper(
            theme,
            good.name,
            count,
            Msg::Put(index, count - 1),
            Msg::Put(index, count + 1),
            40.0,
        )
    };
    let end = row([price(theme, good.price), end])
        .gap(12.0)
        .cross(CrossAxisAlignment::Center);
    line(theme, tile(theme, good.picture, 51.0), good.name, good.unit, end)
        .pad_xy(17.0, 9.0)
        .id("product")
        .click(Msg::Open(index))
}

fn goods_list(theme: &Theme, world: &World, indexes: Vec<usize>) -> View {
    let lines = indexes
        .into_iter()
        .map(|index| good_line(theme, world, index))
        .collect();
    scroll([card(theme, lines).pad_xy(0.0, 8.0)])
        .id("product_list")
        .key("goods")
        .pad_each(19.0, 4.0, 19.0, 24.0)
}

fn basket_foot(theme: &Theme, world: &World) -> Option<View> {
    let data = &world.apps.greenleaf;
    let words = format!("View basket · {}", dollars(data.subtotal()));
    (!data.basket.is_empty()).then(|| foot(theme, None, &words, true, Msg::Basket))
}

/// One shelf.
#[derive(Debug)]
pub(super) struct Shelf {
    kind: Category,
}

impl Shelf {
    pub(super) fn new(kind: Category) -> Self {
        Self { kind }
    }
}

impl Activity for Shelf {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        SHELF
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars_over_basket(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let indexes = (0..GOODS.len())
            .filter(|index| GOODS[*index].kind == self.kind)
            .collect();
        let mut views = vec![
            bar(&theme, self.kind.name(), Msg::Back),
            goods_list(&theme, world, indexes),
        ];
        views.extend(basket_foot(&theme, world));
        column(views)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        handle(act, world);
    }
}

/// What a search finds.
#[derive(Debug, Default)]
pub(super) struct Search {
    words: String,
}

impl Activity for Search {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        SEARCH
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars_over_basket(world)
    }

    fn resume(&mut self, world: &mut World) {
        if self.words.is_empty() {
            world.call(SystemRequest::Focus("search"));
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let wanted = self.words.trim().to_lowercase();
        let fits = |index: &usize| {
            let good = &GOODS[*index];
            good.name.to_lowercase().contains(&wanted) || good.kind.name().to_lowercase().contains(&wanted)
        };
        let found: Vec<usize> = (0..GOODS.len()).filter(fits).collect();
        let list = if found.is_empty() {
            scroll([nothing(
                &theme,
                Icon::SearchX,
                "Nothing on our shelves by that name",
            )])
            .key("goods")
        } else {
            goods_list(&theme, world, found)
        };
        let field = search_field(
            &theme,
            &self.words,
            "Search groceries",
            Msg::Write,
            Msg::Back,
            Msg::Submit,
        );
        let mut views = vec![column([field]).pad_each(17.0, 10.0, 17.0, 12.0), list];
        views.extend(basket_foot(&theme, world));
        column(views)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if let Some(Msg::Write(words)) = handle(act, world) {
            self.words = words;
        }
    }
}

/// The usual order, to look at and to put into the basket.
#[derive(Debug)]
pub(super) struct UsualOrder;

impl Activity for UsualOrder {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        USUAL
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
        let mut lines = Vec::new();
        for (index, count) in USUAL_GOODS {
            let good = data.good(index);
            let lead = tile(&theme, good.picture, 51.0);
            let end = price(&theme, good.price * count);
            if !lines.is_empty() {
                lines.push(divider(theme.line));
            }
            let line = line(&theme, lead, good.name, &amount(&good, count), end);
            lines.push(line.pad_xy(17.0, 9.0).id("product").click(Msg::Open(index)));
        }
        column([
            bar(&theme, "Your usual order", Msg::Back),
            scroll([card(&theme, lines).pad_xy(0.0, 8.0)])
                .id("usual_list")
                .key("usual")
                .pad_each(19.0, 4.0, 19.0, 24.0),
            foot(&theme, None, "Add all to basket", true, Msg::AddAll),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if let Some(Msg::AddAll) = handle(act, world) {
            world.apps.greenleaf.add_usual();
            world.finish();
            world.open(Basket);
        }
    }
}

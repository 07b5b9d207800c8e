//! Lists of goods: a shelf, what a search finds, the usual order.

use super::basket::Basket;
use super::data::dollars;
use super::goods::{GOODS, Kind, USUAL as USUAL_GOODS};
use super::parts::{amount, bar, card, foot, footed, line, look, price, stepper, tile};
use super::product::Product;
use super::{PACKAGE, SEARCH, SHELF, USUAL};
use crate::apps::parts::{divider, icon_button, nothing, search_field};
use crate::system::{Activity, Bars, Call, World};
use crate::toolkit::look::Look;
use crate::toolkit::view::{Act, Cross, View, column, row, scroll};
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
fn handle(act: &Act, world: &mut World) -> Option<Msg> {
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
        Bars::on(look(world).background)
    } else {
        footed(world)
    }
}

/// One of the goods with its price and a button to take one.
fn good_line(look: &Look, world: &World, index: usize) -> View {
    let data = &world.apps.greenleaf;
    let good = data.good(index);
    let count = data.count(index);
    let end = if count == 0 {
        icon_button(
            Icon::Plus,
            &format!("Add {}", good.name),
            look.accent,
            Msg::Put(index, 1),
        )
        .fill(look.soft)
        .id("add")
    } else {
        stepper(
            look,
            good.name,
            count,
            Msg::Put(index, count - 1),
            Msg::Put(index, count + 1),
            40.0,
        )
    };
    let end = row([price(look, good.price), end]).gap(12.0).cross(Cross::Center);
    line(look, tile(look, good.picture, 51.0), good.name, good.unit, end)
        .pad_xy(17.0, 9.0)
        .id("product")
        .click(Msg::Open(index))
}

fn goods_list(look: &Look, world: &World, indexes: Vec<usize>) -> View {
    let lines = indexes
        .into_iter()
        .map(|index| good_line(look, world, index))
        .collect();
    scroll([card(look, lines).pad_xy(0.0, 8.0)])
        .id("product_list")
        .key("goods")
        .pad_each(19.0, 4.0, 19.0, 24.0)
}

fn basket_foot(look: &Look, world: &World) -> Option<View> {
    let data = &world.apps.greenleaf;
    let words = format!("View basket · {}", dollars(data.subtotal()));
    (!data.basket.is_empty()).then(|| foot(look, None, &words, true, Msg::Basket))
}

/// One shelf.
#[derive(Debug)]
pub(super) struct Shelf {
    kind: Kind,
}

impl Shelf {
    pub(super) fn new(kind: Kind) -> Self {
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

    fn look(&self, world: &World) -> Look {
        look(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars_over_basket(world)
    }

    fn view(&self, world: &World) -> View {
        let look = look(world);
        let indexes = (0..GOODS.len())
            .filter(|index| GOODS[*index].kind == self.kind)
            .collect();
        let mut views = vec![
            bar(&look, self.kind.name(), Msg::Back),
            goods_list(&look, world, indexes),
        ];
        views.extend(basket_foot(&look, world));
        column(views)
    }

    fn act(&mut self, act: &Act, world: &mut World) {
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

    fn look(&self, world: &World) -> Look {
        look(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars_over_basket(world)
    }

    fn resume(&mut self, world: &mut World) {
        if self.words.is_empty() {
            world.call(Call::Focus("search"));
        }
    }

    fn view(&self, world: &World) -> View {
        let look = look(world);
        let wanted = self.words.trim().to_lowercase();
        let fits = |index: &usize| {
            let good = &GOODS[*index];
            good.name.to_lowercase().contains(&wanted) || good.kind.name().to_lowercase().contains(&wanted)
        };
        let found: Vec<usize> = (0..GOODS.len()).filter(fits).collect();
        let list = if found.is_empty() {
            scroll([nothing(
                &look,
                Icon::SearchX,
                "Nothing on our shelves by that name",
            )])
            .key("goods")
        } else {
            goods_list(&look, world, found)
        };
        let field = search_field(
            &look,
            &self.words,
            "Search groceries",
            Msg::Write,
            Msg::Back,
            Msg::Submit,
        );
        let mut views = vec![column([field]).pad_each(17.0, 10.0, 17.0, 12.0), list];
        views.extend(basket_foot(&look, world));
        column(views)
    }

    fn act(&mut self, act: &Act, world: &mut World) {
        if let Some(Msg::Write(words)) = handle(act, world) {
            self.words = words;
        }
    }
}

/// The usual order, to look at and to put into the basket.
#[derive(Debug)]
pub(super) struct Usual;

impl Activity for Usual {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        USUAL
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
        let mut lines = Vec::new();
        for (index, count) in USUAL_GOODS {
            let good = data.good(index);
            let lead = tile(&look, good.picture, 51.0);
            let end = price(&look, good.price * count);
            if !lines.is_empty() {
                lines.push(divider(look.line));
            }
            let line = line(&look, lead, good.name, &amount(&good, count), end);
            lines.push(line.pad_xy(17.0, 9.0).id("product").click(Msg::Open(index)));
        }
        column([
            bar(&look, "Your usual order", Msg::Back),
            scroll([card(&look, lines).pad_xy(0.0, 8.0)])
                .id("usual_list")
                .key("usual")
                .pad_each(19.0, 4.0, 19.0, 24.0),
            foot(&look, None, "Add all to basket", true, Msg::AddAll),
        ])
    }

    fn act(&mut self, act: &Act, world: &mut World) {
        if let Some(Msg::AddAll) = handle(act, world) {
            world.apps.greenleaf.add_usual();
            world.finish();
            world.open(Basket);
        }
    }
}

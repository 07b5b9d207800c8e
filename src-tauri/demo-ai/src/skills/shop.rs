//! Greenleaf's pages, as their own words tell them apart, and the lines of goods on them.

use crate::decision_context::DecisionContext;
use crate::view::{View, title_of};
use crate::words::{plain, same};
use protocol::Element;

/// A page of the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Home,
    Search,
    Usual,
    Basket,
    Times,
    Checkout,
    /// A question over another page.
    Sheet,
    Placed,
    Orders,
    Other,
}

/// Which page of the shop is in front.
pub(super) fn page(view: &View<'_>) -> Page {
    let title = view.text_of("toolbar_title");
    if view.by_id("sheet_title").is_some() || view.by_id("alertTitle").is_some() {
        Page::Sheet
    } else if view.by_id("order_title").is_some() {
        Page::Placed
    } else if same(title, "Basket") {
        Page::Basket
    } else if same(title, "Checkout") {
        Page::Checkout
    } else if same(title, "Choose a time") {
        Page::Times
    } else if same(title, "Your usual order") {
        Page::Usual
    } else if same(title, "Your orders") {
        Page::Orders
    } else if view.by_id("logo").is_some() {
        Page::Home
    } else if view.by_id("search_src_text").is_some() {
        Page::Search
    } else {
        Page::Other
    }
}

/// So many of one of the goods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OrderLine {
    pub(super) count: u32,
    pub(super) name: String,
}

impl OrderLine {
    fn write(&self) -> String {
        format!("{} {}", self.count, self.name)
    }
}

/// The lines of the basket that can be seen whole: `Whole milk, 2 × ½ gal, $5.80, 2`.
pub(super) fn basket_lines(view: &View<'_>) -> Vec<OrderLine> {
    view.all_by_id("basket_item")
        .filter_map(|row| {
            Some(OrderLine {
                count: quantity(row)?,
                name: name(row),
            })
        })
        .collect()
}

/// How many of it a row of goods says are in the basket; none where it is not in it. The count stands alone between
/// commas, before the price or after it.
pub(super) fn quantity(row: &Element) -> Option<u32> {
    row.label.split(", ").skip(1).find_map(|part| part.parse().ok())
}

/// The lines of the usual order that can be seen whole: `Whole milk, 2 × ½ gal, $5.80`.
pub(super) fn usual_lines(view: &View<'_>) -> Vec<OrderLine> {
    let line = |row: &Element| {
        let (words, price) = row.label.rsplit_once(", ")?;
        let amount = words.split_once(", ")?.1;
        let count = amount
            .split_once(" × ")
            .and_then(|(count, _)| count.parse().ok())
            .unwrap_or(1);
        price.contains(char::is_numeric).then(|| OrderLine {
            count,
            name: name(row),
        })
    };
    view.all_by_id("product").filter_map(line).collect()
}

/// What a row of goods is called.
pub(super) fn name(row: &Element) -> String {
    title_of(&row.label).to_owned()
}

/// Lines as a note keeps them.
pub(super) fn write(lines: &[OrderLine]) -> String {
    lines.iter().map(OrderLine::write).collect::<Vec<_>>().join("; ")
}

/// Everything that was noted about such a list, and what is seen now.
pub(super) fn gather(scene: &DecisionContext<'_>, about: &str, now: &[OrderLine]) -> Vec<OrderLine> {
    let mut all: Vec<OrderLine> = Vec::new();
    let noted = scene
        .memory
        .told(about)
        .flat_map(|note| note.split("; ").filter_map(parse))
        .collect::<Vec<_>>();
    for line in noted.into_iter().chain(now.iter().cloned()) {
        match all
            .iter_mut()
            .find(|known| plain(&known.name) == plain(&line.name))
        {
            Some(known) => known.count = line.count,
            None => all.push(line),
        }
    }
    all
}

fn parse(text: &str) -> Option<OrderLine> {
    let (count, name) = text.split_once(' ')?;
    Some(OrderLine {
        count: count.parse().ok()?,
        name: name.to_owned(),
    })
}

/// Whether the basket holds all of it, in these numbers or more.
pub(super) fn holds(basket: &[OrderLine], wanted: &[OrderLine]) -> bool {
    !wanted.is_empty()
        && wanted.iter().all(|line| {
            basket
                .iter()
                .any(|own| plain(&own.name) == plain(&line.name) && own.count >= line.count)
        })
}

/// How many kinds of goods the basket page says there are: `8 items`.
pub(super) fn item_count(view: &View<'_>) -> Option<usize> {
    view.text_of("count").split(' ').next()?.parse().ok()
}

//! Single goods: searched for one by one and put into the basket, as many as are wanted in all.

use super::checkout;
use super::shop::{self, Page};
use crate::apps::GREENLEAF;
use crate::decision_context::DecisionContext;
use crate::goal::{Shopping, ShoppingItem};
use crate::moves::{Move, NextMove};
use crate::view::written;
use crate::words::{enumerate, like, list, plain};
use protocol::Element;

/// A note: `NUMBER COUNT NAME`; the count is 0 for what the shop does not have.
const GOT: &str = "got";
const HINT: &str = "Search groceries";

pub(super) fn next(scene: &DecisionContext<'_>, goods: &[ShoppingItem], shopping: &Shopping) -> NextMove {
    if !scene.is_in(&GREENLEAF) {
        return scene.open(&GREENLEAF, "I’ll get that at Greenleaf. I’m opening it.");
    }
    if let Some(next) = checkout::settled(scene) {
        return next;
    }
    let mut got = BasketContents::read(scene);
    while let Some((number, good)) = goods.iter().enumerate().find(|(number, _)| !got.knows(*number)) {
        match fetch(scene, good) {
            ItemSearch::Step(step) => return noting(step, &got),
            ItemSearch::Have(count, name) => got.new.push((number, count, name)),
            ItemSearch::Missing => got.new.push((number, 0, good.name.clone())),
        }
    }
    noting(finish(scene, goods, shopping, &got), &got)
}

/// What is known to be in the basket: noted before, and seen just now.
struct BasketContents {
    old: Vec<(usize, u32, String)>,
    new: Vec<(usize, u32, String)>,
}

impl BasketContents {
    fn read(scene: &DecisionContext<'_>) -> Self {
        let parse = |note: &str| {
            let mut words = note.splitn(3, ' ');
            Some((
                words.next()?.parse().ok()?,
                words.next()?.parse().ok()?,
                words.next()?.to_owned(),
            ))
        };
        Self {
            old: scene.memory.told(GOT).filter_map(parse).collect(),
            new: Vec::new(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &(usize, u32, String)> {
        self.old.iter().chain(&self.new)
    }

    fn knows(&self, number: usize) -> bool {
        self.all().any(|(known, ..)| *known == number)
    }
}

fn noting(next: NextMove, got: &BasketContents) -> NextMove {
    let NextMove::Do(mut step) = next else { return next };
    for (number, count, name) in &got.new {
        step = step.noting(GOT, format!("{number} {count} {name}"));
    }
    NextMove::Do(step)
}

/// What looking for one of the goods comes to.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum ItemSearch {
    /// One more step, or the end.
    Step(NextMove),
    /// So many are in the basket, and what they are called there.
    Have(u32, String),
    /// The shop does not have it.
    Missing,
}

/// One of the goods, one step further.
fn fetch(scene: &DecisionContext<'_>, good: &ShoppingItem) -> ItemSearch {
    let step = |next| ItemSearch::Step(next);
    match shop::page(&scene.view) {
        Page::Search => {}
        Page::Home => {
            return match scene.view.button(HINT) {
                Some(search) => step(NextMove::Do(Move::tap(
                    search,
                    format!("I’ll search for {}.", good.name),
                ))),
                None => step(scene.look_further("the search").map_or_else(
                    || {
                        NextMove::Left(
                            "Greenleaf shows no search, so I put nothing into the basket.".to_owned(),
                        )
                    },
                    NextMove::Do,
                )),
            };
        }
        _ => return step(scene.back("I’m going back to search the shop.")),
    }
    let Some(field) = scene.view.by_id("search_src_text") else {
        return step(scene.back("I’m going back to search the shop."));
    };
    let queries = queries(&good.name);
    let now = plain(written(field, &[HINT]));
    let Some(place) = queries.iter().position(|query| *query == now) else {
        let query = queries.first().map_or(good.name.as_str(), String::as_str);
        return step(scene.fill(field, query, &[HINT], format!("I’m searching for {query}.")));
    };
    if let Some(row) = best(scene, &good.name) {
        return take(scene, good, row);
    }
    if scene.view.list().is_some()
        && let Some(further) = scene.look_further(&good.name)
    {
        return step(NextMove::Do(further));
    }
    match queries.get(place + 1) {
        Some(query) => step(scene.fill(
            field,
            query,
            &[HINT],
            format!("Nothing by that name. I’ll try “{query}”."),
        )),
        None => ItemSearch::Missing,
    }
}

/// Puts one more of it into the basket, until there are enough.
fn take(scene: &DecisionContext<'_>, good: &ShoppingItem, row: &Element) -> ItemSearch {
    let name = shop::name(row);
    let have = shop::quantity(row).unwrap_or(0);
    if have >= good.count {
        return ItemSearch::Have(have, name);
    }
    let (words, thought) = if have == 0 {
        (
            format!("Add {name}"),
            format!("Here is {name}. I’m putting it into the basket."),
        )
    } else {
        (
            format!("Add one {name}"),
            format!("{have} of {} {name}. I’m adding one more.", good.count),
        )
    };
    ItemSearch::Step(match scene.view.button(&words) {
        Some(button) => NextMove::Do(Move::tap(button, thought)),
        None => scene.look_further(&name).map_or_else(
            || NextMove::Left(format!("{name} is there, but it cannot be put into the basket.")),
            NextMove::Do,
        ),
    })
}

/// What to search for: the words as they are, then without their ending, then the last of them alone.
fn queries(name: &str) -> Vec<String> {
    let stem = |word: &str| {
        let word = word
            .strip_suffix("ies")
            .or_else(|| word.strip_suffix('s'))
            .or_else(|| word.strip_suffix('y'));
        word.filter(|stem| stem.len() >= 3).map(str::to_owned)
    };
    let last = name.rsplit(' ').next().unwrap_or(name);
    let mut queries = vec![name.to_owned()];
    queries.extend(stem(name));
    queries.push(last.to_owned());
    queries.extend(stem(last));
    // A slip of a finger in the end of a word.
    let start: String = last.chars().take(3).collect();
    queries.push(start);
    let mut seen: Vec<String> = Vec::new();
    queries.retain(|query| {
        !seen.contains(query) && {
            seen.push(query.clone());
            true
        }
    });
    queries
}

/// The row of goods that is meant: all words wanted stand in its name; of several the shortest name.
fn best<'a>(scene: &DecisionContext<'a>, wanted: &str) -> Option<&'a Element> {
    let stem = |word: &str| {
        let word = word
            .strip_suffix("ies")
            .or_else(|| word.strip_suffix("es"))
            .or_else(|| word.strip_suffix('s'));
        word.map(str::to_owned)
    };
    let same = |one: &str, other: &str| {
        let (a, b) = (
            stem(one).unwrap_or_else(|| one.to_owned()),
            stem(other).unwrap_or_else(|| other.to_owned()),
        );
        like(one, other) || a == b || a.trim_end_matches('y') == b.trim_end_matches('y')
    };
    let wanted = list(wanted);
    let fits = |row: &&Element| {
        let words = list(&shop::name(row));
        wanted.iter().all(|one| words.iter().any(|word| same(one, word)))
    };
    let rows = scene
        .view
        .elements()
        .filter(|e| crate::view::id(e) == "product" && e.label.contains(", "));
    rows.filter(fits).min_by_key(|row| list(&shop::name(row)).len())
}

/// Everything was looked for.
fn finish(
    scene: &DecisionContext<'_>,
    goods: &[ShoppingItem],
    shopping: &Shopping,
    got: &BasketContents,
) -> NextMove {
    let there: Vec<(u32, &str)> = got
        .all()
        .filter(|(_, count, _)| *count > 0)
        .map(|(_, count, name)| (*count, name.as_str()))
        .collect();
    let missing: Vec<String> = got
        .all()
        .filter(|(_, count, _)| *count == 0)
        .map(|(number, ..)| goods[*number].name.clone())
        .collect();
    let without = match missing.as_slice() {
        [] => String::new(),
        some => format!(" I did not find {} there.", enumerate(some)),
    };
    if there.is_empty() {
        return NextMove::Left(format!(
            "Greenleaf has no {}. Nothing was put into the basket.",
            enumerate(&missing)
        ));
    }
    let what = what(&there);
    if !checkout::pays(scene, shopping) {
        return NextMove::Done(format!(
            "{what} in the basket at Greenleaf. I did not pay.{without}"
        ));
    }
    match shop::page(&scene.view) {
        Page::Search | Page::Home | Page::Other => {
            match scene.view.starting("View basket").or(scene.view.button("Basket")) {
                Some(button) => NextMove::Do(Move::tap(
                    button,
                    format!("{what} in the basket. I’m going there."),
                )),
                None if scene.view.has_keyboard() => {
                    NextMove::Do(Move::key("BACK", "I’m putting the keyboard away."))
                }
                None => scene.back("I’m going back to find the basket."),
            }
        }
        Page::Basket | Page::Times | Page::Checkout => {
            checkout::next(scene, shopping, &format!("{what}{}", others(scene, &there)))
        }
        _ => scene.back("I’m going back to the shop."),
    }
}

/// `2 Whole milk and 1 Baguette are`.
fn what(there: &[(u32, &str)]) -> String {
    let parts: Vec<String> = there
        .iter()
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let one = matches!(there, [(1, _)]);
    format!("{} {}", enumerate(&parts), if one { "is" } else { "are" })
}

/// What else the basket holds, said where it does.
fn others(scene: &DecisionContext<'_>, there: &[(u32, &str)]) -> &'static str {
    let count =
        shop::item_count(&scene.view).or_else(|| checkout::contents(scene)?.split(' ').next()?.parse().ok());
    if count.is_some_and(|count| count > there.len()) {
        ", with other goods,"
    } else {
        ""
    }
}

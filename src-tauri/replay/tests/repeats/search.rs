//! Something searched for by typing, and put into the basket: what it is is a variable.

use crate::common::{SHOP, drawing};
use crate::days::{self, Day};
use crate::groceries::HOME;
use crate::task::{Does, STEP, Step, Task, Values};
use std::fmt::Write as _;

const BREAD: Values = &[("what", "rye bread")];

pub(crate) const SEARCH: Task = Task {
    name: "search",
    app: SHOP,
    values: &[("what", "oat milk")],
    steps: &[
        STEP,
        Step {
            page: "home",
            does: Does::Tap {
                id: "search_bar",
                label: "Search groceries",
                entry: None,
            },
            ..STEP
        },
        Step {
            page: "search",
            does: Does::Type {
                id: "search_src_text",
                text: "{what}",
            },
            ..STEP
        },
        Step {
            page: "search-results",
            does: Does::Tap {
                id: "add",
                label: "Add",
                entry: Some("{what}"),
            },
            shows: &[("search_src_text", "{what}")],
            also: &["To basket"],
            ..STEP
        },
    ],
    end: "search-added",
    tree,
    first: "home",
    covered: "search",
    replaced: &["search", "search-results"],
    days,
};

/// What is found: its name, and how much of it for how much.
type Goods = &'static [(&'static str, &'static str)];

const MILK: Goods = &[
    ("Almond milk", "1 l · $3.60"),
    ("Oat milk barista", "1 l · $4.10"),
    ("Oat milk", "1 l · $3.20"),
    ("Soya milk", "1 l · $2.90"),
];

const LOAVES: Goods = &[
    ("Rye crispbread", "250 g · $2.40"),
    ("Rye bread", "500 g · $2.90"),
    ("Sourdough rye", "750 g · $5.20"),
];

fn page(typed: &str, below: &str) -> String {
    drawing::xml(&format!(
        "FrameLayout [0,0][1080,2400]\n  \
         ImageButton [20,140][130,250] #back desc=\"Back\" click\n  \
         EditText [150,140][900,250] #search_src_text \"{typed}\" hint=\"Search groceries\" click focused\n  \
         ImageButton [920,140][1040,250] #voice desc=\"Voice search\" click\n{below}"
    ))
}

fn recent() -> String {
    let mut below = String::from(
        "  TextView [60,320][700,380] #recent_title \"Recent searches\"\n  \
         androidx.recyclerview.widget.RecyclerView [0,400][1080,2337] #recent_list\n",
    );
    for (n, word) in ["bananas", "eggs", "basil"].iter().enumerate() {
        let top = 400 + n * 130;
        let (line, end) = (top + 30, top + 130);
        writeln!(
            below,
            "    LinearLayout [0,{top}][1080,{end}] #recent click\n      \
             TextView [160,{line}][900,{}] #recent_word \"{word}\"",
            line + 60
        )
        .unwrap();
    }
    below
}

/// What was found; what is in the basket has a number in the place of its button.
fn results(goods: Goods, in_basket: Option<&str>) -> String {
    let mut below = String::from(
        "  TextView [60,290][700,350] #results_title \"Results\"\n  \
         TextView [760,290][1020,350] #filter \"Filter\" click\n  \
         androidx.recyclerview.widget.RecyclerView [0,380][1080,2337] #results scroll\n",
    );
    for (n, (name, price)) in goods.iter().enumerate() {
        let top = 380 + n * 320;
        let (line, end) = (top + 40, top + 320);
        let (price_top, button, under) = (top + 120, top + 110, top + 210);
        let button = if in_basket.is_some_and(|what| what.eq_ignore_ascii_case(name)) {
            format!("      TextView [820,{button}][1020,{under}] #quantity \"1\"")
        } else {
            format!("      Button [820,{button}][1020,{under}] #add \"Add\" click")
        };
        writeln!(
            below,
            "    LinearLayout [0,{top}][1080,{end}] #product click\n      \
             ImageView [40,{line}][240,{under}] #picture\n      \
             TextView [280,{line}][780,{}] #name \"{name}\"\n      \
             TextView [280,{price_top}][780,{}] #price \"{price}\"\n{button}",
            line + 60,
            price_top + 50
        )
        .unwrap();
    }
    below
}

fn tree(name: &str, values: Values) -> String {
    let what = values[0].1;
    let goods = if what == "oat milk" { MILK } else { LOAVES };
    match name {
        "home" => drawing::xml(HOME),
        "search" => page("", &recent()),
        "search-results" => page(what, &results(goods, None)),
        "search-added" => page(what, &results(goods, Some(what))),
        other => panic!("no page {other}"),
    }
}

const GERMAN: &[(&str, &str)] = &[
    ("Add all to basket", "Alles in den Korb"),
    ("Your usual order", "Deine übliche Bestellung"),
    ("Search groceries", "Lebensmittel suchen"),
    ("Your orders", "Deine Bestellungen"),
    ("\"Basket\"", "\"Korb\""),
    ("Browse", "Stöbern"),
    ("\"Back\"", "\"Zurück\""),
    ("Voice search", "Sprachsuche"),
    ("Recent searches", "Letzte Suchen"),
    ("\"Results\"", "\"Ergebnisse\""),
    ("\"Filter\"", "\"Filtern\""),
    ("\"Add\"", "\"Dazu\""),
    ("Almond milk", "Mandelmilch"),
    ("Oat milk", "Hafermilch"),
    ("Soya milk", "Sojamilch"),
];

/// Other results, for whatever is searched for. What is added is added among them.
fn found(name: &'static str, goods: Goods) -> Day {
    found_by(name, move |_| goods)
}

fn found_by(name: &'static str, goods: impl Fn(u32) -> Goods + 'static) -> Day {
    Day::changed(name, move |page_name, xml, scrolled| match page_name {
        "search-results" => page("oat milk", &results(goods(scrolled), None)),
        "search-added" => page("oat milk", &results(goods(scrolled), Some("oat milk"))),
        _ => xml,
    })
}

fn days() -> Vec<Day> {
    const FRUIT: Goods = &[("Bananas", "1 kg · $1.20"), ("Banana chips", "200 g · $2.80")];
    vec![
        Day::reworded(days::OTHER_DATA, &[("$3.20", "$3.85"), ("$23.40", "$25.10")]),
        Day {
            values: Some(BREAD),
            ..Day::new(days::OTHER_VALUE)
        },
        found(days::OTHER_PAYEE, FRUIT),
        Day {
            values: Some(BREAD),
            ..Day::changed(days::OLD_VALUE, |name, xml, _| match name {
                "search-results" => page("rye bread", &results(MILK, None)),
                _ => xml,
            })
        },
        Day::reworded(days::LONGER_NAME, &[("\"Oat milk\"", "\"Oat milk original\"")]),
        Day::changed(days::FULL_FIELD, |name, xml, _| match name {
            "search" => page("basil", &recent()),
            "search-results" => page("basiloat milk", &results(&[], None)),
            _ => xml,
        }),
        found(
            days::OTHER_ORDER,
            &[
                ("Oat milk", "1 l · $3.20"),
                ("Soya milk", "1 l · $2.90"),
                ("Almond milk", "1 l · $3.60"),
                ("Oat milk barista", "1 l · $4.10"),
            ],
        ),
        Day::changed(days::MOVED, |_, xml, _| xml.replace("[820,", "[300,")),
        Day::reworded(days::OTHER_WORDING, &[("\"Add\"", "\"To basket\"")]),
        Day::reworded(days::OTHER_ID, &[("id/add\"", "id/add_to_basket\"")]),
        Day::reworded(days::OTHER_LANGUAGE, GERMAN),
        // It is sold out.
        Day::changed(days::GONE, |name, xml, _| match name {
            "search-results" => page("oat milk", &results(MILK, Some("oat milk"))),
            _ => xml,
        }),
        found_by(days::FURTHER_DOWN, |scrolled| match scrolled {
            0 => &[
                ("Oat milk barista", "1 l · $4.10"),
                ("Oat drink with vanilla", "1 l · $3.90"),
                ("Oat cream", "200 ml · $1.90"),
                ("Milk rice", "500 g · $2.10"),
            ],
            1 => &[
                ("Milk rice", "500 g · $2.10"),
                ("Almond milk", "1 l · $3.60"),
                ("Coconut milk", "400 ml · $2.20"),
            ],
            _ => MILK,
        }),
        found(
            days::TWINS,
            &[
                ("Oat milk", "1 l · $3.20"),
                ("Almond milk", "1 l · $3.60"),
                ("Oat milk", "2 l · $5.90"),
            ],
        ),
    ]
}

//! Groceries: the weekly order, single goods, when they are to come, and whether they are to be paid.

use super::task::{DeliverySlot, PartOfDay, Shopping, ShoppingItem, Task};
use crate::clause::Clause;
use crate::words::number;

impl DeliverySlot {
    /// The time in these words.
    pub(crate) fn read(words: &str) -> Self {
        Self::of(&Clause::of(words))
    }

    fn of(clause: &Clause<'_>) -> Self {
        let part = if clause.has(&["morning", "noon"]) {
            Some(PartOfDay::Morning)
        } else if clause.has(&["evening", "night", "tonight", "afternoon"]) {
            Some(PartOfDay::Evening)
        } else {
            None
        };
        Self {
            day: DAYS.iter().copied().find(|day| clause.has(&[day])),
            part,
        }
    }

    /// This, and what it leaves open from another.
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            day: self.day.or(other.day),
            part: self.part.or(other.part),
        }
    }

    /// In words: the same for the same time.
    pub(crate) fn words(self) -> String {
        let part = match self.part {
            Some(PartOfDay::Morning) => "morning",
            Some(PartOfDay::Evening) => "evening",
            None => "any time",
        };
        format!("{} {part}", self.day.unwrap_or("any day"))
    }
}

const BUYS: &[&str] = &["order", "reorder", "re-order", "buy", "purchase"];
/// Verbs that mean shopping where a shop or a basket is named too.
const PUTS: &[&str] = &[
    "add", "put", "get", "shop", "do", "want", "need", "place", "repeat", "make",
];
const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// `Order the weekly groceries`.
pub(super) fn usual(clause: &Clause<'_>) -> Option<Task> {
    let groceries = clause.has(&["groceries", "grocery", "shopping"]);
    let same = clause.has(&["weekly", "usual", "regular", "recurring", "week's"]);
    let verb = clause.has(BUYS) || clause.has(PUTS);
    let order = same
        && clause.has(&[
            "order", "list", "items", "shop", "basket", "goods", "stuff", "things",
        ]);
    let bare = groceries && clause.words.len() <= 4;
    ((groceries && (verb || same || bare)) || (order && verb)).then(|| Task::Usual(shopping(clause)))
}

/// `Order two whole milk and a baguette`.
pub(super) fn goods(clause: &Clause<'_>) -> Option<Task> {
    let start = first_good(clause)?;
    let mut goods: Vec<ShoppingItem> = Vec::new();
    let mut count = None;
    let mut name: Vec<&str> = Vec::new();
    for at in start..clause.words.len() {
        let word = clause.words[at].plain.as_str();
        let ends = ENDS.contains(&word);
        let breaks =
            at > start && (clause.gap(at).contains([',', ';']) || matches!(word, "and" | "plus" | "&"));
        if breaks || ends {
            push(&mut goods, &mut count, &mut name);
        }
        if ends {
            break;
        }
        if name.is_empty()
            && let Some(n) = number(word)
        {
            // `a dozen eggs`: one pack of twelve is what shops call it.
            count = count.or(Some(if word == "dozen" { 1 } else { n }));
        } else if !NOISE.contains(&word) {
            name.push(word);
        }
    }
    push(&mut goods, &mut count, &mut name);
    let known = !goods.is_empty() && goods.len() <= 8;
    known.then(|| Task::Goods {
        goods,
        shopping: shopping(clause),
    })
}

/// Words that say nothing of what is bought.
const NOISE: &[&str] = &[
    "of", "the", "some", "more", "and", "plus", "packs", "pack", "bottles", "bottle", "loaf", "loaves",
    "cartons", "carton", "pieces", "piece", "bags", "bag", "please", "me", "us", "also", "x", "my", "dozen",
    "gallon", "gallons",
];
/// Words the list of goods ends with.
const ENDS: &[&str] = &[
    "to", "into", "in", "from", "at", "on", "for", "without", "but", "if", "only", "then", "with", "by",
    "via", "using", "through", "don't", "do", "pay", "check", "checkout",
];

/// The place of the first word of the list of goods.
fn first_good(clause: &Clause<'_>) -> Option<usize> {
    let shop = clause.has(&["basket", "cart", "greenleaf"]);
    let verb = clause.find(BUYS).or_else(|| clause.find(PUTS).filter(|_| shop))?;
    // The verb leads; what stands before it is politeness or the shop.
    let leads = clause.words[..verb]
        .iter()
        .all(|word| LEADS.contains(&word.plain.as_str()));
    (leads && verb + 1 < clause.words.len()).then_some(verb + 1)
}

/// Words that may stand before the verb.
const LEADS: &[&str] = &[
    "please",
    "can",
    "could",
    "you",
    "i",
    "want",
    "to",
    "would",
    "like",
    "i'd",
    "need",
    "let's",
    "go",
    "and",
    "now",
    "in",
    "on",
    "at",
    "greenleaf",
    "then",
    "open",
    "also",
    "just",
];

fn push(goods: &mut Vec<ShoppingItem>, count: &mut Option<u32>, name: &mut Vec<&str>) {
    let count = count.take();
    if !name.is_empty() && name.len() <= 4 {
        goods.push(ShoppingItem {
            count: count.unwrap_or(1).clamp(1, 20),
            name: name.join(" "),
        });
    }
    name.clear();
}

fn shopping(clause: &Clause<'_>) -> Shopping {
    let pays = clause.has(&["pay", "paying", "checkout"]) || clause.says(&["check out", "place the order"]);
    Shopping {
        pay: pays && !forbids(clause),
        slot: DeliverySlot::of(clause),
    }
}

/// `…, don’t pay`, `without paying`, `stop before checkout`.
pub(super) fn forbids(clause: &Clause<'_>) -> bool {
    clause.says(&[
        "don't pay",
        "dont pay",
        "do not pay",
        "never pay",
        "not pay",
        "no payment",
        "no pay",
        "without paying",
        "without payment",
        "don't buy",
        "do not buy",
        "don't order",
        "do not order",
        "don't checkout",
        "don't check out",
        "do not check out",
        "stop after the basket",
        "stop at the basket",
        "stop after basket",
        "stop with the basket",
        "stop before paying",
        "stop before you pay",
        "stop before the payment",
        "stop before payment",
        "stop at checkout",
        "stop at the checkout",
        "stop before checkout",
        "only the basket",
        "just the basket",
        "only fill the basket",
    ])
}

/// Words about paying and nothing else: true to pay, false not to.
pub(super) fn pays(clause: &Clause<'_>) -> Option<bool> {
    if forbids(clause)
        && !clause.has(&["groceries", "grocery", "weekly", "usual"])
        && first_good(clause).is_none()
    {
        return Some(false);
    }
    let verb = clause
        .words
        .iter()
        .position(|word| !POLITE.contains(&word.plain.as_str()))?;
    let rest = Clause::of(clause.rest(verb));
    let begins = rest.begins(&[
        "pay",
        "checkout",
        "check out",
        "place the order",
        "place it",
        "complete the order",
    ]);
    // `Check out the news` is not about money.
    begins
        .filter(|words| rest.words.len() <= words + 8)
        .filter(|_| !rest.has(&["news", "page", "website"]))
        .map(|_| true)
}

const POLITE: &[&str] = &[
    "please", "and", "then", "now", "also", "just", "finally", "you", "may", "can", "could", "ok", "okay",
    "yes",
];

//! What is otherwise on other days.

use crate::common::drawing;
use crate::task::{SIZE, Task, Values};
use protocol::Millis;
use replay::LastActResult;
use std::fmt::Write as _;

/// Every way in which a day differs, in the order of the table.
pub(crate) const NAMES: &[&str] = &[
    "the same",
    "slow",
    "a smaller screen",
    "a larger screen",
    "turned",
    OTHER_DATA,
    OTHER_VALUE,
    OTHER_PAYEE,
    OLD_VALUE,
    LONGER_NAME,
    FULL_FIELD,
    IS_ON,
    OTHER_ORDER,
    "a rating prompt",
    "a permission dialog",
    "a dialog nobody knows",
    MOVED,
    OTHER_WORDING,
    OTHER_ID,
    OTHER_LANGUAGE,
    GONE,
    FURTHER_DOWN,
    TWINS,
    "two that fit, one in a box of its own",
    "a page in between",
    "another app's page",
    "nobody knows whether it was done",
    "the person says No",
];

pub(crate) const OTHER_DATA: &str = "another price, last message or battery level";
pub(crate) const OTHER_VALUE: &str = "another value of the task's variables";
pub(crate) const OTHER_PAYEE: &str = "another card, conversation or list of results";
pub(crate) const OLD_VALUE: &str = "another value, and the page of the old one";
pub(crate) const LONGER_NAME: &str = "a longer name in the list";
pub(crate) const FULL_FIELD: &str = "something stands in the field";
pub(crate) const IS_ON: &str = "it is on already";
pub(crate) const OTHER_ORDER: &str = "another order of items";
pub(crate) const MOVED: &str = "the button moved";
pub(crate) const OTHER_WORDING: &str = "another wording";
pub(crate) const OTHER_ID: &str = "another id";
pub(crate) const OTHER_LANGUAGE: &str = "another language";
pub(crate) const GONE: &str = "the button is gone";
pub(crate) const FURTHER_DOWN: &str = "the button is further down";
pub(crate) const TWINS: &str = "two that are the same in everything";

/// The page's name, its tree, and how often it was scrolled.
type Change = Box<dyn Fn(&str, String, u32) -> String>;

/// What is otherwise on the day it is done again.
pub(crate) struct Day {
    pub(crate) name: &'static str,
    pub(crate) size: (u32, u32),
    pub(crate) change: Change,
    /// Where they are others than on the day of the recording.
    pub(crate) values: Option<Values>,
    /// What lies over a page when it opens.
    pub(crate) over: Option<(&'static str, &'static str)>,
    /// Another page opens in the place of this one.
    pub(crate) detour: Option<&'static str>,
    /// How long a page takes to open.
    pub(crate) slow: Millis,
    /// What is told of the last step.
    pub(crate) told: LastActResult,
    /// The person lets it go on where something is another.
    pub(crate) accepts: bool,
    /// What the last step does is done before.
    pub(crate) is_done: bool,
}

impl Day {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            size: SIZE,
            change: Box::new(|_, xml, _| xml),
            values: None,
            over: None,
            detour: None,
            slow: 0,
            told: LastActResult::Done,
            accepts: false,
            is_done: false,
        }
    }

    pub(crate) fn changed(
        name: &'static str,
        change: impl Fn(&str, String, u32) -> String + 'static,
    ) -> Self {
        Self {
            change: Box::new(change),
            ..Self::new(name)
        }
    }

    /// Other words on every page.
    pub(crate) fn reworded(name: &'static str, words: &'static [(&'static str, &'static str)]) -> Self {
        Self::changed(name, |_, xml, _| {
            words.iter().fold(xml, |xml, (from, to)| xml.replace(from, to))
        })
    }
}

/// The task's own days, and those that are the same for every task, in the order of the table.
pub(crate) fn days(task: &Task) -> Vec<Day> {
    let mut own = (task.days)();
    let has = |days: &[Day], name: &str| days.iter().any(|day| day.name == name);
    for day in for_all(task) {
        if !has(&own, day.name) {
            own.push(day);
        }
    }
    assert!(own.iter().all(|day| NAMES.contains(&day.name)));
    own.sort_by_key(|day| NAMES.iter().position(|name| *name == day.name));
    own
}

fn for_all(task: &Task) -> Vec<Day> {
    let over = |name, on, what| Day {
        over: Some((on, what)),
        ..Day::new(name)
    };
    let (app, replaced) = (task.app, task.replaced);
    let mut all = vec![
        Day::new("the same"),
        Day {
            slow: 3_000,
            ..Day::new("slow")
        },
        Day {
            size: (720, 1600),
            ..Day::changed("a smaller screen", |_, xml, _| {
                moved(&xml, |x, y| (x * 2 / 3, y * 2 / 3))
            })
        },
        Day {
            size: (1440, 3200),
            ..Day::changed("a larger screen", |_, xml, _| {
                moved(&xml, |x, y| (x * 4 / 3, y * 4 / 3))
            })
        },
        Day {
            size: (2400, 1080),
            ..Day::changed("turned", |_, xml, _| moved(&xml, |x, y| (x * 20 / 9, y * 9 / 20)))
        },
        over("a dialog nobody knows", task.covered, "survey"),
        Day {
            detour: Some(task.covered),
            ..Day::new("a page in between")
        },
        Day::changed("another app's page", move |name, xml, _| {
            if replaced.contains(&name) {
                drawing::demo_xml("northbank-home").replace("com.northbank", app)
            } else {
                xml
            }
        }),
        Day {
            told: LastActResult::Unknown,
            ..Day::new("nobody knows whether it was done")
        },
        Day {
            told: LastActResult::Refused,
            ..Day::new("the person says No")
        },
    ];
    // The phone's own settings ask for no rating and for no permission.
    if app != "com.android.settings" {
        all.push(over("a rating prompt", task.covered, "rating"));
        all.push(over("a permission dialog", task.first, "permission"));
    }
    all
}

/// Every rectangle of a tree, moved.
pub(crate) fn moved(xml: &str, to: impl Fn(u32, u32) -> (u32, u32)) -> String {
    let mut out = String::new();
    let mut rest = xml;
    while let Some((before, after)) = rest.split_once("bounds=\"[") {
        let (edges, behind) = after.split_once("]\"").unwrap();
        let numbers: Vec<u32> = edges
            .split(['[', ']', ','])
            .filter(|n| !n.is_empty())
            .map(|n| n.parse().unwrap())
            .collect();
        let ((left, top), (right, bottom)) = (to(numbers[0], numbers[1]), to(numbers[2], numbers[3]));
        write!(out, "{before}bounds=\"[{left},{top}][{right},{bottom}]\"").unwrap();
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The node with an id, in another form.
pub(crate) fn node(xml: &str, id: &str, change: impl Fn(&str) -> String) -> String {
    let Some(at) = xml.find(&format!(":id/{id}\"")) else {
        return xml.to_owned();
    };
    let from = xml[..at].rfind("<node").unwrap();
    let to = at + xml[at..].find('>').unwrap() + 1;
    format!("{}{}{}", &xml[..from], change(&xml[from..to]), &xml[to..])
}

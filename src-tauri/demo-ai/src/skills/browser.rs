//! Web pages: opening one, telling its headline. Whatever else a page says is never followed.

use crate::apps::BROWSER;
use crate::decision_context::DecisionContext;
use crate::goal::PageRef;
use crate::moves::{Move, NextMove};
use crate::view::{is_pressable, title_of};
use crate::words::{list, plain, same};
use agent::prompt::cut;
use protocol::{Act, Element, Role};

pub(super) fn next(scene: &DecisionContext<'_>, place: &PageRef, headline: bool) -> NextMove {
    match place {
        PageRef::Address(address) => address_bar(scene, address, headline),
        PageRef::Named(name) => named(scene, name, headline),
        PageRef::Front => front(scene, headline),
    }
}

/// The page as a whole.
fn web<'a>(scene: &DecisionContext<'a>) -> Option<&'a Element> {
    scene.view.elements().find(|e| e.role == Role::Web)
}

/// An address for comparing: `news.example`.
fn bare(address: &str) -> String {
    let address = plain(address);
    let address = address
        .strip_prefix("https://")
        .or(address.strip_prefix("http://"))
        .unwrap_or(&address);
    address
        .trim_start_matches("www.")
        .trim_end_matches('/')
        .to_owned()
}

fn address_bar(scene: &DecisionContext<'_>, address: &str, headline: bool) -> NextMove {
    let shown = scene
        .view
        .by_id("url_bar")
        .and_then(|bar| bar.value.as_deref())
        .map(bare);
    if scene.is_in(&BROWSER) && shown.as_deref() == Some(bare(address).as_str()) {
        return tell(scene, headline);
    }
    let opens = |deed: &&crate::memory::PastStep| matches!(deed.act, Some(Act::OpenUrl { .. }));
    let opened = scene.memory.deeds.iter().rev().find(opens);
    match opened.map(|deed| deed.end.may_be_done()) {
        None => {
            let url = if address.contains("://") {
                address.to_owned()
            } else {
                format!("https://{address}")
            };
            NextMove::Do(Move::open_url(&url, format!("I’m opening {address}.")))
        }
        Some(true) if scene.memory.by_hand() => tell(scene, headline),
        Some(true) => scene.wait_for("the page", 2).map_or_else(
            || NextMove::Left(format!("I opened {address}, but it does not show.")),
            NextMove::Do,
        ),
        Some(false) => NextMove::Left(format!("The phone did not open {address}.")),
    }
}

/// A page from the browser's own list.
fn named(scene: &DecisionContext<'_>, name: &str, headline: bool) -> NextMove {
    if !scene.is_in(&BROWSER) {
        return scene.open(&BROWSER, "I’m opening the browser.");
    }
    if web(scene).is_some_and(|web| same(&web.label, name)) {
        return tell(scene, headline);
    }
    let link = scene
        .view
        .elements()
        .find(|e| is_pressable(e) && e.role == Role::Link && same(title_of(&e.label), name));
    if let Some(link) = link {
        return NextMove::Do(Move::tap(link, format!("There is {name}. I’m opening it.")));
    }
    let start = web(scene).is_some_and(|web| same(&web.label, "Start page"));
    match scene.view.button("Home").filter(|_| !start) {
        Some(home) => NextMove::Do(Move::tap(home, "I’m going to the browser’s start page.")),
        None => scene.look_further(name).map_or_else(
            || {
                NextMove::Left(format!(
                    "I found no page called “{name}”. Tell me its address and I’ll open it."
                ))
            },
            NextMove::Do,
        ),
    }
}

fn front(scene: &DecisionContext<'_>, headline: bool) -> NextMove {
    if !scene.is_in(&BROWSER) {
        return scene.open(&BROWSER, "I’m opening the browser.");
    }
    tell(scene, headline)
}

/// The page is open: what it says on top.
fn tell(scene: &DecisionContext<'_>, headline: bool) -> NextMove {
    let Some(web) = web(scene) else {
        return scene.wait_for("the page", 2).map_or_else(
            || NextMove::Left("The page is open, but I can’t read it.".to_owned()),
            NextMove::Do,
        );
    };
    let title = web.label.as_str();
    if plain(title).contains("can't be reached") {
        return NextMove::Left("The browser says that this page can’t be reached.".to_owned());
    }
    let first = scene
        .view
        .elements()
        .filter(|e| e.index > web.index && e.role == Role::Text)
        .find(|e| is_headline(&e.label));
    match (headline, first) {
        (true, Some(first)) if !same(&first.label, title) => {
            NextMove::Done(format!("{title}: the headline is “{}”.", cut(&first.label, 120)))
        }
        (true, _) => NextMove::Done(format!("The page’s headline is “{title}”.")),
        (false, _) => NextMove::Done(format!("{title} is open.")),
    }
}

/// A few words that are no sentence and no date.
fn is_headline(label: &str) -> bool {
    const DATES: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let words = list(label);
    let date = words.iter().any(|word| DATES.contains(&word.as_str())) && words.len() <= 5;
    (2..=14).contains(&words.len()) && !date && !label.trim_end().ends_with(['.', ':', ',', '…'])
}

//! Where words that act do nothing: tabs, a calculator's keys, what a search found, a line of a basket.

use super::decision::orders;
use super::lexicon::LEXICON;
use super::page::{Page, has, is_row, is_search, level, like_high, like_sized, side_by_side};
use super::vocabulary as v;
use super::words::{self, Label};
use protocol::{AskKind, Element, State};

/// Ends of compound nouns that only tell or list something.
const TELLING: &[&str] = &[
    "details",
    "übersicht",
    "liste",
    "verlauf",
    "einstellungen",
    "bedingungen",
    "hinweise",
    "informationen",
    "tipps",
    "tips",
    "historik",
    "listan",
    "inställningar",
    "villkor",
    "översikt",
    "oversigt",
    "oversikt",
    "indstillinger",
    "innstillinger",
    "vilkår",
    "instellingen",
    "overzicht",
    "geschiedenis",
    "voorwaarden",
    "lijst",
    "asetukset",
    "historia",
    "luettelo",
    "beschreibung",
    "beschrijving",
    "kalender",
    "rechner",
    "führer",
    "plan",
];
/// Tabs in a row: at least so many, one of them chosen.
const TABS: usize = 2;
/// What a page of filters is called.
const FILTERS: &[&str] = &[
    "filter",
    "filters",
    "filtres",
    "filtros",
    "filtri",
    "filtry",
    "filtre",
    "szűrők",
    "φίλτρα",
    "фильтры",
    "фільтри",
    "филтри",
    "filteri",
    "filtri",
    "filtreler",
    "suodattimet",
    "bộ lọc",
    "الفلاتر",
    "فیلترها",
    "מסננים",
    "ตัวกรอง",
    "筛选",
    "篩選",
    "絞り込み",
    "필터",
];
/// A number pad has ten keys; a broken tree may lose one.
const DIGITS: usize = 9;
/// Homes: what is pressed there is opened.
const HOMES: &[&str] = &[
    "launcher",
    "trebuchet",
    "com.miui.home",
    "nexuslauncher",
    "quickstep",
];
/// Words of a link to an article that asks: fewer are a question to be answered.
const QUESTION_WORDS: usize = 4;
/// The same in characters, where no spaces are written.
const QUESTION_CHARACTERS: usize = 9;
/// What a row of pages has no word of.
const ACTS: [AskKind; 4] = [AskKind::Payment, AskKind::Send, AskKind::Delete, AskKind::Install];

/// Whether pressing this does nothing of `kind`, whatever its words say.
pub(super) fn excuses(page: &Page<'_>, element: &Element, kind: AskKind) -> bool {
    let from_basket = || kind == AskKind::Delete && page.is_icon(element) && basket(page);
    let opened = || matches!(kind, AskKind::Payment | AskKind::Send) && at_home(page) && !page.stake().asks;
    is_tab(page, element)
        || calculates(page)
        || from_basket()
        || (is_row(element) && found(page))
        || opened()
        || (kind == AskKind::Install && refreshes(page, element))
        || (asks_itself(element) && !page.stake().asks)
}

pub(super) fn at_home(page: &Page<'_>) -> bool {
    HOMES.iter().any(|part| page.screen.current_app.contains(part))
}

/// An arrow in the bar reads the page again, where nothing on it speaks of a new version.
pub(super) fn refreshes(page: &Page<'_>, element: &Element) -> bool {
    let newer =
        |other: &Element| other.index != element.index && v::NEWER.mentioned(&Label::new(&other.label));
    page.is_icon(element)
        && page.in_bar(element)
        && !page.is_system()
        && !page.screen.elements.iter().any(newer)
}

/// "Add to or remove from favourites": what a press takes away, the next puts in again.
pub(super) fn toggles(label: &Label) -> bool {
    v::PUT.begins(label) && !label.is_dense()
}

/// Three or more of a size stand level with it, none of them does anything known, and another button is the page's.
pub(super) fn is_tile(page: &Page<'_>, element: &Element) -> bool {
    let like = |other: &&Element| {
        let (a, b) = (element.bounds, other.bounds);
        has(other, State::Clickable) && level(a, b) && like_sized(a, b)
    };
    let elements = || page.screen.elements.iter();
    let row: Vec<&Element> = elements().filter(like).collect();
    let acts = |one: &&Element| {
        let label = Label::new(&one.label);
        label.words.is_empty() || orders(&label) || LEXICON.iter().any(|entry| page.presses(one, entry))
    };
    row.len() > TABS
        && !row.iter().any(acts)
        && elements().any(|other| page.is_foot_button(other) && !like(&other))
}

/// "Delete account: what happens to my photos?" is a link to an answer.
fn asks_itself(element: &Element) -> bool {
    let text = element.label.trim();
    let label = Label::new(text);
    let long = if label.is_dense() {
        text.chars().count() >= QUESTION_CHARACTERS
    } else {
        label.words.len() >= QUESTION_WORDS
    };
    long && text.ends_with(['?', '？', '؟', ';', '՞'])
}

/// One of several views: it says so ("Tab 2 of 4"), or it stands in a row of which one is chosen.
pub(super) fn is_tab(page: &Page<'_>, element: &Element) -> bool {
    if element.role == "tab" || has(element, State::Selected) {
        return true;
    }
    let label = Label::new(&element.label);
    let numbers = label
        .words
        .iter()
        .filter(|word| word.chars().all(char::is_numeric));
    if v::TAB_OF.mentioned(&label) && numbers.count() == 2 {
        return true;
    }
    let beside = |other: &&Element| {
        let (a, b) = (element.bounds, other.bounds);
        has(other, State::Clickable) && other.role == element.role && level(a, b) && like_high(a, b)
    };
    let row: Vec<&Element> = page.screen.elements.iter().filter(beside).collect();
    row.len() > TABS && (row.iter().any(|other| has(other, State::Selected)) || is_foot(page, &row))
}

/// Like parts of the whole width, at the very foot, and none of them acts: the pages of an app.
fn is_foot(page: &Page<'_>, row: &[&Element]) -> bool {
    let (width, height) = (i64::from(page.screen.width), i64::from(page.screen.height));
    let wide = |one: &Element| i64::from(one.bounds.right) - i64::from(one.bounds.left);
    let (Some(least), Some(most)) = (
        row.iter().map(|one| wide(one)).min(),
        row.iter().map(|one| wide(one)).max(),
    ) else {
        return false;
    };
    let low = row
        .iter()
        .all(|one| i64::from(one.bounds.top) * 100 >= height * 78);
    let edges = |pick: fn(&Element) -> i32| row.iter().map(move |one| i64::from(pick(one)));
    let (left, right) = (
        edges(|one| one.bounds.left).min(),
        edges(|one| one.bounds.right).max(),
    );
    let whole = right.unwrap_or(0) - left.unwrap_or(width) >= width * 6 / 10;
    let acts = |one: &&Element| {
        let label = Label::new(&one.label);
        label.words.is_empty()
            || ACTS.into_iter().any(|kind| words::strong(kind, &label))
            || v::TELLS.is(&label)
            || v::BIN.is(&label)
    };
    low && whole && most * 10 <= least * 13 && !row.iter().any(acts)
}

/// Nothing but a list of presses, none of which acts: what opened it is chosen from it.
pub(super) fn is_options(page: &Page<'_>) -> bool {
    let elements = &page.screen.elements;
    let entries = || elements.iter().filter(|one| has(one, State::Clickable));
    let listed = elements.iter().any(|one| one.role == "list");
    let bare = elements
        .iter()
        .all(|one| one.role == "list" || matches!(one.role.as_str(), "button" | "item"));
    listed && bare && entries().count() >= 3
}

/// "Forward" opens the list of whom to, where nothing is written.
pub(super) fn passes_on(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    v::FORWARD.is(label) && (page.in_bar(element) || !page.composes()) && !page.stake().asks
}

/// It takes away what was typed or narrowed: beside a field, on a number pad, on a page of filters.
pub(super) fn clears(page: &Page<'_>, element: &Element) -> bool {
    let elements = &page.screen.elements;
    let level = |field: &Element| has(field, State::Editable) && side_by_side(element.bounds, field.bounds);
    let beside = || page.is_icon(element) && elements.iter().any(level);
    let digit =
        |one: &&Element| one.label.trim().len() == 1 && one.label.trim().chars().all(|c| c.is_ascii_digit());
    let pad = || elements.iter().filter(digit).count() >= DIGITS;
    let narrows = || {
        page.titles()
            .take(2)
            .any(|title| FILTERS.contains(&title.text.trim()))
    };
    beside() || pad() || narrows()
}

/// Its keys only count.
pub(super) fn calculates(page: &Page<'_>) -> bool {
    page.screen.current_app.contains("calculator")
}

/// What stands in a basket can be put in again.
fn basket(page: &Page<'_>) -> bool {
    page.titles()
        .take(2)
        .any(|title| title.words.len() <= 3 && v::CART.names(&title))
}

/// Something was looked for: what stands below was found.
fn found(page: &Page<'_>) -> bool {
    page.screen.elements.iter().any(|field| {
        let written = field.value.as_deref().unwrap_or_default().trim();
        has(field, State::Editable) && is_search(field) && !written.is_empty()
    }) || page
        .titles()
        .any(|title| title.words.len() <= 4 && v::SEARCH.mentioned(&title) && v::HISTORY.mentioned(&title))
}

/// One word, made of several, whose last is a list or a telling of something.
pub(super) fn tells(label: &Label) -> bool {
    let told = |word: &String| TELLING.iter().any(|end| word.ends_with(end));
    label.words.len() <= 2 && label.words.last().is_some_and(told)
}

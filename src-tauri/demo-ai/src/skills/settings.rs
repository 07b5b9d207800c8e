//! Settings: the way to a page, its switches, the brightness, and what it tells.

use crate::apps::SETTINGS;
use crate::decision_context::DecisionContext;
use crate::goal::{Route, Setting};
use crate::moves::{Move, NextMove};
use crate::view::{id, is, is_pressable, title_of, written};
use crate::words::{plain, reads_as, same};
use protocol::{Act, Element, ElementState, Role};

/// How far off a slider may end.
const NEAR: u32 = 3;
/// How often it is set.
const TRIES: usize = 2;
const TITLE: &str = "collapsing_toolbar_title";

/// Turns something on or off.
pub(crate) fn switch(scene: &DecisionContext<'_>, setting: &Setting, on: bool) -> NextMove {
    let word = if on { "on" } else { "off" };
    if scene.is_in(&SETTINGS)
        && let Some(switch) = find_switch(scene, setting.switch)
    {
        let now = is(switch, ElementState::Checked);
        let pressed = scene.memory.has_pressed(title_of(&switch.label));
        return if now == on && pressed {
            NextMove::Done(format!("{} is {word}.", setting.name))
        } else if now == on {
            NextMove::Done(format!("{} was {word} already.", setting.name))
        } else if is(switch, ElementState::Disabled) {
            NextMove::Left(format!(
                "{} can’t be changed on this phone right now.",
                setting.name
            ))
        } else {
            NextMove::Do(Move::tap(
                switch,
                format!(
                    "{} is {}. I’m turning it {word}.",
                    setting.name,
                    if now { "on" } else { "off" }
                ),
            ))
        };
    }
    go(scene, setting.route, setting.switch)
}

fn find_switch<'a>(scene: &DecisionContext<'a>, words: &str) -> Option<&'a Element> {
    let own = |e: &&Element| same(title_of(&e.label), words);
    scene
        .view
        .elements()
        .filter(|e| is(e, ElementState::Checkable))
        .find(own)
}

/// Sets the brightness of the screen.
pub(crate) fn brightness(scene: &DecisionContext<'_>, percent: u32) -> NextMove {
    let route = crate::goal::display();
    let slider = scene
        .view
        .elements()
        .find(|e| e.role == Role::Slider && plain(&e.label).contains("brightness"));
    let Some(slider) = slider.filter(|_| scene.is_in(&SETTINGS)) else {
        return go(scene, route, "Brightness level");
    };
    let shown = scene.view.value_of("Brightness level").unwrap_or_default();
    let now = shown.trim_end_matches('%').parse::<u32>().ok();
    let tries = scene
        .memory
        .deeds
        .iter()
        .filter(|deed| matches!(deed.act, Some(Act::SetValue { .. })))
        .count();
    match now {
        Some(now) if now.abs_diff(percent) <= NEAR => NextMove::Done(if tries > 0 {
            format!("The brightness is at {now}%.")
        } else {
            format!("The brightness was at {now}% already.")
        }),
        _ if tries >= TRIES => NextMove::Left(match now {
            Some(now) => format!("The brightness stands at {now}%; I could not bring it to {percent}%."),
            None => {
                format!("I moved the brightness to about {percent}%, but the phone does not show a number.")
            }
        }),
        _ => {
            let stands = if shown.is_empty() {
                String::new()
            } else {
                format!("The brightness is at {shown}. ")
            };
            NextMove::Do(Move::set(
                slider,
                &percent.to_string(),
                format!("{stands}I’m setting it to {percent}%."),
            ))
        }
    }
}

/// Tells a line of About phone.
pub(crate) fn fact(scene: &DecisionContext<'_>, line: &str) -> NextMove {
    if scene.is_in(&SETTINGS)
        && let Some(value) = scene.view.value_of(line)
    {
        return NextMove::Done(format!("{line}: {value}."));
    }
    go(scene, crate::goal::about(), line)
}

/// Tells what takes the most room.
pub(crate) fn storage(scene: &DecisionContext<'_>) -> NextMove {
    let route = crate::goal::storage();
    if !(scene.is_in(&SETTINGS) && same(scene.view.text_of(TITLE), route.title)) {
        return go(scene, route, "what uses the storage");
    }
    let mut uses: Vec<(u64, String)> = Vec::new();
    for title in scene.view.all_by_id("title") {
        if let Some(size) = scene.view.after(title).map(|e| e.label.as_str())
            && let Some(bytes) = size_of(size)
        {
            uses.push((bytes, format!("{} with {size}", title.label)));
        }
    }
    uses.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
    match uses.as_slice() {
        [] => NextMove::Left("The storage page shows no sizes I can read.".to_owned()),
        [(_, first)] => NextMove::Done(format!("The most storage is taken by {first}.")),
        [(_, first), (_, second), ..] => {
            NextMove::Done(format!("The most storage is taken by {first}, then by {second}."))
        }
    }
}

/// `9.2 GB` in tenths of a megabyte.
fn size_of(text: &str) -> Option<u64> {
    let (number, unit) = text.split_once([' ', '\u{a0}'])?;
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let tenths =
        whole.parse::<u64>().ok()?.checked_mul(10)? + part.chars().next()?.to_digit(10).map(u64::from)?;
    match unit {
        "GB" => tenths.checked_mul(1000),
        "MB" => Some(tenths),
        _ => None,
    }
}

/// Shows a page.
pub(crate) fn show(scene: &DecisionContext<'_>, route: &Route) -> NextMove {
    if scene.is_in(&SETTINGS) && same(scene.view.text_of(TITLE), route.title) {
        return NextMove::Done(format!("{} is open.", route.title));
    }
    go(scene, route, route.title)
}

/// One step on the way to `what` on a page.
fn go(scene: &DecisionContext<'_>, route: &Route, what: &str) -> NextMove {
    if !scene.is_in(&SETTINGS) {
        return scene.open(&SETTINGS, "I’m opening Settings.");
    }
    let view = &scene.view;
    if view.by_id("alertTitle").is_some() || view.by_id("parentPanel").is_some() {
        return NextMove::Do(Move::key("BACK", "A dialog lies over the page. I’m closing it."));
    }
    if let Some(field) = view.by_id("search_src_text") {
        return search(scene, field, route, what);
    }
    let title = view.text_of(TITLE);
    let scrolled = title.is_empty()
        && matches!(
            scene.memory.last().and_then(|deed| deed.act.as_ref()),
            Some(Act::Scroll { .. })
        );
    let here = same(title, route.title);
    let home =
        view.by_id("settings_homepage_container").is_some() || view.button("Search settings").is_some();
    if here {
        return scene
            .look_further(what)
            .map_or_else(|| not_there(scene, what, route), NextMove::Do);
    }
    if home {
        return match route.rows.first().and_then(|row| view.row(row)) {
            Some(row) => NextMove::Do(open(row)),
            None => scene
                .look_further(route.rows.first().unwrap_or(&route.title))
                .map_or_else(|| to_search(scene, what), NextMove::Do),
        };
    }
    // On a page along the way: the next row. A page that was scrolled shows no title: any row of the way will do.
    let next = route
        .rows
        .windows(2)
        .find(|pair| same(title, pair[0]))
        .map(|pair| pair[1]);
    let row = match next {
        Some(next) => view.row(next),
        None if scrolled => route.rows.iter().skip(1).find_map(|row| view.row(row)),
        None => None,
    };
    match row {
        Some(row) => NextMove::Do(open(row)),
        None if next.is_some() || scrolled => scene
            .look_further(next.unwrap_or(what))
            .map_or_else(|| not_there(scene, what, route), NextMove::Do),
        None => scene.back(format!("{what} is not on this page. I’m going back.")),
    }
}

fn open(row: &Element) -> Move {
    Move::tap(row, format!("{} is where I need to go.", title_of(&row.label)))
}

fn to_search(scene: &DecisionContext<'_>, what: &str) -> NextMove {
    match scene.view.button("Search settings") {
        Some(search) => NextMove::Do(Move::tap(
            search,
            format!("I don’t see the way to {what}. I’ll search for it."),
        )),
        None => NextMove::Left(format!("I could not find {what} in Settings.")),
    }
}

fn not_there(scene: &DecisionContext<'_>, what: &str, route: &Route) -> NextMove {
    let searched = scene
        .memory
        .deeds
        .iter()
        .any(|deed| deed.text() == Some(route.search));
    if searched {
        return NextMove::Left(format!("I could not find {what} in this phone’s Settings."));
    }
    NextMove::Left(format!("This phone’s page {} has no {what}.", route.title))
}

fn search(scene: &DecisionContext<'_>, field: &Element, route: &Route, what: &str) -> NextMove {
    if !reads_as(written(field, &["Search settings"]), route.search) {
        // Only where the rows were not found is searching the way; from a search somebody left open it is back.
        let wanted = scene
            .memory
            .deeds
            .iter()
            .any(|deed| deed.presses("Search settings"));
        if !wanted {
            return scene.back("I’m going back to the list of settings.");
        }
        return scene.fill(
            field,
            route.search,
            &["Search settings"],
            format!("I’m searching for {}.", route.search),
        );
    }
    let result = scene
        .view
        .elements()
        .find(|e| is_pressable(e) && id(e) != "search_src_text" && same(title_of(&e.label), route.title));
    match result {
        Some(result) => NextMove::Do(open(result)),
        None => scene
            .look_further(what)
            .filter(|_| scene.view.list().is_some())
            .map_or_else(
                || NextMove::Left(format!("I could not find {what} in this phone’s Settings.")),
                NextMove::Do,
            ),
    }
}

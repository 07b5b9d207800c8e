//! Updates of apps: how many wait, and installing all of them.

use crate::apps::STORE;
use crate::decision_context::DecisionContext;
use crate::memory::PastStep;
use crate::moves::{Move, NextMove};
use crate::words::{enumerate, plain};

const ALL: &str = "Update all";
/// A note: how many waited.
const WAITED: &str = "waited";
/// How long installing may take, in looks.
const MAX_INSTALL_WAITS: usize = 12;

pub(super) fn next(scene: &DecisionContext<'_>, install: bool) -> NextMove {
    if !scene.is_in(&STORE) {
        return scene.open(&STORE, "App updates are in the app store. I’m opening it.");
    }
    let Some(summary) = scene.view.by_id("updates_summary") else {
        return match scene.look_further("the list of updates") {
            Some(step) => NextMove::Do(step),
            None => scene.back("I’m going back to the list of updates."),
        };
    };
    let summary = plain(&summary.label);
    if summary.starts_with("installing") {
        return match (scene.memory.lately(PastStep::waits) < MAX_INSTALL_WAITS, install) {
            (true, true) => NextMove::Do(Move::wait(
                2000,
                "The updates are being installed. I’ll wait until they are done.",
            )),
            _ => NextMove::Left("The updates are still being installed.".to_owned()),
        };
    }
    if summary.starts_with("all apps") || summary.starts_with("no updates") {
        return NextMove::Done(match (scene.memory.has_pressed(ALL), waited(scene)) {
            (true, Some(1)) => "The app update is installed.".to_owned(),
            (true, Some(count)) => format!("The {count} app updates are installed."),
            (true, None) => "The app updates are installed.".to_owned(),
            (false, _) => "There is nothing to install: all apps are up to date.".to_owned(),
        });
    }
    let count = summary.split(' ').next().unwrap_or_default().to_owned();
    if !install {
        let names = waiting(scene);
        let which = if names.is_empty() {
            String::new()
        } else {
            format!(": {}", enumerate(&names))
        };
        return NextMove::Done(format!("App updates waiting: {count}{which}."));
    }
    if scene.memory.denied(ALL) {
        return NextMove::Left(format!(
            "You said no, so the app updates were not installed: {count} wait."
        ));
    }
    if scene.memory.has_pressed(ALL) {
        return NextMove::Left(format!(
            "I started the updates, but the store still shows {count} waiting."
        ));
    }
    match scene.view.button(ALL) {
        Some(button) => {
            let step = Move::tap(
                button,
                format!("The store has {count} updates waiting. Next I’d tap “{ALL}”."),
            );
            NextMove::Do(step.noting(WAITED, count))
        }
        None => NextMove::Left("The store shows no button to install all updates.".to_owned()),
    }
}

fn waited(scene: &DecisionContext<'_>) -> Option<u32> {
    scene
        .memory
        .deeds
        .iter()
        .rev()
        .find_map(|deed| deed.told(WAITED).next()?.parse().ok())
}

/// The apps with a button to update them.
fn waiting(scene: &DecisionContext<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let mut name = None;
    for element in scene.view.elements() {
        match crate::view::id(element) {
            "app_name" => name = Some(element.label.clone()),
            "action" if plain(&element.label) == "update" => names.extend(name.take()),
            _ => {}
        }
    }
    names
}

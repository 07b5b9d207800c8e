//! What the planner can do, one file a skill. A skill looks at the scene and says the next move, or that its task is
//! over. It must find its way from any screen.

mod bank;
mod browser;
mod checkout;
mod contacts;
mod goods;
mod messages;
mod notes;
mod opening;
mod people;
mod settings;
mod shop;
mod updates;
mod usual;

use super::decision_context::DecisionContext;
use super::goal::Task;
use super::moves::NextMove;

/// What the planner says it can do.
const KNOWN: &str = "I’m a small demo AI and know only a few tasks. For example: “Order the weekly groceries and pay”, “Text \
                     Dana that I’m running late”, “Sign in to Northbank”, “Turn on Battery Saver”, “Install the app \
                     updates” or “Add a note”. For anything else, choose a real AI in Settings.";

/// Whether a task is done on the phone at all.
pub(super) fn needs_phone(scene: &DecisionContext<'_>, task: &Task) -> bool {
    match task {
        Task::Unknown { .. } => false,
        Task::Message { text, .. } => text.is_some() || scene.preferences.message.is_some(),
        _ => true,
    }
}

/// One task's next move.
pub(super) fn next(scene: &DecisionContext<'_>, task: &Task) -> NextMove {
    match task {
        Task::Usual(shopping) => usual::next(scene, shopping),
        Task::Goods { goods, shopping } => goods::next(scene, goods, shopping),
        Task::SignIn { balance } => bank::next(scene, *balance),
        Task::Message { to, text } => messages::next(scene, to, text.as_deref()),
        Task::Switch { setting, on } => settings::switch(scene, setting, *on),
        Task::Brightness(percent) => settings::brightness(scene, *percent),
        Task::Fact { line } => settings::fact(scene, line),
        Task::Storage => settings::storage(scene),
        Task::Show(route) => settings::show(scene, route),
        Task::Updates { install } => updates::next(scene, *install),
        Task::AddNote { title, text } => notes::add(scene, title.as_deref(), text),
        Task::DeleteNote { title } => notes::delete(scene, title),
        Task::AddContact { name, number } => contacts::add(scene, name, number),
        Task::FindNumber { name } => contacts::number(scene, name),
        Task::Page { place, headline } => browser::next(scene, place, *headline),
        Task::Open { app } => opening::next(scene, app),
        Task::Unknown { words } => NextMove::Left(format!("I don’t know how to do “{words}”. {KNOWN}")),
    }
}

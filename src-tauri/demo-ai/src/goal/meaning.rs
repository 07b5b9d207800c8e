//! What one stretch of words means: every reading there is, the surest first.

use super::task::Task;
use super::{message, records, setting, shopping, web};
use crate::clause::Clause;

/// What a stretch of words means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// Something to do.
    Task(Task),
    /// What is in the basket is to be paid.
    Pay,
    /// It is not to be paid.
    DoNotPay,
    /// Nothing the grammar knows.
    None,
}

/// What one stretch of words means: the first reading that fits, the surest first.
pub(super) fn meaning(clause: &Clause<'_>) -> Meaning {
    if let Some(message) = message::read(clause) {
        return Meaning::Task(message);
    }
    if let Some(pay) = shopping::pays(clause) {
        return if pay { Meaning::Pay } else { Meaning::DoNotPay };
    }
    let readings = [
        records::read,
        shopping::usual,
        bank,
        setting::read,
        updates,
        web::page,
        shopping::goods,
        web::open,
    ];
    let task = readings.iter().find_map(|read| read(clause));
    task.map_or(Meaning::None, Meaning::Task)
}

/// `Sign in to Northbank`, `What is my balance?`
fn bank(clause: &Clause<'_>) -> Option<Task> {
    let bank = clause.has(&["northbank", "bank"]);
    let account = clause.says(&["bank account", "my account"]);
    let balance = clause.has(&["balance"]) || clause.says(&["how much money", "how much is in"]);
    let signs_in = clause.says(&[
        "sign in",
        "log in",
        "sign into",
        "log into",
        "sign on",
        "log on",
        "sign me in",
        "log me in",
    ]) || clause.has(&["login", "signin", "sign-in", "log-in"]);
    let asks = balance && (bank || account || clause.words.len() <= 8);
    ((signs_in && bank) || asks).then_some(Task::SignIn { balance })
}

/// `Install the waiting app updates`, `Are there updates?`
fn updates(clause: &Clause<'_>) -> Option<Task> {
    let all = clause.has(&["apps", "app"]);
    let named = clause.has(&["updates"]);
    let verb = clause.begins(&["update", "please update", "upgrade"]).is_some();
    if clause.has(&["android", "system", "phone"]) && !all {
        return None;
    }
    let install = clause.has(&["install", "apply", "run", "download"])
        || verb
        || clause.says(&["do the", "get the", "update all", "update my"]);
    let asks = clause.has(&[
        "check",
        "any",
        "there",
        "waiting",
        "available",
        "show",
        "look",
        "list",
        "see",
    ]);
    (named && (install || asks || all) || verb && all).then_some(Task::Updates { install })
}

/// Whether the words ask for something the grammar knows.
pub(super) fn is_known(words: &str) -> bool {
    meaning(&Clause::of(words)) != Meaning::None
}

/// Whether the words tell somebody something or write it down: their *and* may belong to what is told.
pub(super) fn tells(words: &str) -> bool {
    matches!(
        meaning(&Clause::of(words)),
        Meaning::Task(Task::Message { .. } | Task::AddNote { .. })
    )
}

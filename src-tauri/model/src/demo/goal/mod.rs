//! The person's words, read into tasks by a plain grammar of keywords. What it does not know, it says.

mod message;
mod money;
mod phrasing;
mod records;
mod reword;
mod setting;
mod shopping;
mod split;
mod web;

pub(super) use money::Limit;
pub(super) use setting::{Route, Setting, about, display, storage};
pub(super) use shopping::{Good, Part as DayPart, Shopping, Slot};
pub(super) use web::Place;

use super::clause::Clause;
use super::words::cut;

/// One thing to do on the phone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// The weekly order of the grocery shop.
    Usual(Shopping),
    /// Single goods of the grocery shop.
    Goods {
        /// What, and how many.
        goods: Vec<Good>,
        /// How it is to be ordered.
        shopping: Shopping,
    },
    /// Signing in to the bank.
    SignIn {
        /// The balance is asked for too.
        balance: bool,
    },
    /// A text message.
    Message {
        /// To whom, as the person calls them.
        to: String,
        /// What is to be sent; absent when the person did not say.
        text: Option<String>,
    },
    /// Something in Settings that is on or off.
    Switch {
        /// Which.
        setting: &'static Setting,
        /// As it is to be.
        on: bool,
    },
    /// How bright the screen is, in percent.
    Brightness(u32),
    /// One line of About phone.
    Fact {
        /// As it stands there.
        line: &'static str,
    },
    /// What takes the most room on the phone.
    Storage,
    /// A page of Settings, to be shown.
    Show(&'static Route),
    /// Updates of apps.
    Updates {
        /// They are to be installed; else only told.
        install: bool,
    },
    /// A new note.
    AddNote {
        /// Its title, where the person gave one.
        title: Option<String>,
        /// What it says.
        text: String,
    },
    /// A note to be deleted.
    DeleteNote {
        /// How the person calls it.
        title: String,
    },
    /// A new contact.
    AddContact {
        /// The name.
        name: String,
        /// The number; may be empty.
        number: String,
    },
    /// Somebody's number.
    FindNumber {
        /// Whose.
        name: String,
    },
    /// A web page.
    Page {
        /// Which.
        place: Place,
        /// Its headline is asked for.
        headline: bool,
    },
    /// An app, to be opened.
    Open {
        /// As the person calls it.
        app: String,
    },
    /// Words that are none of these.
    Unknown {
        /// The words.
        words: String,
    },
}

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

/// Reads a goal into tasks, in the order they are to be done. Never empty.
pub(super) fn read(goal: &str) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    for part in split::split(goal) {
        match meaning(&Clause::of(part)) {
            Meaning::Task(task) => push(&mut tasks, task),
            Meaning::Pay => match tasks.iter_mut().rev().find_map(shopping_of) {
                Some(shopping) => shopping.pay = true,
                None => tasks.push(unknown(part)),
            },
            Meaning::DoNotPay => {
                if let Some(shopping) = tasks.iter_mut().rev().find_map(shopping_of) {
                    shopping.pay = false;
                }
            }
            Meaning::None if tasks.is_empty() || !is_remark(part) => tasks.push(unknown(part)),
            Meaning::None => {}
        }
    }
    if tasks.is_empty() {
        tasks.push(unknown(goal));
    }
    tasks
}

/// Whether the words say that nothing is to be paid.
pub(super) fn forbids_paying(words: &str) -> bool {
    shopping::forbids(&Clause::of(words))
}

/// Whether the words say that what is in the basket is to be paid, and nothing else.
pub(super) fn asks_to_pay(words: &str) -> bool {
    shopping::pays(&Clause::of(words)) == Some(true)
}

/// Whether the words ask for something the grammar knows.
pub(super) fn is_known(words: &str) -> bool {
    meaning(&Clause::of(words)) != Meaning::None
}

/// Whether the words tell somebody something or write it down: their *and* may belong to what is told.
fn tells(words: &str) -> bool {
    matches!(
        meaning(&Clause::of(words)),
        Meaning::Task(Task::Message { .. } | Task::AddNote { .. })
    )
}

/// Words about the task before them that are read elsewhere, or say nothing: a limit, thanks.
fn is_remark(words: &str) -> bool {
    Limit::read(words).is_some()
        || Clause::of(words)
            .begins(&["thanks", "thank you", "please", "ok", "okay"])
            .is_some()
}

/// A task after others: opening an app to do something in it is no task of its own.
fn push(tasks: &mut Vec<Task>, task: Task) {
    if matches!(tasks.last(), Some(Task::Open { .. } | Task::Show(_)))
        && !matches!(task, Task::Unknown { .. })
    {
        tasks.pop();
    }
    if let (Some(Task::SignIn { balance: first }), Task::SignIn { balance }) = (tasks.last_mut(), &task) {
        *first |= *balance;
        return;
    }
    if let (
        Some(Task::Page { headline: first, .. }),
        Task::Page {
            place: Place::Front,
            headline,
        },
    ) = (tasks.last_mut(), &task)
    {
        *first |= *headline;
        return;
    }
    tasks.push(task);
}

fn unknown(words: &str) -> Task {
    Task::Unknown {
        words: cut(words.trim(), 120),
    }
}

fn shopping_of(task: &mut Task) -> Option<&mut Shopping> {
    match task {
        Task::Usual(shopping) | Task::Goods { shopping, .. } => Some(shopping),
        _ => None,
    }
}

/// What one stretch of words means: the first reading that fits, the surest first.
fn meaning(clause: &Clause<'_>) -> Meaning {
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

#[cfg(test)]
mod tests;

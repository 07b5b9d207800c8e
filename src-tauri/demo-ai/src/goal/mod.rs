//! The person's words, read into tasks by a plain grammar of keywords. What it does not know, it says.

mod meaning;
mod message;
mod money;
mod phrasing;
mod records;
mod reword;
mod setting;
mod shopping;
mod split;
mod task;
mod web;

pub(crate) use money::Limit;
pub(crate) use setting::{about, display, storage};
pub(crate) use task::{
    DeliverySlot, PageRef, PartOfDay as DayPart, Route, Setting, Shopping, ShoppingItem, Task,
};

use crate::clause::Clause;
use agent::prompt::cut;
use meaning::{Meaning, meaning};

/// Reads a goal into tasks, in the order they are to be done. Never empty.
pub(crate) fn read(goal: &str) -> Vec<Task> {
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
pub(crate) fn forbids_paying(words: &str) -> bool {
    shopping::forbids(&Clause::of(words))
}

/// Whether the words say that what is in the basket is to be paid, and nothing else.
pub(crate) fn asks_to_pay(words: &str) -> bool {
    shopping::pays(&Clause::of(words)) == Some(true)
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
            place: PageRef::Front,
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

#[cfg(test)]
mod tests;

//! What the person added while the run went on, and conditions in the goal itself.

use super::clause::Clause;
use super::goal::{self, Limit, Task};
use super::words::{cut, plain};

/// What holds for all tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wishes {
    /// What may be spent at most.
    pub(super) limit: Option<Limit>,
    /// Nothing is to be paid.
    pub(super) no_pay: bool,
    /// What is in the basket is to be paid, though the goal did not say so.
    pub(super) pay: bool,
    /// What a message is to say instead.
    pub(super) message: Option<String>,
    /// Further tasks, in order.
    pub(super) more: Vec<Task>,
    /// Words that were not understood, in the order they were said.
    pub(super) unheard: Vec<String>,
}

impl Wishes {
    /// Reads the goal and what was said since; what was said last holds.
    pub(super) fn read(goal: &str, said: &[String]) -> Self {
        let mut wishes = Self { limit: Limit::read(goal), no_pay: goal::forbids_paying(goal), ..Self::default() };
        for words in said {
            wishes.hear(words);
        }
        wishes
    }

    fn hear(&mut self, words: &str) {
        let words = words.chars().take(400).collect::<String>();
        let limit = Limit::read(&words);
        let limited = limit.is_some();
        self.limit = limit.or(self.limit.take());
        if goal::forbids_paying(&words) {
            (self.no_pay, self.pay) = (true, false);
            return;
        }
        if goal::asks_to_pay(&words) {
            (self.no_pay, self.pay) = (false, true);
            return;
        }
        if limited {
            return;
        }
        if let Some(message) = instead(&words) {
            self.message = Some(message);
            return;
        }
        let tasks = goal::read(&words);
        if tasks.iter().any(|task| matches!(task, Task::Unknown { .. })) {
            if !is_nod(&words) {
                self.unheard.push(cut(words.trim(), 80));
            }
        } else {
            self.more.extend(tasks);
        }
    }

    /// What was not understood, in a sentence for the person; empty where all was.
    pub(super) fn excuse(&self) -> String {
        match self.unheard.last() {
            Some(words) => format!(" I don’t know what to do with “{words}”, so I left it out."),
            None => String::new(),
        }
    }
}

/// `Say “…” instead`, `write: …`.
fn instead(words: &str) -> Option<String> {
    let clause = Clause::of(words);
    let verb = clause.begins(&["say instead", "write instead", "better say", "please say", "just say", "say", "write"])?;
    if clause.has(&["note", "to"]) && clause.quotation().is_none() {
        return None;
    }
    let text = clause.quotation().unwrap_or(clause.rest(verb));
    let text = text.trim_end_matches(" instead").trim();
    (!text.is_empty()).then(|| super::words::typeable(&super::words::sentence(text)))
}

/// `OK`, `go on`: nothing new.
fn is_nod(words: &str) -> bool {
    let words = plain(words);
    let bare = words.trim_matches(|c: char| !c.is_alphanumeric());
    [
        "ok", "okay", "yes", "go on", "go ahead", "continue", "carry on", "thanks", "thank you", "please", "good", "great",
        "yes please", "try again", "i'm done", "done", "ready", "here you go", "hello", "hi",
    ]
    .contains(&bare)
}

//! What the person added while the run went on, and conditions in the goal itself.

use super::clause::Clause;
use super::goal::{self, DeliverySlot, Limit, Task};
use super::words::plain;
use agent::prompt::cut;

/// What holds for all tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Preferences {
    /// What may be spent at most.
    pub(crate) limit: Option<Limit>,
    /// Nothing is to be paid.
    pub(crate) no_pay: bool,
    /// What is in the basket is to be paid, though the goal did not say so.
    pub(crate) pay: bool,
    /// What a message is to say instead.
    pub(crate) message: Option<String>,
    /// When an order is to come.
    pub(crate) slot: DeliverySlot,
    /// Further tasks, in order.
    pub(crate) more: Vec<Task>,
    /// The place in `more` of the first task that takes the place of all before it.
    pub(crate) instead: Option<usize>,
    /// Nothing more is to be done.
    pub(crate) stop: bool,
    /// Words that were not understood, in the order they were said.
    pub(crate) unheard: Vec<String>,
}

impl Preferences {
    /// Reads the goal and what was said since; what was said last holds.
    pub(crate) fn read(goal: &str, said: &[String]) -> Self {
        let mut preferences = Self {
            limit: Limit::read(goal),
            no_pay: goal::forbids_paying(goal),
            ..Self::default()
        };
        for words in said {
            preferences.hear(words);
        }
        preferences
    }

    fn hear(&mut self, words: &str) {
        let words = words.chars().take(400).collect::<String>();
        if is_nod(&words) {
            self.stop = false;
            return;
        }
        let limit = Limit::read(&words);
        let limited = limit.is_some();
        self.limit = limit.or(self.limit.take());
        if goal::forbids_paying(&words) {
            (self.no_pay, self.pay) = (true, false);
        } else if goal::asks_to_pay(&words) {
            (self.no_pay, self.pay) = (false, true);
        } else if let Some(message) = instead(&words) {
            self.message = Some(message);
        } else if !limited {
            self.hear_tasks(&words);
        }
    }

    /// Something else to do, after all that was asked for or in place of it.
    fn hear_tasks(&mut self, words: &str) {
        let (turns, rest) = turn(words);
        let tasks = goal::read(rest);
        if !tasks.iter().any(|task| matches!(task, Task::Unknown { .. })) {
            if turns {
                self.instead = Some(self.more.len());
            }
            self.more.extend(tasks);
            return;
        }
        let slot = DeliverySlot::read(words);
        if slot != DeliverySlot::default() {
            self.slot = slot.or(self.slot);
        } else if is_stop(words) {
            self.stop = true;
        } else {
            self.unheard.push(cut(words.trim(), 80));
        }
    }

    /// What was not understood, in a sentence for the person; empty where all was.
    pub(crate) fn excuse(&self) -> String {
        match self.unheard.last() {
            Some(words) => format!(" I don’t know what to do with “{words}”, so I left it out."),
            None => String::new(),
        }
    }
}

/// `Say “…” instead`, `write: …`.
fn instead(words: &str) -> Option<String> {
    let clause = Clause::of(words);
    let verb = clause.begins(&[
        "say instead",
        "write instead",
        "better say",
        "please say",
        "just say",
        "say",
        "write",
    ])?;
    if clause.has(&["note", "to"]) && clause.quotation().is_none() {
        return None;
    }
    let text = clause.quotation().unwrap_or(clause.rest(verb));
    let text = text.trim_end_matches(" instead").trim();
    (!text.is_empty()).then(|| super::words::typeable(&super::words::sentence(text)))
}

/// `No, …`, `… instead`: whether the words turn to something else, and to what.
fn turn(words: &str) -> (bool, &str) {
    const TURNS: &[&str] = &[
        "no", "nope", "not that", "actually", "rather", "wait", "stop", "sorry", "i mean",
    ];
    let mut rest = words.trim();
    let mut turns = false;
    while let Some(count) = Clause::of(rest).begins(TURNS) {
        rest = Clause::of(rest).rest(count);
        turns = true;
    }
    let end = rest.trim_end_matches(['.', '!', ' ']);
    let cut = ["instead", "rather"].iter().find_map(|word| {
        let at = end.len().checked_sub(word.len())?;
        end.get(at..)
            .filter(|tail| tail.eq_ignore_ascii_case(word))
            .and(end.get(..at))
    });
    (turns || cut.is_some(), cut.unwrap_or(rest).trim())
}

/// `Stop`, `never mind`: nothing more is to be done.
fn is_stop(words: &str) -> bool {
    const STOPS: &[&str] = &[
        "stop",
        "cancel",
        "abort",
        "quit",
        "halt",
        "forget it",
        "never mind",
        "nevermind",
        "leave it",
        "don't do",
    ];
    let clause = Clause::of(words);
    clause.words.len() <= 6 && clause.says(STOPS)
}

/// `OK`, `go on`: nothing new.
fn is_nod(words: &str) -> bool {
    let words = plain(words);
    let bare = words.trim_matches(|c: char| !c.is_alphanumeric());
    [
        "ok",
        "okay",
        "yes",
        "go on",
        "go ahead",
        "continue",
        "carry on",
        "thanks",
        "thank you",
        "please",
        "good",
        "great",
        "yes please",
        "try again",
        "i'm done",
        "done",
        "ready",
        "here you go",
        "hello",
        "hi",
    ]
    .contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(said: &[&str]) -> Preferences {
        let said: Vec<String> = said.iter().map(|words| (*words).to_owned()).collect();
        Preferences::read("Order the weekly groceries and pay", &said)
    }

    #[test]
    fn what_is_said_last_holds() {
        for (said, expected) in [
            (&["ok", "go on"][..], Preferences::default()),
            (
                &["no pay please"],
                Preferences {
                    no_pay: true,
                    ..Preferences::default()
                },
            ),
            (
                &["don’t pay"],
                Preferences {
                    no_pay: true,
                    ..Preferences::default()
                },
            ),
            (
                &["don’t pay", "ok, pay", "pay"],
                Preferences {
                    pay: true,
                    ..Preferences::default()
                },
            ),
            (
                &["stop"],
                Preferences {
                    stop: true,
                    ..Preferences::default()
                },
            ),
            (&["never mind", "go on"], Preferences::default()),
            (
                &["make it Friday", "in the evening"],
                Preferences {
                    slot: DeliverySlot::read("Friday evening"),
                    ..Preferences::default()
                },
            ),
            (
                &["say “hi” instead"],
                Preferences {
                    message: Some("Hi".to_owned()),
                    ..Preferences::default()
                },
            ),
            (
                &["purple"],
                Preferences {
                    unheard: vec!["purple".to_owned()],
                    ..Preferences::default()
                },
            ),
            (
                &["turn on wifi"],
                Preferences {
                    more: goal::read("turn on wifi"),
                    ..Preferences::default()
                },
            ),
            (
                &["turn on wifi", "No, turn it off", "no, open the calendar instead"],
                Preferences {
                    more: [goal::read("turn on wifi"), goal::read("open the calendar")].concat(),
                    instead: Some(1),
                    unheard: vec!["No, turn it off".to_owned()],
                    ..Preferences::default()
                },
            ),
        ] {
            assert_eq!(read(said), expected, "{said:?}");
        }
    }

    #[test]
    fn turning_to_something_else_is_heard() {
        for (words, expected) in [
            ("No, text Mum instead", (true, "text Mum")),
            ("actually, no: open Maps.", (true, "open Maps.")),
            ("Open Maps rather.", (true, "Open Maps")),
            ("Open Maps", (false, "Open Maps")),
            ("no", (true, "")),
            ("", (false, "")),
        ] {
            assert_eq!(turn(words), expected, "{words}");
        }
    }
}

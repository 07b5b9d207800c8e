//! Opinions on pages: recorded ones (`PART.opinions.jsonl` beside a part), and two that are made up to measure by.

use crate::case::{Label, Labelled, folder};
use judge::guard::{self, Opinion, Question};
use protocol::Screen;
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write;

/// What somebody says of one element of one case's screen.
#[derive(Debug, Deserialize)]
pub(crate) struct Recorded {
    /// The case's id up to its last dot: the screen.
    case: String,
    /// The element's index.
    element: u32,
    /// `moves`, `edits`, `commits KIND`, `unclear`.
    says: String,
}

/// What is recorded beside a part, by screen. Empty where nothing is.
pub(crate) fn recorded(part: &str) -> HashMap<String, Vec<Recorded>> {
    let file = folder().join(format!("{part}.opinions.jsonl"));
    let mut by_screen: HashMap<String, Vec<Recorded>> = HashMap::new();
    for line in std::fs::read_to_string(file).unwrap_or_default().lines() {
        let one: Recorded = serde_json::from_str(line).unwrap();
        by_screen.entry(one.case.clone()).or_default().push(one);
    }
    by_screen
}

/// The opinion that was recorded for this screen.
pub(crate) fn of(screen: &Screen, said: &[Recorded]) -> Option<Opinion> {
    opinion(screen, |index| {
        said.iter()
            .find(|one| one.element == index)
            .map_or("unclear".to_owned(), |one| one.says.clone())
    })
}

/// It says that everything moves: what a lying guard could let through.
pub(crate) fn lying(screen: &Screen) -> Option<Opinion> {
    opinion(screen, |_| "moves".to_owned())
}

/// It knows the label: what even the best guard could not clear.
pub(crate) fn knowing(screen: &Screen, case: &Labelled) -> Option<Opinion> {
    let says = if case.label == Label::Allow {
        "moves"
    } else {
        "unclear"
    };
    opinion(screen, |_| says.to_owned())
}

fn opinion(screen: &Screen, says: impl Fn(u32) -> String) -> Option<Opinion> {
    let page = guard::Page {
        screen,
        task: "",
        app: "",
        site: None,
        version: "",
        signers: &[],
        eyes: false,
    };
    let question = Question::of(&page)?;
    let mut reply = String::new();
    for (n, asked) in (1..).zip(question.asked()) {
        let _ = writeln!(reply, "{n} {}", says(asked.index));
    }
    question.read(&reply)
}

//! Web pages, and apps to be opened.

use super::task::{PageRef, Task};
use crate::clause::Clause;

/// `Open news.example and tell me its headline`.
pub(super) fn page(clause: &Clause<'_>) -> Option<Task> {
    let headline =
        clause.has(&["headline", "headlines", "heading"]) || clause.says(&["top story", "what's new"]);
    if let Some(address) = clause.words.iter().find(|word| is_address(&word.plain)) {
        let address = address.plain.trim_end_matches(['.', ',', '/']).to_owned();
        return Some(Task::Page {
            place: PageRef::Address(address),
            headline,
        });
    }
    let about = clause.has(&["page", "website", "site", "webpage"]) || headline;
    if !about {
        return None;
    }
    let named = clause
        .quotation()
        .map(str::to_owned)
        .or_else(|| capital(clause))
        .or_else(|| after(clause))
        .filter(|name| !name.is_empty());
    match named {
        Some(name) => Some(Task::Page {
            place: PageRef::Named(name),
            headline,
        }),
        None if headline => Some(Task::Page {
            place: PageRef::Front,
            headline,
        }),
        None => None,
    }
}

/// `news.example`, `https://…`: letters on both sides of a dot.
fn is_address(word: &str) -> bool {
    let bare = word.strip_prefix("https://").or(word.strip_prefix("http://"));
    let host = bare.unwrap_or(word).split(['/', ':']).next().unwrap_or_default();
    let letters = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-');
    let parts: Vec<&str> = host.split('.').collect();
    let (last, first) = (
        parts.last().copied().unwrap_or_default(),
        parts.first().copied().unwrap_or_default(),
    );
    parts.len() >= 2
        && parts.iter().all(|part| letters(part))
        && last.chars().all(char::is_alphabetic)
        && last.chars().count() >= 2
        && first.chars().any(char::is_alphabetic)
        && !matches!(host, "e.g" | "i.e" | "a.m" | "p.m")
}

/// A name written large inside the sentence: `The Alder Post`.
fn capital(clause: &Clause<'_>) -> Option<String> {
    let large = |at: usize| clause.words[at].large && !SMALL.contains(&clause.words[at].plain.as_str());
    let first = (1..clause.words.len()).find(|at| large(*at))?;
    let last = (first..clause.words.len())
        .take_while(|at| clause.words[*at].large)
        .last()?;
    Some(clause.between(first, last + 1).to_owned())
}

/// `… headline of the alder post`.
fn after(clause: &Clause<'_>) -> Option<String> {
    let from = clause.phrases_after(&[
        "headline of",
        "headline on",
        "headlines of",
        "page of",
        "page called",
        "site of",
    ])?;
    Some(clause.rest(from).trim_end_matches(['.', '!', '?']).to_owned())
}

const SMALL: &[&str] = &["i", "i'm", "browser", "internet", "web"];

/// `Open the calendar`.
pub(super) fn open(clause: &Clause<'_>) -> Option<Task> {
    const OPENS: &[&str] = &[
        "open up",
        "open",
        "launch",
        "start up",
        "start",
        "run",
        "go to",
        "go back to",
        "bring up",
        "switch to",
        "take me to",
        "show me",
        "show",
    ];
    let polite = ["please", "can", "could", "you", "now", "just", "and", "then"];
    let begin = clause
        .words
        .iter()
        .position(|word| !polite.contains(&word.plain.as_str()))?;
    let rest = Clause::of(clause.rest(begin));
    let mut from = rest.begins(OPENS)?;
    while rest
        .words
        .get(from)
        .is_some_and(|word| matches!(word.plain.as_str(), "the" | "my" | "app" | "an" | "a"))
    {
        from += 1;
    }
    let trailing = [
        "app",
        "application",
        "please",
        "now",
        "for",
        "me",
        "on",
        "phone",
        "the",
        "this",
        "my",
        "again",
        "up",
    ];
    let mut to = rest.words.len();
    while to > from + 1 && trailing.contains(&rest.words[to - 1].plain.as_str()) {
        to -= 1;
    }
    let name = rest.quotation().unwrap_or(rest.between(from, to)).to_owned();
    let fits = !name.is_empty() && (1..=3).contains(&(to - from));
    fits.then_some(Task::Open { app: name })
}

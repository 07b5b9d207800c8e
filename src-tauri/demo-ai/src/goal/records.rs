//! Notes and contacts.

use super::task::Task;
use crate::clause::Clause;

const MAKES: &[&str] = &[
    "add", "make", "write", "create", "take", "new", "save", "jot", "put", "start", "leave",
];
const REMOVES: &[&str] = &["delete", "remove", "erase", "trash", "bin"];
const SAYING: &[&str] = &[
    "saying",
    "that says",
    "with the text",
    "with text",
    "which says",
    "reading",
    "that reads",
    "to say",
    "containing",
];
const CALLED: &[&str] = &[
    "called",
    "titled",
    "named",
    "with the title",
    "with title",
    "entitled",
];

/// Words about notes or contacts.
pub(super) fn read(clause: &Clause<'_>) -> Option<Task> {
    number(clause)
        .or_else(|| contact(clause))
        .or_else(|| note(clause))
}

/// `Add a note: …`, `Delete the note Packing list`.
fn note(clause: &Clause<'_>) -> Option<Task> {
    let at = clause.find(&["note", "notes", "memo"])?;
    if clause
        .words
        .iter()
        .take(at)
        .any(|word| REMOVES.contains(&word.plain.as_str()))
    {
        return delete(clause, at);
    }
    let makes = clause
        .words
        .iter()
        .take(at)
        .any(|word| MAKES.contains(&word.plain.as_str()));
    if !makes && at > 0 {
        return None;
    }
    let title = clause.phrases_after(CALLED);
    let text = clause
        .phrases_after(SAYING)
        .map(|from| clause.rest(from))
        .or_else(|| clause.quotation().filter(|_| title.is_none()))
        .or_else(|| written_after(clause, at).filter(|_| title.is_none()));
    let title = title.map(|from| {
        let end = ["saying", "with", "that", "and", "containing"]
            .iter()
            .filter_map(|word| clause.find_from(from, &[word]))
            .min()
            .unwrap_or(clause.words.len());
        let colon = (from + 1..end).find(|at| clause.gap(*at).contains([':', ',']));
        bare(clause.between(from, colon.unwrap_or(end)))
    });
    let text = match (text, &title) {
        (Some(text), _) => bare(text),
        // `Add a note called Ferns: water them`.
        (None, Some(_)) => after_colon(clause.text).map(bare).unwrap_or_default(),
        (None, None) => return None,
    };
    let title = title.filter(|title| !title.is_empty());
    (!text.is_empty() || title.is_some()).then_some(Task::AddNote { title, text })
}

/// What stands after the word *note* and a word or sign that leads to its text.
fn written_after<'a>(clause: &Clause<'a>, note: usize) -> Option<&'a str> {
    let next = note + 1;
    let leads = ["that", "to", "about", "of", "for", "saying"];
    let word = clause.words.get(next)?;
    if clause.gap(next).contains([':', '-', '–', '—']) {
        return Some(clause.rest(next));
    }
    if word.plain == "in" || word.plain == "on" {
        return after_colon(clause.text);
    }
    Some(clause.rest(if leads.contains(&word.plain.as_str()) {
        next + 1
    } else {
        next
    }))
}

fn after_colon(text: &str) -> Option<&str> {
    text.split_once(": ").map(|(_, after)| after)
}

fn delete(clause: &Clause<'_>, note: usize) -> Option<Task> {
    if clause
        .words
        .iter()
        .take(note)
        .any(|word| word.plain == "all" || word.plain == "every")
    {
        return None;
    }
    let before = clause.find(REMOVES).map(|verb| {
        let from = verb
            + 1
            + usize::from(
                clause
                    .words
                    .get(verb + 1)
                    .is_some_and(|w| w.plain == "the" || w.plain == "my"),
            );
        clause.between(from, note)
    });
    let from = clause
        .phrases_after(CALLED)
        .or_else(|| clause.phrases_after(&["about", "with"]))
        .unwrap_or(note + 1);
    let after = clause.rest(from);
    let title = clause.quotation().unwrap_or(if after.is_empty() {
        before.unwrap_or_default()
    } else {
        after
    });
    let title = bare(title);
    (!title.is_empty()).then_some(Task::DeleteNote { title })
}

/// `Add Plant man with the number (555) 010-0155 to my contacts`.
fn contact(clause: &Clause<'_>) -> Option<Task> {
    let at = clause.find(&["contact", "contacts", "address book"])?;
    let verb = clause
        .words
        .iter()
        .position(|word| MAKES.contains(&word.plain.as_str()))?;
    let number = clause
        .words
        .iter()
        .position(|word| word.plain.chars().filter(char::is_ascii_digit).count() >= 3);
    // The number begins where its first digit or bracket stands, and goes on to its last digit.
    let digits = number.map(|first| {
        let last = (first..clause.words.len())
            .take_while(|at| clause.words[*at].plain.chars().any(|c| c.is_ascii_digit()))
            .last()
            .unwrap_or(first);
        let open = clause
            .gap(first)
            .trim_start()
            .chars()
            .rev()
            .take_while(|c| matches!(c, '(' | '+'))
            .count();
        clause.text[clause.words[first].start - open..clause.words[last].end].to_owned()
    });
    let stop = |from: usize| {
        let word = |at: &usize| STOPS.contains(&clause.words[*at].plain.as_str()) || Some(*at) == number;
        (from..clause.words.len())
            .find(|at| word(at) || *at > from && clause.gap(*at).contains([',', ':', ';']))
    };
    let from = if at > verb && at <= verb + 3 {
        // `Add a contact for Plant man, …`
        let lead = |at: &usize| matches!(clause.words[*at].plain.as_str(), "for" | "called" | "named");
        (at + 1..clause.words.len()).find(|at| !lead(at))?
    } else {
        verb + 1
    };
    let name = bare(clause.between(from, stop(from).unwrap_or(clause.words.len())));
    (!name.is_empty()).then(|| Task::AddContact {
        name,
        number: digits.unwrap_or_default(),
    })
}

/// Words a name ends before.
const STOPS: &[&str] = &[
    "with", "number", "phone", "to", "as", "in", "at", "whose", "on", "and", "his", "her", "under",
];

/// `What is Dana’s number?`
fn number(clause: &Clause<'_>) -> Option<Task> {
    let at = clause.find(&["number"])?;
    let asks = clause.has(&[
        "what", "what's", "whats", "find", "tell", "show", "look", "get", "give", "read", "which",
    ]);
    let adds = clause
        .words
        .iter()
        .any(|word| matches!(word.plain.as_str(), "add" | "save" | "create" | "new"));
    if !asks || adds {
        return None;
    }
    let mine = |word: &str| {
        matches!(
            word,
            "my" | "the" | "phone" | "build" | "serial" | "own" | "this" | "me" | "for"
        )
    };
    let of = clause.find_from(at + 1, &["of", "for"]).map(|of| of + 1);
    let name = match of {
        Some(from) => {
            let skip = usize::from(clause.words.get(from).is_some_and(|word| mine(&word.plain)));
            let end = clause
                .find_from(from, &["in", "from"])
                .unwrap_or(clause.words.len());
            bare(clause.between(from + skip, end))
        }
        None => {
            let last = (0..at).rev().find(|at| !mine(&clause.words[*at].plain))?;
            // `Dana Whitlock’s phone number`: the owner ends in *’s*, and what is before is a name as long as it is large.
            let owner = &clause.words[last];
            let name = owner
                .plain
                .strip_suffix("'s")
                .or_else(|| owner.plain.strip_suffix('\''))?;
            let first = (0..last)
                .rev()
                .take_while(|at| clause.words[*at].large && *at > 0)
                .last()
                .unwrap_or(last);
            let before = clause.between(first, last);
            let own: String = clause.text[owner.start..owner.end]
                .chars()
                .take(name.chars().count())
                .collect();
            format!("{before} {own}").trim().to_owned()
        }
    };
    (!name.is_empty() && !matches!(name.as_str(), "phone" | "it" | "that"))
        .then_some(Task::FindNumber { name })
}

/// Without quotes, commas and full stops around it.
fn bare(text: &str) -> String {
    let signs = |c: char| c.is_whitespace() || matches!(c, '“' | '”' | '"' | '«' | '»' | ',' | ':' | ';');
    text.trim_matches(signs).to_owned()
}

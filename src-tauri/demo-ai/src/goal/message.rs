//! Text messages: to whom, and what.

use super::reword::{self, MessageIntent};
use super::task::Task;
use crate::clause::Clause;
use crate::words::{plain, typeable};

/// Verbs before the name, and whether they say already how the rest is meant.
const VERBS: &[(&str, MessageIntent)] = &[
    ("send a text message to", MessageIntent::Plain),
    ("send a text to", MessageIntent::Plain),
    ("send a message to", MessageIntent::Plain),
    ("send an sms to", MessageIntent::Plain),
    ("send message to", MessageIntent::Plain),
    ("write a message to", MessageIntent::Plain),
    ("write a text to", MessageIntent::Plain),
    ("write to", MessageIntent::Plain),
    ("reply to", MessageIntent::Plain),
    ("answer", MessageIntent::Plain),
    ("text message", MessageIntent::Plain),
    ("text", MessageIntent::Plain),
    ("message", MessageIntent::Plain),
    ("sms", MessageIntent::Plain),
    ("write", MessageIntent::Plain),
    ("send", MessageIntent::Plain),
    ("tell", MessageIntent::Tell),
    ("let", MessageIntent::Let),
    ("ask", MessageIntent::Ask),
    ("remind", MessageIntent::Remind),
    ("invite", MessageIntent::Invite),
    ("thank", MessageIntent::Thank),
    ("wish", MessageIntent::Wish),
];

/// Words a name ends before.
const STOPS: &[&str] = &[
    "that", "saying", "say", "says", "with", "if", "whether", "when", "where", "what", "why", "how", "to",
    "about", "for", "know", "a", "an", "i", "i'm", "im", "i'll", "i've", "we", "we're", "we'll", "you", "it",
    "please", "and", "on", "in", "at", "is", "are", "our", "there", "not", "don't", "running", "sorry",
    "thanks", "hi", "hello", "hey", "good", "can", "could", "will", "would", "asking", "telling", "letting",
    "via", "by", "reading", "this", "her", "him",
];
/// Nobody a message could be sent to.
const NOBODY: &[&str] = &[
    "me", "us", "it", "them", "him", "her", "my", "the", "", "this", "note", "code", "money",
];

/// Reads a clause that sends somebody a message.
pub(super) fn read(clause: &Clause<'_>) -> Option<Task> {
    let polite = [
        "please", "can", "could", "you", "now", "just", "also", "then", "and", "quickly",
    ];
    let begin = clause
        .words
        .iter()
        .position(|word| !polite.contains(&word.plain.as_str()))?;
    let rest = Clause::of(clause.rest(begin));
    if let Some(task) = named_last(&rest) {
        return Some(task);
    }
    let (after, way) = VERBS
        .iter()
        .find_map(|(verb, way)| rest.begins(&[verb]).map(|after| (after, *way)))?;
    let skip = usize::from(
        rest.words
            .get(after)
            .is_some_and(|word| matches!(word.plain.as_str(), "my" | "the")),
    );
    let from = after + skip;
    let to = name_end(&rest, from);
    let name = with_bracket(&rest, from, rest.between(from, to));
    if NOBODY.contains(&plain(&name).as_str()) || is_other_thing(&rest, way, from) {
        return None;
    }
    let text = match rest.quotation() {
        Some(quoted) => Some(quoted.to_owned()),
        None => reword::reword(&rest, to, way),
    };
    if text.is_none()
        && !matches!(rest.words[0].plain.as_str(), "text" | "message" | "sms")
        && way != MessageIntent::Plain
    {
        return None;
    }
    Some(Task::Message {
        to: owner(&name),
        text: text.map(|text| typeable(&text)),
    })
}

/// `Send “I’m late” to Dana`, `Send a message saying … to Dana`, `Say hi to Dana`.
fn named_last(rest: &Clause<'_>) -> Option<Task> {
    rest.begins(&["send", "text", "write", "say"])?;
    let to = rest
        .words
        .iter()
        .rposition(|word| word.plain == "to" && !word.quoted)?;
    let name = rest.rest(to + 1);
    let words = rest.words.len() - to - 1;
    let quoted = rest
        .quotation()
        .filter(|_| rest.words.iter().take(to).any(|word| word.quoted));
    let said = rest
        .begins(&["say"])
        .filter(|_| to > 1)
        .map(|_| rest.between(1, to));
    let text = quoted.or(said)?;
    if words == 0 || words > 3 || NOBODY.contains(&plain(name).as_str()) {
        return None;
    }
    let text = if quoted.is_some() {
        text.to_owned()
    } else {
        reword::say(text)
    };
    let name = name.trim_start_matches("my ").trim_end_matches(['.', '!', '?']);
    Some(Task::Message {
        to: name.to_owned(),
        text: Some(typeable(&text)),
    })
}

/// Where the name that begins at `from` ends: at a stop word, a colon or a quotation; else with its large letters.
fn name_end(rest: &Clause<'_>, from: usize) -> usize {
    let ends = |at: usize| {
        let word = &rest.words[at];
        word.quoted
            || STOPS.contains(&word.plain.as_str())
            || at > from && rest.gap(at).contains([':', ',', '-', '–', '—'])
    };
    let far = (from + 4).min(rest.words.len());
    if let Some(end) = (from..far).find(|at| ends(*at)) {
        return end;
    }
    let large = (from..rest.words.len())
        .take_while(|at| rest.words[*at].large)
        .count();
    if rest.words.len() <= from + 3 && large == 0 {
        // `text the flower stall`: all of it is the name where nothing is said.
        return rest.words.len();
    }
    from + large.clamp(1, 3).min(rest.words.len().saturating_sub(from))
}

/// `Write a note`, `send money`, `ask the AI`, `let the phone …`: no messages.
fn is_other_thing(rest: &Clause<'_>, way: MessageIntent, from: usize) -> bool {
    let early = |words: &[&str]| {
        rest.words
            .iter()
            .skip(1)
            .take(3)
            .any(|word| words.contains(&word.plain.as_str()))
    };
    match way {
        MessageIntent::Plain => early(&["note", "notes", "email", "mail", "e-mail", "money", "code"]),
        MessageIntent::Let => !rest.has(&["know"]),
        MessageIntent::Wish => early(&["i", "you"]),
        MessageIntent::Tell => rest
            .words
            .get(from)
            .is_none_or(|word| NOBODY.contains(&word.plain.as_str())),
        _ => false,
    }
}

/// A telephone number with the bracket or plus it begins with.
fn with_bracket(rest: &Clause<'_>, from: usize, name: &str) -> String {
    let gap = rest.gap(from);
    format!("{}{name}", &gap[gap.trim_end_matches(['(', '+']).len()..])
}

/// `Dana’s` → `Dana` is not done: the bakery is *Dana’s Bakery*. Only blanks and signs go.
fn owner(name: &str) -> String {
    name.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '.'))
        .to_owned()
}
